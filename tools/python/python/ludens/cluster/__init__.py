"""Players on many machines, by Ray.

    merge       root statistics of several searches -> a move
    worker      what a Ray actor does: a search that follows a match, or playouts
    pool        the actors: asked within a time, replaced where they die or hang
    leaf        leaf-parallel search: one tree, playouts elsewhere
    driver      the process that talks to Ray
    supervisor  starts the driver, asks it in time, and starts it again
    player      one match: the cluster's answer, or that of a local player
    server      a GGP player over HTTP
    lab         experiments of the laboratory over the cluster
    cli         `ludens-cluster`

Root parallelisation (Cazenave and Jouandeau 2007; section 3.3.6 of Finnsson's thesis): each worker
searches by itself, and before each answer their root statistics are added up. The process that talks to
game managers never talks to Ray itself: whatever happens to the cluster, it answers in time.
"""

from .merge import MoveStats, choose, merge
from .player import ClusterMatch, PlayerOptions
from .server import ClusterServer
from .supervisor import Supervisor

__all__ = [
    "ClusterMatch",
    "ClusterServer",
    "MoveStats",
    "PlayerOptions",
    "Supervisor",
    "choose",
    "merge",
]
