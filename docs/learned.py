"""Make the policies of record again: the players called `learned`, and their curves for docs/baselines.md.

    make learned        about half an hour on two cores

Each game teaches itself as `pentagrid train GAME --steps N --deals 2000` does. Runs are kept in build/learned: one that
is interrupted goes on. The policies go into the games' folders, what was measured into docs/learned.json. Needs the
extra `train`.
"""

from __future__ import annotations

import json
import os
import platform
from importlib.resources import files
from pathlib import Path
from typing import Any

import jax

import pentagrid as pg
from pentagrid.core.catalog import find
from pentagrid.play.learned import FILE
from pentagrid.train.measurement import Measurement
from pentagrid.train.training import Budget, TrainingRun, usual_plan
from pentagrid.util.files import write_atomically

HERE = Path(__file__).parent
RUNS = HERE.parent / "build" / "learned"
DATA = HERE / "learned.json"
STEPS = {
    "number-grid-battle": 1_000_000,
    "number-cross": 1_500_000,
    "capture-square": 10_000_000,
    "matrix-capture": 16_000_000,
    "capture-squares": 30_000_000,
}
DEALS, FINAL_DEALS = 2_000, 10_000


def learn(name: str) -> dict[str, Any]:
    """Train one game, put its policy where it ships, and tell what it reached."""
    game = pg.load(name)
    run = TrainingRun(usual_plan(game, deals=DEALS))
    notes = RUNS / f"{name}.training.npz"
    if notes.exists():
        run.read(notes)
    run.train(Budget(steps=STEPS[name]), lambda: run.write(notes), lambda point: print(name, point, flush=True))
    run.policy().write(Path(str(files(find(name).__module__.rpartition(".")[0]).joinpath(FILE))))
    final = Measurement(game, run.chosen, FINAL_DEALS, seed=1).measure(run.learner)
    return {
        "machine": f"{jax.devices()[0].device_kind}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"JAX {jax.__version__}",
        "curve": [vars(point) for point in run.curve],
        "final": {who: strength.data() for who, strength in final.items()},
    }


def main() -> None:
    RUNS.mkdir(parents=True, exist_ok=True)
    write_atomically(DATA, json.dumps({name: learn(name) for name in STEPS}, indent=1) + "\n")


if __name__ == "__main__":
    main()
