"""The workers of a cluster: asked together within a time, and replaced where they die or hang."""

from __future__ import annotations

import logging
import os
import signal
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Tuple

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from .worker import SearchWorker, Task

log = logging.getLogger("ludens.cluster")

#: A worker that is this much later than it was asked to be is replaced.
PATIENCE = 5.0


class ActorWorker(SearchWorker):
    """A worker that says where it is."""

    def place(self) -> Tuple[str, int]:
        """Its node, and its process there."""
        return ray.get_runtime_context().get_node_id(), os.getpid()


def end_process(process: int) -> None:
    """Ends a process of this machine: one that hangs takes no message to do it itself."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


@dataclass
class Slot:
    """A place for a worker, and what it is doing."""

    number: int
    actor: Any
    #: The call that says where it is.
    place: Any
    #: The call under way, and until when it should have ended.
    pending: Any = None
    due: float = 0.0
    #: Whether it has ever answered: a new actor may have to wait for a free core.
    has_answered: bool = field(default=False)


class WorkerPool:
    """A number of actors. One call at a time is under way in each, so that none has a backlog."""

    def __init__(self, workers: int, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.replaced = 0
        self._remote = ray.remote(num_cpus=1, max_restarts=0)(ActorWorker)
        self._end_process = ray.remote(num_cpus=0, max_retries=0)(end_process)
        self._numbers = 0
        self.slots = [self._new_slot() for _ in range(workers)]

    def _new_slot(self) -> Slot:
        self._numbers += 1
        # Any node may take it. Without a name: a former actor of the same place may linger.
        actor = self._remote.options(scheduling_strategy="SPREAD").remote(self._numbers)
        return Slot(self._numbers, actor, actor.place.remote())

    def search(self, task: Task, seconds: float, grace: float) -> List[Dict[str, Any]]:
        """The reports of the workers that searched this position for so long, and answered within
        the grace time after that."""
        call = lambda slot: slot.actor.search.remote(task, seconds)  # noqa: E731
        reports = self.ask(call, seconds, grace)
        fresh = [
            report
            for report in reports
            if (report["match"], report["step"]) == (task.match, len(task.moves))
        ]
        # New workers come to the position now, so that they are there when the next move is due.
        for slot in self.slots:
            if slot.pending is None and not slot.has_answered:
                self.begin(slot, slot.actor.search.remote(task, 0.0), 0.0)
        return fresh

    def ask(
        self, call: Callable[[Slot], Any], seconds: float, grace: float
    ) -> List[Dict[str, Any]]:
        """Calls all workers that are free, and returns the answers that come in time."""
        self.tidy()
        asked = [slot for slot in self.slots if slot.pending is None]
        for slot in asked:
            self.begin(slot, call(slot), seconds)
        if not asked:
            return []
        refs = [slot.pending for slot in asked]
        ready, _ = ray.wait(refs, num_returns=len(refs), timeout=seconds + grace)
        done = set(ready)
        answers = [self.finish(slot) for slot in asked if slot.pending in done]
        return [answer for answer in answers if answer is not None]

    def begin(self, slot: Slot, ref: Any, seconds: float) -> None:
        """Notes a call that should take so long."""
        slot.pending, slot.due = ref, time.monotonic() + seconds

    def finish(self, slot: Slot) -> Optional[Any]:
        """The answer of a call that is ready; None where it failed."""
        ref, slot.pending = slot.pending, None
        try:
            answer = ray.get(ref, timeout=1.0)
        except ray.exceptions.RayTaskError as error:
            # The worker lives, and its work failed: another one would fail as well.
            log.warning("worker %d: %s", slot.number, error.cause)
            return None
        except (ray.exceptions.RayError, ray.exceptions.GetTimeoutError) as error:
            self._replace(slot, str(error).splitlines()[0])
            return None
        slot.has_answered = True
        return answer

    def tidy(self) -> None:
        """Collects what came too late, and replaces what is dead or hangs."""
        for slot in list(self.slots):
            if slot.pending is None:
                continue
            ready, _ = ray.wait([slot.pending], timeout=0)
            if ready:
                self.finish(slot)
            elif slot.has_answered and time.monotonic() > slot.due + self.patience:
                self._replace(slot, "it does not answer")

    def _replace(self, slot: Slot, why: str) -> None:
        log.warning("worker %d is replaced: %s", slot.number, why)
        self.replaced += 1
        try:
            ray.kill(slot.actor)
        except (ray.exceptions.RayError, ValueError) as error:
            log.debug("worker %d was gone already: %s", slot.number, error)
        self._end_at_place(slot)
        self.slots[self.slots.index(slot)] = self._new_slot()

    def _end_at_place(self, slot: Slot) -> None:
        """Ends the process of a worker where it runs: its core is free only then."""
        try:
            node, process = ray.get(slot.place, timeout=0.1)
            here = NodeAffinitySchedulingStrategy(node, soft=False)
            self._end_process.options(scheduling_strategy=here).remote(process)
        except (ray.exceptions.RayError, ray.exceptions.GetTimeoutError) as error:
            log.debug("worker %d is nowhere any more: %s", slot.number, error)

    def places(self) -> List[Tuple[str, int]]:
        """The node and the process of each worker."""
        return ray.get([slot.place for slot in self.slots], timeout=5.0)

    def close(self) -> None:
        """Ends all workers."""
        for slot in self.slots:
            ray.kill(slot.actor)
        self.slots = []
