"""What looks good in Matrix Capture: the largest number."""

from __future__ import annotations

from pentagrid.core.heuristics import LeadHeuristics
from pentagrid.core.position import Position

LEAST_LINES = 3
"""Rows and columns that a puzzle has at least, where the board is larger."""


class MatrixCaptureHeuristics(LeadHeuristics):
    def leaves_enough(self, position: Position) -> bool:
        """Three rows and columns, unless the board is no larger: two are no more than four subtractions."""
        size = self.game.size
        return size <= LEAST_LINES or position.turns <= size - LEAST_LINES
