"""How many rows of a data set are made in a second of processor time.

    python benchmarks/dataset_rows.py

In one process, as `pentagrid dataset` does in a worker for each core; the best of several seeds. The start of processes
and the writing of files are left out. Number Grid Battle has few positions that differ by more than symmetry: the more
of them are asked for, the more games are played for each new one, so it is measured at several sizes.
"""

from __future__ import annotations

import platform
import time

import pentagrid as pg
from pentagrid.llm.dataset import make_dataset

MEASURED = (
    ("capture-square", 2000, 150),
    ("capture-squares", 2000, 150),
    ("matrix-capture", 5000, 1000),
    ("number-cross", 5000, 1000),
    ("number-grid-battle", 1000, 1000),
    ("number-grid-battle", 2000, 1000),
    ("number-grid-battle", 3000, 1000),
)
"""Games, how many rows, and how many a second each of two cores should make."""
SEEDS = 2


def rate(name: str, positions: int, seed: int) -> float:
    """Rows per second of processor time."""
    began = time.process_time()
    made = make_dataset(pg.load(name), positions, seed)
    return len(made.rows) / (time.process_time() - began)


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, one process\n")
    print(f"{'data sets':24} {'rows':>6} {'rows/s':>8}")
    for name, positions, aim in MEASURED:
        rate(name, 20, 0)  # tables and imports
        best = max(rate(name, positions, seed) for seed in range(1, 1 + SEEDS))
        print(f"{name:24} {positions:6} {best:8,.0f}   (aim: {aim:,} on each of two cores)", flush=True)


if __name__ == "__main__":
    main()
