"""Random playouts, weights, and policies of one's own."""

import ludens
import ludens.policy
import numpy as np
import pytest


def test_totals_are_those_of_any_number_of_threads(tic_tac_toe):
    one = tic_tac_toe.playouts(20_000, seed=7, threads=1)
    two = tic_tac_toe.playouts(20_000, seed=7, threads=2)
    assert one.to_dict() == two.to_dict() and one.playouts == 20_000
    assert one.mean_goals["x"] == pytest.approx(64.8, abs=1.5)
    assert one.mean_length == pytest.approx(7.6, abs=0.1)
    assert sum(one.lengths) == 20_000 and one.unfinished == 0
    assert tic_tac_toe.playouts(0).mean_length is None


def test_playouts_begin_anywhere(tic_tac_toe):
    state = tic_tac_toe.initial()
    marks = ["1 1", "2 2", "1 2", "1 3", "3 1", "2 1", "2 3", "3 2"]
    for at, mark in enumerate(marks):
        state = state.step({"xo"[at % 2]: f"(mark {mark})"})
    # One move is left, and it ends in a draw.
    found = tic_tac_toe.playouts(1_000, from_state=state)
    assert found.mean_goals == {"x": 50.0, "o": 50.0} and found.mean_length == 1.0


def test_weights_prefer_moves(tic_tac_toe):
    first_row = [move.startswith("(mark 1") for move in tic_tac_toe.moves("x")]
    others = [not move.startswith("(mark 1") for move in tic_tac_toe.moves("o")]
    found = tic_tac_toe.playouts(1_000, weights={"x": np.array(first_row), "o": others})
    assert found.mean_goals == {"x": 100.0, "o": 0.0} and found.mean_length == 5.0


@pytest.mark.parametrize(
    "weights, message",
    [
        ({"x": [1.0]}, "x has 10 moves, but 1 weights"),
        ({"x": [-1.0] * 10}, "-1 is no weight of x"),
        ({"x": [float("nan")] * 10}, "NaN is no weight of x"),
    ],
)
def test_weights_are_checked(tic_tac_toe, weights, message):
    with pytest.raises(ValueError, match=message):
        tic_tac_toe.playouts(1, weights=weights)


def test_a_callback_chooses_for_all_games_at_once(tic_tac_toe):
    calls = []

    def greedy(batch):
        calls.append(len(batch))
        return {role: [move != "noop" for move in tic_tac_toe.moves(role)] for role in "xo"}

    found = ludens.policy.playouts(tic_tac_toe, 3_000, greedy, batch=1_000)
    assert found.playouts == 3_000 and found.unfinished == 0
    # Waiting is never chosen where there is anything else, so nothing differs from random play.
    assert found.mean_goals["x"] == pytest.approx(64.8, abs=4)
    assert found.mean_length == pytest.approx(7.6, abs=0.2)
    assert len(calls) <= 27 and set(calls) == {1_000}


def test_a_callback_may_give_actions(tic_tac_toe):
    def first(batch):
        return np.stack([batch.legal(role).argmax(axis=1) for role in "xo"], axis=1)

    found = ludens.policy.playouts(tic_tac_toe, 10, first)
    assert found.mean_length in (5, 6, 7, 8, 9), "all games are the same one"


def test_choices_are_in_proportion_to_weights(tic_tac_toe):
    batch = tic_tac_toe.batch(20_000)
    moves = tic_tac_toe.moves("x")
    weights = np.zeros(len(moves))
    one, two = moves.index("(mark 1 1)"), moves.index("(mark 3 3)")
    weights[[one, two]] = 3.0, 1.0
    actions = ludens.policy.choose(batch, {"x": weights}, np.random.default_rng(1))
    assert (actions[:, 0] == one).mean() == pytest.approx(0.75, abs=0.02)
    assert (actions[:, 0] == two).mean() == pytest.approx(0.25, abs=0.02)
    with pytest.raises(ValueError, match="at least 0"):
        ludens.policy.choose(batch, {"x": -weights}, np.random.default_rng(1))
