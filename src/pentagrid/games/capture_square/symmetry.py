"""Which positions are the same up to turning and mirroring the board."""

from __future__ import annotations

from pentagrid.position import Position
from pentagrid.symmetry import least_turn


def same_puzzle(position: Position) -> tuple[object, ...]:
    """The same for positions that ask the same: whoever is to move, and the board up to a symmetry."""
    return position.mover, canonical(position)[1]


def canonical(position: Position) -> tuple[object, ...]:
    """The same for positions that differ only by a symmetry of the board."""
    numbers = position.numbers or (0,) * position.game.cell_count
    cells = tuple((number, position.owner(i)) for i, number in enumerate(numbers))
    return position.ply, least_turn(cells, position.game.size)
