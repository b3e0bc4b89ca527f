//! Selection: how a generation is divided into groups of four that play.

use super::operators::{Nothing, unknown};
use ludex_core::schema::Schema;
use ludex_core::{Error, Result, Seed, Spec};
use std::fmt;
use std::str::FromStr;

/// Four individuals of a population, by index.
pub(super) type Group = [usize; 4];

/// How groups are formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// At random from the whole population.
    Tournament,
    /// Windows of two by two on a torus, which move with every generation.
    Cellular,
    /// At random within islands; from time to time individuals migrate to another island.
    Island {
        /// The number of islands, which have equal sizes.
        islands: usize,
        /// The number of generations between migrations.
        epoch: u64,
        /// The number of individuals that leave an island.
        migrants: usize,
    },
}

/// A population that does not fit a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PopulationError {
    /// The population can't be divided into groups of four.
    #[error("a population is divided into groups of four; {population} can't be")]
    Fours {
        /// The size of the population.
        population: usize,
    },
    /// The population does not fill a square with an even side.
    #[error(
        "cellular selection needs the square of an even number, such as {below} or {above}, not \
         {population}"
    )]
    Square {
        /// The size of the population.
        population: usize,
        /// The next smaller size that fits.
        below: usize,
        /// The next larger size that fits.
        above: usize,
    },
    /// The islands can't be divided into groups of four.
    #[error("{population} can't be divided into groups of four on {islands} islands")]
    Islands {
        /// The size of the population.
        population: usize,
        /// The number of islands.
        islands: usize,
    },
    /// More individuals migrate than an island has.
    #[error("{migrants} can't leave an island of {size}")]
    Migrants {
        /// The number of migrants.
        migrants: usize,
        /// The size of an island.
        size: usize,
    },
}

impl Selection {
    /// The groups of a generation: every individual is in exactly one.
    pub fn groups(self, population: usize, generation: u64, seed: Seed) -> Vec<Group> {
        let mut rng = seed.named("groups").child(generation).rng();
        match self {
            Selection::Tournament => {
                let mut order: Vec<usize> = (0..population).collect();
                rng.shuffle(&mut order);
                fours(&order)
            }
            Selection::Cellular => {
                let side = population.isqrt();
                let (right, down) = [(0, 0), (0, 1), (1, 1), (1, 0)][(generation % 4) as usize];
                let at = |x: usize, y: usize| (y % side) * side + x % side;
                let corners = (0..side)
                    .step_by(2)
                    .flat_map(|y| (0..side).step_by(2).map(move |x| (x + right, y + down)));
                corners
                    .map(|(x, y)| [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)])
                    .collect()
            }
            Selection::Island { islands, .. } => {
                let size = population / islands.max(1);
                let mut groups = Vec::new();
                for island in 0..islands {
                    let mut order: Vec<usize> = (island * size..(island + 1) * size).collect();
                    rng.shuffle(&mut order);
                    groups.extend(fours(&order));
                }
                groups
            }
        }
    }

    /// The migrations after a generation: pairs `(from, to)`.
    pub(crate) fn migration(
        self,
        population: usize,
        generation: u64,
        seed: Seed,
    ) -> Vec<(usize, usize)> {
        let Selection::Island { islands, epoch, migrants } = self else { return Vec::new() };
        if !generation.is_multiple_of(epoch.max(1)) {
            return Vec::new();
        }
        let mut rng = seed.named("migration").child(generation).rng();
        let size = population / islands.max(1);
        let mut leaving = Vec::new();
        for island in 0..islands {
            let mut order: Vec<usize> = (island * size..(island + 1) * size).collect();
            rng.shuffle(&mut order);
            leaving.extend(order.into_iter().take(migrants));
        }
        let mut arriving = leaving.clone();
        rng.shuffle(&mut arriving);
        leaving.into_iter().zip(arriving).collect()
    }

    /// Refuses populations that can't be divided into such groups.
    ///
    /// # Errors
    /// The population does not fit.
    pub fn check(self, population: usize) -> std::result::Result<(), PopulationError> {
        if population < 4 || !population.is_multiple_of(4) {
            return Err(PopulationError::Fours { population });
        }
        let side = population.isqrt();
        match self {
            Selection::Cellular if side * side != population || side % 2 == 1 => {
                let even = side - side % 2;
                let (below, above) = (even.max(2).pow(2), (even + 2).pow(2));
                Err(PopulationError::Square { population, below, above })
            }
            Selection::Island { islands, .. }
                if islands == 0 || !population.is_multiple_of(4 * islands) =>
            {
                Err(PopulationError::Islands { population, islands })
            }
            Selection::Island { islands, migrants, .. } if migrants > population / islands => {
                Err(PopulationError::Migrants { migrants, size: population / islands })
            }
            _ => Ok(()),
        }
    }
}

fn fours(order: &[usize]) -> Vec<Group> {
    order.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]).collect()
}

ludex_core::params! {
    /// The parameters of `island`.
    struct Islands {
        /// The number of islands, which have equal sizes.
        islands: usize = 4;
        /// The number of generations between migrations.
        epoch: u64 = 10;
        /// Individuals that leave an island at a migration.
        migrants: usize = 2;
    }
    places = 3;
}

impl FromStr for Selection {
    type Err = Error;

    /// `tournament`, `cellular`, `island(islands=4,epoch=10,migrants=2)`.
    fn from_str(text: &str) -> Result<Self> {
        let spec: Spec = text.parse()?;
        match spec.name.as_str() {
            "tournament" => Nothing {}.read(&spec).map(|_| Selection::Tournament),
            "cellular" => Nothing {}.read(&spec).map(|_| Selection::Cellular),
            "island" => {
                let Islands { islands, epoch, migrants } = Islands::default().read(&spec)?;
                Ok(Selection::Island { islands, epoch, migrants })
            }
            _ => Err(unknown("selection", &spec, &["tournament", "cellular", "island"])),
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Tournament => f.write_str("tournament"),
            Selection::Cellular => f.write_str("cellular"),
            Selection::Island { islands, epoch, migrants } => {
                write!(f, "island(islands={islands},epoch={epoch},migrants={migrants})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISLAND: Selection = Selection::Island { islands: 4, epoch: 3, migrants: 2 };

    #[test]
    fn everybody_plays_in_exactly_one_group_a_generation() {
        for selection in [Selection::Tournament, Selection::Cellular, ISLAND] {
            selection.check(64).unwrap();
            for generation in 0..8 {
                let mut all = selection.groups(64, generation, Seed(1)).concat();
                all.sort_unstable();
                assert_eq!(all, (0..64).collect::<Vec<_>>(), "{selection} {generation}");
            }
        }
    }

    #[test]
    fn windows_move_on_and_come_round() {
        let groups = |generation| Selection::Cellular.groups(16, generation, Seed(1));
        assert_eq!(groups(0)[0], [0, 1, 4, 5]);
        assert_eq!(groups(1)[0], [4, 5, 8, 9]);
        assert_eq!(groups(2)[3], [15, 12, 3, 0], "round both edges");
        assert_eq!(groups(4), groups(0));
    }

    #[test]
    fn migrants_change_places_and_nobody_is_lost() {
        assert!(ISLAND.migration(64, 1, Seed(1)).is_empty());
        let moves = ISLAND.migration(64, 3, Seed(1));
        let (mut from, mut to): (Vec<_>, Vec<_>) = moves.iter().copied().unzip();
        assert!(moves.iter().any(|(a, b)| a / 16 != b / 16), "{moves:?}");
        (0..4).for_each(|i| assert_eq!(from.iter().filter(|&&f| f / 16 == i).count(), 2));
        from.sort_unstable();
        to.sort_unstable();
        assert_eq!(from, to);
    }

    #[test]
    fn populations_that_do_not_fit_are_refused() {
        assert!(Selection::Tournament.check(18).is_err());
        assert!(Selection::Cellular.check(20).unwrap_err().to_string().contains("16 or 36"));
        assert!(Selection::Cellular.check(36).is_ok());
        assert!(ISLAND.check(20).is_err());
        assert!(Selection::Island { islands: 2, epoch: 1, migrants: 9 }.check(16).is_err());
    }
}
