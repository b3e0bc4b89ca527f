"""A match whose chance moves are made by themselves, for environments of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._ludex import Game, State


class Table:
    """A match whose chance moves are made by a random generator."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.random = np.random.default_rng()
        self.state: State = game.new_initial_state()
        self.shape = tuple(game.observation_tensor_shape()) or (0,)

    def begin(self, seed: int | None) -> None:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.state = self.game.new_initial_state()
        self.settle()

    def settle(self) -> None:
        """Lets chance move until a player must choose or the game is over."""
        while self.state.is_chance_node():
            outcomes = self.state.chance_outcomes()
            weights = np.array([chance for _, chance in outcomes])
            at = self.random.choice(len(outcomes), p=weights / weights.sum())
            self.state.apply_action(outcomes[at][0])

    def movers(self) -> list[int]:
        """The players who must choose."""
        if self.state.is_terminal():
            return []
        if self.state.is_simultaneous_node():
            seats = range(self.game.num_players())
            return [seat for seat in seats if self.state.legal_actions(seat)]
        return [self.state.current_player()]

    def observe(self, player: int) -> Any:
        if self.shape == (0,):
            return np.zeros(0, dtype=np.float32)
        return self.state.observation_tensor(player)

    def mask(self, legal: list[int], size: int) -> Any:
        mask = np.zeros(size, dtype=np.int8)
        mask[legal] = 1
        return mask
