"""Games in the shape of OpenSpiel: `SpielGame` and `SpielState` have its methods and need nothing but
this package; `as_open_spiel` makes a real `pyspiel.Game` where OpenSpiel is installed.

OpenSpiel lets one player act at a time, or several at once. A state in which one role has a choice is a
turn of that role, and the only moves of the others are made with it. A state in which several roles
have a choice is a simultaneous one.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Set, Union

import numpy as np

from ._ludens import Game, State, load

#: What OpenSpiel calls the player of a state where several move, and of one that is over.
SIMULTANEOUS = -2
TERMINAL = -4

#: The random games that decide whether a game is played in turns.
_SAMPLE = 256
_SAMPLE_STEPS = 400


class SpielGame:
    """A game with the methods of OpenSpiel's `Game`.

    Whether it is played in turns is seen in random games, unless `simultaneous` says it.
    """

    def __init__(
        self,
        game: Union[Game, str],
        simultaneous: Optional[bool] = None,
        max_game_length: int = 10_000,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.roles = self.game.roles
        self.moves: List[List[str]] = [self.game.moves(role) for role in self.roles]
        #: By role: actions that were its only ones while another role had a choice.
        self.waiting: List[Set[int]] = [set() for _ in self.roles]
        seen = self._observe()
        self.simultaneous = seen if simultaneous is None else simultaneous
        self._max_game_length = max_game_length

    def _observe(self) -> bool:
        """Plays at random; whether several roles had a choice at once."""
        batch = self.game.batch(_SAMPLE, max_steps=_SAMPLE_STEPS)
        found = False
        for _ in range(_SAMPLE_STEPS):
            playing = ~batch.over
            if not playing.any():
                break
            legal = [batch.legal(role) for role in self.roles]
            choosing = np.array([mask.sum(axis=1) > 1 for mask in legal])
            found = found or bool((choosing[:, playing].sum(axis=0) > 1).any())
            for role, mask in enumerate(legal):
                waits = playing & ~choosing[role] & choosing.any(axis=0)
                self.waiting[role].update(np.unique(mask[waits].argmax(axis=1)).tolist())
            batch.step(batch.random_actions())
        return found

    def num_players(self) -> int:
        """The number of roles."""
        return len(self.roles)

    def num_distinct_actions(self) -> int:
        """The moves of the role that has the most; an action of a player is an index into its own."""
        return max(len(moves) for moves in self.moves)

    def min_utility(self) -> float:
        """The lowest goal of GDL."""
        return 0.0

    def max_utility(self) -> float:
        """The highest goal of GDL."""
        return 100.0

    def max_game_length(self) -> int:
        """Longer games are not expected."""
        return self._max_game_length

    def observation_tensor_shape(self) -> List[int]:
        """One number for each fluent."""
        return [len(self.game.fluents)]

    def action_to_string(self, player: int, action: int) -> str:
        """A move in the spelling of the sheet."""
        return self.moves[player][action]

    def new_initial_state(self) -> SpielState:
        """The start of a game."""
        return SpielState(self, self.game.initial())

    def __repr__(self) -> str:
        return f"<SpielGame {self.game.name}>"


class SpielState:
    """A game in progress, with the methods of OpenSpiel's `State`."""

    def __init__(self, game: SpielGame, state: State) -> None:
        self._game = game
        self._state = state
        self._history: List[int] = []
        self._look()

    def _look(self) -> None:
        state, roles = self._state, self._game.roles
        self._over = state.terminal
        self._legal: List[List[int]] = (
            [[] for _ in roles] if self._over else [state.legal_actions(role) for role in roles]
        )

    def current_player(self) -> int:
        """The player whose turn it is, or one of OpenSpiel's special ids."""
        if self._over:
            return TERMINAL
        choosing = [role for role, legal in enumerate(self._legal) if len(legal) > 1]
        if len(choosing) > 1:
            return SIMULTANEOUS
        if choosing:
            return choosing[0]
        # Nobody chooses: the turn is that of the role which does more than wait.
        waiting = self._game.waiting
        acting = (role for role, legal in enumerate(self._legal) if legal[0] not in waiting[role])
        return next(acting, 0)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._over

    def is_chance_node(self) -> bool:
        """Nothing is random."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Whether several players choose."""
        return self.current_player() == SIMULTANEOUS

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """The legal actions of a player, ascending; of the one whose turn it is by default."""
        turn = self.current_player()
        at = turn if player is None else player
        if turn == TERMINAL or at < 0 or (turn >= 0 and at != turn):
            return []
        return list(self._legal[at])

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        """The same as zeros and ones."""
        mask = [0] * self._game.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Makes the action of the player whose turn it is."""
        player = self.current_player()
        if player < 0:
            raise ValueError("there is no single player to act: use apply_actions")
        chosen = [legal[0] for legal in self._legal]
        chosen[player] = action
        self._make(chosen)
        self._history.append(action)

    def apply_actions(self, actions: List[int]) -> None:
        """Makes an action of each player."""
        self._make(list(actions))
        self._history.extend(actions)

    def _make(self, actions: List[int]) -> None:
        for role, action in enumerate(actions):
            if action not in self._legal[role]:
                raise ValueError(f"action {action} of {self._game.roles[role]} is not legal")
        self._state = self._state.step(
            [self._game.moves[role][action] for role, action in enumerate(actions)]
        )
        self._look()

    def returns(self) -> List[float]:
        """The goals, where the game is over; zeros before."""
        if not self._over:
            return [0.0] * len(self._game.roles)
        return [float(goal or 0) for goal in self._state.goals.values()]

    rewards = returns

    def player_return(self, player: int) -> float:
        """The goal of a player."""
        return self.returns()[player]

    def history(self) -> List[int]:
        """All actions so far."""
        return list(self._history)

    def observation_tensor(self, player: int = 0) -> List[float]:
        """By fluent: 1 where it is true. All players see everything."""
        true = set(self._state.sentences)
        return [float(fluent in true) for fluent in self._game.game.fluents]

    def observation_string(self, player: int = 0) -> str:
        """What is true."""
        return " ".join(self._state.sentences)

    def information_state_string(self, player: int = 0) -> str:
        """The actions so far: all players know them."""
        return " ".join(map(str, self._history))

    def action_to_string(self, player: int, action: int) -> str:
        """A move in the spelling of the sheet."""
        return self._game.action_to_string(player, action)

    @property
    def state(self) -> State:
        """The state of the library."""
        return self._state

    def get_game(self) -> SpielGame:
        """The game."""
        return self._game

    def clone(self) -> SpielState:
        """A copy that goes on by itself."""
        copy = SpielState(self._game, self._state)
        copy._history = list(self._history)
        return copy

    def __str__(self) -> str:
        return self._state.board


def as_open_spiel(game: Union[SpielGame, Game, str]) -> Any:
    """A real `pyspiel.Game`, for OpenSpiel's own algorithms and tests."""
    import pyspiel

    shaped = game if isinstance(game, SpielGame) else SpielGame(game)
    dynamics = pyspiel.GameType.Dynamics
    game_type = pyspiel.GameType(
        short_name=f"python_ludens_{shaped.game.name}",
        long_name=f"Ludens {shaped.game.name}",
        dynamics=dynamics.SIMULTANEOUS if shaped.simultaneous else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=shaped.num_players(),
        min_num_players=shaped.num_players(),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    game_info = pyspiel.GameInfo(
        num_distinct_actions=shaped.num_distinct_actions(),
        max_chance_outcomes=0,
        num_players=shaped.num_players(),
        min_utility=shaped.min_utility(),
        max_utility=shaped.max_utility(),
        max_game_length=shaped.max_game_length(),
    )

    class Observer:
        """All that a player sees, in the shape that OpenSpiel asks for."""

        def __init__(self) -> None:
            self.tensor = np.zeros(len(shaped.game.fluents), np.float32)
            self.dict: Dict[str, Any] = {"observation": self.tensor}

        def set_from(self, state: Any, player: int) -> None:
            self.tensor[:] = state.inner.observation_tensor(player)

        def string_from(self, state: Any, player: int) -> str:
            return state.inner.observation_string(player)

    class LudensState(pyspiel.State):
        """OpenSpiel asks by methods with an underscore, and keeps the history itself."""

        def __init__(self, owner: Any) -> None:
            super().__init__(owner)
            self.inner = shaped.new_initial_state()

        def current_player(self) -> int:
            return self.inner.current_player()

        def _legal_actions(self, player: int) -> List[int]:
            return self.inner.legal_actions(player)

        def _apply_action(self, action: int) -> None:
            self.inner.apply_action(action)

        def _apply_actions(self, actions: List[int]) -> None:
            self.inner.apply_actions(actions)

        def _action_to_string(self, player: int, action: int) -> str:
            return self.inner.action_to_string(player, action)

        def is_terminal(self) -> bool:
            return self.inner.is_terminal()

        def returns(self) -> List[float]:
            return self.inner.returns()

        def information_state_string(self, player: Optional[int] = None) -> str:
            return self.inner.information_state_string()

        def observation_string(self, player: Optional[int] = None) -> str:
            return self.inner.observation_string()

        def __str__(self) -> str:
            return str(self.inner)

    class LudensGame(pyspiel.Game):
        """The game that OpenSpiel sees."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, game_info, params or {})

        def new_initial_state(self) -> Any:
            return LudensState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return Observer()

    pyspiel.register_game(game_type, LudensGame)
    return LudensGame()
