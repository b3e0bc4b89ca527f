//! The parameters of the family, and the names of their usual combinations.

use crate::heuristic::Heuristic;
use crate::tree::joint::Rule;
use ludex_core::{Error, Result, Spec};
use std::fmt;

/// How the way down is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// [`Ucb1`](crate::select::Ucb1).
    Ucb1,
    /// [`Tuned`](crate::select::Tuned).
    Tuned,
    /// [`Grave`](crate::select::Grave).
    Grave,
    /// [`History`](crate::select::History).
    History,
}

/// How simulations go on below the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Playout {
    /// [`Uniform`](crate::playout::Uniform).
    Uniform,
    /// [`Mast`](crate::playout::Mast).
    Mast,
    /// [`Nst`](crate::playout::Nst).
    Nst,
}

/// What goes up the tree beside the mean payoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backup {
    /// Nothing.
    Mean,
    /// Exact values: [`Tree::deduce`](crate::tree::Tree::deduce).
    Solver,
    /// Bounds: [`bounds`](crate::tree::bounds); where the game has more than two players or no
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

/// What threads share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parallel {
    /// Nothing: each grows its own tree, and their roots are added up (root parallelisation).
    Root,
    /// One tree behind a lock; playouts run outside of it (tree parallelisation with a global
    /// mutex and virtual loss: Chaslot, Winands, van den Herik 2008, section 3).
    Tree,
}

macro_rules! named {
    ($type:ident, $($variant:ident = $name:literal),+) => {
        impl $type {
            fn read(name: &str) -> Option<Self> {
                match name { $($name => Some($type::$variant),)+ _ => None }
            }

            /// The names that can be given.
            const NAMES: &'static [&'static str] = &[$($name),+];
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($type::$variant => $name),+ })
            }
        }
    };
}

named!(Selection, Ucb1 = "ucb1", Tuned = "ucb1-tuned", Grave = "grave", History = "ph");
named!(Playout, Uniform = "uniform", Mast = "mast", Nst = "nst");
named!(Backup, Mean = "mean", Solver = "solver", Bounded = "bounded");
named!(Final, Robust = "robust", Max = "max", Secure = "secure");
named!(Parallel, Root = "root", Tree = "tree");

/// The parameters of [`Uct`](super::Uct).
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// The combination that the rest departs from.
    name: &'static str,
    /// How the way down is chosen.
    pub select: Selection,
    /// How simulations go on below the tree.
    pub playout: Playout,
    /// What goes up the tree beside the mean payoff.
    pub backup: Backup,
    /// Which move is played in the end.
    pub last: Final,
    /// The exploration constant, for payoffs from 0 to 1.
    pub c: f32,
    /// What a move counts that was never tried; infinite: try each once first.
    pub fpu: f32,
    /// A leaf gets children once it has been visited so often.
    pub expand: u32,
    /// Playouts at a leaf, each a simulation; `None`: [`CHEAP_LEAF`](super::CHEAP_LEAF) where
    /// the game is native code and time the only limit, else one.
    pub leaf: Option<u32>,
    /// The most plies of a playout; `None`: until the game is over.
    pub cap: Option<u32>,
    /// What a playout is worth that was cut off.
    pub heuristic: Heuristic,
    /// GRAVE: the visits of a reference node.
    pub reference: u32,
    /// GRAVE: the bias.
    pub bias: f32,
    /// Progressive History: `W`.
    pub weight: f32,
    /// MAST and NST: the share of random choices.
    pub epsilon: f32,
    /// MAST: the temperature of Gibbs sampling; 0: greedy.
    pub tau: f32,
    /// The share of statistics about actions that is kept from move to move.
    pub keep: f32,
    /// How arms are chosen at joint nodes.
    pub joint: Rule,
    /// When playouts run in batches.
    pub lanes: Lanes,
    /// How many threads search.
    pub threads: u32,
    /// What they share.
    pub parallel: Parallel,
    /// The most memory for the tree, in MiB.
    pub memory: u32,
    /// Keep what was learned about the position reached?
    pub reuse: bool,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            name: "uct",
            select: Selection::Ucb1,
            playout: Playout::Uniform,
            backup: Backup::Solver,
            last: Final::Robust,
            c: 0.7,
            fpu: f32::INFINITY,
            expand: 1,
            leaf: None,
            cap: None,
            heuristic: Heuristic::Zero,
            reference: 100,
            bias: 1e-5,
            weight: 1.0,
            epsilon: 0.8,
            tau: 0.0,
            keep: 0.6,
            joint: Rule::default(),
            lanes: Lanes::Auto,
            threads: 1,
            parallel: Parallel::Root,
            memory: 256,
            reuse: true,
        }
    }
}

/// The names of the family.
pub const NAMES: [&str; 8] =
    ["ucb1-tuned", "bounded", "ph", "ucb1-grave", "grave", "nst", "mast", "uct"];

/// The parameters' keys, as the catalog lists them.
const KEYS: [&str; 22] = [
    "select",
    "playout",
    "backup",
    "final",
    "c",
    "fpu",
    "expand",
    "leaf",
    "cap",
    "heuristic",
    "ref",
    "bias",
    "weight",
    "epsilon",
    "tau",
    "keep",
    "joint",
    "lanes",
    "threads",
    "parallel",
    "memory",
    "reuse",
];

impl Params {
    /// The usual combination of this name.
    pub fn preset(name: &str) -> Option<Self> {
        let name = NAMES.into_iter().find(|known| *known == name)?;
        let plain = Params { name, ..Params::default() };
        Some(match name {
            "ucb1-tuned" => Params { select: Selection::Tuned, c: 1.0, ..plain },
            "bounded" => Params { backup: Backup::Bounded, ..plain },
            "ph" => Params { select: Selection::History, ..plain },
            "ucb1-grave" => Params { select: Selection::Grave, c: 0.2, ..plain },
            "grave" => Params { select: Selection::Grave, c: 0.0, ..plain },
            "nst" => Params { playout: Playout::Nst, epsilon: 0.4, ..plain },
            "mast" => Params { playout: Playout::Mast, ..plain },
            _ => plain,
        })
    }

    /// The combination that the rest departs from.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Reads `uct(c=..,select=..)` and the like.
    ///
    /// # Errors
    /// Unknown keys, values that can't be.
    pub fn read(spec: &Spec) -> Result<Self> {
        let bad = |reason: String| Error::BadParameter { name: spec.name.clone(), reason };
        let default = Params::preset(&spec.name).unwrap_or_default();
        spec.expect(&KEYS, 0)?;
        // A word out of a few.
        fn word<T>(
            spec: &Spec,
            key: &str,
            names: &[&str],
            read: fn(&str) -> Option<T>,
            default: T,
        ) -> Result<T> {
            let Some(value) = spec.get(key) else { return Ok(default) };
            let plain = Some(value).filter(|v| v.args.is_empty() && v.budget.is_empty());
            plain.and_then(|value| read(&value.name)).ok_or_else(|| Error::BadParameter {
                name: spec.name.clone(),
                reason: format!("`{key}` must be one of {}, not `{value}`", names.join(", ")),
            })
        }
        // A number, or a word that stands for none.
        let number = |key: &str, none: &str, default: Option<u32>| match spec.get(key) {
            None => Ok(default),
            Some(value) if value.name == none && value.args.is_empty() => Ok(None),
            Some(_) => spec.param(key, None, 0).map(Some),
        };
        let joint = match spec.get("joint") {
            Some(value) => value.to_string().parse()?,
            None => default.joint,
        };
        let params = Params {
            name: default.name,
            select: word(spec, "select", Selection::NAMES, Selection::read, default.select)?,
            playout: word(spec, "playout", Playout::NAMES, Playout::read, default.playout)?,
            backup: word(spec, "backup", Backup::NAMES, Backup::read, default.backup)?,
            last: word(spec, "final", Final::NAMES, Final::read, default.last)?,
            c: spec.param("c", None, default.c)?,
            fpu: spec.param("fpu", None, default.fpu)?,
            expand: spec.param("expand", None, default.expand)?,
            leaf: number("leaf", "auto", default.leaf)?,
            cap: number("cap", "none", default.cap)?,
            heuristic: match spec.get("heuristic") {
                Some(value) => Heuristic::read(value)?,
                None => default.heuristic,
            },
            reference: spec.param("ref", None, default.reference)?,
            bias: spec.param("bias", None, default.bias)?,
            weight: spec.param("weight", None, default.weight)?,
            epsilon: spec.param("epsilon", None, default.epsilon)?,
            tau: spec.param("tau", None, default.tau)?,
            keep: spec.param("keep", None, default.keep)?,
            joint,
            lanes: match spec.get("lanes") {
                None => default.lanes,
                Some(value) if value.name == "auto" => Lanes::Auto,
                Some(value) if value.name == "off" => Lanes::Off,
                Some(_) => Lanes::Of(spec.param("lanes", None, 0)?),
            },
            threads: spec.param("threads", None, default.threads)?,
            parallel: word(spec, "parallel", Parallel::NAMES, Parallel::read, default.parallel)?,
            memory: spec.param("memory", None, default.memory)?,
            reuse: spec.param("reuse", None, default.reuse)?,
        };
        match params.fault() {
            Some(reason) => Err(bad(reason.into())),
            None => Ok(params),
        }
    }

    /// What can't be.
    fn fault(&self) -> Option<&'static str> {
        let from_zero = |x: f32| x.is_finite() && x >= 0.0;
        let share = |x: f32| (0.0..=1.0).contains(&x);
        let faults = [
            (!from_zero(self.c), "`c` must be a number from 0 up"),
            (
                self.fpu.is_nan() || self.fpu.is_sign_negative(),
                "`fpu` must be a number from 0 up, or inf",
            ),
            (self.memory == 0, "`memory` must be at least 1 (MiB)"),
            (self.expand == 0, "`expand` must be at least 1 (visit)"),
            (
                self.leaf.is_some_and(|leaf| !(1..=1024).contains(&leaf)),
                "`leaf` must be auto, or from 1 to 1024 (playouts)",
            ),
            (self.cap == Some(0), "`cap` must be none, or at least 1 (ply)"),
            (!from_zero(self.bias), "`bias` must be a number from 0 up"),
            (!from_zero(self.weight), "`weight` must be a number from 0 up"),
            (!share(self.epsilon), "`epsilon` must be from 0 to 1"),
            (
                self.tau != 0.0 && !(0.02..=1e6).contains(&self.tau),
                "`tau` must be 0 (greedy), or from 0.02 up",
            ),
            (!share(self.keep), "`keep` must be from 0 to 1"),
            (
                matches!(self.lanes, Lanes::Of(n) if !(2..=1 << 16).contains(&n)),
                "`lanes` must be auto, off, or from 2 to 65536 (playouts)",
            ),
            (
                matches!(self.lanes, Lanes::Of(_)) && self.traced(),
                "`lanes` gives results without the moves, which this selection or playout learns from",
            ),
            (
                matches!(self.lanes, Lanes::Of(_)) && self.cap.is_some(),
                "`lanes` plays to the end, so that `cap` can't be",
            ),
            (
                matches!(self.lanes, Lanes::Of(_))
                    && self.threads > 1
                    && self.parallel == Parallel::Tree,
                "`lanes` on several threads needs `parallel=root`",
            ),
            (!(1..=256).contains(&self.threads), "`threads` must be from 1 to 256"),
        ];
        faults.into_iter().find(|(wrong, _)| *wrong).map(|(_, reason)| reason)
    }

    /// Must simulations be traced, action by action?
    pub fn traced(&self) -> bool {
        matches!(self.select, Selection::Grave | Selection::History)
            || self.playout != Playout::Uniform
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Params::preset(self.name).unwrap_or_default();
        fn given<T: PartialEq + fmt::Display>(key: &str, value: &T, default: &T) -> Option<String> {
            (value != default).then(|| format!("{key}={value}"))
        }
        let optional = |key: &str, value: Option<u32>, default: Option<u32>, none: &str| {
            let text = value.map_or(none.to_string(), |n| n.to_string());
            (value != default).then(|| format!("{key}={text}"))
        };
        let args = [
            given("select", &self.select, &default.select),
            given("playout", &self.playout, &default.playout),
            given("backup", &self.backup, &default.backup),
            given("final", &self.last, &default.last),
            given("c", &self.c, &default.c),
            given("fpu", &self.fpu, &default.fpu),
            given("expand", &self.expand, &default.expand),
            optional("leaf", self.leaf, default.leaf, "auto"),
            optional("cap", self.cap, default.cap, "none"),
            given("heuristic", &self.heuristic, &default.heuristic),
            given("ref", &self.reference, &default.reference),
            given("bias", &self.bias, &default.bias),
            given("weight", &self.weight, &default.weight),
            given("epsilon", &self.epsilon, &default.epsilon),
            given("tau", &self.tau, &default.tau),
            given("keep", &self.keep, &default.keep),
            given("joint", &self.joint, &default.joint),
            match self.lanes {
                Lanes::Auto => None,
                Lanes::Off => Some("lanes=off".into()),
                Lanes::Of(n) => Some(format!("lanes={n}")),
            },
            given("threads", &self.threads, &default.threads),
            given("parallel", &self.parallel, &default.parallel),
            given("memory", &self.memory, &default.memory),
            given("reuse", &self.reuse, &default.reuse),
        ];
        crate::spec::write_call(f, self.name, args)
    }
}
