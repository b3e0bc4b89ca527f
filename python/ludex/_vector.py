"""Many games stepped together as a Gymnasium vector environment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._games import load
from ._ludex import Batch, Game, State

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv as _Base
else:
    try:
        from gymnasium.vector import VectorEnv as _Base
    except ImportError:  # Gymnasium is optional.
        _Base = object

__all__ = ["VectorEnv", "playouts", "vector"]

_MODES = ("NextStep", "SameStep", "Disabled")


class VectorEnv(_Base):  # type: ignore[misc, unused-ignore]
    """Many games of one kind, each waiting for one action.

    All seats act through the environment: `infos["current_player"]` says whose action is due, `infos["action_mask"]` which
    actions are legal, `infos["rewards"]` has the results of all seats, and the reward is that of the seat that has acted.
    Chance moves by itself. Players who move at once are asked one after the other.

    The arrays of a step are used again: they keep their values until the second step after it, or `buffers` steps.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str | os.PathLike[str] | Game,
        num_envs: int,
        *,
        threads: int = 1,
        seed: int = 1,
        autoreset: str = "NextStep",
        illegal: str = "end",
        max_steps: int = 0,
        max_actions: int | None = None,
        buffers: int = 2,
    ) -> None:
        self.game = load(game)
        self._batch = Batch(
            self.game, num_envs, threads, seed, autoreset, illegal, max_steps, max_actions, buffers
        )
        self.num_envs = num_envs
        self.render_mode = None
        self._players: npt.NDArray[np.int32] = np.zeros(num_envs, dtype=np.int32)
        self._rows = np.arange(num_envs)
        self._same_step = autoreset == "SameStep"
        self.num_actions = self._batch.num_actions
        if _Base is not object:
            self._spaces(autoreset)

    def _spaces(self, autoreset: str) -> None:
        from gymnasium.spaces import Box, Discrete
        from gymnasium.vector import AutoresetMode
        from gymnasium.vector.utils import batch_space

        modes = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED)
        mode = modes[_MODES.index(autoreset)]
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        shape = tuple(self.game.observation_tensor_shape()) or (0,)
        self.single_observation_space = Box(-np.inf, np.inf, shape, np.float32)
        self.single_action_space = Discrete(self.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Starts all games again. A seed starts their random streams again, too."""
        if isinstance(seed, Sequence):
            seed = seed[0] if seed else None
        observations, masks, rewards, _, _, players, illegal, _ = self._batch.reset(seed)
        self._players = players.copy()
        infos = {
            "action_mask": masks,
            "current_player": players,
            "rewards": rewards,
            "illegal": illegal,
        }
        return observations, infos

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Makes one action in each game."""
        actions = np.ascontiguousarray(actions, dtype=np.int64)
        acted = self._players
        observations, masks, rewards, terminated, truncated, players, illegal, finals = (
            self._batch.step(actions)
        )
        reward = rewards[self._rows, acted]
        # The arrays are used again.
        self._players = players.copy()
        infos: dict[str, Any] = {
            "action_mask": masks,
            "current_player": players,
            "rewards": rewards,
            "illegal": illegal,
        }
        if finals is not None:
            done = terminated | truncated
            infos["final_obs"] = finals
            infos["_final_obs"] = done
        return observations, reward, terminated, truncated, infos

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A random legal action for each game."""
        return self._batch.random_actions()

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is left to close."""


def vector(
    game: str | os.PathLike[str] | Game,
    num_envs: int,
    *,
    threads: int = 1,
    seed: int = 1,
    autoreset: str = "NextStep",
    illegal: str = "end",
    max_steps: int = 0,
    max_actions: int | None = None,
    buffers: int = 2,
) -> VectorEnv:
    """Many games of one kind as a Gymnasium vector environment, stepped in threads without the interpreter lock.

    `illegal` says what an action that is not legal does: `"end"` ends the game and costs the mover the least result,
    `"random"` makes a random legal move instead.

    >>> env = vector("connect4", 64, seed=3)
    >>> observations, infos = env.reset()
    >>> observations.shape, infos["action_mask"].shape
    ((64, 2, 6, 7), (64, 7))
    >>> for _ in range(100):
    ...     observations, rewards, terminated, truncated, infos = env.step(env.random_actions())
    >>> float(rewards.max())
    1.0
    """
    return VectorEnv(
        game,
        num_envs,
        threads=threads,
        seed=seed,
        autoreset=autoreset,
        illegal=illegal,
        max_steps=max_steps,
        max_actions=max_actions,
        buffers=buffers,
    )


def playouts(
    states: Sequence[State], n: int = 1, seed: int = 1
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Plays `n` random games from each state, in batches where the engine has them.

    Returns the results, one row a game, and the lengths of the games.

    >>> import ludex
    >>> results, lengths = playouts([ludex.load("connect4").new_initial_state()], 1000)
    >>> results.shape, bool(results[:, 0].mean() > 0)
    ((1000, 2), True)
    """
    if not states:
        raise ValueError("there is no state to play from")
    return states[0].get_game().playouts(list(states), n, seed)
