"""Which positions are the same: rows may be exchanged, columns too, and what has been removed matters by its points."""

from __future__ import annotations

from pentagrid.core.position import Position
from pentagrid.core.symmetry import line_exchanges, orders

generators = line_exchanges


def same_puzzle(position: Position) -> tuple[object, ...]:
    """The same for positions with the same numbers left and the same mover: the points so far change no best move."""
    return position.mover, canonical(position)[2]


def canonical(position: Position) -> tuple[object, ...]:
    """The same for positions with the same scores and the same numbers left, up to the order of rows and columns."""
    n, legal = position.game.size, position.game.legal_on_board(position)
    open_rows = [r for r in range(n) if legal >> r * n & (1 << n) - 1]
    open_columns = [c for c in range(n) if any(legal >> r * n + c & 1 for r in range(n))]
    left = [[position.numbers[r * n + c] for c in open_columns] for r in open_rows]
    forms = []
    for rows in (left, [list(column) for column in zip(*left, strict=True)]):
        for order in orders([sorted(row) for row in rows]):
            forms.append(tuple(sorted(zip(*(rows[r] for r in order), strict=True))))
    return position.ply, position.scores, min(forms)
