//! `ropasci`: the strong player. Backward induction over a few turns in which both move at once
//! (Buro 2003): the value of a position is the equilibrium of the matrix of both players' moves,
//! each cell worth the equilibrium of the turn after it, judged by an evaluation of its own at the
//! horizon.
//!
//! The first turn alone is solved over *all* moves by double oracle (McMahan, Gordon and Blum 2003;
//! in trees: Bosansky et al. 2013), which names the moves that matter against a player who
//! knows what it does; only those are looked at further. What follows is solved over the moves
//! that are best by themselves.
//!
//! The other need not be so wise. A model of it is kept through the game, and as far
//! as that has been right, its predictions count: a restricted Nash response (Johanson, Zinkevich
//! and Bowling 2007), the equilibrium of the game in which the other plays as predicted with that
//! chance and as badly for us as it can otherwise.
//!
//! It plays the equilibrium's likeliest moves at their shares. Values are expected payoffs, a draw
//! half a point: a player who is ahead avoids repetitions by itself, and one who is behind seeks them.

use super::caution::{Calm, Caution};
use super::evaluation::{CHOSEN, Evaluation};
use super::family::Family;
use super::model::Model;
use super::plan::{Shape, plan};
use super::{Judge, NEEDS, Seat, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use crate::clock::Clock;
use crate::search::joint::matrix::{Equilibrium, Matrix};
use ludex_core::deadline;
use ludex_core::schema::{Param, Reader, Schema};
use ludex_core::spec::Arg;
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed, Spec};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;
use std::time::Instant;

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci",
    summary: "RoPaSci 360: equilibria of all moves by double oracle, a model of the other",
    needs: NEEDS,
    usual: || recipe(Params { settings: Settings::default(), evaluation: CHOSEN }),
};

ludex_core::params! {
    /// How it plays.
    #[derive(Copy)]
    pub struct Settings {
        /// Moves of each player that are looked at this turn.
        pub first: u32 = 10, 1..=300;
        /// Moves of each player that are looked at next turn; 0: next turn is not looked at.
        pub second: u32 = 0, 0..=300;
        /// Most trust in predicted moves.
        pub trust: f64 = 0.9, 0.0..=1.0;
        /// How much less than half a point a draw counts: a draw is to be avoided in an even game.
        pub contempt: f64 = 0.15, -0.5..=0.5;
        /// Moves that the equilibrium plays more rarely are left out.
        pub purify: f64 = 0.1, 0.0..=1.0;
        /// The share of its distance from a draw that a repeated position keeps.
        pub stale: f64 = 0.3, 0.0..=1.0;
        /// How much more throws are worth, in parts of their weight, against a player whose moves can't be predicted.
        pub hoard: f64 = 0.5, 0.0..=10.0;
        /// Throws are worth no more than their weight against a player of the family that is right with this chance.
        pub known: f64 = 1.0, 0.01..=1.0;
        /// The model of the other has a family of players with weights that it learns.
        pub family: bool = true, ["no", "yes"];
        /// Turns of a plan against a player whose moves are known; 0: no plans.
        pub plan: u32 = 5, 0..=40;
        /// Positions that a plan keeps after each turn.
        pub beam: u32 = 8, 1..=1000;
        /// How much nearness to the tokens of a player who throws rarely counts, for each throw or token more than it has, up to four.
        pub press: f64 = 0.2, 0.0..=10.0;
        /// A throw of the other counts half after so many turns in which it had a target and did not throw; 0: always in full.
        pub wary: f64 = 8.0, 0.0..=1000.0;
    }
}

/// All parameters of `ropasci`: how it plays, and what positions are worth to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    settings: Settings,
    evaluation: Evaluation,
}

impl Schema for Params {
    fn describe(&self) -> Vec<Param> {
        let mut table = self.settings.describe();
        table.extend(self.evaluation.describe());
        table
    }

    fn read(&self, spec: &Spec) -> Result<Self> {
        let settings: Vec<&str> = self.settings.describe().iter().map(|param| param.key).collect();
        let all: Vec<&str> = self.describe().iter().map(|param| param.key).collect();
        let mut reader = Reader::new(spec, &all, 0, false)?;
        let mut own = spec.clone();
        own.args.retain(|arg| arg.key.as_deref().is_none_or(|key| settings.contains(&key)));
        Ok(Params {
            settings: self.settings.read(&own)?,
            evaluation: self.evaluation.read(&mut reader)?,
        })
    }

    fn given(&self, usual: &Self) -> Vec<Arg> {
        let mut args = self.settings.given(&usual.settings);
        self.evaluation.given(&usual.evaluation, &mut args);
        args
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(seat(ENTRY.name, Strong::new(self.evaluation, self.settings, seed)))
    }
}

/// The agent.
pub(crate) struct Strong {
    /// The weights as they were given, and as they are now that the other player is known better.
    given: Evaluation,
    evaluation: Evaluation,
    settings: Settings,
    rng: Rng,
    clock: Clock,
    stopped: bool,
    model: Model,
    /// Value of a draw to upper: below one half if the agent plays upper, above it if the agent plays lower.
    drawn: f64,
    /// How often the other threw where it could have hit.
    caution: Caution,
    /// The worth of a throw of the other this turn, where it is known to throw rarely.
    calm: Option<Calm>,
    /// Positions to write on.
    spare: Vec<State>,
}

/// Predicted moves of the other, and good answers to them, that are looked at in any case.
const PREDICTED: usize = 3;
/// A family is believed enough for plans from here on.
const CERTAIN: f64 = 0.3;
/// Values that differ by less are equal.
const EPSILON: f64 = 1e-6;
/// The widths grow at most this often while time is left.
const WIDENINGS: u32 = 6;

/// A solved turn.
struct Solved {
    rows: Vec<Move>,
    columns: Vec<Move>,
    equilibrium: Equilibrium,
}

/// The first turn by itself.
struct First {
    solved: Solved,
    /// Moves of upper and lower that are looked at in any case.
    wanted: [Vec<Move>; 2],
    /// The other's likeliest moves, with their chances.
    predicted: Vec<(Move, f64)>,
    /// How far to trust that.
    trust: f64,
    /// The player for whom it chooses.
    me: usize,
    /// The first moves of plans with upper's expected payoff at their ends, and how far to trust in them.
    plans: Vec<(Move, f64)>,
    certainty: f64,
}

impl First {
    /// Mixes into each cell what the mover's own move is worth against the predicted moves.
    fn restrict(&self, rows: &[Move], columns: &[Move], cells: &mut [f64]) {
        let total: f64 = self.predicted.iter().map(|(_, chance)| chance).sum();
        let trust = self.trust * total;
        if trust <= 0.0 {
            return;
        }
        let (mine, theirs) = if self.me == 0 { (rows, columns) } else { (columns, rows) };
        let at = |i: usize, j: usize| match self.me {
            0 => i * columns.len() + j,
            _ => j * columns.len() + i,
        };
        for i in 0..mine.len() {
            let mut mean = 0.0;
            for (mv, chance) in &self.predicted {
                if let Some(j) = theirs.iter().position(|m| m == mv) {
                    mean += chance / total * cells[at(i, j)];
                }
            }
            mean = self.planned(mine[i], mean);
            for j in 0..theirs.len() {
                let cell = &mut cells[at(i, j)];
                *cell = trust * mean + (1.0 - trust) * *cell;
            }
        }
    }
}

impl First {
    /// The value of a move against the predicted moves, given its value at the end of this turn.
    fn planned(&self, mv: Move, mean: f64) -> f64 {
        let worst = self.plans.iter().map(|(_, value)| *value);
        let value = match (self.plans.iter().find(|(first, _)| *first == mv), self.me) {
            (Some((_, value)), _) => *value,
            (None, 0) => worst.fold(mean, f64::min),
            (None, _) => worst.fold(mean, f64::max),
        };
        mean + self.certainty * (value - mean)
    }
}

impl Strong {
    pub(crate) fn new(evaluation: Evaluation, settings: Settings, seed: Seed) -> Self {
        Strong {
            given: evaluation,
            evaluation,
            settings,
            rng: seed.rng(),
            clock: Clock::never(),
            stopped: false,
            model: Model::new(settings.trust, settings.family),
            drawn: 0.5,
            caution: Caution::default(),
            calm: None,
            spare: Vec::new(),
        }
    }

    fn spare(&mut self, state: &State) -> State {
        self.spare.pop().unwrap_or_else(|| state.clone())
    }

    /// All moves of a player, the best after which the other stands still first.
    fn list(&mut self, game: &Ropasci360, state: &State, player: Player) -> Vec<Move> {
        let mut legal = Vec::new();
        game.moves(state, player, &mut legal);
        // Shuffle the moves, so that limits on their number treat equal moves alike.
        self.rng.shuffle(&mut legal);
        let mut next = self.spare(state);
        let mut judged: Vec<(f64, Move)> = legal
            .into_iter()
            .map(|mv| {
                game.alone(state, player, mv, &mut next);
                let value = self.evaluation.value(&next, self.drawn);
                (if player == Player(0) { -value } else { value }, mv)
            })
            .collect();
        self.spare.push(next);
        judged.sort_by(|a, b| a.0.total_cmp(&b.0));
        judged.into_iter().map(|(_, mv)| mv).collect()
    }

    /// Upper's expected payoff after both moves, by a search of as many more turns as there are widths. Throws of a player who
    /// throws rarely count in part.
    fn cell(
        &mut self,
        game: &Ropasci360,
        state: &State,
        joint: [Move; 2],
        widths: &[usize],
    ) -> f64 {
        let value = self.plain_cell(game, state, joint, widths);
        let Some(mut calm) = self.calm.take() else { return value };
        let mut mixed = value;
        if game.back(joint[1 - calm.me]).is_none() {
            let plain = |joint| self.plain_cell(game, state, joint, widths);
            mixed = calm.mixed(joint[calm.me], value, plain);
        }
        self.calm = Some(calm);
        mixed
    }

    /// The payoff without regard to how often the other throws.
    fn plain_cell(
        &mut self,
        game: &Ropasci360,
        state: &State,
        joint: [Move; 2],
        widths: &[usize],
    ) -> f64 {
        let mut next = self.spare(state);
        next.clone_from(state);
        game.apply(&mut next, &joint);
        let value = match widths {
            [] => self.evaluation.value(&next, self.drawn),
            _ if game.is_over(&next) => self.evaluation.value(&next, self.drawn),
            _ => self.induce(game, &next, widths),
        };
        let stale = next.repeats() > 1;
        self.spare.push(next);
        if stale { self.drawn + (value - self.drawn) * self.settings.stale } else { value }
    }

    /// The value of a position by the best moves of both, over as many turns as there are widths.
    fn induce(&mut self, game: &Ropasci360, state: &State, widths: &[usize]) -> f64 {
        self.stopped |= self.clock.tick();
        let Some((&width, deeper)) = widths.split_first().filter(|_| !self.stopped) else {
            return self.evaluation.value(state, self.drawn);
        };
        // The replies are those of the first turn.
        let calm = self.calm.take();
        let mut rows = self.list(game, state, Player(0));
        let mut columns = self.list(game, state, Player(1));
        rows.truncate(width);
        columns.truncate(width);
        let cells = self.matrix(game, state, &rows, &columns, deeper);
        self.calm = calm;
        Matrix::new(columns.len(), cells).solve().value
    }

    /// Upper's expected payoff for each pair of moves.
    fn matrix(
        &mut self,
        game: &Ropasci360,
        state: &State,
        rows: &[Move],
        columns: &[Move],
        deeper: &[usize],
    ) -> Vec<f64> {
        let mut cells = Vec::with_capacity(rows.len() * columns.len());
        for &row in rows {
            // The cells after the end are not used.
            self.stopped |= deadline::look();
            if self.stopped {
                cells.resize(rows.len() * columns.len(), 0.5);
                break;
            }
            for &column in columns {
                cells.push(self.cell(game, state, [row, column], deeper));
            }
        }
        cells
    }

    /// The equilibrium of one turn over all moves of both, by double oracle; all moves are
    /// returned in the order of what they bring against the other's equilibrium.
    fn one_turn(&mut self, game: &Ropasci360, state: &State, me: usize) -> Solved {
        let all = [self.list(game, state, Player(0)), self.list(game, state, Player(1))];
        let moves = all[1 - me].iter().copied().filter(|mv| game.back(*mv).is_some());
        self.calm = Calm::new(self.caution.share(self.settings.wary), me, moves);
        let [m, n] = [all[0].len(), all[1].len()];
        let mut known = vec![f64::NAN; m * n];
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) =
            ((0..m.min(4)).collect(), (0..n.min(4)).collect());
        let (mut gains, mut losses) = (vec![0.0; m], vec![0.0; n]);
        let mut equilibrium;
        loop {
            let mut at = |this: &mut Self, r: usize, c: usize| {
                let cell = &mut known[r * n + c];
                if cell.is_nan() {
                    *cell = this.cell(game, state, [all[0][r], all[1][c]], &[]);
                }
                *cell
            };
            let mut cells = Vec::with_capacity(rows.len() * columns.len());
            for &r in &rows {
                for &c in &columns {
                    cells.push(at(self, r, c));
                }
            }
            equilibrium = Matrix::new(columns.len(), cells).solve();
            for (r, gain) in gains.iter_mut().enumerate() {
                let support = columns.iter().zip(&equilibrium.columns).filter(|(_, p)| **p > 0.0);
                *gain = support.map(|(&c, p)| p * at(self, r, c)).sum();
            }
            for (c, loss) in losses.iter_mut().enumerate() {
                let support = rows.iter().zip(&equilibrium.rows).filter(|(_, p)| **p > 0.0);
                *loss = support.map(|(&r, p)| p * at(self, r, c)).sum();
            }
            let best = (0..m).max_by(|&a, &b| gains[a].total_cmp(&gains[b]));
            let worst = (0..n).min_by(|&a, &b| losses[a].total_cmp(&losses[b]));
            let row = best.filter(|&r| gains[r] > equilibrium.value + EPSILON);
            let column = worst.filter(|&c| losses[c] < equilibrium.value - EPSILON);
            let fresh =
                (row.filter(|r| !rows.contains(r)), column.filter(|c| !columns.contains(c)));
            if fresh == (None, None) || deadline::look() {
                break;
            }
            rows.extend(fresh.0);
            columns.extend(fresh.1);
        }
        // In order, with the shares of the equilibrium.
        let order = |gains: &[f64], sign: f64, moves: &[Move], used: &[usize], shares: &[f64]| {
            let mut share = vec![0.0; moves.len()];
            used.iter().zip(shares).for_each(|(&i, &p)| share[i] = p);
            let mut order: Vec<usize> = (0..moves.len()).collect();
            // Among equal moves, those that the equilibrium plays come first.
            order.sort_by(|&a, &b| {
                let key = |i: usize| sign * gains[i] + 1e-9 * share[i];
                key(b).total_cmp(&key(a))
            });
            let moves: Vec<Move> = order.iter().map(|&i| moves[i]).collect();
            let share: Vec<f64> = order.iter().map(|&i| share[i]).collect();
            (moves, share)
        };
        let (rows, row_share) = order(&gains, 1.0, &all[0], &rows, &equilibrium.rows);
        let (columns, column_share) = order(&losses, -1.0, &all[1], &columns, &equilibrium.columns);
        let equilibrium =
            Equilibrium { value: equilibrium.value, rows: row_share, columns: column_share };
        Solved { rows, columns, equilibrium }
    }

    /// The first turn's best moves, looked at further.
    fn look(
        &mut self,
        game: &Ropasci360,
        state: &State,
        first: &First,
        widths: &[usize],
    ) -> Solved {
        let (&width, deeper) = widths.split_first().unwrap_or((&1, &[]));
        let pick = |solved: &[Move], wanted: &[Move]| {
            let mut moves: Vec<Move> = solved.iter().take(width).copied().collect();
            for mv in wanted {
                if !moves.contains(mv) {
                    moves.push(*mv);
                }
            }
            moves
        };
        let rows = pick(&first.solved.rows, &first.wanted[0]);
        let columns = pick(&first.solved.columns, &first.wanted[1]);
        let mut cells = self.matrix(game, state, &rows, &columns, deeper);
        first.restrict(&rows, &columns, &mut cells);
        let equilibrium = Matrix::new(columns.len(), cells).solve();
        Solved { rows, columns, equilibrium }
    }

    /// The first turn by itself: its equilibrium, and what the other is predicted to do.
    fn first(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> First {
        let me = usize::from(seat.player != Player(0));
        let solved = self.one_turn(game, state, me);
        let other = Player(1 - me as u8);
        let (mine, theirs, shares) = match me {
            0 => (&solved.rows, &solved.columns, &solved.equilibrium.columns),
            _ => (&solved.columns, &solved.rows, &solved.equilibrium.rows),
        };
        let back = seat.last.and_then(|last| game.back(last[1 - me]));
        let chances = self.model.predict(game, state, other, theirs, shares, back);
        let mut order: Vec<usize> = (0..theirs.len()).collect();
        order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]));
        order.truncate(PREDICTED);
        let predicted: Vec<(Move, f64)> = order.iter().map(|&i| (theirs[i], chances[i])).collect();
        // The best answers to the predicted moves.
        let mut answers: Vec<(f64, Move)> = Vec::with_capacity(mine.len());
        for &mv in mine {
            let mut sum = 0.0;
            for &(reply, chance) in &predicted {
                let joint = if me == 0 { [mv, reply] } else { [reply, mv] };
                let value = self.cell(game, state, joint, &[]);
                sum += chance * if me == 0 { value } else { 1.0 - value };
            }
            answers.push((sum, mv));
        }
        answers.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut answers: Vec<Move> =
            answers.into_iter().take(PREDICTED).map(|(_, mv)| mv).collect();
        let (plans, certainty) = self.plans(game, state, seat.player);
        answers.extend(plans.iter().map(|(mv, _)| *mv));
        let replies = predicted.iter().map(|(mv, _)| *mv).collect();
        let wanted = if me == 0 { [answers, replies] } else { [replies, answers] };
        let trust = self.model.trust();
        First { solved, wanted, predicted, trust, me, plans, certainty }
    }

    /// Plans against the most believed player of the family, where that has been right of late.
    fn plans(&self, game: &Ropasci360, state: &State, me: Player) -> (Vec<(Move, f64)>, f64) {
        let shape = Shape { turns: self.settings.plan, width: self.settings.beam as usize };
        let known = self.model.family().filter(|f| shape.turns > 0 && f.certainty() > CERTAIN);
        let Some(family) = known else { return (Vec::new(), 0.0) };
        let judge = (&self.evaluation, self.drawn);
        let mut plans = plan(game, state, me, family, judge, shape);
        if me != Player(0) {
            plans.iter_mut().for_each(|(_, value)| *value = 1.0 - *value);
        }
        (plans, family.certainty().powi(2))
    }

    /// Solves the turn as well as the budget allows.
    fn solve(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Solved {
        self.clock = match seat.budget.time {
            Some(_) => Clock::start(seat.budget, true),
            None => Clock::never(),
        };
        self.stopped = false;
        let first = self.first(game, state, seat);
        let mut best = None;
        let mut widths = vec![self.settings.first as usize];
        widths.extend((self.settings.second > 0).then_some(self.settings.second as usize));
        for _ in 0..=WIDENINGS {
            let begun = Instant::now();
            let solved = self.look(game, state, &first, &widths);
            if self.stopped {
                break;
            }
            best = Some(solved);
            // Half as wide again takes about twice as long, seen from the cells of the first turn.
            let spent = begun.elapsed();
            if self.clock.left().is_none_or(|left| left < spent * 5 / 2) {
                break;
            }
            widths.iter_mut().for_each(|width| *width += *width / 2);
        }
        best.unwrap_or(first.solved)
    }
}

/// A lead counts up to so many throws and tokens.
const LEAD: u32 = 4;

impl Strong {
    /// How much nearness to the other's tokens counts now, with the sign of [`Evaluation::hunt`]: where the agent leads, and as far
    /// as the other is known to throw rarely.
    fn pressure(&self, state: &State, me: Player) -> f64 {
        let other = Player(1 - me.0.min(1));
        let lead = state.alive(me).saturating_sub(state.alive(other)).min(LEAD);
        let safe = 1.0 - self.caution.share(self.settings.wary);
        let press = self.settings.press * safe * f64::from(lead);
        if me == Player(0) { press } else { -press }
    }
}

impl Judge for Strong {
    /// The planner's values are payoffs.
    fn payoff(&self, value: f64) -> f32 {
        value.clamp(0.0, 1.0) as f32
    }

    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        let me = usize::from(seat.player != Player(0));
        self.drawn =
            if me == 0 { 0.5 - self.settings.contempt } else { 0.5 + self.settings.contempt };
        if let Some(last) = seat.last {
            self.model.learn(state.turns(), last[1 - me]);
            self.caution.learn(game.back(last[1 - me]).is_none());
        }
        self.caution.open = state.is_exposed(seat.player);
        let certainty = self.model.family().map_or(0.0, Family::certainty);
        let unknown = 1.0 - self.model.trust().max(certainty / self.settings.known).min(1.0);
        let hoard = 1.0 + self.settings.hoard * unknown;
        self.evaluation = self.given.with_throws(hoard as f32);
        self.evaluation.hunt = self.pressure(state, seat.player) as f32;
        let solved = self.solve(game, state, seat);
        let (moves, strategy, value) = match seat.player {
            Player(0) => (solved.rows, solved.equilibrium.rows, solved.equilibrium.value),
            _ => (solved.columns, solved.equilibrium.columns, 1.0 - solved.equilibrium.value),
        };
        let most = strategy.iter().copied().fold(0.0, f64::max);
        let kept = |p: f64| if p >= self.settings.purify.min(most) { p } else { 0.0 };
        let total: f64 = strategy.iter().map(|&p| kept(p)).sum();
        let mut left = self.rng.unit() * total;
        let drawn = strategy.iter().position(|&p| {
            left -= kept(p);
            left < 0.0
        });
        // The value is that of the strategy; a move's share of it tells how often it is played.
        let mut judged: Vec<(Move, f64)> =
            moves.iter().zip(&strategy).map(|(&mv, &p)| (mv, value - (1.0 - p))).collect();
        if judged.is_empty() {
            return judged;
        }
        let first = judged.remove(drawn.unwrap_or(0));
        judged.sort_by(|a, b| b.1.total_cmp(&a.1));
        judged.insert(0, (first.0, value));
        judged
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::CHOSEN;
    use super::*;
    use crate::budget::Budget;

    fn game() -> Ropasci360 {
        Ropasci360::new(&Spec::new("ropasci360")).unwrap()
    }

    fn best(position: &str, settings: Settings) -> String {
        let game = game();
        let state = game.parse_position(position).unwrap();
        let mut mind = Strong::new(CHOSEN, settings, Seed(1));
        let mut legal = Vec::new();
        game.moves(&state, Player(0), &mut legal);
        let budget = Budget::default();
        let seat = Seat { player: Player(0), legal: &legal, last: None, budget: &budget };
        game.move_text(mind.judge(&game, &state, seat)[0].0)
    }

    #[test]
    fn one_turn_is_the_equilibrium_of_the_whole_matrix() {
        let game = game();
        let state = game.parse_position("0,0=s 1,0=R -2,1=p 3,-1=P | 3,2 | 9").unwrap();
        let mut mind = Strong::new(CHOSEN, Settings::default(), Seed(1));
        let solved = mind.one_turn(&game, &state, 0);
        let cells = mind.matrix(&game, &state, &solved.rows, &solved.columns, &[]);
        let whole = Matrix::new(solved.columns.len(), cells).solve();
        assert!((whole.value - solved.equilibrium.value).abs() < 1e-5, "{}", whole.value);
    }

    #[test]
    fn the_only_token_hunts() {
        // The rock beats both scissors, and with one of them gone the game is won: it steps to
        // where the nearer one is or can go.
        for second in [0, 4] {
            let settings = Settings { second, ..Settings::default() };
            let won = best("0,0=R 4,0=s 0,1=s | 9,9 | 20", settings);
            assert!(won.starts_with("L 0 0"), "{won}");
        }
    }

    #[test]
    fn the_answer_to_a_sure_prediction_is_the_best_reply() {
        let first = First {
            solved: Solved {
                rows: Vec::new(),
                columns: Vec::new(),
                equilibrium: Equilibrium { value: 0.5, rows: Vec::new(), columns: Vec::new() },
            },
            wanted: [Vec::new(), Vec::new()],
            predicted: vec![(Move(1), 1.0)],
            trust: 1.0,
            me: 0,
            plans: Vec::new(),
            certainty: 0.0,
        };
        // The matrix is rock, paper, scissors; the opponent always plays the second of its moves.
        let mut cells = vec![0.5, 0.0, 1.0, 1.0, 0.5, 0.0, 0.0, 1.0, 0.5];
        let moves = [Move(0), Move(1), Move(2)];
        first.restrict(&moves, &moves, &mut cells);
        let equilibrium = Matrix::new(3, cells).solve();
        assert_eq!(equilibrium.rows, [0.0, 0.0, 1.0]);
        assert!((equilibrium.value - 1.0).abs() < 1e-9);
    }
}
