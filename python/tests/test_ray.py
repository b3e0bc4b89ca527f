"""Tournaments on a Ray cluster survive the loss of a machine, of the driver and of the database.

A cluster of three machines is imitated on this one. The environment variable LUDEX_RAY_GAMES sets the number of games (120;
the full form has 400).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludex
import ludex.arena
from server import Server, programs

ray = pytest.importorskip("ray")

import ludex.ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

GAMES = int(os.environ.get("LUDEX_RAY_GAMES", "120"))
SPEC: dict[str, Any] = {
    "name": "e",
    "games": ["connect4", "tictactoe"],
    # Long enough that the games outlast the loss of a machine, which takes Ray ten seconds and more.
    "agents": ["uct@sims=30000", "flat@sims=30000"],
    "limit": GAMES,
    "openings": {"plies": 2},
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": 80 * 2**20})
    cluster.nodes = [node(cluster) for _ in range(3)]
    cluster.wait_for_nodes()
    yield cluster
    if ray.is_initialized():
        ray.shutdown()
    cluster.shutdown()


def node(cluster: Any) -> Any:
    return cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)


def lines(db: str, run: str = "e") -> list[dict[str, Any]]:
    """All games of a run, without times and without the names of machines."""
    command = [sys.executable, "-m", "ludex", "arena", "export", run, "--db", db, "--format", "jsonl"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    games = [json.loads(line) for line in text.splitlines()]
    for game in games:
        for key in ("think_ms", "think_us", "worker"):
            game.pop(key, None)
    return games


def table(db: str) -> dict[str, Any]:
    """The report without times."""
    report = ludex.arena.read(db, "e")
    del report["times"]
    return report


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same experiment in one process, on one thread."""
    db = str(tmp_path_factory.mktemp("one") / "one.db")
    ludex.arena.run(SPEC, db, threads=1)
    return db


def stored(db: str) -> int:
    try:
        return int(ludex.arena.read(db, "e")["games"])
    except ludex.LudexError:
        return 0


def wait_for(db: str, share: float) -> None:
    until = time.monotonic() + 600
    while stored(db) < share * GAMES:
        assert time.monotonic() < until, "the run does not go on"
        time.sleep(0.05)


def driver(cluster: Any, file: Path, db: str, copies: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "ludex.ray", "run", str(file), "--db", db, "--address", cluster.address]
    return subprocess.Popen([*command, "--seconds", "0.5", "--copies", str(copies)])


def kill_matrix(cluster: Any, folder: Path, db: str, server: Server | None) -> None:
    """A machine, the database and the driver are lost, and every batch is played twice."""
    file = folder / "e.json"
    file.write_text(json.dumps(SPEC))
    first = driver(cluster, file, db, 2)
    try:
        wait_for(db, 0.3)
        cluster.remove_node(cluster.nodes.pop(), allow_graceful=False)
        cluster.nodes.append(node(cluster))
        if server is not None:
            wait_for(db, 0.45)
            server.stop()
            # The small form is over in ten seconds: a long break would outlast it.
            time.sleep(5 if GAMES >= 400 else 1)
            server.start()
        wait_for(db, 0.6)
        assert first.poll() is None, "the driver ended before it was killed"
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
    # What is stored stays stored.
    before = stored(db)
    assert 0.6 * GAMES <= before
    print(f"{before} of {GAMES} games were stored when the driver was killed")
    second = driver(cluster, file, db, 2)
    assert second.wait(600) == 0
    assert stored(db) >= before


def test_a_run_on_postgresql_survives_the_kill_matrix(cluster: Any, expected: str, tmp_path: Path) -> None:
    if programs() is None:
        pytest.skip("no PostgreSQL server")
    server = Server()
    try:
        kill_matrix(cluster, tmp_path, server.url, server)
        games = lines(server.url)
        assert len(games) == GAMES == len({game["number"] for game in games})
        assert games == lines(expected)
        assert table(server.url) == table(expected)
    finally:
        server.close()


def test_a_run_in_a_file_survives_the_kill_matrix(cluster: Any, expected: str, tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    kill_matrix(cluster, tmp_path, db, None)
    games = lines(db)
    assert len(games) == GAMES == len({game["number"] for game in games})
    assert games == lines(expected)
    assert table(db) == table(expected)


def test_stop_rules_end_a_run_at_the_same_game(cluster: Any, tmp_path: Path) -> None:
    spec = {
        "name": "e",
        "games": ["tictactoe"],
        "agents": ["flat@sims=60", "random"],
        "rounds": 3000,
        "stop": {"sprt": {"elo0": 0.0, "elo1": 60.0}},
    }
    reports = []
    for name, options in (("here", {"threads": 2}), ("there", {"cluster": "ray", "address": cluster.address})):
        told: list[ludex.ray.Progress] = []
        if "cluster" in options:
            options |= {"progress": told.append, "seconds": 0.2}
        report = ludex.arena.run(spec, tmp_path / f"{name}.db", **options)
        del report["times"]
        reports.append(report)
    assert reports[0] == reports[1]
    assert reports[0]["verdict"].startswith("H1 accepted")
    assert told[-1].verdict == reports[0]["verdict"] and told[-1].games == reports[0]["games"]


def test_agents_written_in_python_play_on_other_machines(cluster: Any, tmp_path: Path) -> None:
    def first(view: Any) -> int:
        return int(view.legal_actions()[0])

    spec = {"name": "e", "games": ["tictactoe"], "agents": ["random", first], "rounds": 20}
    here = ludex.arena.run(spec, tmp_path / "here.db", threads=1)
    there = ludex.arena.run(spec, tmp_path / "there.db", cluster="ray", address=cluster.address)
    assert here.pop("times") and there.pop("times")
    assert here == there


def test_a_process_refuses_other_rules_and_other_builds() -> None:
    job = ludex._ludex.Job(json.dumps(SPEC), {}, {})
    spec = json.loads(job.spec)
    assert ludex._ludex.Job.open(json.dumps(spec), {}, {}).total == GAMES
    for change in ({"build": "0.0-other"}, {"rules": ["other", "rules"]}):
        other = {**spec, "digests": {**spec["digests"], **change}}
        with pytest.raises(ludex.RefusedError):
            ludex._ludex.Job.open(json.dumps(other), {}, {})


def test_a_machine_that_refuses_gets_no_more_work(cluster: Any) -> None:
    from ludex._schedule import Options, Scheduler, this_node
    from ludex.ray import _Numbers

    ludex.ray.connect(cluster.address)
    bad = cluster.nodes[0].node_id

    def task(ranges: Any, threads: int, refusing: list[str]) -> dict[str, Any]:
        from ludex._schedule import this_node

        time.sleep(0.05)
        if this_node() in refusing:
            return {"refused": "other rules", "node": this_node()}
        return {"units": 1, "wall": 0.05, "cpu": 0.05, "rows": [this_node()] * (ranges[0][1] - ranges[0][0])}

    source = _Numbers(60, 1)
    cost = Scheduler(source, task, [[bad]], Options()).run()
    assert list(cost.refused) == [bad]
    done = [number for batch, _ in source.results for number in range(*batch.ranges[0])]
    assert sorted(done) == list(range(60))
    assert all(rows[0] != bad for _, rows in source.results)
    everywhere = [node["NodeID"] for node in ray.nodes()]
    with pytest.raises(ludex.RefusedError, match="other rules"):
        Scheduler(_Numbers(60, 1), task, [everywhere], Options()).run()
    assert this_node()


def test_self_play_comes_in_batches_and_is_the_same_everywhere(cluster: Any) -> None:
    import numpy as np

    from ludex._rollout import play_games

    batches = list(ludex.ray.rollouts("tictactoe", "uct@sims=50", 30, address=cluster.address, seconds=0.2))
    assert len(batches) > 1
    games = sorted({int(game) for batch in batches for game in batch.games})
    assert games == list(range(30))
    here = play_games(ludex.load("tictactoe"), "uct@sims=50", list(range(30)))
    for batch in batches:
        assert batch.observations.shape[1:] == here.observations.shape[1:]
        assert np.allclose(batch.policies.sum(axis=1), 1.0)
        for game in set(batch.games):
            one, other = batch.games == game, here.games == game
            assert (batch.actions[one] == here.actions[other]).all()
            assert (batch.returns[one] == here.returns[other]).all()
            assert (batch.policies[one] == here.policies[other]).all()


def test_the_command_plays_on_the_cluster(cluster: Any, expected: str, tmp_path: Path) -> None:
    db, file = str(tmp_path / "games.db"), tmp_path / "e.json"
    file.write_text(json.dumps(SPEC))
    command = [sys.executable, "-m", "ludex", "arena", "run", str(file), "--db", db, "--on", "ray"]
    done = subprocess.run([*command, "--ray-address", cluster.address], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert lines(db) == lines(expected)


def test_a_survey_is_the_same_on_the_cluster(cluster: Any, tmp_path: Path) -> None:
    tables = []
    for place in ("threads", "ray"):
        out = tmp_path / place
        command = [sys.executable, "-m", "ludex", "train", "table", "--out", str(out), "--on", place]
        command += ["--games", "tictactoe", "nim", "kuhn", "--agents", "uct", "flat", "--sims", "20", "--rounds", "8"]
        if place == "ray":
            command += ["--ray-address", cluster.address]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        tables.append(sorted((out / "results.csv").read_text().splitlines()))
        assert len((out / "features.csv").read_text().splitlines()) == 4
    assert tables[0] == tables[1]


def ludex_command(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "ludex", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


PLAN = """game = 'ludo'
genome = 'simple'
population = 8
generations = 5
games = 4
[evaluate]
agents = 4
games = 10
[reduce]
games = 20
"""


def test_evolutions_are_the_same_on_the_cluster(cluster: Any, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    here, there = tmp_path / "here", tmp_path / "there"
    run = ["evolve", str(plan), "--seeds", "1,2,3"]
    ludex_command(*run, "--out", str(here))
    on_ray = [*run, "--out", str(there), "--on", "ray", "--ray-address", cluster.address]
    first = ludex_command(*on_ray)
    for seed in (1, 2, 3):
        for name in ("champion.json", "population-5.npy", "run.json"):
            file = Path(f"seed-{seed}", name)
            assert (here / file).read_bytes() == (there / file).read_bytes()
    # Finished runs are only read.
    (there / "seed-2" / "run.json").unlink()
    assert ludex_command(*on_ray) == first


def test_experiments_have_the_same_claims_on_the_cluster(cluster: Any, tmp_path: Path) -> None:
    claims = []
    for place in ([], ["--on", "ray", "--ray-address", cluster.address]):
        out = tmp_path / str(len(place))
        run = ["reproduce", "hyperplay-fig3", "--quick", "--games", "2", "--json", "--out", str(out)]
        claims.append(ludex_command(*run, *place))
        assert (out / "hyperplay-fig3.svg").exists()
    assert claims[0] == claims[1]


def test_a_search_for_parameters_is_the_same_on_the_cluster(cluster: Any, tmp_path: Path) -> None:
    file = tmp_path / "search.toml"
    file.write_text(
        """name = "search"
game = "connect4(5,4)"
agent = "uct(c={c})@sims=60"
opponents = ["flat@sims=60"]
method = "spsa"
steps = 2
games = 4
parameters.c = { from = 0.1, to = 2.0, start = 0.7 }
test.games = 8
"""
    )
    outcomes = []
    for place in ("threads", "ray"):
        db = str(tmp_path / f"{place}.db")
        run = ["tune", str(file), "--db", db, "--json", "--on", place]
        if place == "ray":
            run += ["--ray-address", cluster.address]
        outcomes.append(json.loads(ludex_command(*run)))
    assert outcomes[0] == outcomes[1]
