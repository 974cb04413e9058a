"""A census on a Dask cluster that somebody has started: `dask scheduler` and `dask worker`, wherever they run.

A chunk whose worker dies is given to another by the scheduler. Needs the extra "cluster", here and on the workers.
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
LOOK = 0.2
"""Seconds between two looks whether somebody has had enough."""
AHEAD = 2
"""Chunks handed out for each thread of the cluster, so that none waits for work."""


def on_cluster(address: str, tell: Callable[[str], None] = lambda line: None) -> Engine:
    """The workers of the scheduler at an address such as tcp://host:8786. Raises `OptionError` when it is used.

    `tell` hears what the work is waiting for.
    """

    def engine(work: Callable[[int], Chunk], chunks: Iterable[int], stop: Callable[[], bool]) -> Iterator[Chunk]:
        tell(f"Connecting to the Dask scheduler at {address} …")
        try:
            client = Client(address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise OptionError(f"No Dask scheduler answers at {address}: {str(error).splitlines()[0]}") from None
        with client:
            try:
                yield from _handed_out(client, work, chunks, stop, tell)
            except (CancelledError, CommClosedError):
                raise OptionError(f"The Dask scheduler at {address} is gone. {GOES_ON}") from None
            except KilledWorker as error:
                raise OptionError(f"Workers at {address} die one after the other: {error} {GOES_ON}") from None
            except ModuleNotFoundError as error:
                raise OptionError(f"A worker at {address} has not all that it needs: {error}.") from None

    return engine


def _handed_out(
    client: Client, work: Callable[[int], Chunk], chunks: Iterable[int], stop: Callable[[], bool],
    tell: Callable[[str], None],
) -> Iterator[Chunk]:  # fmt: skip
    """Always a few more chunks than the cluster has threads are under way."""
    waiting = iter(chunks)
    running: set[Future] = set()
    idle = False
    while not stop():
        threads = sum(client.nthreads().values())
        if not threads and not idle:
            tell("It has no workers now; waiting for some …")
        idle = not threads
        for chunk in islice(waiting, max(0, AHEAD * max(1, threads) - len(running))):
            running.add(client.submit(_work, work, chunk, __version__, pure=False))
        if not running:
            return
        try:
            done, running = wait(running, timeout=LOOK, return_when="FIRST_COMPLETED")
        except TimeoutError:
            continue
        yield from (future.result() for future in done)
    client.cancel(list(running))


def _work(work: Callable[[int], Chunk], chunk: int, version: str) -> Chunk:
    """On a worker: a chunk, counted by the same version that asks for it."""
    if version != __version__:
        raise OptionError(f"A worker of the cluster has pentagrid {__version__}; this is {version}.")
    return work(chunk)
