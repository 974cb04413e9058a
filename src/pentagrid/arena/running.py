"""A tournament on all cores: the same results in the same order whatever their number."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from pathlib import Path
from types import FrameType

from pentagrid.arena.plan import Plan, Round
from pentagrid.arena.playing import Row, play_round
from pentagrid.arena.results import Results

BATCH_GAMES = 64
"""About so many games are sent to a worker at once."""
LOOK = 0.2
"""Seconds between two looks whether somebody has had enough."""


def run(
    plan: Plan,
    path: Path,
    workers: int | None = None,
    progress: Callable[[float], None] = lambda share: None,
    stop: Callable[[], bool] = lambda: False,
) -> Results:
    """Play what is missing of a tournament, and write every game down as it ends.

    Returns early when `stop` says so; the same call goes on from there. Raises `OptionError`.
    """
    results = Results(path, plan)
    try:
        missing = results.missing()
        size = max(1, BATCH_GAMES // max(1, 2 * len(plan.pairs)))
        batches = deque(tuple(missing[i : i + size]) for i in range(0, len(missing), size))
        count = workers or os.cpu_count() or 1
        play = _play_alone if count == 1 or len(batches) < 2 else _play_together
        play(plan, batches, results, progress, stop, count)
    finally:
        results.close()
    return results


def _play_batch(plan: Plan, batch: tuple[Round, ...]) -> list[Row]:
    return [row for which in batch for row in play_round(plan, which)]


def _play_alone(
    plan: Plan, batches: deque[tuple[Round, ...]], results: Results,
    progress: Callable[[float], None], stop: Callable[[], bool], count: int,
) -> None:  # fmt: skip
    for batch in batches:
        for which in batch:
            if stop():
                return
            results.add(play_round(plan, which))
            progress(len(results.rows) / plan.total)


def _play_together(
    plan: Plan, batches: deque[tuple[Round, ...]], results: Results,
    progress: Callable[[float], None], stop: Callable[[], bool], count: int,
) -> None:  # fmt: skip
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _obey_the_parent)
    pending: deque[Future[list[Row]]] = deque()
    try:
        while batches or pending:
            while batches and len(pending) < 4 * count:
                pending.append(pool.submit(_play_batch, plan, batches.popleft()))
            if wait([pending[0]], LOOK).done:
                results.add(pending.popleft().result())
                progress(len(results.rows) / plan.total)
            if stop():
                break
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        if pending:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()


def _obey_the_parent() -> None:
    """In a worker: Ctrl-C is the parent's to handle, and being ended ends the programs at the table too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(1)
