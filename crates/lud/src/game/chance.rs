//! Turns of chance: dice, pieces of the start that lie anywhere, and numbers that a move draws.

use ludex_core::{Move, Rng};

use super::LudGame;
use super::desk::{DESK, Desk, LISTS, Position};
use crate::code;
use crate::engine::Lud;

/// A turn of chance that draws all numbers of a move has no more outcomes than this. A move that asks for more
/// gets another turn of chance.
const MOST_DRAWS: u64 = 1 << 16;

impl LudGame {
    /// Makes the move that waits, as far as chance has drawn what it needs.
    pub(super) fn go(&self, desk: &mut Desk, position: &mut Position) {
        position.draw = None;
        let code = std::mem::take(&mut position.state.waits);
        if !desk.list(&self.lud, position) {
            return;
        }
        let Desk { pad, lists, .. } = desk;
        let list = &lists[(position.stamp as usize) % LISTS];
        let at = list.codes.iter().position(|&known| known == code);
        let head = at.and_then(|at| list.moves.heads.get(*list.places.get(at)? as usize));
        let Some(&head) = head else { return position.state.tape.clear() };
        match self.lud.attempt(&mut position.state, pad, &list.moves, head) {
            // The moves are the same as before.
            Some(range) => (position.draw, position.state.waits) = (Some(range), code),
            None => self.settle(desk, position),
        }
    }

    /// Makes the move that waits, and lets `pick` draw each number that it asks for, at least the first and at most
    /// the second. Gives the outcome of chance that stands for all of them, and its probability.
    pub(super) fn complete(
        &self,
        desk: &mut Desk,
        position: &mut Position,
        mut pick: impl FnMut(i32, i32) -> i32,
    ) -> (Move, f64) {
        let (mut outcome, mut unit) = (0, 1u64);
        loop {
            self.go(desk, position);
            let Some((least, most)) = position.draw else { break };
            let size = u64::from(most.abs_diff(least)) + 1;
            if unit > 1 && unit * size > MOST_DRAWS {
                break;
            }
            let number = pick(least, most).clamp(least, most);
            outcome += unit * u64::from(number.abs_diff(least));
            unit *= size;
            position.state.tape.push(number);
        }
        (code::drawing(outcome as i32), 1.0 / unit as f64)
    }

    /// All outcomes of [`complete`](LudGame::complete).
    fn all_draws(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        DESK.with_borrow_mut(|desk| {
            // The numbers drawn, each as its distance from the least and how many there were to draw from.
            let mut drawn: Vec<(i32, i32)> = Vec::new();
            loop {
                let mut at = 0;
                out.push(self.complete(desk, &mut position.clone(), |least, most| {
                    if at == drawn.len() {
                        drawn.push((0, most - least + 1));
                    }
                    at += 1;
                    least + drawn[at - 1].0
                }));
                while drawn.pop_if(|(number, size)| *number + 1 == *size).is_some() {}
                let Some((number, _)) = drawn.last_mut() else { return };
                *number += 1;
            }
        });
    }

    /// Where chance may place the next piece of the start.
    fn scatter_sites(&self, position: &Position) -> Vec<i32> {
        let mut sites = Vec::new();
        DESK.with_borrow_mut(|desk| {
            desk.scratch.clone_from(&position.state);
            self.lud.scatter_sites(&mut desk.scratch, &mut desk.pad, &mut sites);
        });
        sites
    }

    /// How often each face of a die comes up.
    fn chance_of(lud: &Lud, die: usize, face: usize) -> f64 {
        let Some(die) = lud.equipment.dice.get(die) else { return 0.0 };
        let n = die.faces.len().max(1);
        let total: i32 = die.biased.iter().take(n).sum();
        match die.biased.get(face) {
            Some(&weight) if total > 0 => f64::from(weight) / f64::from(total),
            _ => 1.0 / n as f64,
        }
    }

    pub(super) fn random_face(lud: &Lud, number: usize, rng: &mut Rng) -> u16 {
        let Some(die) = lud.equipment.dice.get(number) else { return 0 };
        let n = die.faces.len().max(1);
        if die.biased.is_empty() {
            return rng.index(n) as u16;
        }
        let mut left = rng.unit();
        let face = (0..n).find(|&face| {
            left -= LudGame::chance_of(lud, number, face);
            left < 0.0
        });
        face.unwrap_or(n - 1) as u16
    }

    /// Every outcome of a turn of chance with its probability.
    pub(super) fn outcomes(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        if position.draw.is_some() && self.veiled {
            return self.all_draws(position, out);
        }
        if let Some((least, most)) = position.draw {
            let chance = 1.0 / (f64::from(most) - f64::from(least) + 1.0);
            out.extend((least..=most).map(|number| (code::drawing(number), chance)));
            return;
        }
        if position.state.s.opening > 0 {
            let sites = self.scatter_sites(position);
            let chance = 1.0 / sites.len().max(1) as f64;
            out.extend(sites.into_iter().map(|site| (code::placing(site), chance)));
            return;
        }
        let lud = self.lud.of(&position.state);
        let dice = &lud.equipment.dice;
        if self.singly {
            let number = position.state.s.thrown;
            let faces = dice.get(usize::from(number)).map_or(0, |die| die.faces.len());
            let all = (0..faces).map(|face| {
                let chance = LudGame::chance_of(lud, number.into(), face);
                (code::single(number, face as u16), chance)
            });
            out.extend(all.filter(|&(_, chance)| chance > 0.0));
            return;
        }
        let all: u64 = dice.iter().map(|d| d.faces.len().max(1) as u64).product();
        for outcome in 0..all {
            let Some(faces) = code::faces(&lud.equipment, outcome) else { continue };
            let chance: f64 = faces
                .iter()
                .enumerate()
                .map(|(die, &face)| LudGame::chance_of(lud, die, face.into()))
                .product();
            if chance > 0.0 {
                out.push((code::chance(outcome), chance));
            }
        }
    }

    /// An outcome of a turn of chance, drawn by its probability.
    pub(super) fn random_outcome(&self, position: &Position, rng: &mut Rng) -> Move {
        if position.draw.is_some() && self.veiled {
            return DESK.with_borrow_mut(|desk| {
                let any =
                    |least: i32, most: i32| least + rng.index((most - least) as usize + 1) as i32;
                self.complete(desk, &mut position.clone(), any).0
            });
        }
        if let Some((least, most)) = position.draw {
            return code::drawing(least + rng.index((most - least) as usize + 1) as i32);
        }
        if position.state.s.opening > 0 {
            let sites = self.scatter_sites(position);
            let at = rng.index(sites.len().max(1));
            return code::placing(sites.get(at).copied().unwrap_or(0));
        }
        let lud = self.lud.of(&position.state);
        if self.singly {
            let number = position.state.s.thrown;
            return code::single(number, LudGame::random_face(lud, number.into(), rng));
        }
        let mut outcome = 0;
        let mut unit = 1;
        for (number, die) in lud.equipment.dice.iter().enumerate() {
            outcome += unit * u64::from(LudGame::random_face(lud, number, rng));
            unit *= die.faces.len().max(1) as u64;
        }
        code::chance(outcome)
    }
}
