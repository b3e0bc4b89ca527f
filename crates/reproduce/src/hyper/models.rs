//! Figures 2 and 3 of the thesis: the regret of models, and models with less regret.

use super::data::{Data, Problem, SHUFFLES};
use super::{Known, exact, near};
use crate::{Claim, Options, Origin, Result, Verdict};
use ludex_core::random::mix;
use ludex_learn::models::Recipe;
use ludex_learn::validate::{Estimate, by_game, predictions, regrets};

/// A model of the figures.
struct Model {
    name: &'static str,
    recipe: &'static str,
    /// The regret in the authors' files, for agents and for heuristics.
    record: [f64; 2],
    /// The range that our regret must lie in, for models with randomness. The thesis reports single runs, so the ranges are
    /// ours.
    range: [Option<[f64; 2]>; 2],
}

const MODELS: [Model; 10] = [
    Model {
        name: "Dummy Regressor",
        recipe: "naive",
        record: [12.989_728_737_14, 16.549_059_491_346_473],
        range: [None, None],
    },
    Model {
        name: "Dummy Classifier",
        recipe: "naive-class",
        record: [12.989_728_737_14, 16.549_059_491_346_473],
        range: [None, None],
    },
    Model {
        name: "GaussianNB",
        recipe: "bayes",
        record: [14.144_890_326_405_894, 14.059_464_429_999_563],
        range: [None, None],
    },
    Model {
        name: "SVR, sigmoid",
        recipe: "svm",
        record: [12.989_728_737_14, 14.707_102_346_830_425],
        range: [None, None],
    },
    Model {
        name: "Linear regression",
        recipe: "linear",
        record: [19.026_704_824_342_758, 16.761_935_393_151_386],
        range: [Some([15.0, 20.0]), Some([15.5, 18.0])],
    },
    Model {
        name: "Decision tree classifier",
        recipe: "tree-class",
        record: [9.552_869_967_153_702, 13.675_645_057_170_5],
        range: [Some([8.5, 10.6]), Some([12.4, 15.1])],
    },
    Model {
        name: "Random forest classifier",
        recipe: "forest-class",
        record: [7.188_176_437_000_324, 8.857_989_143_655_368],
        range: [Some([7.0, 7.5]), Some([8.7, 9.0])],
    },
    Model {
        name: "MLP classifier",
        recipe: "mlp-class",
        record: [7.942_369_610_041_906, 10.375_084_414_934_712],
        range: [Some([6.9, 9.0]), Some([9.0, 12.0])],
    },
    Model {
        name: "Gradient boosting regressor",
        recipe: "boost",
        record: [5.776_803_800_250_221, 8.104_458_049_726_531],
        range: [Some([5.7, 6.1]), Some([7.9, 8.3])],
    },
    Model {
        name: "Random forest regressor",
        recipe: "forest",
        record: [5.223_429_470_291_149, 7.697_689_229_844_736],
        range: [Some([5.2, 5.7]), Some([7.4, 7.9])],
    },
];

/// The forest of the thesis, and our best models, for agents and for heuristics.
pub(super) const FOREST: &str = "forest";
pub(super) const BEST: [&str; 2] = [
    "mean(forest,kernel,boost,boost(trees=150,rate=0.05,depth=0,leaves=15,columns=0.3,rows=0.7,leaf=5))",
    "mean(forest(share=0.1,joint=true),kernel,extra)",
];
const GOAL: [f64; 2] = [5.40, 7.60];

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let data = Data::read(&options.data)?;
    facts(&data, tell)?;
    for (which, problem) in [data.agents()?, data.heuristics()?].iter().enumerate() {
        tables(problem, which, tell);
        folds(&data, problem, tell)?;
        figure(problem, which, options, tell)?;
        best(problem, which, options, tell)?;
    }
    Ok(())
}

/// The sizes of the tables and of their joins.
fn facts(data: &Data, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let features = data.concepts.join(&data.ludemes);
    let counts = [
        ("games with agents", data.agents.names.len(), 649),
        ("games with heuristics", data.heuristics.names.len(), 910),
        ("games with concepts", data.concepts.names.len(), 1134),
        ("games with ludemes", data.ludemes.names.len(), 1109),
        ("concepts", data.concepts.columns.len(), 511),
        ("ludemes", data.ludemes.columns.len(), 598),
        ("agents, concepts and ludemes", data.agents.join(&features).names.len(), 649),
        ("heuristics, concepts and ludemes", data.heuristics.join(&features).names.len(), 910),
        ("all four", data.agents.join(&data.heuristics).join(&features).names.len(), 617),
    ];
    let id = |what: &str| format!("hyper-models.data.{}", what.replace([' ', ','], "-"));
    for (what, ours, known) in counts {
        let known = Known::noted(f64::from(known), 0);
        tell(exact(id(what), what.to_string(), known, ours as f64, 0.0));
    }
    let printed = |value: f64| Known {
        origin: Origin::Paper,
        place: "page 13, game selection",
        value,
        digits: 0,
    };
    let what = "concepts and ludemes";
    let all = features.names.len() as f64;
    tell(exact(id(what), what.to_string(), printed(1109.0), all, 0.0));
    let what = "games with agents, concepts and ludemes: the training set of the agents' model";
    let ours = data.agents.join(&features).names.len() as f64;
    tell(exact(id("training"), what.to_string(), printed(460.0), ours, 0.0));
    Ok(())
}

/// Values without randomness: mean win rates, counts, regrets of constant picks.
fn tables(problem: &Problem, which: usize, tell: &mut dyn FnMut(Claim)) {
    let id = |what: &str| format!("hyper-models.{}.{what}", problem.id);
    let place = |name: &str| problem.targets.iter().position(|target| target == name);
    let means = problem.y.means();
    let counts = problem.best_counts();
    let known: &[(&str, Option<f64>, usize, Option<f64>)] = match which {
        0 => &[
            ("UCT", Some(55.363), 116, Some(25.599)),
            ("MC-GRAVE", Some(49.540), 58, Some(31.422)),
            ("Alpha-Beta", Some(67.972), 337, Some(12.990)),
            ("Progressive History", Some(58.431), 52, Some(22.531)),
            ("MAST", Some(57.356), 86, Some(23.606)),
        ],
        _ => &[
            ("MobilitySimplePos", None, 93, Some(16.549)),
            ("InfluencePos", None, 85, None),
            ("MaterialPos", None, 80, Some(18.598)),
            ("CornerProximityPos", None, usize::MAX, Some(18.920)),
        ],
    };
    for &(name, mean, count, regret) in known {
        let Some(j) = place(name) else { continue };
        if let Some(mean) = mean {
            let what = format!("{name}: mean win rate");
            let known = Known::noted(mean, 3);
            tell(exact(id(&format!("mean.{name}")), what, known, means[j], 6e-4));
        }
        if count != usize::MAX {
            let what = format!("{name}: games in which it is the (first) best");
            let known = Known::noted(count as f64, 0);
            tell(exact(id(&format!("best.{name}")), what, known, counts[j] as f64, 0.0));
        }
        if let Some(regret) = regret {
            let what = format!("{name}: regret of always picking it");
            let (known, ours) = (Known::noted(regret, 3), problem.constant_regret(j));
            tell(exact(id(&format!("always.{name}")), what, known, ours, 6e-4));
        }
    }
    let oracle = problem.y.iter().map(|r| r.iter().copied().fold(0.0, f64::max)).sum::<f64>();
    let oracle = oracle / problem.names.len() as f64;
    let what = "mean win rate of the best of each game".to_string();
    let known = Known::noted([80.961, 77.202][which], 3);
    tell(exact(id("oracle"), what, known, oracle, 6e-4));
    let what = "regret of a pick at random".to_string();
    let known = Known::noted([23.229, 42.594][which], 3);
    tell(exact(id("random"), what, known, problem.random_regret(), 6e-4));
}

/// The folds: computed, and compared with a file of folds if there is one.
fn folds(data: &Data, problem: &Problem, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let ours = SHUFFLES.map(|shuffle| problem.folds(shuffle));
    let id = format!("hyper-models.{}.folds", problem.id);
    let games = problem.names.len();
    let Some(kept) = data.kept_folds(problem)? else {
        let what = format!("{}: ten folds of each of five shuffles", problem.id);
        tell(
            Claim::new(id, what, format!("{} games, {} at most in a fold", games, games.div_ceil(10)))
                .note(
                    "computed by NumPy's legacy generator (MT19937), seeds 69 and 1 to 4; that they are the \
                     thesis' is shown by the regrets without luck below",
                ),
        );
        return Ok(());
    };
    let same = ours
        .iter()
        .zip(&kept)
        .map(|(ours, kept)| ours.0.iter().zip(&kept.0).filter(|(a, b)| a == b).count())
        .sum::<usize>();
    let known = Known {
        origin: Origin::Reference,
        place: "folds.csv, which we made with NumPy; it is no part of the public data",
        value: (games * SHUFFLES.len()) as f64,
        digits: 0,
    };
    let what = format!("{}: games in the same fold as by NumPy, five shuffles", problem.id);
    tell(exact(id, what, known, same as f64, 0.0));
    Ok(())
}

/// The bars of figure 2 or 3.
fn figure(
    problem: &Problem,
    which: usize,
    options: &Options<'_>,
    tell: &mut dyn FnMut(Claim),
) -> Result<()> {
    let mut left_out = Vec::new();
    for model in &MODELS {
        let slow = which == 1 && options.quick;
        let recipe = match model.recipe {
            "forest" | "forest-class" if slow => format!("{}(trees=20)", model.recipe),
            "linear" | "mlp-class" | "svm" | "boost" if slow => {
                left_out.push(model.name);
                continue;
            }
            name => name.to_string(),
        };
        let recipe: Recipe = recipe.parse()?;
        // The mean of several runs where runs are cheap.
        let lucky = model.range[which].is_some() && which == 0 && !options.quick;
        let runs = if lucky { 3 } else { 1 };
        options.progress.begin(&format!("{}: {}", problem.id, model.name), 10 * runs);
        let mut games = Vec::new();
        for run in 0..runs {
            let step = &mut || options.progress.step();
            games.push(kept(problem, &recipe, SHUFFLES[0], run, options, step)?);
        }
        let estimate = Estimate::of(&by_game(&games));
        let id = format!("hyper-models.{}.{}", problem.id, model.recipe);
        let what = format!("{}: {}, regret", problem.id, model.name);
        let known = |digits| Known {
            origin: Origin::Record,
            place: ["Models/analysis/agent_models.csv", "Models/analysis/heuristic_models.csv"]
                [which],
            value: model.record[which],
            digits,
        };
        let part = slow && model.recipe.starts_with("forest");
        let claim = match model.range[which] {
            _ if part => known(3)
                .claim(id, what, estimate.mean)
                .note("not judged: 20 trees instead of 150 (--quick)"),
            None => exact(id, what, known(6), estimate.mean, 1e-6),
            Some(range) => near(id, what, known(3), estimate.mean, range, "a tolerance of ours")
                .note(if runs > 1 { format!("mean of {runs} runs") } else { "one run".into() }),
        };
        tell(claim.within(Some([estimate.interval.low, estimate.interval.high])));
    }
    if options.quick {
        left_out.extend(["own forest and our best over five shuffles"]);
        let what = format!("hyper-models.{}", problem.id);
        tell(Claim::left_out(&what, format!("{}: {}", problem.id, left_out.join(", "))));
    }
    Ok(())
}

/// The regrets of all games on the folds of a shuffle. They are kept in a file, so that a run can be stopped and resumed.
/// The name of the file depends on the data and on the build of this program.
pub(super) fn kept(
    problem: &Problem,
    recipe: &Recipe,
    shuffle: u32,
    run: u64,
    options: &Options<'_>,
    step: &mut dyn FnMut(),
) -> Result<Vec<f64>> {
    let folder = options.out.join("hyper-models");
    let origin = origin(problem);
    let name = format!("{} {shuffle} {run} {} {recipe} {origin:x}.csv", problem.id, options.seed.0);
    let file = folder.join(name.replace(['(', ')', ',', '='], "_"));
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    let known: Vec<f64> = known.lines().filter_map(|line| line.parse().ok()).collect();
    if known.len() == problem.names.len() {
        (0..10).for_each(|_| step());
        return Ok(known);
    }
    let folds = problem.folds(shuffle);
    let seed = options.seed.named("models").child(run);
    let predicted = predictions(recipe, &problem.x, &problem.y, &folds, seed, step)?;
    let found = regrets(&predicted, &problem.y);
    let lines: String = found.iter().map(|regret| format!("{regret}\n")).collect();
    crate::write(
        &folder,
        &file.file_name().unwrap_or_default().to_string_lossy(),
        lines.as_bytes(),
    )?;
    Ok(found)
}

/// A hash of the data and of the build time of this program.
fn origin(problem: &Problem) -> u64 {
    let built = std::env::current_exe().and_then(|file| file.metadata()?.modified()).ok();
    let built = built.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let values = problem.x.iter().chain(problem.y.iter()).flatten();
    let first = built.map_or(0, |time| time.as_nanos() as u64);
    values.fold(first, |hash, value| mix(hash.wrapping_add(1) ^ value.to_bits()))
}

/// Our best model and a forest of 150 trees on the same shuffles.
fn best(
    problem: &Problem,
    which: usize,
    options: &Options<'_>,
    tell: &mut dyn FnMut(Claim),
) -> Result<()> {
    if options.quick {
        return Ok(());
    }
    let mut means = [Vec::new(), Vec::new()];
    let mut games = [Vec::new(), Vec::new()];
    let recipes = [FOREST, BEST[which]];
    for (slot, recipe) in recipes.iter().enumerate() {
        let recipe: Recipe = recipe.parse()?;
        let part = format!("{}: {recipe}, five shuffles", problem.id);
        options.progress.begin(&part, 10 * SHUFFLES.len() as u64);
        for shuffle in SHUFFLES {
            let step = &mut || options.progress.step();
            let regrets = kept(problem, &recipe, shuffle, 0, options, step)?;
            means[slot].push(regrets.iter().sum::<f64>() / regrets.len() as f64);
            games[slot].push(regrets);
        }
    }
    let mean = |slot: usize| means[slot].iter().sum::<f64>() / SHUFFLES.len() as f64;
    let [forest, ours] = [by_game(&games[0]), by_game(&games[1])];
    for (slot, name, per_game) in [(0, "own forest of 150 trees", &forest), (1, "our best", &ours)]
    {
        let estimate = Estimate::of(per_game);
        let shuffles: Vec<String> = means[slot].iter().map(|m| format!("{m:.3}")).collect();
        let claim = Claim::new(
            format!("hyper-models.{}.five.{}", problem.id, ["forest", "best"][slot]),
            format!("{}: {name}, mean regret of five shuffles", problem.id),
            format!("{:.3}", mean(slot)),
        )
        .within(Some([estimate.interval.low, estimate.interval.high]))
        .note(format!("{}; shuffles 69, 1 to 4: {}", recipes[slot], shuffles.join(", ")));
        tell(match slot {
            0 => claim,
            _ => claim
                .goal(format!("at most {:.2}", GOAL[which]))
                .judged("the goal", Verdict::of(mean(1) <= GOAL[which]))
                .note("the blend was chosen on these games"),
        });
    }
    let paired = Estimate::paired(&ours, &forest);
    tell(
        Claim::new(
            format!("hyper-models.{}.five.paired", problem.id),
            format!("{}: our best less the forest, paired by game", problem.id),
            format!("{:+.3} (se {:.3}, p {:.3})", paired.mean, paired.error, paired.p),
        )
        .within(Some([paired.interval.low, paired.interval.high]))
        .note("the blend was chosen on these games: expect less on others"),
    );
    Ok(())
}
