//! The editor: findings about a text of rules, the first position, random games, and help on words.

use crate::error::{Error, Result};
use crate::shelf::{self, Shelf};
use crate::wire::{DraftInfo, Finding, Playouts, RulesReport, RulesText, WordHelp};
use ludex_core::deadline::{self, Deadline};
use ludex_core::diagnostic::{Diagnostic, Texts};
use ludex_core::{AnyGame, Game, Match, Seed, Source, Turn};
use ludex_draw::Marks;
use ludex_gdl::check::{Mode, check};
use ludex_gdl::game::{GdlGame, LoadError, Options};
use ludex_lud::expand::Library;
use ludex_lud::load::load;
use std::time::{Duration, Instant};

/// The time for random games.
const TIME: Duration = Duration::from_millis(900);
/// The most random games.
const MOST: u32 = 2000;
/// A random game is cut off after so many steps.
const LONGEST: usize = 5000;

/// Checks a text. A text without errors becomes a draft that can be played.
///
/// # Errors
/// A language that is not known.
pub(crate) fn report(shelf: &Shelf, rules: &RulesText) -> Result<RulesReport> {
    let (findings, game) = read(rules)?;
    let Some(game) = game else { return Ok(RulesReport { findings, ..RulesReport::default() }) };
    let digest = match &game.info().source {
        Source::Text { digest, .. } => digest.iter().take(8).map(|b| format!("{b:02x}")).collect(),
        Source::Native => String::new(),
    };
    let name = format!("draft:{digest}");
    let view = game.view(&game.start(), None);
    let report = RulesReport {
        findings,
        title: game.info().title.clone(),
        facts: Some(shelf::facts(&game)),
        svg: Some(ludex_draw::svg(&game.scene(), &view, &Marks::default())),
        name: Some(name.clone()),
    };
    shelf.keep_draft(&name, game);
    Ok(report)
}

/// Checks a text and keeps it as a draft that outlives the server.
///
/// # Errors
/// A language that is not known, rules with errors, or a folder that cannot be written.
pub(crate) fn keep(shelf: &Shelf, rules: &RulesText) -> Result<DraftInfo> {
    let report = report(shelf, rules)?;
    let name =
        report.name.ok_or_else(|| Error::Bad("mend the errors of the rules first".into()))?;
    shelf.kept.keep(&name, &report.title, rules)
}

/// The game of a text without errors.
pub(crate) fn game(rules: &RulesText) -> Option<AnyGame> {
    read(rules).ok()?.1
}

fn read(rules: &RulesText) -> Result<(Vec<Finding>, Option<AnyGame>)> {
    match rules.language.as_str() {
        "kif" => Ok(kif(&rules.text)),
        "lud" => Ok(lud(&rules.text)),
        other => Err(Error::Bad(format!("no rule language `{other}`; there are kif and lud"))),
    }
}

fn kif(text: &str) -> (Vec<Finding>, Option<AnyGame>) {
    let texts = Texts::one("rules.kif", text);
    let mut found = check(text, Mode::Lenient);
    let mut game = None;
    if !found.iter().any(Diagnostic::is_error) {
        match GdlGame::load("draft:kif", text, &Options::default()) {
            Ok(made) => game = Some(AnyGame::new(made)),
            Err(LoadError::Rules(more)) => found.extend(more),
            Err(error) => {
                let span = ludex_core::diagnostic::Span::new(0, 0);
                found.push(Diagnostic::error("K000", span, error.to_string()));
            }
        }
    }
    (found.iter().map(|finding| place(finding, &texts, 0, text)).collect(), game)
}

fn lud(text: &str) -> (Vec<Finding>, Option<AnyGame>) {
    let loaded = load("draft:lud", "rules.lud", text, &Library::default(), &[]);
    let found = loaded.found.iter().map(|finding| place(finding, &loaded.texts, 0, text));
    (found.collect(), loaded.game.map(AnyGame::new))
}

/// A finding with its place in the text, in the units of the page.
fn place(finding: &Diagnostic, texts: &Texts, file: u32, text: &str) -> Finding {
    let at = |byte: u32| {
        let mut byte = (byte as usize).min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        text.get(..byte).map_or(0, |before| before.encode_utf16().count() as u32)
    };
    // A part that a definition copied belongs to the place that used the definition.
    let own = finding.span.file == file && finding.span.frame == 0;
    let notes = texts.notes(finding);
    let used = notes.iter().rev().map(|note| note.span).find(|span| span.file == file);
    let span = if own { finding.span } else { used.unwrap_or(finding.span) };
    let (line, column) = texts.line_column(span);
    Finding {
        start: at(span.start),
        end: at(span.end.max(span.start + 1)),
        line: line as u32,
        column: column as u32,
        severity: finding.severity.to_string(),
        code: finding.code.into(),
        message: finding.message.clone(),
        hint: finding.hint.clone(),
    }
}

/// Plays random games for about a second.
pub(crate) fn playouts(game: &AnyGame) -> Playouts {
    let begun = Instant::now();
    let seats = game.info().seats();
    let mut sum = Playouts { payoffs: vec![0.0; seats], ..Playouts::default() };
    let (mut lengths, mut choices, mut decisions) = (Vec::new(), 0u64, 0u64);
    let mut rng = Seed(1).named("playouts").rng();
    while sum.games < MOST && begun.elapsed() < TIME {
        let mut play = Match::new(game);
        let _scope = Deadline::after(TIME * 3).enter();
        while !play.is_over() && play.len() < LONGEST && begun.elapsed() < TIME * 2 {
            if play.turn() != Turn::Chance && play.len().is_multiple_of(4) {
                for seat in play.turn().movers().iter() {
                    choices += play.legal(seat).len() as u64;
                    decisions += 1;
                }
            }
            play.apply_random(&mut rng);
            if deadline::expired() {
                break;
            }
        }
        sum.games += 1;
        lengths.push(play.len() as f32);
        let Some(payoffs) = play.payoffs() else {
            sum.unfinished += 1;
            continue;
        };
        let best = payoffs.iter().copied().fold(0.0, f32::max);
        sum.draws += u32::from(seats > 1 && payoffs.iter().filter(|&&p| p == best).count() > 1);
        sum.payoffs.iter_mut().zip(&payoffs).for_each(|(sum, payoff)| *sum += payoff);
    }
    let finished = (sum.games - sum.unfinished).max(1) as f32;
    sum.payoffs.iter_mut().for_each(|sum| *sum /= finished);
    let mean = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
    let least = lengths.iter().copied().fold(f32::INFINITY, f32::min);
    let most = lengths.iter().copied().fold(0.0, f32::max);
    sum.length = [mean, if least.is_finite() { least } else { 0.0 }, most];
    sum.branching = choices as f32 / decisions.max(1) as f32;
    sum.ms = begun.elapsed().as_millis() as u32;
    sum
}

/// The words of GDL, for the help of the editor.
const GDL: [(&str, &str); 15] = [
    ("role", "(role R): R is a player"),
    ("init", "(init F): the fact F holds at the start"),
    ("true", "(true F): the fact F holds now"),
    ("next", "(next F): the fact F holds after this step"),
    ("legal", "(legal R M): the player R may make the move M"),
    ("does", "(does R M): the player R makes the move M in this step"),
    ("goal", "(goal R N): the player R gets N points, from 0 to 100"),
    ("terminal", "terminal: the game is over"),
    ("base", "(base F): F is a fact that may hold"),
    ("input", "(input R M): M is a move that the player R may have"),
    ("sees", "(sees R P): the player R is told P after this step"),
    ("random", "random: the role of chance; each of its legal moves is equally likely"),
    ("distinct", "(distinct A B): A and B are different"),
    ("not", "(not A): A cannot be shown"),
    ("or", "(or A B ...): one of them holds"),
];

/// Help on the words of a language.
pub(crate) fn words(language: &str) -> Vec<WordHelp> {
    let help = |word: &str, meaning: &str| WordHelp { word: word.into(), meaning: meaning.into() };
    if language == "kif" {
        return GDL.iter().map(|(word, meaning)| help(word, meaning)).collect();
    }
    let table = ludex_lud::compile::table::Table::get();
    let mut words: Vec<WordHelp> = Vec::new();
    for (number, form) in table.signatures.iter().enumerate() {
        for ludeme in table.meanings(number) {
            let meaning = format!("({}): {}", ludeme.text, ludeme.meaning);
            words.push(help(&form.keyword, &meaning));
        }
    }
    words.sort_by(|a, b| (&a.word, &a.meaning).cmp(&(&b.word, &b.meaning)));
    // One entry a keyword, with all its forms.
    words.dedup_by(|next, first| {
        let same = next.word == first.word;
        if same && !first.meaning.contains(&next.meaning) {
            first.meaning = format!("{}\n{}", first.meaning, next.meaning);
        }
        same
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drafts::Drafts;

    fn check(language: &str, text: &str) -> RulesReport {
        let rules = RulesText { language: language.into(), text: text.into() };
        report(&Shelf::new(Drafts::default()), &rules).unwrap()
    }

    #[test]
    fn findings_have_their_place_in_units_of_the_page() {
        let report = check("lud", "(game \"é\" (players 2)\n (equipment {(board (squar 3))}))");
        let finding = report.findings.iter().find(|f| f.line == 2).unwrap();
        assert_eq!(finding.severity, "error");
        assert!(report.name.is_none());
        let text: Vec<u16> =
            "(game \"é\" (players 2)\n (equipment {(board (squar 3))}))".encode_utf16().collect();
        let word = &text[finding.start as usize..finding.end as usize];
        assert!(String::from_utf16(word).unwrap().contains("squar"));
    }

    #[test]
    fn rules_without_errors_become_a_draft() {
        let shelf = Shelf::new(Drafts::default());
        for (language, name) in [("kif", "kif:tictactoe"), ("lud", "lud:hex")] {
            let (text, _) = shelf.text(name).unwrap();
            let report = report(&shelf, &RulesText { language: language.into(), text }).unwrap();
            let draft = report.name.unwrap();
            assert!(shelf.open(&draft).is_ok() && report.svg.is_some());
        }
    }

    #[test]
    fn a_kept_draft_opens_at_another_server() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = || Shelf::new(Drafts::new(Some(folder.path().into())));
        let (text, _) = shelf().text("lud:hex").unwrap();
        let rules = RulesText { language: "lud".into(), text };
        let kept = keep(&shelf(), &rules).unwrap();
        let other = shelf();
        assert!(other.open(&kept.name).is_ok());
        assert_eq!(other.text(&kept.name).unwrap().0, rules.text);
        assert!(keep(&other, &RulesText { text: "(game".into(), ..rules }).is_err());
        assert!(keep(&Shelf::new(Drafts::default()), &RulesText::default()).is_err());
    }

    #[test]
    fn random_games_give_length_balance_and_branching() {
        let game = ludex_library::open("tictactoe").unwrap();
        let sum = playouts(&game);
        assert!(sum.games > 100 && (5.0..=9.0).contains(&sum.length[0]), "{sum:?}");
        assert!(sum.payoffs[0] > sum.payoffs[1] && sum.branching > 3.0, "{sum:?}");
    }

    #[test]
    fn both_languages_have_help() {
        assert!(words("kif").iter().any(|help| help.word == "legal"));
        assert!(words("lud").len() > 100);
    }
}
