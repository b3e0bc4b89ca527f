//! HyperPlay-II (Schofield and Thielscher 2015): every model is played on by players who know no more
//! than they could.
//!
//! An *imperfect-information simulation* begins in a model. What each role has seen follows from the
//! model's history, so each role gets a HyperPlayer of its own, with a bag of models that explain what
//! this role has seen, and all play by that until the game is over. So a question is worth what its
//! answer makes possible, and hiding is worth what others can't know.
//!
//! What a role would do depends on what it knows alone: answers are kept by that, and by the worlds that it
//! leaves possible, which saves most of the work. With `levels` above 1 the players inside are HyperPlayers of the second kind again.

use super::bag::{Bag, Config, World};
use super::hyperplay::playouts;
use super::life::{learn, own_move};
use super::mccfr::set_key;
use super::params::Params;
use super::vote::Votes;
use crate::clock::Clock;
use ludex_core::playout::LONGEST;
use ludex_core::random::mix;
use ludex_core::{Game, Move, Percept, Player, Record, Rng, Turn};
use rustc_hash::FxHashMap;

/// The most answers that are kept.
const MOST: usize = 1 << 18;

/// States that a model of a nested player may visit.
const CAP: u64 = 2_000;

/// Steps after which a simulation is finished at random.
const HORIZON: u32 = 200;

/// What roles do by what they know: by their life, and by the worlds that they hold possible.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    by_life: FxHashMap<u64, Move>,
    by_worlds: FxHashMap<u64, Move>,
}

/// A match in the mind: the state, and what every player lived.
struct Scene<S> {
    state: S,
    records: Vec<Vec<Record>>,
    known: Vec<u64>,
}

impl<S: Clone> Clone for Scene<S> {
    fn clone(&self) -> Self {
        let Scene { state, records, known } = self;
        Scene { state: state.clone(), records: records.clone(), known: known.clone() }
    }
}

/// Plays scenes on.
pub(crate) struct Theatre<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) origin: &'a G::State,
    pub(crate) params: &'a Params,
    pub(crate) answers: &'a mut Answers,
    pub(crate) rng: &'a mut Rng,
}

impl<G: Game> Theatre<'_, G> {
    /// Values every move in every world by imperfect-information simulations, one a move and
    /// world in turn, until `sims` are played or the clock rings.
    pub(crate) fn judge(
        &mut self,
        worlds: &[World<'_, G>],
        seat: Player,
        votes: &mut Votes,
        sims: Option<u64>,
        clock: &mut Clock,
    ) {
        if self.answers.by_life.len() > MOST / 2 {
            self.answers.by_life.clear();
            self.answers.by_worlds.clear();
        }
        let moves = votes.moves().to_vec();
        let mut left = sims.unwrap_or(u64::MAX);
        let mut order: Vec<usize> = (0..worlds.len()).collect();
        let mut begun = false;
        loop {
            self.rng.shuffle(&mut order);
            for &world in &order {
                if begun && left < moves.len() as u64 {
                    return;
                }
                let scene = self.scene(&worlds[world]);
                for (at, &mv) in moves.iter().enumerate() {
                    if left == 0 || begun && clock.look() {
                        return;
                    }
                    let level = self.params.levels - 1;
                    let value = self.play(scene.clone(), seat, mv, level, clock);
                    votes.add(world, at, value);
                    left -= 1;
                }
                begun = true;
            }
        }
    }

    /// What everybody lived in a world.
    fn scene(&self, world: &World<'_, G>) -> Scene<G::State> {
        let players = self.game.info().seats();
        let mut records = vec![Vec::new(); players];
        for (before, joint, after) in world.steps() {
            let turn = self.game.turn(before);
            for (p, records) in records.iter_mut().enumerate() {
                records.push(self.record(before, turn, joint, after, Player(p as u8)));
            }
        }
        Scene { state: world.state().clone(), records, known: world.known().to_vec() }
    }

    fn record(
        &self,
        before: &G::State,
        turn: Turn,
        joint: &[Move],
        after: &G::State,
        player: Player,
    ) -> Record {
        let mut percept = Percept::default();
        self.game.percept(before, joint, after, player, &mut percept.0);
        Record { own: own_move(turn, joint, player), percept }
    }

    /// `seat` makes `mv`; then all play by what they know. The seat's payoff.
    fn play(
        &mut self,
        mut scene: Scene<G::State>,
        seat: Player,
        mv: Move,
        level: u32,
        clock: &mut Clock,
    ) -> f64 {
        let mut first = Some(mv);
        let mut pad = Vec::new();
        for step in 0.. {
            let turn = self.game.turn(&scene.state);
            if turn == Turn::Over {
                break;
            }
            if step >= HORIZON || step > 0 && clock.look() {
                let ended =
                    self.game.playout(&mut scene.state, self.rng, &mut pad, LONGEST).is_some();
                if !ended {
                    return 0.5;
                }
                break;
            }
            let mut joint = Vec::new();
            if turn == Turn::Chance {
                joint.push(self.game.sample_chance(&scene.state, self.rng));
            }
            for player in turn.movers().iter() {
                let own = if player == seat { first.take() } else { None };
                joint.push(match own {
                    Some(mv) => mv,
                    None => self.answer(&scene, player, level, clock),
                });
            }
            let before = scene.state.clone();
            self.game.apply(&mut scene.state, &joint);
            for p in 0..scene.records.len() {
                let record = self.record(&before, turn, &joint, &scene.state, Player(p as u8));
                scene.known[p] = learn(scene.known[p], record.own, &record.percept.0);
                scene.records[p].push(record);
            }
        }
        let mut payoffs = vec![0.5; scene.records.len()];
        self.game.payoffs(&scene.state, &mut payoffs);
        payoffs.get(seat.index()).copied().unwrap_or(0.5).into()
    }

    /// What `player` would do in a scene, by what it knows alone.
    fn answer(
        &mut self,
        scene: &Scene<G::State>,
        player: Player,
        level: u32,
        clock: &mut Clock,
    ) -> Move {
        let mut legal = Vec::new();
        self.game.moves(&scene.state, player, &mut legal);
        if let [only] = legal.as_slice() {
            return *only;
        }
        let known = scene.known.get(player.index()).copied().unwrap_or_default();
        let key = set_key(known, player, &legal).wrapping_add(mix(level.into()));
        if let Some(&mv) = self.answers.by_life.get(&key) {
            return mv;
        }
        let any = legal.get(self.rng.index(legal.len())).copied().unwrap_or_default();
        let config = Config { models: self.params.inner, cap: CAP, ..self.params.bag() };
        let seed = self.rng.seed();
        let mut bag = Bag::new(self.game, self.origin, player, config, seed);
        let records = scene.records.get(player.index()).map_or(&[][..], Vec::as_slice);
        if bag.observe(self.game, records, Some(&legal), None).is_err() {
            return any;
        }
        let (worlds, weights, _) = bag.histories(self.params.choice_factors);
        if worlds.is_empty() {
            return any;
        }
        // Lives that leave the same worlds possible lead to the same answer.
        let belief = worlds.iter().fold(0u64, |sum, world| {
            let others = world.known().iter().enumerate().filter(|(p, _)| *p != player.index());
            let others = others.fold(0, |hash, (_, &known)| mix(hash ^ known));
            sum.wrapping_add(mix(self.game.hash(world.state()) ^ others))
        });
        let belief = set_key(belief, player, &legal).wrapping_add(mix(level.into()));
        if let Some(&mv) = self.answers.by_worlds.get(&belief) {
            self.keep(key, belief, mv);
            return mv;
        }
        let mut votes = Votes::new(&legal, weights);
        let each = (legal.len() * worlds.len()) as u64;
        if level == 0 {
            let sims = each * self.params.playouts as u64;
            playouts(self.game, &worlds, player, &mut votes, Some(sims), clock, self.rng);
        } else {
            for (number, world) in worlds.iter().enumerate() {
                let scene = self.scene(world);
                for (at, &mv) in legal.iter().enumerate() {
                    if clock.look() {
                        return any;
                    }
                    let value = self.play(scene.clone(), player, mv, level - 1, clock);
                    votes.add(number, at, value);
                }
            }
        }
        let best = votes.best(self.rng).and_then(|at| legal.get(at)).copied().unwrap_or(any);
        self.keep(key, belief, best);
        best
    }

    fn keep(&mut self, life: u64, worlds: u64, mv: Move) {
        if self.answers.by_life.len() < MOST {
            self.answers.by_life.insert(life, mv);
            self.answers.by_worlds.insert(worlds, mv);
        }
    }
}
