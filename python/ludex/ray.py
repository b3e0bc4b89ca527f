"""Tournaments and self-play on a Ray cluster.

    import ludex.arena, ludex.ray

    report = ludex.arena.run("first.toml", db="postgres://me@server/games", cluster="ray")
    for batch in ludex.ray.rollouts("connect4", "uct@sims=100", 1000):
        learn(batch.observations, batch.policies, batch.returns)

Needs the package `ray`, and the same build of `ludex` on all machines. `docs/cluster.md` explains the cluster.
"""

# Where the package `ray` is not installed, pyright takes our own module for it.
# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

import argparse
import json
import os
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

try:
    import ray
except ImportError as error:
    raise ImportError("ludex.ray needs the package ray: pip install 'ludex[ray]'") from error

from ._ludex import Dispatch, Game, Job, LudexError, RefusedError, Units
from ._rollout import AgentMaker, Rollout, play_games
from ._schedule import Batch, Cost, Options, Ranges, Scheduler, cached, this_node

__all__ = ["Cost", "Progress", "Rollout", "connect", "rollouts", "run_experiment", "units"]


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    #: Games before this number are stored, of so many that count.
    games: int
    total: int
    #: Games a second since the call began.
    speed: float
    #: Agents and their mean payoffs, the best first.
    standings: list[tuple[str, float]]
    #: Why the run was stopped early.
    verdict: str | None
    #: What the cluster has done.
    cost: Cost

    def __str__(self) -> str:
        best = ", ".join(f"{name} {score:.3f}" for name, score in self.standings[:3])
        return f"{self.games}/{self.total} games, {self.speed:.1f}/s  {best}"


def connect(address: str | None = None) -> None:
    """Connects with a cluster, where this process is not connected yet.

    `address` is as in `ray.init`: a host and a port, "auto", or "local" for a cluster of this machine alone. Without it, the
    environment variable RAY_ADDRESS counts, then a cluster that runs on this machine, else a new one is started.
    """
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")


def _play(
    ranges: Ranges,
    threads: int,
    key: str,
    made_of: list[Any],
    run: int,
    db: str | None,
) -> dict[str, Any]:
    """The task of a tournament: plays games and stores them, or gives them back where there is no shared database."""
    try:
        job = cached(key, lambda: Job.open(*ray.get(made_of[0])))
    except RefusedError as error:
        return {"refused": str(error), "node": this_node()}
    units, wall, cpu, rows = job.play(ranges, threads, run, db)
    return {"units": units, "wall": wall, "cpu": cpu, "rows": rows}


class _Games:
    """The games of a run as numbers for a scheduler."""

    def __init__(self, dispatch: Dispatch, told: Callable[[Progress], None] | None) -> None:
        self.dispatch, self.told = dispatch, told
        self.begun = time.monotonic()
        self.status: dict[str, Any] = json.loads(dispatch.poll())
        self.next = 0

    def claim(self, most: int) -> Batch | Literal["wait"] | None:
        claim = self.dispatch.claim(most)
        if claim is None or isinstance(claim, str):
            return "wait" if claim else None
        first, ranges = claim
        self.next = max([self.next, *(last for _, last in ranges)])
        return Batch(first, ranges)

    def finish(self, batch: Batch, rows: str | None) -> None:
        self.dispatch.finish(batch.first, rows)

    def left(self) -> int:
        return max(0, int(self.status["total"]) - self.next)

    def poll(self, cost: Cost) -> int:
        self.status = status = json.loads(self.dispatch.poll())
        if self.told is not None:
            scores = [standing["score"] for standing in status["standings"]]
            standings = sorted(zip(status["agents"], scores, strict=True), key=lambda pair: -pair[1])
            speed = cost.units / max(time.monotonic() - self.begun, 1e-9)
            progress = Progress(status["read"], status["total"], speed, standings, status["verdict"], cost)
            self.told(progress)
        return int(status["total"])


def run_experiment(
    text: str,
    db: str,
    *,
    games: Mapping[str, Game] | None = None,
    agents: Mapping[str, object] | None = None,
    address: str | None = None,
    cpus_per_task: int = 1,
    seconds: float = 5.0,
    progress: Callable[[Progress], None] | bool | None = None,
    copies: int = 1,
) -> dict[str, Any]:
    """Plays an experiment in JSON, or the rest of its run, on a cluster. Returns the report. See `ludex.arena.run`."""
    connect(address)
    objects = (dict(games or {}), dict(agents or {}))
    job = Job(text, *objects)
    dispatch = Dispatch(job, db)
    told = _print_progress if progress is True else progress or None
    source = _Games(dispatch, told)
    made_of = ray.put((job.spec, *objects))
    # Workers of other machines reach a server, but not a file.
    arguments = [uuid.uuid4().hex, [made_of], dispatch.run, db if dispatch.shared else None]
    try:
        Scheduler(source, _play, arguments, Options(cpus_per_task, seconds, copies)).run()
    finally:
        dispatch.close()
        if told is _print_progress:
            print(file=sys.stderr)
    report: dict[str, Any] = json.loads(dispatch.report())
    return report


def _print_progress(progress: Progress) -> None:
    print(f"\r\x1b[K{progress}", end="", file=sys.stderr, flush=True)


def _collect(
    ranges: Ranges, threads: int, key: str, made_of: list[Any]
) -> dict[str, Any]:
    """The task of self-play: plays games and gives their positions as arrays."""
    game, agent, options = cached(key, lambda: ray.get(made_of[0]))
    begun, cpu = time.monotonic(), time.process_time()
    numbers = [number for first, last in ranges for number in range(first, last)]
    rollout = play_games(game, agent, numbers, **options)
    wall, cpu = time.monotonic() - begun, time.process_time() - cpu
    return {"units": len(numbers), "wall": wall, "cpu": cpu, "rows": rollout}


class _Numbers:
    """The numbers from 0 to `total`, whose results are kept in this process."""

    def __init__(self, total: int, most: int) -> None:
        self.total, self.most, self.next = total, most, 0
        self.results: list[tuple[Batch, Any]] = []

    def claim(self, most: int) -> Batch | Literal["wait"] | None:
        if self.next >= self.total:
            return None
        first, self.next = self.next, min(self.total, self.next + min(most, self.most))
        return Batch(first, [(first, self.next)])

    def finish(self, batch: Batch, rows: Any) -> None:
        if not batch.finished:
            self.results.append((batch, rows))

    def left(self) -> int:
        return self.total - self.next

    def poll(self, cost: Cost) -> int:
        return self.total


def _compute(ranges: Ranges, threads: int, key: str, made_of: list[Any]) -> dict[str, Any]:
    """The task of a job without a database: computes units and gives their rows."""
    try:
        job = cached(key, lambda: Units(ray.get(made_of[0])))
        rows, wall, cpu = job.compute(ranges, threads)
    except RefusedError as error:
        return {"refused": str(error), "node": this_node()}
    return {"units": len(rows), "wall": wall, "cpu": cpu, "rows": rows}


def units(
    text: str, *, address: str | None = None, cpus_per_task: int = 1, seconds: float = 5.0
) -> Iterator[tuple[int, str]]:
    """Computes the units of a job on a cluster. Yields the number and the JSON text of each, as they end.

    The text of a job is made by commands such as `ludex train table --on ray`.
    """
    connect(address)
    source = _Numbers(Units(text).total, 4096)
    arguments = [uuid.uuid4().hex, [ray.put(text)]]
    scheduler = Scheduler(source, _compute, arguments, Options(cpus_per_task, seconds))
    for _ in scheduler.steps():
        while source.results:
            batch, rows = source.results.pop(0)
            numbers = (number for first, last in batch.ranges for number in range(first, last))
            yield from zip(numbers, rows, strict=True)


def rollouts(
    game: str | os.PathLike[str] | Game,
    agent: str | AgentMaker,
    n: int,
    *,
    seed: int = 1,
    temperature_plies: int = 0,
    max_steps: int = 10_000,
    address: str | None = None,
    seconds: float = 5.0,
    most: int = 256,
) -> Iterator[Rollout]:
    """Lets an agent play `n` games against itself on a cluster and yields their positions in batches, as they end.

    `agent` is a name, or a function of a seed that makes an agent or a function of views; it must be picklable. Game number k
    depends on the seed and k alone. In the first `temperature_plies` plies, a move is drawn by the visits of the search.
    A batch has at most `most` games and takes about `seconds`. At most two batches a CPU are under way or not yet taken.
    """
    from ._games import load

    connect(address)
    options = {"seed": seed, "temperature_plies": temperature_plies, "max_steps": max_steps}
    made_of = ray.put((load(game), agent, options))
    source = _Numbers(n, most)
    scheduler = Scheduler(source, _collect, [uuid.uuid4().hex, [made_of]], Options(1, seconds, 1))
    for _ in scheduler.steps():
        while source.results:
            yield source.results.pop(0)[1]


def main() -> None:
    """`python -m ludex.ray run EXPERIMENT --db DATABASE`: what `ludex arena run --on ray` calls."""
    parser = argparse.ArgumentParser(prog="python -m ludex.ray", description="Work on a Ray cluster.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="play an experiment, or the rest of its run")
    run.add_argument("file", help="the experiment in TOML or JSON, or - for JSON from the standard input")
    run.add_argument("--db", default="ludex.db", help="the database: a file, or postgres://USER@HOST/NAME")
    run.add_argument("--progress", action="store_true", help="show the progress")
    run.add_argument("--copies", type=int, default=1, help=argparse.SUPPRESS)
    job = commands.add_parser("units", help="compute the units of a job from the standard input; a line of JSON each")
    for command in (run, job):
        command.add_argument("--address", help="the cluster (default: RAY_ADDRESS, or the one of this machine)")
        command.add_argument("--cpus-per-task", type=int, default=1, help="the CPUs of one task")
        command.add_argument("--seconds", type=float, default=5.0, help="how long a batch should take")
    arguments = parser.parse_args()
    try:
        _main_run(arguments) if arguments.command == "run" else _main_units(arguments)
    except KeyboardInterrupt:
        sys.exit("stopped; finished work is kept, and the same command resumes it")
    except LudexError as error:
        sys.exit(f"ludex: {error}")


def _main_run(arguments: argparse.Namespace) -> None:
    from .arena import read_spec

    run_experiment(
        sys.stdin.read() if arguments.file == "-" else read_spec(arguments.file),
        arguments.db,
        address=arguments.address,
        cpus_per_task=arguments.cpus_per_task,
        seconds=arguments.seconds,
        progress=arguments.progress,
        copies=arguments.copies,
    )


def _main_units(arguments: argparse.Namespace) -> None:
    found = units(
        sys.stdin.read(),
        address=arguments.address,
        cpus_per_task=arguments.cpus_per_task,
        seconds=arguments.seconds,
    )
    for number, row in found:
        print(f'{{"number": {number}, "row": {row}}}', flush=True)


if __name__ == "__main__":
    main()
