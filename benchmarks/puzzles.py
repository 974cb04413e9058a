"""How many puzzles per second are made, compared with a plain generator in the same run.

    python benchmarks/puzzles.py

Both write the same rows: from random games, no two that are the same puzzle, at most two of a game, each graded and
written as a line of JSON. The plain generator calls `puzzle_of` for one position at a time. Measured by the wall clock
on one core, the best of several runs; the aim for Matrix Capture is 1,000 per second.
"""

from __future__ import annotations

import json
import platform
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

import pentagrid as pg
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.puzzles import puzzle as puzzles
from pentagrid.puzzles import sets as puzzle_sets

COUNTS = {"matrix-capture": 3000}
OTHERS = 150
AIM = {"matrix-capture": 1000}
MEASURED = 2000
"""How many puzzles the shares of the difficulties are measured on."""


def plain(game: pg.Game, count: int) -> int:
    """The same kind of set, made one position at a time."""
    identity, seen, number = puzzle_sets.puzzle_identity(game), set(), 0
    while len(seen) < count:
        answers = set()
        for position in puzzles.random_positions(game, Dice(0, Stream.PUZZLE_SET, number)):
            try:
                puzzle = puzzles.puzzle_of(position)
            except pg.OptionError:
                continue
            key = identity(position)
            fresh = key not in seen and puzzle.answer not in answers
            if fresh and len(answers) < puzzle_sets.MOST_OF_A_GAME and len(seen) < count:
                seen.add(key)
                json.dumps(puzzle.data())
                answers.add(puzzle.answer)
        number += 1
    return len(seen)


def rate(make: Callable[[], int], times: int) -> float:
    """Puzzles per second, the best of several runs."""
    best = 0.0
    for _ in range(times):
        began = time.perf_counter()
        count = make()
        best = max(best, count / (time.perf_counter() - began))
    return best


def main() -> None:
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}\n")
    print(f"{'game':20}{'puzzles/s':>10}{'plain':>8}{'ratio':>7}{'aim':>7}  slowest of 20 to make, s, by difficulty")
    for name in puzzles.puzzle_games():
        game = pg.load(name)
        puzzle_sets.generate_puzzles(game, 1)  # tables that are made once
        count = COUNTS.get(name, OTHERS)
        ours = rate(lambda game=game, count=count: puzzle_sets.generate_puzzles(game, count).text().count("\n"), 5)
        theirs = rate(lambda game=game, count=count: plain(game, count // 10), 3)
        slowest = []
        for difficulty in range(1, 6):
            spent = []
            for seed in range(20):
                began = time.perf_counter()
                puzzles.make_puzzle(game, difficulty, seed)
                spent.append(time.perf_counter() - began)
            slowest.append(f"{max(spent):.2f}")
        aim = str(AIM.get(name, ""))
        print(f"{name:20}{ours:10,.0f}{theirs:8,.0f}{ours / theirs:7.1f}{aim:>7}  {' '.join(slowest)}")
    print(f"\nshares of {MEASURED} puzzles (seed 1), %: difficulty 1-5 | the one winning move | depth")
    for name in puzzles.puzzle_games():
        made = puzzle_sets.generate_puzzles(pg.load(name), MEASURED, seed=1).puzzles
        shares = Counter(puzzle.difficulty for puzzle in made)
        wins = sum(puzzle.kind == "win" for puzzle in made)
        depths = Counter(puzzle.grade.depth for puzzle in made)
        depth_shares = ", ".join(f"{depth}: {100 * depths[depth] / len(made):.0f}" for depth in sorted(depths))
        grades = " ".join(f"{100 * shares[grade] / len(made):4.0f}" for grade in range(1, 6))
        print(f"{name:20} {grades} | {100 * wins / len(made):.0f} | {depth_shares}")


if __name__ == "__main__":
    main()
