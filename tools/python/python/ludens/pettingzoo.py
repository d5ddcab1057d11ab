"""Games as a PettingZoo parallel environment: all roles move in each step."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Union

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

from ._ludens import Game, load

Observation = Dict[str, Any]


class LudensParallelEnv(ParallelEnv):
    """One game; its agents are the roles.

    An observation has the true fluents, and `action_mask` with the legal moves of the agent. Rewards
    are goals from 0 to 1, in the last step.
    """

    metadata: Dict[str, Any] = {"name": "ludens_v0", "render_modes": ["ansi"]}

    def __init__(
        self,
        game: Union[Game, str],
        max_steps: Optional[int] = None,
        render_mode: Optional[str] = None,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        self.possible_agents: List[str] = self.game.roles
        self.agents: List[str] = []
        self._batch = self.game.batch(1, max_steps=max_steps)
        fluents = gymnasium.spaces.MultiBinary(len(self.game.fluents))
        self._actions = {
            role: gymnasium.spaces.Discrete(len(self.game.moves(role)))
            for role in self.possible_agents
        }
        self._observations = {
            role: gymnasium.spaces.Dict(
                observation=fluents,
                action_mask=gymnasium.spaces.MultiBinary(int(self._actions[role].n)),
            )
            for role in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        """What an agent sees."""
        return self._observations[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        """The moves of an agent, by their indices."""
        return self._actions[agent]

    def reset(
        self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Dict[str, Observation], Dict[str, Dict[str, Any]]]:
        """Starts the game anew. Nothing is random, so the seed changes nothing."""
        self._batch.reset()
        self.agents = list(self.possible_agents)
        return self._observe(), {role: {} for role in self.agents}

    def step(
        self, actions: Dict[str, int]
    ) -> Tuple[
        Dict[str, Observation],
        Dict[str, float],
        Dict[str, bool],
        Dict[str, bool],
        Dict[str, Dict[str, Any]],
    ]:
        """Makes the action of each agent."""
        joint = np.array([[actions[role] for role in self.possible_agents]], dtype=np.int32)
        self._batch.step(joint)
        goals = np.nan_to_num(self._batch.goals[0]) / 100.0
        over, cut = bool(self._batch.terminal[0]), bool(self._batch.truncated[0])
        agents, observations = self.agents, self._observe()
        rewards = {role: float(goal) for role, goal in zip(self.possible_agents, goals)}
        if over or cut:
            self.agents = []
        return (
            observations,
            rewards,
            {role: over for role in agents},
            {role: cut for role in agents},
            {role: {} for role in agents},
        )

    def render(self) -> Optional[str]:
        """The board as text."""
        return self._batch.states()[0].board if self.render_mode == "ansi" else None

    def state(self) -> Any:
        """The true fluents: all agents see everything."""
        return self._batch.observations[0].view(np.int8)

    def close(self) -> None:
        """Nothing is held open."""

    def _observe(self) -> Dict[str, Observation]:
        seen = self._batch.observations[0].view(np.int8)
        return {
            role: {
                "observation": seen,
                "action_mask": self._batch.legal(role)[0].view(np.int8),
            }
            for role in self.possible_agents
        }
