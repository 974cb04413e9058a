"""The settings of a server, passed to its worker processes through the environment."""

from __future__ import annotations

import json
import os
from typing import NamedTuple

ENVIRONMENT = "PENTAGRID_SERVE"


class Settings(NamedTuple):
    """What `pentagrid serve` sets about the application."""

    database: str
    """`sqlite:///path` or `postgresql://…`."""
    rate: float = 30.0
    """Requests a second from one address, in the long run; 0 for no limit."""
    burst: int = 300
    """How many requests from one address may come at once."""
    analysts: int = 1
    """Processes in each lane: of short work, of computers' moves, of long work."""
    queue: int = 64
    """Long analyses that may run or wait at once; beyond that the answer is `busy`."""
    queue_each: int = 4
    """The same for one address."""
    analysis_seconds: float = 2.0
    """How long a position is searched that is not solved in advance."""
    log_level: str = "INFO"
    sockets: int = 100
    """Live connections that one address may have at once; 0 for no limit."""
    names: tuple[str, ...] = ()
    """Names of the server, beside its addresses and local ones, that requests may ask for."""
    keep_days: float | None = None
    """Games that nobody has touched for so long are removed; None for never."""

    policies: tuple[str, ...] = ()
    """Files of policies that visitors may play against."""

    @property
    def keep_seconds(self) -> float | None:
        return None if self.keep_days is None else self.keep_days * 86400

    def to_environment(self) -> None:
        """Put the settings where worker processes find them."""
        os.environ[ENVIRONMENT] = json.dumps(self._asdict())

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings that `to_environment` put there."""
        return cls(**json.loads(os.environ[ENVIRONMENT]))
