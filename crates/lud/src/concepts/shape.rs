//! The shape and the tiling of a board, as the form that makes it tells.

use crate::compile::{Ludeme, Value};

/// Operators that keep the shape of their graph. Others may change it, and then it is unknown.
const KEEP: [&str; 7] = ["rotate", "scale", "shift", "skew", "add", "renumber", "recoordinate"];

/// The concepts of shapes and tilings that a board has.
pub(super) fn of(board: &Ludeme) -> Vec<&'static str> {
    if board.signature().keyword == "boardless" {
        return match board.first_word() {
            Some("Square") => vec!["SquareShape", "SquareTiling"],
            Some("Hexagonal") => vec!["HexShape", "HexTiling"],
            Some("Triangular") => vec!["TriangleShape", "TriangleTiling"],
            _ => Vec::new(),
        };
    }
    let Some(mut graph) = board.call("graph") else { return Vec::new() };
    while KEEP.contains(&graph.signature().keyword.as_str()) {
        let Some(inner) = graph.call("graph") else { return Vec::new() };
        graph = inner;
    }
    generator(graph)
}

/// The concepts of the graph that a generator makes.
fn generator(graph: &Ludeme) -> Vec<&'static str> {
    let dims: Vec<&Value> = graph
        .slots()
        .filter_map(|(slot, given)| {
            let (choice, value) = given.as_ref()?;
            let kind = slot.choices.get(*choice)?;
            (kind.label.is_none() && kind.kind.to_string() == "<dim>").then_some(value)
        })
        .collect();
    let shape = match (graph.first_word(), dims.as_slice()) {
        // The corners of a polygon, or the lengths of sides.
        (_, []) if !matches!(graph.signature().keyword.as_str(), "concentric" | "spiral") => None,
        (Some(word), _) => Some(word),
        _ => Some(""),
    };
    let one = dims.len() < 2;
    match graph.signature().keyword.as_str() {
        "square" => match shape {
            None => vec!["SquareTiling"],
            _ if graph.has("pyramidal") => vec!["RegularShape", "SquareTiling"],
            Some("Rectangle") => vec!["RectangleShape", "SquareTiling"],
            Some("Diamond") => vec!["DiamondShape", "SquareTiling"],
            Some("Limping") => vec!["PolygonShape", "SquareTiling"],
            _ => [vec!["SquareShape"], diagonals(graph)].concat(),
        },
        "rectangle" => {
            let equal = one || dims.first() == dims.get(1);
            let shape = if equal { "SquareShape" } else { "RectangleShape" };
            [vec![shape], diagonals(graph)].concat()
        }
        "hex" => vec![polygon(shape, if one { "HexShape" } else { "PolygonShape" }), "HexTiling"],
        "tri" => {
            let usual = if one { "TriangleShape" } else { "PolygonShape" };
            vec![polygon(shape, usual), "TriangleTiling"]
        }
        "tiling" => {
            // These tilings grow around a hexagon; the others fill a polygon.
            let round = one && matches!(shape, Some("T3464"));
            vec![if round { "HexOutline" } else { "PolygonShape" }, "SemiRegularTiling"]
        }
        "concentric" => match graph.first_word() {
            Some("Square") => vec!["SquareShape", "MorrisTiling", "ConcentricTiling"],
            Some("Triangle") => vec!["TriangleShape", "MorrisTiling", "ConcentricTiling"],
            Some("Hexagon") => vec!["HexShape", "MorrisTiling", "ConcentricTiling"],
            Some("Target") => vec!["TargetShape", "CircleTiling", "ConcentricTiling"],
            _ => vec!["CircleShape", "CircleTiling", "ConcentricTiling"],
        },
        "spiral" => vec!["SpiralShape", "SpiralTiling"],
        "quadhex" => vec!["HexShape", "QuadHexTiling"],
        "brick" => vec!["BrickTiling"],
        "celtic" => vec!["CelticTiling"],
        _ => Vec::new(),
    }
}

/// The shape that a word of `hex` or `tri` names.
fn polygon(shape: Option<&str>, usual: &'static str) -> &'static str {
    match shape {
        Some("Square") => "SquareShape",
        Some("Rectangle") => "RectangleShape",
        Some("Diamond") => "DiamondShape",
        Some("Triangle") => "TriangleShape",
        Some("Hexagon") => "HexShape",
        Some("Star") => "StarShape",
        Some("Prism") => "PrismShape",
        Some("") => usual,
        _ => "PolygonShape",
    }
}

/// The tiling of squares that may be cut by diagonals.
fn diagonals(graph: &Ludeme) -> Vec<&'static str> {
    match graph.labelled("diagonals").and_then(Value::word) {
        None | Some("Implied") => vec!["SquareTiling"],
        Some("Alternating") => vec!["AlquerqueTiling"],
        Some(_) => Vec::new(),
    }
}
