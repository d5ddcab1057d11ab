"""The process that talks to Ray: `python -m ludens.cluster.driver FD`.

It reads requests from a pipe and writes answers to it. It may die or hang with the cluster; the
supervisor then starts another one. A process that has known a head never gets on with its successor
(Ray answers `WrongClusterID`, and new actors wait forever), so it ends itself when its cluster is gone.
"""

from __future__ import annotations

import logging
import sys
from multiprocessing.connection import Connection
from typing import Any, Dict, List, Optional

import ray

import ludens

from . import leaf
from .driver_options import DriverOptions
from .pool import WorkerPool
from .worker import Task

log = logging.getLogger("ludens.cluster")

#: How often a driver that is not asked anything looks whether its cluster is there, in seconds.
LOOK_EVERY = 5.0


class ClusterLost(Exception):
    """The cluster that this process belonged to is gone."""


class Driver:
    """The workers, and what is asked of them."""

    def __init__(self, options: DriverOptions) -> None:
        self.options = options
        cpus = {} if options.address else {"num_cpus": options.cpus or options.workers}
        ray.init(
            address=options.address or "local",
            namespace="ludens",
            log_to_driver=False,
            include_dashboard=None if options.address else False,
            logging_level=logging.ERROR,
            **cpus,
        )
        self.node = ray.get_runtime_context().get_node_id()
        self.pool = WorkerPool(options.workers, options.patience)
        self.has_doubts = False

    def check(self) -> None:
        """Raises where the head no longer knows the node that this process belongs to."""
        self.has_doubts = False
        if not any(node["NodeID"] == self.node and node["Alive"] for node in ray.nodes()):
            raise ClusterLost("its head is another one now, or its node is gone")

    def search(self, task: Task, seconds: float, grace: float) -> List[Dict[str, Any]]:
        """The reports of all workers that answer in time."""
        if self.options.mode == "leaf":
            report = self._search_leaves(task, seconds)
            self.has_doubts = report["simulations"] == 0
            return [report]
        reports = self.pool.search(task, seconds, grace)
        self.has_doubts = len(reports) < len(self.pool.slots)
        return reports

    def _search_leaves(self, task: Task, seconds: float) -> Dict[str, Any]:
        state = ludens.load(task.sheet).initial()
        for joint in task.moves:
            state = state.step(list(joint))
        search = leaf.LeafSearch(state, seed=task.seed)
        self.pool.tidy()

        free = [slot for slot in self.pool.slots if slot.pending is None]

        def sender(slot: Any) -> Any:
            def send(leaves: Any) -> Any:
                self.pool.begin(slot, slot.actor.playouts.remote(task.sheet, leaves), seconds)
                return slot.pending

            return send

        def get(ref: Any) -> Optional[List[List[float]]]:
            return self.pool.finish(next(slot for slot in free if slot.pending == ref))

        def wait(refs: List[Any], timeout: float) -> List[Any]:
            return ray.wait(refs, num_returns=1, timeout=timeout)[0]

        leaf.run(search, [sender(slot) for slot in free], wait, get, seconds)
        return {
            "worker": 0,
            "match": task.match,
            "step": len(task.moves),
            "simulations": search.playouts,
            "seconds": seconds,
            "moves": search.moves(),
        }

    def places(self) -> List[Any]:
        """The node and the process of each worker."""
        return self.pool.places()

    def status(self) -> Dict[str, Any]:
        """What the cluster looks like."""
        return {
            "workers": len(self.pool.slots),
            "replaced": self.pool.replaced,
            "cpus": ray.cluster_resources().get("CPU", 0.0),
            "nodes": sum(1 for node in ray.nodes() if node["Alive"]),
        }


def serve(pipe: Connection) -> None:
    """Answers requests until the pipe is closed."""
    options: DriverOptions = pipe.recv()
    driver = Driver(options)
    pipe.send((0, "ready", None))
    while True:
        if not pipe.poll(LOOK_EVERY):
            driver.check()
            continue
        try:
            number, name, arguments = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send((number, "answer", getattr(driver, name)(*arguments)))
        except ray.exceptions.RayError as error:
            driver.has_doubts = True
            pipe.send((number, "error", str(error)))
        # Who asked has the answer already: this may take its time where the head is away.
        if driver.has_doubts:
            driver.check()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="driver: %(message)s")
    with Connection(int(sys.argv[1])) as own_pipe:
        try:
            serve(own_pipe)
        except (ClusterLost, ConnectionError, ray.exceptions.RayError) as error:
            sys.exit(f"driver: the cluster is lost: {error}")
