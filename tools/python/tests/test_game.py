"""Games and states."""

import copy
import os
import pathlib
import pickle
import subprocess
import sys

import ludens
import pytest

SHEET = """
(role a) (init (n 0)) (succ 0 1) (succ 1 2) (legal a (Go on)) (legal a stay)
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2)))
(<= (goal a 1) (true (n 2)))
"""


def test_a_game_is_a_name_a_path_or_a_text(tmp_path):
    by_name = ludens.load("tic_tac_toe")
    assert by_name.roles == ["x", "o"] and by_name.name == "tic_tac_toe"
    assert "tic_tac_toe" in ludens.games() and len(ludens.games()) >= 62
    path = tmp_path / "small.kif"
    path.write_text(SHEET)
    for sheet in (path, str(path)):
        game = ludens.load(sheet)
        assert (game.name, game.roles) == ("small", ["a"])
    assert ludens.load(SHEET).name == "sheet"
    assert ludens.load(SHEET).moves("a") == ["(Go on)", "stay"]


def test_what_is_loaded_twice_is_one_game():
    assert ludens.load("tic_tac_toe") == ludens.load("tic_tac_toe")
    assert ludens.load("tic_tac_toe") != ludens.load("breakthrough")


@pytest.mark.parametrize(
    "sheet, message",
    [
        ("brekthrough", "brekthrough is neither a file nor a known game; did you mean breakthrough?"),
        ("no/such.kif", "cannot read no/such.kif: No such file or directory (os error 2)"),
        (pathlib.Path("no_such"), "cannot read no_such: No such file or directory (os error 2)"),
        ("(role", "sheet cannot be played:\n"),
    ],
)
def test_errors_are_those_of_the_command_line(sheet, message):
    with pytest.raises(ludens.SheetError) as caught:
        ludens.load(sheet)
    assert str(caught.value).startswith(message)


@pytest.mark.skipif("LUDENS" not in os.environ, reason="LUDENS names no ludens program")
@pytest.mark.parametrize("sheet", ["brekthrough", "no/such.kif"])
def test_the_command_line_says_the_same(sheet):
    program = subprocess.run(
        [os.environ["LUDENS"], "playouts", sheet, "-n", "1"], capture_output=True, text=True
    )
    with pytest.raises(ludens.SheetError) as caught:
        ludens.load(sheet)
    assert program.stderr.strip() == f"ludens: {caught.value}"


def test_what_is_no_sheet_is_a_type_error():
    with pytest.raises(TypeError, match="a name, a path, or the text"):
        ludens.load(7)


def test_findings_name_places_and_remedies(tic_tac_toe):
    assert tic_tac_toe.check()["errors"] == 0
    found = ludens.check("(role a) (legal a ?x)")
    assert found["errors"] > 0
    assert {"severity", "code", "line", "column", "message", "help"} <= set(found["findings"][0])


def test_grounding_is_reported_as_data(tic_tac_toe):
    report = tic_tac_toe.ground()
    assert report["result"] == "grounded" and report["after"]["fluents"] > 0
    assert report["seconds"] > 0 and report["heaviest"]


def test_circuits_are_figures_and_pictures(tic_tac_toe):
    circuit = tic_tac_toe.circuit
    assert 50 < circuit.stats()["two_input_gates"] < 200
    dot = circuit.dot(around="(cell 2 2 x)", depth=1)
    assert dot.startswith("digraph") and len(dot) < len(circuit.dot())
    assert "<svg" in circuit.svg(of="(goal x 100)", classic=True)
    assert "<svg" in circuit._repr_svg_()
    with pytest.raises(ludens.LudensError, match="elements, more than the limit of 3"):
        circuit.svg(limit=3)
    with pytest.raises(ludens.LudensError, match="cell 9 9 x"):
        circuit.dot(of="(cell 9 9 x)")


def test_a_match_by_hand(tic_tac_toe):
    state = tic_tac_toe.initial()
    assert len(state.legal("x")) == 9 and state.legal("o") == ["noop"]
    state = state.step(["(mark 2 2)", "noop"])
    state = state.step({"o": "(MARK 1 1)"})
    state = state.step([None if role == "o" else "(mark 1 2)" for role in tic_tac_toe.roles])
    state = state.step({"o": "(mark 3 3)"})
    assert not state.terminal
    state = state.step({"x": "(mark 3 2)"})
    assert state.terminal and state.goals == {"x": 100, "o": 0}
    assert "(cell 2 2 x)" in state.sentences
    assert state == tic_tac_toe.state(state.sentences)
    with pytest.raises(ludens.PlayError, match="the game is over"):
        state.step({"x": "(mark 3 1)"})


def test_boards_are_drawn(tic_tac_toe):
    state = tic_tac_toe.initial().step({"x": "(mark 2 2)"})
    assert "2 | . x ." in str(state) and "control" in repr(state)
    picture = state._repr_svg_()
    assert picture.startswith("<svg") and picture == state.svg()
    assert picture != tic_tac_toe.initial().svg()
    assert ludens.load(SHEET).initial().svg() is None


@pytest.mark.parametrize(
    "moves, message",
    [
        ({"x": "(mark 9 9)"}, "mark 9 9"),
        ({"x": "(mark 1 1)", "o": "(mark 1 1)"}, "mark 1 1"),
        ({"z": "(mark 1 1)"}, "the game has no role z; its roles are x, o"),
        ({}, "x has a choice: give its move"),
        (["(mark 1 1)"], "2 roles need one move each, but there are 1"),
        ("(mark 1 1)", "2 roles move at once"),
    ],
)
def test_moves_that_cannot_be_made_are_named(tic_tac_toe, moves, message):
    with pytest.raises(ludens.PlayError, match=message.replace("(", r"\(")):
        tic_tac_toe.initial().step(moves)


def test_one_role_needs_no_list():
    state = ludens.load(SHEET).initial()
    state = state.step("(go on)").step(["stay"])
    assert state.terminal and state.goals == {"a": 1}
    assert ludens.load(SHEET).initial().goals == {"a": None}


def test_states_are_hashed_and_pickled(tic_tac_toe):
    one = tic_tac_toe.initial().step({"x": "(mark 1 1)"}).step({"o": "(mark 3 3)"})
    two = tic_tac_toe.initial().step({"x": "(mark 1 1)"}).step({"o": "(mark 3 3)"})
    assert one == two and hash(one) == hash(two) and len({one, two}) == 1
    assert one != tic_tac_toe.initial()
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert again == one and again.game == tic_tac_toe
    assert pickle.loads(pickle.dumps(tic_tac_toe)) == tic_tac_toe


def test_states_are_pickled_for_other_processes(tic_tac_toe, tmp_path):
    path = tmp_path / "state"
    state = tic_tac_toe.initial().step({"x": "(mark 1 3)"})
    path.write_bytes(pickle.dumps(state))
    code = f"import pickle; s = pickle.load(open({str(path)!r}, 'rb')); print(len(s.legal('o')), hash(s))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["8", str(hash(state))]


def test_a_state_belongs_to_its_game(tic_tac_toe, breakthrough):
    state = breakthrough.initial()
    message = "the state belongs to another game: to breakthrough, not to this tic_tac_toe"
    for use in (
        lambda: tic_tac_toe.playouts(1, from_state=state),
        lambda: tic_tac_toe.batch([state]),
        lambda: ludens.Search(tic_tac_toe, state=state),
    ):
        with pytest.raises(ludens.PlayError, match=message):
            use()
