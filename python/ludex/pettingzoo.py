"""Games as PettingZoo environments.

>>> import ludex.pettingzoo
>>> env = ludex.pettingzoo.env("tictactoe")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     done = termination or truncation
...     mask = observation["action_mask"]
...     env.step(None if done else env.action_space(agent).sample(mask))

Each player is an agent `player_0`, `player_1` and so on. An observation is a dictionary of `observation`, the features of
what the player may know, and `action_mask`. Chance moves by itself.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from ._games import load
from ._ludex import Game
from ._table import Table

__all__ = ["env", "parallel_env", "raw_env"]

Observation = dict[str, Any]


def env(
    game: str | os.PathLike[str] | Game, render_mode: str | None = None, max_steps: int = 0
) -> Any:
    """The environment with the usual wrappers: an illegal action ends the game and costs its player 1."""
    made: Any = raw_env(game, render_mode=render_mode, max_steps=max_steps)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def _discrete(size: int) -> Any:
    return spaces.Discrete(size)


def _space(shape: tuple[int, ...], size: int) -> Any:
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, shape, np.float32),
            "action_mask": spaces.Box(0, 1, (size,), np.int8),
        }
    )


class raw_env(AECEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """One player acts at a time. Players who move at once are asked one after the other, without being told."""

    def __init__(
        self,
        game: str | os.PathLike[str] | Game,
        render_mode: str | None = None,
        max_steps: int = 0,
    ) -> None:
        super().__init__()
        self.game = load(game)
        name = "".join(c if c.isalnum() else "_" for c in self.game.name).strip("_")
        self.metadata = {
            "name": f"ludex_{name}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.max_steps = max_steps
        self._table = Table(self.game)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players())]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size = self.game.num_distinct_actions()
        self.action_spaces = {agent: _discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: _space(self._table.shape, size) for agent in self.possible_agents
        }
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts again."""
        self._table.begin(seed)
        if seed is not None:
            for number, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(seed + number)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._steps = 0
        self._chosen: dict[int, int] = {}
        self._waiting = self._table.movers()
        self._next()

    def _next(self) -> None:
        """Makes the next waiting player the agent to act."""
        seat = self._waiting[0] if self._waiting else 0
        self.agent_selection = self.possible_agents[seat]
        for agent in self.agents:
            moves = agent == self.agent_selection and bool(self._waiting)
            self.infos[agent] = {"action_mask": self._mask(self._seats[agent], moves)}

    def _mask(self, seat: int, moves: bool) -> Any:
        size = self.game.num_distinct_actions()
        legal = self._table.state.legal_actions(seat) if moves else []
        return self._table.mask(legal, size)

    def observe(self, agent: str) -> Observation:
        """What an agent may know now."""
        seat = self._seats[agent]
        moves = bool(self._waiting) and agent == self.agent_selection
        return {"observation": self._table.observe(seat), "action_mask": self._mask(seat, moves)}

    def step(self, action: int | None) -> None:
        """Makes the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        state = self._table.state
        seat = self._waiting.pop(0)
        self._chosen[seat] = -1 if action is None else int(action)
        if not self._waiting:
            if state.is_simultaneous_node():
                joint = [self._chosen.get(seat, 0) for seat in range(self.game.num_players())]
                state.apply_actions(joint)
            else:
                state.apply_action(self._chosen[seat])
            self._chosen = {}
            self._table.settle()
            self._waiting = self._table.movers()
        self._steps += 1
        self._clear_rewards()
        if state.is_terminal():
            for agent_, result in zip(self.possible_agents, state.returns(), strict=True):
                self.rewards[agent_] = float(result)
                self.terminations[agent_] = True
        elif self.max_steps and self._steps >= self.max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._next()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text."""
        text = self._table.state.render()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is left to close."""


class parallel_env(ParallelEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """All players act in every step. The last action number, `wait`, is for players whose turn it is not."""

    def __init__(
        self,
        game: str | os.PathLike[str] | Game,
        render_mode: str | None = None,
        max_steps: int = 0,
    ) -> None:
        self.game = load(game)
        name = "".join(c if c.isalnum() else "_" for c in self.game.name).strip("_")
        self.metadata = {"name": f"ludex_{name}_parallel", "render_modes": ["ansi", "human"]}
        self.render_mode = render_mode
        self.max_steps = max_steps
        self._table = Table(self.game)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players())]
        self.wait = self.game.num_distinct_actions()
        size = self.wait + 1
        self.action_spaces = {agent: _discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: _space(self._table.shape, size) for agent in self.possible_agents
        }
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def _observations(self) -> dict[str, Observation]:
        movers = set(self._table.movers())
        out = {}
        for seat, agent in enumerate(self.possible_agents):
            legal = self._table.state.legal_actions(seat) if seat in movers else [self.wait]
            mask = self._table.mask(legal, self.wait + 1)
            out[agent] = {"observation": self._table.observe(seat), "action_mask": mask}
        return out

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Starts again."""
        self._table.begin(seed)
        if seed is not None:
            for number, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(seed + number)
        self.agents = list(self.possible_agents)
        self._steps = 0
        observations = self._observations()
        return observations, self._infos(observations)

    @staticmethod
    def _infos(observations: dict[str, Observation]) -> dict[str, dict[str, Any]]:
        return {agent: {"action_mask": o["action_mask"]} for agent, o in observations.items()}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Makes the actions of all players whose turn it is. An illegal one ends the game and costs its player 1."""
        state = self._table.state
        movers = self._table.movers()
        rewards = dict.fromkeys(self.possible_agents, 0.0)
        chosen = {seat: int(actions[self.possible_agents[seat]]) for seat in movers}
        illegal = [seat for seat in movers if chosen[seat] not in state.legal_actions(seat)]
        if illegal:
            for seat in illegal:
                rewards[self.possible_agents[seat]] = -1.0
        elif state.is_simultaneous_node():
            state.apply_actions([chosen.get(seat, 0) for seat in range(self.game.num_players())])
        elif movers:
            state.apply_action(chosen[movers[0]])
        self._table.settle()
        self._steps += 1
        over = bool(illegal) or state.is_terminal()
        if state.is_terminal():
            rewards = dict(zip(self.possible_agents, map(float, state.returns()), strict=True))
        cut = not over and bool(self.max_steps) and self._steps >= self.max_steps
        observations = self._observations()
        terminations = dict.fromkeys(self.possible_agents, over)
        truncations = dict.fromkeys(self.possible_agents, cut)
        if over or cut:
            self.agents = []
        return observations, rewards, terminations, truncations, self._infos(observations)

    def render(self) -> str | None:
        """The board as text."""
        text = self._table.state.render()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is left to close."""
