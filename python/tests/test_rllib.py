"""Games as RLlib environments. Runs in an environment of its own, because RLlib pins Gymnasium."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("ray.rllib.env.multi_agent_env")
pytest.importorskip("torch")

import ludex  # noqa: E402
import ludex.rllib  # noqa: E402


@pytest.mark.parametrize("game", ["connect4", "pig(target=20)", "kuhn", "lud:hex", "kif:tictactoe"])
def test_random_games_keep_the_rules_of_rllib(game: str) -> None:
    env = ludex.rllib.MultiAgent({"game": game})
    draw = random.Random(1)
    for seed in range(5):
        observations, infos = env.reset(seed=seed)
        assert infos == {}
        total = {agent: 0.0 for agent in env.possible_agents}
        for _ in range(1000):
            actions = {}
            for agent, seen in observations.items():
                assert env.observation_spaces[agent].contains(seen)
                actions[agent] = draw.choice([a for a, legal in enumerate(seen["action_mask"]) if legal])
            assert actions, "no player can move, and the game is not over"
            observations, rewards, terminated, truncated, _ = env.step(actions)
            for agent, reward in rewards.items():
                total[agent] += reward
            if terminated["__all__"]:
                break
        assert terminated["__all__"] and not truncated["__all__"]
        assert set(observations) == set(env.possible_agents)
        expected = dict(zip(env.possible_agents, env._table.state.returns(), strict=True))
        assert total == expected


def test_an_illegal_action_ends_the_game_and_a_long_game_is_cut() -> None:
    env = ludex.rllib.MultiAgent({"game": "tictactoe"})
    env.reset(seed=1)
    env.step({"player_0": 4})
    _, rewards, terminated, _, _ = env.step({"player_1": 4})
    assert terminated["__all__"] and rewards == {"player_0": 0.0, "player_1": -1.0}
    env = ludex.rllib.MultiAgent({"game": "tictactoe", "max_steps": 2})
    env.reset(seed=1)
    env.step({"player_0": 4})
    _, _, terminated, truncated, _ = env.step({"player_1": 0})
    assert truncated["__all__"] and not terminated["__all__"]


def test_masked_ppo_learns_a_step() -> None:
    """One iteration of the example's algorithm; the example itself learns to beat random moves."""
    import sys
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
    from rllib_connect4 import agent_of, configured

    algorithm = configured("tictactoe", 0).build_algo()
    try:
        algorithm.train()
        result = ludex.match("tictactoe", [agent_of(algorithm), "random"], 20)
        assert result.played == 20 and result.forfeits == 0
    finally:
        algorithm.stop()
