"""Playouts by a policy of your own.

Weights that do not depend on the state are fastest as `Game.playouts(n, weights=...)`: the choice is
made in the lanes. A policy that looks at states is a function of a `Batch`, called once for each step
of all games. It returns actions, or weights of moves by role:

    >>> import ludens, ludens.policy
    >>> game = ludens.load("tic_tac_toe")
    >>> def centre_first(batch):
    ...     return {role: [100 if move == "(mark 2 2)" else 1 for move in game.moves(role)]
    ...             for role in game.roles}
    >>> found = ludens.policy.playouts(game, 1000, centre_first)
    >>> found.mean_goals["x"] > 60
    True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt

from ._ludens import Batch, Game, State

Weights = Mapping[Union[str, int], npt.ArrayLike]
#: From all games at once to actions (games x roles), or to weights of moves by role.
Policy = Callable[[Batch], Union[npt.NDArray[np.integer], Weights]]


@dataclass(frozen=True)
class PolicyPlayouts:
    """The totals of playouts by a policy."""

    playouts: int
    steps: int
    unfinished: int
    mean_goals: Dict[str, Optional[float]]

    @property
    def mean_length(self) -> Optional[float]:
        """The mean number of joint moves; None without playouts."""
        return self.steps / self.playouts if self.playouts else None


def choose(batch: Batch, weights: Weights, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Actions in proportion to weights: for each role an array of its moves, or of games x moves.

    Where the weights of all legal moves are 0, and for roles without weights, each legal move is as
    likely as the others. The other roles' actions are those of `Batch.random_actions`.
    """
    actions = batch.random_actions()
    roles = batch.game.roles
    for role, given in weights.items():
        at = role if isinstance(role, int) else roles.index(role.lower())
        legal = batch.legal(at)
        values = np.asarray(given, dtype=np.float64)
        if not (np.isfinite(values).all() and (values >= 0).all()):
            raise ValueError(f"weights of {roles[at]} have to be finite, and at least 0")
        chances = np.where(legal, np.broadcast_to(values, legal.shape), 0.0)
        sums = chances.cumsum(axis=1)
        total = sums[:, -1]
        # The first move up to which the sum is above a random part of the whole.
        part = rng.random(len(batch)) * total
        chosen = (sums > part[:, None]).argmax(axis=1)
        actions[:, at] = np.where(total > 0, chosen, actions[:, at])
    return actions


def playouts(
    game: Game,
    n: int,
    policy: Policy,
    seed: int = 0,
    from_state: Optional[State] = None,
    batch: int = 1024,
    max_steps: int = 10_000,
) -> PolicyPlayouts:
    """Plays `n` playouts in which `policy` chooses, `batch` of them side by side.

    All playouts of a batch begin together, and the next batch begins when all have ended: counting
    those that end first would prefer short ones.
    """
    if n < 0 or batch < 1:
        raise ValueError("n has to be at least 0, and batch at least 1")
    rng = np.random.default_rng(seed)
    start = game.initial() if from_state is None else from_state
    roles = game.roles
    steps = ended = 0
    sums, counts = np.zeros(len(roles)), np.zeros(len(roles), dtype=int)
    for first in range(0, n, batch):
        size = min(batch, n - first)
        games = game.batch([start] * size, seed=seed + first, max_steps=max_steps)
        while True:
            playing = int((~games.over).sum())
            if playing == 0:
                break
            answer = policy(games)
            chosen = choose(games, answer, rng) if isinstance(answer, Mapping) else answer
            games.step(chosen)
            steps += playing
            ended += int(games.terminal.sum())
            goals = games.goals
            known = ~np.isnan(goals)
            sums += np.where(known, goals, 0.0).sum(axis=0)
            counts += known.sum(axis=0)
    means = {
        role: float(total / count) if count else None
        for role, total, count in zip(roles, sums, counts)
    }
    return PolicyPlayouts(n, steps, n - ended, means)
