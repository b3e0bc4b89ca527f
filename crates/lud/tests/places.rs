//! Regions, directions and ways that every board has, through the public API.

use ludex_lud::board::radials::{Compass, Rotation};
use ludex_lud::board::regions::steps;
use ludex_lud::board::{Board, SiteType};
use ludex_lud::source::Text;
use ludex_lud::tree;

fn board(text: &str) -> Board {
    let text = Text::of_file(0, text);
    Board::of(&tree::read(&text).0[0]).expect("a board")
}

fn side(board: &Board, name: &str) -> usize {
    let direction = Compass::named(name).expect("a direction");
    board.regions(board.sites).side(direction).map_or(0, |side| side.len())
}

#[test]
fn a_chess_board_has_four_corners_and_sides() {
    let board = board("(board (square 8))");
    let regions = board.regions(SiteType::Cell);
    assert_eq!(regions.corners, [0, 7, 56, 63]);
    assert_eq!((regions.outer.len(), regions.inner.len()), (28, 36));
    assert_eq!(regions.centre, [27, 28, 35, 36]);
    assert_eq!(regions.top, (56..64).collect::<Vec<_>>());
    assert_eq!(regions.side(Compass::named("W").unwrap()), Some(regions.columns[0].clone()));
    assert_eq!(regions.side(Compass::named("S").unwrap()), Some(regions.rows[0].clone()));
    // Neighbours across a side have the other colour.
    for (i, cell) in board.topology.cells.iter().enumerate() {
        assert!(cell.orthogonal.iter().all(|&n| regions.phase[n] != regions.phase[i]));
    }
    assert_eq!(regions.phase.iter().max(), Some(&1));
}

#[test]
fn boards_of_hexagons_have_six_sides_or_four_and_three_colours() {
    let hexagon = board("(board (hex 5))");
    let regions = hexagon.regions(SiteType::Cell);
    assert_eq!(regions.corners.len(), 6);
    assert_eq!(regions.outer.len(), 24);
    for name in ["N", "NE", "SE", "S", "SW", "NW"] {
        assert_eq!(side(&hexagon, name), 5, "{name}");
    }
    assert_eq!(regions.phase.iter().max(), Some(&2));
    let diamond = board("(board (hex Diamond 11))");
    for name in ["NE", "SE", "SW", "NW"] {
        assert_eq!(side(&diamond, name), 11, "{name}");
    }
    let triangle = board("(board (hex Triangle 11))");
    assert_eq!(triangle.regions(SiteType::Cell).corners.len(), 3);
    for name in ["S", "NE", "NW"] {
        assert_eq!(side(&triangle, name), 11, "{name}");
    }
}

#[test]
fn a_cross_has_corners_around_it_and_into_it() {
    for (text, kind) in [
        ("(board (merge (shift 0 2 (rectangle 3 7)) (shift 2 0 (rectangle 7 3))))", SiteType::Cell),
        (
            "(board (merge (shift 0 2 (rectangle 3 7)) (shift 2 0 (rectangle 7 3))) use:Vertex)",
            SiteType::Vertex,
        ),
    ] {
        let regions = board(text).regions(kind);
        assert_eq!((regions.convex.len(), regions.concave.len()), (8, 4), "{text}");
        assert_eq!(regions.corners.len(), 12);
    }
}

#[test]
fn vertices_of_a_go_board_know_their_border() {
    let board = board("(board (square 9) use:Vertex)");
    let regions = board.regions(SiteType::Vertex);
    assert_eq!(regions.corners, [0, 8, 72, 80]);
    assert_eq!(regions.outer.len(), 32);
    assert_eq!(regions.centre, [40]);
    assert_eq!(side(&board, "E"), 9);
}

#[test]
fn ways_go_on_to_the_border() {
    let board = board("(board (square 8))");
    let radials = board.radials(SiteType::Cell);
    let north = radials.towards(0, "N").next().expect("a way");
    assert_eq!(north.sites, (1..8).map(|k| 8 * k).collect::<Vec<_>>());
    assert!(north.touch.orthogonal && !north.touch.diagonal);
    let diagonal = radials.towards(0, "NE").next().expect("a way");
    assert_eq!(diagonal.sites, (1..8).map(|k| 9 * k).collect::<Vec<_>>());
    assert!(radials.towards(0, "W").next().is_none());
    assert_eq!(radials.from[27].len(), 8);
    assert_eq!(radials.compass.len(), 8);
}

#[test]
fn hexagons_have_six_neighbours_and_six_ways_between_them() {
    let board = board("(board (hex 5))");
    let radials = board.radials(SiteType::Cell);
    let centre = board.regions(SiteType::Cell).centre[0];
    let mut names: Vec<&str> = Vec::new();
    for way in radials.from[centre].iter().filter(|way| way.touch.orthogonal) {
        assert_eq!(way.sites.len(), 4);
        names.extend(way.compass.map(Compass::name));
    }
    assert_eq!(names, ["NNE", "E", "SSE", "SSW", "W", "NNW"]);
    let across: Vec<usize> = radials.from[centre]
        .iter()
        .filter(|way| way.touch.diagonal)
        .map(|way| way.sites.len())
        .collect();
    assert_eq!(across, [2; 6]);
}

#[test]
fn rings_go_around_and_rays_in_and_out() {
    let board = board("(board (concentric {1 8 8}) use:Vertex)");
    let radials = board.radials(SiteType::Vertex);
    let around = radials.towards(1, "CW").next().expect("a way");
    assert_eq!(around.sites.len(), 7);
    let back = radials.towards(1, "CCW").next().expect("a way");
    let mut reversed = back.sites.clone();
    reversed.reverse();
    assert_eq!(around.sites, reversed);
    let inward = radials.towards(9, "In").next().expect("a way");
    assert_eq!(inward.rotation, Some(Rotation::In));
    assert_eq!(inward.sites.get(1), Some(&0));
}

#[test]
fn rings_of_cells_have_a_seam_in_the_west() {
    let board = board("(board (remove (concentric {0 0 0 16 16}) cells:{1}))");
    let radials = board.radials(SiteType::Cell);
    let west = |site: usize| {
        let [x, y, _] = board.topology.cells[site].centre;
        x < 0.0 && y.abs() < 0.2 * -x
    };
    for site in 0..32 {
        let around = radials.towards(site, "CW").chain(radials.towards(site, "CCW"));
        let reached: Vec<u32> = around.flat_map(|way| way.sites.clone()).collect();
        assert_eq!(reached.len(), if west(site) { 0 } else { 13 }, "{site}");
        assert!(!reached.iter().any(|&n| west(n as usize)));
    }
}

#[test]
fn the_border_leads_around_edges_that_cross() {
    let board = board(
        "(board (graph vertices:{{0 0} {2 0} {2 2} {0 2} {1 1.5}}
            edges:{{0 1} {1 2} {2 3} {3 0} {0 2} {1 3} {4 2} {4 3}}) use:Vertex)",
    );
    assert_eq!(board.regions(SiteType::Vertex).inner.len(), 1);
}

#[test]
fn pyramids_have_ways_up_and_down() {
    let board = board("(board (square 4 pyramidal:True) use:Vertex)");
    let ground = board.topology.vertices.iter().position(|v| v.layer == 0).expect("a ground");
    let radials = board.radials(SiteType::Vertex);
    let up = radials.towards(ground, "UNE").next().expect("a way up");
    assert_eq!(up.sites.len(), 3);
    let top = *up.sites.last().expect("a top") as usize;
    assert_eq!(board.topology.vertices[top].layer, 3);
    assert_eq!(radials.towards(top, "DSW").next().expect("a way down").sites.len(), 3);
    assert_eq!(board.regions(SiteType::Vertex).layers.len(), 4);
}

#[test]
fn kinds_touch_each_other_both_ways() {
    for text in ["(board (hex 3))", "(board (concentric Square rings:3) use:Vertex)"] {
        let incidence = board(text).incidence();
        for (cell, vertices) in incidence.vertices_of_cell.iter().enumerate() {
            for &v in vertices {
                assert!(incidence.cells_of_vertex[v as usize].contains(&(cell as u32)));
            }
        }
        for (edge, ends) in incidence.vertices_of_edge.iter().enumerate() {
            for &v in ends {
                assert!(incidence.edges_of_vertex[v as usize].contains(&(edge as u32)));
            }
            for &cell in &incidence.cells_of_edge[edge] {
                assert!(incidence.edges_of_cell[cell as usize].contains(&(edge as u32)));
            }
        }
    }
}

#[test]
fn steps_are_counted_along_the_board() {
    let board = board("(board (square 5))");
    let away = steps(&board.topology.cells, 0, true);
    assert_eq!(away[24], Some(8));
    let away = steps(&board.topology.cells, 0, false);
    assert_eq!(away[24], Some(4));
}

#[test]
fn small_and_odd_boards_are_boards_or_faults() {
    let shapes = [
        "(square N)",
        "(square Diamond N)",
        "(square N pyramidal:True)",
        "(square N diagonals:Solid)",
        "(square N diagonals:SolidNoSplit)",
        "(square N diagonals:Radiating)",
        "(square {N 2 N})",
        "(rectangle N 2)",
        "(rectangle 1 N)",
        "(hex N)",
        "(hex Star N)",
        "(hex Prism N 2)",
        "(hex Diamond N 3)",
        "(hex Rectangle N N)",
        "(hex {N 2 N})",
        "(hex (poly {{0 0} {N N} {0 N}}))",
        "(tri N)",
        "(tri Limping N)",
        "(tri Hexagon N)",
        "(tiling T3464 N)",
        "(tiling T31212 N)",
        "(tiling T488 N 2)",
        "(tiling T33434 N)",
        "(tiling T33336 N)",
        "(tiling T33344 N)",
        "(tiling T3636 N)",
        "(tiling T4612 N)",
        "(tiling T333333_33434 N)",
        "(celtic N)",
        "(quadhex N)",
        "(brick N 2)",
        "(spiral turns:N sites:N)",
        "(wedge N)",
        "(wedge N N)",
        "(regular N)",
        "(regular Star N)",
        "(concentric Square rings:N)",
        "(concentric sides:N rings:2)",
        "(concentric {N})",
        "(concentric {0 N})",
        "(concentric {1 N N} stagger:True)",
        "(concentric {N N N})",
        "(repeat N 2 step:{{1 0} {0 1}} (poly {{0 0} {0 1} {1 1}}))",
        "(repeat N 2 step:{{1 0}} (poly {{0 0}}))",
        "(layers N (square 2))",
        "(dual (square N))",
        "(dual (dual (hex N)))",
        "(complete (square N))",
        "(complete (hex N) eachCell:True)",
        "(subdivide (hex N) min:N)",
        "(splitCrossings (regular Star N))",
        "(trim (remove (square N) cells:{0 N}))",
        "(remove (square 3) vertices:{N})",
        "(keep (square N) (poly {{0 0} {N 0} {N N}}))",
        "(intersect (square N) (square 2))",
        "(union (square N) (shift 1 1 (square N)) connect:True)",
        "(merge (square N) (rotate 45 (square N)))",
        "(graph vertices:{{0 0} {N N} {N N}} edges:{{0 1} {1 2} {0 0}})",
        "(skew 0.5 (scale 0 (square N)))",
        "(makeFaces (square N))",
    ];
    for shape in shapes {
        for size in ["-1", "0", "1", "2", "4", "99999"] {
            for sites in ["Cell", "Vertex", "Edge"] {
                let text = format!("(board {} use:{sites})", shape.replace('N', size));
                let (trees, found) = tree::read(&Text::of_file(0, &text));
                assert_eq!(found, []);
                if let Ok(board) = Board::of(&trees[0]) {
                    let _ = (board.radials(board.sites), board.regions(board.sites));
                    let n = board.topology.elements(board.sites).len();
                    assert!(board.radials(board.sites).from.len() == n, "{text}");
                }
            }
        }
    }
}
