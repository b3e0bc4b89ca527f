//! Where rules hide something, the order of turns tells nobody how many choices others had.

use ludex_core::perft::choices;
use ludex_core::{Game, Match, Move, Player, Record, Seed, Turn};
use ludex_gdl::game::{Engine, GdlGame, Options};

/// In step 2 the player chooses while chance draws a ball: from two where the coin (step 1, unseen) fell on
/// heads, else from one. In step 3 the other player has a choice on heads only. Nothing of this is seen.
const RULES: &str = "
    (role a) (role b) (role random) (side heads) (side tails) (ball red) (ball blue)
    (next2 1 2) (next2 2 3) (next2 3 4)
    (init (step 1))
    (<= (base (step 1))) (<= (base (step ?n)) (next2 ?m ?n)) (<= (base (coin ?s)) (side ?s))
    (<= (legal random (toss ?s)) (true (step 1)) (side ?s))
    (<= (legal random (draw red)) (true (step 2)))
    (<= (legal random (draw blue)) (true (step 2)) (true (coin heads)))
    (<= (legal random noop) (true (step 3)))
    (<= (legal a (guess ?s)) (true (step 2)) (side ?s))
    (<= (legal a noop) (not (true (step 2))))
    (<= (legal b noop) (role b))
    (<= (legal b pass) (true (step 3)) (true (coin heads)))
    (<= (next (coin ?s)) (does random (toss ?s)))
    (<= (next (coin ?s)) (true (coin ?s)))
    (<= (next (step ?m)) (true (step ?n)) (next2 ?n ?m))
    (<= (sees a started) (true (step 1)))
    (<= (sees b started) (true (step 1)))
    (<= terminal (true (step 4)))
    (goal a 50) (goal b 50) (goal random 50)";

/// What a player lived in a match in which chance draws its first or last outcome.
fn life(game: &GdlGame, player: Player, last: bool) -> Vec<Record> {
    let mut play = Match::new(game);
    while !play.is_over() {
        let lists = choices(game, play.state(), play.turn());
        let chance = play.turn() == Turn::Chance;
        let pick = |list: &Vec<Move>| if chance && last { list[list.len() - 1] } else { list[0] };
        let joint: Vec<Move> = lists.iter().map(pick).collect();
        play.try_apply(&joint).unwrap();
    }
    play.records(player).to_vec()
}

#[test]
fn records_do_not_tell_whether_chance_or_another_player_had_a_choice() {
    for engine in [Engine::Lanes, Engine::Single, Engine::Joins, Engine::Naive] {
        let options = Options { engine: Some(engine), ..Options::default() };
        let game = GdlGame::load("kif:coin", RULES, &options).unwrap();
        // The player's own records are the same in both worlds.
        assert_eq!(life(&game, Player(0), false), life(&game, Player(0), true), "{engine:?}");
        assert_eq!(life(&game, Player(0), false).len(), 6, "two a step");
    }
}

#[test]
fn chance_has_no_turn_of_its_own_where_it_never_chooses_with_players() {
    let rules = "
        (role a) (role random) (n 1) (n 2) (init start)
        (<= (legal random (hide ?n)) (true start) (n ?n)) (<= (legal random noop) (not (true start)))
        (<= (legal a (name ?n)) (not (true start)) (n ?n)) (<= (legal a noop) (true start))
        (<= (next (is ?n)) (does random (hide ?n))) (<= (next (is ?n)) (true (is ?n)))
        (<= (next over) (does a (name ?n)))
        (<= (sees a go) (true start))
        (<= terminal (true over)) (goal a 100) (goal random 0)";
    let game = GdlGame::load("kif:name", rules, &Options::default()).unwrap();
    let mut state = game.start();
    let mut rng = Seed(1).rng();
    let outcome = game.sample_chance(&state, &mut rng);
    game.try_apply(&mut state, &[outcome]).unwrap();
    assert_eq!(game.turn(&state), Turn::One(Player(0)));
    let mut moves = Vec::new();
    game.moves(&state, Player(0), &mut moves);
    game.try_apply(&mut state, &moves[..1]).unwrap();
    assert_eq!(game.turn(&state), Turn::Over);
}
