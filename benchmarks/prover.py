"""How much of Capture Square the prover settles on boards without tables, and whether it is right where there is one.

`python benchmarks/prover.py [positions]` looks at so many seeded positions of random games on 5x5 and 6x6 (1,000 unless
told), half of them past the middle, under both readings of Sudden Death and for either beginner of it in turn. Those
count that two seconds of processor time settle. `python benchmarks/prover.py all` compares the prover with the table of
4x4 in every position up to turning and mirroring, for either beginner of Sudden Death.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import inf
from statistics import median
from time import process_time

import numpy as np

import pentagrid as pg
from pentagrid.analysis.solver import Solver
from pentagrid.core.position import Position, bits
from pentagrid.core.rng import Dice
from pentagrid.core.symmetry import turns
from pentagrid.games.capture_square.prover import Prover
from pentagrid.games.capture_square.rules import CaptureSquare
from pentagrid.games.capture_square.solver import FAR, tables

SECONDS = 2.0
WAYS = [{"sudden_death": turn, "sudden_death_first": first} for turn in ("flip", "exchange") for first in ("1", "2")]
"""The ways to play that the positions take in turn."""
NODES = 40
"""Of each proof on 4x4: few, since there are millions, and what is proven must be right however little was done."""


def random_position(game: CaptureSquare, number: int, late: bool) -> Position:
    """A position of a random game with free cells and no square, at a ply drawn from one half of the game."""
    dice, half = Dice(number, int(late)), game.cell_count // 2 + 1
    while True:
        position = game.deal(seed=0)
        ply = half + dice.below(game.cell_count - half) if late else dice.below(half)
        while position.turn and position.ply < ply:
            position = game.after(position, dice.choice(position.actions()))
        if position.turn:
            return position


def settled(count: int) -> None:
    """The share of positions whose winner and number of moves are proven within the time."""
    total = all_exact = 0
    for size in (5, 6):
        for late in (False, True):
            times, winners, exact = [], 0, 0
            for number in range(count // 4):
                game = pg.load("capture-square", size=size, **WAYS[number % len(WAYS)])
                assert isinstance(game, CaptureSquare)
                position = random_position(game, number, late)
                (low, high), spent = timed_search(position)
                in_time = spent <= SECONDS
                times.append(spent)
                exact += in_time and low == high
                winners += in_time and (low > 0) == (high > 0)
            where = "past the middle" if late else "up to the middle"
            total, all_exact = total + len(times), all_exact + exact
            print(
                f"{size}x{size} {where}: {exact} of {len(times)} exact ({exact / len(times):.1%}), winner known in "
                f"{winners}; median {median(times):.3f} s, longest {max(times):.1f} s of processor time",
                flush=True,
            )
    print(f"together: {all_exact} of {total} exact ({all_exact / total:.1%})")


def timed_search(position: Position) -> tuple[tuple[int, int], float]:
    """Bounds of a position's worth, searched until the time is up, and the processor time that this took."""
    began = process_time()
    bounds, _ = Solver(position).search(position, inf, stop=lambda: process_time() - began > SECONDS)
    return bounds, process_time() - began


def every_position(game: CaptureSquare) -> Iterator[tuple[int, int, int, int]]:
    """Every position with free cells and no square, one of each eight alike: both players' markers, ply and worth."""
    cells = game.cell_count
    masks = np.arange(1 << cells, dtype=np.int64)
    square = np.array([game.square(int(mask)) != 0 for mask in masks])
    images = [np.sum([(masks >> cell & 1) << to for to, cell in enumerate(turn)], axis=0) for turn in turns(game.size)]
    counts = np.array([int(mask).bit_count() for mask in masks])
    for ply, worths in enumerate(tables(game).levels[:cells]):
        marked = masks[counts == ply]
        packed = np.flatnonzero(counts[: 1 << ply] == (ply + 1) // 2)
        first = np.zeros(worths.shape, np.int64)
        places = np.array([bits(int(mask)) for mask in marked], np.int64).reshape(len(marked), ply)
        for place in range(ply):
            first |= (packed >> place & 1)[None, :] << places[:, place, None]
        second = marked[:, None] ^ first
        least = np.min([image[first] << cells | image[second] for image in images], axis=0)
        chosen = (least == (first << cells | second)) & ~square[first] & ~square[second]
        for one, two, worth in zip(
            first[chosen].tolist(), second[chosen].tolist(), worths[chosen].tolist(), strict=True
        ):
            yield one, two, ply, worth


def compared() -> None:
    """Every position of 4x4: are the proven bounds around the table's worth?"""
    for beginner in (1, 2):
        game = pg.load("capture-square", sudden_death_first=str(beginner))
        assert isinstance(game, CaptureSquare)
        prover, total, exact = Prover(game), 0, 0
        for one, two, ply, worth in every_position(game):
            striker, other = (one, two) if beginner == 1 else (two, one)
            prover.forget()
            low, high = prover.prove(striker, other, (ply % 2 == 0) == (beginner == 1), FAR - ply, NODES)
            fortune = worth if beginner == 1 else -worth
            assert low <= fortune <= high, f"wrong: {one} {two}: {low} to {high}, not {fortune}"
            total, exact = total + 1, exact + (low == high)
        print(
            f"4x4, Sudden Death begun by Player {beginner}: {total:,} positions, none wrong, {exact / total:.1%} exact"
        )


if __name__ == "__main__":
    if sys.argv[1:] == ["all"]:
        compared()
    else:
        settled(int(sys.argv[1]) if sys.argv[1:] else 1000)
