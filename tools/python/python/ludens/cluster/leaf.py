"""Leaf-parallel search: one tree here, playouts on the workers.

Section 3.3.6 of Finnsson's thesis, after Cazenave and Jouandeau 2007: the master descends to a leaf and
has a client play several playouts from there. While it waits, further leaves are chosen, with a
virtual loss on the way to those that are under way. It is here for comparison: the master and the
messages are the bottleneck, and `sizing.md` has the figures.
"""

from __future__ import annotations

import math
import time
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import ludens

#: Leaves that are sent to a worker at once, and playouts from each.
LEAVES, PLAYOUTS = 8, 64
#: The weight of exploration, for goals from 0 to 100.
EXPLORATION = 40.0


class Node:
    """A state, with what is known about the moves of each role (decoupled UCT)."""

    __slots__ = ("state", "over", "goals", "moves", "visits", "totals", "children")

    def __init__(self, state: ludens.State) -> None:
        self.state = state
        self.over = state.terminal
        roles = state.game.roles
        self.goals = [float(goal or 0) for goal in state.goals.values()] if self.over else []
        self.moves = [] if self.over else [state.legal(role) for role in roles]
        self.visits = [[0.0] * len(moves) for moves in self.moves]
        self.totals = [[0.0] * len(moves) for moves in self.moves]
        self.children: Dict[Tuple[int, ...], Node] = {}

    def select(self) -> Tuple[int, ...]:
        """The most promising joint move: each role by UCB1 on its own moves."""
        return tuple(
            self._best(visits, totals) for visits, totals in zip(self.visits, self.totals)
        )

    @staticmethod
    def _best(visits: Sequence[float], totals: Sequence[float]) -> int:
        if 0.0 in visits:
            return list(visits).index(0.0)
        log = math.log(sum(visits))

        def upper(at: int) -> float:
            return totals[at] / visits[at] + EXPLORATION * math.sqrt(log / visits[at])

        return max(range(len(visits)), key=upper)

    def child(self, joint: Tuple[int, ...]) -> Node:
        """The state after a joint move."""
        if joint not in self.children:
            texts = [moves[at] for moves, at in zip(self.moves, joint)]
            self.children[joint] = Node(self.state.step(texts))
        return self.children[joint]


Path = List[Tuple[Node, Tuple[int, ...]]]
#: Leaves to play from: sentences, a number of playouts and a seed.
Leaves = List[Tuple[List[str], int, int]]


class LeafSearch:
    """A tree whose playouts others make."""

    def __init__(self, state: ludens.State, seed: int = 0) -> None:
        self.root = Node(state)
        self.playouts = 0
        self._seed = seed

    def descend(self) -> Tuple[Path, Node]:
        """The way to a new leaf, or to the end of the game. It counts as lost until it is known."""
        path: Path = []
        node = self.root
        while not node.over:
            joint = node.select()
            path.append((node, joint))
            is_new = joint not in node.children
            for role, at in enumerate(joint):
                node.visits[role][at] += PLAYOUTS
            node = node.child(joint)
            if is_new:
                break
        return path, node

    def back_up(self, path: Path, goals: Sequence[float]) -> None:
        """Adds the mean goals of a leaf's playouts. Its visits were counted on the way down."""
        self.playouts += PLAYOUTS
        for node, joint in path:
            for role, at in enumerate(joint):
                node.totals[role][at] += PLAYOUTS * goals[role]

    def collect(self) -> Tuple[List[Path], Leaves]:
        """The next leaves for a worker. What ends in the tree is backed up at once."""
        paths: List[Path] = []
        leaves: Leaves = []
        for _ in range(LEAVES):
            path, node = self.descend()
            if node.over:
                self.back_up(path, node.goals)
                continue
            self._seed += 1
            paths.append(path)
            leaves.append((node.state.sentences, PLAYOUTS, self._seed))
        return paths, leaves

    def moves(self) -> Dict[str, List[Dict[str, Any]]]:
        """What is known at the root, as `Report.moves` has it."""
        roles = self.root.state.game.roles
        rows = {}
        for role, name in enumerate(roles if self.root.moves else []):
            stats = zip(self.root.moves[role], self.root.visits[role], self.root.totals[role])
            rows[name] = [
                {"move": move, "visits": visits, "value": total / visits if visits else None}
                for move, visits, total in stats
            ]
        return rows


def run(
    search: LeafSearch,
    send: Sequence[Callable[[Leaves], Any]],
    wait: Callable[[List[Any], float], List[Any]],
    get: Callable[[Any], Optional[List[List[float]]]],
    seconds: float,
) -> None:
    """Searches for a time. `send` has a function for each worker, `wait` returns those of some calls
    that are ready within a time, and `get` the answer of one, or None where it failed."""
    end = time.monotonic() + seconds
    busy: Dict[Any, Tuple[int, List[Path]]] = {}
    free = list(range(len(send)))
    while time.monotonic() < end and not search.root.over:
        while free:
            paths, leaves = search.collect()
            if not leaves:
                break
            worker = free.pop()
            busy[send[worker](leaves)] = (worker, paths)
        if not busy:
            continue
        for call in wait(list(busy), max(0.0, end - time.monotonic())):
            worker, paths = busy.pop(call)
            goals = get(call)
            # A worker that failed is not asked again in this search.
            if goals is not None:
                free.append(worker)
                for path, means in zip(paths, goals):
                    search.back_up(path, means)
        if not busy and not free:
            break
