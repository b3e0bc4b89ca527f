"""Masked PPO learns Connect Four by self-play with RLlib, and is measured against random moves.

    pip install 'ludex[rllib]' torch
    python rllib_connect4.py --iterations 40
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import ludex
import ludex.rllib
import ludex.stats


def configured(game: str, runners: int) -> Any:
    """One network for both seats: the observation shows the pieces of the player who moves first."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [128, 128], "fcnet_activation": "relu", "head_fcnet_hiddens": []},
    )
    return (
        PPOConfig()
        .environment(ludex.rllib.MultiAgent, env_config={"game": game})
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=4, rollout_fragment_length=256)
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, episode, **_: "both")
        .rl_module(rl_module_spec=module)
        .training(train_batch_size_per_learner=2048, minibatch_size=256, num_epochs=6, lr=5e-4, gamma=0.99,
                  entropy_coeff=0.01)
        .learners(num_learners=0)
    )  # fmt: skip


def agent_of(algorithm: Any) -> Any:
    """The learned network as an agent for `ludex.match`: the legal action with the greatest weight."""
    module = algorithm.get_module("both")

    def learned(view: ludex.View) -> int:
        mask = torch.tensor(view.legal_actions_mask(), dtype=torch.float32)[None]
        seen = torch.tensor(np.asarray(view.observation_tensor()).reshape(1, -1), dtype=torch.float32)
        with torch.no_grad():
            out = module.forward_inference({"obs": {"observations": seen, "action_mask": mask}})
        return int(out["action_dist_inputs"][0].argmax())

    return learned


def main() -> None:
    """Learns, and prints the score against random moves now and then."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--runners", type=int, default=0)
    parser.add_argument("--games", type=int, default=200)
    arguments = parser.parse_args()
    algorithm = configured(arguments.game, arguments.runners).build_algo()
    begun = time.monotonic()
    for iteration in range(1, arguments.iterations + 1):
        algorithm.train()
        if iteration % 10 and iteration < arguments.iterations:
            continue
        result = ludex.match(arguments.game, [agent_of(algorithm), "random"], arguments.games)
        low, high = result.interval()
        print(
            f"iteration {iteration}, {time.monotonic() - begun:.0f} s: score against random {result.score():.3f} "
            f"({low:.3f} to {high:.3f}), {result.forfeits} forfeits",
            flush=True,
        )
    algorithm.stop()


if __name__ == "__main__":
    main()
