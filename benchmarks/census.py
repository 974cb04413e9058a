"""What a census costs: processor time for a million deals of each game under perfect play, and between level 5 players.

    make bench-lab

It is compared in the same run with the plain way, one deal at a time through the public solver (`tally_one_by_one`).
Processor time on one core, the least of three runs; the time for 10^9 deals is calculated from it.
"""

from __future__ import annotations

import platform
import time

import numpy as np

import pentagrid as pg
from pentagrid.fairness.census import plan_census
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.perfect_play import perfect_tally, tally_one_by_one
from pentagrid.fairness.played_games import played_tally

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
    """Seconds as text, in a fitting unit."""
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
        perfect_tally(deals, False, 0, 8)
        each = seconds(perfect_tally, deals, False, 0, count) / count
        plain = seconds(tally_one_by_one, deals, False, 0, FEW) / FEW
        print(
            f"{pg.load(name).title:<20} {1 / each:>10,.0f} {duration(MILLION * each):>10}"
            f" {duration(BILLION * each):>13} {duration(BILLION * each / 64):>10} {plain / each:>8.1f}x"
        )
    print(f"\n{'level:5 against itself':<22} {'games/s':>8} {'a million':>10}")
    for name in pg.game_names():
        deals = plan_census(pg.load(name), 10).deals
        each = seconds(played_tally, deals, False, ("level:5", "level:5"), 0, GAMES) / GAMES
        print(f"{pg.load(name).title:<22} {1 / each:>8,.0f} {duration(MILLION * each):>10}")


if __name__ == "__main__":
    main()
