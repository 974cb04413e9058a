"""A census on a running Dask cluster: one `dask scheduler`, and `dask worker` on any number of machines.

The scheduler gives a chunk whose worker dies to another. Needs the extra "cluster", here and on the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from distributed import CancelledError, Client, Future, KilledWorker, wait
from distributed.comm import CommClosedError

from pentagrid import __version__
from pentagrid.errors import OptionError
from pentagrid.fairness.census import Chunk, Engine

CONNECT_SECONDS = 20
GOES_ON = "What is done is kept: the same command goes on from there."
STOP_CHECK_SECONDS = 0.2
"""The time between two calls of `stop` while nothing is finished."""
AHEAD = 2
"""Chunks submitted for each thread of the cluster, so that none waits for work."""


def on_cluster(address: str, tell: Callable[[str], None] = lambda message: None) -> Engine:
    """An engine on the workers of the scheduler at an address such as tcp://host:8786.

    `tell` hears what the work is waiting for. The engine raises `OptionError` if the cluster cannot be used.
    """

    def engine(work: Callable[[int], Chunk], chunks: Iterable[int], stop: Callable[[], bool]) -> Iterator[Chunk]:
        tell(f"Connecting to the Dask scheduler at {address} …")
        try:
            client = Client(address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise OptionError(f"No Dask scheduler answers at {address}: {str(error).splitlines()[0]}") from None
        with client:
            try:
                yield from _results(client, work, chunks, stop, tell)
            except (CancelledError, CommClosedError):
                raise OptionError(f"The Dask scheduler at {address} is gone. {GOES_ON}") from None
            except KilledWorker as error:
                raise OptionError(f"Workers at {address} die one after the other: {error} {GOES_ON}") from None
            except ModuleNotFoundError as error:
                raise OptionError(f"A worker at {address} lacks a package: {error}.") from None

    return engine


def _results(
    client: Client, work: Callable[[int], Chunk], chunks: Iterable[int], stop: Callable[[], bool],
    tell: Callable[[str], None],
) -> Iterator[Chunk]:  # fmt: skip
    """The results as they come, with always a few more chunks submitted than the cluster has threads."""
    waiting = iter(chunks)
    running: set[Future] = set()
    idle = False
    while not stop():
        threads = sum(client.nthreads().values())
        if not threads and not idle:
            tell("It has no workers now; waiting for some …")
        idle = not threads
        for chunk in islice(waiting, max(0, AHEAD * max(1, threads) - len(running))):
            running.add(client.submit(_count_on_worker, work, chunk, __version__, pure=False))
        if not running:
            return
        try:
            done, running = wait(running, timeout=STOP_CHECK_SECONDS, return_when="FIRST_COMPLETED")
        except TimeoutError:
            continue
        yield from (future.result() for future in done)
    client.cancel(list(running))


def _count_on_worker(work: Callable[[int], Chunk], chunk: int, version: str) -> Chunk:
    """On a worker: count a chunk, with the same version that asks for it."""
    if version != __version__:
        raise OptionError(f"All workers must have pentagrid {version}; one has {__version__}.")
    return work(chunk)
