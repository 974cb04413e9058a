"""Many games of Capture Square at once; squares are found in bit masks, a number for each side of each game."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Actions, Batch, Flags
from pentagrid.games.capture_square.rules import CaptureSquare


class CaptureSquareBatch(Batch):
    game: CaptureSquare

    def __init__(self, game: CaptureSquare, count: int) -> None:
        super().__init__(game, count)
        kind: Any = np.int32 if game.cell_count < 31 else np.int64
        self._marks: NDArray[Any] = np.zeros((2, count), kind)
        self.sided.append(self._marks)
        self._bits: NDArray[Any] = np.array([1 << cell for cell in range(game.cell_count)], kind)
        self._shifts = kind(1), kind(game.size)
        self._corners = kind(game.corners)
        self._last_wins = np.array([each.side_at(game.limit - 1) == 2 for each in game.tossed()])
        """Does whoever makes the last turn of Sudden Death win? By the toss."""

    def open_games(self, which: slice | NDArray[np.intp]) -> None:
        super().open_games(which)
        self._marks[:, which] = 0

    def play(self, actions: Actions) -> tuple[Flags, Flags]:
        ended = super().play(actions)
        self._find_legal()
        return ended

    def make_moves(self, actions: Actions, at: Actions) -> None:
        cells = self.game.cell_count
        if self.game.exchanges and (trading := np.flatnonzero(actions >= cells)).size:
            own, opposing = np.divmod(actions[trading] - cells, cells)
            bits = self._bits[own] | self._bits[opposing]
            self._marks[:, trading] ^= bits
            for plane in self.planes:
                plane[own, trading] ^= 1
                plane[opposing, trading] ^= 1
            placing = np.flatnonzero(actions < cells)
            self._place(actions[placing], at[placing], placing)
        else:
            self._place(actions, at, slice(None))
        if self.game.has_points:
            self._count_blocks()

    def _place(self, actions: Actions, at: Actions, which: slice | NDArray[np.intp]) -> None:
        """Mark a cell, whoever held it."""
        self.planes[self.side].ravel()[at] = 1
        self.planes[1 - self.side].ravel()[at] = 0
        bits = self._bits[actions]
        self._marks[self.side, which] |= bits
        self._marks[1 - self.side, which] &= ~bits

    def _count_blocks(self) -> None:
        """The blocks of three of both sides."""
        n = self.game.size
        grid = self.planes[:, : n * n].reshape(2, n, n, self.count)
        rows = grid[:, :-1] + grid[:, 1:]
        np.sum(rows[:, :, :-1] + rows[:, :, 1:] == 3, axis=(1, 2), out=self.points)

    def _find_legal(self) -> None:
        """What the mover may do: mark a free cell, or on a full board turn or trade markers."""
        cells, own, other = self.game.cell_count, self.own, self.other
        np.equal(own | other, 0, out=self.legal[:cells])
        full = (self._marks[0] | self._marks[1]) == (1 << cells) - 1
        if self.game.has_points or not full.any():
            return
        if self.game.exchanges:
            which = np.flatnonzero(full)
            pairs = own[:, None, which] & other[None, :, which]
            self.legal[cells : self.game.swap_action, which] = pairs.reshape(cells * cells, -1) != 0
        else:
            self.legal[:cells] |= (other & full).view(np.bool_)

    def _squares(self, marks: NDArray[Any]) -> Flags:
        pairs = marks & marks >> self._shifts[0]
        pairs &= pairs >> self._shifts[1]
        pairs &= self._corners
        squares: Flags = pairs != 0
        return squares

    def ended_games(self) -> tuple[Flags, Flags]:
        moved, waiting = self._marks[1 - self.side], self._marks[self.side]
        won = self._squares(moved)
        over = won | self._squares(waiting) if self.game.exchanges else won.copy()
        limit = self.turns >= self.game.limit
        if limit.any():
            won |= limit & ~over & self._won_at_limit()
            over |= limit
        return over, won

    def final_margins(self, ended: NDArray[np.intp]) -> NDArray[np.float64]:
        """By how many blocks, komi counted, the last mover is ahead in these games; a square counts as all blocks."""
        moved = np.where(self.last_movers(ended) == self.movers[ended], self.side, 1 - self.side)
        lead = self.points[moved, ended] - self.points[1 - moved, ended]
        second = np.where(self._last_wins[self.toss[ended]], 1, -1)
        squares = [self._squares(self._marks[side, ended]) for side in (moved, 1 - moved)]
        margins = np.select(squares, [len(self.game.quads), -len(self.game.quads)], lead + second * self.game.komi)
        return margins.astype(np.float64)

    def _won_at_limit(self) -> Flags:
        """Does whoever has made the last turn win without a square? By blocks, or if theirs is the second side."""
        last_wins: Flags = self._last_wins[self.toss]
        if not self.game.has_points:
            return last_wins
        lead = self.points[1 - self.side] - self.points[self.side] + np.where(last_wins, 1, -1) * self.game.komi
        won: Flags = (lead > 0) | (lead == 0) & last_wins
        return won


BATCH = CaptureSquareBatch
