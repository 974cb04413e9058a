"""The list of games: those in `games/`, found by looking, and those of other packages, found by entry points.

A package adds a game with an entry point of the group `pentagrid.games`: its name is the game's, its value the module
path of a folder like those in `games/`. Entry points cost a look at every installed package, so they are looked up only
when games are listed or a name is unknown.
"""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pentagrid.core.game import Game
from pentagrid.errors import OptionError, shown

BUILT_IN = "pentagrid.games"
"""The package of the games that come with Pentagrid, and the group of entry points of all others."""


@lru_cache(maxsize=1)
def built_in_names() -> tuple[str, ...]:
    """The names of the games that come with Pentagrid."""
    modules = pkgutil.iter_modules(import_module(BUILT_IN).__path__)
    return tuple(sorted(module.name.replace("_", "-") for module in modules if module.ispkg))


@lru_cache(maxsize=1)
def _installed_packages() -> dict[str, str]:
    """The games of other packages: the module path of each folder, by the game's name."""
    from importlib.metadata import entry_points

    return {entry.name: entry.value for entry in entry_points(group=BUILT_IN) if entry.name not in built_in_names()}


@lru_cache(maxsize=1)
def game_names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(sorted({*built_in_names(), *_installed_packages()}))


def _package(name: str) -> str | None:
    """The module path of a game's folder."""
    if name in built_in_names():
        return f"{BUILT_IN}.{name.replace('-', '_')}"
    return _installed_packages().get(name)


def find(name: str) -> type[Game]:
    """The game of a name, whatever its case, blanks or underscores.

    Raises `OptionError` with the names that are close.
    """
    if not isinstance(name, str):
        raise OptionError(f"{shown(str(name))} is not a game's name. {_advice('')}")
    asked = "-".join(name.lower().replace("_", "-").split())
    if _package(asked) is None:
        raise OptionError(f"There is no game {shown(name)}. {_advice(asked)}")
    game: type[Game] = part(asked, "rules").GAME
    if game.name != asked:
        raise OptionError(f"The package of {asked} holds {shown(game.name)}; its entry point must have that name.")
    return game


def part(name: str, module: str) -> Any:
    """A module of a game's folder. Raises `OptionError` if the game has none of that name."""
    package = _package(name)
    path = f"{package}.{module}"
    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if not path.startswith(str(error.name)):
            raise
        raise OptionError(f"{name} has no module {path}, which this needs.") from None


def has_part(name: str, module: str) -> bool:
    """Has a game's folder such a module?"""
    return find_spec(f"{_package(name)}.{module}") is not None


def _advice(asked: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(asked, game_names(), n=3, cutoff=0.75)
    near += [name for name in game_names() if asked and asked in name and name not in near]
    return f"Did you mean {' or '.join(near)}?" if near else f"The games are {', '.join(game_names())}."


def load(name: str, size: int | None = None, **rules: str) -> Game:
    """A game by name, at a size and with rule options (`sudden_death="exchange"`).

    Raises `OptionError` naming what is wrong and what would be right.
    """
    return find(name)(size, **rules)
