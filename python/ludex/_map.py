"""A map of games: similar games are near each other."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._games import load
from ._ludex import Game, map_games


@dataclass(frozen=True)
class GameMap:
    """Points of games in the plane. In a notebook it is a picture."""

    names: list[str]
    #: A point for each game.
    points: npt.NDArray[np.float64]
    #: The group of each game.
    groups: list[int]
    #: Games that are far from each other and represent all.
    representatives: list[str]
    #: The picture.
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def map(
    games: Sequence[str | os.PathLike[str] | Game],
    *,
    representatives: int = 10,
    groups: int | None = None,
    perplexity: float = 30.0,
    seed: int = 1,
) -> GameMap:
    """Draws a map of at least three games by their features (cosine distances, t-SNE, groups by k-means).

    Without `groups`, the number of groups is found by the elbow method.

    >>> import ludex
    >>> found = ludex.map(["tictactoe", "connect4", "nim", "pig", "kuhn"], representatives=2)
    >>> found.points.shape, len(found.representatives), found.svg[:4]
    ((5, 2), 2, '<svg')
    """
    made = map_games([load(game) for game in games], representatives, groups, perplexity, seed)
    names = list(made["names"])
    chosen = [names[row] for row in made["chosen"]]
    return GameMap(names, np.array(made["points"]), list(made["groups"]), chosen, made["svg"])
