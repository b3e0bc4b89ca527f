//! Tables 1 and 2, and our best player.

use super::players::{Entrant, NAMES, entrant, entrants, median, meet};
use crate::claim::Rate;
use crate::{Claim, Options, Result, Verdict};

/// Two instances of each player.
const PAIRS: [bool; 4] = [true, true, false, false];
/// One player against three instances of the other.
const ALONE: [bool; 4] = [true, false, false, false];

/// The number of games per cell in the paper.
const PAPER: u64 = 2500;

/// Table 1 in percent; rows and columns are in the order of [`NAMES`].
const TABLE1: [[f64; 7]; 7] = [
    [50.4, 15.2, 17.1, 15.6, 20.1, 7.8, 7.1],
    [84.8, 49.7, 50.3, 44.0, 54.3, 30.8, 33.4],
    [82.9, 49.7, 49.6, 45.7, 47.0, 26.7, 28.0],
    [84.4, 56.0, 54.3, 51.0, 56.2, 33.4, 34.1],
    [79.9, 45.7, 53.0, 43.8, 50.8, 33.2, 26.8],
    [92.2, 69.2, 73.3, 66.6, 66.8, 50.4, 45.8],
    [92.9, 66.6, 72.0, 65.9, 73.2, 54.2, 50.3],
];

/// Table 2 in percent: against `random` and `smart`.
const TABLE2: [[f64; 2]; 7] = [
    [24.8, 6.3],
    [62.9, 25.2],
    [61.1, 23.8],
    [66.3, 27.0],
    [56.6, 21.4],
    [78.2, 44.0],
    [77.4, 41.4],
];

/// The mark of the paper (section 4): a star where two one-sided tests at 5 % find no difference from `even`.
fn mark(rate: Rate, even: f64) -> &'static str {
    let p = rate.share();
    let s = (p * (1.0 - p) / rate.of.max(1) as f64).sqrt().max(1e-9);
    if ((p - even) / s).abs() < 1.645 { "*" } else { "" }
}

fn games(options: &Options<'_>) -> u64 {
    if options.quick { 2_000 } else { 10_000 }
}

/// Table 1: two instances of each player.
pub(crate) fn table1(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let all = entrants(options)?;
    for (row, ours) in all.iter().enumerate() {
        for (column, theirs) in all.iter().enumerate() {
            let rates = meet(options, ours, theirs, &PAIRS, games(options))?;
            let id = format!("ludo-table1.{}-v-{}", ours.name, theirs.name);
            let claim = format!("2:2 {} v {}", ours.name, theirs.name);
            let percent = TABLE1[row][column];
            tell(cell(id, claim, &rates, percent, "table 1", [ours.name, theirs.name], options));
            if (ours.name, theirs.name) == ("full", "smart") {
                let id = "ludo-table1.full-smart-floor";
                tell(floor(id, "full", "2:2 full v smart, evolved anew", &rates, 63.0, options));
            }
        }
    }
    Ok(())
}

/// Table 2: one player against three.
pub(crate) fn table2(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let all = entrants(options)?;
    for (row, ours) in all.iter().enumerate() {
        for (column, theirs) in all.iter().take(2).enumerate() {
            let rates = meet(options, ours, theirs, &ALONE, games(options))?;
            let id = format!("ludo-table2.{}-v-{}", ours.name, theirs.name);
            let claim = format!("1:3 {} v {}", ours.name, theirs.name);
            let percent = TABLE2[row][column];
            tell(cell(id, claim, &rates, percent, "table 2", [ours.name, theirs.name], options));
            let least = match (ours.name, theirs.name) {
                ("simple", "random") => 53.0,
                ("advanced", "random") => 72.0,
                ("full", "random") => 74.0,
                _ => continue,
            };
            let id = format!("ludo-table2.{}-floor", ours.name);
            let claim = format!("1:3 {} v random, evolved anew", ours.name);
            tell(floor(&id, ours.name, &claim, &rates, least, options));
        }
    }
    Ok(())
}

/// The note on the full player of a quick run, which evolves for a small part of the paper's games and is not judged.
const WEAK: &str =
    "not judged: a quick run evolves the full player by 15,000 games instead of 480,000";

/// A published cell beside ours: the median of the seeds.
fn cell(
    id: String,
    claim: String,
    rates: &[Rate],
    percent: f64,
    table: &str,
    names: [&str; 2],
    options: &Options<'_>,
) -> Claim {
    let ours = median(rates);
    let claim = ours
        .line(id, claim)
        .paper(format!("{percent:.1} %"), &format!("{table}, {PAPER} games"))
        .note(seeds(rates))
        .note(marked(ours, percent, table));
    if options.quick && names.contains(&"full") {
        return claim.note(WEAK);
    }
    let criterion = "within three standard errors of the difference from the paper's cell; beaten: above it, \
                     for an evolved player against one that is not evolved; else falls short";
    claim.judged(criterion, agreement(ours, percent, names))
}

/// Whether ours and the paper's cell differ from even by the paper's test, at our number of games and at its own.
fn marked(ours: Rate, percent: f64, table: &str) -> String {
    let even = if table == "table 1" { 0.5 } else { 0.25 };
    let paper = Rate { hits: (percent / 100.0 * PAPER as f64).round() as u64, of: PAPER };
    let word = |rate| if mark(rate, even) == "*" { "no difference" } else { "a difference" };
    format!("from even (5 %, one-sided): ours {}, the paper's {}", word(ours), word(paper))
}

/// The verdict on a cell. More wins count as better only for a player that the paper evolves, and only against an
/// opponent that was not evolved: an evolved opponent of ours may just be weak.
fn agreement(ours: Rate, percent: f64, [player, opponent]: [&str; 2]) -> Verdict {
    let evolved = |name: &str| !["random", "smart"].contains(&name);
    let (p, q) = (ours.share(), percent / 100.0);
    let error = |p: f64, n: u64| p * (1.0 - p) / n.max(1) as f64;
    let sigmas = (p - q) / (error(p, ours.of) + error(q, PAPER)).sqrt().max(1e-9);
    match sigmas {
        -3.0..=3.0 => Verdict::Holds,
        3.0.. if evolved(player) && !evolved(opponent) => Verdict::Beaten,
        _ => Verdict::FallsShort,
    }
}

/// The least win rate of an evolved player, by the median of its seeds.
fn floor(
    id: &str,
    player: &str,
    claim: &str,
    rates: &[Rate],
    least: f64,
    options: &Options<'_>,
) -> Claim {
    let ours = median(rates);
    let claim = ours.line(id, claim).goal(format!("at least {least:.0} %")).note(seeds(rates));
    if options.quick && player == "full" {
        return claim.note(WEAK);
    }
    claim.judged(
        "the median of the seeds is at least the goal",
        Verdict::of(ours.share() >= least / 100.0),
    )
}

fn seeds(rates: &[Rate]) -> String {
    if rates.len() < 2 {
        return String::new();
    }
    let shares: Vec<String> = rates.iter().map(|r| format!("{:.1}", 100.0 * r.share())).collect();
    format!("the median of {} seeds: {}", rates.len(), shares.join(", "))
}

/// Our best player against all others, 5,000 games each.
pub(crate) fn best(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let ours = entrant(options, "ludo")?;
    let games = if options.quick { 1_000 } else { 5_000 };
    for name in NAMES.into_iter().rev() {
        let theirs = entrant(options, name)?;
        for (teams, word, least) in [
            (
                PAIRS,
                "2:2",
                match name {
                    "advanced" | "full" => Some(57.0),
                    _ => None,
                },
            ),
            (ALONE, "1:3", (name == "random").then_some(80.0)),
        ] {
            tell(against(options, &ours, &theirs, &teams, word, games, least)?);
        }
    }
    Ok(())
}

fn against(
    options: &Options<'_>,
    ours: &Entrant,
    theirs: &Entrant,
    teams: &[bool; 4],
    word: &str,
    games: u64,
    least: Option<f64>,
) -> Result<Claim> {
    let rates = meet(options, ours, theirs, teams, games)?;
    // The worst rate of the seeds is the rate against the strongest opponent.
    let worst = rates.iter().copied().min_by_key(|rate| rate.hits).unwrap_or_default();
    let id = format!("ludo-best.{}-{}", if word == "2:2" { "pairs" } else { "alone" }, theirs.name);
    let mut note = seeds(&rates).replace("the median of", "the strongest of");
    if !note.is_empty() {
        note += " (ours is shown against the strongest)";
    }
    let claim = worst.line(id, format!("{word} ludo v {}", theirs.name)).note(note);
    let Some(least) = least else { return Ok(claim) };
    let claim = claim.goal(format!("at least {least:.0} %"));
    if options.quick && theirs.name == "full" {
        return Ok(claim.note(WEAK));
    }
    let reached = claim.interval.is_some_and(|[low, _]| low >= least / 100.0);
    Ok(claim.judged("the lower end of the interval is at least the goal", Verdict::of(reached)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weak_opponent_of_ours_beats_nothing() {
        let rate = |percent: f64| Rate { hits: (20.0 * percent) as u64, of: 2000 };
        // Against the full player of the paper `smart` wins 33.4 %. A full player of ours that loses 47.5 % is weak.
        assert_eq!(agreement(rate(47.5), 33.4, ["smart", "full"]), Verdict::FallsShort);
        assert_eq!(agreement(rate(80.0), 73.2, ["full", "simple"]), Verdict::FallsShort);
        assert_eq!(agreement(rate(75.0), 66.6, ["full", "smart"]), Verdict::Beaten);
        assert_eq!(agreement(rate(60.0), 66.6, ["full", "smart"]), Verdict::FallsShort);
        assert_eq!(agreement(rate(34.0), 33.4, ["smart", "full"]), Verdict::Holds);
    }
}
