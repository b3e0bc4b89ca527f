"""Positions of self-play games as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from ._ludex import Agent, Game

#: Makes an agent from a seed: an `Agent`, or a function of a view that gives an action number.
AgentMaker = Callable[[int], Any]


@dataclass(frozen=True)
class Rollout:
    """Positions of games, one row each, in the order of play. Positions of chance have no row."""

    #: What the mover saw.
    observations: npt.NDArray[np.float32]
    #: 1 for legal actions.
    masks: npt.NDArray[np.int8]
    #: The action that was chosen.
    actions: npt.NDArray[np.int64]
    #: The share of visits of each action in the search; the chosen action alone where the agent gives no visits.
    policies: npt.NDArray[np.float32]
    #: The player who moved.
    players: npt.NDArray[np.int32]
    #: The final result of the player who moved.
    returns: npt.NDArray[np.float32]
    #: The number of the game.
    games: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.actions)


def play_games(
    game: Game,
    agent: str | AgentMaker,
    numbers: Sequence[int],
    *,
    seed: int = 1,
    temperature_plies: int = 0,
    max_steps: int = 10_000,
) -> Rollout:
    """Lets an agent play games against itself. Game number k depends on the seed and k alone.

    >>> import ludex
    >>> some = play_games(ludex.load("tictactoe"), "uct@sims=50", [0, 1])
    >>> some.observations.shape[0] == len(some) == some.policies.shape[0], some.policies.shape[1]
    (True, 9)
    >>> again = play_games(ludex.load("tictactoe"), "uct@sims=50", [1])
    >>> bool((again.actions == some.actions[some.games == 1]).all())
    True
    """
    columns: dict[str, list[Any]] = {column.name: [] for column in fields(Rollout)}
    for number in numbers:
        _play_game(game, agent, number, seed, temperature_plies, max_steps, columns)
    shape = game.observation_tensor_shape()
    actions = game.num_distinct_actions()
    steps = len(columns["actions"])
    return Rollout(
        observations=np.asarray(columns["observations"], np.float32).reshape(steps, *shape),
        masks=np.asarray(columns["masks"], np.int8).reshape(steps, actions),
        actions=np.asarray(columns["actions"], np.int64),
        policies=np.asarray(columns["policies"], np.float32).reshape(steps, actions),
        players=np.asarray(columns["players"], np.int32),
        returns=np.asarray(columns["returns"], np.float32),
        games=np.asarray(columns["games"], np.int64),
    )


def _play_game(
    game: Game,
    agent: str | AgentMaker,
    number: int,
    seed: int,
    temperature_plies: int,
    max_steps: int,
    columns: dict[str, list[Any]],
) -> None:
    """Plays one game and appends its positions."""
    draw = np.random.default_rng([seed, number])
    own = int(draw.integers(2**63))
    made = Agent(agent, own) if isinstance(agent, str) else agent(own)
    state = game.new_initial_state()
    movers: list[int] = []
    for ply in range(max_steps):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            weights = np.array([p for _, p in outcomes])
            state.apply_action(outcomes[int(draw.choice(len(outcomes), p=weights / weights.sum()))][0])
            continue
        turns = range(state.num_players()) if state.is_simultaneous_node() else [state.current_player()]
        joint = []
        for player in turns:
            mask = np.asarray(state.legal_actions_mask(player), np.int8)
            if not mask.any():
                joint.append(0)
                continue
            action, policy = _choose(made, state, player, mask)
            if ply < temperature_plies:
                action = int(draw.choice(len(policy), p=policy / policy.sum()))
            joint.append(action)
            movers.append(player)
            columns["observations"].append(np.array(state.observation_tensor(player), np.float32))
            columns["masks"].append(mask)
            columns["actions"].append(action)
            columns["policies"].append(policy.astype(np.float32))
            columns["players"].append(player)
            columns["games"].append(number)
        if state.is_simultaneous_node():
            state.apply_actions(joint)
        else:
            state.apply_action(joint[0])
    returns = state.returns()
    columns["returns"].extend(returns[player] for player in movers)


def _choose(made: Any, state: Any, player: int, mask: npt.NDArray[np.int8]) -> tuple[int, npt.NDArray[np.float64]]:
    """The action of an agent, and its visits as shares."""
    policy = np.zeros(len(mask), np.float64)
    if isinstance(made, Agent):
        thought = made.think(state, player)
        action = int(thought["action"])
        for candidate in thought["candidates"]:
            if candidate["action"] >= 0:
                policy[candidate["action"]] = candidate["visits"] or 0
    else:
        step = getattr(made, "step", made)
        answer = step(state.view(player))
        action = state.string_to_action(player, answer) if isinstance(answer, str) else int(answer)
    if policy.sum() <= 0.0:
        policy[action] = 1.0
    return action, policy / policy.sum()
