"""Games as RLlib environments, with action masks.

    from ray.rllib.algorithms.ppo import PPOConfig
    import ludex.rllib

    config = PPOConfig().environment(ludex.rllib.MultiAgent, env_config={"game": "connect4"})

Each player is an agent `player_0`, `player_1` and so on. An observation is a dictionary of `observations`, the features of
what the player may know as a flat array, and `action_mask`: the form that RLlib's own module for action masks expects. Only
players who must choose get an observation; at the end of a game all players get one. Chance moves by itself. An illegal
action ends the game and costs its player the least result. `python/examples/rllib_connect4.py` trains on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as error:
    raise ImportError("ludex.rllib needs RLlib: pip install 'ludex[rllib]'") from error

from ._games import load
from ._table import Table

__all__ = ["MultiAgent"]

#: What `reset` and `step` give, by agent.
Values = dict[str, Any]


class MultiAgent(MultiAgentEnv):  # type: ignore[misc, unused-ignore]
    """A game for RLlib. `config` has `game`, and `max_steps` (0 for none) after which a game is truncated."""

    def __init__(self, config: Any = None) -> None:
        super().__init__()
        config = config or {}
        self.game = load(config.get("game", "connect4"))
        self.max_steps = int(config.get("max_steps", 0))
        self._table = Table(self.game)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players())]
        self.agents = list(self.possible_agents)
        actions, width = self.game.num_distinct_actions(), int(np.prod(self._table.shape))
        space = spaces.Dict(
            {
                "observations": spaces.Box(-np.inf, np.inf, (width,), np.float32),
                "action_mask": spaces.Box(0.0, 1.0, (actions,), np.float32),
            }
        )
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._steps = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Values, Values]:
        """Starts again. Gives observations of the players who must choose."""
        self._table.begin(seed)
        self._steps = 0
        self.agents = list(self.possible_agents)
        return self._observe(self._table.movers()), {}

    def step(self, action_dict: Values) -> tuple[Values, Values, Values, Values, Values]:
        """Makes the moves of the players who had to choose."""
        table, state = self._table, self._table.state
        chosen = {int(agent.rpartition("_")[2]): int(action) for agent, action in action_dict.items()}
        movers = table.movers()
        illegal = [seat for seat in movers if chosen.get(seat) not in state.legal_actions(seat)]
        if not illegal and state.is_simultaneous_node():
            seats = range(self.game.num_players())
            state.apply_actions([chosen.get(seat, 0) for seat in seats])
        elif not illegal:
            state.apply_action(chosen[movers[0]])
        table.settle()
        self._steps += 1
        over = bool(illegal) or state.is_terminal()
        cut = not over and 0 < self.max_steps <= self._steps
        seats = range(self.game.num_players())
        watching = seats if over or cut else table.movers()
        rewards = {agent: 0.0 for agent in self._names(movers)}
        if illegal:
            rewards = {agent: 0.0 for agent in self.possible_agents}
            rewards.update({agent: self.game.min_utility() for agent in self._names(illegal)})
        elif over:
            rewards = dict(zip(self.possible_agents, state.returns(), strict=True))
        if over or cut:
            self.agents = []
        return self._observe(watching), rewards, {"__all__": over}, {"__all__": cut}, {}

    def _names(self, seats: Any) -> list[str]:
        return [self.possible_agents[seat] for seat in seats]

    def _observe(self, seats: Any) -> Values:
        actions = self.game.num_distinct_actions()
        found = {}
        for seat in seats:
            mask = np.zeros(actions, np.float32)
            if not self._table.state.is_terminal():
                mask[self._table.state.legal_actions(seat)] = 1.0
            seen = np.asarray(self._table.observe(seat), np.float32).reshape(-1)
            found[self.possible_agents[seat]] = {"observations": seen, "action_mask": mask}
        return found

    def render(self) -> str:
        """The position as text."""
        return str(self._table.state)
