"""The interfaces of Gymnasium, PettingZoo and OpenSpiel."""

import ludens
import numpy as np
import pytest


def test_gymnasium_steps_many_games(tic_tac_toe):
    gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    from ludens.gymnasium import LudensVectorEnv

    env = LudensVectorEnv(tic_tac_toe, 64, role="x", seed=2)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    observations, infos = env.reset(seed=5)
    assert observations in env.observation_space
    assert infos["action_mask"].sum(axis=1).tolist() == [9] * 64
    ended, total = 0, 0.0
    for _ in range(40):
        actions = env.sample()
        assert actions.astype(np.int64) in env.action_space
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert observations in env.observation_space and not truncated.any()
        assert (rewards[~terminated] == 0).all() and set(rewards) <= {0.0, 0.5, 1.0}
        if terminated.any():
            assert (infos["_final_obs"] == terminated).all()
            final = infos["final_obs"][np.flatnonzero(terminated)[0]]
            assert final in env.single_observation_space
        ended, total = ended + terminated.sum(), total + rewards.sum()
    assert ended > 200 and 0.55 < total / ended < 0.75
    env.close()


def test_gymnasium_resets_some_games_and_asks_opponents(tic_tac_toe):
    pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    from ludens.gymnasium import LudensVectorEnv

    asked = []

    def first(batch):
        asked.append(len(batch))
        return np.stack([batch.legal(role).argmax(axis=1) for role in "xo"], axis=1)

    env = LudensVectorEnv("tic_tac_toe", 2, opponents=first, render_mode="ansi")
    env.reset()
    env.step(env.sample())
    env.step(env.sample())
    assert asked == [2, 2]
    start = env.game.batch(1).observations[0].view(np.int8)
    observations, _ = env.reset(options={"reset_mask": np.array([True, False])})
    assert (observations[0] == start).all() and not (observations[1] == start).all()
    assert len(env.render()) == 2
    with pytest.raises(ludens.PlayError, match="game 0"):
        env.step(np.array([9, 9]))


def test_pettingzoo_accepts_the_environment(tic_tac_toe, roshambo):
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from ludens.pettingzoo import LudensParallelEnv
    from pettingzoo.test import parallel_api_test

    for game in (tic_tac_toe, roshambo):
        parallel_api_test(LudensParallelEnv(game), num_cycles=50)
    env = LudensParallelEnv(tic_tac_toe)
    observations, _ = env.reset()
    rewards = {}
    while env.agents:
        chosen = {role: int(seen["action_mask"].argmax()) for role, seen in observations.items()}
        observations, rewards, terminated, _, _ = env.step(chosen)
    assert sorted(rewards.values()) in ([0.0, 1.0], [0.5, 0.5]) and all(terminated.values())


def random_game(game, seed):
    rng = np.random.default_rng(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_simultaneous_node():
            players = range(game.num_players())
            state.apply_actions([int(rng.choice(state.legal_actions(p))) for p in players])
        else:
            player = state.current_player()
            legal = state.legal_actions()
            assert legal == state.legal_actions(player) == sorted(legal)
            assert state.legal_actions(1 - player) == []
            state.apply_action(int(rng.choice(legal)))
    return state


def test_openspiel_shapes(tic_tac_toe, roshambo):
    from ludens.openspiel import TERMINAL, SpielGame

    game = SpielGame(tic_tac_toe)
    assert (game.num_players(), game.num_distinct_actions(), game.simultaneous) == (2, 10, False)
    for seed in range(20):
        state = random_game(game, seed)
        assert state.current_player() == TERMINAL and sum(state.returns()) == 100
        # Each joint move is one action of the role whose turn it was.
        assert 5 <= len(state.history()) <= 9
    start = game.new_initial_state()
    assert start.current_player() == 0 and sum(start.legal_actions_mask()) == 9
    copy = start.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert copy.current_player() == 1 and start.current_player() == 0
    assert len(start.observation_tensor()) == game.observation_tensor_shape()[0]
    with pytest.raises(ValueError, match="not legal"):
        copy.apply_action(copy.history()[0])
    game = SpielGame(roshambo)
    assert game.simultaneous and random_game(game, 1).is_terminal()


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "rock_paper_scissors"])
def test_openspiels_own_random_simulations(name):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    from ludens.openspiel import as_open_spiel

    pyspiel.random_sim_test(as_open_spiel(name), num_sims=5, serialize=False, verbose=False)
