//! A claim: a published number beside ours.

use ludex_stats::hypothesis::fisher;
use ludex_stats::{Interval, Z95, wilson};
use serde::{Deserialize, Serialize};

/// A number of ours, and the published numbers that it is compared with.
///
/// Each origin of a number has a field of its own, so that a goal of ours or a value read off a plot can't be taken for a
/// printed number. A verdict needs a criterion: only `judged` sets either.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The experiment and the claim, such as `mbm.nim-2-3-2`.
    pub id: String,
    /// The measured quantity, in words.
    pub claim: String,
    /// The number that the paper prints. The note says where.
    paper: Option<String>,
    /// The number in the authors' public files. The note names the file.
    record: Option<String>,
    /// The number read off a plot of the paper. The note says how.
    plot: Option<String>,
    /// The same number by another program of ours, from the same data.
    reference: Option<String>,
    /// A goal that we set ourselves.
    goal: Option<String>,
    /// Our number.
    pub ours: String,
    /// The 95 % interval of our number, where it is a rate or a mean.
    #[serde(with = "named_interval")]
    pub interval: Option<[f64; 2]>,
    /// The criterion of the verdict.
    criterion: Option<String>,
    /// The verdict by the criterion; `None` if the number is only shown.
    verdict: Option<Verdict>,
    /// The original criterion and its verdict, if the criterion was changed.
    original: Option<Original>,
    /// Remarks that a reader needs to judge the claim.
    pub note: String,
}

/// An interval as all commands print it: `{"low": ..., "high": ...}`.
mod named_interval {
    use ludex_stats::Interval;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        interval: &Option<[f64; 2]>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        interval.map(|[low, high]| Interval { low, high }).serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<[f64; 2]>, D::Error> {
        let interval = Option::<Interval>::deserialize(from)?;
        Ok(interval.map(|interval| [interval.low, interval.high]))
    }
}

/// A criterion that was replaced after the results were known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Original {
    /// The original criterion.
    pub criterion: String,
    /// The verdict by the original criterion.
    pub verdict: Verdict,
}

/// The origin of a number that ours is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Printed in the paper.
    Paper,
    /// In the authors' public files.
    Record,
    /// Read off a plot of the paper.
    Plot,
    /// Another program of ours.
    Reference,
    /// A goal of ours.
    Goal,
}

impl Origin {
    /// All origins, in the order of columns.
    pub const ALL: [Origin; 5] =
        [Origin::Paper, Origin::Record, Origin::Plot, Origin::Reference, Origin::Goal];

    /// The name of the column and of the JSON field.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Paper => "paper",
            Origin::Record => "record",
            Origin::Plot => "plot",
            Origin::Reference => "reference",
            Origin::Goal => "goal",
        }
    }
}

impl Claim {
    /// A claim without a number to compare with.
    pub(crate) fn new(
        id: impl Into<String>,
        claim: impl Into<String>,
        ours: impl Into<String>,
    ) -> Self {
        Claim {
            id: id.into(),
            claim: claim.into(),
            paper: None,
            record: None,
            plot: None,
            reference: None,
            goal: None,
            ours: ours.into(),
            interval: None,
            criterion: None,
            verdict: None,
            original: None,
            note: String::new(),
        }
    }

    /// A claim that names the parts that a quick run leaves out.
    pub(crate) fn left_out(experiment: &str, what: impl Into<String>) -> Self {
        Claim::new(format!("{experiment}.left-out"), "left out by --quick", what)
    }

    /// Adds a number to compare with, and its exact place.
    #[must_use]
    pub(crate) fn beside(mut self, origin: Origin, figure: impl Into<String>, place: &str) -> Self {
        let figure = Some(figure.into());
        match origin {
            Origin::Paper => self.paper = figure,
            Origin::Record => self.record = figure,
            Origin::Plot => self.plot = figure,
            Origin::Reference => self.reference = figure,
            Origin::Goal => self.goal = figure,
        }
        self.note(format!("{}: {place}", origin.name()))
    }

    /// Adds the number that the paper prints, with its page, section or table.
    #[must_use]
    pub(crate) fn paper(self, figure: impl Into<String>, place: &str) -> Self {
        self.beside(Origin::Paper, figure, place)
    }

    /// Adds a number in the authors' public files, with the file.
    #[must_use]
    pub(crate) fn record(self, figure: impl Into<String>, file: &str) -> Self {
        self.beside(Origin::Record, figure, file)
    }

    /// Adds a number read off a plot, and how it was read.
    #[must_use]
    pub(crate) fn plot(self, figure: impl Into<String>, how: &str) -> Self {
        self.beside(Origin::Plot, figure, how)
    }

    /// Adds the same number by another program of ours, with the program.
    #[must_use]
    pub(crate) fn reference(self, figure: impl Into<String>, by: &str) -> Self {
        self.beside(Origin::Reference, figure, by)
    }

    /// Adds a goal of ours.
    #[must_use]
    pub(crate) fn goal(mut self, figure: impl Into<String>) -> Self {
        self.goal = Some(figure.into());
        self
    }

    /// Sets the 95 % interval of our number.
    #[must_use]
    pub(crate) fn within(mut self, interval: Option<[f64; 2]>) -> Self {
        self.interval = interval;
        self
    }

    /// Sets the criterion and its verdict.
    #[must_use]
    pub(crate) fn judged(mut self, criterion: impl Into<String>, verdict: Verdict) -> Self {
        self.criterion = Some(criterion.into());
        self.verdict = Some(verdict);
        self
    }

    /// Sets the original criterion and its verdict.
    #[must_use]
    pub(crate) fn originally(mut self, criterion: impl Into<String>, verdict: Verdict) -> Self {
        self.original = Some(Original { criterion: criterion.into(), verdict });
        self
    }

    /// Adds to the note.
    #[must_use]
    pub(crate) fn note(mut self, text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        if !self.note.is_empty() && !text.is_empty() {
            self.note += "; ";
        }
        self.note += text;
        self
    }

    /// The number of an origin.
    pub fn figure(&self, origin: Origin) -> Option<&str> {
        match origin {
            Origin::Paper => self.paper.as_deref(),
            Origin::Record => self.record.as_deref(),
            Origin::Plot => self.plot.as_deref(),
            Origin::Reference => self.reference.as_deref(),
            Origin::Goal => self.goal.as_deref(),
        }
    }

    /// The criterion of the verdict.
    pub fn criterion(&self) -> Option<&str> {
        self.criterion.as_deref()
    }

    /// The verdict by the criterion.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The original criterion, if it was changed.
    pub(crate) fn original(&self) -> Option<&Original> {
        self.original.as_ref()
    }
}

/// The verdict by a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Our number meets the criterion.
    Holds,
    /// Our number is better than the published one, in the direction that the paper proposes.
    Beaten,
    /// Our number does not meet the criterion.
    #[serde(rename = "falls short")]
    FallsShort,
    /// Our number agrees with the published one only with a fault, which the note names.
    Artefact,
}

impl Verdict {
    /// Holds, or falls short.
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Verdict::Holds } else { Verdict::FallsShort }
    }

    /// The verdict on a published number that was tried with a known fault, and without it.
    pub(crate) fn of_fault(faulty_agrees: bool, mended_agrees: bool) -> Self {
        match (faulty_agrees, mended_agrees) {
            (true, false) => Verdict::Artefact,
            (_, true) => Verdict::Holds,
            (false, false) => Verdict::FallsShort,
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Beaten => "beaten",
            Verdict::FallsShort => "falls short",
            Verdict::Artefact => "artefact",
        })
    }
}

/// A count of successes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Rate {
    /// Successes.
    pub hits: u64,
    /// Tries.
    pub of: u64,
}

impl Rate {
    /// The share of successes.
    pub(crate) fn share(self) -> f64 {
        self.hits as f64 / self.of.max(1) as f64
    }

    /// Its 95 % interval (Wilson).
    pub(crate) fn interval(self) -> Interval {
        wilson(self.share(), self.of, Z95)
    }

    /// Adds two counts.
    pub(crate) fn plus(self, other: Rate) -> Rate {
        Rate { hits: self.hits + other.hits, of: self.of + other.of }
    }

    /// Compares the rate with a published one; higher is better. The verdict is `Holds` unless the two differ by Fisher's
    /// exact test at 5 %.
    pub(crate) fn verdict(self, paper: Rate) -> Verdict {
        if fisher((self.hits, self.of), (paper.hits, paper.of)) >= 0.05 {
            Verdict::Holds
        } else if self.share() > paper.share() {
            Verdict::Beaten
        } else {
            Verdict::FallsShort
        }
    }

    /// A claim about this rate.
    pub(crate) fn line(self, id: impl Into<String>, claim: impl Into<String>) -> Claim {
        let Interval { low, high } = self.interval();
        Claim::new(id, claim, self.to_string()).within(Some([low, high]))
    }

    /// A claim about this rate beside a printed count, judged by [`Rate::verdict`]. The note has the interval of the
    /// printed count, because a small count says little.
    pub(crate) fn claim(
        self,
        id: impl Into<String>,
        claim: impl Into<String>,
        paper: Rate,
        place: &str,
    ) -> Claim {
        let Interval { low, high } = paper.interval();
        let p = fisher((self.hits, self.of), (paper.hits, paper.of));
        self.line(id, claim)
            .paper(paper.to_string(), place)
            .judged(
                "no difference from the paper's count by Fisher's exact test at 5 %",
                self.verdict(paper),
            )
            .note(format!("the paper's own 95 % interval is {low:.3} .. {high:.3}; p = {p:.3}"))
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} ({:.1} %)", self.hits, self.of, 100.0 * self.share())
    }
}

/// Wins, draws and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Wdl(pub [u64; 3]);

impl Wdl {
    /// The number of games.
    pub(crate) fn games(self) -> u64 {
        self.0.iter().sum()
    }

    /// The shares of wins, draws and losses.
    pub(crate) fn shares(self) -> [f64; 3] {
        self.0.map(|n| n as f64 / self.games().max(1) as f64)
    }

    /// Adds one game by its payoff.
    pub(crate) fn add(&mut self, payoff: f32) {
        let place = if payoff > 0.5 { 0 } else { usize::from(payoff < 0.5) + 1 };
        self.0[place] += 1;
    }

    /// Do all three shares agree within `sigmas` standard errors of their difference?
    pub(crate) fn agrees(self, other: Wdl, sigmas: f64) -> bool {
        let (n, m) = (self.games().max(1) as f64, other.games().max(1) as f64);
        self.0.iter().zip(other.0).all(|(&a, b)| {
            let pooled = (a + b) as f64 / (n + m);
            let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
            (a as f64 / n - b as f64 / m).abs() <= sigmas * error
        })
    }
}

impl std::fmt::Display for Wdl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [w, d, l] = self.shares().map(|share| 100.0 * share);
        write!(f, "{w:.1}/{d:.1}/{l:.1} % of {}", self.games())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_that_scripts_rely_on_are_always_there() {
        let bare = serde_json::to_value(Claim::new("a.b", "words", "1")).unwrap();
        for field in ["id", "claim", "paper", "ours", "interval", "verdict", "note", "criterion"] {
            assert!(bare.get(field).is_some(), "{field}");
        }
        for origin in Origin::ALL {
            assert!(bare.get(origin.name()).is_some_and(serde_json::Value::is_null));
        }
        let judged = Claim::new("a.b", "words", "1").goal("2").judged("2", Verdict::of(false));
        let judged = serde_json::to_value(judged).unwrap();
        assert_eq!(judged["verdict"], "falls short");
        assert_eq!(judged["paper"], serde_json::Value::Null, "a goal is no figure of the paper");
        assert_eq!(judged["goal"], "2");
    }

    #[test]
    fn the_note_says_where_a_figure_comes_from() {
        let claim = Claim::new("nim.first", "first player wins", "121 of 200")
            .paper("16 of 20", "section 6.2")
            .judged("at least 80 %", Verdict::of(false));
        assert_eq!(claim.verdict(), Some(Verdict::FallsShort));
        assert_eq!(claim.note, "paper: section 6.2");
    }

    #[test]
    fn an_artefact_agrees_only_with_the_fault() {
        assert_eq!(Verdict::of_fault(true, false), Verdict::Artefact);
        assert_eq!(Verdict::of_fault(true, true), Verdict::Holds);
        assert_eq!(Verdict::of_fault(false, true), Verdict::Holds);
        assert_eq!(Verdict::of_fault(false, false), Verdict::FallsShort);
    }

    #[test]
    fn a_small_count_of_the_paper_is_told_with_its_interval() {
        let claim =
            Rate { hits: 121, of: 200 }.claim("a", "b", Rate { hits: 16, of: 20 }, "section 6.2");
        assert_eq!(claim.verdict(), Some(Verdict::Holds));
        assert!(claim.criterion().is_some_and(|text| text.contains("Fisher")));
        assert!(claim.note.contains("0.584 .. 0.919"), "{}", claim.note);
    }

    #[test]
    fn rates_are_judged_by_fishers_test() {
        let rate = |hits, of| Rate { hits, of };
        assert_eq!(rate(100, 100).verdict(rate(100, 100)), Verdict::Holds);
        assert_eq!(rate(50, 100).verdict(rate(100, 100)), Verdict::FallsShort);
        assert_eq!(rate(160, 200).verdict(rate(16, 20)), Verdict::Holds);
        assert_eq!(rate(200, 200).verdict(rate(10, 20)), Verdict::Beaten);
        assert_eq!(rate(94, 100).verdict(rate(100, 100)), Verdict::FallsShort);
        assert_eq!(rate(98, 100).verdict(rate(1, 1)), Verdict::Holds);
    }

    #[test]
    fn shares_agree_within_their_errors() {
        let log = Wdl([20, 65, 15]);
        assert!(Wdl([202, 651, 147]).agrees(log, 1.0));
        assert!(!Wdl([500, 400, 100]).agrees(log, 3.0));
        assert!(!Wdl([202, 400, 398]).agrees(log, 3.0));
    }
}
