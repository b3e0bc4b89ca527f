//! `(meta …)`: rules that hold throughout a game.

use super::prelude::*;
use super::{Read, Reader, form, missing, part};
use crate::engine::rules::{Meta, Repeat};

pub(super) const FORMS: &[Form] = &[
    meta(
        "automove",
        "A move to a site to which there is no other is made by itself.",
        "(automove)",
        |_| Ok(Meta::Automove),
    ),
    meta("gravity [PyramidalDrop]", "A piece that has lost its hold falls.", "(gravity)", |_| {
        Ok(Meta::Gravity)
    }),
    meta(
        "noStackOn Fallen",
        "A piece is not put on the pieces that it has just left.",
        "(noStackOn Fallen)",
        |_| Ok(Meta::Firm),
    ),
    meta(
        "passEnd passEndType",
        "If all players pass, the game is drawn, or goes on.",
        "(passEnd NoEnd)",
        |args| Ok(Meta::PassEnds(args.word("passEndType") == Some("Draw"))),
    ),
    meta(
        "pin SupportMultiple",
        "A piece that holds several others stays.",
        "(pin SupportMultiple)",
        |_| Ok(Meta::Pin),
    ),
    meta(
        "swap",
        "With the second move of the game the players may change sides.",
        "(swap)",
        |_| Ok(Meta::Swap),
    ),
    meta(
        "no Repeat [repetitionType]",
        "No move leads to an earlier position.",
        "(no Repeat Situational)",
        |args| {
            let repeat = Repeat::named(args.word("repetitionType").unwrap_or("Positional"));
            Ok(Meta::NoRepeat(repeat.ok_or_else(|| args.unsupported())?))
        },
    ),
    missing(
        "metaRule",
        "no Suicide",
        "no public description uses it, so no record tells which moves it forbids",
    ),
    part(
        "meta",
        "meta ({metaRule} | metaRule)",
        "Rules that hold throughout the game.",
        "(meta (swap))",
    ),
];

const fn meta(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Meta>,
) -> Form {
    form("metaRule", text, meaning, example, Read::Meta(read))
}
