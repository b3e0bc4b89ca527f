"""The laws that every game must keep, as a check.

>>> import ludex, ludex.testing
>>> ludex.testing.check("tictactoe", games=5)["games"]
5
"""

from __future__ import annotations

import os
from typing import Any

from ._games import load
from ._ludex import Game

__all__ = ["check"]


def check(game: str | os.PathLike[str] | Game, games: int = 30, seed: int = 2026) -> dict[str, Any]:
    """Plays random games and checks every law of the contract along them.

    Raises `UnsupportedError` with the broken law. Returns how much was checked.
    """
    return load(game).check_laws(games, seed)
