"""How a driver finds and uses its cluster. Known without Ray."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class DriverOptions:
    """How a driver finds and uses its cluster."""

    #: The address of a cluster; None starts one on this machine.
    address: Optional[str] = None
    workers: int = 2
    #: `root` or `leaf`.
    mode: str = "root"
    #: The core count of a cluster that is started here; None for as many as there are workers.
    cpus: Optional[int] = None
    patience: float = 5.0
