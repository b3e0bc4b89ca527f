//! A plain referee and a plain solver: slow and obvious, the oracle of the other tests.
#![allow(dead_code, reason = "each test file uses a part")]

use ludex_agents::{Agent, AgentSpec, Budget, Choice};
use ludex_core::{AnyGame, AnyState, Game, Match, Move, Player, Rng, Seed, Turn};
use std::collections::HashMap;

pub(crate) fn spec(text: &str) -> AgentSpec {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A game from a rule sheet.
pub(crate) fn gdl(rules: &str) -> AnyGame {
    let game = ludex_gdl::game::GdlGame::load("kif:test", rules, &Default::default());
    AnyGame::new(game.unwrap_or_else(|e| panic!("{e}")))
}

/// One player, three switches, all of which must be on; five steps.
pub(crate) const PUZZLE: &str = "(role robot) (switch a) (switch b) (switch c)
    (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal robot (press ?s)) (switch ?s))
    (<= (next (on ?s)) (does robot (press ?s)) (not (true (on ?s))))
    (<= (next (on ?s)) (true (on ?s)) (not (does robot (press ?s))))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= all (true (on a)) (true (on b)) (true (on c)))
    (<= terminal all) (<= terminal (true (step 4)))
    (<= (goal robot 100) all) (<= (goal robot 20) (not all))";

/// Rock, paper, scissors in which rock wins double.
pub(crate) const BIASED_RPS: &str = "(role a) (role b) (init begin)
    (tool rock) (tool paper) (tool scissors)
    (<= (legal ?r ?t) (role ?r) (tool ?t))
    (<= (next (played ?r ?t)) (does ?r ?t))
    (<= over (true (played a ?t))) (<= terminal over)
    (<= (pay rock scissors 100)) (<= (pay scissors rock 0))
    (<= (pay paper rock 75)) (<= (pay rock paper 25))
    (<= (pay scissors paper 75)) (<= (pay paper scissors 25))
    (<= (pay ?t ?t 50) (tool ?t))
    (<= (goal a ?n) (true (played a ?x)) (true (played b ?y)) (pay ?x ?y ?n))
    (<= (goal b ?n) (true (played a ?x)) (true (played b ?y)) (pay ?y ?x ?n))";

/// Three players, two rounds of bids at once, for whoever bids highest alone; then a die decides
/// whether the prize is real.
pub(crate) const AUCTION: &str = "(role a) (role b) (role c) (role random) (init (round 1))
    (bid 1) (bid 2) (bid 3) (player a) (player b) (player c)
    (<= (legal ?p (bid ?n)) (player ?p) (bid ?n) (true (round 1)))
    (<= (legal ?p wait) (player ?p) (true (round 2)))
    (<= (legal random wait) (true (round 1)))
    (<= (legal random real) (true (round 2))) (<= (legal random fake) (true (round 2)))
    (<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2)))
    (<= (next (offer ?p ?n)) (does ?p (bid ?n)))
    (<= (next (offer ?p ?n)) (true (offer ?p ?n)))
    (<= (next real) (does random real))
    (more 2 1) (more 3 1) (more 3 2)
    (<= (beaten ?p) (true (offer ?p ?n)) (true (offer ?q ?m)) (distinct ?p ?q) (more ?m ?n))
    (<= (beaten ?p) (true (offer ?p ?n)) (true (offer ?q ?n)) (distinct ?p ?q))
    (<= terminal (true (round 3)))
    (<= (goal ?p 100) (player ?p) (true real) (not (beaten ?p)))
    (<= (goal ?p 50) (player ?p) (true real) (beaten ?p) (true (offer ?p 1)))
    (<= (goal ?p 0) (player ?p) (true real) (beaten ?p) (not (true (offer ?p 1))))
    (<= (goal ?p 30) (player ?p) (not (true real)))
    (<= (goal random 0))";

pub(crate) fn legal(game: &AnyGame, state: &AnyState, player: Player) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    moves
}

/// Asks a fresh agent for one move in `state`.
pub(crate) fn ask(name: &str, game: &AnyGame, state: &AnyState, seed: Seed) -> Choice {
    let Some(seat) = game.turn(state).movers().iter().next() else { panic!("nobody moves") };
    let mut mind = spec(name).build(game, seat, seed).unwrap();
    ask_mind(&mut *mind, game, state, seat)
}

pub(crate) fn ask_mind(
    mind: &mut dyn Agent<AnyGame>,
    game: &AnyGame,
    state: &AnyState,
    seat: Player,
) -> Choice {
    let here = Match::at(game, state.clone());
    let mut pad = Vec::new();
    let view = here.view(seat, &mut pad);
    let choice = mind.choose(game, &view, &Budget::default()).unwrap();
    assert!(view.legal().contains(&choice.mv), "{} chose an illegal move", mind.name());
    choice
}

/// Plays a game between agents, one a seat; returns the payoffs.
pub(crate) fn play(game: &AnyGame, names: &[&str], seed: Seed) -> Vec<f32> {
    let mut minds: Vec<_> = (0..game.info().seats())
        .map(|p| {
            let seed = seed.named("seat").child(p as u64);
            spec(names[p]).build(game, Player(p as u8), seed).unwrap()
        })
        .collect();
    let mut rng = seed.named("chance").rng();
    let mut play = Match::new(game);
    let mut pad = Vec::new();
    loop {
        let joint: Vec<Move> = match play.turn() {
            Turn::Over => break,
            Turn::Chance => vec![play.sample_chance(&mut rng)],
            turn => {
                let mut ask = |seat: Player| {
                    let view = play.view(seat, &mut pad);
                    minds[seat.index()].choose(game, &view, &Budget::sims(50)).unwrap().mv
                };
                turn.movers().iter().map(&mut ask).collect()
            }
        };
        play.try_apply(&joint).unwrap();
    }
    play.payoffs().unwrap()
}

/// The first player's payoff under best play of both, by plain minimax over the whole tree;
/// positions are remembered by hash.
pub(crate) fn solve(game: &AnyGame, state: &AnyState, known: &mut HashMap<u64, f32>) -> f32 {
    let player = match game.turn(state) {
        Turn::Over => {
            let mut payoffs = [0.0; 2];
            game.payoffs(state, &mut payoffs);
            return payoffs[0];
        }
        Turn::One(player) => player,
        other => panic!("not for {other:?}"),
    };
    let key = game.hash(state);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let values = legal(game, state, player).into_iter().map(|mv| {
        let mut next = state.clone();
        game.apply(&mut next, &[mv]);
        solve(game, &next, known)
    });
    let value =
        if player == Player(0) { values.fold(0.0, f32::max) } else { values.fold(1.0, f32::min) };
    known.insert(key, value);
    value
}

/// [`solve`] as the mover sees it.
pub(crate) fn solve_for_mover(
    game: &AnyGame,
    state: &AnyState,
    known: &mut HashMap<u64, f32>,
) -> f32 {
    let value = solve(game, state, known);
    if game.turn(state) == Turn::One(Player(0)) { value } else { 1.0 - value }
}

/// The value, for the player who makes it, of a move.
pub(crate) fn value_of_move(
    game: &AnyGame,
    state: &AnyState,
    mv: Move,
    known: &mut HashMap<u64, f32>,
) -> f32 {
    let mut next = state.clone();
    game.apply(&mut next, &[mv]);
    let value = solve(game, &next, known);
    if game.turn(state) == Turn::One(Player(0)) { value } else { 1.0 - value }
}

/// A position of `plies` random moves from the start that is not over.
pub(crate) fn random_position(game: &AnyGame, plies: u32, rng: &mut Rng) -> AnyState {
    loop {
        let mut state = game.start();
        for _ in 0..plies {
            let Turn::One(player) = game.turn(&state) else { break };
            let moves = legal(game, &state, player);
            game.apply(&mut state, &[moves[rng.index(moves.len())]]);
        }
        if !game.is_over(&state) {
            return state;
        }
    }
}

/// A random end position: the two kings and one or two more pieces on different squares (no
/// pawn on the first or last row), no king that the mover can take at once, either side to move.
/// The game must be a draw after a few quiet half-moves, so that its tree can be searched whole.
pub(crate) fn random_ending(game: &AnyGame, rng: &mut Rng) -> AnyState {
    loop {
        let mut board = ['.'; 20];
        let extra = 1 + rng.index(2);
        let mut pieces = vec!['K', 'k'];
        pieces.extend((0..extra).map(|_| ['P', 'R', 'Q', 'p', 'r', 'q'][rng.index(6)]));
        let mut fits = true;
        for piece in pieces {
            let square = rng.index(20);
            let edge = !(4..16).contains(&square) && piece.eq_ignore_ascii_case(&'p');
            fits &= board[square] == '.' && !edge;
            board[square] = piece;
        }
        let rows: Vec<String> = board.chunks(4).map(|row| row.iter().collect()).collect();
        let side = if rng.below(2) == 0 { "w" } else { "b" };
        let text = format!("{} {side} 0", rows.join("/"));
        let Ok(state) = game.parse_position(&text) else { continue };
        let Turn::One(player) = game.turn(&state) else { continue };
        let takes_king = legal(game, &state, player).into_iter().any(|mv| {
            let mut next = state.clone();
            game.apply(&mut next, &[mv]);
            let mut payoffs = [0.0; 2];
            if game.is_over(&next) {
                game.payoffs(&next, &mut payoffs);
            }
            payoffs[player.index()] == 1.0
        });
        if fits && !takes_king {
            return state;
        }
    }
}
