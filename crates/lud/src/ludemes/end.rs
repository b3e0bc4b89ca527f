//! The end: `(if … (result …))`, `(forEach …)`, `(byScore …)`, `(result …)`.

use super::prelude::*;
use super::{Read, Reader, form, part};
use crate::engine::end::{EndRule, Outcome, Verdict};

pub(super) const FORMS: &[Form] = &[
    verdict(
        "byScore [{score}] [misere:boolean]",
        "The player with the highest score wins, or, misere, the lowest.",
        "(byScore)",
        by_score,
    ),
    verdict(
        "payoffs {payoff}",
        "The player with the highest payoff wins.",
        "(payoffs {(payoff P1 5.5) (payoff P2 1.5)})",
        payoffs,
    ),
    verdict(
        "result roleType resultType",
        "The players win, lose, or all draw.",
        "(result Mover Win)",
        result,
    ),
    part(
        "end",
        "end (endRule | {endRule})",
        "How the game ends.",
        "(end (if (is Full) (result Mover Draw)))",
    ),
    end_rule(
        "forEach ([roleType] | [Track]) If:boolean result",
        "The result for each `Player` for whom the condition holds.",
        "(forEach Player if:(no Pieces Player) (result Player Loss))",
        for_each,
    ),
    end_rule(
        "if boolean ([if] | [{if}]) [result]",
        "If the condition holds, the first rule inside that says something, else the result.",
        "(if (is Line 3) (result Mover Win))",
        |args| {
            let condition = args.bool("boolean")?;
            Ok(EndRule::If(condition, args.end_rules()?, args.verdict()?))
        },
    ),
    part("payoff", "payoff roleType float", "What a player gains.", "(payoff P1 5.5)"),
    part(
        "score",
        "score roleType int",
        "The score of a player at the end.",
        "(score P1 (count Pieces P1))",
    ),
];

const fn verdict(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Verdict>,
) -> Form {
    form("result", text, meaning, example, Read::Verdict(read))
}

const fn end_rule(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<EndRule>,
) -> Form {
    form("endRule", text, meaning, example, Read::End(read))
}

fn by_score(args: &mut Args<'_, '_, '_>) -> Result<Verdict> {
    let mut scores = Vec::new();
    for score in args.take("{score}").map_or(&[][..], Value::items) {
        let Value::Call(score) = score else { return Err(args.unsupported()) };
        scores.push(args.inner(score, |score| Ok((score.who(&["roleType"])?, score.int("int")?)))?);
    }
    Ok(Verdict::ByScore { scores, misere: args.flag("misere", false)? })
}

fn payoffs(args: &mut Args<'_, '_, '_>) -> Result<Verdict> {
    let mut list = Vec::new();
    for payoff in args.value("{payoff}")?.items() {
        let Value::Call(payoff) = payoff else { return Err(args.unsupported()) };
        list.push(args.inner(payoff, |one| Ok((one.who(&["roleType"])?, one.real("float")?)))?);
    }
    Ok(Verdict::Payoffs(list))
}

fn result(args: &mut Args<'_, '_, '_>) -> Result<Verdict> {
    let team =
        args.peek("roleType").and_then(Value::word).is_some_and(|role| role.starts_with("Team"));
    let who = args.who(&["roleType"])?;
    let outcome = match args.word("resultType") {
        Some("Win") => Outcome::Win,
        Some("Loss") => Outcome::Loss,
        // A game that is given up or that breaks off has no winner.
        Some("Draw" | "Tie" | "Abandon" | "Crash") => Outcome::Draw,
        _ => return Err(args.unsupported()),
    };
    Ok(match outcome {
        Outcome::Win | Outcome::Loss if team => Verdict::Team(who, outcome == Outcome::Win),
        _ => Verdict::Result(who, outcome),
    })
}

fn for_each(args: &mut Args<'_, '_, '_>) -> Result<EndRule> {
    if args.has_word("Track") {
        args.take_words();
        let condition = args.bool("if")?;
        let verdict = args.verdict()?.ok_or_else(|| args.unsupported())?;
        return Ok(EndRule::EachTrack(condition, verdict));
    }
    let who = match args.peek("roleType").and_then(Value::word) {
        None | Some("Player") => {
            args.take("roleType");
            args.lower.each_player()
        }
        Some(_) => args.who(&["roleType"])?,
    };
    let condition = args.bool("if")?;
    let verdict = args.verdict()?.ok_or_else(|| args.unsupported())?;
    Ok(EndRule::Each(who, condition, verdict))
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::played;

    #[test]
    fn results_rank_the_players() {
        let play = "(move Add (to (sites Empty)) (then (addScore Mover 1)))";
        let rank = |end: &str| played("", play, end, 1).rank;
        assert_eq!(rank("(if (is Occupied 0) (result Mover Loss))")[1..], [2.0, 1.0]);
        assert_eq!(rank("(if (is Occupied 0) (result P1 Draw))")[1..], [1.5, 1.5]);
        assert_eq!(rank("(if (is Occupied 0) (byScore))")[1..], [1.0, 2.0]);
        assert_eq!(rank("(if (is Occupied 0) (byScore misere:True))")[1..], [2.0, 1.0]);
    }
}
