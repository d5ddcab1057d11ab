"""The process that talks to Ray: `python -m ludens.cluster.driver FD`.

It reads requests from a pipe and writes answers to it. It may die or hang with the cluster; the
supervisor then starts another one.
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
        self.pool = WorkerPool(options.workers, options.patience)

    def search(self, task: Task, seconds: float, grace: float) -> List[Dict[str, Any]]:
        """The reports of all workers that answer in time."""
        if self.options.mode == "leaf":
            return [self._search_leaves(task, seconds)]
        return self.pool.search(task, seconds, grace)

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
        try:
            number, name, arguments = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send((number, "answer", getattr(driver, name)(*arguments)))
        except ray.exceptions.RayError as error:
            pipe.send((number, "error", str(error)))


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="driver: %(message)s")
    with Connection(int(sys.argv[1])) as own_pipe:
        serve(own_pipe)
