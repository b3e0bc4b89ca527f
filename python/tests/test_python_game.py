"""Games written in Python: agents play them, the laws are checked, and errors come up."""

import pickle

import ludex
import ludex.testing
import numpy as np
import pytest


class Coins(ludex.PythonGame):
    """A coin decides who starts; players take 1 to 3 coins; who takes the last one wins."""

    name = "python-coins"
    players = ("first", "second")
    chance = True
    actions = ("1", "2", "3")
    observation_shape = (11,)

    def start(self):
        return (10, None)

    def turn(self, state):
        left, mover = state
        if mover is None:
            return "chance"
        return None if left == 0 else mover

    def chances(self, state):
        return [("heads", 0.5), ("tails", 0.5)]

    def moves(self, state, player):
        return [str(n) for n in range(1, min(3, state[0]) + 1)]

    def play(self, state, moves):
        left, mover = state
        if mover is None:
            return (left, 0 if moves[0] == "heads" else 1)
        return (left - int(moves[0]), 1 - mover)

    def payoffs(self, state):
        return [float(state[1] == 1), float(state[1] == 0)]

    def observe(self, state, player):
        row = np.zeros(11, dtype=np.float32)
        row[state[0]] = 1
        return row


def test_the_laws_hold_and_agents_play_it() -> None:
    game = ludex.game(Coins())
    assert ludex.testing.check(game, games=5)["states"] > 20
    state = game.new_initial_state()
    state.apply_text("heads")
    for name in ("alphabeta@depth=9", "uct@sims=600"):
        # Ten coins: leave eight.
        assert state.action_to_string(ludex.agent(name).step(state)) == "2", name
    assert game.action_numbering == "dense" and state.legal_actions() == [0, 1, 2]
    assert state.observation_tensor(0).tolist()[10] == 1.0


def test_vector_match_and_pickle() -> None:
    game = ludex.game(Coins())
    env = ludex.vector(game, 4, autoreset="SameStep")
    env.reset()
    for _ in range(20):
        observations = env.step(env.random_actions())[0]
    assert observations.sum() == 4
    result = ludex.match(game, ["alphabeta@depth=9", "random"], games=20)
    assert result.forfeits == 0 and result.score(0) > 0.5
    state = pickle.loads(pickle.dumps(game.new_initial_state()))
    assert state.get_game().name == "python-coins"


class Broken(Coins):
    """Fails in the middle of a game."""

    name = "broken"

    def moves(self, state, player):
        if state[0] < 7:
            raise ZeroDivisionError("no moves today")
        return super().moves(state, player)


def test_an_exception_comes_up() -> None:
    with pytest.raises(ZeroDivisionError, match="no moves today"):
        game = ludex.game(Broken())
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])


def test_a_broken_law_is_named() -> None:
    class Doubles(Coins):
        name = "doubles"

        def moves(self, state, player):
            return ["1", "1"]

    with pytest.raises(ludex.UnsupportedError, match="twice"):
        ludex.testing.check(ludex.game(Doubles()), games=2)


class Guess(ludex.PythonGame):
    """One player guesses a coin that only the other has seen."""

    name = "guess"
    players = ("looks", "guesses")
    chance = True
    hidden = True

    def start(self):
        return ("toss", None)

    def turn(self, state):
        return {"toss": "chance", "look": 0, "guess": 1, "over": None}[state[0]]

    def chances(self, state):
        return [("heads", 0.5), ("tails", 0.5)]

    def moves(self, state, player):
        return ["wait"] if player == 0 else ["heads", "tails"]

    def play(self, state, moves):
        if state[0] == "toss":
            return ("look", moves[0])
        if state[0] == "look":
            return ("guess", state[1])
        return ("over", state[1], moves[0])

    def payoffs(self, state):
        right = float(state[1] == state[2])
        return [1 - right, right]

    def percept(self, before, moves, after, player):
        return [] if before[0] == "toss" and player == 1 else list(moves)


def test_hidden_information_in_python() -> None:
    game = ludex.game(Guess())
    ludex.testing.check(game, games=10)
    state = game.new_initial_state()
    state.apply_text("heads")
    assert "heads" in state.information_state_string(0)
    assert "heads" not in state.information_state_string(1)
