"""Search where no table reaches: alpha–beta over proven bounds, so that whatever it returns is proven."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from pentagrid.core.position import Position

Bounds = tuple[int, int]
"""The least and the most that a position can be worth."""


class Stopped(Exception):  # noqa: N818 - not an error: the search's time is up
    """A search has no more time."""


class Searcher:
    """Alpha–beta to a depth, once with every leaf at its lower bound and once at its upper: both results are proven."""

    def __init__(self, bounds: Callable[[Position], Bounds], stopped: Callable[[], bool]) -> None:
        self._bounds_of = lru_cache(maxsize=1 << 18)(bounds)
        self._stopped = stopped
        self._nodes = 0
        self._known: dict[tuple[Position, int, int], Bounds] = {}

    def tighten(self, position: Position, depth: int, low: int, high: int) -> Bounds:
        """Bounds within those already known. Raises `Stopped`."""
        low = self._search(position, depth, low - 1, high + 1, 0)
        if low < high:
            high = self._search(position, depth, low - 1, high + 1, 1)
        return low, high

    def _search(self, position: Position, depth: int, alpha: int, beta: int, side: int) -> int:
        leaf = self._bounds_of(position)
        if depth == 0 or leaf[0] == leaf[1]:
            return leaf[side]
        self._nodes += 1
        if self._nodes & 255 == 0 and self._stopped():
            raise Stopped
        key = position, depth, side
        least, most = self._known.get(key, leaf)
        if least >= beta or least == most:
            return least
        if most <= alpha:
            return most
        first = position.mover == 1
        game = position.game
        children = [game.after(position, action) for action in position.actions()]
        children.sort(key=self._bounds_of, reverse=first)
        floor, ceiling = alpha, beta
        best = None
        for child in children:
            worth = self._search(child, depth - 1, floor, ceiling, side)
            if best is None or (worth > best if first else worth < best):
                best = worth
            if first:
                floor = max(floor, best)
            else:
                ceiling = min(ceiling, best)
            if floor >= ceiling:
                break
        assert best is not None
        if best <= alpha:
            most = min(most, best)
        elif best >= beta:
            least = max(least, best)
        else:
            least = most = best
        self._known[key] = least, most
        return best
