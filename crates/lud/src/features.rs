//! The features of a description for a model: its ludemes and concepts, under the names of public data.

use std::collections::HashSet;
use std::sync::Arc;

use ludex_core::{Features, Info};

use crate::board::SiteType;
use crate::classes::Named;
use crate::compile::Ludeme;
use crate::concepts::{Facts, Outline};
use crate::engine::Lud;
use crate::engine::equipment::Equipment;
use crate::engine::rules::Rules;

/// The features that the text shows: all ludemes (1 where it uses them), all concepts that follow from
/// ludemes and from the `facts` beside them, and what can be counted on its board.
pub(crate) fn written(game: &Arc<Ludeme>, lud: &Lud, mut facts: Facts) -> Vec<(String, f64)> {
    let (equipment, rules) = (&lud.equipment, &lud.rules);
    let outline = Outline::of(game);
    let used: HashSet<String> = outline.named().into_iter().map(Named::column).collect();
    let mut all: Vec<(String, f64)> = crate::classes::columns()
        .iter()
        .map(|column| (column.clone(), flag(used.contains(column))))
        .collect();
    let pieces: Vec<&str> =
        equipment.components.iter().skip(1).map(|piece| piece.stem.as_str()).collect();
    add_facts(&mut facts, &outline, lud);
    let concepts = crate::concepts::of(&outline, &pieces, &facts);
    let kinds = [("Cell", SiteType::Cell), ("Vertex", SiteType::Vertex), ("Edge", SiteType::Edge)];
    let kinds = kinds.into_iter().filter(|(name, _)| concepts.contains(&(name, true)));
    let kinds: Vec<SiteType> = kinds.map(|(_, kind)| kind).collect();
    all.extend(concepts.into_iter().map(|(name, holds)| (name.to_owned(), flag(holds))));
    let counts = counts(equipment, rules).into_iter().chain(playable(equipment, &kinds));
    all.extend(counts.map(|(name, n)| (name.to_owned(), n)));
    all
}

/// Facts that the rules of concepts ask for and that no ludeme tells.
fn add_facts(facts: &mut Facts, outline: &Outline<'_>, lud: &Lud) {
    let equipment = &lud.equipment;
    for piece in equipment.components.iter().skip(1) {
        facts.piece(&piece.stem);
    }
    let items = outline.items.iter().filter(|item| item.ludeme.signature().result == "item");
    items.for_each(|item| facts.board(item.ludeme));
    facts.add(format!("on:{:?}", equipment.declared));
    facts.add(format!("players:{}", equipment.players));
    if lud.simultaneous {
        facts.add("simultaneous");
    }
    if !equipment.dice.is_empty() || lud.scatters() || lud.rules.random {
        facts.add("chance");
    }
    if equipment.large.is_some() {
        facts.add("large");
    }
    // Where a track goes first: along the row to the right is against the clock for the player below.
    let centres = equipment.elements();
    for track in &equipment.tracks {
        let site = |n: usize| centres.get(usize::try_from(*track.sites.get(n)?).ok()?);
        let (Some(first), Some(second)) = (site(0), site(1)) else { continue };
        if (first.centre[1] - second.centre[1]).abs() < 1e-3 {
            facts.add(if second.centre[0] > first.centre[0] { "track:east" } else { "track:west" });
        }
    }
    let owned = |player: usize| -> HashSet<&str> {
        let own = equipment.components.iter().skip(1).filter(|piece| piece.owner == player);
        own.map(|piece| piece.stem.as_str()).collect()
    };
    if (2..=equipment.players).any(|player| owned(player) != owned(1)) {
        facts.add("unlike");
    }
}

/// The sites of all kinds that are used, on the board and with the hands.
fn playable(equipment: &Equipment, kinds: &[SiteType]) -> [(&'static str, f64); 2] {
    let elements = |kind: &SiteType| equipment.board.topology.elements(*kind).len();
    let board = kinds.iter().map(elements).sum::<usize>() as f64;
    let hands = equipment.containers.iter().skip(1).map(|c| c.sites as usize).sum::<usize>() as f64;
    [("NumPlayableSitesOnBoard", board), ("NumPlayableSites", board + hands)]
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
    // The public table counts elements of the kind that the board names, whatever kind the rules play on.
    let topology = &equipment.board.topology;
    let elements = topology.elements(equipment.declared);
    let named = &equipment.board.regions(equipment.declared);
    let mean = |f: &dyn Fn(&crate::board::Element) -> usize| {
        elements.iter().map(|e| f(e) as f64).sum::<f64>() / (elements.len() as f64).max(1.0)
    };
    let phases = named.phase.iter().max().map_or(0, |most| most + 1);
    // Dice count as pieces.
    let pieces = equipment.components.iter().skip(1);
    let count = pieces.len() as f64;
    let owned = pieces.filter(|c| (1..=equipment.players).contains(&c.owner)).count() as f64;
    let faces = |n: usize| flag(equipment.dice.iter().any(|die| die.faces.len() == n));
    let rows = equipment.board.holes;
    let loops = |l: &&crate::engine::track::Track| l.looped;
    let mut all = vec![
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
