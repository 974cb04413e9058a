"""The games as environments for agents: Gymnasium, PettingZoo, OpenSpiel, vectorized, and as drop-ins.

Importing this module registers every game with Gymnasium, such as `pentagrid/MatrixCapture-v0`. Needs the extra
`envs` (`pip install "pentagrid[envs]"`).
"""

from __future__ import annotations

import gymnasium

from pentagrid.core.catalog import find, game_names
from pentagrid.envs.aec import AecEnv, aec_env
from pentagrid.envs.single import SingleEnv
from pentagrid.envs.vector import VectorizedEnv

__all__ = ["AecEnv", "SingleEnv", "VectorizedEnv", "aec_env", "gymnasium_id", "register"]


def gymnasium_id(name: str) -> str:
    """The name under which Gymnasium knows a game."""
    return f"pentagrid/{find(name).title.replace(' ', '')}-v0"


def register() -> None:
    """Make every game known to Gymnasium; what is known already stays."""
    for name in game_names():
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(name),
                entry_point="pentagrid.envs.single:SingleEnv",
                vector_entry_point="pentagrid.envs.vector:VectorizedEnv",
                kwargs={"game": name},
            )


register()
