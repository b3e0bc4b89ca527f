"""PettingZoo's and Gymnasium's own test suites."""

import warnings

import ludex
import ludex.gym
import ludex.pettingzoo
import pytest
from games import ALL
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test


@pytest.mark.parametrize("name", ALL)
def test_pettingzoo_api(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(ludex.pettingzoo.env(name, max_steps=100), num_cycles=100, verbose_progress=False)


@pytest.mark.parametrize("name", ALL)
def test_pettingzoo_parallel_api(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(ludex.pettingzoo.parallel_env(name, max_steps=100), num_cycles=100)


@pytest.mark.parametrize("name", ALL)
def test_pettingzoo_seeds(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: ludex.pettingzoo.env(name, max_steps=100), num_cycles=60)
        parallel_seed_test(
            lambda: ludex.pettingzoo.parallel_env(name, max_steps=100), num_cycles=60
        )


@pytest.mark.parametrize("name", ALL)
def test_gymnasium_api(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(ludex.gym.make(name, max_steps=200, render_mode="ansi"), skip_render_check=False)


def test_agents_play_the_other_seats() -> None:
    env = ludex.gym.make("connect4", opponent="uct@sims=50", seat=1)
    _, info = env.reset(seed=3)
    assert env.state.current_player() == 1 and env.state.move_number() == 1
    over = False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        _, reward, over, _, info = env.step(action)
    assert reward in (-1.0, 0.0, 1.0)
