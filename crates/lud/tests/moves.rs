//! Moves and effects that few or no recorded games show, on small games.

#[path = "common/small.rs"]
mod small;

use ludex_lud::engine::{Lud, State};
use small::{legal, load};

/// Makes the first legal move to a site.
fn play(game: &Lud, state: &mut State, to: i32) {
    small::play(game, state, Some(to));
}

/// A game of one or more players on a board of squares.
fn game(players: u32, equipment: &str, rules: &str) -> Lud {
    let text = format!(
        "(game \"Moves\" (players {players}) (equipment {{{equipment}}})
            (rules {rules} (end (if (= 99 (count Moves)) (result Mover Win)))))"
    );
    load(&text).expect("a game")
}

/// The pieces on some sites.
fn whats(state: &State, sites: &[usize]) -> Vec<u16> {
    sites.iter().map(|&site| state.cells[site].what).collect()
}

#[test]
fn levels_are_gone_through_from_the_top() {
    let score = |direction: &str| {
        let game = game(
            1,
            "(board (square 3)) (piece \"A\" P1) (piece \"B\" P1)",
            &format!(
                "(start (place Stack items:{{\"A1\" \"B1\"}} 0))
                 (play (move Select (from (sites {{0}})) (then (forEach Level (last To) {direction}
                    (set Var \"What\" (what at:(last To) level:(level)))))))"
            ),
        );
        let mut state = game.start();
        play(&game, &mut state, 0);
        state.numbers[game.layout().var(0)]
    };
    // The last one is what stays.
    assert_eq!([score(""), score("FromTop"), score("FromBottom")], [1, 1, 2]);
}

#[test]
fn pieces_are_attracted_in_order() {
    let game = game(
        1,
        "(board (square 5)) (piece \"A\" P1) (piece \"B\" P1)",
        "(start {(place \"A1\" {3 14}) (place \"B1\" 4)})
         (play (move Add (piece \"A1\") (to (sites {0 10})) (then (attract Orthogonal))))",
    );
    let mut state = game.start();
    play(&game, &mut state, 0);
    assert_eq!(whats(&state, &[0, 1, 2, 3, 4]), [1, 1, 2, 0, 0]);
    play(&game, &mut state, 10);
    assert_eq!(whats(&state, &[10, 11, 14]), [1, 1, 0]);
}

#[test]
fn control_is_taken_of_pieces_and_not_of_what_is_known_of_them() {
    let game = game(
        2,
        "(board (square 3)) (piece \"A\" Each) (piece \"B\" Each)",
        "(start {(place \"A2\" {0 1} state:3) (place \"B1\" 2)})
         (play (move Select (from (sites {0})) (then (take Control of:P2 by:Mover at:(last To)))))",
    );
    let mut state = game.start();
    play(&game, &mut state, 0);
    assert_eq!(whats(&state, &[0, 1, 2]), [1, 2, 3]);
    assert_eq!(state.cells[0].state, 3);
}

#[test]
fn moves_that_lead_to_the_position_in_mind_are_none() {
    let game = game(
        1,
        "(board (square 2)) (piece \"A\" P1 (move Step Orthogonal (to if:(is Empty (to)))))",
        "(start (place \"A1\" 0))
         (play (if (= 0 (count Moves)) (move Select (from (sites {0})) (then (remember State)))
            (avoidStoredState (forEach Piece))))",
    );
    let mut state = game.start();
    play(&game, &mut state, 0);
    play(&game, &mut state, 1);
    assert_eq!(legal(&game, &mut state), [(1, 3)], "not back to 0");
}

#[test]
fn as_many_are_flanked_as_is_said() {
    let taken = |range: &str| {
        let game = game(
            2,
            "(board (rectangle 1 6)) (piece \"A\" Each)",
            &format!(
                "(start {{(place \"A2\" {{1 2}}) (place \"A1\" {{3}})}})
                 (play (move Add (to (sites {{0}})) (then (custodial (between {range}
                    if:(is Enemy (who at:(between))) (apply (remove (between))))))))"
            ),
        );
        let mut state = game.start();
        play(&game, &mut state, 0);
        whats(&state, &[1, 2])
    };
    assert_eq!(taken(""), [0, 0]);
    assert_eq!(taken("(exact 2)"), [0, 0]);
    assert_eq!(taken("(range 2 3)"), [0, 0]);
    assert_eq!(taken("(max 1)"), [2, 2]);
    assert_eq!(taken("(exact 3)"), [2, 2]);
    assert_eq!(taken("(min 3)"), [2, 2]);
}

#[test]
fn all_that_applies_has_its_consequences() {
    let game = game(
        1,
        "(board (square 3)) (piece \"A\" P1)",
        "(play (move Add (to (sites {0}) (apply (and
            (set Var \"X\" 1 (then (set Var \"Y\" 2))) (set Var \"Z\" 3 (then (set Var \"W\" 4))))))))",
    );
    let mut state = game.start();
    play(&game, &mut state, 0);
    let mut vars = [0, 1, 2, 3].map(|var| state.numbers[game.layout().var(var)]);
    vars.sort_unstable();
    assert_eq!(vars, [1, 2, 3, 4]);
}

#[test]
fn one_of_several_pieces_is_added() {
    let game = game(
        2,
        "(board (square 3)) (piece \"A\" Each) (piece \"B\" Each)",
        "(play (move Add (piece {\"A\" \"B\"}) (to (sites {0 1}))))",
    );
    let mut state = game.start();
    assert_eq!(legal(&game, &mut state), [(0, 0), (1, 1), (0, 0), (1, 1)]);
    play(&game, &mut state, 0);
    assert_eq!(whats(&state, &[0]), [1]);
}

#[test]
fn the_longest_turn_is_that_which_takes_what_is_worth_most() {
    let first = |with_value: &str| {
        let game = game(
            2,
            "(board (square 5)) (piece \"A\" Each)",
            &format!(
                "(start {{(place \"A1\" 12) (place \"A2\" {{11}} value:3) (place \"A2\" {{13}} value:5)}})
                 (play (max Moves {with_value} (forEach Piece (move Hop Orthogonal
                    (between if:(is Enemy (who at:(between))) (apply (remove (between))))
                    (to if:(is Empty (to)))))))"
            ),
        );
        legal(&game, &mut game.start())
    };
    assert_eq!(first(""), [(12, 14), (12, 10)]);
    assert_eq!(first("withValue:True"), [(12, 14)]);
}

#[test]
fn a_stack_that_waits_leaves_as_a_whole() {
    let game = game(
        2,
        "(board (square 3)) (piece \"A\" Each)",
        "(start (place Stack \"A2\" 4 count:3))
         (play (move Select (from (sites {4})) (then (remove (last To) at:EndOfTurn))))",
    );
    let mut state = game.start();
    play(&game, &mut state, 4);
    assert_eq!(state.height(4), 0);
}

#[test]
fn so_many_pieces_of_a_stack_go() {
    let game = game(
        1,
        "(board (square 3)) (piece \"A\" P1)",
        "(start (place Stack \"A1\" 4 count:3))
         (play (move (from (sites {4})) (to (sites {0})) count:2))",
    );
    let mut state = game.start();
    play(&game, &mut state, 0);
    assert_eq!((state.height(4), state.height(0)), (1, 2));
}

#[test]
fn who_is_next_can_be_chosen_from_a_list() {
    let game = game(
        3,
        "(board (square 3)) (piece \"A\" Each)",
        "(play (move Set NextPlayer (array {2 3})))",
    );
    let mut state = game.start();
    assert_eq!(legal(&game, &mut state).len(), 2);
}

#[test]
fn three_players_do_not_change_sides() {
    let text = "(game \"Three\" (players 3) (equipment {(board (square 3)) (piece \"A\" Each)})
        (rules (play (or (move Add (to (sites Empty))) (move Swap Players P1 P3)))
            (end (if (is Full) (result Mover Win)))))";
    assert!(load(text).is_err());
}

#[test]
fn inside_a_question_for_moves_another_is_answered_with_yes() {
    let game = game(
        2,
        "(board (rectangle 1 5))
            (piece \"A\" P1 (move Step E (to if:(is Empty (to)))))
            (piece \"A\" P2 (move Step W (to if:(is Empty (to)))))",
        "(start {(place \"A1\" 0) (place \"A2\" 3)})
         (play (do (forEach Piece) ifAfterwards:(not (no Moves Next))))",
    );
    let mut state = game.start();
    // The other could only shut the piece in, which is not legal, but this is not looked at.
    assert_eq!(legal(&game, &mut state), [(0, 1)]);
    play(&game, &mut state, 1);
    assert_eq!(legal(&game, &mut state), [(-1, -1)], "now it is");
}

#[test]
fn a_piece_on_a_stack_takes_the_value_that_was_left_there() {
    let game = game(
        1,
        "(board (square 2)) (hand P1) (piece \"A\" P1) (piece \"B\" P1)",
        "(start {(place Stack items:{\"A1\" \"B1\"} 0) (place \"A1\" 1)})
         (play (or {
            (move Select (from (sites {0})) (then (and (set Value at:0 level:0 5) (set Value at:0 level:1 7))))
            (move (from 0 level:0) (to (sites {2})))
            (move (from 1) (to (sites {0})))}))",
    );
    let mut state = game.start();
    play(&game, &mut state, 0);
    // The lower piece leaves: the free level keeps the value 7 of the piece that was on top.
    play(&game, &mut state, 2);
    assert_eq!((state.cells[0].what, state.cells[0].value, state.cells[2].value), (2, 7, 5));
    let (mut pad, mut moves) = (Default::default(), Default::default());
    game.legal(&mut state, &mut pad, &mut moves);
    let onto = *moves.heads.iter().find(|head| (head.from, head.to) == (1, 0)).expect("a move");
    game.apply(&mut state, &mut pad, &moves, onto);
    assert_eq!((state.cells[0].what, state.cells[0].value), (1, 7));
}

#[test]
fn nothing_follows_from_a_value_that_is_remembered_already() {
    let game = game(
        1,
        "(board (square 3)) (piece \"A\" P1)",
        "(play (move Add (to (sites Empty)) (then
            (remember Value \"Seen\" 4 unique:True (then (addScore P1 1))))))",
    );
    let mut state = game.start();
    play(&game, &mut state, 0);
    play(&game, &mut state, 1);
    assert_eq!(state.numbers[game.layout().score(1)], 1);
}

#[test]
fn the_last_player_of_the_first_round_may_swap() {
    let game = game(
        3,
        "(board (square 3)) (piece \"A\" Each)",
        "(meta (swap)) (play (move Add (to (sites Empty))))",
    );
    let mut state = game.start();
    for count in [9, 8] {
        assert_eq!(legal(&game, &mut state).len(), count);
        small::play(&game, &mut state, None);
    }
    assert_eq!(legal(&game, &mut state).len(), 7 + 1);
    small::play(&game, &mut state, Some(-1));
    assert!(state.s.swapped);
    assert_eq!((state.s.mover, legal(&game, &mut state).len()), (3, 7));
}

#[test]
fn all_players_choose_at_the_same_time() {
    let text = "(game \"Joint\" (players 2) (mode Simultaneous)
        (equipment {(board (square 2)) (hand Each) (piece \"A\" Each)})
        (rules (start {(place \"A1\" \"Hand1\") (place \"A2\" \"Hand2\")})
            (play (or {
                (move (from (handSite P1)) (to (sites {0 1})) P1
                    (then (addScore P1 (count Pieces All in:(sites Board))) applyAfterAllMoves:True))
                (move (from (handSite P2)) (to (sites {2 3})) P2
                    (then (addScore P2 (count Pieces All in:(sites Board)))))}))
            (end (if (= 2 (count Moves)) (byScore)))))";
    let game = load(text).expect("a game");
    let (mut pad, mut moves) = (Default::default(), Default::default());
    let mut state = game.start();
    game.legal(&mut state, &mut pad, &mut moves);
    let own = |player| game.moves_of(&moves, player).map(|(_, head)| head).collect::<Vec<_>>();
    assert_eq!((own(1).len(), own(2).len()), (2, 2));
    game.apply_joint(&mut state, &mut pad, &moves, &[own(1)[1], own(2)[0]]);
    assert_eq!(whats(&state, &[0, 1, 2, 3]), [0, 1, 2, 0]);
    // Both see two pieces: the second player's move comes after the first player's, and the first player's score waits.
    let layout = game.layout();
    assert_eq!([1, 2].map(|player| state.numbers[layout.score(player)]), [2, 2]);
    assert_eq!(state.s.moves, 1);
    // Nobody has a move: everybody passes.
    game.legal(&mut state, &mut pad, &mut moves);
    assert_eq!(moves.len(), 2);
    let passes = moves.heads.clone();
    game.apply_joint(&mut state, &mut pad, &moves, &passes);
    assert!(state.s.over);
}

#[test]
fn a_stake_is_an_amount_of_a_range() {
    let game = game(
        2,
        "(board (square 2)) (piece \"A\" Each)",
        "(play (move Bet Mover (range 2 4) (then (set Pot (+ (pot) (amount Mover))))))",
    );
    let mut state = game.start();
    assert_eq!(legal(&game, &mut state).len(), 3);
    small::play(&game, &mut state, None);
    assert_eq!((state.s.pot, state.numbers[game.layout().amount(1)]), (2, 2));
}

#[test]
fn a_triangular_board_has_loops_of_three_lines() {
    let text = "(game \"Loops\" (players 2) (equipment {(surakartaBoard (tri 4)) (piece \"A\" Each
            (move Slide \"AllTracks\" (between if:(is Empty (between)))
                (to if:(is Enemy (who at:(to))) (apply if:False (remove (to))))))})
        (rules (start {(place \"A1\" 4) (place \"A2\" 1)})
            (play (forEach Piece))
            (end (forEach Track if:(> 1 (count Pieces P2 in:(sites Track))) (result P1 Win)))))";
    let game = load(text).expect("a game");
    let mut state = game.start();
    // Around the lower left corner, and the other way round the loop.
    let moves = legal(&game, &mut state);
    assert_eq!(moves, [(4, 1), (4, 1)]);
    small::play(&game, &mut state, Some(1));
    // The only loop holds no piece of the second player.
    assert!(state.s.over);
    assert_eq!(state.rank[1], 1.0);
}

#[test]
fn winning_sites_are_those_at_which_the_game_would_end() {
    let text = "(game \"Threats\" (players 2) (equipment {(board (square 3)) (piece \"A\" Each)})
        (rules (start {(place \"A1\" {0 1}) (place \"A2\" {3 4})})
            (play (move Add (to (sites Winning Next (add (to (sites Empty)))))))
            (end (if (is Line 3) (result Mover Win)))))";
    let game = load(text).expect("a game");
    assert_eq!(small::first_to(&game), [5]);
}
