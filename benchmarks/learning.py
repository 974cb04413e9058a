"""What agents reach that teach themselves from nothing, in how much time, on whatever device JAX finds.

    .venv/bin/python benchmarks/learning.py [GAME ...] [--seeds 3] [--deals 10000] [--seconds S]

Each game has the time that stands in docs/performance.md, compilation apart; --seconds gives all of them another. The
policy alone is measured, without search, on deals that it never learned from, from both seats, against three opponents;
results are counted as kept or not only where moves differ in result.
"""

from __future__ import annotations

import argparse

import jax

import pentagrid as pg
from pentagrid.train.measurement import Measurement
from pentagrid.train.training import Budget, TrainingRun, usual_plan

SECONDS = {
    "number-cross": 60,
    "number-grid-battle": 60,
    "matrix-capture": 180,
    "capture-squares": 180,
    "capture-square": 180,
}
FEW = 256
"""Deals that are measured on the way; what is printed is measured at the end."""


def reached(name: str, seconds: float, seed: int, deals: int) -> str:
    """Train once and tell what was reached, in a line."""
    game = pg.load(name)
    run = TrainingRun(usual_plan(game, seed, FEW))
    run.train(Budget(seconds=seconds), lambda: None)
    found = Measurement(game, run.chosen, deals, seed=1).measure(run.learner).values()
    regret = "  ".join(f"{strength.regret.value:7.4f}" for strength in found)
    kept = "  ".join(f"{strength.kept.value:7.2%}" for strength in found)
    return f"{name:20} {seed:4} {run.seconds:5.0f} s {run.steps / 1e6:9.1f} M   {regret}    {kept}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all, if none is named")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--seconds", type=float)
    args = parser.parse_args()
    print(f"{jax.devices()[0].device_kind}, JAX {jax.__version__}; against random, level:5, perfect")
    print(f"{'game':20} {'seed':4} {'time':>7} {'moves':>11}   {'regret of a move':25}    result kept")
    for name in args.games or SECONDS:
        for seed in range(args.seeds):
            print(reached(name, args.seconds or SECONDS[name], seed, args.deals), flush=True)


if __name__ == "__main__":
    main()
