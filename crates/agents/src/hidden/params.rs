//! The names of the minds for hidden information, with their parameters.

use super::bag::{Config, Remedy};
use ludex_core::{Error, Info, Result, Spec};
use std::fmt;

/// Which mind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Random games from every model, each move alike.
    HyperPlay,
    /// HyperPlay with simulations in which nobody knows more than it could.
    HyperPlay2,
    /// A tree search in each of some worlds, as if nothing were hidden in it.
    Pimc,
    /// Information-set search with one tree.
    SoIsmcts,
    /// Information-set search with a tree a player.
    MoIsmcts,
    /// Own actions and observations; the others move at random.
    Pomcp,
    /// Regret minimisation over the whole game.
    Mccfr,
    /// Information-set search, a tree a player, fed by weighted models.
    HyperPlayIsmcts,
    /// Looks at the true state: a measuring stick.
    CheatUct,
}

/// The names, weakest first.
pub const NAMES: [&str; 9] = [
    "cheat-uct",
    "mccfr",
    "pimc",
    "pomcp",
    "so-ismcts",
    "hyperplay",
    "hyperplay2",
    "mo-ismcts",
    "hyperplay-ismcts",
];

impl Kind {
    fn of(name: &str) -> Option<Kind> {
        Some(match name {
            "hyperplay" => Kind::HyperPlay,
            "hyperplay2" => Kind::HyperPlay2,
            "pimc" => Kind::Pimc,
            "so-ismcts" => Kind::SoIsmcts,
            "mo-ismcts" => Kind::MoIsmcts,
            "pomcp" => Kind::Pomcp,
            "mccfr" => Kind::Mccfr,
            "hyperplay-ismcts" => Kind::HyperPlayIsmcts,
            "cheat-uct" => Kind::CheatUct,
            _ => return None,
        })
    }

    /// The name that people type.
    pub fn name(self) -> &'static str {
        match self {
            Kind::HyperPlay => "hyperplay",
            Kind::HyperPlay2 => "hyperplay2",
            Kind::Pimc => "pimc",
            Kind::SoIsmcts => "so-ismcts",
            Kind::MoIsmcts => "mo-ismcts",
            Kind::Pomcp => "pomcp",
            Kind::Mccfr => "mccfr",
            Kind::HyperPlayIsmcts => "hyperplay-ismcts",
            Kind::CheatUct => "cheat-uct",
        }
    }

    /// The parameters that it takes.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Kind::HyperPlay => &["models", "cap", "cf", "remedy", "search"],
            Kind::HyperPlay2 => &[
                "models", "cap", "cf", "remedy", "inner", "playouts", "levels", "depth", "horizon",
            ],
            Kind::Pimc => &["worlds", "models", "cap", "cf"],
            Kind::SoIsmcts | Kind::MoIsmcts | Kind::Pomcp | Kind::HyperPlayIsmcts => {
                &["models", "cap", "cf", "remedy", "c"]
            }
            Kind::Mccfr => &["sets"],
            Kind::CheatUct => &[],
        }
    }
}

/// The parameters of [`Hidden`](super::Hidden).
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// Which mind.
    pub kind: Kind,
    /// Models in the bag.
    pub models: usize,
    /// States that a model may visit in an update.
    pub cap: u64,
    /// Do models count by their choice factor?
    pub choice_factors: bool,
    /// What is done about models with the same history.
    pub remedy: Remedy,
    /// Is each model searched by a tree instead of random games?
    pub tree: bool,
    /// Worlds that `pimc` searches.
    pub worlds: usize,
    /// How much the tree explores.
    pub c: f64,
    /// Models of the nested players.
    pub inner: usize,
    /// Random games a move and model of the nested players.
    pub playouts: usize,
    /// How deep players are nested.
    pub levels: u32,
    /// Own decisions planned at most; 0 where the budget alone decides.
    pub depth: u32,
    /// Own decisions after which a simulation is finished by random games.
    pub horizon: u32,
    /// The most information sets of `mccfr`.
    pub sets: usize,
}

impl Params {
    /// The usual parameters.
    pub fn new(kind: Kind) -> Self {
        // Worlds as equals, as published.
        let equals = matches!(kind, Kind::SoIsmcts | Kind::MoIsmcts | Kind::Pimc);
        Params {
            kind,
            models: if kind == Kind::HyperPlay2 { 40 } else { 100 },
            cap: 10_000,
            choice_factors: !equals,
            // Where every history of the set is in some model, choice factors are then exact.
            remedy: if equals { Remedy::None } else { Remedy::Weight },
            tree: false,
            worlds: 20,
            c: 0.7,
            inner: 12,
            playouts: 2,
            levels: 1,
            depth: 0,
            horizon: 1,
            sets: 2_000_000,
        }
    }

    /// Reads a name with its parameters.
    ///
    /// # Errors
    /// Unknown keys, values that can't be.
    pub fn read(spec: &Spec) -> Result<Self> {
        let bad = |reason: String| Error::BadParameter { name: spec.name.clone(), reason };
        let kind = Kind::of(&spec.name).ok_or_else(|| bad("no such mind".into()))?;
        spec.expect(kind.keys(), 0)?;
        let usual = Params::new(kind);
        let word = |key: &str| spec.get(key).map(|value| value.name.as_str());
        let params = Params {
            kind,
            models: spec.param("models", None, usual.models)?,
            cap: spec.param("cap", None, usual.cap)?,
            choice_factors: match word("cf") {
                None => usual.choice_factors,
                Some("on") => true,
                Some("off") => false,
                Some(other) => return Err(bad(format!("`cf` is on or off, not `{other}`"))),
            },
            remedy: match word("remedy") {
                None => usual.remedy,
                Some("none") => Remedy::None,
                Some("weight") => Remedy::Weight,
                Some("balance") => Remedy::Balance,
                Some(other) => {
                    let text = format!("`remedy` is none, weight or balance, not `{other}`");
                    return Err(bad(text));
                }
            },
            tree: match word("search") {
                None | Some("playouts") => false,
                Some("uct") => true,
                Some(other) => {
                    return Err(bad(format!("`search` is playouts or uct, not `{other}`")));
                }
            },
            worlds: spec.param("worlds", None, usual.worlds)?,
            c: spec.param("c", None, usual.c)?,
            inner: spec.param("inner", None, usual.inner)?,
            playouts: spec.param("playouts", None, usual.playouts)?,
            levels: spec.param("levels", None, usual.levels)?,
            depth: spec.param("depth", None, usual.depth)?,
            horizon: spec.param("horizon", None, usual.horizon)?,
            sets: spec.param("sets", None, usual.sets)?,
        };
        let counts = [
            ("models", params.models, 100_000),
            ("worlds", params.worlds, 100_000),
            ("inner", params.inner, 10_000),
            ("playouts", params.playouts, 10_000),
            ("sets", params.sets, 50_000_000),
        ];
        for (name, value, most) in counts {
            if !(1..=most).contains(&value) {
                return Err(bad(format!("`{name}` must be from 1 to {most}")));
            }
        }
        if !(1..=100_000_000).contains(&params.cap) {
            return Err(bad("`cap` must be from 1 to 100000000 states".into()));
        }
        if !(1..=8).contains(&params.levels) {
            return Err(bad("`levels` must be from 1 to 8".into()));
        }
        if params.depth > 100 {
            return Err(bad("`depth` must be from 0 to 100".into()));
        }
        if !(params.c >= 0.0 && params.c.is_finite()) {
            return Err(bad("`c` must not be negative".into()));
        }
        Ok(params)
    }

    /// Its bare name.
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// The bag that it keeps.
    pub fn bag(&self) -> Config {
        Config {
            models: self.models,
            cap: self.cap,
            remedy: self.remedy,
            revive: true,
            ..Config::default()
        }
    }

    /// What keeps it from such a game.
    pub(crate) fn obstacle(&self, info: &Info) -> Option<&'static str> {
        if !info.hidden {
            return Some("is for games that hide something, and this one hides nothing");
        }
        if self.kind == Kind::Mccfr && (info.seats() != 2 || !info.constant_sum) {
            return Some("needs two players of whom one gains what the other loses");
        }
        None
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Params::new(self.kind);
        let on = |on: bool| if on { "on" } else { "off" };
        let remedy = match self.remedy {
            Remedy::None => "none",
            Remedy::Weight => "weight",
            Remedy::Balance => "balance",
        };
        let given = [
            (self.models != usual.models).then(|| format!("models={}", self.models)),
            (self.cap != usual.cap).then(|| format!("cap={}", self.cap)),
            (self.choice_factors != usual.choice_factors)
                .then(|| format!("cf={}", on(self.choice_factors))),
            (self.remedy != usual.remedy).then(|| format!("remedy={remedy}")),
            self.tree.then(|| "search=uct".to_string()),
            (self.worlds != usual.worlds).then(|| format!("worlds={}", self.worlds)),
            (self.c != usual.c).then(|| format!("c={}", self.c)),
            (self.inner != usual.inner).then(|| format!("inner={}", self.inner)),
            (self.playouts != usual.playouts).then(|| format!("playouts={}", self.playouts)),
            (self.levels != usual.levels).then(|| format!("levels={}", self.levels)),
            (self.depth != usual.depth).then(|| format!("depth={}", self.depth)),
            (self.horizon != usual.horizon).then(|| format!("horizon={}", self.horizon)),
            (self.sets != usual.sets).then(|| format!("sets={}", self.sets)),
        ];
        crate::spec::write_call(f, self.name(), given)
    }
}
