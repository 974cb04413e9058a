"""Environments for agents: Gymnasium, PettingZoo, OpenSpiel, vectorized, and drop-ins for gg-bench.

Importing this package registers every game with Gymnasium, such as `pentagrid/MatrixCapture-v0`. It needs the extra
`envs` (`pip install "pentagrid[envs]"`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium

from pentagrid.core.catalog import find, game_names
from pentagrid.envs.self_play import SelfPlayEnv
from pentagrid.envs.single import SingleEnv
from pentagrid.envs.vector import VectorizedEnv

if TYPE_CHECKING:
    from pentagrid.envs.aec import RawAecEnv, aec_env

__all__ = ["RawAecEnv", "SelfPlayEnv", "SingleEnv", "VectorizedEnv", "aec_env", "gymnasium_id", "register"]


def gymnasium_id(name: str, self_play: bool = False) -> str:
    """The id of a game in Gymnasium's registry; that of self-play is made by `gymnasium.make_vec` alone."""
    return f"pentagrid/{find(name).title.replace(' ', '')}{'SelfPlay' if self_play else ''}-v0"


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
            gymnasium.register(
                gymnasium_id(name, self_play=True),
                vector_entry_point="pentagrid.envs.self_play:SelfPlayEnv",
                kwargs={"game": name},
            )


def __getattr__(wanted: str) -> Any:
    """PettingZoo is loaded when one of its environments is asked for; the others do without."""
    if wanted in ("RawAecEnv", "aec_env"):
        import pentagrid.envs.aec as aec

        return getattr(aec, wanted)
    raise AttributeError(f"module {__name__!r} has no attribute {wanted!r}")


register()
