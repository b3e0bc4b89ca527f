//! What minds there are, with their parameters, in words and for the machine.

use crate::uct::FAMILY;
use ludex_core::Info;
use std::sync::LazyLock;

/// One mind as `ludex agents` lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The name that people type.
    pub name: &'static str,
    /// One line on how it thinks.
    pub summary: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// What it can play, in words.
    pub plays: &'static str,
}

/// One parameter of a mind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// The key, as in `c=1.4`.
    pub name: &'static str,
    /// What it is where it is not given.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// All minds, the weakest first.
pub fn catalog() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| [OTHERS, &FAMILY].concat());
    &ALL
}

/// All but the family of `uct`.
const OTHERS: &[Entry] = &[
    Entry {
        name: "human",
        summary: "a person at the terminal; ? lists the moves, quit leaves",
        params: &[],
        plays: "every game",
    },
    Entry {
        name: "random",
        summary: "any legal move, each as likely as the others",
        params: &[],
        plays: "every game",
    },
    Entry {
        name: "greedy",
        summary: "one ply of look-ahead by heuristic, or by a few random games",
        params: &[
            HEURISTIC,
            Param {
                name: "playouts",
                default: "16",
                meaning: "random games a move where the game has no terms to judge by",
            },
        ],
        plays: "games that hide nothing",
    },
    Entry {
        name: "flat",
        summary: "flat Monte Carlo: the move with the best mean over random games",
        params: &[],
        plays: "games that hide nothing",
    },
    Entry {
        name: "alphabeta",
        summary: "iterative deepening alpha-beta with a transposition table; expectimax",
        params: &[
            HEURISTIC,
            Param {
                name: "others",
                default: "paranoid",
                meaning: "what other players want: paranoid (my worst) or maxn (their best)",
            },
            Param {
                name: "table",
                default: "16",
                meaning: "size of the transposition table in MiB",
            },
        ],
        plays: "games that hide nothing, of players who move one by one",
    },
];

const HEURISTIC: Param = Param {
    name: "heuristic",
    default: "auto",
    meaning: "auto, zero, mobility, a term of the game such as material, or \
              terms(material=1,mobility=0.1)",
};

/// The names of the minds that can play such a game.
pub fn supporting(info: &Info) -> Vec<&'static str> {
    let able = |entry: &&Entry| {
        entry.name.parse::<crate::AgentSpec>().is_ok_and(|spec| spec.obstacle(info).is_none())
    };
    catalog().iter().filter(able).map(|entry| entry.name).collect()
}
