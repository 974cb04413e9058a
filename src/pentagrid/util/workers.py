"""Independent pieces of work on all cores, with the results in the order of the pieces."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from threading import Thread
from types import FrameType
from typing import Any, TypeVar

from pentagrid.errors import OptionError

Piece = TypeVar("Piece")
Result = TypeVar("Result")

Mapper = Callable[[Callable[[Any], Any], Iterable[Any], Callable[[], bool]], Iterator[Any]]
"""Does long work: a function, its pieces (there may be no end of them) and a reason to stop become the results of the
pieces, in their order. The function and the pieces must be things that can be pickled."""

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


def on_cores(workers: int | None = None) -> Mapper:
    """Work on this machine: so many processes, or one for each core. Raises `OptionError`."""
    count = check_workers(workers)

    def mapper(work: Callable[[Piece], Result], pieces: Iterable[Piece], stop: Callable[[], bool]) -> Iterator[Result]:
        return map_on_workers(work, pieces, count, stop)

    return mapper


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
            pending += (pool.submit(_work_on, work, piece) for piece in islice(left, 4 * workers - len(pending)))
            if not pending:
                break
            if wait([pending[0]], STOP_CHECK_SECONDS).done:
                yield pending.popleft().result()
    except BrokenProcessPool:
        raise OptionError(
            "A process that did part of the work has died, perhaps because memory ran out. "
            "The same command goes on from there, where what is done is written down."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        if pending:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()


class _Ended(BaseException):
    """In a worker: the parent wants no more work."""


def _set_up_worker() -> None:
    """In a worker: leave Ctrl-C to the parent, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this worker when its parent ends, even if the parent is killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work_on(work: Callable[[Piece], Result], piece: Piece) -> Result:
    """In a worker: the result of a piece. SIGTERM unwinds the work, so that programs of players end too.

    Between two pieces it ends the process at once, with the lock on the pipe of pieces held. A worker that was unwound
    there could leave half a piece in the pipe, for the next one to read as a whole.
    """
    try:
        signal.signal(signal.SIGTERM, _end)
        return work(piece)
    except _Ended:
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    raise _Ended
