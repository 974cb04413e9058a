"""The games that are there, found by looking into `games/`, and their positions read from text."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from typing import Any

import pentagrid.games
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.errors import BoardError, OptionError, UnreadableError, shown


@lru_cache(maxsize=1)
def game_names() -> tuple[str, ...]:
    """The names of all games."""
    found = (module.name for module in pkgutil.iter_modules(pentagrid.games.__path__) if module.ispkg)
    return tuple(sorted(name.replace("_", "-") for name in found))


def find(name: str) -> type[Game]:
    """The game of a name, whatever its case, blanks or underscores.

    Raises `OptionError` with the names that are close.
    """
    if not isinstance(name, str):
        raise OptionError(f"{shown(str(name))} is not a game's name. {_advice('')}")
    asked = "-".join(name.lower().replace("_", "-").split())
    if asked not in game_names():
        raise OptionError(f"There is no game {shown(name)}. {_advice(asked)}")
    kind: type[Game] = part(asked, "rules").GAME
    return kind


def part(name: str, module: str) -> Any:
    """A module of a game's folder. Raises `OptionError` if the game has none of that name."""
    path = f"{pentagrid.games.__name__}.{name.replace('-', '_')}.{module}"
    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        raise OptionError(f"{name} has no {module}.py, which this needs.") from None


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


def read(text: str) -> Position:
    """The position that `Position.text` wrote: game, options, board, claims and turn on one line.

    Only the game's name is required, and the board where it has one. Raises `UnreadableError`,
    `OptionError` or `BoardError`.
    """
    if not isinstance(text, str):
        raise UnreadableError(f"{shown(str(text))} is not the text of a position.")
    name, *words = text.split() or [""]
    return restore(find(name), words)


def restore(kind: type[Game], words: list[str]) -> Position:
    """The position of a game from the words of its text behind the name. Raises as `read`."""
    fields: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key in fields:
            raise UnreadableError(f"{shown(word)} in a position is not one NAME=VALUE.")
        fields[key] = value
    size = fields.pop("size", None)
    if size is not None and not (size.isascii() and size.isdecimal() and len(size) < 4):
        raise UnreadableError(f"size={shown(size)} is not a whole number.")
    board, claims, turn, ply = (fields.pop(key, None) for key in ("board", "claims", "turn", "ply"))
    swapped = fields.pop("swapped", "no")
    if swapped not in ("no", "yes"):
        raise UnreadableError(f"swapped={shown(swapped)} is neither yes nor no.")
    game = kind(None if size is None else int(size), **fields)
    if board is None and game.has_numbers:
        raise BoardError(f"A position of {game.title} needs board=, its numbers row by row.")
    numbers = () if board is None else game.read(board).numbers
    return game.restore(numbers, claims, turn, ply, swapped == "yes")
