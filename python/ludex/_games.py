"""Opening games by name, path, text or class."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from ._ludex import Game
from ._ludex import load as _load


def load(source: str | os.PathLike[str] | Game, options: Sequence[str] = ()) -> Game:
    """Opens a game by its name, or by the path of a file with its rules.

    `options` chooses options of a ludeme description, such as `"Board Size/9x9"`.

    >>> load("connect4(5,4)").num_distinct_actions()
    5
    >>> load("lud:hex").get_type()["actions"]
    'dense'
    >>> load("conect4")
    Traceback (most recent call last):
    ...
    ludex.UnknownNameError: unknown game `conect4`: did you mean `connect4`?
    """
    if isinstance(source, Game):
        return source
    if isinstance(source, os.PathLike):
        path = Path(source)
        language = "lud" if path.suffix == ".lud" else "kif"
        # A name in quotes may hold any character.
        quoted = str(path).replace('"', '\\"')
        source = f'{language}:"{quoted}"'
    elif source.lstrip().startswith("("):
        return loads(source, options=options)
    if options:
        joined = ";".join(options)
        source = f'{source}(options="{joined}")'
    return _load(source)


def loads(text: str, language: str | None = None, options: Sequence[str] = ()) -> Game:
    """Reads rules from their text: ludemes (`"lud"`) or GDL (`"kif"`).

    >>> rules = '''(game "Tiny" (players 2)
    ...   (equipment {(board (square 3)) (piece "Disc" P1) (piece "Cross" P2)})
    ...   (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))'''
    >>> loads(rules).new_initial_state().legal_actions()[:3]
    [0, 1, 2]
    """
    if language is None:
        language = "lud" if "(game" in text else "kif"
    return Game.from_text(text, language, list(options))


class PythonGame:
    """The rules of a game in Python: a base class for five methods.

    States are immutable and hashable objects, moves are texts. Payoffs are from 0 to 1. Set the attributes that differ from
    the ones below. Optional methods: `chances(state)` gives pairs of text and probability; `percept(before, moves, after,
    player)` gives the texts that a player learns, and is needed where `hidden` is set; `observe(state, player)` gives the
    numbers of an observation of shape `observation_shape`. `actions` lists all moves where they are known beforehand.

    >>> class Nim(PythonGame):
    ...     players = ("first", "second")
    ...     def start(self): return (7, 0)
    ...     def turn(self, state): return state[1] if state[0] else None
    ...     def moves(self, state, player): return [str(n) for n in range(1, min(3, state[0]) + 1)]
    ...     def play(self, state, moves): return (state[0] - int(moves[0]), 1 - state[1])
    ...     def payoffs(self, state): return [float(state[1] == 1), float(state[1] == 0)]
    >>> import ludex
    >>> nim = ludex.game(Nim())
    >>> state = nim.new_initial_state()
    >>> state.action_to_string(ludex.agent("alphabeta@depth=8").step(state))
    '3'
    """

    name: str = "python-game"
    players: ClassVar[Sequence[str]] = ("first", "second")
    chance: bool = False
    hidden: bool = False
    simultaneous: bool = False
    constant_sum: bool = True

    def start(self) -> Hashable:
        """The first state."""
        raise NotImplementedError

    def turn(self, state: Hashable) -> int | str | Sequence[int] | None:
        """Who moves: a seat, `"chance"`, several seats, or None where the game is over."""
        raise NotImplementedError

    def moves(self, state: Hashable, player: int) -> Iterable[str]:
        """The legal moves of a player, each once, in an order that depends on the state alone."""
        raise NotImplementedError

    def play(self, state: Hashable, moves: Sequence[str]) -> Hashable:
        """The next state. `moves` has one text for each mover in seat order."""
        raise NotImplementedError

    def payoffs(self, state: Hashable) -> Sequence[float]:
        """The payoff of each player at the end."""
        raise NotImplementedError


def game(rules: object) -> Game:
    """Makes a game of an object with the methods of `PythonGame`."""
    return Game.from_python(rules)
