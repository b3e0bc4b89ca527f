//! How much an agent may spend on one move.

use ludex_core::schema::{self, Bounds, Kind, Refusal, Value};
use ludex_core::{Error, Result, Spec};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Limits for one move; an agent stops at the first that it reaches.
///
/// ```
/// use ludex_agents::Budget;
/// use std::time::Duration;
/// let budget: Budget = "time=1.5s@sims=500".parse().unwrap();
/// assert_eq!(budget.sims, Some(500));
/// assert_eq!(budget.time, Some(Duration::from_millis(1500)));
/// assert_eq!(budget.to_string(), "time=1500ms@sims=500");
/// assert!("sims=-3".parse::<Budget>().is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Processor time of the thread that thinks: what else the machine does costs nothing.
    pub cpu: Option<Duration>,
    /// Simulations; for an agent without simulations, positions searched.
    pub sims: Option<u64>,
    /// Positions searched, or nodes of the tree.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u32>,
}

impl Budget {
    /// The budget in the name of an agent: the part after `@`.
    ///
    /// # Errors
    /// A key that is unknown, or a value that can't be read.
    pub fn read(spec: &Spec) -> Result<Budget> {
        let mut budget = Budget::default();
        for (key, value) in &spec.budget {
            budget.set(key, value)?;
        }
        Ok(budget)
    }

    /// The time of an agent without any limit.
    pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

    /// The longest time that a budget may give to one move.
    const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

    /// A number of simulations.
    pub fn sims(sims: u64) -> Self {
        Budget { sims: Some(sims), ..Budget::default() }
    }

    /// A limit of time alone.
    pub fn time(time: Duration) -> Self {
        Budget { time: Some(time), ..Budget::default() }
    }

    /// Has it no limit?
    pub fn is_empty(&self) -> bool {
        *self == Budget::default()
    }

    /// This budget where it has any limit, else `fallback`: a seat's own budget replaces the
    /// match's as a whole, so that `uct@sims=500` stays repeatable under `--time 1s`.
    pub fn or(&self, fallback: &Budget) -> Budget {
        if self.is_empty() { fallback.clone() } else { self.clone() }
    }

    /// Sets the limit named `key`; each may be set once.
    ///
    /// # Errors
    /// An unknown key, a limit that is not a positive number, a limit given twice.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let value = value.trim();
        let twice = match key.trim() {
            "time" => self.time.replace(parse_time(value)?).is_some(),
            "cpu" => self.cpu.replace(parse_time(value)?).is_some(),
            "sims" => self.sims.replace(count(key, value)?).is_some(),
            "nodes" => self.nodes.replace(count(key, value)?).is_some(),
            "depth" => {
                let depth = u32::try_from(count(key, value)?)
                    .map_err(|_| bad(format!("depth={value} is too much")))?;
                self.depth.replace(depth).is_some()
            }
            other => {
                return Err(bad(format!(
                    "no limit `{other}`; there are time, cpu, sims, nodes and depth"
                )));
            }
        };
        if twice { Err(bad(format!("`{key}` is given twice"))) } else { Ok(()) }
    }
}

fn bad(reason: String) -> Error {
    Error::BadParameter { name: "budget".into(), reason }
}

fn count(key: &str, value: &str) -> Result<u64> {
    match value.parse::<u64>() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(bad(format!("`{key}` must be a whole number above 0, not `{value}`"))),
    }
}

/// A time as a parameter of a name: `start=5s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time(pub Duration);

impl Value for Time {
    fn kind(_: &Bounds) -> Kind {
        Kind::Text("a time such as 250ms, 1.5s or 2m")
    }

    fn read(value: &Spec, _: &Bounds) -> Result<Self, Refusal> {
        parse_time(schema::plain(value)?).map(Time).map_err(|_| Refusal::Unfit)
    }

    fn write(&self, _: &Bounds) -> Spec {
        Spec::new(format!("{}ms", self.0.as_secs_f64() * 1e3))
    }
}

/// Reads `250ms`, `1.5s` or `2m`.
///
/// # Errors
/// Anything that is not a positive number with one of these units.
pub fn parse_time(text: &str) -> Result<Duration> {
    let text = text.trim();
    let refuse = || bad(format!("`time` must be like 250ms, 1.5s or 2m, not `{text}`"));
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(refuse)?;
    let (number, unit) = text.split_at(unit_at);
    let scale = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err(refuse()),
    };
    let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds = number.parse::<f64>().map_err(|_| refuse())? * scale;
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| refuse())?;
    if !plain || time < Duration::from_micros(1) || time > Budget::LONGEST {
        return Err(refuse());
    }
    Ok(Duration::from_micros(time.as_micros() as u64))
}

impl FromStr for Budget {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut budget = Budget::default();
        for limit in text.split('@') {
            let (key, value) = limit.split_once('=').ok_or_else(|| {
                bad(format!("expected a limit such as sims=500 or time=1s, not `{limit}`"))
            })?;
            budget.set(key, value)?;
        }
        Ok(budget)
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |key: &str, t: Duration| match t.as_micros() {
            us if us % 1_000_000 == 0 => format!("{key}={}s", us / 1_000_000),
            us if us % 1_000 == 0 => format!("{key}={}ms", us / 1_000),
            us => format!("{key}={}.{:03}ms", us / 1_000, us % 1_000),
        };
        let limits = [
            self.time.map(|t| text("time", t)),
            self.cpu.map(|t| text("cpu", t)),
            self.sims.map(|n| format!("sims={n}")),
            self.nodes.map(|n| format!("nodes={n}")),
            self.depth.map(|n| format!("depth={n}")),
        ];
        f.write_str(&limits.into_iter().flatten().collect::<Vec<_>>().join("@"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_positive_limit_is_refused() {
        for text in [
            "",
            "sims",
            "sims=",
            "sims=0",
            "sims=-1",
            "sims=1.5",
            "sims=x",
            "time=1",
            "time=0s",
            "time=-1s",
            "time=1h",
            "time=NaNs",
            "time=infs",
            "time=1e9s",
            "time=.s",
            "depth=0",
            "depth=99999999999",
            "nodes=0",
            "sims=1@sims=2",
            "speed=3",
            "sims=5@",
        ] {
            let refused = text.parse::<Budget>();
            assert!(refused.is_err(), "{text}: {refused:?}");
        }
    }

    #[test]
    fn an_own_limit_replaces_the_whole_fallback() {
        let own: Budget = "sims=5".parse().unwrap();
        let fallback: Budget = "time=1s".parse().unwrap();
        assert_eq!(own.or(&fallback), own);
        assert_eq!(Budget::default().or(&fallback), fallback);
    }

    proptest! {
        #[test]
        fn printed_budgets_read_back(
            time in proptest::option::of(1u64..10_000_000_000),
            sims in proptest::option::of(1u64..),
            nodes in proptest::option::of(1u64..),
            depth in proptest::option::of(1u32..),
            cpu in proptest::option::of(1u64..10_000_000_000),
        ) {
            let [time, cpu] = [time, cpu].map(|us| us.map(Duration::from_micros));
            let budget = Budget { time, cpu, sims, nodes, depth };
            prop_assume!(!budget.is_empty());
            prop_assert_eq!(budget.to_string().parse::<Budget>(), Ok(budget));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(time|sims|depth)?=?[0-9.emsEN@=-]{0,12}") {
            if let Ok(budget) = text.parse::<Budget>() {
                prop_assert_eq!(budget.to_string().parse::<Budget>(), Ok(budget));
            }
        }
    }
}
