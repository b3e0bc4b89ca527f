//! Figures 3, 4, 5 and 7 under other rules: the paper's sheets are lost, and its words leave sizes, lengths and percepts
//! open. Every variant that our sheets have as options is measured, all in one table with their distances from the
//! published values.
//!
//! The distance of a variant is the mean of its parts, each between 0 and 1:
//!
//! - figures 4 and 5: the mean absolute difference of the three quartiles, over all histories of the set or over the
//!   footprints in the bag, whichever is nearer (the paper's text allows both);
//! - figure 3: the share of steps above 100 %; in Blind Breakthrough the long-run cost, in decades from 2.2 %, two or more
//!   counting as 1;
//! - figure 7 (Blind Breakthrough): P(valid) in rounds 16 and 17, in decades, two or more counting as 1.

use super::bias::{END, Limit, MIDDLE, Row, limits, measure, text, worst};
use super::{BASKET, Entry, Setup, case, cost};
use crate::claim::Claim;
use crate::{Options, Result, Verdict};
use ludex_core::Player;
use std::fmt::Write;

/// The options of a sheet that are combined, each with its values; the first values are the sheet as it stands.
type Grid = &'static [(&'static str, &'static [&'static str])];

/// The name of the option that is no rule: does HyperPlay compare lists of legal moves, or percepts alone (equation 3)?
const LISTS: &str = "lists";

/// The cheapest games first.
const GRIDS: [(&str, Grid); 6] = [
    (
        "mastermind-small",
        &[
            ("pegs", &["2", "3"]),
            ("colours", &["3", "2", "4"]),
            ("hide", &["pegs", "once"]),
            ("guesses", &["3", "5"]),
            ("told", &["both", "black"]),
        ],
    ),
    (
        "transit",
        &[
            ("draws", &["2", "3", "10"]),
            ("adjacent", &["eight", "four"]),
            ("stay", &["yes", "no"]),
            ("caught", &["told", "untold"]),
        ],
    ),
    (
        "krieg-tictactoe",
        &[
            ("why", &["untold", "told"]),
            ("closed", &["until", "always", "never"]),
            ("clash", &["neither", "burnt"]),
        ],
    ),
    (
        "hidden-connect",
        &[
            ("board", &["5x4", "4x4", "6x5"]),
            ("connect", &["3", "4"]),
            ("landed", &["told", "untold"]),
            ("full", &["refused", "illegal"]),
        ],
    ),
    (
        "battleships-in-fog",
        &[("size", &["4", "3"]), ("turns", &["10", "12"]), ("sail", &["eight", "four"])],
    ),
    (
        "blind-breakthrough5",
        &[
            ("targets", &["told", "untold"]),
            ("captured", &["both", "victim", "fact"]),
            ("blocked", &["shown", "refused"]),
            ("diagonal", &["free", "capture"]),
            (LISTS, &["yes", "no"]),
        ],
    ),
];

/// The cap of a model in variants. Some variants have sets that backtracking searches for minutes; the published cap of 100,000
/// states would make this experiment last for hours.
const VARIANT_CAP: u64 = 2_000;
/// The models of a bag in variants of figures 4 and 5: a third of the usual number, so sets of up to 40 histories are tested.
const VARIANT_MODELS: usize = 200;

/// The published long-run cost of Blind Breakthrough, and P(valid) in rounds 16 and 17 of the case study.
const LONG_RUN: f64 = 0.022;
const VALID: [(usize, f64); 2] = [(16, 0.0119), (17, 0.0073)];

/// A variant and what was measured of it.
struct Variant {
    /// The chosen values that differ from the sheet as it stands, as in a name: `draws=10,stay=no`; empty for none.
    choice: String,
    /// Figure 3: steps, the number of them above 100 % by each estimate, the long-run share.
    steps: usize,
    above: [usize; 3],
    tail: f64,
    /// Figures 4 and 5, over the set and over the footprints.
    middle: [Option<Row>; 2],
    end: [Option<Row>; 2],
    /// Figure 7: P(valid) in rounds 16 and 17 and the share of models on line in 16 and 32.
    case: Option<([f64; 2], [f64; 2])>,
    /// The parts of the distance by figure, and their mean; `None` where a figure does not say anything.
    parts: [Option<f64>; 4],
    distance: f64,
}

/// All combinations of the values of a grid.
fn combinations(grid: Grid) -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = vec![Vec::new()];
    for &(name, values) in grid {
        let longer = |made: Vec<(&'static str, &'static str)>| {
            values.iter().map(move |&value| {
                let mut made = made.clone();
                made.push((name, value));
                made
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Is a combination another name for one of the others?
fn repeats(sheet: &str, chosen: &[(&str, &str)]) -> bool {
    let is = |name: &str, value: &str| chosen.contains(&(name, value));
    match sheet {
        // Lists of legal moves that tell nothing may as well not be compared. Where every diagonal step is a capture,
        // the lists tell the targets.
        "blind-breakthrough5" => {
            let silent = is("blocked", "refused") && is("diagonal", "free");
            let targets = is("diagonal", "capture") && is("targets", "untold");
            silent && is(LISTS, "no") || targets && is(LISTS, "yes")
        }
        // Two colours on two pegs are four codes: one guess often decides.
        "mastermind-small" => is("pegs", "2") && is("colours", "2"),
        _ => false,
    }
}

/// The name of a variant of a sheet.
fn named(sheet: &str, chosen: &[(&str, &str)]) -> String {
    let rules = chosen.iter().filter(|(name, _)| *name != LISTS);
    let rules: Vec<String> = rules.map(|(name, value)| format!("{name}={value}")).collect();
    format!("{sheet}({})", rules.join(","))
}

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let mut table = String::from(HEAD);
    let mut csv = String::from(CSV_HEAD);
    for (sheet, grid) in GRIDS {
        if options.quick && sheet == "blind-breakthrough5" {
            let left_out =
                "Blind Breakthrough, whose variants take longer than all others together";
            tell(Claim::left_out("hyperplay-variants", left_out));
            continue;
        }
        let Some(at) = BASKET.iter().position(|entry| entry.sheet == sheet) else { continue };
        let (entry, paper) = (&BASKET[at], [MIDDLE[at], END[at]]);
        let mut found = Vec::new();
        for chosen in combinations(grid) {
            if !repeats(sheet, &chosen) {
                found.push(one(options, entry, grid, &chosen, paper)?);
            }
        }
        judge(entry, paper, &found, tell);
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        found.iter().for_each(|variant| variant.rows(entry, &mut table, &mut csv));
        // After each game, so that a run that is cut short leaves what it has.
        crate::write(&options.out, "hyperplay-variants.md", table.as_bytes())?;
        crate::write(&options.out, "hyperplay-variants.csv", csv.as_bytes())?;
    }
    Ok(())
}

/// Measures one variant.
fn one(
    options: &Options<'_>,
    entry: &Entry,
    grid: Grid,
    chosen: &[(&'static str, &'static str)],
    paper: [Row; 2],
) -> Result<Variant> {
    let lists = !chosen.contains(&(LISTS, "no"));
    let setup = |title, sheet: &str, matches| -> Result<Setup> {
        let game = ludex_library::open(&named(sheet, chosen))?;
        // All variants of a sheet get the same random numbers.
        let name = sheet.to_owned();
        Ok(Setup {
            title,
            name,
            game,
            seat: Player(entry.seat),
            matches,
            lists,
            cap: VARIANT_CAP,
            models: VARIANT_MODELS,
        })
    };
    let usual = setup(entry.title, entry.sheet, options.matches(6, 40))?;
    let steps = cost::curve(options, &usual)?;
    let above = [0, 1, 2].map(|way| steps.iter().filter(|step| step.above()[way]).count());
    let [middle, end] = measure(options, &usual)?;
    let rows = |part: &super::bias::Part| {
        [worst(&part.plain).map(|(_, row)| row), worst(&part.logged).map(|(_, row)| row)]
    };
    let blind = entry.sheet == "blind-breakthrough5";
    // With diagonal captures only, white has 8 first moves; the case study had 22.
    let case = if blind && chosen.contains(&("diagonal", "free")) {
        let games = (options.matches(6, 40) / 6).max(1);
        let (valid, online) = case::published(options, &setup(case::TITLE, case::SHEET, games)?)?;
        let get = |list: &[f64], n: usize| list.get(n).copied().unwrap_or(0.0);
        Some((VALID.map(|(round, _)| get(&valid, round)), [get(&online, 15), get(&online, 31)]))
    } else {
        None
    };
    let differing = chosen.iter().filter(|(name, value)| {
        !grid.iter().any(|(known, values)| known == name && values.first() == Some(value))
    });
    let choice: Vec<String> = differing.map(|(name, value)| format!("{name}={value}")).collect();
    let mut variant = Variant {
        choice: choice.join(","),
        steps: steps.len(),
        above,
        tail: cost::tail(&steps),
        middle: rows(&middle),
        end: rows(&end),
        case,
        parts: [None; 4],
        distance: 0.0,
    };
    variant.compare(blind, paper);
    Ok(variant)
}

/// The distance of two numbers in decades, two decades or more as 1.
fn decades(ours: f64, published: f64) -> f64 {
    ((ours.max(1e-12) / published).log10().abs() / 2.0).min(1.0)
}

/// The mean absolute difference of quartiles, for the nearer of two readings.
fn apart(readings: [Option<Row>; 2], paper: Row) -> Option<f64> {
    let gap = |row: Row| row.iter().zip(paper).map(|(a, b)| (a - b).abs()).sum::<f64>() / 3.0;
    readings.into_iter().flatten().map(gap).reduce(f64::min)
}

impl Variant {
    fn compare(&mut self, blind: bool, paper: [Row; 2]) {
        let cost = match blind {
            true => decades(self.tail, LONG_RUN),
            false => self.above[0] as f64 / self.steps.max(1) as f64,
        };
        let case = self.case.map(|(valid, _)| {
            let gaps = valid.iter().zip(VALID).map(|(&p, (_, paper))| decades(p, paper));
            gaps.sum::<f64>() / VALID.len() as f64
        });
        // A variant that can't be the case study's is as far from figure 7 as can be.
        let case = case.or(blind.then_some(1.0));
        self.parts = [Some(cost), apart(self.middle, paper[0]), apart(self.end, paper[1]), case];
        let parts: Vec<f64> = self.parts.into_iter().flatten().collect();
        self.distance = parts.iter().sum::<f64>() / parts.len().max(1) as f64;
    }

    /// The choice, or that there is none.
    fn label(&self) -> &str {
        if self.choice.is_empty() { "as it stands" } else { &self.choice }
    }

    /// The criteria of figures 3, 4, 5 and 7 that this variant meets.
    fn meets(&self, entry: &Entry) -> Vec<(String, bool)> {
        let mut met = Vec::new();
        let blind = entry.sheet == "blind-breakthrough5";
        let wanted = usize::from(blind);
        let words = if blind { "exactly one step" } else { "no step" };
        let ways = ["match by match", "by the paper's estimate", "with n/2/P"];
        for (way, &above) in ways.iter().zip(&self.above) {
            met.push((format!("figure 3: {words} above 100 %, {way}"), above == wanted));
        }
        if blind {
            let within = (0.01..=0.05).contains(&self.tail);
            met.push(("figure 3: the long-run cost is between 1 and 5 %".into(), within));
        }
        for (figure, readings) in [(4, self.middle), (5, self.end)] {
            for (_, limit) in limits(figure, entry.sheet) {
                for (reading, row) in ["over the set", "over the footprints"].iter().zip(readings) {
                    let holds = row.is_some_and(|row: Row| Limit::holds(limit, row[1]));
                    met.push((format!("figure {figure}: {limit}, {reading}"), holds));
                }
            }
        }
        if blind {
            for (i, (round, paper)) in VALID.into_iter().enumerate() {
                let ours = self.case.map_or(0.0, |(valid, _)| valid[i]);
                let holds = (paper / 3.0..=paper * 3.0).contains(&ours);
                met.push((
                    format!("figure 7: P(valid) of round {round} within a factor of 3"),
                    holds,
                ));
            }
        }
        met
    }

    /// Adds a row to both tables.
    fn rows(&self, entry: &Entry, table: &mut String, csv: &mut String) {
        let row = |row: Option<Row>| row.map_or_else(|| "too large".into(), text);
        let part = |part: Option<f64>| part.map(|d| format!("{d:.3}")).unwrap_or_default();
        let case = self.case.map_or_else(String::new, |(valid, online)| {
            format!(
                "{:.2} %, {:.2} %; {:.0} %, {:.0} %",
                100.0 * valid[0],
                100.0 * valid[1],
                100.0 * online[0],
                100.0 * online[1]
            )
        });
        let [by_match, published, halved] = self.above;
        let tail = 100.0 * self.tail;
        let (m, e) = (self.middle.map(row), self.end.map(row));
        // Writing to a string can't fail.
        let _ = writeln!(
            table,
            "| {} | {} | **{:.3}** | {tail:.2} % | {by_match}, {published}, {halved} of {} | {} | {} | {} | {} | {case} |",
            entry.title,
            self.label(),
            self.distance,
            self.steps,
            m[0],
            m[1],
            e[0],
            e[1],
        );
        let parts = self.parts.map(part).join(",");
        let rows = [&m[0], &m[1], &e[0], &e[1]]
            .map(|row| row.replace(" / ", ","))
            .map(|row| if row.contains(',') { row } else { ",,".into() });
        let _ = writeln!(
            csv,
            "{},\"{}\",{:.4},{parts},{:.6},{by_match},{published},{halved},{},{},{},{},{}",
            entry.sheet,
            self.choice,
            self.distance,
            self.tail,
            self.steps,
            rows[0],
            rows[1],
            rows[2],
            rows[3]
        );
    }
}

const HEAD: &str = "| game | variant | distance | long run | above 100 % (by match, paper's estimate, n/2/P) | figure 4, set | figure 4, footprints | figure 5, set | figure 5, footprints | figure 7: P(16), P(17); on line 16, 32 |\n|---|---|---|---|---|---|---|---|---|---|\n";
const CSV_HEAD: &str = "sheet,variant,distance,fig3,fig4,fig5,fig7,tail,above_by_match,above_published,above_halved,\
steps,mid_q1,mid_median,mid_q3,mid_log_q1,mid_log_median,mid_log_q3,end_q1,end_median,end_q3,end_log_q1,end_log_median,end_log_q3\n";

/// The claims about a game: its distance as it stands and at best, and which criteria any variant meets.
fn judge(entry: &Entry, paper: [Row; 2], found: &[Variant], tell: &mut dyn FnMut(Claim)) {
    let Some(first) = found.first() else { return };
    let Some(best) = found.iter().min_by(|a, b| a.distance.total_cmp(&b.distance)) else { return };
    let id = |what: &str| format!("hyperplay-variants.{}.{what}", entry.sheet);
    let published = format!("figure 4 {}, figure 5 {}", text(paper[0]), text(paper[1]));
    for (what, variant) in [("stands", first), ("closest", best)] {
        let shown = |readings: [Option<Row>; 2]| {
            readings.map(|row| row.map_or_else(|| "too large".into(), text)).join(" or ")
        };
        tell(
            Claim::new(
                id(what),
                format!("{}: {}", entry.title, variant.label()),
                format!(
                    "distance {:.3}; figure 4 {}; figure 5 {}",
                    variant.distance,
                    shown(variant.middle),
                    shown(variant.end)
                ),
            )
            .paper(published.clone(), "figures 4 and 5")
            .note(format!(
                "{what}; over the set or over the footprints in the bag; the nearest of {} variants by the mean \
                 distance over the figures",
                found.len()
            )),
        );
    }
    let lines: Vec<Vec<(String, bool)>> = found.iter().map(|v| v.meets(entry)).collect();
    for (at, (criterion, stands)) in lines.first().into_iter().flatten().enumerate() {
        let met: Vec<&Variant> = found
            .iter()
            .zip(&lines)
            .filter(|(_, line)| line.get(at).is_some_and(|(_, holds)| *holds))
            .map(|(variant, _)| variant)
            .collect();
        let nearest = met.iter().min_by(|a, b| a.distance.total_cmp(&b.distance));
        let nearest = nearest.map_or_else(String::new, |v| format!("; nearest: {}", v.label()));
        tell(
            Claim::new(
                id(&format!("line-{}", at + 1)),
                format!("{}: {criterion}", entry.title),
                format!("{} of {} variants{nearest}", met.len(), found.len()),
            )
            .goal("at least one variant")
            .judged("the goal", Verdict::of(!met.is_empty()))
            .note(if *stands {
                "met by the sheet as it stands"
            } else {
                "not met as it stands"
            }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_a_game_and_the_first_is_the_sheet_as_it_stands() {
        for (sheet, grid) in GRIDS {
            let all = combinations(grid);
            assert_eq!(all.len(), grid.iter().map(|(_, values)| values.len()).product::<usize>());
            let source = ludex_library::find_kif(sheet).unwrap();
            for option in ludex_library::sheet_options(&source.text) {
                let known = grid.iter().find(|(name, _)| *name == option.name);
                let (_, values) = known.unwrap_or_else(|| panic!("{sheet}: {}", option.name));
                assert_eq!(values.first(), option.values.first().map(String::as_str).as_ref());
                assert!(values.iter().all(|value| option.values.iter().any(|v| v == value)));
            }
            let last = all.last().unwrap();
            assert!(ludex_library::open(&named(sheet, last)).is_ok(), "{sheet}");
        }
    }

    #[test]
    fn distances_are_parts_between_0_and_1() {
        assert_eq!(decades(0.022, 0.022), 0.0);
        assert!((decades(0.22, 0.022) - 0.5).abs() < 1e-9);
        assert_eq!(decades(0.0, 0.022), 1.0);
        let near = apart([None, Some([0.1, 0.2, 0.3])], [0.1, 0.2, 0.6]).unwrap();
        assert!((near - 0.1).abs() < 1e-9);
        assert_eq!(apart([None, None], [0.0; 3]), None);
    }
}
