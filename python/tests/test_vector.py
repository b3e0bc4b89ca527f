"""Vector environments: the same games as single states, resets, threads, memory."""

import gymnasium
import ludex
import numpy as np
import pytest
from games import ALL


@pytest.mark.parametrize("name", ["connect4", "kif:connect4", "lud:reversi", "nim(2,3,2)"])
def test_rows_are_the_games_that_states_play(name: str) -> None:
    """Replays every row of a vector environment by single states."""
    game = ludex.load(name)
    env = ludex.vector(game, 8, seed=5, autoreset="SameStep")
    observations, infos = env.reset()
    states = [game.new_initial_state() for _ in range(8)]
    for _ in range(60):
        actions = env.random_actions()
        for row, state in enumerate(states):
            player = state.current_player()
            assert infos["current_player"][row] == player
            assert np.array_equal(observations[row], state.observation_tensor(player))
            assert infos["action_mask"][row].tolist() == state.legal_actions_mask(player)
            state.apply_action(int(actions[row]))
        observations, rewards, terminated, _, infos = env.step(actions)
        for row, state in enumerate(states):
            assert terminated[row] == state.is_terminal()
            assert infos["rewards"][row].tolist() == state.returns()
            if state.is_terminal():
                states[row] = game.new_initial_state()


@pytest.mark.parametrize("name", ALL)
def test_every_game_can_be_stepped(name: str) -> None:
    env = ludex.vector(name, 6, seed=2, autoreset="SameStep", max_steps=80)
    observations, infos = env.reset()
    ended = 0
    for _ in range(120):
        assert (infos["action_mask"].sum(axis=1) > 0).all()
        observations, _, terminated, truncated, infos = env.step(env.random_actions())
        ended += int((terminated | truncated).sum())
        assert np.isfinite(observations).all()
    assert ended > 0


def test_threads_and_seeds_give_the_same_games() -> None:
    logs = []
    for threads in (1, 2, 3):
        env = ludex.vector("pig(target=20)", 10, threads=threads, seed=11, autoreset="SameStep")
        env.reset()
        log = [env.step(env.random_actions())[0].copy() for _ in range(100)]
        observations, _ = env.reset(seed=4)
        log.append(observations.copy())
        logs.append(np.stack(log))
    assert np.array_equal(logs[0], logs[1]) and np.array_equal(logs[0], logs[2])


def test_reset_modes() -> None:
    next_step = ludex.vector("tictactoe", 1, autoreset="NextStep")
    assert next_step.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    next_step.reset()
    for action in (0, 3, 1, 4, 2):
        observations, rewards, terminated, _, infos = next_step.step([action])
    assert terminated[0] and rewards[0] == 1.0 and infos["rewards"][0].tolist() == [1.0, -1.0]
    assert infos["action_mask"].sum() == 0
    observations, rewards, terminated, _, infos = next_step.step([0])
    assert not terminated[0] and rewards[0] == 0 and infos["action_mask"].sum() == 9

    same_step = ludex.vector("tictactoe", 1, autoreset="SameStep")
    same_step.reset()
    for action in (0, 3, 1, 4, 2):
        observations, rewards, terminated, _, infos = same_step.step([action])
    assert terminated[0] and observations.sum() == 0 and infos["final_obs"].sum() == 5

    disabled = ludex.vector("tictactoe", 1, autoreset="Disabled")
    disabled.reset()
    for action in (0, 3, 1, 4, 2):
        disabled.step([action])
    for _ in range(3):
        observations, rewards, terminated, truncated, infos = disabled.step([5])
        assert terminated[0] and not truncated[0] and rewards[0] == 0
        assert observations.sum() == 5 and infos["action_mask"].sum() == 0

    cut = ludex.vector("tictactoe", 1, autoreset="Disabled", max_steps=2)
    cut.reset()
    cut.step([0])
    for _ in range(3):
        _, rewards, terminated, truncated, _ = cut.step([1])
        assert truncated[0] and not terminated[0] and rewards[0] == 0


def test_illegal_actions() -> None:
    env = ludex.vector("tictactoe", 2, illegal="end", autoreset="NextStep")
    env.reset()
    env.step([4, 4])
    _, rewards, terminated, _, infos = env.step([4, 0])
    assert terminated.tolist() == [True, False]
    assert rewards.tolist() == [-1.0, 0.0] and infos["illegal"].tolist() == [True, False]
    env = ludex.vector("tictactoe", 2, illegal="random")
    env.reset()
    _, _, terminated, _, infos = env.step([99, -3])
    assert not terminated.any() and infos["illegal"].all()


def test_arrays_keep_their_values_for_one_more_step() -> None:
    env = ludex.vector("connect4", 4)
    first, _ = env.reset()
    before = first.copy()
    second = env.step(env.random_actions())[0]
    assert np.array_equal(first, before) and not np.shares_memory(first, second)
    assert np.shares_memory(env.step(env.random_actions())[0], first)


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="autoreset"):
        ludex.vector("connect4", 4, autoreset="never")
    with pytest.raises(ValueError, match="num_envs"):
        ludex.vector("connect4", 0)
    env = ludex.vector("connect4", 4)
    env.reset()
    with pytest.raises(ValueError, match="4 actions are due, not 3"):
        env.step([0, 0, 0])
    small = ludex.vector("connect4", 4, max_actions=3)
    with pytest.raises(ludex.UnsupportedError, match="max_actions"):
        small.reset()
