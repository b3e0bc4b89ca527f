//! Many games stepped together, in threads, without the interpreter lock, into arrays that are made once.

use crate::error::{UnsupportedError, raise, value};
use crate::game::Game;
use ludex_core::batch::{AnyBatch, AutoReset, Frame, Illegal, Rules};
use ludex_core::{AnyGame, Error, Game as _, Seed};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ops::Range;

/// The arrays of one step.
struct Arrays {
    observations: Py<PyArrayDyn<f32>>,
    masks: Py<PyArrayDyn<i8>>,
    rewards: Py<PyArrayDyn<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    players: Py<PyArray1<i32>>,
    illegal: Py<PyArray1<bool>>,
    finals: Option<Py<PyArrayDyn<f32>>>,
}

/// Games that are stepped together. `ludex.vector` wraps it as a Gymnasium environment.
#[pyclass(module = "ludex._ludex")]
pub(crate) struct Batch {
    game: Py<Game>,
    parts: Vec<(Range<usize>, AnyBatch)>,
    pool: Option<rayon::ThreadPool>,
    arrays: Vec<Arrays>,
    /// The arrays that the last step wrote.
    last: usize,
    size: u32,
}

/// What a step gives: observations, masks, rewards, terminated, truncated, players, illegal, final observations.
type Step<'py> = (
    Bound<'py, PyArrayDyn<f32>>,
    Bound<'py, PyArrayDyn<i8>>,
    Bound<'py, PyArrayDyn<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<bool>>,
    Option<Bound<'py, PyArrayDyn<f32>>>,
);

/// The most memory that the arrays of a batch may take.
const MOST_BYTES: usize = 1 << 36;

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, num_envs, threads=1, seed=1, autoreset="NextStep", illegal="end", max_steps=0, max_actions=None, buffers=2))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: Py<Game>,
        num_envs: usize,
        threads: usize,
        seed: u64,
        autoreset: &str,
        illegal: &str,
        max_steps: u32,
        max_actions: Option<u32>,
        buffers: usize,
    ) -> PyResult<Batch> {
        let rules = read_rules(autoreset, illegal, max_steps, max_actions)?;
        let this = game.get();
        let size = max_actions.unwrap_or_else(|| this.space.size());
        let bytes = (this.encoding.width() * 4 + size as usize + 64).saturating_mul(num_envs);
        if num_envs == 0 || bytes.saturating_mul(buffers.max(1)) > MOST_BYTES {
            return Err(value(format!("num_envs must be positive and fit memory, not {num_envs}")));
        }
        let threads = threads.clamp(1, num_envs.min(1024));
        let pool = match threads {
            1 => None,
            n => {
                let made = rayon::ThreadPoolBuilder::new().num_threads(n).build();
                Some(made.map_err(|e| UnsupportedError::new_err(e.to_string()))?)
            }
        };
        let rows = |part: usize| part * num_envs / threads..(part + 1) * num_envs / threads;
        let make = || {
            let batch = |range: Range<usize>| this.game.batch(range, rules, Seed(seed));
            (0..threads).map(rows).map(|range| (range.clone(), batch(range))).collect()
        };
        let parts: Vec<(Range<usize>, AnyBatch)> = py.detach(make);
        let same_step = rules.reset == AutoReset::SameStep;
        let arrays = (0..buffers.clamp(1, 1024))
            .map(|_| Arrays::new(py, this, num_envs, size as usize, same_step))
            .collect();
        Ok(Batch { game, parts, pool, arrays, last: 0, size })
    }

    /// The number of games.
    #[getter]
    fn num_envs(&self) -> usize {
        self.parts.last().map_or(0, |(range, _)| range.end)
    }

    /// The number of action numbers of a mask.
    #[getter]
    fn num_actions(&self) -> u32 {
        self.size
    }

    /// Starts all games again; with a seed, their random streams start again, too.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(&mut self, py: Python<'py>, seed: Option<u64>) -> PyResult<Step<'py>> {
        let seed = seed.map(Seed);
        self.run(py, |game, batch, _, frame| game.reset_batch(batch, seed, frame))
    }

    /// Makes one action in each game.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Step<'py>> {
        let actions = actions.as_slice()?;
        if actions.len() != self.num_envs() {
            let text = format!("{} actions are due, not {}", self.num_envs(), actions.len());
            return Err(value(text));
        }
        self.run(py, |game, batch, range, frame| {
            let own = actions.get(range.clone()).unwrap_or_default();
            game.step_batch(batch, own, frame);
        })
    }

    /// A random legal action number for each game.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let out = PyArray1::<i64>::zeros(py, self.num_envs(), false);
        {
            let mut out = out.try_readwrite()?;
            let slice = out.as_slice_mut()?;
            let game = &self.game.get().game;
            let parts = &mut self.parts;
            py.detach(|| {
                for (range, batch) in parts {
                    if let Some(own) = slice.get_mut(range.clone()) {
                        game.random_actions(batch, own);
                    }
                }
            });
        }
        Ok(out)
    }
}

impl Batch {
    /// Lets every part write its rows of the next arrays.
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        work: impl Fn(&AnyGame, &mut AnyBatch, &Range<usize>, &mut Frame<'_>) + Sync,
    ) -> PyResult<Step<'py>> {
        self.last = (self.last + 1) % self.arrays.len();
        let arrays = &self.arrays[self.last];
        let game = &self.game.get().game;
        let seats = game.info().seats();
        let width = self.game.get().encoding.width();
        {
            let mut observations = arrays.observations.bind(py).try_readwrite()?;
            let mut masks = arrays.masks.bind(py).try_readwrite()?;
            let mut rewards = arrays.rewards.bind(py).try_readwrite()?;
            let mut terminated = arrays.terminated.bind(py).try_readwrite()?;
            let mut truncated = arrays.truncated.bind(py).try_readwrite()?;
            let mut players = arrays.players.bind(py).try_readwrite()?;
            let mut illegal = arrays.illegal.bind(py).try_readwrite()?;
            let mut finals = match &arrays.finals {
                Some(array) => Some(array.bind(py).try_readwrite()?),
                None => None,
            };
            let mut whole = Frame {
                observations: observations.as_slice_mut()?,
                masks: masks.as_slice_mut()?,
                rewards: rewards.as_slice_mut()?,
                terminated: terminated.as_slice_mut()?,
                truncated: truncated.as_slice_mut()?,
                players: players.as_slice_mut()?,
                illegal: illegal.as_slice_mut()?,
                finals: match &mut finals {
                    Some(finals) => finals.as_slice_mut()?,
                    None => &mut [],
                },
            };
            let mut jobs = Vec::with_capacity(self.parts.len());
            for (range, batch) in &mut self.parts {
                let frame = take(&mut whole, range.len(), width, self.size as usize, seats);
                jobs.push((&*range, batch, frame));
            }
            let work = &work;
            let play = |(range, batch, mut frame): (&Range<usize>, &mut AnyBatch, Frame<'_>)| {
                work(game, batch, range, &mut frame);
            };
            let pool = &self.pool;
            py.detach(|| match pool {
                Some(pool) => pool.install(|| jobs.into_par_iter().for_each(play)),
                None => jobs.into_iter().for_each(play),
            });
        }
        self.game.get().check()?;
        let overflow = self.parts.iter().map(|(_, batch)| batch.overflow()).max().unwrap_or(0);
        if overflow > 0 {
            let (name, size) = (&game.info().name, self.size);
            return Err(raise(Error::Unsupported(format!(
                "a position of {name} has {overflow} legal moves, and some have no number below {size}: set max_actions"
            ))));
        }
        Ok(arrays.give(py))
    }
}

/// Cuts the first rows off a frame.
fn take<'a>(
    whole: &mut Frame<'a>,
    rows: usize,
    width: usize,
    size: usize,
    seats: usize,
) -> Frame<'a> {
    fn cut<'a, T>(slice: &mut &'a mut [T], n: usize) -> &'a mut [T] {
        let all = std::mem::take(slice);
        let at = n.min(all.len());
        let (head, tail) = all.split_at_mut(at);
        *slice = tail;
        head
    }
    Frame {
        observations: cut(&mut whole.observations, rows * width),
        masks: cut(&mut whole.masks, rows * size),
        rewards: cut(&mut whole.rewards, rows * seats),
        terminated: cut(&mut whole.terminated, rows),
        truncated: cut(&mut whole.truncated, rows),
        players: cut(&mut whole.players, rows),
        illegal: cut(&mut whole.illegal, rows),
        finals: cut(&mut whole.finals, rows * width),
    }
}

impl Arrays {
    fn new(py: Python<'_>, game: &Game, n: usize, size: usize, finals: bool) -> Arrays {
        let mut shape = vec![n];
        // A game without an encoding has observations of width 0.
        match game.encoding.shape.is_empty() {
            true => shape.push(0),
            false => shape.extend(&game.encoding.shape),
        }
        let seats = game.game.info().seats();
        Arrays {
            observations: PyArrayDyn::zeros(py, shape.clone(), false).unbind(),
            masks: PyArrayDyn::zeros(py, vec![n, size], false).unbind(),
            rewards: PyArrayDyn::zeros(py, vec![n, seats], false).unbind(),
            terminated: PyArray1::zeros(py, n, false).unbind(),
            truncated: PyArray1::zeros(py, n, false).unbind(),
            players: PyArray1::zeros(py, n, false).unbind(),
            illegal: PyArray1::zeros(py, n, false).unbind(),
            finals: finals.then(|| PyArrayDyn::zeros(py, shape, false).unbind()),
        }
    }

    fn give<'py>(&self, py: Python<'py>) -> Step<'py> {
        (
            self.observations.bind(py).clone(),
            self.masks.bind(py).clone(),
            self.rewards.bind(py).clone(),
            self.terminated.bind(py).clone(),
            self.truncated.bind(py).clone(),
            self.players.bind(py).clone(),
            self.illegal.bind(py).clone(),
            self.finals.as_ref().map(|finals| finals.bind(py).clone()),
        )
    }
}

fn read_rules(
    autoreset: &str,
    illegal: &str,
    longest: u32,
    actions: Option<u32>,
) -> PyResult<Rules> {
    let reset = match autoreset {
        "NextStep" => AutoReset::NextStep,
        "SameStep" => AutoReset::SameStep,
        "Disabled" => AutoReset::Disabled,
        other => {
            let text = format!("autoreset must be NextStep, SameStep or Disabled, not `{other}`");
            return Err(value(text));
        }
    };
    let illegal = match illegal {
        "end" => Illegal::End,
        "random" => Illegal::Random,
        other => return Err(value(format!("illegal must be `end` or `random`, not `{other}`"))),
    };
    Ok(Rules { reset, illegal, longest, actions })
}
