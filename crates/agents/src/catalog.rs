//! What minds there are, with their parameters, in words and for the machine.

use crate::hidden::MINDS;
use crate::hyper::ENTRIES;
use crate::ropasci;
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
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let mut all = [OTHERS, MINDS, &FAMILY, ENTRIES].concat();
        // Its weights have their names and meanings from the features.
        for entry in all.iter_mut().filter(|entry| entry.name == "ropasci") {
            entry.params = [entry.params, &ropasci::evaluation::params()].concat().leak();
        }
        all
    });
    &ALL
}

/// All but those for hidden information and the family of `uct`.
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
        name: "ropasci-rollouts",
        summary: "the RoPaSci report's Monte Carlo search: a few random games in all",
        params: &[Param {
            name: "rollouts",
            default: "5",
            meaning: "random games a move, over all moves",
        }],
        plays: "ropasci360",
    },
    Entry {
        name: "ropasci-lookahead",
        summary: "the RoPaSci report's look-ahead, which hopes for the best reply",
        params: &ROPASCI,
        plays: "ropasci360",
    },
    Entry {
        name: "ropasci-greedy",
        summary: "the RoPaSci report's final agent: the best position after its own move",
        params: &[ROPASCI[0], ROPASCI[1], ROPASCI[2], ROPASCI[3]],
        plays: "ropasci360",
    },
    Entry {
        name: "ropasci-negamax-report",
        summary: "the RoPaSci report's search as it played: at random for eleven turns",
        params: &ROPASCI,
        plays: "ropasci360",
    },
    Entry {
        name: "ropasci-negamax",
        summary: "the RoPaSci report's search, correct: the worst reply to each good move",
        params: &ROPASCI,
        plays: "ropasci360",
    },
    Entry {
        name: "ropasci",
        summary: "RoPaSci 360: equilibria of all moves by double oracle, a model of the other",
        params: &[
            Param { name: "first", default: "10", meaning: "moves looked at this turn" },
            Param { name: "second", default: "0", meaning: "moves looked at next turn" },
            Param { name: "trust", default: "0.9", meaning: "most trust in predicted moves" },
            Param {
                name: "contempt",
                default: "0.05",
                meaning: "how much less than half a point a draw counts",
            },
            Param {
                name: "purify",
                default: "0.1",
                meaning: "moves played more rarely are left out",
            },
            Param {
                name: "stale",
                default: "0.3",
                meaning: "what a repeated position keeps of its distance from a draw",
            },
            Param {
                name: "hoard",
                default: "0.5",
                meaning: "how much more throws are worth against one who can't be predicted",
            },
        ],
        plays: "ropasci360",
    },
    Entry {
        name: "ludo-fast",
        summary: "the Ludo engine's racer, which by a slip moves its rearmost token",
        params: &[],
        plays: "ludo",
    },
    Entry {
        name: "ludo-aggressive",
        summary: "the Ludo engine's hunter (any token in the paper's version)",
        params: &[],
        plays: "ludo",
    },
    Entry {
        name: "ludo-defensive",
        summary: "the Ludo engine's coward: moves the token most in danger",
        params: &[],
        plays: "ludo",
    },
    Entry {
        name: "ludo-simple",
        summary: "the Ludo paper's player of four genes",
        params: &[GENES],
        plays: "ludo",
    },
    Entry {
        name: "ludo-smart",
        summary: "the Ludo paper's opponent: tokens out by sixes, then the best sum of places",
        params: &[],
        plays: "ludo",
    },
    Entry {
        name: "ludo-advanced",
        summary: "the Ludo paper's player of seven genes: places and dangers of all tokens",
        params: &[GENES],
        plays: "ludo",
    },
    Entry {
        name: "ludo",
        summary: "Ludo: looks ahead over chances to win that it learned by playing itself",
        params: &[
            Param {
                name: "plies",
                default: "1",
                meaning: "turns of others that are looked ahead, over all throws, 0 to 4",
            },
            Param {
                name: "file",
                default: "usual",
                meaning: "other weights, from `ludex train ludo`",
            },
        ],
        plays: "ludo",
    },
    Entry {
        name: "mbm",
        summary: "multi-agent bandit: a population explores bad branches, then promising ones",
        params: &[
            Param { name: "agents", default: "50", meaning: "agents in a population" },
            Param {
                name: "simulations",
                default: "auto",
                meaning: "simulations of each agent; auto: as the budget says, else 50",
            },
            Param {
                name: "depth",
                default: "200",
                meaning: "a simulation is neutral after so many turns of the agent",
            },
            Param {
                name: "kind",
                default: "auto",
                meaning: "normal, indifferent (both players move the same pieces), or auto",
            },
            Param {
                name: "reading",
                default: "ratio",
                meaning: "how indifferent games weigh late wins: ratio (to early wins), \
                              versus (early losses) or difference",
            },
            Param {
                name: "mock",
                default: "win",
                meaning: "others take a win at hand (win) or move at random, in lanes (random)",
            },
            Param {
                name: "populations",
                default: "1",
                meaning: "populations, each exploring on its own",
            },
            Param {
                name: "merge",
                default: "end",
                meaning: "join the tables of populations after each simulation (sim) or at \
                              the end",
            },
            Param {
                name: "look",
                default: "0",
                meaning: "drop core moves that lose by force within so many plies",
            },
            Param { name: "threads", default: "1", meaning: "threads" },
        ],
        plays: "games that hide nothing, of players who move one by one",
    },
    Entry {
        name: "best-reply",
        summary: "alpha-beta in which one opponent a round replies freely (BRS+)",
        params: &MINIMAX,
        plays: "games that hide nothing, of players who move one by one",
    },
    Entry {
        name: "alphabeta",
        summary: "iterative deepening alpha-beta with a transposition table; expectimax",
        params: &[
            Param {
                name: "others",
                default: "paranoid",
                meaning: "what other players want: paranoid (my worst) or maxn (their best)",
            },
            MINIMAX[0],
            MINIMAX[1],
            MINIMAX[2],
            MINIMAX[3],
        ],
        plays: "games that hide nothing, of players who move one by one",
    },
    Entry {
        name: "double-oracle",
        summary: "backward induction over joint moves: equilibria by double oracle and LP",
        params: &[
            HEURISTIC,
            Param {
                name: "purify",
                default: "0.05",
                meaning: "moves that the equilibrium plays more rarely are left out",
            },
            Param { name: "memory", default: "256", meaning: "most MiB of known positions" },
        ],
        plays: "games of two players that hide nothing, one gaining what the other loses",
    },
];

const HEURISTIC: Param = Param {
    name: "heuristic",
    default: "auto",
    meaning: "auto, zero, mobility, a term of the game such as material, or \
              terms(material=1,mobility=0.1)",
};

const MINIMAX: [Param; 4] = [
    HEURISTIC,
    Param {
        name: "quiescence",
        default: "0",
        meaning: "plies of loud moves, which change the heuristic, followed beyond the horizon",
    },
    Param { name: "table", default: "16", meaning: "size of the transposition table in MiB" },
    Param { name: "threads", default: "1", meaning: "threads that share the table" },
];

const ROPASCI: [Param; 5] = [
    Param { name: "throws", default: "1", meaning: "weight of throws left" },
    Param { name: "kills", default: "5", meaning: "weight of tokens killed" },
    Param { name: "distance", default: "1", meaning: "weight of how near the hunters are" },
    Param { name: "diversity", default: "1", meaning: "weight of mixed symbols" },
    Param { name: "k", default: "8", meaning: "moves of each player that are looked at" },
];

const GENES: Param = Param {
    name: "file",
    default: "usual",
    meaning: "a chromosome in JSON or NumPy's .npy, or the genes as plain arguments; ludo-full, the \
              network, needs one",
};

/// The names of the minds that can play such a game.
pub fn supporting(info: &Info) -> Vec<&'static str> {
    let able = |entry: &&Entry| {
        entry.name.parse::<crate::AgentSpec>().is_ok_and(|spec| spec.obstacle(info).is_none())
    };
    catalog().iter().filter(able).map(|entry| entry.name).collect()
}

/// The mind that plays such a game where nobody said which: the strongest that is honest. Minds of
/// one game alone are made for it.
///
/// ```
/// let game = ludex_library::open("kuhn").unwrap();
/// assert_eq!(ludex_agents::usual(ludex_core::Game::info(&game)), "hyperplay-ismcts");
/// ```
pub fn usual(info: &Info) -> &'static str {
    let able = supporting(info);
    let best = ["ludo", "ropasci", "uct", "hyperplay-ismcts", "flat"];
    best.into_iter().find(|name| able.contains(name)).unwrap_or("random")
}
