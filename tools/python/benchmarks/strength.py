"""Two workers against one at equal time: are merged root statistics stronger?

    python tools/python/benchmarks/strength.py breakthrough --games 200 --milliseconds 20

Both sides are workers of a local cluster. They move in turn, so a side has the machine for itself while
it searches. Roles are swapped in every other game. Each game is a line of JSON in `--out`; a run that
was interrupted goes on with the games that are missing. The interval is Wilson's, of 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random

import ludens
import ray
from ludens.cluster.merge import choose
from ludens.cluster.worker import SearchWorker, Task


def wilson(points, games):
    """The interval of a share."""
    share, z = points / games, 1.96
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    half /= 1 + z * z / games
    return centre - half, centre + half


def play(game, sides, number, seconds, strategy, openings):
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
            side = sides[0] if at == own else sides[1]
            task = Task(f"{number}", game.sheet, strategy, number, tuple(moves))
            refs = [worker.search.remote(task, seconds) for worker in side]
            reports = ray.get(refs)
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
    parser.add_argument("--milliseconds", type=float, default=20.0)
    parser.add_argument("--strategy", default="uct:threads=1:memory=64")
    parser.add_argument("--workers", type=int, nargs=2, default=[2, 1])
    parser.add_argument("--openings", type=int, default=2, help="random joint moves at the start")
    parser.add_argument("--out", required=True, help="the file of records")
    options = parser.parse_args()
    game = ludens.load(options.game)
    ray.init(num_cpus=sum(options.workers), include_dashboard=False, log_to_driver=False)
    actor = ray.remote(num_cpus=1)(SearchWorker)
    numbers = iter(range(1, 100))
    sides = [[actor.remote(next(numbers)) for _ in range(count)] for count in options.workers]
    played = {}
    if os.path.exists(options.out):
        with open(options.out) as file:
            played = {record["game"]: record for record in map(json.loads, file)}
    with open(options.out, "a") as file:
        for number in range(options.games):
            if number not in played:
                seconds = options.milliseconds / 1000
                played[number] = play(
                    game, sides, number, seconds, options.strategy, options.openings
                )
                print(json.dumps(played[number]), file=file, flush=True)
    points = sum(record["points"] for record in played.values())
    low, high = wilson(points, len(played))
    print(
        f"{options.game}: {options.workers[0]} workers against {options.workers[1]}, "
        f"{options.milliseconds:.0f} ms a move, {len(played)} games: "
        f"{100 * points / len(played):.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    )


if __name__ == "__main__":
    main()
