//! The catalog's words on the minds for hidden information.

use crate::catalog::{Entry, Param};

const PLAYS: &str = "games that hide something";

const MODELS: Param = Param { name: "models", default: "100", meaning: "models in the bag" };
const CAP: Param = Param {
    name: "cap",
    default: "10000",
    meaning: "states that a model may visit in an update before it goes off line",
};
const ON: Param =
    Param { name: "cf", default: "on", meaning: "do models count by their choice factor: on, off" };
const OFF: Param = Param { default: "off", ..ON };
const REMEDY: Param = Param {
    name: "remedy",
    default: "weight",
    meaning: "for models with the same history: none, weight (they count as one) or balance",
};
const NO_REMEDY: Param = Param { default: "none", ..REMEDY };
const C: Param = Param { name: "c", default: "0.7", meaning: "how much the tree explores" };

/// All of them, the strongest last.
pub(crate) const MINDS: &[Entry] = &[
    Entry {
        name: "cheat-uct",
        summary: "looks at the true state: a measuring stick, no honest player",
        params: &[],
        plays: PLAYS,
    },
    Entry {
        name: "mccfr",
        summary: "regret minimisation over the whole game (outcome sampling); for small games",
        params: &[Param {
            name: "sets",
            default: "2000000",
            meaning: "most information sets remembered",
        }],
        plays: "games of two players that hide something, one gaining what the other loses",
    },
    Entry {
        name: "pimc",
        summary: "perfect-information Monte Carlo: a tree search in each of some worlds",
        params: &[
            Param { name: "worlds", default: "20", meaning: "worlds that are searched" },
            MODELS,
            CAP,
            OFF,
        ],
        plays: PLAYS,
    },
    Entry {
        name: "pomcp",
        summary: "a tree over own actions and observations; others move at random",
        params: &[MODELS, CAP, ON, REMEDY, C],
        plays: PLAYS,
    },
    Entry {
        name: "so-ismcts",
        summary: "information-set tree search, one tree of what the searcher knows",
        params: &[MODELS, CAP, OFF, NO_REMEDY, C],
        plays: PLAYS,
    },
    Entry {
        name: "hyperplay",
        summary: "HyperPlay: a bag of models, random games from each",
        params: &[
            MODELS,
            CAP,
            ON,
            REMEDY,
            Param {
                name: "search",
                default: "playouts",
                meaning: "how a model is judged: playouts or uct",
            },
        ],
        plays: PLAYS,
    },
    Entry {
        name: "hyperplay2",
        summary: "HyperPlay-II: models played on by players who know no more than they could",
        params: &[
            Param { default: "40", ..MODELS },
            CAP,
            ON,
            REMEDY,
            Param { name: "inner", default: "12", meaning: "models of the nested players" },
            Param {
                name: "playouts",
                default: "2",
                meaning: "their random games a move and model",
            },
            Param { name: "levels", default: "1", meaning: "how deep players are nested" },
            Param {
                name: "depth",
                default: "0",
                meaning: "own decisions planned at most; 0: as many as the budget allows",
            },
            Param {
                name: "horizon",
                default: "1",
                meaning: "further own decisions after which a simulation ends in random games",
            },
        ],
        plays: PLAYS,
    },
    Entry {
        name: "mo-ismcts",
        summary: "information-set tree search, a tree of each player's knowledge",
        params: &[MODELS, CAP, OFF, NO_REMEDY, C],
        plays: PLAYS,
    },
    Entry {
        name: "hyperplay-ismcts",
        summary: "mo-ismcts fed by HyperPlay's models, weighted by choice factor",
        params: &[MODELS, CAP, ON, REMEDY, C],
        plays: PLAYS,
    },
];
