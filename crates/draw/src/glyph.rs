//! The shapes of pieces, as SVG in a box of one unit around the origin, with `y` downwards. Shapes differ in their outline,
//! so that colour is never the only difference. All of them are drawn by us.

use std::fmt::Write;

/// A shape with the names of the pieces that are drawn with it.
struct Glyph {
    names: &'static [&'static str],
    svg: &'static str,
}

const fn glyph(names: &'static [&'static str], svg: &'static str) -> Glyph {
    Glyph { names, svg }
}

/// The foot of a chess piece, below its body.
macro_rules! on_foot {
    ($body:literal) => {
        concat!("<path d='", $body, "M-.28 .24H.28V.38H-.28Z' stroke-linejoin='round'/>")
    };
}

/// A disc with a mark on it that tells kinds of discs apart.
macro_rules! marked_disc {
    ($mark:literal) => {
        concat!(
            "<circle r='.38'/><path d='",
            $mark,
            "' fill='none' stroke-linecap='round' stroke-linejoin='round'/>"
        )
    };
}

const GLYPHS: &[Glyph] = &[
    // Plain shapes.
    glyph(&["disc", "stone", "ball", "marker", "light", "base"], "<circle r='.37'/>"),
    glyph(&["seed", "dot", "bean", "pebble"], "<circle r='.2'/>"),
    glyph(
        &["ring", "nought", "o", "hole"],
        "<path d='M-.36 0a.36.36 0 1 0 .72 0a.36.36 0 1 0-.72 0M-.2 0a.2.2 0 1 1 .4 0a.2.2 0 1 1-.4 0' fill-rule='evenodd'/>",
    ),
    glyph(
        &["cross", "x", "thincross", "senetcross"],
        "<path d='M-.36-.24L-.24-.36L0-.12L.24-.36L.36-.24L.12 0L.36 .24L.24 .36L0 .12L-.24 .36L-.36 .24L-.12 0Z'/>",
    ),
    glyph(&["plus"], "<path d='M-.1-.36H.1V-.1H.36V.1H.1V.36H-.1V.1H-.36V-.1H-.1Z'/>"),
    glyph(
        &["square", "tile", "town", "castle", "barn", "knotsquare"],
        "<rect x='-.33' y='-.33' width='.66' height='.66' rx='.05'/>",
    ),
    glyph(&["rectangle", "brick"], "<rect x='-.4' y='-.22' width='.8' height='.44' rx='.04'/>"),
    glyph(
        &["triangle", "tent", "mountain", "knottriangle"],
        "<path d='M0-.38L.38 .3H-.38Z' stroke-linejoin='round'/>",
    ),
    glyph(&["diamond", "lozenge"], "<path d='M0-.42L.36 0L0 .42L-.36 0Z'/>"),
    glyph(&["pentagon"], "<path d='M0-.4L.38-.12L.24 .34H-.24L-.38-.12Z'/>"),
    glyph(&["hex", "hexagon"], "<path d='M-.2-.35H.2L.4 0L.2 .35H-.2L-.4 0Z'/>"),
    glyph(&["octagon"], "<path d='M-.16-.38H.16L.38-.16V.16L.16 .38H-.16L-.38 .16V-.16Z'/>"),
    glyph(
        &["star", "sun", "flower"],
        "<path d='M0-.42L.1-.13L.4-.13L.16 .05L.25 .35L0 .17L-.25 .35L-.16 .05L-.4-.13L-.1-.13Z'/>",
    ),
    glyph(&["heart"], "<path d='M0 .36C-.6-.06-.3-.46 0-.18C.3-.46 .6-.06 0 .36Z'/>"),
    glyph(&["arrow", "pointer"], "<path d='M0-.42L.28-.06H.1V.4H-.1V-.06H-.28Z'/>"),
    glyph(
        &["stick", "line", "stroke", "edge", "path"],
        "<rect x='-.4' y='-.07' width='.8' height='.14' rx='.06'/>",
    ),
    glyph(&["wall", "block", "barrier"], "<rect x='-.46' y='-.46' width='.92' height='.92'/>"),
    glyph(&["card"], "<rect x='-.26' y='-.38' width='.52' height='.76' rx='.06'/>"),
    glyph(
        &["paper"],
        "<path d='M-.28-.4H.12L.28-.24V.4H-.28ZM.12-.4V-.24H.28M-.16-.08H.16M-.16 .08H.16M-.16 .24H.08' stroke-linejoin='round'/>",
    ),
    glyph(
        &["rock"],
        "<path d='M-.4 .22L-.32-.1L-.1-.32L.16-.28L.36-.04L.4 .22L.2 .36H-.22ZM-.1-.32L-.02-.06L-.32-.1M-.02-.06L.2 .36M-.02-.06L.36-.04' stroke-linejoin='round'/>",
    ),
    glyph(
        &["coin"],
        "<circle r='.36'/><circle r='.28' fill='none'/><path d='M0-.16V.16M-.1-.08H.1M-.1 .08H.1' fill='none'/>",
    ),
    glyph(
        &["flag", "2flags", "3flags"],
        "<path d='M-.2-.4H-.12V.4H-.2ZM-.12-.38L.3-.22L-.12-.04Z'/>",
    ),
    glyph(
        &["waves", "water"],
        "<path d='M-.4-.1q.1-.14 .2 0t.2 0t.2 0t.2 0M-.4 .12q.1-.14 .2 0t.2 0t.2 0t.2 0' fill='none'/>",
    ),
    glyph(&["pyramid"], "<path d='M0-.4L.4 .32H-.4ZM0-.4L.1 .32' stroke-linejoin='round'/>"),
    glyph(&["cube"], "<path d='M0-.4L.36-.2V.2L0 .4L-.36 .2V-.2ZM0 0V.4M0 0L.36-.2M0 0L-.36-.2'/>"),
    // Draughtsmen.
    glyph(
        &["man", "checker", "counter", "token", "urpiece"],
        "<circle r='.37'/><circle r='.25' fill='none'/>",
    ),
    glyph(
        &["double", "doublecounter", "crowned", "dame"],
        "<circle r='.37'/><circle r='.29' fill='none'/><path d='M-.18 .12L-.2-.12L-.08-.01L0-.17L.08-.01L.2-.12L.18 .12Z'/>",
    ),
    // Chessmen.
    glyph(
        &["pawn", "soldier", "thrall", "hoplite", "human", "2human_knee", "peasant", "wrestler"],
        on_foot!(
            "M0-.36a.13.13 0 0 1 .08 .23c.06 .14 .1 .2 .14 .32H-.22c.04-.12 .08-.18 .14-.32A.13.13 0 0 1 0-.36Z"
        ),
    ),
    glyph(
        &["rook", "chariot", "tower", "fort"],
        on_foot!(
            "M-.27-.37H-.15V-.29H-.06V-.37H.06V-.29H.15V-.37H.27V-.17L.18-.1L.2 .2H-.2L-.18-.1L-.27-.17Z"
        ),
    ),
    glyph(
        &["knight", "horse", "cavalry"],
        on_foot!(
            "M-.2 .2C-.2 .02 .02-.02 0-.12L-.14-.04L-.26-.1L-.12-.3L-.08-.38L0-.31C.2-.28 .26-.06 .24 .2Z"
        ),
    ),
    glyph(
        &["bishop", "alfil", "priest"],
        on_foot!(
            "M0-.4a.05.05 0 0 1 .03 .09C.16-.22 .19-.1 .13 .02L.17 .2H-.17L-.13 .02C-.19-.1-.16-.22-.03-.31A.05.05 0 0 1 0-.4Z"
        ),
    ),
    glyph(
        &["queen", "amazon"],
        on_foot!("M-.36-.26L-.18-.06L-.12-.36L0-.08L.12-.36L.18-.06L.36-.26L.22 .2H-.22Z"),
    ),
    glyph(&["ferz", "vizier", "counsellor"], on_foot!("M-.2-.3L0-.12L.2-.3L.16 .2H-.16Z")),
    glyph(
        &["king", "jarl", "osho", "emperor", "shah"],
        on_foot!(
            "M-.03-.42H.03V-.35H.1V-.29H.03V-.22C.2-.3 .38-.2 .3-.02L.2 .2H-.2L-.3-.02C-.38-.2-.2-.3-.03-.22V-.29H-.1V-.35H-.03Z"
        ),
    ),
    glyph(&["prince"], on_foot!("M0-.4L.1-.24L.26-.3L.2 .2H-.2L-.26-.3L-.1-.24Z")),
    glyph(&["commoner", "guard"], on_foot!("M-.18-.34H.18V-.1L.12 .2H-.12L-.18-.1Z")),
    glyph(
        &["elephant"],
        on_foot!(
            "M-.3-.1C-.3-.36 .3-.4 .3-.06L.28 .2H.1V.04H-.02V.2H-.2V.02C-.24 .12-.26 .16-.36 .14C-.3 .08-.3 .02-.3-.1Z"
        ),
    ),
    glyph(
        &["camel"],
        on_foot!(
            "M-.3 .2L-.26-.1C-.2-.3-.08-.26-.04-.08C.02-.3 .14-.28 .16-.06L.22-.34L.36-.32L.28 .2Z"
        ),
    ),
    // Animals of hunt games: heads.
    glyph(
        &["tiger", "leopard", "lion", "cat", "panther", "bear"],
        "<path d='M-.34-.36L-.14-.28H.14L.34-.36L.32 0C.3 .22 .14 .36 0 .36S-.3 .22-.32 0Z'/><path d='M-.14-.04v.06M.14-.04v.06M-.06 .16h.12M0 .16v.06M-.26 .1h.1M.16 .1h.1' fill='none'/>",
    ),
    glyph(
        &["dog", "hound", "wolf", "fox", "hyena", "jackal"],
        "<path d='M-.3-.4L-.12-.22H.12L.3-.4L.28-.04L.1 .34H-.1L-.28-.04Z' stroke-linejoin='round'/><path d='M-.12-.06v.05M.12-.06v.05M-.05 .24h.1' fill='none'/>",
    ),
    glyph(
        &["hare", "rabbit"],
        "<path d='M-.2-.42C-.1-.42-.06-.2-.06-.1H.06C.06-.2 .1-.42 .2-.42S.22-.1 .16-.04C.36 .2 .2 .38 0 .38S-.36 .2-.16-.04C-.22-.1-.3-.42-.2-.42Z'/>",
    ),
    glyph(
        &["goat", "sheep", "cow", "bull", "calf", "ox", "deer"],
        "<path d='M-.4-.34C-.24-.36-.16-.3-.14-.22H.14C.16-.3 .24-.36 .4-.34C.34-.14 .26-.1 .2-.08L.12 .36H-.12L-.2-.08C-.26-.1-.34-.14-.4-.34Z' stroke-linejoin='round'/>",
    ),
    glyph(
        &["bird", "chick", "duck", "goose", "phoenix"],
        "<path d='M-.36 .02C-.2 .1-.1-.06-.06-.2C0-.4 .24-.34 .24-.2L.4-.14L.24-.08C.26 .2 .1 .34-.1 .34C-.26 .34-.36 .2-.36 .02Z'/>",
    ),
    glyph(
        &["fish", "whale", "shark"],
        "<path d='M-.4-.16L-.24 0L-.4 .18C-.3 .2-.24 .14-.18 .08C0 .3 .34 .2 .42 0C.34-.2 0-.3-.18-.08C-.24-.14-.3-.18-.4-.16Z'/>",
    ),
    glyph(
        &["ship", "boat"],
        "<path d='M-.4 .08H.4L.28 .34H-.28ZM-.04-.4H.04V.08H-.04ZM.04-.36L.3-.02H.04Z'/>",
    ),
    glyph(
        &["scissors"],
        "<path d='M-.3-.4L.14 .14M.3-.4L-.14 .14' fill='none' stroke-width='.09'/><circle cx='-.2' cy='.24' r='.13'/><circle cx='.2' cy='.24' r='.13'/>",
    ),
    // Draw-and-mark kinds of discs.
    glyph(&["salta", "dux", "vagi"], marked_disc!("M-.2 0H.2M0-.2V.2")),
    glyph(
        &["bomb", "mine"],
        "<circle r='.3' cy='.06'/><path d='M.16-.2L.28-.36M.2-.4L.36-.3' fill='none'/>",
    ),
];

/// Shogi pieces and others of Asian chess by the beginning of their names, drawn as a pentagon with letters.
const PENTAGON: &[&str] = &[
    "fuhyo",
    "ginsho",
    "kinsho",
    "keima",
    "kyosha",
    "kakugyo",
    "hisha",
    "ryuo",
    "ryuma",
    "tokin",
    "gold",
    "silver",
    "copper",
    "iron",
    "lance",
    "dragon",
    "free",
    "flying",
    "drunken",
    "blind",
    "ferocious",
    "reverse",
    "side",
    "vertical",
    "kirin",
    "horned",
    "soaring",
    "great",
    "white",
    "violent",
    "water",
    "rams",
    "prancing",
    "wood",
    "vice",
    "western",
    "teaching",
    "wizard",
    "turtle",
    "vermillion",
    "promoted",
];

/// The pieces of Xiangqi and its relatives, drawn as a disc with a rim and letters.
const RIMMED: &[&str] = &[
    "jiang", "shi", "xiang", "ma", "ju", "pao", "zu", "bing", "shuai", "general", "cannon",
    "advisor", "tank",
];

/// A shape by its name; `None` if there is none of this name.
pub(crate) fn shape(name: &str) -> Option<&'static str> {
    GLYPHS.iter().find(|glyph| glyph.names.contains(&name)).map(|glyph| glyph.svg)
}

/// The shape below the letters of a piece without a shape of its own.
pub(crate) fn frame_of_letters(name: &str) -> &'static str {
    if name == "playing-card" {
        "<rect x='-.32' y='-.45' width='.64' height='.9' rx='.08'/>"
    } else if PENTAGON.iter().any(|word| name.starts_with(word)) {
        "<path d='M0-.44L.26-.3L.36 .4H-.36L-.26-.3Z' stroke-linejoin='round'/>"
    } else if RIMMED.contains(&name) {
        "<circle r='.4'/><circle r='.33' fill='none'/>"
    } else {
        "<circle r='.38'/>"
    }
}

/// Letters on a shape.
pub(crate) fn lettered(out: &mut String, name: &str, letters: &str, ink: &str) {
    let size = if letters.chars().count() > 1 { 0.3 } else { 0.42 };
    let _ = write!(
        out,
        "{}<text y='{:.2}' font-size='{size}' fill='{ink}' stroke='none'>{}</text>",
        frame_of_letters(name),
        size * 0.36,
        escape(letters)
    );
}

/// A die; more than six pips are written as a number, and 0 is a die that was not thrown or is used up.
pub(crate) fn die(out: &mut String, pips: u32, (x, y): (f32, f32)) {
    let fill = if pips == 0 { "#e4ded0" } else { "#ffffff" };
    let _ = write!(
        out,
        "<g transform='translate({x:.2} {y:.2})'><title>die: {pips}</title>\
         <rect x='-.34' y='-.34' width='.68' height='.68' rx='.1' fill='{fill}' stroke='#26282c' stroke-width='.03'/>"
    );
    let spots: &[(f32, f32)] = match pips {
        1 => &[(0.0, 0.0)],
        2 => &[(-0.18, -0.18), (0.18, 0.18)],
        3 => &[(-0.18, -0.18), (0.0, 0.0), (0.18, 0.18)],
        4 => &[(-0.18, -0.18), (0.18, 0.18), (-0.18, 0.18), (0.18, -0.18)],
        5 => &[(-0.18, -0.18), (0.18, 0.18), (-0.18, 0.18), (0.18, -0.18), (0.0, 0.0)],
        6 => &[(-0.18, -0.2), (0.18, 0.2), (-0.18, 0.2), (0.18, -0.2), (-0.18, 0.0), (0.18, 0.0)],
        _ => &[],
    };
    for (dx, dy) in spots {
        let _ = write!(out, "<circle cx='{dx}' cy='{dy}' r='.07' fill='#26282c'/>");
    }
    if pips > 6 {
        let _ = write!(out, "<text y='.13' font-size='.36' fill='#26282c'>{pips}</text>");
    }
    out.push_str("</g>");
}

/// A text with the characters that XML keeps for itself replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_shape_and_a_shape_stays_in_its_box() {
        let mut seen = std::collections::HashSet::new();
        for glyph in GLYPHS {
            for name in glyph.names {
                assert!(seen.insert(name), "{name} has two shapes");
            }
            let numbers = glyph.svg.split(|c: char| !"0123456789.".contains(c));
            for number in numbers.filter_map(|n| n.parse::<f32>().ok()) {
                assert!(number <= 1.0, "{:?}: {number} lies outside the box", glyph.names);
            }
        }
        assert!(GLYPHS.len() >= 40, "{}", GLYPHS.len());
    }

    #[test]
    fn text_cannot_break_out_of_a_picture() {
        let mut out = String::new();
        lettered(&mut out, "disc", "</text><script>", "#000000");
        assert!(!out.contains("<script>"), "{out}");
    }
}
