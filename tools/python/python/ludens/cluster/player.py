"""One match: the answer of the cluster, or that of a player in this process."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Protocol, Tuple

import ludens

from .merge import choose
from .worker import Task, one_thread

log = logging.getLogger("ludens.cluster")


class SearchService(Protocol):
    """What a match asks of a cluster; `Supervisor` is one."""

    def search(self, task: Task, seconds: float, grace: float) -> List[Dict[str, Any]]:
        """The reports of workers that searched for `seconds`."""


@dataclass(frozen=True)
class PlayerOptions:
    """How matches are played."""

    #: The strategy of each worker.
    strategy: str = "uct"
    #: That of the player in this process, whose move is made where the cluster has none in time.
    local: str = "random"
    seed: int = 0
    #: Seconds kept in reserve before every deadline: half for late workers, half for the answer.
    margin: float = 0.5


@dataclass(frozen=True)
class ClusterAnswer:
    """A move, and how it was found."""

    move: str
    #: `cluster`, or where the local move came from.
    origin: str
    workers: int = 0
    simulations: int = 0


class ClusterMatch:
    """One role of one match. Messages are answered one after the other."""

    def __init__(
        self,
        match: str,
        sheet: str,
        role: str,
        cluster: SearchService,
        options: PlayerOptions,
        seconds: float,
    ) -> None:
        """Begins a match, and searches for most of the start clock of so many seconds."""
        end = time.monotonic() + seconds
        self.match, self.sheet, self.role = match, sheet, role
        self.options, self.cluster = options, cluster
        self.answers: List[ClusterAnswer] = []
        self._moves: List[Tuple[str, ...]] = []
        self._threads = ThreadPoolExecutor(4, thread_name_prefix=f"match {match}")
        self._lock = threading.Lock()
        self._last: Optional[Tuple[Optional[List[str]], str]] = None
        # It checks the sheet and the role; what is wrong with them is raised here.
        self._agent = ludens.Agent(
            sheet,
            role,
            options.local,
            # The local player is ready soon, and the rest of the time is for the cluster.
            seconds=min(seconds, 1.0),
            seed=options.seed,
            margin=min(options.margin, seconds / 4),
        )
        try:
            begun = self._ask_cluster(end - time.monotonic())
            begun.result(timeout=max(0.0, end - options.margin / 4 - time.monotonic()))
        except FutureTimeout:
            log.warning("%s: the cluster is not ready yet", match)
        except (ludens.LudensError, OSError) as error:
            log.warning("%s: the cluster failed: %s", match, error)

    def _ask_cluster(self, seconds: float) -> Future:
        """Searches the position, so that the answer is here within so many seconds."""
        margin = min(self.options.margin, seconds / 2)
        task = Task(
            self.match,
            self.sheet,
            one_thread(self.options.strategy),
            self.options.seed,
            tuple(self._moves),
        )
        return self._threads.submit(self.cluster.search, task, seconds - margin, margin / 2)

    def play(self, previous: Optional[List[str]], seconds: float) -> ClusterAnswer:
        """The move to make now, within so many seconds."""
        end = time.monotonic() + seconds
        with self._lock:
            if previous is not None:
                self._moves.append(tuple(previous))
            margin = min(self.options.margin, seconds / 2)
            local = self._threads.submit(self._agent.play, previous, seconds - margin / 4)
            cluster = self._ask_cluster(seconds)
            found = self._cluster_answer(cluster, end - margin / 4)
            answer = found or self._local_answer(local, end)
            self.answers.append(answer)
            return answer

    def _cluster_answer(self, cluster: Future, end: float) -> Optional[ClusterAnswer]:
        try:
            reports = cluster.result(timeout=max(0.0, end - time.monotonic()))
        except FutureTimeout:
            log.warning("%s: the cluster is late", self.match)
            return None
        except (ludens.LudensError, OSError) as error:
            log.warning("%s: the cluster failed: %s", self.match, error)
            return None
        role = self.role.lower()
        own = [report["moves"].get(role, []) for report in reports]
        move = choose(own)
        if move is None:
            return None
        position = self._agent.position(max(0.0, end - time.monotonic()))
        legal = {text.lower() for text in position["legal"]} if position else None
        if legal is not None and move.lower() not in legal:
            log.warning("%s: the cluster's move %s is not legal", self.match, move)
            return None
        simulations = sum(report["simulations"] for report in reports)
        return ClusterAnswer(move, "cluster", sum(1 for rows in own if rows), simulations)

    def _local_answer(self, local: Future, end: float) -> ClusterAnswer:
        text, origin, report = local.result(timeout=max(0.1, end - time.monotonic()))
        log.warning("%s: the cluster has no answer; a local move is made", self.match)
        return ClusterAnswer(text, origin, 0, report.simulations if report else 0)

    def stop(self) -> None:
        """Ends the match."""
        self._agent.stop()
        self._threads.shutdown(wait=False)
