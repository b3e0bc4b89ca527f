//! How a rule sheet becomes a game: the choice of an engine, and the facts that only play can show.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ludex_core::diagnostic::Diagnostic;
use ludex_core::{Game, Info, Move, Players, Playouts, Seed, Turn};

use super::{GdlGame, Shared, is_random, says};
use crate::engines::joins::{JoinError, Joins, Limits};
use crate::engines::lanes::probe::Fleet;
use crate::engines::naive::{Naive, NaiveError};
use crate::engines::patience::Patience;
use crate::engines::reasoner::Reasoner;
use crate::engines::single::Single;
use crate::ground::{self, Budget, GroundError};
use crate::lower::lower;
use crate::net::chance_alone::chance_alone;
use crate::net::phases::Phases;
use crate::net::propnet::Propnet;
use crate::rules::Rules;
use crate::symbol::kw;

/// The engine that runs the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// T0: batches in bit lanes, single states by differences.
    Lanes,
    /// T1: single states by differences on the ground net.
    Single,
    /// T2: joins without grounding.
    Joins,
    /// T3: a naive prover, the oracle of tests.
    Naive,
}

impl Engine {
    /// The name that people type.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Lanes => "lanes",
            Engine::Single => "single",
            Engine::Joins => "joins",
            Engine::Naive => "naive",
        }
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        [Engine::Lanes, Engine::Single, Engine::Joins, Engine::Naive]
            .into_iter()
            .find(|engine| engine.name() == text)
            .ok_or_else(|| format!("unknown engine `{text}`: lanes, single, joins or naive"))
    }
}

/// How to load a rule sheet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The engine to use; chosen by itself if not given.
    pub engine: Option<Engine>,
    /// The limits of grounding.
    pub budget: Budget,
    /// How long the naive engine may take to load.
    pub time: Option<Duration>,
}

/// Why a rule sheet did not load.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    /// The rules are wrong; here is where.
    #[error("{} error(s) in the rules", .0.iter().filter(|d| d.is_error()).count())]
    Rules(Vec<Diagnostic>),
    /// The rules could not be grounded, and the engine needs that.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The rules lack something that every game has.
    #[error("{0}")]
    Incomplete(String),
    /// The engine cannot run these rules.
    #[error("engine `{}` is not available: {reason}", .engine.name())]
    Engine {
        /// The engine that was chosen.
        engine: Engine,
        /// Why not.
        reason: String,
    },
}

/// How long loading may look at random play.
const LOOK_AROUND: Duration = Duration::from_millis(400);

/// An engine ready to run.
struct Built {
    kind: Engine,
    engine: Arc<dyn Reasoner>,
    batch: Option<Arc<Fleet>>,
    /// May players and chance choose in the same step, as far as is known?
    halves: bool,
}

/// Makes the engine that the options name. Without a name it is the lanes, or the joins where the grounded rules would be
/// too large.
fn build(source: &Rules, options: &Options) -> Result<Built, LoadError> {
    match options.engine {
        Some(Engine::Naive) => {
            let end = options.time.map(|time| Instant::now() + time);
            let naive = Naive::load_until(source, end).map_err(|error| match error {
                NaiveError::Rules(found) => LoadError::Rules(vec![found]),
                NaiveError::TooSlow => {
                    LoadError::Engine { engine: Engine::Naive, reason: error.to_string() }
                }
            })?;
            Ok(Built { kind: Engine::Naive, engine: Arc::new(naive), batch: None, halves: true })
        }
        Some(Engine::Joins) => build_joins(source),
        Some(kind @ (Engine::Lanes | Engine::Single)) => build_net(source, kind, options),
        None => match build_net(source, Engine::Lanes, options) {
            Err(LoadError::Ground(GroundError::TooBig(_))) => build_joins(source),
            built => built,
        },
    }
}

fn build_joins(source: &Rules) -> Result<Built, LoadError> {
    match Joins::load(source, &Limits::default()) {
        Ok(joins) => {
            Ok(Built { kind: Engine::Joins, engine: Arc::new(joins), batch: None, halves: true })
        }
        Err(JoinError::Rules(found)) => Err(LoadError::Rules(vec![found])),
        Err(error) => Err(LoadError::Engine { engine: Engine::Joins, reason: error.to_string() }),
    }
}

fn build_net(source: &Rules, kind: Engine, options: &Options) -> Result<Built, LoadError> {
    let (program, found) = lower(source);
    if found.iter().any(Diagnostic::is_error) {
        return Err(LoadError::Rules(found));
    }
    let ground = ground::ground(&program, &options.budget)?;
    let mut propnet = Propnet::new(&ground)?;
    drop(ground);
    let phases = Phases::find(&propnet);
    let random = propnet.roles.iter().position(|role| is_random(role));
    propnet.halves =
        propnet.has_sees && random.is_some_and(|random| !chance_alone(&propnet, random));
    let halves = propnet.halves;
    let engine = Arc::new(Single::with_phases(&propnet, &phases));
    let batch = (kind == Engine::Lanes).then(|| Arc::new(Fleet::new(propnet, &phases)));
    Ok(Built { kind, engine, batch, halves })
}

impl GdlGame {
    /// Loads a rule sheet. `name` is what opens this game again.
    ///
    /// ```
    /// use ludex_core::{Game, Turn, Player};
    /// use ludex_gdl::game::{GdlGame, Options};
    /// let rules = "(role a) (init (left 2)) (succ 1 2) (succ 0 1)
    ///     (<= (legal a (take ?n)) (true (left ?m)) (succ ?n ?m)) (legal a wait)
    ///     (<= (next (left ?n)) (does a (take ?n)))
    ///     (<= terminal (true (left 0))) (<= (goal a 100) terminal)";
    /// let game = GdlGame::load("kif:take", rules, &Options::default()).unwrap();
    /// assert_eq!(game.turn(&game.start()), Turn::One(Player(0)));
    /// ```
    pub fn load(name: &str, source: &str, options: &Options) -> Result<GdlGame, LoadError> {
        let (rules, found) = Rules::read(source);
        if found.iter().any(Diagnostic::is_error) {
            return Err(LoadError::Rules(found));
        }
        GdlGame::from_rules(name, &rules, options)
    }

    /// Loads rules that have been read already.
    pub fn from_rules(name: &str, rules: &Rules, options: &Options) -> Result<GdlGame, LoadError> {
        let Built { kind, engine, batch, halves } = build(rules, options)?;
        let roles = engine.roles().to_vec();
        let random = roles.iter().position(|role| is_random(role));
        let role_of: Vec<usize> = (0..roles.len()).filter(|&r| Some(r) != random).collect();
        if role_of.is_empty() {
            return Err(LoadError::Incomplete("the rules name no player: add `(role ...)`".into()));
        }
        if role_of.len() > Players::MOST {
            let text = format!("more than {} roles", Players::MOST);
            return Err(LoadError::Incomplete(text));
        }
        let names: Vec<&str> = role_of.iter().map(|&r| roles[r].as_str()).collect();
        let title = name.rsplit(['/', ':']).next().unwrap_or(name).trim_end_matches(".kif");
        let mut info = Info::new(name, title, &names);
        info.engine = kind.name();
        info.source = rules.source.clone();
        info.playouts = match kind {
            Engine::Lanes => Playouts::Batched,
            _ => Playouts::Interpreted,
        };
        info.chance = random.is_some();
        info.hidden = rules.rules.iter().any(|rule| rule.head.pred == kw::SEES);
        // `legal` may ask for any fact, also for one that the player has not seen (as in Blind Breakthrough).
        info.tells_moves = info.hidden;
        info.action_keys = engine.move_count();
        let halves = halves && info.hidden && random.is_some();
        let all_roles = role_of.iter().copied().chain(random).collect();
        let says = (0..engine.move_count().unwrap_or(0)).map(|mv| says(&*engine, mv)).collect();
        let steps = OnceLock::new();
        let features = crate::features::of(rules);
        let coder = OnceLock::new();
        let shared = Shared {
            engine,
            batch,
            steps,
            role_of,
            random,
            all_roles,
            says,
            halves,
            features,
            coder,
            layout: OnceLock::new(),
            board: OnceLock::new(),
        };
        let mut game = GdlGame { info, shared: Arc::new(shared) };
        game.look_around();
        Ok(game)
    }

    /// The facts that only play can show: are there joint turns, is the sum constant?
    fn look_around(&mut self) {
        let patience = self.shared.engine.patience();
        if let Some(patience) = patience {
            patience.until(Some(Instant::now() + LOOK_AROUND));
        }
        let lost = || patience.is_some_and(Patience::lost);
        let mut rng = Seed(0x100c).rng();
        let (mut joint_turns, mut sums) = (false, Vec::new());
        let mut pad = Vec::new();
        let mut steps = 0;
        let begun = Instant::now();
        for _ in 0..60 {
            let mut state = self.start();
            while steps < 6000 && begun.elapsed() < LOOK_AROUND {
                steps += 1;
                let turn = self.turn(&state);
                if lost() {
                    break;
                }
                if turn == Turn::Over {
                    let mut payoffs = vec![0.0; self.info.seats()];
                    self.payoffs(&state, &mut payoffs);
                    sums.push((payoffs.iter().sum::<f32>() * 100.0).round());
                    break;
                }
                joint_turns |= matches!(turn, Turn::Joint(_));
                let joint: Vec<Move> = match turn {
                    Turn::Chance => vec![self.sample_chance(&state, &mut rng)],
                    _ => {
                        let movers = turn.movers();
                        movers.iter().map(|p| self.sample(&state, p, &mut rng, &mut pad)).collect()
                    }
                };
                self.apply(&mut state, &joint);
            }
        }
        // An engine makes its tables with the first playout. They are made now, so that no player loses thinking time.
        self.shared.engine.playout(&mut self.start().facts, &mut rng, 0);
        if let Some(patience) = patience {
            patience.until(None);
        }
        self.info.simultaneous = joint_turns;
        self.info.constant_sum =
            self.info.seats() > 1 && !sums.is_empty() && sums.iter().all(|s| *s == sums[0]);
    }
}
