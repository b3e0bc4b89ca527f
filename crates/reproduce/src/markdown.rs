//! Results as a Markdown document: one section per experiment, with the command that made it.
//!
//! A run replaces only the section of its experiment, so that one experiment can be repeated without the others.

use crate::{Claim, Experiment, Origin, Verdict, experiments};
use std::collections::HashMap;
use std::fmt::Write;

/// One run of an experiment.
pub struct Section<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The command of the run.
    pub command: String,
    /// The version of the program.
    pub version: &'a str,
    /// The date of the run.
    pub date: String,
    /// The seed of all randomness.
    pub seed: u64,
    /// The CPU time in seconds.
    pub seconds: f64,
    /// The claims of the run.
    pub claims: &'a [Claim],
    /// Why the experiment was not run, or failed.
    pub stopped: Option<String>,
}

const MARK: &str = "\n## ";
const COUNTS: &str = "Verdicts: ";

/// The letter of a criterion: a, b, ... z, aa, ab ...
pub fn letter(mut n: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.push(char::from(b'a' + (n % 26) as u8));
        n /= 26;
        if n == 0 {
            return name.into_iter().rev().collect();
        }
        n -= 1;
    }
}

/// The different criteria of claims, in the order of the claims.
pub fn criteria(claims: &[Claim]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for criterion in claims.iter().filter_map(Claim::criterion) {
        if !found.contains(&criterion) {
            found.push(criterion);
        }
    }
    found
}

/// The origins of published figures that occur in the claims.
pub fn origins(claims: &[Claim]) -> Vec<Origin> {
    let used = |origin: &Origin| claims.iter().any(|claim| claim.figure(*origin).is_some());
    Origin::ALL.into_iter().filter(used).collect()
}

/// The note of a claim, with its original criterion.
pub fn remark(claim: &Claim) -> String {
    let original = claim
        .original()
        .map(|original| format!("first criterion: {}: {}", original.criterion, original.verdict));
    let parts = [Some(claim.note.clone()), original].into_iter().flatten();
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The number of claims with each verdict, as text.
pub fn counts(claims: &[Claim]) -> String {
    let count = |verdict: Option<Verdict>| claims.iter().filter(|c| c.verdict() == verdict).count();
    format!(
        "holds {}, beaten {}, falls short {}, artefact {}, shown {}",
        count(Some(Verdict::Holds)),
        count(Some(Verdict::Beaten)),
        count(Some(Verdict::FallsShort)),
        count(Some(Verdict::Artefact)),
        count(None)
    )
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

impl Section<'_> {
    /// The text of the section, with its heading.
    pub fn text(&self) -> String {
        let title = self.experiment.title;
        let end = if title.ends_with('?') { "" } else { "." };
        let mut out = format!("## {}\n\n{title}{end}\n\n", self.experiment.id);
        let _ = writeln!(
            out,
            "`{}`; ludex {}; {}; seed {}; {:.0} s of processor time; data: {}.\n",
            self.command,
            self.version,
            self.date,
            self.seed,
            self.seconds,
            self.experiment.needs.used()
        );
        if let Some(reason) = &self.stopped {
            let word = if self.claims.is_empty() { "Not run" } else { "Not run to its end" };
            let _ = writeln!(out, "{word}: {reason}.\n");
        }
        if self.claims.is_empty() {
            return out;
        }
        let _ = writeln!(out, "{COUNTS}{}.\n", counts(self.claims));
        let origins = origins(self.claims);
        let criteria = criteria(self.claims);
        let mut head = vec!["claim"];
        head.extend(origins.iter().map(|origin| origin.name()));
        head.extend(["ours", "95 % interval", "criterion", "verdict", "note"]);
        let _ = writeln!(out, "| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
        let mut notes: Vec<String> = Vec::new();
        for claim in self.claims {
            let mut row = vec![cell(&claim.claim)];
            row.extend(origins.iter().map(|&origin| cell(claim.figure(origin).unwrap_or(""))));
            row.push(cell(&claim.ours));
            row.push(claim.interval.map_or(String::new(), |[a, b]| format!("{a:.3} .. {b:.3}")));
            let known = claim.criterion().and_then(|c| criteria.iter().position(|k| *k == c));
            row.push(known.map_or(String::new(), letter));
            row.push(claim.verdict().map_or("shown".into(), |verdict| verdict.to_string()));
            let remark = remark(claim);
            row.push(match remark.is_empty() {
                true => String::new(),
                false => {
                    // Equal notes are printed once.
                    let at = notes.iter().position(|note| *note == remark);
                    let at = at.unwrap_or_else(|| {
                        notes.push(remark);
                        notes.len() - 1
                    });
                    (at + 1).to_string()
                }
            });
            let _ = writeln!(out, "| {} |", row.join(" | "));
        }
        if !criteria.is_empty() {
            out += "\nCriteria:\n\n";
            for (n, criterion) in criteria.iter().enumerate() {
                let _ = writeln!(out, "- {}: {criterion}", letter(n));
            }
        }
        if !notes.is_empty() {
            out += "\nNotes:\n\n";
            for (n, note) in notes.iter().enumerate() {
                let _ = writeln!(out, "{}. {note}", n + 1);
            }
        }
        out
    }
}

/// The document with this section, which replaces the older one of the same experiment.
pub fn merged(document: &str, section: &Section<'_>) -> String {
    let mut sections: HashMap<String, String> = HashMap::new();
    for part in format!("\n{document}").split(MARK).skip(1) {
        let id = part.lines().next().unwrap_or_default().to_string();
        sections.insert(id, format!("## {}\n", part.trim_end()));
    }
    sections.insert(section.experiment.id.to_string(), section.text());
    let mut out = String::from(HEAD);
    let mut body = String::new();
    for experiment in experiments() {
        let Some(text) = sections.get(experiment.id) else { continue };
        let counted = text.lines().find_map(|line| line.strip_prefix(COUNTS));
        let counted = counted.unwrap_or("not run.").trim_end_matches('.');
        let _ = writeln!(out, "- [{0}](#{0}): {counted}", experiment.id);
        let _ = write!(body, "\n{}\n", text.trim_end());
    }
    out + &body
}

const HEAD: &str = "\
# Published results, measured again

Made by `ludex reproduce --all --quick --markdown docs/reproduced.md`, not by hand; `ludex reproduce ID --quick --markdown \
docs/reproduced.md` makes one section anew. Each section names its own command, version, day, seed and data. Quick runs \
have smaller samples than the papers: a verdict here is a verdict about this run. Evolutions, features of play and surveys \
that an earlier run left in the output folder are taken from there and not counted in the processor time; `hyper-play` and \
`hyper-experiment` say how much that is.

Columns: *paper* is printed in the document that the section names, and the note says where; *record* is in its authors' \
public files; *plot* was read off a figure by eye; *reference* is the same figure by another program of ours; *goal* is \
one that we set ourselves.

Verdicts: *holds*, ours meets the criterion; *beaten*, ours is better than the published figure, where better is what the \
paper proposes; *falls short*, ours does not meet the criterion; *artefact*, the run shows that the published figure \
comes from a fault: with the fault ours agrees, without it ours does not; *shown*, there is no criterion and nothing is \
decided.

";

#[cfg(test)]
mod tests {
    use super::*;

    fn section<'a>(id: &str, claims: &'a [Claim]) -> Section<'a> {
        Section {
            experiment: experiments().iter().find(|e| e.id == id).unwrap(),
            command: format!("ludex reproduce {id}"),
            version: "0",
            date: "2020-02-29".into(),
            seed: 1,
            seconds: 2.0,
            claims,
            stopped: None,
        }
    }

    #[test]
    fn a_section_has_only_the_columns_that_are_used_and_every_criterion() {
        let claims = [
            Claim::new("a", "one | two", "3").goal("4").judged("at least 4", Verdict::of(false)),
            Claim::new("b", "no criterion", "5").note("why"),
        ];
        let text = section("mbm", &claims).text();
        assert!(
            text.contains("| claim | goal | ours | 95 % interval | criterion | verdict | note |")
        );
        assert!(text.contains("| one \\| two | 4 | 3 |  | a | falls short |  |"), "{text}");
        assert!(text.contains("| no criterion |  | 5 |  |  | shown | 1 |"), "{text}");
        assert!(text.contains("- a: at least 4") && text.contains("1. why"), "{text}");
        assert!(text.contains("holds 0, beaten 0, falls short 1, artefact 0, shown 1"));
    }

    #[test]
    fn a_section_replaces_its_older_self_and_leaves_the_others() {
        let old = [Claim::new("a", "old", "1")];
        let new = [Claim::new("a", "new", "2")];
        let first = merged("", &section("ropasci", &old));
        let both = merged(&first, &section("mbm", &old));
        assert!(both.find("## mbm").unwrap() < both.find("## ropasci").unwrap(), "as in the list");
        let again = merged(&both, &section("ropasci", &new));
        assert_eq!(again.matches("\n## ").count(), 2);
        assert_eq!((again.matches("| old |").count(), again.matches("| new |").count()), (1, 1));
        assert_eq!(merged(&again, &section("ropasci", &new)), again);
    }

    #[test]
    fn the_document_of_this_project_has_every_experiment() {
        let document = include_str!("../../../docs/reproduced.md");
        assert!(document.starts_with(HEAD), "made by this program");
        for experiment in experiments() {
            assert!(document.contains(&format!("\n## {}\n", experiment.id)), "{}", experiment.id);
        }
        assert!(!document.contains("\nNot run"));
    }

    #[test]
    fn criteria_have_letters() {
        assert_eq!([0, 25, 26, 51, 52, 702].map(letter), ["a", "z", "aa", "az", "ba", "aaa"]);
    }
}
