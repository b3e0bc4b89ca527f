//! The parameters of the family.

use crate::heuristic::Heuristic;
use crate::search::tree::joint::Rule;
use ludex_core::Spec;
use ludex_core::schema::{self, Bounds, Kind, Refusal, Value};

/// How the way down is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// [`Ucb1`](crate::search::select::Ucb1).
    Ucb1,
    /// [`Tuned`](crate::search::select::Tuned).
    Tuned,
    /// [`Grave`](crate::search::select::Grave).
    Grave,
    /// [`History`](crate::search::select::History).
    History,
}

/// How simulations go on below the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Playout {
    /// [`Uniform`](crate::search::playout::Uniform).
    Uniform,
    /// [`Mast`](crate::search::playout::Mast).
    Mast,
    /// [`Nst`](crate::search::playout::Nst).
    Nst,
}

/// The values that go up the tree beside the mean payoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backup {
    /// Nothing beside the mean.
    Mean,
    /// Exact values: [`Tree::deduce`](crate::search::tree::Tree::deduce).
    Solver,
    /// Bounds: [`bounds`](crate::search::tree::bounds); where the game has more than two players or no
    /// constant sum, exact values.
    Bounded,
}

/// Which move is played in the end (Chaslot, Winands, van den Herik, Uiterwijk, Bouzy 2008,
/// "Progressive strategies for Monte-Carlo tree search", section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Final {
    /// The most visits.
    Robust,
    /// The best mean.
    Max,
    /// The best lower confidence bound, `mean - 1 / sqrt(n)`.
    Secure,
}

/// When playouts of many leaves are run in one batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// On the clock, where the game's batches are measured to be much faster.
    Auto,
    /// Never.
    Off,
    /// Always, about so many playouts a batch.
    Of(u32),
}

/// The data that threads share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parallel {
    /// Nothing: each grows its own tree, and their roots are added up (root parallelisation).
    Root,
    /// One tree behind a lock; playouts run outside of it (tree parallelisation with a global
    /// mutex and virtual loss: Chaslot, Winands, van den Herik 2008, section 3).
    Tree,
}

ludex_core::words!(Selection { Ucb1 = "ucb1", Tuned = "ucb1-tuned", Grave = "grave", History = "ph" });
ludex_core::words!(Playout { Uniform = "uniform", Mast = "mast", Nst = "nst" });
ludex_core::words!(Backup { Mean = "mean", Solver = "solver", Bounded = "bounded" });
ludex_core::words!(Final { Robust = "robust", Max = "max", Secure = "secure" });
ludex_core::words!(Parallel { Root = "root", Tree = "tree" });

/// The most playouts of a batch.
const MOST_LANES: u32 = 1 << 16;

impl Value for Lanes {
    fn kind(_: &Bounds) -> Kind {
        Kind::Text("auto, off, or a whole number from 2 to 65536")
    }

    fn read(value: &Spec, _: &Bounds) -> Result<Self, Refusal> {
        match schema::plain(value)? {
            "auto" => Ok(Lanes::Auto),
            "off" => Ok(Lanes::Off),
            number => match number.parse() {
                Ok(lanes) if (2..=MOST_LANES).contains(&lanes) => Ok(Lanes::Of(lanes)),
                _ => Err(Refusal::Unfit),
            },
        }
    }

    fn write(&self, _: &Bounds) -> Spec {
        match self {
            Lanes::Auto => Spec::new("auto"),
            Lanes::Off => Spec::new("off"),
            Lanes::Of(lanes) => Spec::new(lanes.to_string()),
        }
    }
}

ludex_core::params! {
    /// The parameters of [`Uct`](super::Uct).
    pub struct Params {
        /// How a child is chosen: ucb1, ucb1-tuned, grave or ph.
        pub select: Selection = Selection::Ucb1;
        /// How simulations go on below the tree: uniform, mast or nst.
        pub playout: Playout = Playout::Uniform;
        /// What goes up the tree beside the mean payoff: mean (nothing), solver (exact values) or bounded (bounds).
        pub backup: Backup = Backup::Solver;
        /// Which move is played: robust (most visits), max (best mean) or secure (best lower bound).
        pub last as "final": Final = Final::Robust;
        /// Exploration constant, for payoffs from 0 to 1.
        pub c: f32 = 0.7, 0.0..;
        /// First-play urgency: the value of a move that was never tried; inf tries each move once first.
        pub fpu: f32 = f32::INFINITY, 0.0..=f64::INFINITY;
        /// Visits of a leaf before it gets children.
        pub expand: u32 = 1, 1..;
        /// Playouts at a leaf, each a simulation; auto: 8 in native games where time is the only limit, else 1.
        pub leaf: Option<u32> = None, (1..=1024, "auto");
        /// Most plies of a playout; the heuristic judges where it is cut off.
        pub cap: Option<u32> = None, (1.., "none");
        /// Heuristic that judges playouts which were cut off; zero: every position is even.
        pub heuristic: Heuristic = Heuristic::Zero;
        /// grave: visits that a node needs so that the nodes below it use its statistics.
        pub reference as "ref": u32 = 100;
        /// grave: bias, which says how soon a node's own visits outweigh the statistics above it.
        pub bias: f32 = 1e-5, 0.0..;
        /// ph: weight W of the history.
        pub weight: f32 = 1.0, 0.0..;
        /// mast, nst: share of random moves in playouts.
        pub epsilon: f32 = 0.8, 0.0..=1.0;
        /// mast: temperature of Gibbs sampling; 0: greedy but for epsilon.
        pub tau: f32 = 0.0, 0.0..=1e6;
        /// mast, nst, ph: share of the statistics that is kept from move to move.
        pub keep: f32 = 0.6, 0.0..=1.0;
        /// How arms are chosen at joint moves: ducb, regret (matching) or exp3.
        pub joint: Rule = Rule::default();
        /// Playouts a batch, for uniform playouts without cap; auto: on time, where batches are much faster; off: never.
        pub lanes: Lanes = Lanes::Auto;
        /// Threads that search.
        pub threads: u32 = 1, 1..=256;
        /// What threads share: root (nothing until the end) or tree.
        pub parallel: Parallel = Parallel::Root;
        /// Most memory of the tree, in MiB.
        pub memory: u32 = 256, 1..;
        /// Keep the tree below the moves that were played?
        pub reuse: bool = true;
    }
    check = Params::check;
}

impl Params {
    /// Refuses values that do not go together.
    fn check(&self) -> Result<(), String> {
        if self.tau != 0.0 && self.tau < 0.02 {
            return Err("`tau` must be 0 (greedy), or from 0.02 up".into());
        }
        let Lanes::Of(_) = self.lanes else { return Ok(()) };
        let obstacle = if self.traced() {
            "`lanes` gives results without the moves, which this selection or playout learns from"
        } else if self.cap.is_some() {
            "`lanes` plays to the end: leave out `cap`"
        } else if self.threads > 1 && self.parallel == Parallel::Tree {
            "`lanes` on several threads needs `parallel=root`"
        } else {
            return Ok(());
        };
        Err(obstacle.into())
    }

    /// Must simulations be traced, action by action?
    pub fn traced(&self) -> bool {
        matches!(self.select, Selection::Grave | Selection::History)
            || self.playout != Playout::Uniform
    }
}
