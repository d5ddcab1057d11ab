"""How a cluster scales: simulations a second of 1, 2 and 4 workers, and the time of merging.

    python tools/python/benchmarks/scaling.py [--game breakthrough] [--seconds 1] [--address HOST:PORT]

All workers search the same position. `rate` is that of all together; `overhead` is the time of an
answer beyond the time of the search. The rates are then carried forward: with n workers on cores of
their own, an answer costs the slowest message and n merges.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

import ludens
from ludens.cluster.driver_options import DriverOptions
from ludens.cluster.merge import merge
from ludens.cluster.supervisor import Supervisor
from ludens.cluster.worker import Task


def merge_seconds(rows, workers):
    """How long it takes to merge the reports of so many workers."""
    start = time.perf_counter()
    merge([rows] * workers)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="breakthrough")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--address")
    parser.add_argument("--json")
    options = parser.parse_args()
    game = ludens.load(options.game)
    task = Task("scaling", game.sheet, "uct:threads=1:memory=256", 1)
    measured, rows = [], []
    for workers in options.workers:
        cluster = Supervisor(DriverOptions(options.address, workers, cpus=workers))
        cluster.wait_until_ready(120)
        while len(cluster.search(task, 0.1, 30.0)) < workers:
            pass
        rates, overheads = [], []
        for _ in range(options.repeat):
            start = time.perf_counter()
            reports = cluster.search(task, options.seconds, 30.0)
            overheads.append(time.perf_counter() - start - options.seconds)
            rates.append(sum(report["simulations"] for report in reports) / options.seconds)
        rows = reports[0]["moves"][game.roles[0]]
        measured.append(
            {
                "workers": workers,
                "rate": statistics.median(rates),
                "overhead": statistics.median(overheads),
            }
        )
        print(measured[-1], flush=True)
        cluster.close()
    single = measured[0]["rate"]
    message = min(row["overhead"] for row in measured)
    simulated = []
    for workers in (8, 16, 40, 100, 400, 1000):
        cost = message + merge_seconds(rows, workers)
        share = max(0.0, 1.0 - cost / options.seconds)
        simulated.append({"workers": workers, "rate": workers * single * share, "overhead": cost})
        print("simulated", simulated[-1])
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"game": options.game, "seconds": options.seconds,
                       "measured": measured, "simulated": simulated}, file, indent=1)


if __name__ == "__main__":
    main()
