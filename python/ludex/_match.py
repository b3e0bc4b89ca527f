"""Matches between agents, also agents written in Python."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ._agents import table
from ._games import load
from ._ludex import Agent, Game, View, play_match

#: An agent: its name, a function of a view that gives an action number or the text of a move, an object with such a
#: method `step`, or a class of such objects.
AgentLike = str | Agent | Callable[[View], "int | str"] | object


@dataclass(frozen=True)
class MatchResult:
    """The sums of a match, and its games."""

    agents: list[str]
    played: int
    draws: int
    forfeits: int
    standings: list[dict[str, Any]]
    games: list[dict[str, Any]]

    def score(self, agent: int = 0) -> float:
        """The mean payoff of an agent, from 0 to 1."""
        return float(self.standings[agent]["score"])

    def interval(self, agent: int = 0) -> tuple[float, float]:
        """The 95 % interval of the mean payoff of an agent."""
        interval = self.standings[agent]["interval"]
        return float(interval["low"]), float(interval["high"])

    def table(self) -> Any:
        """The standings as a table of pandas or polars, where one of them is installed; else as a list."""
        rows = []
        for name, standing in zip(self.agents, self.standings, strict=True):
            low, high = standing["interval"]["low"], standing["interval"]["high"]
            row = {key: value for key, value in standing.items() if key != "interval"}
            rows.append({"agent": name, **row, "low": low, "high": high})
        return table(rows)

    def __str__(self) -> str:
        lines = []
        for number, name in enumerate(self.agents):
            low, high = self.interval(number)
            lines.append(f"{name}: {self.score(number):.3f} ({low:.3f} to {high:.3f})")
        return "\n".join([f"{self.played} games, {self.draws} draws, {self.forfeits} forfeits", *lines])


def named(agents: Sequence[AgentLike]) -> tuple[list[str], dict[str, object]]:
    """The names of agents, and the objects of those that no name can make."""
    names: list[str] = []
    objects: dict[str, object] = {}
    for number, agent in enumerate(agents):
        if isinstance(agent, str):
            names.append(agent)
            continue
        name = getattr(agent, "name", None) or getattr(agent, "__name__", type(agent).__name__)
        word = "".join(c if c.isalnum() or c in "-_" else "-" for c in str(name)).strip("-")
        if isinstance(agent, Agent) and not str(name).startswith("puct"):
            names.append(str(name))
            continue
        word = f"python-{word or 'agent'}"
        if word in objects:
            word = f"{word}-{number}"
        objects[word] = agent
        names.append(word)
    return names, objects


def match(
    game: str | os.PathLike[str] | Game,
    agents: Sequence[AgentLike],
    games: int = 100,
    *,
    budget: str | None = None,
    seed: int = 1,
    openings: int = 0,
    threads: int | None = None,
    max_steps: int = 10_000,
) -> MatchResult:
    """Lets agents play a game many times; they change seats.

    >>> import ludex
    >>> def first(view):
    ...     return view.legal_actions()[0]
    >>> result = ludex.match("tictactoe", ["random", first], games=40)
    >>> result.played, result.agents
    (40, ['random', 'python-first'])
    """
    opened = load(game)
    names, objects = named(agents)
    experiment: dict[str, Any] = {
        "name": "match",
        "seed": seed,
        "games": [opened.name],
        "agents": names,
        "limit": games,
        "adjudicate": {"steps": max_steps},
    }
    if budget is not None:
        experiment["budget"] = budget
    if openings:
        experiment["openings"] = {"plies": openings}
    if threads is None:
        # Threads of Python agents would wait for each other.
        threads = 1 if objects else os.cpu_count() or 1
    text = play_match(json.dumps(experiment), {opened.name: opened}, objects, threads)
    return MatchResult(**json.loads(text))
