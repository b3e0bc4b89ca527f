"""Games and states: the names of OpenSpiel, text, copies, hidden information, errors."""

import copy
import pickle
import random

import ludex
import numpy as np
import pytest
from games import ALL


def random_states(game: ludex.Game, seed: int, games: int = 3):
    """The states along a few random games."""
    chooser = random.Random(seed)
    for _ in range(games):
        state = game.new_initial_state()
        for _ in range(120):
            yield state
            if state.is_terminal():
                break
            if state.is_simultaneous_node():
                seats = range(game.num_players())
                lists = [state.legal_actions(seat) for seat in seats]
                state.apply_actions([chooser.choice(legal) if legal else 0 for legal in lists])
            else:
                state.apply_action(chooser.choice(state.legal_actions()))


@pytest.mark.parametrize("name", ALL)
def test_actions_masks_and_tensors_fit(name: str) -> None:
    game = ludex.load(name)
    size, shape = game.num_distinct_actions(), tuple(game.observation_tensor_shape())
    for state in random_states(game, 1):
        for player in range(game.num_players()):
            legal = state.legal_actions(player)
            assert legal == sorted(set(legal))
            assert all(0 <= action < size for action in legal)
            assert [i for i, bit in enumerate(state.legal_actions_mask(player)) if bit] == legal or (
                state.is_chance_node()
            )
            texts = [state.action_to_string(player, action) for action in legal[:20]]
            assert len(set(texts)) == len(texts)
            for action, text in zip(legal[:5], texts, strict=False):
                assert state.string_to_action(player, text) == action
            assert state.observation_tensor(player).shape == shape
        if state.is_chance_node():
            assert abs(sum(chance for _, chance in state.chance_outcomes()) - 1) < 1e-9


@pytest.mark.parametrize("name", ALL)
def test_copies_pickles_and_json_are_the_same_state(name: str) -> None:
    game = ludex.load(name)
    *_, state = random_states(game, 2, games=1)
    for other in (
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        game.from_json(state.to_json()),
    ):
        assert other.position() == state.position()
        assert other.history() == state.history()
        assert other.returns() == state.returns()
        assert other.hash() == state.hash()


def test_a_copy_does_not_share_moves() -> None:
    state = ludex.load("tictactoe").new_initial_state()
    child = state.child(4)
    assert (state.history(), child.history()) == ([], [4])
    child.undo()
    assert child.position() == state.position()
    assert state.legal_actions() == list(range(9))


def test_positions_read_back() -> None:
    for name in ("connect4", "lud:hex", "kif:tictactoe", "kuhn"):
        game = ludex.load(name)
        *_, state = random_states(game, 5, games=1)
        assert game.new_initial_state(state.position()).position() == state.position()


def test_hidden_information_stays_hidden() -> None:
    game = ludex.load("kuhn")
    views: dict[str, set[str]] = {}
    for deal in range(6):
        state = game.new_initial_state()
        text = state.action_to_string(deal)
        state.apply_action(deal)
        assert state.view(0).state is None
        key = state.information_state_string(0) + str(state.observation_tensor(0).tolist())
        views.setdefault(key, set()).add(text)
    # Six deals, three own cards: each view leaves two deals possible.
    assert sorted(len(deals) for deals in views.values()) == [2, 2, 2]


def test_worlds_that_look_the_same_have_the_same_observation() -> None:
    for name in ("kif:krieg-tictactoe", "kif:hidden-connect", "kif:blind-breakthrough5", "kuhn"):
        game = ludex.load(name)
        seen: dict[str, bytes] = {}
        for seed in range(60):
            for state in random_states(game, seed, games=1):
                for player in range(game.num_players()):
                    text = state.information_state_string(player)
                    tensor = state.observation_tensor(player).tobytes()
                    assert seen.setdefault(text, tensor) == tensor
        assert len(seen) > 10


def test_simultaneous_moves_and_returns() -> None:
    game = ludex.load("rps")
    state = game.new_initial_state()
    assert state.current_player() == -2 and state.is_simultaneous_node()
    paper = state.string_to_action(0, "paper")
    rock = state.string_to_action(1, "rock")
    state.apply_actions([paper, rock])
    assert state.is_terminal() and state.returns() == [1.0, -1.0]
    assert state.current_player() == -4 and state.legal_actions() == []


def test_rules_from_text_and_options() -> None:
    rules = (
        '(game "Tiny" (players 2) (equipment {(board (square 3)) (piece "Disc" P1)'
        ' (piece "Cross" P2)}) (rules (play (move Add (to (sites Empty))))'
        " (end (if (is Line 3) (result Mover Win)))))"
    )
    game = ludex.loads(rules)
    assert pickle.loads(pickle.dumps(game)).source == game.source
    kif = (
        "(role a) (init (left 2)) (succ 1 2) (succ 0 1)"
        "(<= (legal a (take ?n)) (true (left ?m)) (succ ?n ?m)) (legal a wait)"
        "(<= (next (left ?n)) (does a (take ?n)))"
        "(<= terminal (true (left 0))) (<= (goal a 100) terminal)"
    )
    assert ludex.load(kif).num_players() == 1
    with pytest.raises(ludex.LudexError, match="text.kif"):
        ludex.loads("(role a) (<= (legal", "kif")


def test_errors_have_the_texts_of_the_core() -> None:
    with pytest.raises(ludex.UnknownNameError, match="did you mean `connect4`"):
        ludex.load("conect4")
    state = ludex.load("tictactoe").new_initial_state()
    state.apply_action(4)
    with pytest.raises(ludex.IllegalMoveError, match=r"illegal move `4` for o: legal here: 0 \(a1\)"):
        state.apply_action(4)
    with pytest.raises(ludex.IllegalMoveError, match="illegal move `zz` for o"):
        state.apply_text("zz")
    with pytest.raises(ludex.PositionError):
        ludex.load("tictactoe").new_initial_state("xxx")
    with pytest.raises(ValueError, match="player must be from 0 to 1"):
        state.legal_actions(7)
    with pytest.raises(ludex.PositionError):
        ludex.load("nim").from_json(state.to_json())


def test_pictures() -> None:
    state = ludex.load("lud:hex").new_initial_state()
    state.apply_action(state.legal_actions()[30])
    assert state._repr_svg_().startswith("<svg") and "</svg>" in state.svg(0)
    assert len(state.render().splitlines()) > 5


def test_numbers_say_whether_they_have_one_meaning() -> None:
    assert ludex.load("connect4").get_type()["actions"] == "dense"
    mixed = ludex.load("lud:breakthrough")
    assert mixed.action_numbering == "mixed" and mixed.num_fixed_actions > 0
    state = mixed.new_initial_state()
    action = state.legal_actions()[0]
    facts = state.action_to_dict(0, action)
    assert facts["fixed"] and facts["text"] == state.action_to_string(action)


def test_playouts_are_fair_and_repeatable() -> None:
    game = ludex.load("kif:connect4")
    state = game.new_initial_state()
    results, lengths = ludex.playouts([state, state], 500, seed=7)
    again, _ = ludex.playouts([state, state], 500, seed=7)
    assert results.shape == (1000, 2) and lengths.min() >= 7
    assert np.array_equal(results, again)
    assert np.allclose(results.sum(axis=1), 0)
