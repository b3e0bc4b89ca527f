"""OpenSpiel: its own tests on our games, its algorithms, and games that both have."""

import os
import random
import subprocess
import sys
from pathlib import Path

import ludex
import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

import ludex.openspiel  # noqa: E402
from games import ALL  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    cfr,
    expected_game_score,
    exploitability,
    mcts,
)
from openspiel_games import EARLY_DRAWS, PAIRS, Pair  # noqa: E402

#: Random games of each comparison.
GAMES = int(os.environ.get("LUDEX_COMPARED_GAMES", "15"))


@pytest.mark.parametrize("name", ALL)
def test_random_sim(name: str) -> None:
    game = pyspiel.load_game(ludex.openspiel.register(name))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_api_of_openspiel() -> None:
    """Runs OpenSpiel's own api_test on all games of the list, in a process of its own."""
    script = Path(__file__).with_name("openspiel_api.py")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    assert f"{len(ALL)} games registered" in done.stdout


def test_cfr_finds_the_value_of_kuhn_poker() -> None:
    game = pyspiel.load_game(ludex.openspiel.register("kuhn"))
    solver = cfr.CFRSolver(game)
    for _ in range(400):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.02
    values = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert abs(values[0] + 1 / 18) < 1e-3


def test_kuhn_poker_is_the_same_game() -> None:
    """All deals and lines of play have the returns of OpenSpiel."""
    ours, theirs = ludex.load("kuhn"), pyspiel.load_game("kuhn_poker")
    start = ours.new_initial_state()
    count = 0

    def walk(state: ludex.State, other: "pyspiel.State") -> None:
        nonlocal count
        count += 1
        assert state.is_terminal() == other.is_terminal()
        if state.is_terminal():
            assert state.returns() == other.returns()
            return
        assert state.current_player() == other.current_player()
        assert state.legal_actions() == other.legal_actions()
        for action in state.legal_actions():
            walk(state.child(action), other.child(action))

    for deal in start.legal_actions():
        cards = ["JQK".index(c) for c in start.action_to_string(deal)[-2:]]
        other = theirs.new_initial_state()
        for card in cards:
            other.apply_action(card)
        walk(start.child(deal), other)
    assert count == 6 * 9


def test_mcts_of_openspiel_plays_hex() -> None:
    game = pyspiel.load_game(ludex.openspiel.register("lud:hex"))
    chooser = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 5, mcts.RandomRolloutEvaluator(1, chooser), random_state=chooser)
    state = game.new_initial_state()
    for _ in range(4):
        state.apply_action(bot.step(state))
    assert len(state.history()) == 4 and not state.is_terminal()


def play_both(pair: Pair, game: "pyspiel.Game", ours: ludex.Game, chooser: random.Random) -> int:
    """Plays one random game by both rules and compares every position. Returns the number of steps."""
    theirs, state = game.new_initial_state(), ours.new_initial_state()
    steps = 0
    while not theirs.is_terminal():
        assert not state.is_terminal(), state.moves_text()
        movers = [0, 1] if theirs.is_simultaneous_node() else [theirs.current_player()]
        chosen, numbers = [], []
        for player in movers:
            legal = theirs.legal_actions(player)
            mine = {}
            for number in state.legal_actions(player):
                text = state.action_to_string(player, number).split("@")[-1]
                mine[text[0] if pair.ludex == "lud:connect-four" else text] = number
            mine.pop("swap", None)
            assert len(legal) == len(mine), (state.moves_text(), sorted(mine))
            action = chooser.choice(legal)
            chosen.append(action)
            numbers.append(mine[pair.text(theirs.action_to_string(player, action))])
        if theirs.is_simultaneous_node():
            theirs.apply_actions(chosen)
            state.apply_actions(numbers)
        else:
            theirs.apply_action(chosen[0])
            state.apply_action(numbers[0])
        steps += 1
    if pair.ludex in EARLY_DRAWS and not state.is_terminal():
        assert theirs.returns() == [0.0, 0.0]
        return steps
    while not state.is_terminal():
        # OpenSpiel ends where no choice is left.
        if state.is_simultaneous_node():
            last = [state.legal_actions(player) for player in range(2)]
            assert [len(legal) for legal in last] == [1, 1]
            state.apply_actions([legal[0] for legal in last])
        else:
            assert [state.action_to_string(a) for a in state.legal_actions()] == ["pass"]
            state.apply_action(state.legal_actions()[0])
    assert state.returns() == theirs.returns(), state.moves_text()
    return steps


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.spiel}-{pair.ludex}")
def test_games_that_openspiel_has_too(pair: Pair) -> None:
    game, ours = pyspiel.load_game(pair.spiel), ludex.load(pair.ludex)
    chooser = random.Random(7)
    steps = sum(play_both(pair, game, ours, chooser) for _ in range(GAMES))
    assert steps > 2 * GAMES
