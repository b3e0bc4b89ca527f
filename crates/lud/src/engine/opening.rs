//! The start of a game: rules in turn, some of which scatter pieces by chance.

use super::context::{Context, Pad};
use super::functions::{Int, Region};
use super::moves::Generator;
use super::node::{self, Field, Node, node};
use super::perform::perform;
use super::play::Lud;
use super::sites::Sites;
use super::state::State;
use super::{Action, Registers};

/// A rule of the start.
pub(crate) enum Opening {
    /// A rule, which may ask chance for numbers.
    Rule(Generator),
    /// Pieces that lie anywhere.
    Scatter(Scatter),
}

node! {
    /// Pieces on sites that chance chooses, one after the other.
    pub(crate) struct Scatter = "place Random", reads CELLS, writes CELLS | STATES | VALUES {
        pub(crate) region: Region,
        pub(crate) whats: Vec<u16>,
        pub(crate) count: Int,
        pub(crate) state: Option<Int>,
        pub(crate) value: Option<Int>,
    }
}

impl Field for Opening {
    fn show(&self, out: &mut String) {
        self.nodes(&mut |node| node::show(node, out));
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        match self {
            Opening::Rule(rule) => visit(&**rule),
            Opening::Scatter(scatter) => visit(scatter),
        }
    }
}

impl Scatter {
    /// How many pieces there are of each kind.
    fn each(&self, c: &mut Context<'_>) -> usize {
        self.count.get(c).clamp(0, 10_000) as usize
    }

    /// The empty sites of its region.
    fn sites(&self, c: &mut Context<'_>) -> Sites {
        let mut sites = c.sites();
        self.region.fill(c, &mut sites);
        sites.keep(c.state.empty(c.rules.layout));
        sites
    }
}

impl Lud {
    /// Does chance decide how the game begins?
    pub fn scatters(&self) -> bool {
        let draws = |rule: &Opening| node::touched_by(rule).0.has(node::Parts::DRAWS);
        self.rules.start.iter().any(|rule| matches!(rule, Opening::Scatter(_)) || draws(rule))
    }

    /// Follows a rule of the start, unless chance has to draw a number first, which is between the two given back. Then
    /// nothing is changed.
    fn follow(&self, state: &mut State, pad: &mut Pad, rule: &Generator) -> Option<(i32, i32)> {
        let mut c = self.context(state, pad);
        let mut out = c.moves();
        rule.generate(&mut c, &mut out);
        let wants = c.wants;
        if wants.is_none() {
            c.state.tape.clear();
            for &action in &out.actions {
                perform(&self.equipment, &self.rules, c.state, action);
            }
        }
        c.free_moves(out);
        wants
    }

    /// The numbers between which chance has to draw before a rule of the start can be followed.
    fn wanted(&self, state: &State, pad: &mut Pad, rule: &Generator) -> Option<(i32, i32)> {
        let mut copy = std::mem::take(&mut pad.copy);
        copy.clone_from(state);
        let wanted = self.follow(&mut copy, pad, rule);
        pad.copy = copy;
        wanted
    }

    /// Goes on with the start up to the next piece that chance places.
    pub fn open(&self, state: &mut State, pad: &mut Pad) {
        if let Some(lud) = self.stage(state) {
            return lud.open(state, pad);
        }
        while let Some(at) = usize::from(state.s.opening).checked_sub(1) {
            let mut c = self.context(state, pad);
            match self.rules.start.get(at) {
                None => {
                    c.state.s.opening = 0;
                    super::repeat::remember_start(&mut c);
                    return;
                }
                Some(Opening::Rule(rule)) => {
                    if self.follow(state, pad, rule).is_some() {
                        return;
                    }
                }
                Some(Opening::Scatter(scatter)) => {
                    let all = scatter.each(&mut c) * scatter.whats.len();
                    if c.wants.is_some() {
                        return;
                    }
                    let sites = scatter.sites(&mut c);
                    let more = usize::from(c.state.s.placed) < all && !sites.is_empty();
                    c.free(sites);
                    if more {
                        return;
                    }
                    c.state.s.placed = 0;
                    c.state.tape.clear();
                }
            }
            state.s.opening += 1;
        }
    }

    /// The outcomes of the next draw of the start, all equally likely: the sites for the next piece. Where a rule draws a
    /// number, an outcome is the difference between this number and the least possible one.
    pub fn scatter_sites(&self, state: &mut State, pad: &mut Pad, out: &mut Vec<i32>) {
        if let Some(lud) = self.stage(state) {
            return lud.scatter_sites(state, pad, out);
        }
        out.clear();
        let at = usize::from(state.s.opening).checked_sub(1);
        if let Some(Opening::Rule(rule)) = at.and_then(|at| self.rules.start.get(at)) {
            if let Some((least, most)) = self.wanted(state, pad, rule) {
                out.extend(0..=most - least);
            }
            return;
        }
        if let Some(Opening::Scatter(scatter)) = at.and_then(|at| self.rules.start.get(at)) {
            let mut c = self.context(state, pad);
            scatter.each(&mut c);
            match c.wants {
                Some((least, most)) => out.extend(0..=most - least),
                None => {
                    let sites = scatter.sites(&mut c);
                    out.extend(sites.iter());
                    c.free(sites);
                }
            }
        }
    }

    /// The kind of the piece that chance is to place.
    pub fn scattered(&self, state: &mut State, pad: &mut Pad) -> Option<u16> {
        if let Some(lud) = self.stage(state) {
            return lud.scattered(state, pad);
        }
        let at = usize::from(state.s.opening).checked_sub(1)?;
        let Some(Opening::Scatter(scatter)) = self.rules.start.get(at) else { return None };
        let placed = usize::from(state.s.placed);
        let mut c = self.context(state, pad);
        let each = scatter.each(&mut c).max(1);
        if c.wants.is_some() {
            return None;
        }
        scatter.whats.get(placed / each).copied()
    }

    /// Chance places the next piece of the start, or draws a number for a rule.
    pub fn scatter(&self, state: &mut State, pad: &mut Pad, to: i32) {
        if let Some(lud) = self.stage(state) {
            return lud.scatter(state, pad, to);
        }
        let rule =
            usize::from(state.s.opening).checked_sub(1).and_then(|at| self.rules.start.get(at));
        if let Some(Opening::Rule(rule)) = rule {
            if let Some((least, _)) = self.wanted(state, pad, rule) {
                state.tape.push(least.saturating_add(to));
            }
            return self.open(state, pad);
        }
        let Some(what) = self.scattered(state, pad) else {
            // The number of pieces is drawn first.
            if let Some(Opening::Scatter(scatter)) = rule {
                let mut c = self.context(state, pad);
                scatter.each(&mut c);
                if let Some((least, _)) = c.wants {
                    state.tape.push(least.saturating_add(to));
                    self.open(state, pad);
                }
            }
            return;
        };
        let at = usize::from(state.s.opening) - 1;
        let Some(Opening::Scatter(scatter)) = self.rules.start.get(at) else { return };
        let mut c = self.context(state, pad);
        let here = Registers { to, site: to, ..c.at };
        let mut number = |f: &Option<Int>| {
            let f = f.as_ref()?;
            Some(c.with(here, |c| f.get(c)) as i16)
        };
        let (local, value) = (number(&scatter.state), number(&scatter.value));
        let add = Action::Add { to, what, count: 1, state: local.unwrap_or(0), stack: false };
        let value = value.map(|value| Action::Value { at: to, level: -1, value });
        for action in std::iter::once(add).chain(value) {
            perform(&self.equipment, &self.rules, state, action);
        }
        state.s.placed += 1;
        self.open(state, pad);
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Game, Turn};

    use crate::game::LudGame;
    use crate::source::Text;
    use crate::tree;

    fn game() -> LudGame {
        let text = Text::of_file(
            0,
            "(game \"Strewn\" (players 2)
                (equipment {(board (square 3)) (piece \"Disc\" Each)})
                (rules (start {
                    (place \"Disc1\" 0) (place Random {\"Disc2\"} count:2) (place \"Disc1\" 8)
                }) (play (move Add (to (sites Empty))))
                (end (if (is Line 3) (result Mover Win)))))",
        );
        LudGame::new("strewn", &tree::game(&text).0.expect("a tree")).expect("a game")
    }

    #[test]
    fn chance_places_pieces_one_by_one_on_empty_sites() {
        let game = game();
        let mut position = game.start();
        for empty in [8, 7] {
            assert_eq!(game.turn(&position), Turn::Chance);
            let mut outcomes = Vec::new();
            game.chances(&position, &mut outcomes);
            assert_eq!(outcomes.len(), empty);
            let sum: f64 = outcomes.iter().map(|(_, chance)| chance).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            assert!(game.move_text(outcomes[0].0).starts_with("place:"));
            game.apply(&mut position, &[outcomes[0].0]);
        }
        assert!(matches!(game.turn(&position), Turn::One(_)));
        let mut moves = Vec::new();
        game.moves(&position, ludex_core::Player(0), &mut moves);
        assert_eq!(moves.len(), 5);
    }

    #[test]
    fn a_start_that_waits_for_chance_can_be_written_and_read() {
        let game = game();
        let mut position = game.start();
        let mut outcomes = Vec::new();
        game.chances(&position, &mut outcomes);
        game.apply(&mut position, &[outcomes[3].0]);
        let text = game.position(&position);
        let again = game.parse_position(&text).expect("readable");
        assert_eq!(game.position(&again), text);
        assert_eq!(game.turn(&again), Turn::Chance);
        assert_eq!(game.hash(&again), game.hash(&position));
    }
}
