"""Searches, their reports, and solved games."""

import threading

import ludens
import pytest


def forced_win(game):
    state = game.initial()
    for joint in ({"x": "(mark 2 2)"}, {"o": "(mark 1 2)"}, {"x": "(mark 1 1)"}, {"o": "(mark 2 1)"}):
        state = state.step(joint)
    return state


def test_a_search_finds_the_winning_move(tic_tac_toe):
    search = ludens.Search(tic_tac_toe, "rave+mast:threads=1", seed=1, state=forced_win(tic_tac_toe))
    report = search.run(simulations=3_000)
    assert report.best["x"] == "(mark 3 3)" == search.best["x"] == report.line[0][0]
    rows = report.moves["x"]
    assert rows[0]["move"] == "(mark 3 3)" and rows[0]["value"] > 99
    assert rows[0]["visits"] > rows[-1]["visits"] and len(rows) == 5
    assert report.simulations >= 3_000 and report.strategy == "rave+mast"
    assert report.to_dict()["roles"][0]["role"] == "x" and "simulations" in str(report)


def test_what_a_solver_proves_is_reported(tic_tac_toe):
    search = ludens.Search(tic_tac_toe, "uct+solver:threads=1", seed=1, state=forced_win(tic_tac_toe))
    rows = {row["move"]: row for row in search.run(simulations=2_000).moves["x"]}
    assert rows["(mark 3 3)"]["bounds"] == [100.0, 100.0]


def test_the_same_seed_gives_the_same_search(tic_tac_toe):
    def moves(seed):
        return ludens.Search(tic_tac_toe, "uct:threads=1", seed=seed).run(simulations=500).moves

    assert moves(3) == moves(3) and moves(3) != moves(4)


def test_a_match_with_itself_is_a_draw(tic_tac_toe):
    search = ludens.Search(tic_tac_toe, "uct:threads=1", seed=1)
    while not search.over:
        search.run(simulations=2_000)
        search.advance(search.best)
    assert search.state.goals == {"x": 50, "o": 50} and search.best == {}


@pytest.mark.parametrize(
    "strategy, message",
    [("nothing", "nothing"), ("uct:x=1", "there is no parameter x"), ("uct:c=-1", "c=-1: expected")],
)
def test_strategies_that_do_not_exist_are_named(tic_tac_toe, strategy, message):
    with pytest.raises(ludens.SettingError, match=message):
        ludens.Search(tic_tac_toe, strategy)


def test_a_search_needs_a_budget(tic_tac_toe):
    search = ludens.Search(tic_tac_toe)
    with pytest.raises(ValueError, match="budget"):
        search.run()
    with pytest.raises(ValueError, match="seconds"):
        search.run(seconds=-1)
    assert search.run(seconds=0.05).simulations > 0
    assert search.settings["strategy"] == "uct"


def test_another_thread_ends_a_search(breakthrough):
    search = ludens.Search(breakthrough, "uct:threads=1")
    found = []
    thread = threading.Thread(target=lambda: found.append(search.run(seconds=600)))
    thread.start()
    while True:
        try:
            search.over
        except ludens.LudensError as error:
            assert "stop()" in str(error)
            break
    search.stop()
    thread.join(timeout=60)
    assert found and found[0].seconds < 60


def test_games_for_one_role_are_solved():
    report = ludens.solve(ludens.load("eight_puzzle"), seconds=60)
    assert report["score"] == 100 and report["is_proven"] and report["moves"]


def test_games_for_several_have_values(tic_tac_toe):
    found = ludens.solve(tic_tac_toe, seconds=60)
    values = {value["role"]: (value["lower"], value["upper"]) for value in found["roles"]}
    assert values == {"x": (50, 50), "o": (50, 50)}
    won = ludens.solve(tic_tac_toe, seconds=60, state=forced_win(tic_tac_toe))
    assert won["roles"][0]["lower"] == 100


def test_an_agent_plays_in_time(tic_tac_toe):
    agent = ludens.Agent(tic_tac_toe.sheet, "X", "uct:threads=1", seconds=0.5, margin=0.1)
    move, origin, report = agent.play(None, seconds=0.5)
    assert move in tic_tac_toe.initial().legal("x") and origin in ("circuit", "reference", "fallback")
    assert agent.position(5.0)["legal"] and agent.can_follow([move, "noop"], 5.0)
    agent.stop()
    with pytest.raises(ludens.PlayError, match="no role z"):
        ludens.Agent(tic_tac_toe.sheet, "z")


def test_messages_are_read_by_the_player():
    start = ludens.read_message("(START m1 x ((role x)) 30 5.5)")
    assert start == {
        "kind": "start", "id": "m1", "role": "x", "sheet": "(role x)",
        "start_clock": 30.0, "play_clock": 5.5,
    }
    assert ludens.read_message("(play m1 ((Mark 1 1) noop))")["previous"] == ["(Mark 1 1)", "noop"]
    assert ludens.read_message("(info)") == {"kind": "info"}
    with pytest.raises(ludens.PlayError, match="there is no message hello"):
        ludens.read_message("(hello)")
