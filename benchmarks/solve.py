"""Speed of exact values, beside a plain C loop in the same run where a C compiler is present.

    make bench

The C loop fills the table of all 3^16 = 43,046,721 positions of a 4x4 deal of Capture Squares the plain way: for
every set of claimed cells from the fullest down, for every choice of owners, the best of all claims. Ours solves the
same deal by sets alone (see games/capture_squares/solver.py), and for a fair comparison also writes out all
43,046,721 values; the two tables are compared entry by entry.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import pentagrid as pg
from pentagrid.analysis.solver import solver_of
from pentagrid.core.catalog import part
from pentagrid.games.capture_squares.solver import ClaimTable, every_position

LOOP = r"""
#include <stdint.h>
#include <stdlib.h>
/* numbers[16]; table: a block of 2^|S| bytes for each set S, at offset[S], by the owner mask packed to S. */
void fill(const int *numbers, uint8_t *table, const uint32_t *offset) {
    for (int s = 65535; s >= 0; s--) {
        int k = __builtin_popcount(s), first = k % 2 == 0, moves = 0;
        uint32_t low[16], fixed[16], base[16];
        for (int c = 0; c < 16; c++) {
            if (s >> c & 1) continue;
            int t = s | 1 << c, rank = __builtin_popcount(s & ((1 << c) - 1));
            uint32_t force = 1u << rank;
            int near[4] = {c >= 4 ? c - 4 : -1, c < 12 ? c + 4 : -1, c % 4 ? c - 1 : -1, c % 4 < 3 ? c + 1 : -1};
            for (int i = 0; i < 4; i++) {
                int d = near[i];
                if (d >= 0 && s >> d & 1 && numbers[d] < numbers[c])
                    force |= 1u << __builtin_popcount(t & ((1 << d) - 1));
            }
            low[moves] = (1u << rank) - 1;
            fixed[moves] = force;
            base[moves++] = offset[t];
        }
        uint8_t *block = table + offset[s];
        for (uint32_t o = 0; o < 1u << k; o++) {
            if (!moves) {
                int sum = 0;
                for (int c = 0; c < 16; c++) if (o >> c & 1) sum += numbers[c];
                block[o] = sum;
                continue;
            }
            int best = first ? 0 : 255;
            for (int m = 0; m < moves; m++) {
                uint32_t child = (o & low[m]) | (o & ~low[m]) << 1;
                child = first ? child | fixed[m] : child & ~fixed[m];
                int v = table[base[m] + child];
                if (first ? v > best : v < best) best = v;
            }
            block[o] = best;
        }
    }
}
"""


def shortest(run: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs, in seconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        found.append(time.perf_counter() - began)
    return min(found)


def c_loop(numbers: tuple[int, ...], offsets: np.ndarray) -> tuple[float, np.ndarray] | None:
    """The C loop's time and table, or None without a compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "loop.c"), Path(folder, "loop.so")
        source.write_text(LOOP)
        subprocess.run(
            [compiler, "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)], check=True
        )
        fill = ctypes.CDLL(str(library)).fill
    table = np.zeros(3**16, np.uint8)
    values = np.array(numbers, np.int32)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (values, table, offsets)]
    return shortest(lambda: fill(*pointers), 3), table


def capture_squares() -> None:
    game = pg.load("capture-squares")
    numbers = game.deal(seed=1).numbers
    ClaimTable(game, numbers, 0)  # the layers of a row are made once in a process
    sets = shortest(lambda: ClaimTable(game, numbers, 0), 20)
    full = shortest(lambda: every_position(game, numbers))
    print(f"Capture Squares 4x4, all 43,046,721 positions of a deal   {1000 * sets:8.1f} ms   as 65,536 sets")
    print(f"  written out one by one, both cores                      {1000 * full:8.1f} ms")
    counts = np.array([mask.bit_count() for mask in range(1 << 16)])
    offsets = (np.cumsum(1 << counts) - (1 << counts)).astype(np.uint32)
    peer = c_loop(numbers, offsets)
    if peer is None:
        print("  (no C compiler here to compare with)")
        return
    seconds, table = peer
    print(f"  plain C loop, gcc -O3 -march=native, one thread         {1000 * seconds:8.1f} ms")
    print(
        f"  ratio, as sets: {sets / seconds:.3f}   written out: {full / seconds:.2f}   (aim: at most 0.5, better 0.25)"
    )
    ours = every_position(game, numbers)
    for k in range(17):
        for row, mask in enumerate(np.flatnonzero(counts == k)):
            assert np.array_equal(ours[k][row], table[offsets[mask] : offsets[mask] + (1 << k)])
    print("  the two tables are the same, entry by entry")


def cold(name: str) -> float:
    """`pg.analyze` on a new deal in a new process, from its start to its end."""
    script = f"import pentagrid as pg; pg.analyze(pg.load({name!r}).deal(seed=5))"
    return shortest(lambda: subprocess.run([sys.executable, "-c", script], check=True))


def peak_memory() -> str:
    script = (
        "import pentagrid as pg, resource;"
        "from pentagrid.games.capture_squares.solver import every_position;"
        "g = pg.load('capture-squares'); every_position(g, g.deal(seed=1).numbers);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return f"{int(done.stdout) // 1024} MB"


def every_game() -> None:
    print(f"\n{'pg.analyze':24} {'cold, ms':>10} {'warm, ms':>10} {'look-up, µs':>12}   (aims: 1500, 5 or 600, 20)")
    for name in pg.game_names():
        game, seeds = pg.load(name), itertools.count(1000)
        pg.analyze(game.deal(seed=0))
        warm = shortest(lambda game=game, seeds=seeds: pg.analyze(game.deal(seed=next(seeds))), 50)
        position = game.deal(seed=7)
        for action in (0, 5, 3):
            position = position.play(position.actions()[action % len(position.actions())])
        solver = solver_of(position)
        lookup = shortest(lambda solver=solver, position=position: [solver.value(position) for _ in range(1000)])
        print(f"{name:24} {1000 * cold(name):>10.0f} {1000 * warm:>10.2f} {1000 * lookup:>12.1f}")


def large_boards() -> None:
    print("\nlarge boards, exact from the first move")
    for name, size in (("matrix-capture", 10), ("matrix-capture", 12), ("capture-squares", 5)):
        game, seeds = pg.load(name, size=size), itertools.count()
        pg.analyze(game.deal(seed=next(seeds)).play(0), 60)
        seconds = shortest(lambda game=game, seeds=seeds: pg.analyze(game.deal(seed=next(seeds)).play(0), 60), 3)
        print(f"{name} {size}x{size}".ljust(24) + f" {seconds:10.2f} s")


def batches() -> None:
    print("\nbatches of deals, one core")
    generator = np.random.default_rng(1)
    boards = generator.integers(1, 10, (16, 1_000_000), dtype=np.int8)
    firsts = part("matrix-capture", "solver").firsts
    seconds = shortest(lambda: firsts(pg.load("matrix-capture"), boards), 3)
    print(f"Matrix Capture 4x4       {boards.shape[1] / seconds:12,.0f} deals/s   (aim: 500,000)")
    deals = np.array(list(itertools.permutations(range(1, 10))), np.int8).T
    firsts = part("number-cross", "solver").firsts
    seconds = shortest(lambda: firsts(pg.load("number-cross"), deals), 3)
    print(f"Number Cross, all 362,880 deals in {seconds:.2f} s   (aim: 1 s)")


def capture_square() -> None:
    solver = part("capture-square", "solver")
    for rule in ("flip", "exchange"):
        game = pg.load("capture-square", sudden_death=rule)
        seconds = shortest(lambda game=game: solver.Tables(game), 3)
        print(f"Capture Square, all positions ({rule})".ljust(46) + f" {seconds:6.2f} s   (aim: 3 s for both)")


def main() -> None:
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}, {os.cpu_count()} cores\n")
    capture_squares()
    print(f"  peak memory of a process that does so: {peak_memory()}   (aim: 300 MB)\n")
    capture_square()
    every_game()
    large_boards()
    batches()
    print(f"\npeak memory of this benchmark: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
