"""Ctrl-C ends long calls, and other threads run meanwhile."""

import signal
import subprocess
import sys
import threading
import time

import ludens
import pytest

#: The child says itself what Ctrl-C does: whoever runs the tests may have it ignored.
CHILD = """
import signal, sys
import ludens
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
print('begins', flush=True)
{call}
print('ended')
"""

#: Calls that last longer than anyone waits, and what they need.
CALLS = {
    "playouts": ("game = ludens.load('breakthrough')", "game.playouts(10**13)"),
    "search": (
        "search = ludens.Search(ludens.load('breakthrough'), 'uct:memory=64')",
        "search.run(seconds=3600)",
    ),
    "steps": (
        "batch = ludens.load('breakthrough').batch(1000, autoreset=True)",
        "batch.step_at_random(10**10)",
    ),
    # Nobody has solved breakthrough on 64 squares.
    "solve": ("game = ludens.load('breakthrough')", "ludens.solve(game, seconds=3600)"),
    # No method proves the best score of the cube.
    "puzzle": ("game = ludens.load('rubiks_cube')", "ludens.solve(game, seconds=3600)"),
    "check": ("sheet = sys.stdin.read()", "ludens.check(sheet)"),
    "load": ("sheet = sys.stdin.read()", "ludens.load(sheet)"),
}


def sheet_without_end(parts=11, each=3):
    """Rules that ask for a clique of 12 points in a graph that has none larger than 11: there are
    3^11 * 11! ways to begin one, and no part of the question can be answered by itself."""
    points = [(part, point) for part in range(parts) for point in range(each)]
    edges = [
        f"(edge p{a}_{b} p{c}_{d})" for a, b in points for c, d in points if a != c
    ]
    ends = [f"?v{number}" for number in range(parts + 1)]
    clique = [f"(edge {a} {b})" for at, a in enumerate(ends) for b in ends[at + 1 :]]
    return "\n".join(
        [
            "(role robot) (init (at 0)) (goal robot 100)",
            "(<= (legal robot wait) (true (at 0)) (not found))",
            "(<= (next (at 1)) (does robot wait))",
            "(<= terminal (true (at 1)))",
            *edges,
            f"(<= found {' '.join(clique)})",
        ]
    )


@pytest.mark.parametrize("name", sorted(CALLS))
def test_ctrl_c_ends_a_long_call(name):
    before, call = CALLS[name]
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD.format(before=before, call=call)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    try:
        process.stdin.write(sheet_without_end())
        process.stdin.close()
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.5)
        assert process.poll() is None, "the call has not ended by itself"
        process.send_signal(signal.SIGINT)
        process.stdin = None
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    assert "KeyboardInterrupt" in err and "ended" not in out, (out, err)


def test_other_threads_run_meanwhile(breakthrough):
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    ludens.Search(breakthrough, "uct:threads=1").run(seconds=1.0)
    done.set()
    thread.join()
    assert len(counted) > 10
