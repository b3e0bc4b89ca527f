//! Rules of the language that recorded games seldom show, on small games.

#[path = "common/small.rs"]
mod small;

use ludex_lud::engine::{Lud, Moves, Pad};
use small::{first_to, legal, load, play};

#[test]
fn play_goes_in_circles_when_the_same_positions_have_followed_one_another_three_times() {
    let game = load(
        "(game \"Shuttle\" (players 2) (equipment {(board (square 2))
            (piece \"Disc\" Each (move Step (directions {E W}) (to if:(is Empty (to)))))})
            (rules (start {(place \"Disc1\" 0) (place \"Disc2\" 2)})
                (play (forEach Piece)) (end (if (is Cycle) (result Mover Draw)))))",
    )
    .expect("a game");
    let mut state = game.start();
    // Four positions, three times, the first of which is there before any move.
    for ply in 0..11 {
        assert!(!state.s.over, "over after {ply} plies");
        play(&game, &mut state, None);
    }
    assert!(state.s.over);
}

#[test]
fn a_question_for_moves_inside_another_is_not_answered() {
    let game = load(
        "(game \"Face\" (players 2) (equipment {(board (rectangle 1 4))
            (piece \"Disc1\" P1 (move Step E (to if:(is Empty (to)))))
            (piece \"Disc2\" P2 (move Step W (to if:(is Empty (to)))))})
            (rules (start {(place \"Disc11\" 0) (place \"Disc22\" 3)})
                (play (do (forEach Piece) ifAfterwards:(not (no Moves Next))))
                (end (if (no Moves Next) (result Mover Win)))))",
    )
    .expect("a game");
    // The other could only answer by leaving nothing to move, which is against the rules, too.
    assert_eq!(first_to(&game), [1]);
}

#[test]
fn a_far_hop_may_end_behind_pieces_that_it_could_take() {
    let game = load(
        "(game \"Far\" (players 2) (equipment {(board (rectangle 1 6))
            (piece \"Disc\" Each (move Hop E (between after:4 if:True)
                (to if:(not (is Friend (who at:(to)))) (apply (remove (to))))))})
            (rules (start {(place \"Disc1\" (sites {0 1})) (place \"Disc2\" (sites {3 5}))})
                (play (forEach Piece)) (end (if (no Moves Next) (result Mover Win)))))",
    )
    .expect("a game");
    let mut state = game.start();
    let (mut pad, mut moves) = (Pad::default(), Moves::default());
    game.legal(&mut state, &mut pad, &mut moves);
    let moves = moves.heads.iter().map(|head| (head.from, head.to));
    assert_eq!(moves.collect::<Vec<_>>(), [(0, 2), (0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5)]);
}

#[test]
fn a_direction_named_twice_counts_twice_for_a_slide() {
    for (way, to, sites) in
        [("Slide", "", vec![2, 5, 6, 7, 8, 8]), ("Step", "(to if:True)", vec![2, 5, 6, 7, 8])]
    {
        let game = load(&format!(
            "(game \"Twice\" (players {{(player N)}}) (equipment {{(board (square 3))
                (piece \"Disc\" P1 (move {way} (directions {{Forwards Rightwards}}) {to}))}})
                (rules (start (place \"Disc1\" 4)) (play (forEach Piece))
                    (end (if (no Moves Next) (result Mover Win)))))"
        ))
        .expect("a game");
        let mut found = first_to(&game);
        found.sort_unstable();
        assert_eq!(found, sites, "{way}");
    }
}

#[test]
fn behind_left_is_left_for_who_looks_back() {
    for (way, to) in [("FL", 6), ("FR", 8), ("BL", 2), ("BR", 0)] {
        let game = load(&format!(
            "(game \"Behind\" (players {{(player N)}}) (equipment {{(board (square 3))
                (piece \"Disc\" P1 (move Step {way} (to if:True)))}})
                (rules (start (place \"Disc1\" 4)) (play (forEach Piece))
                    (end (if (no Moves Next) (result Mover Win)))))"
        ))
        .expect("a game");
        assert_eq!(first_to(&game), [to], "{way}");
    }
}

#[test]
fn the_sites_of_the_last_move_are_those_of_all_that_it_did() {
    let game = load(
        "(game \"Trail\" (players 1) (equipment {(board (square 3)) (piece \"Disc\" P1)})
            (rules (play (if (= 0 (count Moves))
                (move Add (to (sites {4})) (then (add (piece \"Disc1\") (to (sites {0})))))
                (move Add (to (difference (sites Board) (sites LastTo))))))
                (end (if (is Full) (result Mover Win)))))",
    )
    .expect("a game");
    let mut state = game.start();
    play(&game, &mut state, None);
    let to: Vec<i32> = legal(&game, &mut state).into_iter().map(|(_, to)| to).collect();
    assert_eq!(to, [1, 2, 3, 5, 6, 7, 8]);
}

#[test]
fn edges_make_a_path_unless_they_branch_and_a_circle_whatever_hangs_on_to_it() {
    let game = |rule: &str| {
        load(&format!(
            "(game \"Edges\" (players 1) (equipment {{(board (graph
                vertices:{{{{0 0}} {{1 0}} {{2 0}} {{3 0}} {{1 1}}}}
                edges:{{{{0 1}} {{1 2}} {{2 3}} {{1 4}} {{2 4}}}}) use:Vertex)}})
                (rules (play (move Add (to Edge (sites Empty Edge))))
                    (end (if {rule} (result Mover Win)))))"
        ))
        .expect("a game")
    };
    let after = |game: &Lud, edges: &[i32]| {
        let mut state = game.start();
        edges.iter().for_each(|&edge| play(game, &mut state, Some(edge)));
        state.s.over
    };
    let path = game("(is Path Edge Mover length:(exact 3))");
    assert!(after(&path, &[0, 1, 2]), "a path of three");
    assert!(!after(&path, &[0, 1, 3]), "three that branch");
    assert!(!after(&path, &[1, 3, 4]), "a circle is no path");
    let circle = game("(is Path Edge Mover length:(exact 3) closed:True)");
    assert!(!after(&circle, &[0, 1, 2, 3]));
    assert!(after(&circle, &[0, 1, 2, 3, 4]));
}

#[test]
fn who_wins_by_anothers_move_still_moves_when_it_is_their_turn() {
    let game = load(
        "(game \"Gift\" (players 3) (equipment {(board (square 3)) (piece \"Disc\" Each)})
            (rules (play (move Add (to (sites Empty))))
                (end (if (= 4 (count Moves)) (result P2 Win)))))",
    )
    .expect("a game");
    let mut state = game.start();
    let movers: Vec<usize> = (0..7)
        .map(|_| {
            let mover = state.s.mover;
            play(&game, &mut state, None);
            mover
        })
        .collect();
    assert_eq!(movers, [1, 2, 3, 1, 2, 3, 1]);
    assert_eq!(state.s.mover, 3, "then no more");
}

#[test]
fn a_label_that_no_site_has_is_left_out_and_many_are_a_fault() {
    let game = |labels: &str| {
        load(&format!(
            "(game \"Labels\" (players 1) (equipment {{(board (square 4)) (piece \"Disc\" P1)}})
                (rules (start (place \"Disc1\" (sites {{{labels}}})))
                    (play (move Add (to (sites Empty)))) (end (if (is Full) (result P1 Win)))))"
        ))
    };
    let most = "\"A1\" \"A2\" \"A3\" \"A4\" \"B1\" \"B2\" \"B3\" \"B4\" \"C1\" \"Z9\"";
    let start = game(most).expect("a game").start();
    assert_eq!(start.cells.iter().filter(|cell| cell.what != 0).count(), 9);
    assert!(game("\"A1\" \"Z8\" \"Z9\"").is_err());
}

#[test]
fn what_the_rules_say_and_nobody_reads_is_refused() {
    let game = |from: &str| {
        load(&format!(
            "(game \"Unread\" (players 1) (equipment {{(board (square 3)) (piece \"Disc\" P1
                (move Step (to if:(and (is Empty (to)) (!= (to) {from})))))}})
                (rules (start (place \"Disc1\" 4)) (play (forEach Piece))
                    (end (if (no Moves Mover) (result Mover Loss)))))"
        ))
    };
    assert!(game("(from)").is_ok());
    assert!(game("(from at:EndOfTurn)").is_err());
}
