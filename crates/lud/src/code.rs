//! Moves in 64 bits, and their texts.
//!
//! | bits | what |
//! |---|---|
//! | 4 | the kind of move |
//! | 14 and 14 | where it begins and ends, each plus one |
//! | 6 | the level where it begins, plus one |
//! | 14 | a number of its own: a piece, a die, a rotation |
//! | 8 | which of several that are alike in all of this and do different things |

use ludex_core::Move;

use crate::engine::{Equipment, Head, Kind, Moves};

const KINDS: [Kind; 15] = [
    Kind::Effect,
    Kind::Sown,
    Kind::Go,
    Kind::Add,
    Kind::Remove,
    Kind::Promote,
    Kind::Select,
    Kind::Pass,
    Kind::Swap,
    Kind::Set,
    Kind::Propose,
    Kind::Vote,
    Kind::Bet,
    Kind::Exchange,
    Kind::NextGame,
];

/// The kind of an outcome of chance.
const CHANCE: u64 = 15;

/// The parts of a move's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The move; `None` for an outcome of chance.
    pub kind: Option<Kind>,
    /// Where it begins; -1 for nowhere.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
    /// The level where it begins; -1 for none.
    pub level: i32,
    /// A number that tells the move from others of its kind.
    pub extra: u16,
    /// The number of the move among several with equal fields.
    pub which: u8,
}

fn pack(head: Head) -> u64 {
    let kind = KINDS.iter().position(|&k| k == head.kind).unwrap_or(0) as u64;
    let site = |site: i32| site.saturating_add(1).clamp(0, 0x3FFF) as u64;
    // Texts do not tell the lowest level from none.
    let level = (i64::from(head.level.max(0)) + 1).clamp(0, 63) as u64;
    let extra = u64::from(head.extra & 0x3FFF);
    kind << 60 | site(head.from) << 46 | site(head.to) << 32 | level << 26 | extra << 8
}

/// The outcome of chance of a number.
pub(crate) fn chance(outcome: u64) -> Move {
    Move(CHANCE << 60 | outcome & 0x0FFF_FFFF_FFFF_FFFF)
}

/// The mark of outcomes that are sites.
const PLACED: u64 = 1 << 59;

/// The outcome of chance that places a piece on a site.
pub(crate) fn placing(site: i32) -> Move {
    chance(PLACED | site.max(0) as u64)
}

/// The site on which an outcome of chance places a piece.
pub(crate) fn placed(mv: Move) -> Option<i32> {
    let outcome = outcome(mv);
    (mv.0 >> 60 == CHANCE && outcome & PLACED != 0).then_some((outcome & 0x3FFF) as i32)
}

/// The mark of outcomes that are a face of one die.
const SINGLE: u64 = 1 << 57;

/// The outcome of chance in which one die shows a face.
pub(crate) fn single(die: u16, face: u16) -> Move {
    chance(SINGLE | u64::from(die) << 16 | u64::from(face))
}

/// The die of an outcome of chance of one die, and its face.
pub(crate) fn singled(mv: Move) -> Option<(u16, u16)> {
    let outcome = outcome(mv);
    let one = mv.0 >> 60 == CHANCE && outcome & (PLACED | DRAWN | SINGLE) == SINGLE;
    one.then_some(((outcome >> 16) as u16, outcome as u16))
}

/// The mark of outcomes that are numbers.
const DRAWN: u64 = 1 << 58;

/// The outcome of chance that draws a number.
pub(crate) fn drawing(number: i32) -> Move {
    chance(DRAWN | u64::from(number as u32))
}

/// The number that an outcome of chance draws.
pub(crate) fn drawn(mv: Move) -> Option<i32> {
    let outcome = outcome(mv);
    let is = mv.0 >> 60 == CHANCE && outcome & (PLACED | DRAWN) == DRAWN;
    is.then_some(outcome as u32 as i32)
}

/// The number of an outcome of chance.
pub(crate) fn outcome(mv: Move) -> u64 {
    mv.0 & 0x0FFF_FFFF_FFFF_FFFF
}

/// Takes a move apart.
pub(crate) fn parts(mv: Move) -> Parts {
    let bits = |from: u32, n: u32| (mv.0 >> from & ((1 << n) - 1)) as i32;
    Parts {
        kind: KINDS.get((mv.0 >> 60) as usize).copied(),
        from: bits(46, 14) - 1,
        to: bits(32, 14) - 1,
        level: bits(26, 6) - 1,
        extra: bits(8, 14) as u16,
        which: bits(0, 8) as u8,
    }
}

/// Puts the bits of every move of a list into `codes`. Moves that are alike in all they do are one;
/// their places in the list are in `places`. What `sorted` holds means nothing before and after.
pub(crate) fn encode(
    moves: &Moves,
    sorted: &mut Vec<(u64, u32)>,
    codes: &mut Vec<u64>,
    places: &mut Vec<u32>,
) {
    codes.clear();
    places.clear();
    sorted.clear();
    sorted.extend(moves.heads.iter().enumerate().map(|(i, &head)| (pack(head), i as u32)));
    sorted.sort_unstable();
    let mut group = 0;
    for i in 0..sorted.len() {
        let (code, place) = sorted[i];
        if i == 0 || sorted[i - 1].0 != code {
            group = codes.len();
        }
        let alike = (group..codes.len()).any(|j| same(moves, places[j], place));
        let which = codes.len() - group;
        if !alike && which < 256 {
            codes.push(code | which as u64);
            places.push(place);
        }
    }
}

fn same(moves: &Moves, a: u32, b: u32) -> bool {
    let (a, b) = (moves.heads[a as usize], moves.heads[b as usize]);
    let thens = |head: Head| {
        let mut all = Vec::new();
        moves.thens(head, &mut |then| all.push(then));
        all
    };
    moves.actions(a) == moves.actions(b) && (a.then == b.then || thens(a) == thens(b))
}

/// The texts of a game's sites.
#[derive(Clone, Debug)]
pub(crate) struct Labels(Vec<String>);

impl Labels {
    /// Sites of the board by their labels where these are unique, else by number; hands by name.
    pub(crate) fn new(equipment: &Equipment) -> Labels {
        let elements = equipment.elements();
        let mut seen = rustc_hash::FxHashSet::default();
        let unique = elements.iter().all(|e| !e.label.is_empty() && seen.insert(&e.label));
        let mut names: Vec<String> = (0..equipment.sites).map(|i| format!("#{i}")).collect();
        if unique {
            for (name, element) in names.iter_mut().zip(elements) {
                name.clone_from(&element.label);
            }
        }
        for container in &equipment.containers[1..] {
            for i in 0..container.sites {
                let at = (container.from + i) as usize;
                names[at] = match container.sites {
                    1 => container.name.clone(),
                    _ => format!("{}.{}", container.name, i + 1),
                };
            }
        }
        Labels(names)
    }

    /// A site's text.
    pub(crate) fn site(&self, site: i32) -> &str {
        usize::try_from(site).ok().and_then(|s| self.0.get(s)).map_or("-", String::as_str)
    }

    /// A move's text.
    pub(crate) fn text(&self, equipment: &Equipment, mv: Move) -> String {
        let p = parts(mv);
        if let Some(site) = placed(mv) {
            return format!("place:{}", self.site(site));
        }
        if let Some(number) = drawn(mv) {
            return format!("draw:{number}");
        }
        let pips = |die: usize, face: u16| {
            let die = equipment.dice.get(die);
            die.and_then(|die| die.faces.get(usize::from(face))).map_or("?".into(), i32::to_string)
        };
        if let Some((die, face)) = singled(mv) {
            return format!("die{}:{}", die + 1, pips(die.into(), face));
        }
        let Some(kind) = p.kind else {
            return faces(equipment, outcome(mv)).map_or_else(String::new, |shown| {
                let all: Vec<String> =
                    shown.iter().enumerate().map(|(die, &face)| pips(die, face)).collect();
                format!("roll:{}", all.join("+"))
            });
        };
        let (from, to) = (self.site(p.from), self.site(p.to));
        let piece =
            || equipment.components.get(usize::from(p.extra)).map_or("?", |k| k.name.as_str());
        let mut text = match kind {
            Kind::Go => format!("{from}-{to}"),
            Kind::Add => format!("{}@{to}", piece()),
            Kind::Remove => format!("x{to}"),
            Kind::Promote => format!("{to}={}", piece()),
            Kind::Select if p.from != p.to => format!("{from}>{to}"),
            Kind::Select => format!("!{to}"),
            Kind::Pass => "pass".into(),
            Kind::NextGame => "next-game".into(),
            Kind::Swap => "swap".into(),
            Kind::Set => format!("{to}:{}", p.extra),
            Kind::Propose => format!("propose:{}", p.extra),
            Kind::Vote => format!("vote:{}", p.extra),
            Kind::Bet => format!("bet:{}", p.extra),
            Kind::Exchange => format!("{from}<>{to}"),
            Kind::Effect | Kind::Sown => format!("effect:{from}-{to}"),
        };
        let told = matches!(
            kind,
            Kind::Add | Kind::Promote | Kind::Set | Kind::Propose | Kind::Vote | Kind::Bet
        );
        // Passes for want of other moves need no number.
        if p.extra > 0 && !told && kind != Kind::Pass {
            text.push_str(&format!("/{}", p.extra));
        }
        if p.level > 0 {
            text.push_str(&format!("^{}", p.level));
        }
        if p.which > 0 {
            text.push_str(&format!("~{}", u32::from(p.which) + 1));
        }
        text
    }
}

/// The faces of all dice in an outcome of chance.
pub(crate) fn faces(equipment: &Equipment, mut outcome: u64) -> Option<Vec<u16>> {
    let mut all = Vec::with_capacity(equipment.dice.len());
    for die in &equipment.dice {
        let n = die.faces.len().max(1) as u64;
        all.push((outcome % n) as u16);
        outcome /= n;
    }
    (outcome == 0).then_some(all)
}
