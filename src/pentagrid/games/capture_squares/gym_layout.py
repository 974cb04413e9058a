"""Capture Squares as the public Gym version shows it: for each cell its owner and its number."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.game import Game
from pentagrid.core.position import Position

OWNERS = (0, 1, -1)


def shape(game: Game) -> tuple[int, ...]:
    return game.cell_count, 2


def limits(game: Game) -> tuple[list[int], list[int]]:
    return [-1, 1] * game.cell_count, [1, game.cell_count] * game.cell_count


def write(position: Position) -> list[int]:
    return [value for cell, number in enumerate(position.numbers) for value in (OWNERS[position.owner(cell)], number)]


def numbers(game: Game, opening: Sequence[int]) -> tuple[int, ...]:
    return tuple(opening[1::2])
