"""Which positions are the same: rows may be exchanged, columns too, and rows with columns."""

from __future__ import annotations

from pentagrid.core.position import Position
from pentagrid.core.symmetry import line_exchanges, orders

generators = line_exchanges


def canonical(position: Position) -> tuple[object, ...]:
    """The same for positions that differ only by the order of the lines, or by rows and columns changing places."""
    n = position.game.size
    grid = position.board or ()
    owners = [position.owner(line) for line in range(2 * n)]
    forms = []
    for rows, lines in ((grid, owners), (tuple(zip(*grid, strict=True)), owners[n:] + owners[:n])):
        for order in orders([(lines[r], sorted(zip(lines[n:], rows[r], strict=True))) for r in range(n)]):
            columns = sorted((lines[n + c], tuple(rows[r][c] for r in order)) for c in range(n))
            forms.append((tuple(lines[r] for r in order), tuple(columns)))
    return min(forms)
