"""How much longer a Dask worker takes for a chunk of a census than a process of this machine; the aim is 1.3 times.

    .venv/bin/python benchmarks/dask_worker.py

Needs the extra "cluster". Both count the same deals in turn, with one thread; the processor time of a chunk is
compared, the least of several. The worker is one that Dask starts with its nanny, as `dask worker` does.
"""

from __future__ import annotations

from time import process_time

from distributed import LocalCluster

import pentagrid as pg
from pentagrid.fairness.census import plan_census
from pentagrid.util.dask_cluster import on_cluster
from pentagrid.util.workers import on_cores

DEALS = {"matrix-capture": 262_144, "number-cross": 262_144, "capture-square": 65_536, "capture-squares": 1024}
CHUNKS, ROUNDS = 3, 3


def spent(name: str) -> float:
    """The processor time of one chunk, where this runs."""
    plan = plan_census(pg.load(name), DEALS[name])
    plan.tally(0, 8)  # what is made only once does not count
    began = process_time()
    plan.tally(0, plan.total)
    return process_time() - began


def main() -> None:
    print(f"{'perfect play':<18} {'local deals/s':>14} {'worker deals/s':>15} {'worker takes':>13}")
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        local, worker = on_cores(1), on_cluster(cluster.scheduler_address)
        for name, deals in DEALS.items():
            times = {
                mapper: min(min(mapper(spent, [name] * CHUNKS, lambda: False)) for _ in range(ROUNDS))
                for mapper in (local, worker)
            }
            here, there = times[local], times[worker]
            title = pg.load(name).title
            print(f"{title:<18} {deals / here:>14,.0f} {deals / there:>15,.0f} {there / here:>12.2f}x", flush=True)


if __name__ == "__main__":
    main()
