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
    "agents": ["uct@sims=10000", "flat@sims=10000"],
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
            time.sleep(5)
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
