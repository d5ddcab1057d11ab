"""Ctrl-C ends long calls, and other threads run meanwhile."""

import signal
import subprocess
import sys
import threading
import time

import ludens
import pytest

CALLS = {
    "playouts": "ludens.load('breakthrough').playouts(10**12)",
    "search": "ludens.Search(ludens.load('breakthrough')).run(seconds=600)",
    "steps": "ludens.load('breakthrough').batch(1000, autoreset=True).step_at_random(10**9)",
    "solve": "ludens.solve(ludens.load('peg_solitaire'), seconds=600)",
    "load": "ludens.load('chess')",
}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_ctrl_c_ends_a_long_call(name):
    game = CALLS[name].split("'")[1]
    if game not in ludens.games():
        pytest.skip(f"there is no game {game}")
    code = f"import ludens\nprint('begins', flush=True)\n{CALLS[name]}\nprint('ended')"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "begins\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
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
