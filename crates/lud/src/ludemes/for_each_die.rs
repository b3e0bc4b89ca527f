//! `(forEach Die …)`: moves for what each die shows.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[effect(
    "forEach Die [int] [combined:boolean] [replayDouble:boolean] [If:boolean] moves [then]",
    "The moves for each die that is not used yet, whose number is `(pips)`, and perhaps for several dice together.",
    "(forEach Die (forEach Piece))",
    |args| {
        let (combined, replay) = (args.try_bool("combined")?, args.try_bool("replayDouble")?);
        let (condition, moves) = (args.try_bool("if")?, args.moves("moves")?);
        let sets = sets(args.lower.layout.dice, if combined.is_some() { 3 } else { 1 });
        Ok(Box::new(ForEachDie { combined, replay, condition, moves, sets: Table(sets) }))
    },
)
.joins()];

/// Sets of dice as bits: one die each, then two, up to so many.
fn sets(dice: usize, most: u32) -> Vec<u32> {
    if most == 1 {
        return (0..dice.min(32)).map(|die| 1 << die).collect();
    }
    let all = 1u32 << dice.min(16);
    (1..=most).flat_map(|n| (1..all).filter(move |set| set.count_ones() == n)).collect()
}

node! {
    /// Moves for each die.
    struct ForEachDie = "forEach Die", reads DICE, writes DICE {
        combined: Option<Bool>,
        /// Are dice that show the same played twice?
        replay: Option<Bool>,
        condition: Option<Bool>,
        moves: Generator,
        /// Sets of dice, as bits.
        sets: Table<Vec<u32>>,
    }
}

/// The further effects of the moves by some dice.
struct Use {
    /// The dice, as bits.
    dice: u32,
    /// The number that equal dice show, which is remembered.
    keep: Option<i32>,
    /// The number of the dice that are laid again.
    again: Option<i32>,
}

impl Generate for ForEachDie {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let layout = c.rules.layout;
        let double = self.replay.as_ref().is_some_and(|replay| replay.holds(c));
        let shown = layout.die(0)..layout.die(layout.dice);
        let equal = c.state.numbers[shown].windows(2).all(|pair| pair[0] == pair[1]);
        // Dice alone, then, where they may be combined, two and three together.
        let combines = self.combined.as_ref().is_some_and(|combined| combined.holds(c));
        let many = if combines { self.sets.len() } else { layout.dice };
        for &dice in &self.sets[..many.min(self.sets.len())] {
            let shown = |die: usize| c.state.numbers[layout.die(die)];
            let pips = ones(dice).map(shown).sum();
            if ones(dice).any(|die| shown(die) == 0) {
                continue;
            }
            // Dice that show the same are played twice: what they show is kept with the first
            // move, they are laid again with the last, and then it is forgotten. Dice that are combined do none of it, so what is kept
            // may lay the dice again in a later turn (decided by Pagade Kayi Ata (Sixteen-handed), ply 131 of its second record).
            let double = double && dice.count_ones() == 1;
            let kept = c.state.s.temp;
            let keep = match double && equal {
                true if kept == OFF => Some(pips),
                true => Some(OFF),
                false => None,
            };
            let again = (double && kept != OFF && !equal).then_some(kept);
            let used = Use { dice, keep, again };
            c.with(Registers { pips, ..c.at }, |c| self.with_dice(c, &used, out));
        }
    }
}

impl ForEachDie {
    /// Appends the moves of some dice.
    fn with_dice(&self, c: &mut Context<'_>, used: &Use, out: &mut Moves) {
        if self.condition.as_ref().is_some_and(|condition| !condition.holds(c)) {
            return;
        }
        let mut made = c.moves();
        self.moves.generate(c, &mut made);
        for &head in &made.heads {
            let first = out.actions.len() as u32;
            out.actions.extend_from_slice(made.actions(head));
            out.actions.extend(ones(used.dice).map(|die| Action::UseDie(die as u16)));
            out.actions.extend(used.keep.map(Action::Temp));
            if let Some(kept) = used.again {
                for (number, die) in c.equipment.dice.iter().enumerate() {
                    // The number is taken for that of a face, from 1 (decided by ply 117 of the same record).
                    let face = usize::try_from(kept - 1).ok().filter(|&n| n < die.faces.len());
                    let (site, die) = (die.site as i32, number as u16);
                    let lay = |face: usize| Action::Die { site, die, face: face as u16 };
                    out.actions.extend(face.map(lay));
                }
            }
            let then = out.chained(&made, head.then);
            let end = out.actions.len() as u32;
            let extra = match used.dice.count_ones() {
                _ if head.extra > 0 => head.extra,
                1 => used.dice.trailing_zeros() as u16,
                _ => used.dice as u16,
            };
            out.heads.push(Head { first, end, then, extra, ..head });
        }
        c.free_moves(made);
    }
}
