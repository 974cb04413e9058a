"""How the rules of Capture Square may be read otherwise. The text gives Sudden Death no limit, so ours is a ruling."""

from __future__ import annotations

from pentagrid.core.position import Outcome, Position
from pentagrid.core.readings import NOBODY, SECOND_BEGINS, Reading

FAR = 1 << 20


class _NoLimit:
    """Sudden Death goes on until there is a square."""

    cell_count: int
    limit: int

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)  # type: ignore[call-arg]
        self.limit = FAR
        self.sides = tuple(1 + turn % 2 for turn in range(1 << 11))


class _LimitToNobody:
    def final_outcome(self, position: Position) -> Outcome:
        outcome: Outcome = super().final_outcome(position)  # type: ignore[misc]
        return Outcome(NOBODY, "limit") if outcome.reason == "limit" else outcome


class _LimitToFirst:
    def final_outcome(self, position: Position) -> Outcome:
        outcome: Outcome = super().final_outcome(position)  # type: ignore[misc]
        return Outcome(1, "limit") if outcome.reason == "limit" else outcome


class _EndsFull:
    """There is no Sudden Death: a full board ends the game."""

    cell_count: int
    limit: int

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)  # type: ignore[call-arg]
        self.limit = self.cell_count


class _EndsFullDrawn(_EndsFull, _LimitToNobody):
    pass


READINGS = (
    Reading("no-limit", "end", "Sudden Death goes on until there is a square", _NoLimit, unclear=True),
    Reading("limit-drawn", "end", "nobody wins at the limit of Sudden Death", _LimitToNobody, unclear=True),
    Reading("limit-to-first", "end", "the first player wins at the limit of Sudden Death", _LimitToFirst, unclear=True),
    Reading("full-board-lost", "end", "a full board ends the game, and the second player wins", _EndsFull),
    Reading("full-board-drawn", "end", "a full board ends the game, and nobody wins", _EndsFullDrawn),
    SECOND_BEGINS,
)
