"""Experiments of the laboratory over a cluster: the files and records of `ludens-tools lab`.

Games that are not recorded yet are played in portions, each by a Ray task that runs `ludens-tools lab run`
on one core. Records are added as soon as their portion is done, so a run that was killed goes on where it
was. The games of a worker that died are played again once; a game is the same wherever it is played,
unless its budget is time. Every machine needs the program (`cargo install --path tools`), on its PATH or
named by LUDENS_TOOLS.
"""

from __future__ import annotations

import json
import logging
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional

import ray

from .._ludens import LudensError

log = logging.getLogger("ludens.cluster")

#: The games of a portion: few, so that little is lost with a worker.
PORTION = 4


@dataclass(frozen=True)
class Portion:
    """Games of a cell that are played together."""

    cell: int
    path: str
    numbers: List[int]
    #: Whether a worker that had it died.
    is_second: bool = False


def portions(missing: List[Any], size: int = PORTION) -> Iterator[Portion]:
    """Games in portions: of each cell in turn, so that all cells grow."""
    queues = [(cell, path, list(numbers)) for cell, path, numbers in missing]
    while any(numbers for _, _, numbers in queues):
        for cell, path, numbers in queues:
            if numbers:
                yield Portion(cell, path, numbers[:size])
                del numbers[:size]


def tools() -> str:
    """The program of the laboratory on this machine."""
    found = os.environ.get("LUDENS_TOOLS") or shutil.which("ludens-tools")
    if found is None:
        raise LudensError(
            "there is no ludens-tools on this machine: `cargo install --path tools` installs it, "
            "and LUDENS_TOOLS may name it"
        )
    return found


def _run(*arguments: str) -> str:
    """What a command of the laboratory prints."""
    done = subprocess.run([tools(), "lab", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise LudensError(done.stderr.strip() or f"ludens-tools ended with {done.returncode}")
    return done.stdout


def play_portion(name: str, folder: str, text: str, cell: int, numbers: List[int]) -> List[str]:
    """Plays games of an experiment, on one thread: their records as lines of JSON."""
    with tempfile.TemporaryDirectory() as own:
        # Sheets that are named by a path are found from the folder, where this machine has it.
        place = folder if os.access(folder, os.W_OK) else own
        with tempfile.NamedTemporaryFile("w", suffix=".toml", dir=place) as file:
            file.write(text)
            file.flush()
            records = pathlib.Path(own) / "records.jsonl"
            chosen = ",".join(map(str, numbers))
            _run("run", file.name, "--out", str(records), "-j", "1",
                 "--cell", str(cell), "--numbers", chosen)
            lines = records.read_text().splitlines()
    # The experiment is called by its own file, not by the copy.
    compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    return [compact({**json.loads(line), "experiment": name}) for line in lines]


class LabRun:
    """An experiment that is played, with the tasks that are under way."""

    def __init__(self, file: str, records: Optional[str] = None) -> None:
        path = pathlib.Path(file)
        self.text = path.read_text()
        self.name, self.folder = path.stem, str(path.parent.resolve())
        self.records = pathlib.Path(records) if records else path.with_suffix(".jsonl")
        found = json.loads(_run("missing", file, "--records", str(self.records)))
        self.missing = [(row["cell"], row["path"], row["numbers"]) for row in found]
        self.failed: List[Portion] = []
        self.played = 0

    def run(self, at_once: int) -> None:
        """Plays all games that are missing, so many portions at once."""
        task = ray.remote(num_cpus=1, max_retries=0)(play_portion)
        waiting = list(portions(self.missing))
        total = sum(len(portion.numbers) for portion in waiting)
        busy: Dict[Any, Portion] = {}
        with open(self.records, "a") as file:
            self._end_last_line(file)
            while waiting or busy:
                while waiting and len(busy) < at_once:
                    portion = waiting.pop(0)
                    ref = task.remote(
                        self.name, self.folder, self.text, portion.cell, portion.numbers
                    )
                    busy[ref] = portion
                ready, _ = ray.wait(list(busy), num_returns=1)
                for ref in ready:
                    portion = busy.pop(ref)
                    again = self._finish(ref, portion, file)
                    if again is not None:
                        waiting.append(again)
                log.info("%d of %d games", self.played, total)

    def _end_last_line(self, file: Any) -> None:
        """A line that was cut off when a run was killed spoils no other."""
        if file.tell() > 0:
            with open(self.records, "rb") as reader:
                reader.seek(-1, os.SEEK_END)
                if reader.read(1) != b"\n":
                    file.write("\n")

    def _finish(self, ref: Any, portion: Portion, file: Any) -> Optional[Portion]:
        """Records a portion; the same again where its worker died for the first time."""
        try:
            lines = ray.get(ref)
        except ray.exceptions.RayTaskError as error:
            # The rules or the settings are wrong: it would fail anywhere.
            log.warning("%s: %s", portion.path, error.cause)
            self.failed.append(portion)
            return None
        except ray.exceptions.RayError as error:
            log.warning("%s: a worker died: %s", portion.path, str(error).splitlines()[0])
            if portion.is_second:
                self.failed.append(portion)
                return None
            return Portion(portion.cell, portion.path, portion.numbers, is_second=True)
        for line in lines:
            file.write(line + "\n")
        file.flush()
        self.played += len(lines)
        return None


def run_file(file: str, address: Optional[str], workers: int, records: Optional[str] = None) -> int:
    """Plays an experiment; the exit code."""
    run = LabRun(file, records)
    cpus = {} if address else {"num_cpus": workers}
    ray.init(address=address or "local", namespace="ludens", log_to_driver=False,
             logging_level=logging.ERROR, **cpus)
    try:
        run.run(at_once=workers)
    finally:
        ray.shutdown()
    print(f"{run.played} games played, recorded in {run.records}")
    for portion in run.failed:
        games = ", ".join(map(str, portion.numbers))
        print(f"not played: {portion.path}, games {games}", file=sys.stderr)
    return 1 if run.failed else 0
