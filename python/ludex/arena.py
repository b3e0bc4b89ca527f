"""Tournaments that are kept in a database and can be resumed.

>>> import ludex.arena, tempfile, os
>>> folder = tempfile.TemporaryDirectory()
>>> spec = {"name": "first", "games": ["tictactoe"], "agents": ["random", "greedy"], "rounds": 10}
>>> report = ludex.arena.run(spec, db=os.path.join(folder.name, "games.db"))
>>> sorted(row["agent"] for row in report["agents"])
['greedy', 'random']
>>> ludex.arena.plot(os.path.join(folder.name, "games.db"))[:4]
'<svg'
>>> folder.cleanup()
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._agents import table as _table
from ._ludex import Game, experiment_of_toml, plot_run, report, run_experiment
from ._match import named

__all__ = ["Figure", "plot", "read", "read_spec", "run", "standings"]


def run(
    spec: Mapping[str, Any] | str | os.PathLike[str],
    db: str | os.PathLike[str],
    *,
    threads: int | None = None,
    cluster: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Plays an experiment, or the rest of its run, and returns the report.

    `spec` is the path of an experiment in TOML or JSON, or a dictionary with the same keys. In a dictionary, `games` may hold
    `Game` objects and `agents` may hold Python agents. Ctrl-C keeps the finished games: the same call resumes the run.

    `cluster="ray"` plays on a Ray cluster: the games are the same. Then `options` are `address`, `cpus_per_task` (1),
    `seconds` (5) of a batch, and `progress` (a function of `ludex.ray.Progress`, or True for a line on stderr). A database
    of PostgreSQL is written by the machines that play; a file by this process alone.
    """
    games: dict[str, Game] = {}
    objects: dict[str, object] = {}
    if isinstance(spec, Mapping):
        filled = dict(spec)
        opened = filled.get("games", [])
        games = {game.name: game for game in opened if isinstance(game, Game)}
        filled["games"] = [game.name if isinstance(game, Game) else game for game in opened]
        filled["agents"], objects = named(filled.get("agents", []))
        text = json.dumps(filled)
    else:
        text = read_spec(spec)
    if cluster is not None:
        if cluster != "ray":
            raise ValueError(f"unknown cluster {cluster!r}; there is 'ray'")
        from .ray import run_experiment as run_on_ray

        return run_on_ray(text, os.fspath(db), games=games, agents=objects, **options)
    if options:
        raise TypeError(f"without a cluster there is no option {', '.join(options)}")
    if threads is None:
        threads = 1 if objects else os.cpu_count() or 1
    answer: dict[str, Any] = json.loads(
        run_experiment(text, games, objects, threads, os.fspath(db))
    )
    return answer


def read_spec(path: str | os.PathLike[str]) -> str:
    """The experiment of a file in TOML or JSON, as JSON."""
    path = Path(path)
    return experiment_of_toml(str(path), path.read_text(encoding="utf-8"))


def read(db: str | os.PathLike[str], name: str | None = None) -> dict[str, Any]:
    """The report of a run in a database; of the newest run, where no name is given."""
    answer: dict[str, Any] = json.loads(report(os.fspath(db), name))
    return answer


def plot(db: str | os.PathLike[str], figure: str = "scores", name: str | None = None) -> Figure:
    """A figure of a run: "scores", "heat" (agents by games), "elo" (ratings over time) or "lengths" (of games).

    In a notebook it is a picture; `str(figure)` is its SVG.
    """
    return Figure(plot_run(os.fspath(db), figure, name))


class Figure(str):
    """A picture as SVG."""

    def _repr_svg_(self) -> str:
        return str(self)


def standings(report: Mapping[str, Any]) -> Any:
    """The agents of a report as a table of pandas or polars, where one of them is installed; else as a list."""
    return _table(list(report["agents"]))
