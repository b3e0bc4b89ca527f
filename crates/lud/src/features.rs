//! What describes a description to a model: the ludemes that it uses, and what can be counted.

use ludex_core::{Features, Info};

use crate::compile::{Ludeme, Value};
use crate::engine::Lud;

/// The names of the ludemes in a description: keywords, and words that choose a form such as the
/// `Line` of `(is Line 3)`, each once, sorted.
pub fn ludemes(game: &std::sync::Arc<Ludeme>) -> Vec<String> {
    let mut names = std::collections::BTreeSet::new();
    game.walk(&mut |l| {
        names.insert(l.signature().keyword.clone());
        for (_, value) in l.args().iter().flatten() {
            if let Value::Word(word) = value {
                names.insert(word.clone());
            }
        }
    });
    names.into_iter().collect()
}

/// The features of a game.
pub fn of(lud: &Lud, info: &Info) -> Features {
    let mut features = Features::of_info(info);
    let equipment = &lud.equipment;
    for name in &lud.ludemes {
        features.set(&format!("ludeme {name}"), 1.0);
    }
    let elements = equipment.elements();
    let mean = |f: &dyn Fn(&crate::board::Element) -> usize| {
        elements.iter().map(|e| f(e) as f64).sum::<f64>() / (elements.len() as f64).max(1.0)
    };
    for (name, value) in [
        ("NumPlayableSitesOnBoard", elements.len() as f64),
        ("NumContainers", equipment.containers.len() as f64),
        ("NumComponents", equipment.components.len() as f64 - 1.0),
        ("NumPlayers", equipment.players as f64),
        ("NumDice", equipment.dice.len() as f64),
        ("NumPhasesBoard", lud.rules.phases() as f64),
        ("NumAdjacentDirections", equipment.directions.bearings.len() as f64),
        ("NumOrthogonalDirections", equipment.directions.orthogonal.len() as f64),
        ("MeanAdjacent", mean(&|e| e.adjacent.len())),
        ("MeanOrthogonal", mean(&|e| e.orthogonal.len())),
        ("MeanDiagonal", mean(&|e| e.diagonal.len())),
        ("NumTracks", equipment.tracks.len() as f64),
        ("Stacking", f64::from(u8::from(lud.rules.stacking))),
        ("Stochastic", f64::from(u8::from(info.chance))),
    ] {
        features.set(name, value);
    }
    features
}
