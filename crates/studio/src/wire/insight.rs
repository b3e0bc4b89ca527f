//! Concepts and predicted agents of a game, and the map of games.

use super::messages;

messages! {
    /// The features of a game, and how well a model expects agents to play it.
    pub struct Insight {
        /// The features that are not 0, with their values.
        pub concepts: Vec<(String, f64)>,
        /// The agents, best first.
        pub agents: Vec<PredictedInfo>,
        /// The opponent of the predicted win rates.
        pub against: String,
        /// Was the model trained on this game? Then models without it made the prediction.
        pub held_out: bool,
        /// Known games that are most similar, with their distance.
        pub nearest: Vec<(String, f64)>,
        /// Why there is no prediction.
        pub note: Option<String>,
    }

    /// The expected win rate of an agent.
    pub struct PredictedInfo {
        /// The agent.
        pub agent: String,
        /// Percent of the games won.
        pub value: f64,
        /// The interval that held 95 % of the measured win rates.
        pub interval: Option<(f64, f64)>,
    }

    /// A map of games: similar games are near each other.
    pub struct MapInfo {
        /// Games that are described so far.
        pub done: u32,
        /// Games of the map.
        pub total: u32,
        /// The games, once all are described.
        pub points: Vec<MapPoint>,
        /// Why there is no map.
        pub error: Option<String>,
    }

    /// A game on the map.
    pub struct MapPoint {
        /// The name that opens it.
        pub name: String,
        /// The title for people.
        pub title: String,
        /// The place, from 0 to 1.
        pub x: f64,
        /// The place, from 0 to 1.
        pub y: f64,
        /// The number of its group.
        pub group: u32,
        /// Does it represent games around it?
        pub chosen: bool,
        /// The most similar games: numbers of points, the nearest first.
        pub near: Vec<u32>,
    }
}
