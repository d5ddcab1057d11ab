"""What a worker does: it follows a match with a search of its own, or plays playouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import ludens


@dataclass(frozen=True)
class Task:
    """A position of a match, and how it is searched."""

    match: str
    sheet: str
    strategy: str
    seed: int
    #: The joint moves made so far: how any worker finds the position by itself.
    moves: Tuple[Tuple[str, ...], ...] = ()


class SearchWorker:
    """A search that goes on through a match. Lives in a Ray actor; needs nothing of Ray."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._task: Optional[Task] = None
        self._search: Optional[ludens.Search] = None
        self._games: Dict[str, ludens.Game] = {}

    def search(
        self, task: Task, seconds: float, simulations: Optional[int] = None
    ) -> Dict[str, Any]:
        """Comes to the position of the task, and searches there for a time, or until it has made so
        many simulations."""
        search = self._come_to(task)
        report: Dict[str, Any] = {
            "worker": self.number,
            "match": task.match,
            "step": len(task.moves),
            "simulations": 0,
            "seconds": 0.0,
            "moves": {},
        }
        if search.over or seconds <= 0:
            return report
        found = search.run(simulations, seconds)
        report.update(simulations=found.simulations, seconds=found.seconds, moves=found.moves)
        return report

    def playouts(self, sheet: str, leaves: List[Tuple[List[str], int, int]]) -> List[List[float]]:
        """Plays from states, each given by its sentences, a number of playouts and a seed: the mean
        goal of each role, 50 where the playouts gave it none."""
        game = self._game(sheet)
        means = []
        for sentences, number, seed in leaves:
            state = game.state(sentences)
            found = game.playouts(number, seed=seed, from_state=state, threads=1)
            goals = found.mean_goals.values()
            means.append([50.0 if goal is None else goal for goal in goals])
        return means

    def _come_to(self, task: Task) -> ludens.Search:
        known = self._task
        is_ahead = (
            known is not None
            and (known.match, known.sheet, known.strategy)
            == (task.match, task.sheet, task.strategy)
            and task.moves[: len(known.moves)] == known.moves
        )
        if is_ahead and known is not None and self._search is not None:
            search, made = self._search, len(known.moves)
        else:
            # Each worker has a seed of its own: equal searches would learn nothing from each other.
            seed = task.seed * 1009 + self.number
            search, made = ludens.Search(self._game(task.sheet), task.strategy, seed=seed), 0
        # A joint move that cannot be made leaves no search that is half way there.
        self._task, self._search = None, None
        for joint in task.moves[made:]:
            search.advance(list(joint))
        self._task, self._search = task, search
        return search

    def _game(self, sheet: str) -> ludens.Game:
        if sheet not in self._games:
            # One match after the other: the games of former ones are not kept.
            self._games.clear()
            self._games[sheet] = ludens.load(sheet)
        return self._games[sheet]


def one_thread(strategy: str) -> str:
    """The strategy on one thread, unless it says how many: a worker has one core."""
    return strategy if "threads=" in strategy else f"{strategy}:threads=1"
