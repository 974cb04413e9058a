"""Exact values in Capture Square: tables of all positions on 3x3 and 4x4; on larger boards what `prover` proves.

Worth counts from the end: a game that Player 1 wins with its e-th turn is worth FAR - e, one that Player 2 wins so
-(FAR - e). So whoever wins hurries and whoever loses delays, and a position's worth is simply the largest (for
Player 2 the smallest) of what its moves lead to. The turn e never needs to be stored: a position knows its turn.

Placing, level k (k cells marked): a row for each set S of k cells, in it an entry for each choice X of the ceil(k/2)
of them that are Player 1's, both by rank among the sets of their size; X is packed to the k cells of S:

    level k:   S rank 0   [ X rank 0, 1, 2, ... C(k, ceil(k/2)) - 1 ]        a claim of cell c leads to row S + c of
               S rank 1   [ ...                                     ]        level k + 1; in X a bit (1 for Player 1,
               ...                                                           0 for Player 2) is pushed in at c's place

10,165,779 entries on 4x4, a byte each. Sudden Death, turn t: an entry for each full board, by Player 1's mask.

Under `blocks` a full board without a square is worth Player 1's lead in blocks instead, which is always nearer to 0
than any square, so the same tables hold: a square outranks every lead. Komi comes last, since it keeps that order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.deal_solver import DealSolver, ScoringSolver, Value, margin_now
from pentagrid.core.game import Game
from pentagrid.core.position import Position, bits
from pentagrid.games.capture_square.openings import proven_openings
from pentagrid.games.capture_square.prover import Prover
from pentagrid.games.capture_square.rules import CaptureSquare

FAR = 100
"""Further than any game lasts (72 turns on 6x6)."""
MOST_LEAD = 25
"""The most blocks that there are (on 6x6): under `blocks` an entry of a table beyond this is a square (36 turns)."""
BEYOND_POINTS = 8000
"""Under `blocks`, what a square is worth beyond its entry: more than any lead with any komi."""
LARGEST_TABLE = 4
QUICK = 2000
"""Nodes of a proof for the bounds of one position on a larger board."""
SEARCHED = 10
"""Free cells up to which a search goes through what the prover leaves open."""

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
        self.counts = counts = np.array([mask.bit_count() for mask in range(1 << cells)], np.int8)
        """By a set of cells: how many they are."""
        self._groups = [everything[counts == k] for k in range(cells + 1)]
        self.ranks: Sets = np.zeros(1 << cells, np.int32)
        """By a set of cells: its place among those of its size."""
        for group in self._groups:
            self.ranks[group] = np.arange(len(group))
        self.square = np.array([game.square(mask) != 0 for mask in range(1 << cells)])
        """By a set of cells: have they a square?"""
        self.blocks = np.array([game.blocks(mask) for mask in range(1 << cells)], np.int8)
        """By a set of cells: how many blocks have exactly three of them?"""
        self.needed: Sets = np.zeros(1 << cells, np.int32)
        """By a set of cells: those that would complete a square, whoever holds them."""
        for quad in map(np.int32, game.quads):
            missing = quad & ~everything
            self.needed |= np.where(counts[missing] == 1, missing, 0)
        self.sudden = [self.blocks - self.blocks[::-1]] if game.has_points else self._sudden_death(game)
        self.levels = self._placing(counts)

    def _sudden_death(self, game: CaptureSquare) -> list[Worths]:
        """By turns made: the worth of every full board with Player 1's mask as its index."""
        tables: list[Worths] = [np.full(1 << self.cells, -(FAR - game.limit), np.int8)]
        for turn in range(game.limit - 1, self.cells - 1, -1):
            mover = game.side_at(turn)
            after = self._with_squares(tables[-1], turn, mover)
            here = np.full_like(after, -128 if mover == 1 else 127)
            for swap, legal in self._swaps(game, mover):
                here[legal] = better(mover)(here[legal], after[legal ^ swap])
            tables.append(here)
        return tables[::-1]

    def _with_squares(self, later: Worths, turn: int, mover: int) -> Worths:
        """The worth of every full board after a turn of Sudden Death, from that of boards without a square."""
        after = later.copy()
        squares = {1: self.square, 2: self.square[::-1]}
        for owner in (3 - mover, mover):  # the mover's own square comes first, so it is written last
            after[squares[owner]] = (FAR - turn - 1) * (1 if owner == 1 else -1)
        return after

    def after_turn(self, game: CaptureSquare, turn: int) -> Worths:
        """The worth of every full board after a turn of Sudden Death, with Player 1's mask as its index."""
        return self._with_squares(self.sudden[turn + 1 - self.cells], turn, game.side_at(turn))

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
        worths[self.square[last]] = (FAR - cells) * (-1 if cells % 2 == 0 else 1)
        levels = [worths[None, :]]
        for k in range(cells - 1, -1, -1):
            levels.append(self._level(k, levels[-1], counts))
        return levels[::-1]

    def _level(self, k: int, below: Worths, counts: NDArray[np.int8]) -> Worths:
        cells, rows = self.cells, self._groups[k]
        first = k % 2 == 0
        owned = np.flatnonzero(counts[: 1 << k] == (k + 1) // 2).astype(np.int32)
        pushed = np.array(  # by the place of the new cell among the marked ones: the rank of X with the bit pushed in
            [self.ranks[(owned & (1 << r) - 1) | owned >> r << r + 1 | (first << r)] for r in range(k + 1)]
        )
        marked = (rows[:, None] >> np.arange(cells)) & 1
        order = np.argsort(marked, axis=1, kind="stable").astype(np.int32)
        worths = np.full((len(rows), len(owned)), -128 if first else 127, np.int8)
        for i in range(cells - k):
            cell = order[:, i]
            place = counts[rows & (1 << cell) - 1]
            row = self.ranks[rows | 1 << cell]
            led = below.ravel()[row[:, None] * below.shape[1] + pushed[place]]
            better(1 if first else 2)(worths, led, out=worths)
        marks = np.zeros(worths.shape, np.uint16)  # the marks of whoever moved last, unpacked
        for i in range(k):
            last = owned >> i & 1 if not first else 1 - (owned >> i & 1)
            marks |= last.astype(np.uint16) << order[:, cells - k + i].astype(np.uint16)[:, None]
        worths[self.square[marks]] = -(FAR - k) if first else FAR - k
        return worths

    def placed(self, one: Sets, two: Sets, turn: int) -> Worths:
        """The worth after each cell is marked, a row for each cell, in many positions; 0 where it is taken."""
        marked, first = one | two, turn % 2 == 0
        packed, lower = np.zeros_like(one), np.zeros((self.cells, len(one)), np.int32)
        for cell in range(self.cells):
            lower[cell] = self.counts[marked & (1 << cell) - 1]
            packed |= (one >> cell & 1) << lower[cell]
        worths = np.zeros((self.cells, len(one)), np.int8)
        for cell, place in enumerate(lower):
            free = np.flatnonzero(marked >> cell & 1 == 0)
            below, among = packed[free], place[free]
            pushed = below & (1 << among) - 1 | below >> among << among + 1 | int(first) << among
            worths[cell, free] = self.levels[turn + 1][self.ranks[marked[free] | 1 << cell], self.ranks[pushed]]
        return worths

    def worth(self, position: Position) -> int:
        marked = position.one | position.two
        if position.ply >= self.cells:
            return int(self.sudden[position.ply - self.cells][position.one])
        packed = sum(1 << i for i, cell in enumerate(bits(marked)) if position.one >> cell & 1)
        return int(self.levels[position.ply][self.ranks[marked], self.ranks[packed]])


def tables(game: CaptureSquare) -> Tables:
    """The tables of a game, made once in a process and only when needed; komi and pie rule change nothing in them."""
    return _tables(type(game)(game.size, **{**game.rules, "komi": "0", "pie": "off"}))


@lru_cache(maxsize=4)
def _tables(game: CaptureSquare) -> Tables:
    return Tables(game)


class CaptureSquareSolver(DealSolver):
    game: CaptureSquare
    scale = 1.0
    efforts = (10_000, 50_000, 250_000)
    hardness_cuts = (112, 384, 615, 1250)

    def __init__(self, game: Game, numbers: tuple[int, ...]) -> None:
        super().__init__(game, numbers)
        if self.game.has_points:
            self.scale = 2.5

    def bounds(self, position: Position) -> tuple[int, int]:
        entry = self._entry(position)
        if entry is None:
            low, high = self._proven(position)
            return self._worth(low), self._worth(high)
        worth = self._worth(entry)
        return worth, worth

    def _entry(self, position: Position) -> int | None:
        """The entry of a table, or what it would be: FAR less the turns of a square, or a lead in blocks."""
        outcome = position.outcome()
        if outcome is not None:
            if outcome.reason in ("score", "tie-break"):
                return margin_now(position)
            return (FAR - position.ply) * (1 if outcome.winner == 1 else -1)
        return self._tables.worth(position) if self.game.size <= LARGEST_TABLE else None

    @cached_property
    def _tables(self) -> Tables:
        return tables(self.game)

    def _worth(self, entry: int) -> int:
        """The worth of an entry: under `blocks` a lead as games won on points count it, a square beyond all of them."""
        if not self.game.has_points:
            return entry
        if abs(entry) > MOST_LEAD:
            return entry + (BEYOND_POINTS if entry > 0 else -BEYOND_POINTS)
        return round(4 * self.game.with_komi(entry)) or (1 if self.game.winner_by(0) == 1 else -1)

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - the solvers of a few deals are kept
    def _proven(self, position: Position) -> tuple[int, int]:
        """What little work proves: always the same, so that games depend on nothing but their seed."""
        low, high = self._horizon(position)
        if low == high or self.game.has_points or not self._placing(position):
            return low, high
        return self.tighten(position, QUICK, lambda: False)

    def tighten(self, position: Position, work: int, stop: Callable[[], bool]) -> tuple[int, int]:
        """What the prover finds while cells are free; in Sudden Death, and where blocks are counted, nothing more."""
        if self.instant or self.game.has_points or not self._placing(position) or position.outcome() is not None:
            return self.bounds(position)
        game = self.game
        striker = game.side_at(game.cell_count)
        own, other = (position.one, position.two) if striker == 1 else (position.two, position.one)
        self._prover.forget()
        low, high = self._prover.prove(own, other, position.mover == striker, FAR - position.ply, work, stop)
        return (low, high) if striker == 1 else (-high, -low)

    @cached_property
    def _prover(self) -> Prover:
        return Prover(self.game, proven_openings(self.game.size))

    @property
    def instant(self) -> bool:
        return self.game.size <= LARGEST_TABLE

    def searchable(self, position: Position) -> bool:
        """Earlier, what the prover leaves open takes too long to search."""
        return self.instant or self.game.has_points or position.turns >= self.game.cell_count - SEARCHED

    def _placing(self, position: Position) -> bool:
        return position.one | position.two != (1 << self.game.cell_count) - 1

    def _horizon(self, position: Position) -> tuple[int, int]:
        """What the next two turns prove: a square that can be completed at once, or two that cannot both be stopped."""
        mover, turn = position.mover, position.ply
        sign = 1 if mover == 1 else -1
        if self.game.completions(position, mover):
            worth = sign * (FAR - turn - 1)
            return worth, worth
        worst, most = -sign * (FAR - turn - 2), sign * (FAR - turn - 3)
        if self._placing(position) and self.game.completions(position, 3 - mover).bit_count() > 1:
            return worst, worst
        return min(worst, most), max(worst, most)

    def value(self, position: Position, low: int, high: int) -> Value:
        winner = 1 if low > 0 else 2 if high < 0 else None
        if low != high:
            return Value(winner, None, None)
        margin = self._margin(low)
        if margin is not None:
            return Value(winner, margin, None)
        return Value(winner, None, FAR - abs(low) % BEYOND_POINTS - position.ply)

    def _margin(self, worth: int) -> float | None:
        """The final margin of a worth; None where a square decides."""
        return ScoringSolver.margin(worth) if self.game.has_points and abs(worth) < BEYOND_POINTS else None

    def exchanged(self, low: int, high: int) -> tuple[int, int]:
        """A swap is a turn, so a square comes one later."""
        return self._exchanged(high), self._exchanged(low)

    def _exchanged(self, worth: int) -> int:
        return -worth if self._margin(worth) is not None else (1 if worth > 0 else -1) - worth

    def regret(self, best: int, worth: int) -> float:
        """Points lost, a square counted as all blocks; without points, 1 for a game lost."""
        if not self.game.has_points:
            return int((best > 0) != (worth > 0))
        return abs(self._points(best) - self._points(worth))

    def _points(self, worth: int) -> float:
        """Player 1's final margin, komi counted; a square counts as all blocks, whatever the komi."""
        margin = self._margin(worth)
        if margin is not None:
            return margin
        return len(self.game.quads) if worth > 0 else -len(self.game.quads)


SOLVER = CaptureSquareSolver
