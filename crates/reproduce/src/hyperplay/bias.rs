//! Figures 4 and 5: is the sample uniform over the information set? Pearson's chi-squared test over all
//! of its histories, those with no model too, in the middle and at the end of the game.
//!
//! The paper says that the footprints of the models were logged and looked at for repetition. A log shows only
//! histories that some model has, so the same test over those is told beside it. It needs no list of the
//! set and so includes the large ones, in which models that never meet look uniform.

use super::{BASKET, Entry, claim, parallel, play, records};
use crate::Options;
use crate::claim::Claim;
use ludex_agents::hidden::{Bag, Config, Remedy, enumerate};
use ludex_arena::stats::hypothesis::chi_squared;
use ludex_core::{AnyGame, Game, Player, Result, Rng};
use std::collections::HashMap;

/// Models in the bag, five for each history of the largest set that is tested.
const MODELS: usize = 600;

/// What a game's row says in the paper: quartiles of the probability.
type Row = [f64; 3];

const MIDDLE: [Row; 8] = [
    [0.030, 0.158, 0.454],
    [0.006, 0.156, 0.663],
    [0.005, 0.040, 0.262],
    [0.001, 0.001, 0.094],
    [0.001, 0.001, 0.001],
    [0.001, 0.001, 0.001],
    [0.027, 0.211, 0.520],
    [0.001, 0.001, 0.116],
];

const END: [Row; 8] = [
    [0.004, 0.058, 0.150],
    [0.246, 0.998, 1.000],
    [0.001, 0.001, 0.004],
    [0.121, 0.399, 0.792],
    [0.001, 0.001, 0.001],
    [0.001, 0.167, 0.992],
    [0.413, 0.899, 1.000],
    [0.996, 0.999, 1.000],
];

/// Figure 4.
pub(crate) fn mid_game(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    run(options, tell, "hyperplay-fig4", 0, &MIDDLE, |_, median| median <= 0.25)
}

/// Figure 5.
pub(crate) fn end_game(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    run(options, tell, "hyperplay-fig5", 1, &END, |entry, median| match entry.sheet {
        "blind-breakthrough5" | "mastermind-small" | "transit" => median >= 0.85,
        "guess-who" => true,
        _ => median <= 0.2,
    })
}

/// The probabilities of one part of the games.
#[derive(Debug, Clone, Default)]
struct Part {
    /// By step: of the plain bag, of the balanced one.
    plain: HashMap<usize, Vec<f64>>,
    balanced: HashMap<usize, Vec<f64>>,
    /// Of the plain bag over the footprints in it.
    logged: HashMap<usize, Vec<f64>>,
    control: Vec<f64>,
    largest: u64,
    skipped: u64,
}

impl Part {
    fn merge(&mut self, other: Part) {
        for (step, mut p) in other.plain {
            self.plain.entry(step).or_default().append(&mut p);
        }
        for (step, mut p) in other.balanced {
            self.balanced.entry(step).or_default().append(&mut p);
        }
        for (step, mut p) in other.logged {
            self.logged.entry(step).or_default().append(&mut p);
        }
        self.control.extend(other.control);
        self.largest = self.largest.max(other.largest);
        self.skipped += other.skipped;
    }
}

/// The step with the lowest median among those that many games reached.
fn worst(steps: &HashMap<usize, Vec<f64>>) -> Option<(usize, Row)> {
    let most = steps.values().map(Vec::len).max()?;
    let able = steps.iter().filter(|(_, p)| p.len() * 4 >= most);
    let rows = able.map(|(&step, p)| (step, quartiles(p)));
    rows.min_by(|a, b| a.1[1].total_cmp(&b.1[1]).then(a.0.cmp(&b.0)))
}

fn quartiles(values: &[f64]) -> Row {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * (sorted.len().max(1) - 1) as f64).round() as usize;
        sorted.get(place).copied().unwrap_or(1.0)
    };
    [at(0.25), at(0.5), at(0.75)]
}

fn text(row: Row) -> String {
    row.map(|p| format!("{p:.3}")).join(" / ")
}

fn run(
    options: &Options<'_>,
    tell: &mut dyn FnMut(Claim),
    id: &str,
    part: usize,
    paper: &[Row; 8],
    holds: impl Fn(&Entry, f64) -> bool,
) -> Result<()> {
    let mut control = Vec::new();
    for (entry, paper) in BASKET.iter().zip(paper) {
        let parts = measure(options, entry)?;
        let Some(found) = parts.get(part) else { continue };
        control.extend(found.control.iter().copied());
        if let Some((step, row)) = worst(&found.logged) {
            tell(claim(
                &format!("{id}.{}.logged", entry.sheet),
                format!("{}: the same over the footprints in the bag alone", entry.title),
                Some(&text(*paper)),
                format!("{} at step {step}", text(row)),
                Some(holds(entry, row[1])),
                "as a log of footprints shows it, in sets of any size; histories without a model don't count",
            ));
        }
        let Some((step, row)) = worst(&found.plain) else {
            tell(claim(
                &format!("{id}.{}", entry.sheet),
                format!("{}: probability of a uniform sample", entry.title),
                Some(&text(*paper)),
                "not measured",
                None,
                "no information set of this part was small enough to be listed",
            ));
            continue;
        };
        tell(claim(
            &format!("{id}.{}", entry.sheet),
            format!("{}: probability of a uniform sample, Q1 / median / Q3", entry.title),
            Some(&text(*paper)),
            format!("{} at step {}", text(row), step),
            Some(holds(entry, row[1])),
            &format!(
                "the worst step of this part; {} models; sets of up to {} histories (largest seen \
                 {}), {} larger ones left out",
                MODELS,
                MODELS / 5,
                found.largest,
                found.skipped
            ),
        ));
        let balanced = quartiles(found.balanced.get(&step).map_or(&[], Vec::as_slice));
        tell(claim(
            &format!("{id}.{}.balance", entry.sheet),
            format!("{}: the same step with the remedy balance", entry.title),
            None,
            text(balanced),
            Some(balanced[1] >= 0.5),
            "a balanced bag holds every history that it knows equally often: the median should be \
             at least a half; it falls short where histories are missing from the bag",
        ));
    }
    let (distance, critical) = kolmogorov(&mut control);
    tell(claim(
        &format!("{id}.control"),
        "control: an exactly uniform sample of the same sets gives uniform probabilities",
        None,
        format!("Kolmogorov distance {distance:.4}, critical at 1 %: {critical:.4}"),
        Some(distance <= critical),
        &format!("{} sets of at least two histories, at least 20 models a history", control.len()),
    ));
    Ok(())
}

/// The distance from the uniform distribution on 0..1, and the critical one at 1 %.
fn kolmogorov(values: &mut [f64]) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let n = values.len().max(1) as f64;
    let gaps = values.iter().enumerate().map(|(i, &p)| {
        let (low, high) = (i as f64 / n, (i + 1) as f64 / n);
        (p - low).abs().max((high - p).abs())
    });
    (gaps.fold(0.0, f64::max), 1.628 / n.sqrt())
}

/// Plays games; for each step the tests of the bag, by part of the game: middle and last third.
fn measure(options: &Options<'_>, entry: &Entry) -> Result<[Part; 2]> {
    let game = ludex_library::open(entry.sheet)?;
    let games = options.matches(20, 1000);
    options.progress.begin(entry.title, games);
    let seat = Player(entry.seat);
    let all = parallel(options, games, |number| {
        let seed = options.seed.named("bias").named(entry.sheet).child(number);
        let bag = |remedy| {
            let config = Config { models: MODELS, remedy, memory: 1 << 22, ..Config::default() };
            Bag::new(&game, &game.start(), seat, config, seed.named("bag"))
        };
        let (mut plain, mut balanced) = (bag(Remedy::None), bag(Remedy::Balance));
        let mut rng = seed.named("control").rng();
        let mut steps = Vec::new();
        let length = play(&game, seat, seed, |life, over| {
            if over {
                return Ok(());
            }
            let told = records(life);
            plain.observe(&game, &told, life.now.as_deref(), None)?;
            balanced.observe(&game, &told, life.now.as_deref(), None)?;
            let mut set = HashMap::new();
            let most = (MODELS / 5) as u64;
            let listed = enumerate(&game, &game.start(), plain.life(), most, |history| {
                let next = set.len();
                set.insert(history.footprint, next);
            });
            let tested = listed.is_ok().then(|| {
                let p = [&plain, &balanced].map(|bag| test(bag, &set));
                (p, control(set.len(), &mut rng), set.len() as u64)
            });
            let (_, _, models) = plain.histories(false);
            let logged = probability(&models.iter().map(|&n| n as f64).collect::<Vec<_>>());
            steps.push((tested, logged));
            Ok(())
        })?;
        let mut parts = [Part::default(), Part::default()];
        for (step, (tested, logged)) in steps.into_iter().enumerate() {
            // The thirds of this very game.
            let third = 3 * (step + 1) / length.max(1);
            let Some(part) = third.checked_sub(1).and_then(|t| parts.get_mut(t.min(1))) else {
                continue;
            };
            part.logged.entry(step + 1).or_default().push(logged);
            match tested {
                None => part.skipped += 1,
                Some(([plain, balanced], control, size)) => {
                    part.plain.entry(step + 1).or_default().push(plain);
                    part.balanced.entry(step + 1).or_default().push(balanced);
                    part.control.extend(control);
                    part.largest = part.largest.max(size);
                }
            }
        }
        Ok(parts)
    })?;
    let mut sum = [Part::default(), Part::default()];
    for parts in all {
        sum.iter_mut().zip(parts).for_each(|(sum, part)| sum.merge(part));
    }
    Ok(sum)
}

/// The probability that the bag is a uniform sample of the set, not below 0.001.
fn test(bag: &Bag<AnyGame>, set: &HashMap<u64, usize>) -> f64 {
    let mut observed = vec![0.0; set.len()];
    for world in bag.worlds() {
        if let Some(place) = set.get(&world.footprint()).and_then(|&at| observed.get_mut(at)) {
            *place += 1.0;
        }
    }
    probability(&observed)
}

fn probability(observed: &[f64]) -> f64 {
    if observed.len() < 2 {
        return 1.0;
    }
    let expected = observed.iter().sum::<f64>() / observed.len() as f64;
    chi_squared(observed, &vec![expected; observed.len()]).1.max(0.001)
}

/// The test of an exactly uniform sample, for sets where the test is continuous enough.
fn control(size: usize, rng: &mut Rng) -> Option<f64> {
    if size < 2 || size * 20 > MODELS {
        return None;
    }
    let mut observed = vec![0.0; size];
    for _ in 0..MODELS {
        observed[rng.index(size)] += 1.0;
    }
    Some(probability(&observed))
}
