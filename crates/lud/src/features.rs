//! The features of a description for a model: its ludemes and concepts, under the names of public data.

use std::collections::HashSet;
use std::sync::Arc;

use ludex_core::{Features, Info};

use crate::classes::{Description, Named};
use crate::compile::Ludeme;
use crate::engine::Lud;
use crate::engine::equipment::Equipment;
use crate::engine::rules::Rules;

/// The features that the text shows: all ludemes (1 where it uses them), all concepts that follow from
/// ludemes, and what can be counted on its board.
pub(crate) fn written(
    game: &Arc<Ludeme>,
    equipment: &Equipment,
    rules: &Rules,
) -> Vec<(String, f64)> {
    let description = Description::of(game);
    let used: HashSet<String> = description.all.named.iter().map(Named::column).collect();
    let mut all: Vec<(String, f64)> = crate::classes::columns()
        .iter()
        .map(|column| (column.clone(), flag(used.contains(column))))
        .collect();
    let pieces: Vec<&str> =
        equipment.components.iter().skip(1).map(|piece| piece.stem.as_str()).collect();
    let concepts = crate::concepts::of(&description, &pieces);
    all.extend(concepts.into_iter().map(|(name, holds)| (name.to_owned(), flag(holds))));
    all.extend(counts(equipment, rules).into_iter().map(|(name, n)| (name.to_owned(), n)));
    all
}

/// The features of a game.
pub(crate) fn of(lud: &Lud, info: &Info) -> Features {
    let mut features = Features::of_info(info);
    features.extend(lud.features.iter().cloned());
    features
}

fn flag(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

fn counts(equipment: &Equipment, rules: &Rules) -> Vec<(&'static str, f64)> {
    let elements = equipment.elements();
    let topology = &equipment.board.topology;
    let named = &equipment.named;
    let mean = |f: &dyn Fn(&crate::board::Element) -> usize| {
        elements.iter().map(|e| f(e) as f64).sum::<f64>() / (elements.len() as f64).max(1.0)
    };
    let phases = named.phase.iter().max().map_or(0, |most| most + 1);
    // Kinds of pieces, without dice. The pieces of all owners of a kind count once.
    let pieces = equipment.components.iter().skip(1).filter(|c| !is_die(&c.stem));
    let count = pieces.clone().count() as f64;
    let owned = pieces.filter(|c| (1..=equipment.players).contains(&c.owner)).count() as f64;
    let faces = |n: usize| flag(equipment.dice.iter().any(|die| die.faces.len() == n));
    let rows = equipment.board.holes;
    let loops = |l: &&crate::engine::track::Track| l.looped;
    let mut all = vec![
        ("NumPlayableSitesOnBoard", elements.len() as f64),
        ("NumPlayableSites", equipment.sites as f64),
        ("NumColumns", named.columns.len() as f64),
        ("NumRows", named.rows.len() as f64),
        ("NumLayers", named.layers.len() as f64),
        ("NumCorners", named.corners.len() as f64),
        ("NumConvexCorners", named.convex.len() as f64),
        ("NumConcaveCorners", named.concave.len() as f64),
        ("NumOuterSites", named.outer.len() as f64),
        ("NumPerimeterSites", named.outer.len() as f64),
        ("NumInnerSites", named.inner.len() as f64),
        ("NumTopSites", named.top.len() as f64),
        ("NumBottomSites", named.bottom.len() as f64),
        ("NumLeftSites", named.left.len() as f64),
        ("NumRightSites", named.right.len() as f64),
        ("NumCentreSites", named.centre.len() as f64),
        ("NumPhasesBoard", phases as f64),
        ("NumCells", topology.cells.len() as f64),
        ("NumEdges", topology.edges.len() as f64),
        ("NumVertices", topology.vertices.len() as f64),
        ("NumDirections", mean(&|e| e.adjacent.len().max(e.orthogonal.len() + e.diagonal.len()))),
        ("NumAdjacentDirections", mean(&|e| e.adjacent.len())),
        ("NumOrthogonalDirections", mean(&|e| e.orthogonal.len())),
        ("NumDiagonalDirections", mean(&|e| e.diagonal.len())),
        ("NumOffDiagonalDirections", mean(&|e| e.off_diagonal.len())),
        ("NumContainers", equipment.containers.len() as f64),
        ("NumComponentsType", count),
        ("NumComponentsTypePerPlayer", owned / (equipment.players as f64).max(1.0)),
        ("NumPlayers", equipment.players as f64),
        ("NumDice", equipment.dice.len() as f64),
        ("NumPlayPhase", rules.phases() as f64),
        ("TrackLoop", flag(equipment.tracks.iter().any(|t| loops(&t)))),
        ("TrackOwned", flag(equipment.tracks.iter().any(|t| t.owner > 0))),
        ("Stacking", flag(rules.stacking)),
        ("DiceD2", faces(2)),
        ("DiceD3", faces(3)),
        ("DiceD4", faces(4)),
        ("DiceD6", faces(6)),
        ("BiasedDice", flag(equipment.dice.iter().any(|die| !die.biased.is_empty()))),
    ];
    let mancala = ["MancalaTwoRows", "MancalaThreeRows", "MancalaFourRows", "MancalaSixRows"];
    all.extend(
        mancala.into_iter().zip([2, 3, 4, 6]).map(|(name, n)| (name, flag(rows == Some(n)))),
    );
    all
}

fn is_die(name: &str) -> bool {
    name.starts_with("Die")
}
