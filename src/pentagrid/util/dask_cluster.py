"""Long work on a running Dask cluster: one `dask scheduler`, and `dask worker` on any number of machines.

The scheduler gives a piece whose worker dies to another. Needs the extra "cluster", here and on the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from ctypes import CDLL
from functools import cache
from itertools import count, islice
from typing import Any

from distributed import CancelledError, Client, Future, KilledWorker, wait
from distributed.comm import CommClosedError

from pentagrid import __version__
from pentagrid.errors import OptionError
from pentagrid.util.workers import Mapper

CONNECT_SECONDS = 20
GOES_ON = "What is done is kept: the same command goes on from there."
STOP_CHECK_SECONDS = 0.2
"""The time between two calls of `stop` while nothing is finished."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""What `mallopt` of glibc calls its settings."""
KEPT_BYTES = 1 << 28
AHEAD = 2
"""Pieces submitted for each thread of the cluster, so that none waits for work."""


def on_cluster(
    address: str, tell: Callable[[str], None] = lambda message: None, ordered: bool = True, kept: bool = True
) -> Mapper:
    """Work on the workers of the scheduler at an address such as tcp://host:8786.

    `tell` hears what the work is waiting for. Results come in the order of the pieces, or as they are ready; `kept`
    says whether a broken run goes on where it stopped. The mapper raises `OptionError` if the cluster cannot be used.
    """
    goes_on = GOES_ON if kept else "Give the same command again."

    def mapper(work: Callable[[Any], Any], pieces: Iterable[Any], stop: Callable[[], bool]) -> Iterator[Any]:
        tell(f"Connecting to the Dask scheduler at {address} …")
        try:
            client = Client(address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise OptionError(f"No Dask scheduler answers at {address}: {str(error).splitlines()[0]}") from None
        with client:
            try:
                results = _results(client, work, pieces, stop, tell)
                yield from _in_order(results) if ordered else (result for _, result in results)
            except (CancelledError, CommClosedError):
                raise OptionError(f"The Dask scheduler at {address} is gone. {goes_on}") from None
            except KilledWorker as error:
                raise OptionError(f"Workers at {address} die one after the other: {error} {goes_on}") from None
            except ModuleNotFoundError as error:
                raise OptionError(f"A worker at {address} lacks a package: {error}.") from None

    return mapper


def _results(
    client: Client, work: Callable[[Any], Any], pieces: Iterable[Any], stop: Callable[[], bool],
    tell: Callable[[str], None],
) -> Iterator[tuple[int, Any]]:  # fmt: skip
    """The number and the result of each piece as they come.

    There are always a few more pieces submitted than the cluster has threads. The first that is not done yet is never
    far behind, so that few results wait for their turn.
    """
    waiting = zip(count(), pieces)
    running: dict[Future, int] = {}
    submitted = 0
    idle = False
    try:
        while not stop():
            threads = sum(client.nthreads().values())
            if not threads and not idle:
                tell("It has no workers now; waiting for some …")
            idle = not threads
            ahead = AHEAD * max(1, threads)
            first = min(running.values(), default=submitted)
            room = min(ahead - len(running), first + 4 * ahead - submitted)
            for number, piece in islice(waiting, max(0, room)):
                running[client.submit(_work_on_worker, work, piece, __version__, pure=False)] = number
                submitted = number + 1
            if not running:
                return
            try:
                done, _ = wait(list(running), timeout=STOP_CHECK_SECONDS, return_when="FIRST_COMPLETED")
            except TimeoutError:
                continue
            for future in done:
                yield running.pop(future), future.result()
    finally:
        if running and client.status == "running":
            client.cancel(list(running))


def _in_order(results: Iterator[tuple[int, Any]]) -> Iterator[Any]:
    """The results in the order of their numbers."""
    early: dict[int, Any] = {}
    following = 0
    for number, result in results:
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def _work_on_worker(work: Callable[[Any], Any], piece: Any, version: str) -> Any:
    """On a worker: do a piece, with the same version that asks for it."""
    if version != __version__:
        raise OptionError(f"All workers must have pentagrid {version}; one has {__version__}.")
    _keep_memory()
    return work(piece)


@cache
def _keep_memory() -> None:
    """On a worker: let freed memory be used again by the next piece.

    Dask starts its workers so that the allocator of glibc hands all freed memory back to the system at once, and the
    tables of a piece are then faulted in again page by page: a census took three times as long. Other allocators have
    no such setting, and need none.
    """
    with suppress(OSError, AttributeError):
        mallopt = CDLL(None).mallopt
        for setting in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
            mallopt(setting, KEPT_BYTES)
