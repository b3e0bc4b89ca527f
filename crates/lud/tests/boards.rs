//! Boards against the numbering and neighbourhoods of an independent system, site for site.

mod common;

use common::{files, shared};
use ludex_lud::board::{Board, Element, SiteType};
use ludex_lud::expand::expand;
use ludex_lud::tree::{self, Node};

/// The first board of a description.
fn board(game: &Node) -> Option<&Node> {
    let mut found = None;
    game.walk(&mut |node| {
        let is_board = matches!(
            node.keyword(),
            Some("board" | "mancalaBoard" | "surakartaBoard" | "boardless")
        );
        if is_board && found.is_none() {
            found = Some(node);
        }
    });
    found
}

/// The first difference between a recorded board and ours, of all elements or only of those on which
/// pieces stand.
fn difference(record: &str, board: &Board, all: bool) -> Option<String> {
    let mut counts = [0; 3];
    for line in record.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let kind = match fields[0] {
            "Cell" => 0,
            "Edge" => 1,
            _ => 2,
        };
        counts[kind] += 1;
        let own = match board.sites {
            SiteType::Cell => 0,
            SiteType::Edge => 1,
            SiteType::Vertex => 2,
        };
        if !all && kind != own {
            continue;
        }
        let t = &board.topology;
        let list: &[Element] = [&t.cells, &t.edges, &t.vertices][kind];
        let number: usize = fields[1].parse().expect("a number");
        let Some(ours) = list.get(number) else { return Some(format!("no {line}")) };
        let at = |i: usize| fields[i].parse::<f64>().expect("a coordinate");
        if (at(2) - ours.centre[0]).abs() > 0.002 || (at(3) - ours.centre[1]).abs() > 0.002 {
            return Some(format!("{line}: ours is at {:?}", ours.centre));
        }
        let recorded = |key: &str| {
            let list = fields.iter().find_map(|f| f.strip_prefix(key)).unwrap_or_default();
            let mut list: Vec<usize> = list.split(',').filter_map(|n| n.parse().ok()).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        for (key, ours) in [
            ("adj=", &ours.adjacent),
            ("orth=", &ours.orthogonal),
            ("diag=", &ours.diagonal),
            ("off=", &ours.off_diagonal),
        ] {
            let mut ours = ours.clone();
            ours.sort_unstable();
            if recorded(key) != ours {
                return Some(format!("{line}: ours {key}{ours:?}"));
            }
        }
    }
    let t = &board.topology;
    let ours = [t.cells.len(), t.edges.len(), t.vertices.len()];
    (ours != counts).then(|| format!("{ours:?} cells, edges and vertices instead of {counts:?}"))
}

/// Elements whose row, column, layer or label differ, by kind.
fn coordinates(record: &str, board: &Board) -> Option<String> {
    for line in record.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let t = &board.topology;
        let list = match fields[0] {
            "Cell" => &t.cells,
            "Vertex" => &t.vertices,
            // Edges have numbers for labels.
            _ => continue,
        };
        let ours = &list[fields[1].parse::<usize>().ok()?];
        let place = format!("row={} col={} layer={}", ours.row, ours.column, ours.layer);
        if place != fields[6] || ours.label != fields[5] {
            return Some(format!("{line}: ours {place} {}", ours.label));
        }
    }
    None
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn recorded_boards_are_the_same_site_for_site() {
    let (shared, library) = (shared(), common::library());
    let (mut same, mut other) = (0, Vec::new());
    let mut playable = 0;
    let mut elsewhere = Vec::new();
    for path in files(&shared.join("topology"), ".tsv.gz") {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.trim_end_matches(".tsv.gz").replace('~', "/");
        let source = shared.join("lud").join(format!("{name}.lud"));
        let source = std::fs::read_to_string(source).expect("readable description");
        let (expanded, _) = expand(&name, &source, &library, &[]);
        let game = tree::game(&expanded.game).0.expect("a game");
        let result = match board(&game).map(Board::of) {
            None => Err("no board".to_owned()),
            Some(Err(fault)) => Err(fault.message),
            Some(Ok(board)) => {
                let record = common::unpack(&path);
                playable += usize::from(difference(&record, &board, false).is_none());
                match difference(&record, &board, true) {
                    None => {
                        let what = coordinates(&record, &board);
                        elsewhere.extend(what.map(|what| format!("{name}: {what}")));
                        Ok(())
                    }
                    Some(difference) => Err(difference),
                }
            }
        };
        match result {
            Ok(()) => same += 1,
            Err(reason) => other.push(format!("{name}: {reason}")),
        }
    }
    println!("{same} boards are the same; the others:\n{}", other.join("\n"));
    println!(
        "{} of them with other rows, columns or labels:\n{}",
        elsewhere.len(),
        elsewhere.join("\n")
    );
    let all = same + other.len();
    println!("{playable} of {all} boards have the same sites for pieces and neighbours of those");
    assert!(playable * 1000 >= all * 990, "{playable} of {all}");
    assert!(elsewhere.len() * 1000 <= all * 55, "{}", elsewhere.join("\n"));
    assert!(same * 1000 >= all * 970, "{same} of {all}:\n{}", other.join("\n"));
}
