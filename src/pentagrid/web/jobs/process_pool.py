"""A pool of processes for long work, so that computer players and analyses never hold up play."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

from pentagrid.web.http_errors import BusyError

T = TypeVar("T")


class ProcessPool:
    """A few processes with a queue of limited length. Work with the same key goes to the same process."""

    def __init__(self, processes: int, most_waiting: int | None) -> None:
        """So many processes; more work than `most_waiting` at once is refused (None: never)."""
        self._most_waiting = most_waiting
        self._waiting = 0
        self._pools: list[ProcessPoolExecutor | None] = [None] * processes

    async def run(self, key: Any, work: Callable[..., T], *args: Any) -> T:
        """The result of the work. Raises `BusyError` when too much waits already."""
        if self._most_waiting is not None and self._waiting >= self._most_waiting:
            raise BusyError(f"The server has {self._waiting} analyses at hand; try again in a few seconds.")
        self._waiting += 1
        number = hash(key) % len(self._pools)
        pool = self._pool(number)
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, *args)
        except BrokenProcessPool:
            if self._pools[number] is pool:
                self._pools[number] = None
            raise BusyError("The process of this work ended; try again.") from None
        finally:
            self._waiting -= 1

    def _pool(self, number: int) -> ProcessPoolExecutor:
        pool = self._pools[number]
        if pool is None:
            pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_set_up)
            self._pools[number] = pool
        return pool

    def close(self) -> None:
        """Start nothing new, and end what runs."""
        for pool in self._pools:
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in list((pool._processes or {}).values()):
                    process.terminate()


def _set_up() -> None:
    """Set up a new process: it leaves Ctrl-C to the server, and ends when the server ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=follow, args=(parent.sentinel,), daemon=True).start()
