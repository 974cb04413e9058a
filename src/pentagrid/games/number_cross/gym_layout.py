"""Number Cross as the public Gym version shows it: the numbers, then the owner of each line."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.game import Game
from pentagrid.core.position import Position

OWNERS = (0, 1, -1)


def shape(game: Game) -> tuple[int, ...]:
    return (game.cell_count + game.action_count,)


def limits(game: Game) -> tuple[list[int], list[int]]:
    cells, lines = game.cell_count, game.action_count
    return [1] * cells + [-1] * lines, [cells] * cells + [1] * lines


def write(position: Position) -> list[int]:
    return [*position.numbers, *(OWNERS[position.owner(line)] for line in range(position.game.action_count))]


def numbers(game: Game, opening: Sequence[int]) -> tuple[int, ...]:
    return tuple(opening[: game.cell_count])
