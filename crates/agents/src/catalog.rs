//! What minds there are, with their parameters, in words and for the machine.

use ludex_core::Info;

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
    &[
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
        Entry {
            name: "uct",
            summary: "Monte Carlo tree search by UCB1, with proofs; max^n, decoupled at joint moves",
            params: &[
                Param {
                    name: "c",
                    default: "0.7",
                    meaning: "exploration, for payoffs from 0 to 1",
                },
                Param {
                    name: "fpu",
                    default: "inf",
                    meaning: "first-play urgency: what a move never tried counts",
                },
                Param {
                    name: "expand",
                    default: "1",
                    meaning: "visits of a leaf before it gets children",
                },
                Param {
                    name: "leaf",
                    default: "auto",
                    meaning: "playouts at a leaf, each a simulation; auto: 8 in native games on time, else 1",
                },
                Param { name: "memory", default: "256", meaning: "most MiB of tree" },
                Param {
                    name: "reuse",
                    default: "true",
                    meaning: "keep the tree below the moves that were played",
                },
            ],
            plays: "games that hide nothing",
        },
    ]
}

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

/// The names of the minds that can play such a game.
pub fn supporting(info: &Info) -> Vec<&'static str> {
    let able = |entry: &&Entry| {
        entry.name.parse::<crate::AgentSpec>().is_ok_and(|spec| spec.obstacle(info).is_none())
    };
    catalog().iter().filter(able).map(|entry| entry.name).collect()
}
