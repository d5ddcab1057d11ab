"""Two workers against one at equal time: are merged root statistics stronger?

    python tools/python/benchmarks/strength.py breakthrough --games 200 --milliseconds 20
    python tools/python/benchmarks/strength.py breakthrough --games 200 --simulations 4000

With `--milliseconds`, both sides are workers of a local Ray cluster, and need a free core for each. They
move in turn, so a side has the machine for itself while it searches. With `--simulations`, each worker
makes so many for each move: what a core of its own makes in a fixed time. They run one after the other
without Ray, so neither the load nor the cores of the machine change the result.

Roles are swapped in every other game. Each game is a line of JSON in `--out`; a run that was interrupted
goes on with the games that are missing. The interval is Wilson's, of 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random

import ludens
from ludens.cluster.merge import choose
from ludens.cluster.worker import SearchWorker, Task


def wilson(points, games):
    """The interval of a share."""
    share, z = points / games, 1.96
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    half /= 1 + z * z / games
    return centre - half, centre + half


def in_cluster(counts, seconds):
    """Asks the workers of a side at once, each in an actor, to search for a time."""
    import ray

    ray.init(num_cpus=sum(counts), include_dashboard=False, log_to_driver=False)
    actor = ray.remote(num_cpus=1)(SearchWorker)
    numbers = iter(range(1, 100))
    sides = [[actor.remote(next(numbers)) for _ in range(count)] for count in counts]
    return lambda side, task: ray.get(
        [worker.search.remote(task, seconds) for worker in sides[side]]
    )


def one_after_the_other(counts, simulations):
    """Asks the workers of a side one after the other to make a number of simulations."""
    numbers = iter(range(1, 100))
    sides = [[SearchWorker(next(numbers)) for _ in range(count)] for count in counts]
    return lambda side, task: [
        worker.search(task, 3600.0, simulations) for worker in sides[side]
    ]


def play(game, ask, number, strategy, openings):
    """The points of the first side, the larger one."""
    rng = random.Random(number // 2)
    state, moves = game.initial(), []
    own = number % 2
    while not state.terminal:
        legal = {role: state.legal(role) for role in game.roles}
        choosing = [at for at, role in enumerate(game.roles) if len(legal[role]) > 1]
        joint = [legal[role][0] for role in game.roles]
        for at in choosing:
            role = game.roles[at]
            if len(moves) < openings:
                # The same random opening for both games of a pair.
                joint[at] = rng.choice(legal[role])
                continue
            task = Task(f"{number}", game.sheet, strategy, number, tuple(moves))
            reports = ask(0 if at == own else 1, task)
            joint[at] = choose([report["moves"][role] for report in reports]) or joint[at]
        moves.append(tuple(joint))
        state = state.step(joint)
    goals = list(state.goals.values())
    return {"game": number, "goals": goals, "length": len(moves),
            "points": 0.5 if goals[own] == goals[1 - own] else float(goals[own] > goals[1 - own])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=200)
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--milliseconds", type=float, default=20.0, help="of each search, on a cluster")
    budget.add_argument("--simulations", type=int, help="of each worker for each move, without one")
    parser.add_argument("--strategy", default="uct:threads=1:memory=64")
    parser.add_argument("--workers", type=int, nargs=2, default=[2, 1])
    parser.add_argument("--openings", type=int, default=2, help="random joint moves at the start")
    parser.add_argument("--out", required=True, help="the file of records")
    options = parser.parse_args()
    game = ludens.load(options.game)
    if options.simulations:
        ask, budget = one_after_the_other(options.workers, options.simulations), "simulations"
    else:
        ask, budget = in_cluster(options.workers, options.milliseconds / 1000), "milliseconds"
    played = {}
    if os.path.exists(options.out):
        with open(options.out) as file:
            played = {record["game"]: record for record in map(json.loads, file)}
    with open(options.out, "a") as file:
        for number in range(options.games):
            if number not in played:
                played[number] = play(game, ask, number, options.strategy, options.openings)
                print(json.dumps(played[number]), file=file, flush=True)
    points = sum(record["points"] for record in played.values())
    low, high = wilson(points, len(played))
    print(
        f"{options.game}: {options.workers[0]} workers against {options.workers[1]}, "
        f"{getattr(options, budget):.0f} {budget} a move, {len(played)} games: "
        f"{100 * points / len(played):.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    )


if __name__ == "__main__":
    main()
