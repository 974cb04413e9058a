"""Positions read from their text: game, options, board, claims and turn on one line."""

from __future__ import annotations

import re

from pentagrid.core.catalog import find
from pentagrid.core.game import Game
from pentagrid.core.options import SWAP_PLY
from pentagrid.core.position import Position
from pentagrid.errors import BoardError, UnreadableError, shown


def read_position(text: str) -> Position:
    """The position that `Position.text` wrote: game, options, board, claims and turn on one line.

    Only the game's name is required, and the board where it has one. Raises `UnreadableError`,
    `OptionError` or `BoardError`.
    """
    if not isinstance(text, str):
        raise UnreadableError(f"{shown(str(text))} is not the text of a position.")
    name, *words = text.split() or [""]
    return restore(find(name), words)


def restore(kind: type[Game], words: list[str]) -> Position:
    """The position of a game from the words of its text after the name. Raises as `read_position`."""
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
        raise UnreadableError(f"swapped must be yes or no, not {shown(swapped)}.")
    game = kind(None if size is None else int(size), **fields)
    game.check_settled()
    if board is None and game.has_numbers:
        raise BoardError(f"A position of {game.title} needs board=, its numbers row by row.")
    numbers = () if board is None else game.read_board(board).numbers
    if swapped == "yes" and not game.pie:
        raise BoardError("swapped=yes needs pie=on.")
    one, two = _claims(game, claims)
    return _position(game, numbers, one, two, turn, ply, swapped == "yes")


def _claims(game: Game, claims: str | None) -> tuple[int, int]:
    """What each player owns, as masks."""
    shape = game.claim_rows()
    rows = claims.split("/") if claims is not None else ["." * length for length in shape]
    if tuple(map(len, rows)) != shape or set("".join(rows)) - set(".12"):
        raise BoardError(
            f"claims={shown(claims or '')} does not fit: {game.title} at size {game.size} has "
            f"{'/'.join('.' * length for length in shape)} with 1 or 2 for what a player owns."
        )
    marks = "".join(rows)
    one, two = (sum(1 << i for i, mark in enumerate(marks) if mark == owner) for owner in "12")
    return one, two


def _position(
    game: Game, numbers: tuple[int, ...], one: int, two: int, turn: str | None, ply: str | None, swapped: bool
) -> Position:
    """The position with these claims. Raises `BoardError` if this game can have no such position."""
    turns = (one | two).bit_count() + swapped
    if ply is not None:
        if not re.fullmatch(r"[0-9]{1,6}", ply):
            raise BoardError(f"ply={shown(ply)} is not a count of turns.")
        turns = int(ply)
    if turns >= len(game.sides):
        raise BoardError(f"ply={turns} is too large: no game of {game.title} lasts so long.")
    if swapped and turns <= SWAP_PLY:
        raise BoardError("swapped=yes does not fit: nobody has made a move yet.")
    mover = game.mover_at(turns, swapped)
    if turn is not None and turn != str(mover):
        raise BoardError(f"turn={shown(turn)} does not fit: at ply {turns} it is the turn of seat {mover}.")
    scores = game.count_scores(numbers, one, two)
    position = Position(game, numbers, one, two, mover, ply=turns, scores=scores, swapped=swapped)
    game.check_reachable(position)
    return position
