"""Steps per second of Ludex and of other libraries on one core, in one run.

    python speed.py                 every library that is installed
    python speed.py --seconds 3     longer measurements

A step is one action in one game, with the mask of legal actions and the observation written. All programs play random legal
moves and start games again when they are over. Times are processor times of this process, so that other programs on the
machine do not count.
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import time
from collections.abc import Callable
from typing import Any

# One core for all: the libraries below read these when they are loaded.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import ludex

Stepper = Callable[[], int]

#: By game: its names in Ludex (the fastest rules first), OpenSpiel, PettingZoo, pgx and Ludax.
GAMES: dict[str, dict[str, Any]] = {
    "Connect Four": {
        "ludex": ["connect4", "kif:connect4", "lud:connect-four"],
        "spiel": "connect_four",
        "zoo": "connect_four_v3",
        "pgx": "connect_four",
        "ludax": "connect_four",
    },
    "Breakthrough": {
        "ludex": ["breakthrough", "kif:breakthrough", "lud:breakthrough"],
        "spiel": "breakthrough",
    },
    "Reversi": {
        "ludex": ["reversi", "lud:reversi"],
        "spiel": "othello",
        "pgx": "othello",
        "ludax": "reversi",
    },
    "Hex": {"ludex": ["hex", "lud:hex"], "spiel": "hex", "pgx": "hex", "ludax": "hex"},
}


def measure(step: Stepper, seconds: float) -> float:
    """Steps per second of processor time; the best of three parts, after a part that does not count."""
    best = 0.0
    for part in range(4):
        begun, done = time.process_time(), 0
        while time.process_time() - begun < seconds / 3:
            done += step()
        if part:
            best = max(best, done / (time.process_time() - begun))
    return best


def ludex_vector(name: str, rows: int) -> Stepper:
    """A vector environment of Ludex on one thread."""
    env = ludex.vector(name, rows, autoreset="SameStep")
    env.reset()

    def step() -> int:
        env.step(env.random_actions())
        return rows

    return step


def gymnasium_ruler(name: str, rows: int, seconds: float) -> float:
    """Gymnasium's own benchmark of vector environments, which samples actions without masks. Wall-clock time."""
    from gymnasium.utils.performance import benchmark_vector_step

    env = ludex.vector(name, rows, autoreset="SameStep", illegal="random")
    return float(benchmark_vector_step(env, target_duration=int(max(1, seconds)), seed=1))


def openspiel_loop(name: str) -> Stepper:
    """A loop over one state of OpenSpiel, with mask and observation."""
    import pyspiel

    game = pyspiel.load_game(name)
    chooser = random.Random(1)

    def step() -> int:
        state, done = game.new_initial_state(), 0
        while not state.is_terminal():
            state.legal_actions_mask()
            state.observation_tensor(state.current_player())
            state.apply_action(chooser.choice(state.legal_actions()))
            done += 1
        return done

    return step


def pettingzoo_loop(name: str) -> Stepper:
    """A loop over an environment of PettingZoo."""
    import importlib

    env = importlib.import_module(f"pettingzoo.classic.{name}").env()

    def step() -> int:
        env.reset(seed=1)
        done = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            done += 1
        return done

    return step


def ludex_zoo(name: str) -> Stepper:
    """A loop over the same kind of environment of Ludex."""
    import ludex.pettingzoo

    env: Any = ludex.pettingzoo.raw_env(name)

    def step() -> int:
        env.reset(seed=1)
        done = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            done += 1
        return done

    return step


def jax_loop(env: Any, observe: Callable[[Any], Any], rows: int, length: int) -> Stepper:
    """Random play of many states inside one compiled function of JAX. Games that are over start again."""
    import jax
    import jax.numpy as jnp

    begin: Any = jax.vmap(env.init)
    advance: Any = jax.vmap(env.step)
    see: Any = jax.vmap(observe)

    def body(carry: Any, _: Any) -> Any:
        state, key = carry
        key, sub, more = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        state = advance(state, jax.random.categorical(sub, logits, axis=-1))
        fresh = begin(jax.random.split(more, rows))
        over = state.terminated | state.truncated

        def pick(new: Any, old: Any) -> Any:
            return jnp.where(over.reshape(over.shape + (1,) * (new.ndim - 1)), new, old)

        state = jax.tree_util.tree_map(pick, fresh, state)
        return (state, key), see(state).sum()

    def whole(state: Any, key: Any) -> Any:
        return jax.lax.scan(body, (state, key), None, length=length)

    run: Any = jax.jit(whole)
    key = jax.random.PRNGKey(1)
    carry: list[Any] = [jax.jit(begin)(jax.random.split(key, rows)), key]

    def step() -> int:
        (carry[0], carry[1]), sums = run(carry[0], carry[1])
        sums.block_until_ready()
        return rows * length

    return step


def pgx_loop(name: Any, rows: int = 1024, length: int = 64) -> Stepper:
    """pgx on the processor."""
    import pgx

    return jax_loop(pgx.make(name), lambda state: state.observation, rows, length)


def ludax_loop(name: str, rows: int = 1024, length: int = 64) -> Stepper:
    """Ludax on the processor."""
    import ludax.games
    from ludax.environment import LudaxEnvironment

    env: Any = LudaxEnvironment(game_str=getattr(ludax.games, name))
    return jax_loop(env, lambda state: env.observe(state, state.current_player), rows, length)


def attempt(make: Callable[[], float]) -> float | str:
    """A measurement; the reason where a library is missing or does not have the game."""
    try:
        return make()
    except Exception as error:
        first = str(error).splitlines()[:1]
        return f"{type(error).__name__}: {first[0][:60] if first else ''}"


def table(seconds: float) -> list[tuple[str, str, float | str]]:
    """Measures everything that is installed."""
    found: list[tuple[str, str, float | str]] = []

    def add(game: str, label: str, make: Callable[[], float]) -> None:
        value = attempt(make)
        found.append((game, label, value))
        shown = f"{value:14,.0f}" if isinstance(value, float) else f"  {value}"
        print(f"{game:14} {label:42} {shown}", flush=True)

    def one(loop: Callable[[str], Stepper], name: str) -> Callable[[], float]:
        return lambda: measure(loop(name), seconds)

    def batch(name: str) -> int:
        # The engine of ludemes remembers the moves of 64 positions.
        return 48 if name.startswith("lud:") else 1024

    for game, names in GAMES.items():
        for name in names["ludex"]:
            add(game, f"Ludex vector {name}", one(lambda n: ludex_vector(n, batch(n)), name))
        first = names["ludex"][0]
        ruler = functools.partial(gymnasium_ruler, first, batch(first), seconds)
        add(game, f"Ludex, benchmark_vector_step {first}", ruler)
        add(game, f"Ludex as PettingZoo {first}", one(ludex_zoo, first))
        for key, label, loop in (
            ("spiel", "OpenSpiel loop", openspiel_loop),
            ("zoo", "PettingZoo", pettingzoo_loop),
            ("pgx", "pgx on the processor", pgx_loop),
            ("ludax", "Ludax on the processor", ludax_loop),
        ):
            if key in names:
                add(game, label, one(loop, names[key]))
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    table(parser.parse_args().seconds)
