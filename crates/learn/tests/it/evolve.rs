//! Evolution through its public interface.

use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;
use ludex_learn::evolve::Folder;
use ludex_learn::evolve::Individual;
use ludex_learn::evolve::Terms;
use ludex_learn::evolve::{Evaluation, Evolution};
use ludex_learn::evolve::{Outcome, Plan, Watch, run, run_with};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

fn ludo() -> Ludo {
    Ludo::new(&"ludo".parse().unwrap()).unwrap()
}

fn small(genome: &str, generations: u64) -> Plan {
    let mut plan = Plan::new("ludo", genome, 16, generations);
    (plan.games, plan.reduce.games) = (4, 20);
    (plan.evaluate.every, plan.evaluate.agents, plan.evaluate.games) = (3, 4, 20);
    plan
}

fn population(folder: &Path) -> Vec<Individual> {
    Folder::new(folder).unwrap().load().unwrap().unwrap().1
}

/// Asks for a stop after some generations.
struct StopAt<'a>(u64, &'a AtomicBool);

impl Watch for StopAt<'_> {
    fn generation(&mut self, done: u64, _: u64) {
        if done == self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

fn whole(plan: &Plan, kind: Kind, folder: &Path) -> Outcome {
    run_with(plan, &ludo(), &kind, folder, &AtomicBool::new(false), &mut ()).unwrap()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let results = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let outcome = pool.install(|| whole(&small("advanced", 5), Kind::Advanced, folder.path()));
        (outcome, population(folder.path()))
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn a_stopped_run_goes_on_and_ends_as_if_it_had_not_been() {
    for (selection, mutation) in [
        ("tournament", "normal(sigma=0.1)"),
        ("cellular", "one-step(rate=0.1)"),
        ("island(islands=2,epoch=2,migrants=2)", "n-step(global=0.1,local=0.1)"),
    ] {
        let mut plan = small("simple", 8);
        (plan.selection, plan.mutation) = (selection.into(), mutation.into());
        let (unbroken, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let expected = whole(&plan, Kind::Simple, unbroken.path());
        for at in [2, 5] {
            let stop = AtomicBool::new(false);
            let mut watch = StopAt(at, &stop);
            let part =
                run_with(&plan, &ludo(), &Kind::Simple, broken.path(), &stop, &mut watch).unwrap();
            assert_eq!((part.generation, part.champion.len()), (at, 0));
        }
        assert_eq!(whole(&plan, Kind::Simple, broken.path()), expected, "{selection}");
        assert_eq!(population(broken.path()), population(unbroken.path()), "{selection}");
    }
}

#[test]
fn a_finished_run_can_be_made_longer_but_not_another() {
    let folder = tempfile::tempdir().unwrap();
    whole(&small("simple", 3), Kind::Simple, folder.path());
    let longer = whole(&small("simple", 6), Kind::Simple, folder.path());
    let fresh = tempfile::tempdir().unwrap();
    assert_eq!(longer.champion, whole(&small("simple", 6), Kind::Simple, fresh.path()).champion);
    let mut other = small("simple", 6);
    other.seed = 2;
    let error =
        run_with(&other, &ludo(), &Kind::Simple, folder.path(), &AtomicBool::new(false), &mut ());
    assert!(error.unwrap_err().to_string().contains("another plan"));
}

#[test]
fn a_folder_with_a_broken_population_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let plan = small("simple", 2);
    whole(&plan, Kind::Simple, folder.path());
    let file = folder.path().join("population-2.npy");
    let again = || {
        let stop = AtomicBool::new(false);
        let result = run_with(&plan, &ludo(), &Kind::Simple, folder.path(), &stop, &mut ());
        result.unwrap_err().to_string()
    };
    std::fs::write(&file, ludex_model::npy::matrix(&vec![vec![0.0; 4]; 3])).unwrap();
    assert!(again().contains("does not hold the population"), "{}", again());
    std::fs::write(&file, "nothing").unwrap();
    assert!(again().contains("population-2.npy"), "{}", again());
}

#[test]
fn simple_players_learn_to_beat_random_ones() {
    let plan = small("simple", 10);
    let game = ludo();
    let mut evolution = Evolution::new(&game, &Kind::Simple, plan.settings().unwrap());
    let evaluation = Evaluation { every: 1, agents: 16, games: 100 };
    let before = evolution.evaluate(&evaluation).mean;
    (0..10).for_each(|_| evolution.step());
    let after = evolution.evaluate(&evaluation).mean;
    // 1600 games: a standard error of 0.0125; the paper's curve is at 0.55.
    assert!(after > 0.45 && after > before + 0.05, "{before} {after}");
    let sum: f64 = evolution.population()[3].genes.iter().map(|gene| gene.abs()).sum();
    assert!((sum - 4.0).abs() < 1e-9, "normalised");
}

#[test]
fn the_weights_of_another_games_terms_evolve_as_well() {
    let game = ludex_core::AnyGame::new(
        ludex_games::Breakthrough::new(&"breakthrough(5,5)".parse().unwrap()).unwrap(),
    );
    let terms = Terms::of(&game).unwrap();
    let mut plan = Plan::new("breakthrough(5,5)", "terms", 16, 8);
    plan.games = 10;
    let mut evolution = Evolution::new(&game, &terms, plan.settings().unwrap());
    let evaluation = Evaluation { every: 1, agents: 16, games: 50 };
    let before = evolution.evaluate(&evaluation).mean;
    (0..8).for_each(|_| evolution.step());
    let after = evolution.evaluate(&evaluation).mean;
    // 800 games of two: a standard error of at most 0.018.
    assert!(after > 0.7 && after > before + 0.05, "{before} {after}");
}

#[test]
fn a_genome_that_does_not_fit_the_game_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let pig = ludex_games::open("rps").unwrap();
    let try_run = |genome: &str| {
        let plan = Plan::new("rps", genome, 16, 1);
        run(&plan, &pig, folder.path(), &AtomicBool::new(false), &mut ()).unwrap_err().to_string()
    };
    assert!(try_run("full").contains("plays ludo"), "{}", try_run("full"));
    assert!(try_run("terms").contains("simultaneous moves"), "{}", try_run("terms"));
    assert!(try_run("ful").contains("did you mean `full`?"), "{}", try_run("ful"));
}

#[test]
fn fixed_opponents_are_played_by_each_member_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut plan = small("fellow", 2);
    plan.opponents = Some("smart".into());
    let outcome = whole(&plan, Kind::Fellow, &dir.path().join("smart"));
    // Four members of each of four groups, four games each, two generations.
    assert_eq!(outcome.games, 2 * 4 * 4 * 4);
    assert_eq!(outcome.champion.len(), 6);
    plan.opponents = Some("clever".into());
    let game = ludo();
    let stop = AtomicBool::new(false);
    let folder = dir.path().join("clever");
    let error = run_with(&plan, &game, &Kind::Fellow, &folder, &stop, &mut ()).unwrap_err();
    assert!(error.to_string().contains("clever"), "{error}");
}
