"""Environments for agents: Gymnasium, PettingZoo, OpenSpiel, vectorized, and drop-ins for gg-bench.

Importing this package registers every game with Gymnasium, such as `pentagrid/MatrixCapture-v0`. It needs the extra
`envs` (`pip install "pentagrid[envs]"`).
"""

from __future__ import annotations

import gymnasium

from pentagrid.core.catalog import find, game_names
from pentagrid.envs.aec import RawAecEnv, aec_env
from pentagrid.envs.single import SingleEnv
from pentagrid.envs.vector import VectorizedEnv

__all__ = ["RawAecEnv", "SingleEnv", "VectorizedEnv", "aec_env", "gymnasium_id", "register"]


def gymnasium_id(name: str) -> str:
    """The id of a game in Gymnasium's registry."""
    return f"pentagrid/{find(name).title.replace(' ', '')}-v0"


def register() -> None:
    """Register every game with Gymnasium, except those that are registered already."""
    for name in game_names():
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(name),
                entry_point="pentagrid.envs.single:SingleEnv",
                vector_entry_point="pentagrid.envs.vector:VectorizedEnv",
                kwargs={"game": name},
            )


register()
