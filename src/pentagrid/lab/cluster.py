"""A census on a Dask cluster that somebody has started: `dask scheduler` and `dask worker`, wherever they run.

A chunk whose worker dies is given to another by the scheduler. Needs the extra "cluster", here and on the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from distributed import Client, Future, KilledWorker, wait
from distributed.client import FutureCancelledError

from pentagrid import __version__
from pentagrid.errors import OptionError
from pentagrid.lab.census import Chunk, Engine

CONNECT_SECONDS = 20
LOOK = 0.2
"""Seconds between two looks whether somebody has had enough."""
AHEAD = 2
"""Chunks handed out for each thread of the cluster, so that none waits for work."""


def on_cluster(address: str) -> Engine:
    """The workers of the scheduler at an address such as tcp://host:8786. Raises `OptionError` when it is used."""

    def engine(work: Callable[[int], Chunk], chunks: Iterable[int], stop: Callable[[], bool]) -> Iterator[Chunk]:
        try:
            client = Client(address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise OptionError(f"No Dask scheduler answers at {address}: {str(error).splitlines()[0]}") from None
        with client:
            waiting = iter(chunks)
            running: set[Future] = set()
            while not stop():
                room = AHEAD * max(1, sum(client.nthreads().values())) - len(running)
                for _, chunk in zip(range(room), waiting, strict=False):
                    running.add(client.submit(_work, work, chunk, __version__, pure=False))
                if not running:
                    break
                try:
                    done, running = wait(running, timeout=LOOK, return_when="FIRST_COMPLETED")
                except TimeoutError:
                    continue
                yield from (_result(future, address) for future in done)
            client.cancel(list(running))

    return engine


def _work(work: Callable[[int], Chunk], chunk: int, version: str) -> Chunk:
    """On a worker: a chunk, counted by the same version that asks for it."""
    if version != __version__:
        raise OptionError(f"A worker of the cluster has pentagrid {__version__}; this is {version}.")
    return work(chunk)


def _result(future: Future, address: str) -> Chunk:
    goes_on = "What is done is kept: the same command goes on from there."
    try:
        found: Chunk = future.result()
    except FutureCancelledError:
        raise OptionError(f"The Dask scheduler at {address} is gone. {goes_on}") from None
    except KilledWorker as error:
        raise OptionError(f"Workers at {address} die one after the other: {error} {goes_on}") from None
    except ModuleNotFoundError as error:
        raise OptionError(f"A worker at {address} has not all that it needs: {error}.") from None
    return found
