"""Which positions are the same: where a number lies does not matter at all."""

from __future__ import annotations

from pentagrid.core.position import Position
from pentagrid.core.symmetry import cell_exchanges

generators = cell_exchanges


def canonical(position: Position) -> tuple[object, ...]:
    """The same for positions in which the same numbers are owned by the same players."""
    return tuple(sorted((number, position.owner(i)) for i, number in enumerate(position.numbers)))
