"""Games as a Gymnasium vector environment: one role learns, the others play as you say."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple, Union

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from ._ludens import Batch, Game, load

Opponents = Callable[[Batch], npt.NDArray[np.integer]]


class LudensVectorEnv(gymnasium.vector.VectorEnv):
    """Many games side by side, stepped in one call.

    The agent plays `role`. All roles move in each step; where it is another's turn, the agent's only
    legal action is to wait. `infos["action_mask"]` says what is legal; an action that is not raises
    `ludens.PlayError`. The others play at random, or as `opponents` says: a function from the batch to
    actions (games x roles), of which the agent's column is not used.

    The reward is the goal of the role, from 0 to 1, in the step that ends its game. Games start anew
    within that step (`AutoresetMode.SAME_STEP`).
    """

    metadata: Dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}

    def __init__(
        self,
        game: Union[Game, str],
        num_envs: int = 1024,
        role: Union[str, int] = 0,
        opponents: Optional[Opponents] = None,
        seed: int = 0,
        max_steps: Optional[int] = None,
        threads: int = 1,
        render_mode: Optional[str] = None,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.num_envs = num_envs
        self.role = role if isinstance(role, int) else self.game.roles.index(role.lower())
        self.render_mode = render_mode
        self._opponents = opponents
        self._options = {"autoreset": True, "max_steps": max_steps, "threads": threads}
        self._batch = self.game.batch(num_envs, seed=seed, **self._options)
        self.single_observation_space = gymnasium.spaces.MultiBinary(len(self.game.fluents))
        self.single_action_space = gymnasium.spaces.Discrete(len(self.game.moves(self.role)))
        batch_space = gymnasium.vector.utils.batch_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def batch(self) -> Batch:
        """The games, for what this interface does not show."""
        return self._batch

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[npt.NDArray[np.int8], Dict[str, Any]]:
        """Starts all games anew, or those of `options["reset_mask"]`."""
        mask = (options or {}).get("reset_mask")
        if seed is not None and mask is None:
            self._batch = self.game.batch(self.num_envs, seed=seed, **self._options)
        else:
            self._batch.reset(mask)
        return self._observations(), self._infos()

    def step(
        self, actions: npt.NDArray[np.integer]
    ) -> Tuple[
        npt.NDArray[np.int8],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        Dict[str, Any],
    ]:
        """Makes the agent's action in each game."""
        batch = self._batch
        joint = batch.random_actions() if self._opponents is None else self._opponents(batch)
        joint[:, self.role] = actions
        batch.step(joint)
        terminated, truncated = batch.terminal, batch.truncated
        rewards = np.nan_to_num(batch.goals[:, self.role].astype(np.float64)) / 100.0
        infos = self._infos()
        over = terminated | truncated
        if over.any():
            last = batch.last_observations.view(np.int8)
            final = np.full(self.num_envs, None, dtype=object)
            for at in np.flatnonzero(over):
                final[at] = last[at]
            infos["final_obs"], infos["_final_obs"] = final, over
        return self._observations(), rewards, terminated, truncated, infos

    def sample(self) -> npt.NDArray[np.int32]:
        """Legal actions of the agent at random."""
        return self._batch.random_actions()[:, self.role]

    def render(self) -> Optional[Tuple[str, ...]]:
        """The boards of all games as text."""
        if self.render_mode != "ansi":
            return None
        return tuple(state.board for state in self._batch.states())

    def _observations(self) -> npt.NDArray[np.int8]:
        # The same memory: a truth value is a byte of 0 or 1.
        return self._batch.observations.view(np.int8)

    def _infos(self) -> Dict[str, Any]:
        return {"action_mask": self._batch.legal(self.role).view(np.int8)}
