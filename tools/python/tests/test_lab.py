"""Experiments over a cluster: the records of a single run, also where a worker dies."""

import json
import os
import stat

import ludens
import pytest

TINY = """
title = "Tiny"
budget = { simulations = 20 }
per_cell = 6

[sides]
uct = { strategy = "uct" }
random = { strategy = "random" }

[[cells]]
games = ["tic_tac_toe", "rock_paper_scissors"]
pairs = [["uct", "random"]]
"""

#: The first run ends the worker that it runs for, or each does.
DYING = """#!/bin/sh
if [ "$2" = run ] && [ ! -e {marker} ]; then
    {mark}
    kill -9 $PPID
    exit 1
fi
exec {tools} "$@"
"""


def test_portions_take_cells_in_turn():
    pytest.importorskip("ray", reason="ray is not installed")
    from ludens.cluster.lab import portions

    found = portions([(0, "a", [0, 1, 2]), (3, "b", [7])], size=2)
    assert [(part.cell, part.numbers) for part in found] == [(0, [0, 1]), (3, [7]), (0, [2])]


@pytest.fixture
def tools():
    pytest.importorskip("ray", reason="ray is not installed")
    if "LUDENS_TOOLS" not in os.environ:
        pytest.skip("LUDENS_TOOLS names no ludens-tools program")
    return os.environ["LUDENS_TOOLS"]


@pytest.fixture
def experiment(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


def records(path):
    return sorted(path.read_text().splitlines(), key=lambda line: json.loads(line)["game"] + line)


def dying(tools, folder, mark):
    script = folder / "dying"
    script.write_text(DYING.format(marker=folder / "marker", mark=mark, tools=tools))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def test_records_are_those_of_a_single_run(tools, experiment, tmp_path, monkeypatch):
    import subprocess

    from ludens.cluster.lab import run_file

    single = tmp_path / "single.jsonl"
    subprocess.run([tools, "lab", "run", str(experiment), "--out", str(single)], check=True)
    own = tmp_path / "tiny.jsonl"
    # A run that was killed in the middle of a line goes on, and the first worker dies.
    own.write_text(single.read_text()[:900])
    complete = own.read_text().count("\n")
    assert complete > 0
    monkeypatch.setenv("LUDENS_TOOLS", dying(tools, tmp_path, f"touch {tmp_path / 'marker'}"))
    assert run_file(str(experiment), None, workers=2) == 0
    assert (tmp_path / "marker").exists()
    lines = [line for line in own.read_text().splitlines() if line.endswith("}")]
    assert len(lines) == 12
    own.write_text("\n".join(lines) + "\n")
    assert records(own) == records(single)
    assert run_file(str(experiment), None, workers=1) == 0, "nothing is left to play"


def test_games_whose_workers_die_twice_are_named(tools, experiment, tmp_path, monkeypatch, capsys):
    from ludens.cluster.lab import run_file

    monkeypatch.setenv("LUDENS_TOOLS", dying(tools, tmp_path, "true"))
    assert run_file(str(experiment), None, workers=2) == 1
    assert "not played: tic_tac_toe/uct/random, games 0, 1, 2, 3" in capsys.readouterr().err


def test_what_is_missing_is_named(experiment, monkeypatch):
    pytest.importorskip("ray", reason="ray is not installed")
    from ludens.cluster.lab import LabRun

    monkeypatch.delenv("LUDENS_TOOLS", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ludens.LudensError, match="cargo install --path tools"):
        LabRun(str(experiment))
