"""How the rules of Number Cross may be read otherwise."""

from __future__ import annotations

from pentagrid.core.position import bits
from pentagrid.core.readings import Reading, scoring_readings


class _OverlapOnce:
    """A cell in two lines of one player counts once."""

    line_cells: tuple[tuple[int, ...], ...]

    def after_on_board(self, position, action):  # type: ignore[no-untyped-def]
        after = super().after_on_board(position, action)  # type: ignore[misc]
        return after._replace(scores=self.count_scores(after.numbers, after.one, after.two))

    def count_scores(self, numbers: tuple[int, ...], one: int, two: int) -> tuple[int, int]:
        first, second = (
            sum(numbers[cell] for cell in {cell for line in bits(lines) for cell in self.line_cells[line]})
            for lines in (one, two)
        )
        return first, second


READINGS = (
    *scoring_readings(),
    Reading("overlap-once", "score", "a cell in two lines of one player is counted once", _OverlapOnce),
)
