"""Keeps a driver running, and asks it within a time.

Nothing here waits for Ray: a request that is not answered in time has no answer, and a driver that is
dead or silent for long is replaced by a new process in the background.
"""

from __future__ import annotations

import logging
import multiprocessing
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any, Dict, List, Optional

from .driver_options import DriverOptions
from .worker import Task

log = logging.getLogger("ludens.cluster")

#: A driver that owes an answer for so long is taken for dead, in seconds after it was due.
SILENCE = 20.0
#: A driver that has no cluster after so long is started again, in seconds.
STARTUP = 180.0
#: The time between two drivers that failed at once.
PAUSE = 2.0


class Supervisor:
    """A driver in a process of its own."""

    def __init__(self, options: DriverOptions, silence: float = SILENCE) -> None:
        self.options = options
        self.silence = silence
        self.starts = 0
        self._lock = threading.Lock()
        self._answers = threading.Condition()
        self._known: Dict[int, Any] = {}
        self._owed: Dict[int, float] = {}
        self._numbers = 0
        self._process: Optional[subprocess.Popen] = None
        self._pipe: Optional[Connection] = None
        self._ready = threading.Event()
        self._closed = False
        self._keeper = threading.Thread(target=self._keep, name="cluster", daemon=True)
        self._keeper.start()

    def wait_until_ready(self, seconds: float) -> bool:
        """Whether a driver has its workers, after waiting for it for a time."""
        return self._ready.wait(seconds)

    def search(self, task: Task, seconds: float, grace: float) -> List[Dict[str, Any]]:
        """The reports of workers that searched for `seconds`; none where the cluster is not there,
        or does not answer within the grace time."""
        answer = self._ask("search", (task, seconds, grace / 2), seconds + grace)
        return answer or []

    def status(self, seconds: float = 5.0) -> Optional[Dict[str, Any]]:
        """What the cluster looks like, if it says so in time."""
        return self._ask("status", (), seconds)

    def places(self, seconds: float = 10.0) -> List[Any]:
        """The node and the process of each worker, as far as the cluster says so in time."""
        return self._ask("places", (), seconds) or []

    def _ask(self, name: str, arguments: Any, seconds: float) -> Any:
        end = time.monotonic() + seconds
        if not self._ready.is_set():
            # A driver that comes up in time is still of use; the time may not be exceeded.
            self._ready.wait(max(0.0, seconds))
        with self._lock:
            pipe = self._pipe
            if pipe is None or not self._ready.is_set():
                return None
            self._numbers += 1
            number = self._numbers
            self._owed[number] = end
            try:
                pipe.send((number, name, arguments))
            except (OSError, ValueError):
                self._owed.pop(number, None)
                return None
        with self._answers:
            while number not in self._known:
                left = end - time.monotonic()
                if left <= 0 or not self._answers.wait(left):
                    return None
            return self._known.pop(number)

    def _keep(self) -> None:
        """Starts drivers, one after the other."""
        while not self._closed:
            try:
                self._start()
                self._listen()
            except (OSError, EOFError) as error:
                log.warning("the driver of the cluster has ended: %s", error or "its pipe is closed")
            self._end()
            if not self._closed:
                time.sleep(PAUSE)

    def _start(self) -> None:
        own, other = multiprocessing.Pipe()
        with other:
            process = subprocess.Popen(
                [sys.executable, "-m", "ludens.cluster.driver", str(other.fileno())],
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        with self._lock:
            self._process, self._pipe = process, own
            self.starts += 1
        own.send(self.options)

    def _listen(self) -> None:
        pipe = self._pipe
        assert pipe is not None, "the driver was started by this thread"
        until = time.monotonic() + STARTUP
        while not self._closed:
            if pipe.poll(0.2):
                number, kind, answer = pipe.recv()
                self._owed.pop(number, None)
                if kind == "ready":
                    self._ready.set()
                    continue
                if kind == "error":
                    log.warning("the cluster failed: %s", answer)
                    answer = None
                with self._answers:
                    # Who waited for an older answer is gone.
                    for old in [known for known in self._known if known < number - 8]:
                        del self._known[old]
                    self._known[number] = answer
                    self._answers.notify_all()
            now = time.monotonic()
            if not self._ready.is_set() and now > until:
                raise OSError(f"it has found no cluster in {STARTUP} s")
            if any(now > due + self.silence for due in list(self._owed.values())):
                raise OSError(f"it has not answered for {self.silence} s")

    def _end(self) -> None:
        self._ready.clear()
        with self._lock:
            process, self._process = self._process, None
            pipe, self._pipe = self._pipe, None
            self._owed.clear()
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.wait()

    def close(self) -> None:
        """Ends the driver, and with it the workers."""
        self._closed = True
        self._keeper.join(timeout=5.0)
        self._end()
