"""Matrix Capture as the public Gym version shows it: the 4x4 numbers, 0 where a cell can no longer be taken."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.games.matrix_capture.rules import LARGEST


def shape(game: Game) -> tuple[int, ...]:
    return game.size, game.size


def limits(game: Game) -> tuple[list[int], list[int]]:
    return [0] * game.cell_count, [LARGEST] * game.cell_count


def write(position: Position) -> list[int]:
    legal = position.game.legal_on_board(position)
    return [number if legal >> cell & 1 else 0 for cell, number in enumerate(position.numbers)]


def numbers(game: Game, opening: Sequence[int]) -> tuple[int, ...]:
    return tuple(opening)
