"""Games of Ludex as games of OpenSpiel, so that its algorithms run on any rule sheet.

>>> import ludex.openspiel, pyspiel
>>> name = ludex.openspiel.register("kuhn")
>>> name
'ludex_kuhn'
>>> from open_spiel.python.algorithms import cfr, exploitability
>>> game = pyspiel.load_game(name)
>>> solver = cfr.CFRSolver(game)
>>> for _ in range(100):
...     solver.evaluate_and_update_policy()
>>> bool(exploitability.exploitability(game, solver.average_policy()) < 0.05)
True
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np
import pyspiel

from ._games import load
from ._ludex import Game, State

__all__ = ["register"]

#: The most steps of a game whose rules do not bound it.
LONGEST = 20_000


def register(
    game: str | os.PathLike[str] | Game, short_name: str | None = None, max_chance: int | None = None
) -> str:
    """Makes a game known to OpenSpiel. Returns the name for `pyspiel.load_game`.

    `max_chance` is the largest number of outcomes of a move of chance; random games estimate it where it is not given.
    """
    opened = load(game)
    name = short_name or f"ludex_{_word(opened.name)}"
    if name in pyspiel.registered_names():
        return name
    if max_chance is None:
        max_chance = _most_outcomes(opened) if opened.chance else 0
    kind, info = _type(opened, name), _info(opened, max_chance)

    def make(params: dict[str, Any] | None = None) -> Any:
        return _PyGame(opened, kind, info, params)

    # OpenSpiel keeps the function until after the end of the interpreter, when it can no longer be freed.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
    pyspiel.register_game(kind, make)
    return name


def _word(name: str) -> str:
    word = "".join(c if c.isalnum() else "_" for c in name).strip("_")
    while "__" in word:
        word = word.replace("__", "_")
    return word


def _most_outcomes(game: Game, games: int = 30) -> int:
    """The largest number of outcomes of a move of chance in random games."""
    seen = {1}
    for seed in range(games):
        state = game.new_initial_state()
        for _ in range(400):
            if state.is_terminal():
                break
            if state.is_chance_node():
                seen.add(len(state.chance_outcomes()))
            state.apply_random(seed)
    return max(seen)


def _type(game: Game, name: str) -> Any:
    kind = pyspiel.GameType
    simultaneous, chance = game.simultaneous, game.chance
    utility = kind.Utility.GENERAL_SUM
    if game.num_players() == 2 and game.constant_sum and game.utility_sum() == 0:
        utility = kind.Utility.ZERO_SUM
    return pyspiel.GameType(
        short_name=name,
        long_name=f"Ludex {game.title}",
        dynamics=kind.Dynamics.SIMULTANEOUS if simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else kind.ChanceMode.DETERMINISTIC,
        information=(
            kind.Information.IMPERFECT_INFORMATION
            if game.hidden
            else kind.Information.PERFECT_INFORMATION
        ),
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.num_players(),
        min_num_players=game.num_players(),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=game.observation_tensor_size() > 0,
        provides_factored_observation_string=False,
        default_loadable=True,
    )


def _info(game: Game, max_chance: int) -> Any:
    total = game.utility_sum() if game.constant_sum else None
    arguments: dict[str, Any] = {} if total is None else {"utility_sum": float(total)}
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_distinct_actions(),
        max_chance_outcomes=max_chance,
        num_players=game.num_players(),
        min_utility=float(game.min_utility()),
        max_utility=float(game.max_utility()),
        max_game_length=game.max_game_length() or LONGEST,
        **arguments,
    )


class _PyGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Ludex as OpenSpiel sees it."""

    def __init__(self, game: Game, kind: Any, info: Any, params: dict[str, Any] | None) -> None:
        super().__init__(kind, info, params or {})
        self.ludex = game

    def new_initial_state(self, *_: Any) -> _PyState:
        """The first state."""
        return _PyState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Strings and tensors of what a player may know."""
        return _Observer(self.ludex, iig_obs_type)


class _PyState(pyspiel.State):  # type: ignore[misc]
    """A state of Ludex as OpenSpiel sees it."""

    def __init__(self, game: _PyGame) -> None:
        super().__init__(game)
        self.ludex: State = game.ludex.new_initial_state()

    def current_player(self) -> int:
        return self.ludex.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        legal = self.ludex.legal_actions(player)
        # OpenSpiel asks all players where some move at once; the action of a player who has none is ignored.
        return legal or ([0] if self.ludex.is_simultaneous_node() else [])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.ludex.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.ludex.apply_action(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.ludex.apply_actions(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0 and action not in self.ludex.legal_actions(player):
            return f"action {action}"
        return self.ludex.action_to_string(player, action)

    def is_terminal(self) -> bool:
        return self.ludex.is_terminal()

    def returns(self) -> list[float]:
        return self.ludex.returns()

    def __str__(self) -> str:
        return self.ludex.position()


class _Observer:
    """What a player may know: the tensor of an observation, and strings."""

    def __init__(self, game: Game, iig_obs_type: Any) -> None:
        self.perfect_recall = bool(iig_obs_type is not None and iig_obs_type.perfect_recall)
        # Nothing is private in a game without hidden information.
        private = iig_obs_type is not None and not iig_obs_type.public_info
        self.empty = bool(private and not game.hidden)
        size = 0 if self.empty else game.observation_tensor_size()
        self.tensor = np.zeros(size, dtype=np.float32)
        shape = tuple(game.observation_tensor_shape())
        self.dict = {"observation": self.tensor.reshape(shape)} if size else {}

    def set_from(self, state: _PyState, player: int) -> None:
        """Writes the tensor of a player."""
        if self.tensor.size:
            self.tensor[:] = state.ludex.observation_tensor(player).ravel()

    def string_from(self, state: _PyState, player: int) -> str:
        """What a player may know, as text."""
        if self.empty:
            return ""
        if self.perfect_recall:
            return state.ludex.information_state_string(player)
        return state.ludex.observation_string(player)
