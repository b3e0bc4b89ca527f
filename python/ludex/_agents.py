"""Agents and their thoughts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._ludex import Agent, State

#: Judges positions: observations, masks and movers of n positions in; weights of actions `[n, actions]` and values from -1
#: to 1 out, one value for the mover or one for each player.
Evaluator = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.int8], npt.NDArray[np.int32]],
    tuple[npt.ArrayLike, npt.ArrayLike],
]


def agent(spec: str, seed: int = 1) -> Agent:
    """An agent by its name, such as `"uct(c=1.4)@sims=500"`.

    >>> agent("uct@sims=100").name
    'uct@sims=100'
    """
    return Agent(spec, seed)


def puct(
    evaluator: Evaluator,
    sims: int = 400,
    batch: int = 16,
    c: float = 1.5,
    seed: int = 1,
    name: str | None = None,
) -> Agent:
    """A tree search (PUCT) that asks a Python function for policy and value, `batch` leaves at a time.

    >>> import ludex, numpy as np
    >>> def even(observations, masks, players):
    ...     return masks, np.zeros(len(players))
    >>> game = ludex.load("tictactoe")
    >>> state = game.new_initial_state("xx1/oo1/3")
    >>> state.action_to_string(ludex.puct(even, sims=200).step(state))
    'c3'
    """
    return Agent.puct(evaluator, sims, batch, c, seed, name)


@dataclass(frozen=True)
class Analysis:
    """The choice of an agent and the thought behind it."""

    action: int
    move: str
    value: float | None
    proven: bool
    sims: int
    nodes: int
    depth: int
    notes: list[str]
    candidates: list[dict[str, Any]]

    def table(self) -> Any:
        """The candidates as a table of pandas or polars, where one of them is installed; else as a list."""
        return table(self.candidates)


def analyse(agent: Agent, state: State, player: int | None = None) -> Analysis:
    """What an agent thinks of a position.

    >>> import ludex
    >>> state = ludex.load("tictactoe").new_initial_state("xx1/oo1/3")
    >>> thought = analyse(ludex.agent("alphabeta@depth=5"), state)
    >>> thought.move, thought.value
    ('c3', 1.0)
    """
    return Analysis(**agent.think(state, player))


def table(rows: list[dict[str, Any]]) -> Any:
    """Rows as a data frame of pandas or polars, where one of them is installed; else as they are."""
    try:
        import pandas

        return pandas.DataFrame(rows)
    except ImportError:
        pass
    try:
        import polars

        return polars.DataFrame(rows)
    except ImportError:
        return rows
