"""Independent pieces of work on all cores, with the results in the order of the pieces."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from threading import Thread
from types import FrameType
from typing import TypeVar

from pentagrid.errors import OptionError

Piece = TypeVar("Piece")
Result = TypeVar("Result")

MOST_WORKERS = 1024
STOP_CHECK_SECONDS = 0.2
"""The time between two calls of `stop` while nothing is finished."""


def check_workers(workers: int | None) -> int:
    """How many processes to use: as many as asked for, or one for each core. Raises `OptionError`."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= workers <= MOST_WORKERS:
        raise OptionError(f"--workers must be between 1 and {MOST_WORKERS}, not {workers}.")
    return workers


def map_on_workers(
    work: Callable[[Piece], Result],
    pieces: Iterable[Piece],
    workers: int,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Result]:
    """The result of each piece, in order, until `stop` says so. `work` must be a function that can be pickled.

    Raises `OptionError` if a process dies.
    """
    if workers == 1:
        for piece in pieces:
            if stop():
                return
            yield work(piece)
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _set_up_worker)
    left = iter(pieces)
    pending: deque[Future[Result]] = deque()
    try:
        while not stop():
            pending += (pool.submit(work, piece) for piece in islice(left, 4 * workers - len(pending)))
            if not pending:
                break
            if wait([pending[0]], STOP_CHECK_SECONDS).done:
                yield pending.popleft().result()
    except BrokenProcessPool:
        raise OptionError(
            "A process that did part of the work has died, perhaps because memory ran out. "
            "What is done is kept: the same command goes on from there."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        if pending:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()


def _set_up_worker() -> None:
    """In a worker: leave Ctrl-C to the parent, end cleanly on SIGTERM so that programs of players end too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this worker when its parent ends, even if the parent is killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(1)
