"""One seat of a game as a Gymnasium environment; agents play the other seats.

>>> import ludex.gym
>>> env = ludex.gym.make("connect4", opponent="random", seat=0)
>>> observation, info = env.reset(seed=1)
>>> while True:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
...     if terminated or truncated:
...         break
>>> reward in (-1.0, 0.0, 1.0)
True
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._games import load
from ._ludex import Agent, Game, State, View

__all__ = ["GameEnv", "make"]

Opponent = str | Agent | Callable[[View], int]


class GameEnv(gymnasium.Env):  # type: ignore[type-arg, unused-ignore]
    """One seat of a game. Chance and the other seats move until the seat must choose again."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str | os.PathLike[str] | Game,
        opponent: Opponent = "random",
        seat: int = 0,
        *,
        illegal: str = "end",
        max_steps: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.game = load(game)
        if not 0 <= seat < self.game.num_players():
            raise ValueError(f"seat must be from 0 to {self.game.num_players() - 1}, not {seat}")
        if illegal not in ("end", "random"):
            raise ValueError(f"illegal must be `end` or `random`, not `{illegal}`")
        self.seat = seat
        self.render_mode = render_mode
        self._illegal = illegal
        self._max_steps = max_steps
        self._opponent: Agent | Callable[[View], int] | None = None
        if isinstance(opponent, str):
            if opponent != "random":
                self._opponent = Agent(opponent, 1)
                self._opponent.check(self.game)
        else:
            self._opponent = opponent
        self.action_space = spaces.Discrete(self.game.num_distinct_actions())
        shape = tuple(self.game.observation_tensor_shape()) or (0,)
        self.observation_space = spaces.Box(-np.inf, np.inf, shape, np.float32)
        self.state: State = self.game.new_initial_state()
        self._steps = 0

    def _choose(self, player: int) -> int:
        """The action of another seat."""
        if self._opponent is None:
            legal = self.state.legal_actions(player)
            return int(legal[self.np_random.integers(len(legal))])
        if isinstance(self._opponent, Agent):
            return self._opponent.step(self.state, player)
        return int(self._opponent(self.state.view(player)))

    def _others(self) -> None:
        """Lets chance and the other seats move until the seat must choose or the game is over."""
        state = self.state
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                weights = np.array([chance for _, chance in outcomes])
                at = self.np_random.choice(len(outcomes), p=weights / weights.sum())
                state.apply_action(outcomes[int(at)][0])
            elif state.is_simultaneous_node():
                if state.legal_actions(self.seat):
                    return
                self._joint(None)
            elif state.current_player() == self.seat:
                return
            else:
                state.apply_action(self._choose(state.current_player()))

    def _joint(self, action: int | None) -> None:
        seats = range(self.game.num_players())
        chosen = []
        for seat in seats:
            if seat == self.seat:
                chosen.append(0 if action is None else action)
            else:
                chosen.append(self._choose(seat) if self.state.legal_actions(seat) else 0)
        self.state.apply_actions(chosen)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal."""
        mask = np.zeros(self.game.num_distinct_actions(), dtype=np.bool_)
        if not self.state.is_terminal():
            mask[self.state.legal_actions(self.seat)] = True
        return mask

    def _observe(self) -> tuple[Any, dict[str, Any]]:
        shape = self.observation_space.shape
        if shape == (0,):
            observation: Any = np.zeros(0, dtype=np.float32)
        else:
            observation = self.state.observation_tensor(self.seat)
        return observation, {"action_mask": self.action_masks().astype(np.int8)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts again."""
        super().reset(seed=seed)
        self.state = self.game.new_initial_state()
        if isinstance(self._opponent, Agent):
            self._opponent.restart()
        self._steps = 0
        self._others()
        return self._observe()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Makes an action of the seat, then the moves of all others."""
        legal = [] if self.state.is_terminal() else self.state.legal_actions(self.seat)
        action = int(action)
        self._steps += 1
        wrong = action not in legal
        if wrong and legal and self._illegal == "random":
            action = int(legal[self.np_random.integers(len(legal))])
        if wrong and (not legal or self._illegal == "end"):
            observation, info = self._observe()
            info["illegal"] = True
            return observation, float(self.game.min_utility()), True, False, info
        if self.state.is_simultaneous_node():
            self._joint(action)
        else:
            self.state.apply_action(action)
        self._others()
        over = self.state.is_terminal()
        reward = float(self.state.player_return(self.seat)) if over else 0.0
        cut = not over and bool(self._max_steps) and self._steps >= self._max_steps
        observation, info = self._observe()
        info["illegal"] = wrong
        return observation, reward, over, cut, info

    def render(self) -> Any:
        """The board as text."""
        return self.state.render()


def make(
    game: str | os.PathLike[str] | Game,
    opponent: Opponent = "random",
    seat: int = 0,
    *,
    illegal: str = "end",
    max_steps: int = 0,
    render_mode: str | None = None,
) -> GameEnv:
    """One seat of a game as an environment. `opponent` is the name of an agent, an agent, or a function of a view."""
    return GameEnv(
        game, opponent, seat, illegal=illegal, max_steps=max_steps, render_mode=render_mode
    )
