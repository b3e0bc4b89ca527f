//! Rules that one recorded game decides: each record is replayed to its end.

mod common;

use common::shared;
use ludex_lud::load::load;
use ludex_lud::replay::{Trial, replay};

/// Replays whole records, named by their paths below the folder of the public data. Every one of them must be the same.
fn replay_all(records: &[&str]) {
    let (shared, library) = (shared(), common::library());
    for record in records {
        let text = common::unpack(&shared.join(format!("{record}.txt.gz")));
        let trial = Trial::read(&text).expect("a recorded game");
        let source = shared.join("lud").join(&trial.game);
        let source = std::fs::read_to_string(&source).expect("the description of the record");
        let game = load("lud", "", &source, &library, &trial.options).into_game();
        let game = game.unwrap_or_else(|error| panic!("{record}: {error}"));
        replay(game.lud(), &trial).unwrap_or_else(|error| panic!("{record}: {error}"));
    }
}

/// Each effect and its consequences go behind as many actions as the effect before had, so that later
/// effects may come before the end of earlier ones.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn effects_before_the_next_moves_are_put_between_one_another() {
    replay_all(&[
        "trials/board/space/blocking/Garrisons",
        "second/board/space/blocking/Garrisons",
        "options/board/space/blocking/Garrisons__2",
    ]);
}

/// An outline of sides loses the places that lie in rows and columns far from the numbers of its corners.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn long_outlines_of_triangles_lose_places() {
    replay_all(&[
        "options/experimental/SnipSnip__8",
        "options/experimental/SnipSnip__10",
        "options/experimental/SnipSnip__11",
        "options/board/space/group/RootZone__4",
    ]);
}

/// A polygon that goes round clockwise covers places a little outside of its border, also where cells become vertices.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn clockwise_polygons_cover_a_little_more() {
    replay_all(&["options/experimental/Adhesion__9", "options/board/space/blocking/Epoxy__5"]);
}

/// A piece that comes to a site with a piece of another kind makes one more of that kind, in games with dice only.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn a_second_piece_on_a_site_is_one_more_of_the_first() {
    replay_all(&[
        "options/board/race/reach/Chong (Sakhalin)__3",
        "options/board/race/reach/Chong (Sakhalin)__7",
        "options/board/war/replacement/checkmate/chess/Glinski Chess__2",
    ]);
}

/// A step of a walk goes to any neighbour in a direction in which the board has neighbours across a side elsewhere.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn steps_of_walks_go_to_any_neighbour_in_their_direction() {
    replay_all(&["options/experimental/SnipSnip__28", "options/experimental/SnipSnip__30"]);
}

/// A move that is only an effect is the last move, and it has no place.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn a_lone_effect_is_the_last_move() {
    replay_all(&[
        "trials/board/war/replacement/checkmate/chess/Nodal Chess",
        "second/board/war/replacement/checkmate/chess/Nodal Chess",
    ]);
}

/// `(sizes Group)` without an owner joins pieces of all owners.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn groups_without_an_owner_are_of_all_pieces() {
    replay_all(&["trials/board/space/group/Catchup", "second/board/space/group/Catchup"]);
}

/// A line goes on through a site only to a neighbour that touches the site in the same way.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn both_ways_of_a_line_touch_the_site_alike() {
    replay_all(&["trials/experimental/Flowers", "second/experimental/Flowers"]);
}

/// An edge of `(graph …)` that is written twice, in either direction, is one edge.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn an_edge_that_is_written_twice_is_one_edge() {
    replay_all(&["options/experimental/graph_theory/CrossGeo__1", "options/math/graph/DisPath__1"]);
}

/// `(is Tree …)` asks for edges without a circle, `(is CaterpillarTree …)` for a tree of all vertices.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn trees_need_not_hang_together_and_caterpillars_span_the_board() {
    replay_all(&[
        "options/experimental/graph_theory/Nedilmarth__1",
        "options/experimental/graph_theory/SpanRups__2",
    ]);
}

/// `(sites Incident … All)` are sites with pieces.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn incident_sites_of_owners_have_pieces() {
    replay_all(&["options/experimental/graph_theory/LastEdge__3"]);
}

/// `(clip …)` takes out the vertices that the polygon covers.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn clipping_takes_out_covered_vertices() {
    replay_all(&["trials/board/space/connection/Fractal", "second/board/space/connection/Fractal"]);
}

/// Where holes can be skipped, the last hole that was sown is judged, even if the origin was leapt over before it.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn a_leap_over_the_origin_does_not_matter_where_holes_can_be_skipped() {
    replay_all(&["options/board/sow/two_rows/Oware__3"]);
}

/// The steps of `(count Steps (step (from …) …) …)` go on from every site, whatever origin the step names.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn ways_go_on_from_every_site() {
    replay_all(&["options/puzzle/planning/Theseus and the Minotaur__3"]);
}

/// The corners of a celtic board have no side in common with any other site, yet walks begin there.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn walks_begin_in_the_corners_of_celtic_boards() {
    replay_all(&[
        "trials/board/space/blocking/Shut Off His Lights",
        "second/board/space/blocking/Shut Off His Lights",
    ]);
}

/// A large piece that moves may lie in every way that fits, each of which is a move, as long as all of its sites are within the region.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn large_pieces_move_in_every_way_that_they_can_lie() {
    let battleships = "board/war/replacement/eliminate/all/Battleships";
    replay_all(&[&format!("trials/{battleships}"), &format!("second/{battleships}")]);
}

/// The length of a path of vertices is the number of its vertices.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn paths_of_vertices_are_as_long_as_they_have_vertices() {
    replay_all(&["options/math/graph/DisPath__3"]);
}

/// In games with dice, a piece that comes to a site with a piece of its kind makes a pile of two.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn pieces_of_a_kind_pile_up_in_games_with_dice() {
    let sig = "board/war/replacement/eliminate/all/Sig (Tidikelt)";
    replay_all(&[&format!("trials/{sig}"), &format!("second/{sig}")]);
}

/// `(sites Track)` without an owner is empty where no track belongs to everybody.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn a_track_without_an_owner_is_that_of_everybody() {
    let kiust_oyun = "board/war/replacement/eliminate/all/Kiust Oyun";
    replay_all(&[&format!("trials/{kiust_oyun}"), &format!("second/{kiust_oyun}")]);
}

/// A site is listed once more among those of a piece when a part of a pile joins a pile there, unless hands are of another kind than
/// the sites of the board.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn parts_of_piles_list_their_site_once_more() {
    replay_all(&[
        "trials/board/race/escape/Len Doat",
        "trials/board/sow/two_rows/Kiuthi",
        "second/board/sow/two_rows/Kiuthi",
        "trials/board/sow/two_rows/Awagagae",
    ]);
}

/// A hop begins at the piece that is looked at, whatever region its `(from …)` names.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn hops_begin_at_the_piece_that_is_looked_at() {
    let jiuqi = "board/war/replacement/eliminate/all/Tibetan Jiuqi";
    replay_all(&[&format!("trials/{jiuqi}"), &format!("second/{jiuqi}")]);
}

/// Moves for each level of a stack leave the last level behind, for what is worked out after them.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn the_last_level_of_a_stack_is_left_behind() {
    replay_all(&[
        "trials/board/race/reach/Chonpa",
        "second/board/race/reach/Chonpa",
        "second/board/war/replacement/eliminate/target/Rithmomachia",
    ]);
}

/// The condition on the end of a slide is asked also of sites that are too near to end on.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn slides_ask_their_condition_of_every_site() {
    replay_all(&["trials/board/war/replacement/eliminate/target/Rithmomachia"]);
}

/// Tiles are laid in several rotations, moves to sites without another are made at once, and paths are followed one way from the
/// last tile.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn paths_go_on_from_tile_to_tile() {
    let trax = "board/space/connection/Trax";
    let list = format!("legal/{}", trax.replace('/', "~"));
    replay_all(&[&format!("trials/{trax}"), &format!("second/{trax}"), &list]);
}

/// The last site of a move with its consequences may be that of a state that is set, seeds that are sown leave no state behind, and a sow
/// without seeds judges no hole.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn consequences_end_where_a_state_is_set() {
    replay_all(&["second/board/sow/two_rows/Khutka Boia"]);
}

/// On rings, a step across a side to another ring goes in or out, also where the sites do not lie behind one another, and also at the seam.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn steps_across_rings_go_in_or_out() {
    // Ply 19: sites 37 and 71 are in one section.
    let escaques = "board/race/score/Los Escaques";
    replay_all(&[&format!("trials/{escaques}"), &format!("second/{escaques}")]);
}

/// The condition of `(apply …)` tells on which free sites, around a corner, a slide on loops may end. A vote is told by its word.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn slides_on_loops_may_end_on_free_sites() {
    let surakarta = "options/board/war/replacement/eliminate/all/Surakarta";
    replay_all(&[&format!("{surakarta}__2"), &format!("{surakarta}__9")]);
}

/// Both ends of every move of a turn are visited, also after a move that had no other site than its own.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn both_ends_of_every_move_are_visited() {
    // Ply 153: a hop after a removal in the same turn may not return.
    replay_all(&["options/board/war/custodial/Ludus Latrunculorum__3"]);
}

/// Where a track passes a site twice, places are kept on all tracks but loops. A pile leaves its place piece by piece and comes to a track as one.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn piles_leave_places_of_tracks_piece_by_piece() {
    let tab = "board/war/replacement/eliminate/all/Tab";
    let options = (1..=4).map(|n| format!("options/{tab}__{n}"));
    let records: Vec<String> =
        ["trials", "second"].map(|set| format!("{set}/{tab}")).into_iter().chain(options).collect();
    replay_all(&records.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Equal dice that are played twice are laid again after single dice only, on the face with the number that they showed, from 1. Dice that a
/// consequence throws fall while the move is made.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn doubles_are_laid_again_and_consequences_throw_dice() {
    // Plies 117 and 131, and ply 247 for the consequence.
    let pagade = "board/race/escape/Pagade Kayi Ata (Sixteen-handed)";
    replay_all(&[
        &format!("second/{pagade}"),
        &format!("options/{pagade}__1"),
        &format!("options/{pagade}__2"),
    ]);
}

/// A piece that is taken, by a move or by what follows from it, is removed from all places at which a track passes its site.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn pieces_that_are_taken_leave_their_tracks() {
    let tsun_ki = "board/race/escape/Tsun K'i";
    replay_all(&[&format!("trials/{tsun_ki}"), &format!("second/{tsun_ki}")]);
}
