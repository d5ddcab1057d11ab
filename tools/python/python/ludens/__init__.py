"""Ludens: games in GDL as boolean circuits, played at millions of steps a second.

    >>> import ludens
    >>> game = ludens.load("tic_tac_toe")
    >>> game.roles
    ['x', 'o']
    >>> state = game.initial().step({"x": "(mark 2 2)"})
    >>> state.terminal, len(state.legal("o"))
    (False, 8)

`Game.playouts` counts random playouts, `Game.batch` steps many games side by side as numpy arrays,
`Search` is Monte Carlo tree search, and `solve` finds the best line of a game for one role.
`ludens.gymnasium`, `ludens.pettingzoo` and `ludens.openspiel` are the interfaces of these packages,
`ludens.policy` has playouts by a policy of your own, and `ludens.cluster` plays on many machines.
"""

from ._ludens import (
    Agent,
    Batch,
    Circuit,
    Game,
    LudensError,
    PlayError,
    Playouts,
    Report,
    Search,
    SettingError,
    SheetError,
    State,
    __version__,
    check,
    games,
    load,
    read_message,
    solve,
)

__all__ = [
    "Agent",
    "Batch",
    "Circuit",
    "Game",
    "LudensError",
    "PlayError",
    "Playouts",
    "Report",
    "Search",
    "SettingError",
    "SheetError",
    "State",
    "__version__",
    "check",
    "games",
    "load",
    "read_message",
    "solve",
]
