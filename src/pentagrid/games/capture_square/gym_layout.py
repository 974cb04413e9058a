"""Capture Square as the public Gym version shows it: the owner of each cell."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.game import Game
from pentagrid.core.position import Position

OWNERS = (0, 1, -1)


def shape(game: Game) -> tuple[int, ...]:
    return (game.cell_count,)


def limits(game: Game) -> tuple[list[int], list[int]]:
    return [-1] * game.cell_count, [1] * game.cell_count


def write(position: Position) -> list[int]:
    return [OWNERS[position.owner(cell)] for cell in range(position.game.cell_count)]


def numbers(game: Game, opening: Sequence[int]) -> tuple[int, ...]:
    return ()
