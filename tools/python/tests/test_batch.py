"""Many games side by side."""

import ludens
import numpy as np
import pytest


def test_arrays_say_what_states_say(breakthrough):
    batch = breakthrough.batch(70, seed=3, autoreset=True)
    fluents = breakthrough.fluents
    for _ in range(10):
        batch.step_at_random()
    states = batch.states()
    assert batch.observations.shape == (70, len(fluents)) and batch.observations.dtype == bool
    for at in (0, 33, 69):
        true = [fluent for fluent, truth in zip(fluents, batch.observations[at]) if truth]
        assert sorted(true) == states[at].sentences
        for role in breakthrough.roles:
            legal = np.flatnonzero(batch.legal(role)[at]).tolist()
            assert legal == states[at].legal_actions(role)


def test_steps_are_those_of_states(tic_tac_toe):
    batch = tic_tac_toe.batch(5)
    states = [tic_tac_toe.initial()] * 5
    while not batch.over.all():
        actions = batch.random_actions()
        batch.step(actions)
        for at, state in enumerate(states):
            if not state.terminal:
                moves = [tic_tac_toe.moves(r)[a] for r, a in zip("xo", actions[at])]
                states[at] = state.step(moves)
                assert batch.terminal[at] == states[at].terminal
                if states[at].terminal:
                    assert batch.goals[at].tolist() == list(states[at].goals.values())
                else:
                    assert np.isnan(batch.goals[at]).all()
        assert batch.states() == states


def test_games_start_anew_in_the_same_step(tic_tac_toe):
    batch = tic_tac_toe.batch(64, seed=1, autoreset=True)
    ended = 0
    for _ in range(20):
        batch.step(batch.random_actions())
        over = batch.terminal
        ended += over.sum()
        first = tic_tac_toe.batch(1).observations[0]
        assert (batch.observations[over] == first).all()
        assert not (batch.last_observations[over] == first).all(axis=1).any()
        assert np.isfinite(batch.goals[over]).all() and not batch.over.any()
    assert ended > 64


def test_a_batch_begins_in_states(tic_tac_toe):
    state = tic_tac_toe.initial().step({"x": "(mark 2 2)"})
    batch = tic_tac_toe.batch([state, tic_tac_toe.initial()])
    assert batch.legal("o").sum(axis=1).tolist() == [8, 1] and len(batch) == 2
    assert batch.states() == [state, tic_tac_toe.initial()]
    assert len(tic_tac_toe.batch([])) == 0


def test_memory_of_the_caller_is_used(tic_tac_toe):
    batch = tic_tac_toe.batch(10)
    out = np.zeros((10, len(tic_tac_toe.fluents)), dtype=bool)
    assert batch.observe(out=out) is out and (out == batch.observations).all()
    legal = np.zeros((10, 10), dtype=bool)
    assert batch.legal("x", out=legal) is legal and legal.sum() == 90
    with pytest.raises(ValueError, match="shape"):
        batch.observe(out=legal)


def test_arrays_go_to_other_libraries_without_a_copy(tic_tac_toe):
    observations = tic_tac_toe.batch(10).observations
    assert observations.flags.c_contiguous
    view = memoryview(observations)
    assert view.nbytes == observations.size
    again = np.from_dlpack(observations.view(np.uint8))
    assert np.shares_memory(again, observations)


@pytest.mark.parametrize(
    "actions, error, message",
    [
        (np.full((2, 2), 99), ludens.PlayError, "game 0: action 99 of x is not one of its 10 moves"),
        (np.zeros((3, 2), dtype=int), ValueError, r"actions have the shape \(2, 2\)"),
        (np.zeros((2, 2)), TypeError, "whole numbers"),
        ([1, 2], ValueError, "games x roles"),
    ],
)
def test_wrong_actions_change_nothing(tic_tac_toe, actions, error, message):
    batch = tic_tac_toe.batch(2)
    with pytest.raises(error, match=message):
        batch.step(actions)
    assert batch.states() == [tic_tac_toe.initial()] * 2


def test_batches_have_a_sensible_size(tic_tac_toe):
    for wrong in (-1, 1 << 40):
        with pytest.raises(ValueError, match="0 to"):
            tic_tac_toe.batch(wrong)
    with pytest.raises(TypeError, match="number of games, or of states"):
        tic_tac_toe.batch("ab")


def test_games_are_cut_and_reset(tic_tac_toe):
    batch = tic_tac_toe.batch(3, max_steps=2)
    assert batch.step_at_random(2) == 6
    assert batch.truncated.all() and not batch.terminal.any() and batch.over.all()
    batch.reset(np.array([True, False, False]))
    assert batch.over.tolist() == [False, True, True]
    batch.reset()
    assert not batch.over.any()


def test_threads_change_nothing(breakthrough):
    found = []
    for threads in (1, 2):
        batch = breakthrough.batch(1500, seed=5, autoreset=True, threads=threads)
        for _ in range(5):
            batch.step(batch.random_actions())
        found.append(batch.observations)
    assert (found[0] == found[1]).all()
