"""Root statistics of several searches, added up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Dict, Iterable, List, Mapping, Optional

#: Goals of GDL are from 0 to 100: what is known of a move before anything is proven.
LOWEST, HIGHEST = 0.0, 100.0


@dataclass(frozen=True)
class MoveStats:
    """What searches know about a move."""

    move: str
    visits: float = 0.0
    total: float = 0.0
    #: The highest score; only in games for one role.
    best: Optional[float] = None
    #: Its value is proven to be between these.
    low: float = LOWEST
    high: float = HIGHEST

    @property
    def value(self) -> Optional[float]:
        """The mean score; None if it was never tried."""
        return self.total / self.visits if self.visits else None

    def plus(self, other: MoveStats) -> MoveStats:
        """The sum with what another search knows about the same move. What one has proven holds."""
        known = [best for best in (self.best, other.best) if best is not None]
        return replace(
            self,
            visits=self.visits + other.visits,
            total=self.total + other.total,
            best=max(known) if known else None,
            low=max(self.low, other.low),
            high=min(self.high, other.high),
        )


def read(row: Mapping[str, Any]) -> MoveStats:
    """The statistics of a row of `Report.moves`."""
    visits = float(row["visits"])
    bounds = row.get("bounds") or (LOWEST, HIGHEST)
    low, high = (float(bound) for bound in bounds)
    return MoveStats(
        row["move"], visits, visits * (row["value"] or 0.0), row.get("best"), low, high
    )


def merge(reports: Iterable[Iterable[Mapping[str, Any]]]) -> List[MoveStats]:
    """Adds up what searches know about the moves of a role; the most promising first.

    A move whose value cannot be above what another one is sure to have comes last. Then the highest
    score counts in a game for one role, and otherwise the mean, as in a single search.
    """
    sums: Dict[str, MoveStats] = {}
    for rows in reports:
        for row in rows:
            stats = read(row)
            known = sums.get(stats.move)
            sums[stats.move] = stats if known is None else known.plus(stats)
    surest = max((stats.low for stats in sums.values()), default=LOWEST)

    def rank(stats: MoveStats) -> Any:
        is_beaten = stats.high <= surest and stats.low < surest
        value = stats.value if stats.value is not None else -1.0
        value = min(max(value, stats.low), stats.high)
        best = stats.best if stats.best is not None else -1.0
        return (is_beaten, -best, -value, -stats.visits, stats.move)

    return sorted(sums.values(), key=rank)


def choose(reports: Iterable[Iterable[Mapping[str, Any]]]) -> Optional[str]:
    """The most promising move; None where no search knows one."""
    ranked = merge(reports)
    return ranked[0].move if ranked else None
