"""What a census costs: processor time for a million deals of each game under perfect play, and between level 5 players.

    make bench-lab

The peer in the same run is the plain way, one deal at a time through the public solver (`lab.exact.one_by_one`), which
the tests hold the faster way to. Processor time on one core, the least of three; 10^9 deals are worked out from it.
"""

from __future__ import annotations

import platform
import time

import numpy as np

import pentagrid as pg
from pentagrid.fairness import perfect as exact
from pentagrid.fairness import played as playing
from pentagrid.fairness.census import plan_census
from pentagrid.fairness.deals import Deals

MILLION, BILLION = 10**6, 10**9
DEALS = {"matrix-capture": 262_144, "number-cross": 262_144, "number-grid-battle": 262_144}
FEW, GAMES = 512, 256


def seconds(work, *args: object) -> float:
    """The least processor time of three runs."""
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        work(*args)
        best = min(best, time.process_time() - began)
    return best


def duration(spent: float) -> str:
    """Seconds in words."""
    for unit, length in (("years", 365 * 86400), ("days", 86400), ("h", 3600), ("min", 60)):
        if spent >= 2 * length:
            return f"{spent / length:.1f} {unit}"
    return f"{spent:.1f} s"


def main() -> None:
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}\n")
    print(
        f"{'perfect play':<20} {'deals/s':>10} {'a million':>10} {'10^9, 1 core':>13} {'64 cores':>10} {'to plain':>9}"
    )
    for name in pg.game_names():
        deals: Deals = plan_census(pg.load(name), 10).deals
        count = DEALS.get(name, FEW)
        exact.tally(deals, False, 0, 8)
        each = seconds(exact.tally, deals, False, 0, count) / count
        plain = seconds(exact.one_by_one, deals, False, 0, FEW) / FEW
        print(
            f"{pg.load(name).title:<20} {1 / each:>10,.0f} {duration(MILLION * each):>10}"
            f" {duration(BILLION * each):>13} {duration(BILLION * each / 64):>10} {plain / each:>8.1f}x"
        )
    print(f"\n{'level:5 against itself':<22} {'games/s':>8} {'a million':>10}")
    for name in pg.game_names():
        deals = plan_census(pg.load(name), 10).deals
        each = seconds(playing.tally, deals, False, ("level:5", "level:5"), 0, GAMES) / GAMES
        print(f"{pg.load(name).title:<22} {1 / each:>8,.0f} {duration(MILLION * each):>10}")


if __name__ == "__main__":
    main()
