"""The player `learned`: a policy that taught itself the game, and comes with the package (docs/levels.md)."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable

from pentagrid.core.catalog import find
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError
from pentagrid.play.policy import Policy, read_policy

FILE = "learned.npz"
"""In a game's folder, made by `pentagrid train`."""


class Learned:
    """Plays as its policy does. Its file is read at the first turn."""

    def choose(self, position: Position, dice: Dice) -> int:
        return learned_policy(position.game).choose(position, dice)


def _file(game: str) -> Traversable:
    return files(find(game).__module__.rpartition(".")[0]).joinpath(FILE)


def has_learned(game: str) -> bool:
    """Does a policy come with a game?"""
    return _file(game).is_file()


@lru_cache(maxsize=64)
def learned_policy(game: Game) -> Policy:
    """The policy that comes with a game. Raises `OptionError` for games, sizes and rules that were not learned."""
    if not has_learned(game.name):
        raise OptionError(f"The player learned cannot play {game.title}: no policy comes with it.")
    with as_file(_file(game.name)) as path:
        policy = read_policy(path)
    policy.check_plays(game, "The player learned")
    return policy
