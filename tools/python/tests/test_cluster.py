"""Players on a Ray cluster: real ones of two nodes, and what happens when parts of them fail."""

import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request

import ludens
import pytest
from ludens.cluster.driver_options import DriverOptions
from ludens.cluster.player import ClusterMatch, PlayerOptions
from ludens.cluster.server import ClusterServer
from ludens.cluster.worker import SearchWorker, Task, one_thread

#: The play clock of matches: long enough for a machine that has much else to do.
CLOCK = 3.0
#: What a cluster gets to become whole again, in seconds: far more than it needs.
PATIENCE = 400.0
OPTIONS = PlayerOptions(strategy="uct:memory=64", margin=1.5)


class Nothing:
    """A cluster that never answers."""

    def search(self, task, seconds, grace):
        time.sleep(seconds + grace)
        return []


class OneWorker:
    """A cluster of one worker in this process."""

    def __init__(self):
        self.worker = SearchWorker(1)

    def search(self, task, seconds, grace):
        return [self.worker.search(task, seconds)]


def test_workers_come_to_any_position_by_the_moves(tic_tac_toe):
    worker = SearchWorker(1)
    moves = (("(mark 2 2)", "noop"), ("noop", "(mark 1 1)"))
    for made in (moves[:1], moves, moves[:1], ()):
        report = worker.search(Task("m", tic_tac_toe.sheet, "uct:threads=1", 1, made), 0.02)
        legal = tic_tac_toe.initial()
        for joint in made:
            legal = legal.step(list(joint))
        assert sorted(row["move"] for row in report["moves"]["x"]) == sorted(legal.legal("x"))
        assert report["step"] == len(made) and report["simulations"] > 0
    with pytest.raises(ludens.PlayError):
        worker.search(Task("m", tic_tac_toe.sheet, "uct:threads=1", 1, (("(mark 9 9)", "noop"),)), 0)
    assert worker.search(Task("m", tic_tac_toe.sheet, "uct:threads=1", 1, moves), 0)["step"] == 2
    assert one_thread("uct") == "uct:threads=1" and one_thread("uct:threads=2") == "uct:threads=2"


def test_leaves_are_played_elsewhere_and_backed_up_here(tic_tac_toe):
    from ludens.cluster.leaf import LeafSearch, run

    state = tic_tac_toe.initial()
    for joint in ({"x": "(mark 2 2)"}, {"o": "(mark 1 2)"}, {"x": "(mark 1 1)"}, {"o": "(mark 2 1)"}):
        state = state.step(joint)
    worker, search = SearchWorker(1), LeafSearch(state)
    answers = {}

    def send(leaves):
        answers[len(answers)] = worker.playouts(tic_tac_toe.sheet, leaves)
        return len(answers) - 1

    from ludens.cluster.merge import choose

    for _ in range(100):
        run(search, [send], lambda calls, seconds: calls, answers.get, seconds=0.2)
        if search.playouts > 1000:
            break
    assert choose([search.moves()["x"]]) == "(mark 3 3)" and search.playouts > 1000


def play_match(port, game, moves=None, clock=CLOCK, meanwhile=None):
    """Plays against a random player over HTTP; the answers and how long they took."""

    def post(text):
        start = time.monotonic()
        url = f"http://127.0.0.1:{port}"
        with urllib.request.urlopen(url, data=text.encode(), timeout=60) as response:
            return response.read().decode(), time.monotonic() - start

    role = game.roles[0]
    reply, seconds = post(f"(START m1 {role} ({game.sheet}) {2 * clock} {clock})")
    assert reply == "ready" and seconds < 2 * clock
    state, previous, times, step = game.initial(), "nil", [], 0
    while not state.terminal and (moves is None or step < moves):
        if meanwhile is not None:
            meanwhile(step)
        reply, seconds = post(f"(PLAY m1 {previous})")
        times.append(seconds)
        assert reply in state.legal(role), (step, reply)
        joint = [reply] + [state.legal(other)[0] for other in game.roles[1:]]
        state = state.step(joint)
        previous, step = f"({' '.join(joint)})", step + 1
    assert post(f"(STOP m1 {previous})")[0] == "done"
    return state, times


@pytest.fixture
def serving():
    servers = []

    def serve(cluster, options=OPTIONS):
        server = ClusterServer(cluster, options, port=0, host="127.0.0.1")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server

    yield serve
    for server in servers:
        server.close()


def test_a_match_over_http(tic_tac_toe, serving):
    cluster = OneWorker()
    # Its game is compiled before the match.
    cluster.search(Task("warm", tic_tac_toe.sheet, "uct:threads=1", 1), 0.0, 0.0)
    server = serving(cluster)
    state, times = play_match(server.port, tic_tac_toe)
    assert state.goals["x"] == 100 and max(times) < CLOCK


def test_without_a_cluster_legal_moves_are_made_in_time(tic_tac_toe, serving):
    state, times = play_match(serving(Nothing()).port, tic_tac_toe, moves=3)
    assert len(times) == 3 and max(times) < CLOCK


@pytest.mark.parametrize(
    "message, reply",
    [
        ("(info)", "((name ludens) (status available))"),
        ("(play nothing nil)", "busy"),
        ("(stop nothing nil)", "busy"),
        ("(abort nothing)", "busy"),
        ("(hello)", "error: there is no message hello"),
        ("(start m x ((role)) 1 1)", "error: "),
        ("(start m x ((role a)) 1 99999999)", "error: a clock"),
    ],
)
def test_messages_are_answered(serving, message, reply):
    assert serving(Nothing()).reply(message, time.monotonic()).startswith(reply)


def test_what_is_wrong_with_arguments_is_said():
    pytest.importorskip("ray", reason="ray is not installed")
    for arguments, message in [
        (["serve", "--workers", "0"], "at least 1"),
        (["serve", "--strategy", "nothing"], "nothing"),
        (["lab", "no/such.toml"], "no/such.toml"),
    ]:
        command = [sys.executable, "-m", "ludens.cluster.cli", *arguments]
        found = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert found.returncode in (1, 2) and message in found.stderr, found.stderr


# What follows needs Ray, and starts real clusters of two nodes on this machine.


def in_spite_of_load(start, times=3):
    """What `start` makes. Ray gives a node 30 seconds to come up, which a busy machine may need."""
    for left in reversed(range(times)):
        try:
            return start()
        except Exception as error:
            if "timed out during startup" not in str(error) or left == 0:
                raise


def start_head(**more):
    from ray.cluster_utils import Cluster

    arguments = {"include_dashboard": False, **more}
    return in_spite_of_load(lambda: Cluster(initialize_head=True, head_node_args=arguments))


@pytest.fixture
def two_nodes():
    pytest.importorskip("ray", reason="ray is not installed")
    cluster = start_head(num_cpus=1)
    node = in_spite_of_load(lambda: cluster.add_node(num_cpus=1))
    yield cluster, node
    cluster.shutdown()


@pytest.fixture
def supervised():
    pytest.importorskip("ray", reason="ray is not installed")
    from ludens.cluster.supervisor import Supervisor

    started = []

    def start(address, workers=2, **more):
        supervisor = Supervisor(DriverOptions(address, workers, **more), silence=10.0)
        started.append(supervisor)
        assert supervisor.wait_until_ready(PATIENCE)
        return supervisor

    yield start
    for supervisor in started:
        supervisor.close()


def wait_for(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False


def task(game, moves=()):
    return Task("m", game.sheet, "uct:threads=1:memory=64", 1, tuple(moves))


def test_two_workers_search_more_than_one(two_nodes, supervised, tic_tac_toe):
    cluster, _ = two_nodes
    supervisor = supervised(cluster.address)
    assert wait_for(lambda: len(supervisor.search(task(tic_tac_toe), 0.2, 2.0)) == 2)
    reports = supervisor.search(task(tic_tac_toe), 0.3, 2.0)
    assert {report["worker"] for report in reports} == {1, 2}
    assert all(report["simulations"] > 0 for report in reports)
    assert supervisor.status()["nodes"] == 2


def test_a_node_is_killed_in_mid_match(two_nodes, supervised, serving, tic_tac_toe):
    cluster, node = two_nodes
    supervisor = supervised(cluster.address)
    assert wait_for(lambda: len(supervisor.search(task(tic_tac_toe), 0.2, 2.0)) == 2)
    server = serving(supervisor)

    def meanwhile(step):
        if step == 2:
            cluster.remove_node(node, allow_graceful=False)

    state, times = play_match(server.port, tic_tac_toe, meanwhile=meanwhile)
    assert state.terminal and max(times) < CLOCK
    # A new node takes the worker that has waited for it. The driver may have died with the node.
    in_spite_of_load(lambda: cluster.add_node(num_cpus=1))
    assert wait_for(lambda: len(supervisor.search(task(tic_tac_toe), 0.2, 2.0)) == 2)
    assert supervisor.starts >= 2 or supervisor.status()["replaced"] >= 1


def test_a_worker_that_hangs_is_left_out_and_replaced(two_nodes, supervised, tic_tac_toe):
    cluster, _ = two_nodes
    supervisor = supervised(cluster.address, patience=1.0)
    assert wait_for(lambda: len(supervisor.search(task(tic_tac_toe), 0.2, 2.0)) == 2)
    hanging = supervisor.places()[0][1]
    os.kill(hanging, signal.SIGSTOP)
    try:
        start = time.monotonic()
        reports = supervisor.search(task(tic_tac_toe), 0.2, 1.0)
        assert len(reports) == 1 and time.monotonic() - start < 2.0
        moves = (("(mark 2 2)", "noop"),)

        def both():
            return len(supervisor.search(task(tic_tac_toe, moves), 0.2, 1.0)) == 2

        assert wait_for(both), "its successor has come to the position by the moves"
        assert supervisor.status()["replaced"] == 1
    finally:
        try:
            os.kill(hanging, signal.SIGCONT)
        except ProcessLookupError:
            pass


def test_a_head_restarts_between_matches(supervised, serving, tic_tac_toe):
    pytest.importorskip("ray", reason="ray is not installed")
    cluster = start_head(num_cpus=2)
    port = int(cluster.address.rsplit(":", 1)[1])
    try:
        supervisor = supervised(cluster.address)
        server = serving(supervisor)
        assert wait_for(lambda: len(supervisor.search(task(tic_tac_toe), 0.2, 2.0)) == 2)
        play_match(server.port, tic_tac_toe, moves=2)
        cluster.shutdown()
        # While there is no head, legal moves are made in time.
        _, times = play_match(server.port, tic_tac_toe, moves=2)
        assert max(times) < CLOCK
        cluster = start_head(num_cpus=2, gcs_server_port=port)
        assert wait_for(lambda: len(supervisor.search(task(tic_tac_toe), 0.2, 2.0)) == 2)
        assert supervisor.starts >= 2
        state, _ = play_match(server.port, tic_tac_toe)
        assert server.match is None and state.goals["x"] == 100
    finally:
        cluster.shutdown()


def test_leaf_parallel_search_over_a_cluster(supervised, tic_tac_toe):
    supervisor = supervised(None, workers=1, mode="leaf")
    found = []

    def has_played():
        found[:] = supervisor.search(task(tic_tac_toe), 0.5, 5.0)
        return found and found[0]["simulations"] > 0

    assert wait_for(has_played) and len(found[0]["moves"]["x"]) == 9


def test_the_command_plays_a_match_and_ends_with_ctrl_c(tic_tac_toe):
    pytest.importorskip("ray", reason="ray is not installed")
    # What runs the tests may have Ctrl-C ignored, which children inherit.
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from ludens.cluster.cli import main; sys.exit(main())"
    )
    arguments = ["serve", "--port", "0", "--host", "127.0.0.1", "--workers", "1", "--margin", "1.5"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("listening on port ") and "1 workers" in line
        port = int(line.split()[3].rstrip(","))
        state, times = play_match(port, tic_tac_toe)
        assert state.terminal and max(times) < CLOCK
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 130
    finally:
        process.kill()
        process.wait()
