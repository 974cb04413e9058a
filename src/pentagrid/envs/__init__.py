"""The games as environments for agents: Gymnasium, PettingZoo, OpenSpiel, vectorised, and as drop-ins.

Importing this module registers every game with Gymnasium, such as `pentagrid/MatrixCapture-v0`. Needs the extra
`envs` (`pip install "pentagrid[envs]"`).
"""

from __future__ import annotations

import gymnasium

from pentagrid.catalogue import find, game_names
from pentagrid.envs.many import Many
from pentagrid.envs.pair import Pair, pair
from pentagrid.envs.solo import Solo

__all__ = ["Many", "Pair", "Solo", "gymnasium_id", "pair", "register"]


def gymnasium_id(name: str) -> str:
    """The name under which Gymnasium knows a game."""
    return f"pentagrid/{find(name).title.replace(' ', '')}-v0"


def register() -> None:
    """Make every game known to Gymnasium; what is known already stays."""
    for name in game_names():
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(name),
                entry_point="pentagrid.envs.solo:Solo",
                vector_entry_point="pentagrid.envs.many:Many",
                kwargs={"game": name},
            )


register()
