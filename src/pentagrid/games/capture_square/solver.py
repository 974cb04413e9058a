"""Exact values in Capture Square: tables of all positions on 3x3 and 4x4; proven bounds on larger boards.

Worth counts from the end: a game that Player 1 wins with its e-th turn is worth FAR - e, one that Player 2 wins so
-(FAR - e). So whoever wins hurries and whoever loses delays, and a position's worth is simply the largest (for
Player 2 the smallest) of what its moves lead to. The turn e never needs to be stored: a position knows its turn.

Placing, level k (k cells marked): a row for each set S of k cells, in it an entry for each choice X of the ceil(k/2)
of them that are Player 1's, both by rank among the sets of their size; X is packed to the k cells of S:

    level k:   S rank 0   [ X rank 0, 1, 2, ... C(k, ceil(k/2)) - 1 ]        a claim of cell c leads to row S + c of
               S rank 1   [ ...                                     ]        level k + 1; in X a bit (1 for Player 1,
               ...                                                           0 for Player 2) is pushed in at c's place

10,165,779 entries on 4x4, a byte each. Sudden Death, turn t: an entry for each full board, by Player 1's mask.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.deal_solver import DealSolver, Value
from pentagrid.core.game import Game
from pentagrid.core.position import Position, bits
from pentagrid.games.capture_square.rules import CaptureSquare

FAR = 100
"""Further than any game lasts (72 turns on 6x6)."""
LARGEST_TABLE = 4

Sets = NDArray[np.int32]
Worths = NDArray[np.int8]


def better(mover: int) -> np.ufunc:
    """Of two worths, the one that the mover chooses."""
    return np.maximum if mover == 1 else np.minimum


class Tables:
    """All positions of one size and one reading of Sudden Death."""

    def __init__(self, game: CaptureSquare) -> None:
        cells = game.cell_count
        self.cells = cells
        everything: Sets = np.arange(1 << cells, dtype=np.int32)
        counts = np.array([mask.bit_count() for mask in range(1 << cells)], np.int8)
        self._groups = [everything[counts == k] for k in range(cells + 1)]
        self._ranks: Sets = np.zeros(1 << cells, np.int32)
        for group in self._groups:
            self._ranks[group] = np.arange(len(group))
        self._square = np.array([game.square(mask) != 0 for mask in range(1 << cells)])
        self.sudden = self._sudden_death(game)
        self.levels = self._placing(counts)

    def _sudden_death(self, game: CaptureSquare) -> list[Worths]:
        """By turns made: the worth of every full board with Player 1's mask as its index."""
        boards, full = np.arange(1 << self.cells, dtype=np.int32), (1 << self.cells) - 1
        squares = {1: self._square, 2: self._square[full ^ boards]}
        tables: list[Worths] = [np.full(1 << self.cells, -(FAR - game.limit), np.int8)]
        for turn in range(game.limit - 1, self.cells - 1, -1):
            mover = game.side_at(turn)
            after, here = tables[-1].copy(), np.full(1 << self.cells, -128 if mover == 1 else 127, np.int8)
            for owner in (3 - mover, mover):  # the mover's own square comes first, so it is written last
                after[squares[owner]] = (FAR - turn - 1) * (1 if owner == 1 else -1)
            for swap, legal in self._swaps(game, mover):
                here[legal] = better(mover)(here[legal], after[legal ^ swap])
            tables.append(here)
        return tables[::-1]

    @lru_cache(maxsize=2)  # noqa: B019 - the tables live as long as the process
    def _swaps(self, game: CaptureSquare, mover: int) -> list[tuple[int, Sets]]:
        """Every change of a Sudden Death turn, as the bits it turns, with the boards on which it is legal."""
        boards = np.arange(1 << self.cells, dtype=np.int32)
        if game.exchanges:
            pairs = [1 << i | 1 << j for i in range(self.cells) for j in range(i)]
            half = boards[np.isin(boards, self._groups[(self.cells + 1) // 2])]
            return [(pair, half[(half & pair != 0) & (half & pair != pair)]) for pair in pairs]
        return [(1 << i, boards[boards & 1 << i == (0 if mover == 1 else 1 << i)]) for i in range(self.cells)]

    def _placing(self, counts: NDArray[np.int8]) -> list[Worths]:
        cells, full = self.cells, (1 << self.cells) - 1
        boards = self._groups[(cells + 1) // 2]
        worths = self.sudden[0][boards]
        last = full ^ boards if cells % 2 == 0 else boards
        worths[self._square[last]] = (FAR - cells) * (-1 if cells % 2 == 0 else 1)
        levels = [worths[None, :]]
        for k in range(cells - 1, -1, -1):
            levels.append(self._level(k, levels[-1], counts))
        return levels[::-1]

    def _level(self, k: int, below: Worths, counts: NDArray[np.int8]) -> Worths:
        cells, rows = self.cells, self._groups[k]
        first = k % 2 == 0
        owned = np.flatnonzero(counts[: 1 << k] == (k + 1) // 2).astype(np.int32)
        pushed = np.array(  # by the place of the new cell among the marked ones: the rank of X with the bit pushed in
            [self._ranks[(owned & (1 << r) - 1) | owned >> r << r + 1 | (first << r)] for r in range(k + 1)]
        )
        marked = (rows[:, None] >> np.arange(cells)) & 1
        order = np.argsort(marked, axis=1, kind="stable").astype(np.int32)
        worths = np.full((len(rows), len(owned)), -128 if first else 127, np.int8)
        for i in range(cells - k):
            cell = order[:, i]
            place = counts[rows & (1 << cell) - 1]
            row = self._ranks[rows | 1 << cell]
            led = below.ravel()[row[:, None] * below.shape[1] + pushed[place]]
            better(1 if first else 2)(worths, led, out=worths)
        marks = np.zeros(worths.shape, np.uint16)  # the marks of whoever moved last, unpacked
        for i in range(k):
            last = owned >> i & 1 if not first else 1 - (owned >> i & 1)
            marks |= last.astype(np.uint16) << order[:, cells - k + i].astype(np.uint16)[:, None]
        worths[self._square[marks]] = -(FAR - k) if first else FAR - k
        return worths

    def worth(self, position: Position) -> int:
        marked = position.one | position.two
        if position.ply >= self.cells:
            return int(self.sudden[position.ply - self.cells][position.one])
        packed = sum(1 << i for i, cell in enumerate(bits(marked)) if position.one >> cell & 1)
        return int(self.levels[position.ply][self._ranks[marked], self._ranks[packed]])


@lru_cache(maxsize=4)
def tables(game: CaptureSquare) -> Tables:
    """The tables of a game, made once in a process and only when needed."""
    return Tables(game)


class CaptureSquareSolver(DealSolver):
    game: CaptureSquare
    scale = 1.0
    hardness_cuts = (46, 130, 200, 325)

    def __init__(self, game: Game, numbers: tuple[int, ...]) -> None:
        super().__init__(game, numbers)

    def bounds(self, position: Position) -> tuple[int, int]:
        outcome = position.outcome()
        if outcome is not None:
            worth = (FAR - position.ply) * (1 if outcome.winner == 1 else -1)
            return worth, worth
        if self.game.size <= LARGEST_TABLE:
            worth = tables(self.game).worth(position)
            return worth, worth
        return self._horizon(position)

    def _horizon(self, position: Position) -> tuple[int, int]:
        """What the next two turns prove: a square that can be completed at once, or two that cannot both be stopped."""
        mover, turn = position.mover, position.ply
        sign = 1 if mover == 1 else -1
        if self.game.completions(position, mover):
            worth = sign * (FAR - turn - 1)
            return worth, worth
        worst, most = -sign * (FAR - turn - 2), sign * (FAR - turn - 3)
        placing = position.one | position.two != (1 << self.game.cell_count) - 1
        if placing and self.game.completions(position, 3 - mover).bit_count() > 1:
            return worst, worst
        return min(worst, most), max(worst, most)

    def value(self, position: Position, low: int, high: int) -> Value:
        if low == high:
            return Value(1 if low > 0 else 2, None, FAR - abs(low) - position.ply)
        return Value(1 if low > 0 else 2 if high < 0 else None, None, None)

    def exchanged(self, low: int, high: int) -> tuple[int, int]:
        """A swap is a turn, so the game ends one later."""
        return (1 if high > 0 else -1) - high, (1 if low > 0 else -1) - low

    def regret(self, best: int, worth: int) -> int:
        return int((best > 0) != (worth > 0))


SOLVER = CaptureSquareSolver
