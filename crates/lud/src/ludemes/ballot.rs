//! `(propose …)`, `(vote …)`, `(is Proposed …)`, `(is Decided …)`: what players propose, and how they vote.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isStringType=Proposed string",
        "Somebody has proposed this.",
        "(is Proposed \"End\")",
        |args| Ok(Bool::of(IsProposed { word: word(args)? })),
    ),
    condition(
        "is isStringType=Decided string",
        "More than half have voted for this.",
        "(end (if (is Decided \"End\") (byScore)))",
        |args| Ok(Bool::of(IsDecided { word: word(args)? })),
    ),
    decision(
        "move moveMessageType=Propose (string | {string}) [then]",
        "Propose one of these.",
        "(move Propose \"End\")",
        |args| ballot(args, true, true),
    ),
    decision(
        "move moveMessageType=Vote (string | {string}) [then]",
        "Vote for one of these.",
        "(move Vote {\"End\" \"No\"})",
        |args| ballot(args, false, true),
    ),
    effect(
        "propose (string | {string}) [then]",
        "This is proposed.",
        "(propose \"End\")",
        |args| ballot(args, true, false),
    ),
    effect(
        "vote (string | {string}) [then]",
        "The mover votes for this.",
        "(vote \"End\")",
        |args| ballot(args, false, false),
    ),
];

/// The number of words that can be told apart.
const MOST_WORDS: u16 = 16;

fn number(args: &mut Args<'_, '_, '_>, word: &str) -> Result<u16> {
    let number = args.lower.vote(word);
    if number > MOST_WORDS { Err(args.unsupported()) } else { Ok(number) }
}

fn word(args: &mut Args<'_, '_, '_>) -> Result<u16> {
    let word = args.text("string").ok_or_else(|| args.unsupported())?;
    number(args, word)
}

fn ballot(args: &mut Args<'_, '_, '_>, propose: bool, decision: bool) -> Result<Generator> {
    let words = args.texts();
    let words = words.iter().map(|word| number(args, word)).collect::<Result<Vec<u16>>>()?;
    Ok(Box::new(Ballot { propose, decision, words }))
}

node! {
    /// A word is proposed or voted for.
    struct Ballot = "propose or vote", reads TURN, writes BALLOTS {
        propose: bool,
        decision: bool,
        words: Vec<u16>,
    }
}

impl Generate for Ballot {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let mover = c.state.s.mover;
        for &word in &self.words {
            let (kind, action) = match self.propose {
                true => (Kind::Propose, Action::Propose(word)),
                false => (Kind::Vote, Action::Vote(mover as u16, word)),
            };
            let kind = if self.decision { kind } else { Kind::Effect };
            out.push(mover, kind, OFF, OFF, action).extra = word;
        }
    }
}

node! {
    /// A word is proposed.
    struct IsProposed = "is Proposed", reads BALLOTS { word: u16 }
}

impl Condition for IsProposed {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        c.state.s.proposed >> (self.word - 1) & 1 == 1
    }
}

node! {
    /// A word is decided.
    struct IsDecided = "is Decided", reads BALLOTS { word: u16 }
}

impl Condition for IsDecided {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        c.state.s.decided == self.word
    }
}
