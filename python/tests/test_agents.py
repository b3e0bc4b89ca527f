"""Agents by name, agents and evaluators in Python, matches, tournaments, statistics."""

import random
import threading
import time

import ludex
import ludex.arena
import ludex.stats
import numpy as np
import pytest


def test_an_agent_chooses_the_winning_move() -> None:
    game = ludex.load("connect4")
    state = game.new_initial_state("7/7/7/7/ooo4/xxx4")
    for name in ("uct@sims=500", "alphabeta@depth=4", "flat@sims=500"):
        agent = ludex.agent(name)
        assert state.action_to_string(agent.step(state)) == "d", name


def test_seeds_repeat_choices_and_restart_forgets() -> None:
    state = ludex.load("breakthrough(5,5)").new_initial_state()
    first = ludex.agent("uct@sims=200", seed=3)
    choices = [first.step(state)]
    first.restart()
    choices.append(first.step(state))
    assert choices[0] == choices[1] == ludex.agent("uct@sims=200", seed=3).step(state)


def test_analysis_has_a_table() -> None:
    state = ludex.load("tictactoe").new_initial_state("xx1/oo1/3")
    thought = ludex.analyse(ludex.agent("uct@sims=300"), state)
    assert thought.move == "c3" and thought.candidates[0]["move"] == "c3"
    assert list(thought.table()["move"])[0] == "c3"


def test_agents_play_hidden_games_from_their_view_alone() -> None:
    state = ludex.load("kuhn").new_initial_state()
    state.apply_action(0)
    assert ludex.agent("hyperplay@sims=50").step(state) in (0, 1)
    with pytest.raises(ludex.UnsupportedError, match="hides a part"):
        ludex.agent("uct@sims=10").step(state)


def test_stop_ends_the_thinking_of_another_thread() -> None:
    agent = ludex.agent("uct@time=30s")
    state = ludex.load("connect4").new_initial_state()
    threading.Timer(0.3, agent.stop).start()
    begun = time.monotonic()
    assert agent.step(state) in range(7)
    assert time.monotonic() - begun < 10


def even(observations: np.ndarray, masks: np.ndarray, players: np.ndarray):
    return masks, np.zeros(len(players))


def test_an_evaluator_is_called_in_batches() -> None:
    sizes = []

    def judge(observations, masks, players):
        sizes.append(len(players))
        assert observations.shape[1:] == (2, 6, 7) and masks.shape[1] == 7
        return even(observations, masks, players)

    game = ludex.load("connect4")
    agent = ludex.puct(judge, sims=300, batch=16)
    thought = ludex.analyse(agent, game.new_initial_state("7/7/7/7/oo5/xxxo3"))
    assert thought.sims == 300 and len(thought.candidates) == 7
    assert max(sizes) > 8 and sum(sizes) <= 300 and len(sizes) < 100
    thought = ludex.analyse(agent, game.new_initial_state("7/7/7/7/ooo4/xxx4"))
    assert thought.move == "d" and thought.value is not None and thought.value > 0.9


def test_an_evaluator_that_fails_is_an_error() -> None:
    def broken(observations, masks, players):
        raise RuntimeError("no weights")

    state = ludex.load("tictactoe").new_initial_state()
    with pytest.raises(ludex.UnsupportedError, match="no weights"):
        ludex.puct(broken).step(state)
    with pytest.raises(ludex.UnsupportedError, match="policy of shape"):
        ludex.puct(lambda o, m, p: (np.zeros((1, 2)), np.zeros(1))).step(state)


def test_python_agents_in_a_match() -> None:
    class Centre:
        """Plays the middle first, then anything."""

        def __init__(self) -> None:
            self.random = random.Random(1)

        def step(self, view: ludex.View) -> int:
            assert view.state is not None
            legal = view.legal_actions()
            return 4 if 4 in legal else self.random.choice(legal)

    result = ludex.match("tictactoe", [Centre, "random", ludex.puct(even, sims=60)], games=60)
    assert result.played == 60 and result.forfeits == 0
    assert result.agents[0] == "python-Centre"
    assert result.score(2) > result.score(1)
    low, high = result.interval(2)
    assert low <= result.score(2) <= high
    assert len(result.table()) == 3 and len(result.games) == 60


def test_agents_see_no_hidden_state() -> None:
    def honest(view: ludex.View) -> str:
        assert view.state is None and "card:" in view.information_state_string()
        return view.action_to_string(view.legal_actions()[-1])

    result = ludex.match("kuhn", [honest, "random"], games=20)
    assert result.forfeits == 0


def test_an_agent_that_fails_forfeits() -> None:
    def bad(view: ludex.View) -> int:
        return 77

    result = ludex.match("tictactoe", ["random", bad], games=4)
    assert result.forfeits == 4 and result.score(1) == 0


def test_tournaments_are_kept_and_resumed(tmp_path) -> None:
    db = tmp_path / "games.db"
    spec = {"name": "t", "games": ["tictactoe"], "agents": ["random", "greedy"], "rounds": 3}
    report = ludex.arena.run(spec, db=db)
    more = ludex.arena.run({**spec, "rounds": 6}, db=db)
    assert len(ludex.arena.standings(more)) == 2
    assert more != report and ludex.arena.read(db) == more


def test_statistics() -> None:
    low, high = ludex.stats.wilson(0.5, 100)
    assert 0.40 < low < 0.41 and 0.59 < high < 0.60
    ratio, verdict = ludex.stats.sprt([1.0] * 60 + [0.0] * 10, 0, 50)
    assert verdict == "H1" and ratio > 2.9
    assert ludex.stats.holm([0.01, 0.04]) == [0.02, 0.04]
    with pytest.raises(ValueError, match="square"):
        ludex.stats.alpha_rank([[0.0, 1.0]])


def test_concepts_and_predictions() -> None:
    game = ludex.load("lud:hex")
    assert ludex.concepts(game)["players"] == 2.0
    rows = ludex.predict(game)
    assert rows and rows[0]["win_rate"] >= rows[-1]["win_rate"]
    assert ("uct" in dict(ludex.agents(game))) and ludex.usual_agent(game) == "uct"
