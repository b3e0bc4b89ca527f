//! The information set of a role: the states that explain its own moves and percepts.
//!
//! A host of a GDL-II match does not tell a player its legal moves. The player must work out in which states it may
//! be. The set is exact while it is small; beyond [`CAP`] states it is a random sample. When no state of the sample
//! explains a percept, new states are found by replaying the match from the start with random moves of the other
//! roles, and by going back where a percept contradicts.

use ludex_core::deadline;
use ludex_core::{Rng, Seed};
use ludex_gdl::reasoner::{Reasoner, State, normal_text};
use std::collections::{HashMap, HashSet};
use std::time::Instant;

/// The most states that are kept.
const CAP: usize = 20_000;

/// The most joint moves that are tried in one step.
const WORK: usize = 200_000;

/// How many states a replay looks for.
const REGROWN: usize = 200;

/// After so many replays without a new state it gives up.
const VAIN: u32 = 50;

/// The states in which a role may be.
pub(crate) struct Belief {
    role: usize,
    states: Vec<State>,
    exact: bool,
    history: Vec<Seen>,
    rng: Rng,
}

/// A step as the role saw it.
#[derive(Clone)]
struct Seen {
    own: u32,
    /// `None`: the percepts contradict the rules and are ignored.
    percepts: Option<HashSet<String>>,
}

/// A step of the match: the state in which it was made and all roles' moves.
pub(crate) type Joint = (State, Vec<u32>);

/// How a role explains its percepts.
#[derive(Debug)]
pub(crate) enum Step {
    /// This step explains the percepts.
    Explained(Joint),
    /// No step explains the percepts. The match has gone on all the same, so the belief ignores these percepts.
    Unexplained {
        /// True: every step was tried, so the rules contradict the percepts. False: the sample was too small or the
        /// time too short.
        proved: bool,
        /// A step with the role's own move that the belief goes on with; `None` where the game can't go on.
        instead: Option<Joint>,
    },
}

impl Belief {
    /// At the start the state is known.
    pub(crate) fn new(rules: &dyn Reasoner, role: usize, seed: Seed) -> Belief {
        let states = vec![rules.start()];
        Belief { role, states, exact: true, history: Vec::new(), rng: seed.rng() }
    }

    /// The possible states.
    pub(crate) fn states(&self) -> &[State] {
        &self.states
    }

    /// The role made the move `own` and perceived `percepts`.
    pub(crate) fn step(
        &mut self,
        rules: &dyn Reasoner,
        own: u32,
        percepts: &[String],
        until: Instant,
    ) -> Step {
        let percepts = percepts.iter().map(|text| normal_text(text)).collect();
        let seen = Seen { own, percepts: Some(percepts) };
        let mut states = std::mem::take(&mut self.states);
        self.rng.shuffle(&mut states);
        let (mut next, mut joint) = self.successors(rules, &states, &seen, until);
        self.history.push(seen);
        let mut proved = self.exact;
        if next.is_empty() && !proved {
            (next, joint, proved) = self.regrow(rules, until);
        }
        if let Some(joint) = joint {
            self.states = next;
            return Step::Explained(joint);
        }
        let blind = Seen { own, percepts: None };
        let (next, instead) = self.successors(rules, &states, &blind, until);
        self.exact = false;
        if proved && let Some(last) = self.history.last_mut() {
            *last = blind;
        }
        self.states = if next.is_empty() { states } else { next };
        Step::Unexplained { proved, instead }
    }

    /// The states after a step from one of `states` in which the role saw `seen`, and one such step.
    fn successors(
        &mut self,
        rules: &dyn Reasoner,
        states: &[State],
        seen: &Seen,
        until: Instant,
    ) -> (Vec<State>, Option<Joint>) {
        let mut memo = Memo::default();
        let each = (WORK / states.len().max(1)).max(1);
        let mut first = None;
        let mut next = HashSet::new();
        // A step without known percepts must be made in any case. One state is enough for it.
        let late = |seen: &Seen| seen.percepts.is_some() && deadline::look();
        for state in states {
            if !next.is_empty() && Instant::now() >= until || late(seen) {
                self.exact = false;
                break;
            }
            let (joints, all) = self.joints(rules, state, seen.own, each);
            self.exact &= all;
            for joint in joints {
                if late(seen) {
                    self.exact = false;
                    break;
                }
                if memo.agrees(rules, state, &joint, self.role, seen) {
                    let mut after = state.clone();
                    rules.advance(&mut after, &joint);
                    next.insert(after);
                    if first.is_none() {
                        first = Some((state.clone(), joint));
                    }
                }
            }
        }
        let mut next = sorted(next);
        if next.len() > CAP {
            self.exact = false;
            self.rng.shuffle(&mut next);
            next.truncate(CAP);
        }
        (next, first)
    }

    /// The match goes on: drops the final states, unless all states are final.
    pub(crate) fn goes_on(&mut self, rules: &dyn Reasoner) {
        let open = |state: &State| !rules.terminal(state);
        if self.states.iter().any(open) {
            self.states.retain(open);
        }
    }

    /// The role's moves that are legal in all possible states. Where no move is legal in all of them (the rules
    /// are not well-formed), the moves that are legal in the first.
    pub(crate) fn legal(&self, rules: &dyn Reasoner) -> Vec<u32> {
        let mut states = self.states.iter();
        let (mut common, mut here) = (Vec::new(), Vec::new());
        if let Some(first) = states.next() {
            rules.legal(first, self.role, &mut common);
        }
        let first = common.clone();
        for state in states {
            // Most states agree: with little time the first ones must do.
            if deadline::look() {
                break;
            }
            here.clear();
            rules.legal(state, self.role, &mut here);
            common.retain(|mv| here.contains(mv));
        }
        if common.is_empty() { first } else { common }
    }

    /// At most `most` joint moves with the role's own move, and whether these are all. The list is empty if the own
    /// move is not legal.
    fn joints(
        &mut self,
        rules: &dyn Reasoner,
        state: &State,
        own: u32,
        most: usize,
    ) -> (Vec<Vec<u32>>, bool) {
        if rules.terminal(state) {
            return (Vec::new(), true);
        }
        let mut options: Vec<Vec<u32>> = Vec::new();
        for role in 0..rules.roles().len() {
            let mut legal = Vec::new();
            rules.legal(state, role, &mut legal);
            if role == self.role {
                legal.retain(|&mv| mv == own);
            }
            options.push(legal);
        }
        let count = options.iter().fold(1usize, |n, legal| n.saturating_mul(legal.len()));
        if count <= most {
            let all = (0..count).map(|mut i| {
                let digit = |legal: &Vec<u32>| {
                    let mv = legal[i % legal.len()];
                    i /= legal.len();
                    mv
                };
                options.iter().map(digit).collect()
            });
            return (all.collect(), true);
        }
        let rng = &mut self.rng;
        let mut draw = || options.iter().map(|legal| legal[rng.index(legal.len())]).collect();
        ((0..most).map(|_| draw()).collect(), false)
    }

    /// Replays the match from the start with random moves of the other roles. Returns the states found, a last step
    /// to one of them, and whether it is certain that no state exists.
    fn regrow(
        &mut self,
        rules: &dyn Reasoner,
        until: Instant,
    ) -> (Vec<State>, Option<Joint>, bool) {
        let history = self.history.clone();
        let mut memo: Vec<Memo> = history.iter().map(|_| Memo::default()).collect();
        let mut found = HashSet::new();
        let mut last = None;
        let mut all = true;
        // Replays in a row that led to a known state. After many of them there are hardly other states.
        let mut vain = 0;
        while found.len() < REGROWN && vain < VAIN && Instant::now() < until {
            // Depth-first search: the states on the way, each with the joint moves still to be tried.
            let start = rules.start();
            let first = self.shuffled(rules, &start, &history, 0, &mut all);
            let mut way = vec![(start, first)];
            let mut end = None;
            while let Some((_, joints)) = way.last_mut() {
                if Instant::now() >= until {
                    break;
                }
                let Some(joint) = joints.pop() else {
                    way.pop();
                    continue;
                };
                let depth = way.len() - 1;
                let (state, _) = &way[depth];
                if !memo[depth].agrees(rules, state, &joint, self.role, &history[depth]) {
                    continue;
                }
                let mut after = state.clone();
                rules.advance(&mut after, &joint);
                if depth + 1 == history.len() {
                    end = Some((after, (state.clone(), joint)));
                    break;
                }
                let joints = self.shuffled(rules, &after, &history, depth + 1, &mut all);
                way.push((after, joints));
            }
            let Some((state, how)) = end else {
                let none = found.is_empty() && way.is_empty() && all;
                return (sorted(found), last, none);
            };
            vain = if found.insert(state) { 0 } else { vain + 1 };
            last.get_or_insert(how);
        }
        (sorted(found), last, false)
    }

    /// The joint moves with the role's own move in random order. `all` becomes false where they are too many to list.
    fn shuffled(
        &mut self,
        rules: &dyn Reasoner,
        state: &State,
        history: &[Seen],
        depth: usize,
        all: &mut bool,
    ) -> Vec<Vec<u32>> {
        let (mut joints, complete) = self.joints(rules, state, history[depth].own, 4096);
        *all &= complete;
        self.rng.shuffle(&mut joints);
        joints
    }
}

/// Puts the states in order. The order of a hash set differs from run to run; luck must come from the seed alone.
fn sorted(states: HashSet<State>) -> Vec<State> {
    let mut states: Vec<State> = states.into_iter().collect();
    states.sort_unstable();
    states
}

/// A cache: is this percept of the engine among the percepts that were seen?
#[derive(Default)]
struct Memo {
    known: HashMap<u32, bool>,
    pad: Vec<u32>,
}

impl Memo {
    /// Does `joint` in `state` give the role exactly the percepts of `seen`?
    fn agrees(
        &mut self,
        rules: &dyn Reasoner,
        state: &State,
        joint: &[u32],
        role: usize,
        seen: &Seen,
    ) -> bool {
        let Some(percepts) = &seen.percepts else { return true };
        self.pad.clear();
        rules.sees(state, joint, role, &mut self.pad);
        let known = &mut self.known;
        self.pad.len() == percepts.len()
            && self.pad.iter().all(|&percept| {
                *known.entry(percept).or_insert_with(|| {
                    percepts.contains(&normal_text(&rules.percept_text(percept)))
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::game::{GdlGame, Options};
    use std::time::Duration;

    /// A hidden number from 1 to 4, and a question whether it is at least n.
    const RULES: &str = "(role a) (role random) (n 1) (n 2) (n 3) (n 4)
        (ge 1 1) (ge 2 1) (ge 2 2) (ge 3 1) (ge 3 2) (ge 3 3) (ge 4 1) (ge 4 2) (ge 4 3) (ge 4 4)
        (init fresh)
        (<= (legal random (pick ?n)) (true fresh) (n ?n))
        (<= (legal random noop) (not (true fresh)))
        (<= (legal a noop) (true fresh))
        (<= (legal a (ask ?n)) (not (true fresh)) (n ?n))
        (<= (next (is ?n)) (does random (pick ?n)))
        (<= (next (is ?n)) (true (is ?n)))
        (<= (next (asked ?n)) (does a (ask ?n)))
        (<= (sees a yes) (does a (ask ?n)) (true (is ?m)) (ge ?m ?n))
        (<= terminal (true (asked 1)))
        (<= (goal a 100) terminal) (goal random 0)";

    fn explained(step: Step) -> bool {
        matches!(step, Step::Explained(_))
    }

    fn number(rules: &dyn Reasoner, state: &State, text: &str) -> u32 {
        rules.find_move(state, 0, text).expect("a legal move")
    }

    #[test]
    fn percepts_narrow_the_states_and_legal_moves_are_common() {
        let game = GdlGame::load("kif:ask", RULES, &Options::default()).expect("rules");
        let rules = game.reasoner();
        let until = Instant::now() + Duration::from_secs(20);
        let mut belief = Belief::new(rules, 0, Seed(1));
        let noop = number(rules, &rules.start(), "noop");
        assert!(explained(belief.step(rules, noop, &[], until)));
        assert_eq!(belief.states().len(), 4);
        assert_eq!(belief.legal(rules).len(), 4);
        let ask = number(rules, &belief.states()[0], "(ask 3)");
        assert!(explained(belief.step(rules, ask, &["YES".into()], until)));
        assert_eq!(belief.states().len(), 2);
        assert!(belief.exact);
    }

    #[test]
    fn percepts_that_contradict_the_rules_are_left_out_and_the_match_goes_on() {
        let game = GdlGame::load("kif:ask", RULES, &Options::default()).expect("rules");
        let rules = game.reasoner();
        let until = Instant::now() + Duration::from_secs(20);
        for sample in [false, true] {
            let mut belief = Belief::new(rules, 0, Seed(1));
            // No state explains it, whether by the full set or by replays from the start.
            belief.exact = !sample;
            let noop = number(rules, &rules.start(), "noop");
            let Step::Unexplained { proved, instead } =
                belief.step(rules, noop, &["(what ever)".into()], until)
            else {
                panic!("nothing explains it");
            };
            assert!(proved);
            assert_eq!(instead.expect("a step").1.len(), 2);
            // One step on: the role may ask.
            assert_eq!(belief.states().len(), 4);
            assert_eq!(belief.legal(rules).len(), 4);
            // Later percepts count again.
            let ask = number(rules, &belief.states()[0], "(ask 3)");
            assert!(explained(belief.step(rules, ask, &["yes".into()], until)));
            assert_eq!(belief.states().len(), 2);
            belief.states.clear();
            assert!(explained(belief.step(rules, ask, &["yes".into()], until)), "by replay");
            assert_eq!(belief.states().len(), 2);
        }
    }

    #[test]
    fn without_time_a_sample_proves_nothing() {
        let game = GdlGame::load("kif:ask", RULES, &Options::default()).expect("rules");
        let rules = game.reasoner();
        let mut belief = Belief::new(rules, 0, Seed(1));
        belief.exact = false;
        let noop = number(rules, &rules.start(), "noop");
        let step = belief.step(rules, noop, &["lie".into()], Instant::now());
        assert!(matches!(step, Step::Unexplained { proved: false, instead: Some(_) }), "{step:?}");
    }

    #[test]
    fn a_sample_that_died_out_grows_again_by_replay() {
        let game = GdlGame::load("kif:ask", RULES, &Options::default()).expect("rules");
        let rules = game.reasoner();
        let until = Instant::now() + Duration::from_secs(20);
        let mut belief = Belief::new(rules, 0, Seed(1));
        let noop = number(rules, &rules.start(), "noop");
        belief.step(rules, noop, &[], until);
        // Only the state with 1 was kept, and then 4 turns out to be possible alone.
        belief.states.retain(|s| rules.facts(s).contains(&"(is 1)".to_string()));
        belief.exact = false;
        let ask = number(rules, &belief.states()[0], "(ask 4)");
        assert!(explained(belief.step(rules, ask, &["yes".into()], until)));
        assert_eq!(belief.states().len(), 1);
        assert!(rules.facts(&belief.states()[0]).contains(&"(is 4)".to_string()));
        assert!(!belief.exact);
    }
}
