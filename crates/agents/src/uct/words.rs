//! The family as the catalog lists it.

use crate::catalog::{Entry, Param};

const fn param(name: &'static str, default: &'static str, meaning: &'static str) -> Param {
    Param { name, default, meaning }
}

/// The parameters, with the defaults in which the members differ.
const fn params(
    select: &'static str,
    playout: &'static str,
    backup: &'static str,
    c: &'static str,
    epsilon: &'static str,
) -> [Param; 22] {
    [
        param("select", select, "the way down: ucb1, ucb1-tuned, grave or ph"),
        param("playout", playout, "below the tree: uniform, mast or nst"),
        param("backup", backup, "beside the mean: mean (nothing), solver (exact values), bounded"),
        param(
            "final",
            "robust",
            "the move played: robust (visits), max (mean), secure (lower bound)",
        ),
        param("c", c, "exploration, for payoffs from 0 to 1"),
        param("fpu", "inf", "first-play urgency: what a move never tried counts"),
        param("expand", "1", "visits of a leaf before it gets children"),
        param(
            "leaf",
            "auto",
            "playouts at a leaf, each a simulation; auto: 8 in native games on time, else 1",
        ),
        param("cap", "none", "most plies of a playout, which is then judged by the heuristic"),
        param("heuristic", "zero", "judges playouts that were cut off; zero: everything is even"),
        param("ref", "100", "grave: visits of a node whose statistics those below it use"),
        param("bias", "0.00001", "grave: how soon own visits outweigh them"),
        param("weight", "1", "ph: weight of the history"),
        param("epsilon", epsilon, "mast, nst: share of random moves in playouts"),
        param("tau", "0", "mast: temperature of Gibbs sampling; 0: greedy but for epsilon"),
        param("keep", "0.6", "mast, nst, ph: share of the statistics kept from move to move"),
        param("joint", "regret", "at joint moves: ducb, regret (matching) or exp3"),
        param(
            "lanes",
            "auto",
            "playouts a batch, for uniform playouts without cap; auto: on time, where batches are much faster; off",
        ),
        param("threads", "1", "threads that search"),
        param("parallel", "root", "what threads share: root (nothing until the end) or tree"),
        param("memory", "256", "most MiB of tree"),
        param("reuse", "true", "keep the tree below the moves that were played"),
    ]
}

static UCT: [Param; 22] = params("ucb1", "uniform", "solver", "0.7", "0.8");
static TUNED: [Param; 22] = params("ucb1-tuned", "uniform", "solver", "1", "0.8");
static GRAVE: [Param; 22] = params("grave", "uniform", "solver", "0", "0.8");
static UCB1_GRAVE: [Param; 22] = params("grave", "uniform", "solver", "0.2", "0.8");
static PH: [Param; 22] = params("ph", "uniform", "solver", "0.7", "0.8");
static MAST: [Param; 22] = params("ucb1", "mast", "solver", "0.7", "0.8");
static NST: [Param; 22] = params("ucb1", "nst", "solver", "0.7", "0.4");
static BOUNDED: [Param; 22] = params("ucb1", "uniform", "bounded", "0.7", "0.8");

const fn entry(name: &'static str, summary: &'static str, params: &'static [Param]) -> Entry {
    Entry { name, summary, params, plays: "games that hide nothing" }
}

/// The members, `uct` itself last.
pub(crate) static FAMILY: [Entry; 8] = [
    entry("ucb1-tuned", "uct that explores by the variance of the payoffs", &TUNED),
    entry(
        "bounded",
        "uct with bounds of payoffs: proves draws sooner, cuts what is not wanted",
        &BOUNDED,
    ),
    entry("ph", "uct with progressive history: actions good elsewhere are tried first", &PH),
    entry("ucb1-grave", "grave with an exploration term", &UCB1_GRAVE),
    entry(
        "grave",
        "tree search by all-moves-as-first values of an ancestor, no exploration",
        &GRAVE,
    ),
    entry("nst", "uct whose playouts prefer sequences that did well", &NST),
    entry("mast", "uct whose playouts prefer actions that did well", &MAST),
    entry(
        "uct",
        "Monte Carlo tree search by UCB1, with proofs; max^n, mixed strategies at joint moves",
        &UCT,
    ),
];
