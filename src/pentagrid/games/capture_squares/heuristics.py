"""What looks good in Capture Squares: what brings most at once, and the largest number."""

from __future__ import annotations

from pentagrid.core.heuristics import LeadHeuristics
from pentagrid.core.position import Position


class CaptureSquaresHeuristics(LeadHeuristics):
    def temptations(self, position: Position) -> tuple[int, ...]:
        """Beside what brings most at once, the largest free number: it can never be captured."""
        largest = max(position.actions(), key=position.numbers.__getitem__)
        return tuple(sorted({largest, *super().temptations(position)}))
