"""One process that works, and the pieces of work that wait for it: every visitor in turn, one piece at a time."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import count
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from pentagrid.web.http_errors import BusyError

T = TypeVar("T")
SPAWN = multiprocessing.get_context("spawn")


class Piece(NamedTuple):
    """A piece of work, and who waits for its result."""

    ticket: int
    work: Callable[..., Any]
    args: tuple[Any, ...]
    result: asyncio.Future[Any]


class Worker:
    """A process that is started when it is first needed, and again if it ends."""

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._waiting: OrderedDict[str, deque[Piece]] = OrderedDict()
        """What waits, by owner; the owner whose turn is next comes first."""
        self._running: Piece | None = None
        self._executor: ProcessPoolExecutor | None = None
        self._tickets = count(1)
        self._abandoned: Any = SPAWN.RawValue("Q", 0)
        """The ticket of the running piece once nobody waits for it; shared with the process."""
        self._closed = False

    async def run(self, owner: str, work: Callable[..., T], *args: Any) -> T:
        """The result of a piece of work. If the caller is canceled, it is not begun, or told to stop.

        Raises what the work raises, and `BusyError` if the process ends meanwhile.
        """
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        piece = Piece(next(self._tickets), work, args, result)
        self._waiting.setdefault(owner, deque()).append(piece)
        self._start_next()
        try:
            return await result
        finally:
            if self._running is piece:
                self._abandoned.value = piece.ticket

    def _start_next(self) -> None:
        """Begin the next piece that somebody waits for, unless one is running."""
        while self._waiting and self._running is None and not self._closed:
            owner, pieces = self._waiting.popitem(last=False)
            piece = pieces.popleft()
            if pieces:
                self._waiting[owner] = pieces  # behind all others
            if not piece.result.done():
                self._running = piece
                executor, future = self._submit(piece)
                asyncio.wrap_future(future).add_done_callback(partial(self._end, piece, executor))

    def _submit(self, piece: Piece) -> tuple[ProcessPoolExecutor, Any]:
        while True:
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    1, SPAWN, initializer=_set_up, initargs=(self._niceness, self._abandoned)
                )
            try:
                return self._executor, self._executor.submit(_do, piece.ticket, piece.work, *piece.args)
            except BrokenProcessPool:  # it ended while it had nothing to do
                self._executor = None

    def _end(self, piece: Piece, executor: ProcessPoolExecutor, done: asyncio.Future[Any]) -> None:
        """Hand over a result, and go on."""
        self._running = None
        error = None if done.cancelled() else done.exception()
        if isinstance(error, BrokenProcessPool):
            if self._executor is executor:
                self._executor = None
            error = BusyError("The process of this work ended; try again.")
        if piece.result.done():
            pass  # nobody waits any more
        elif done.cancelled():
            piece.result.cancel()
        elif error is not None:
            piece.result.set_exception(error)
        else:
            piece.result.set_result(done.result())
        self._start_next()

    def close(self) -> None:
        """Start nothing new, and end what runs."""
        self._closed = True
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in list((self._executor._processes or {}).values()):
                process.terminate()


# In the process -----------------------------------------------------------------------------------------

_abandoned: Any = None
_ticket = 0


def stopped() -> bool:
    """In the process: does nobody wait any more for the piece of work that it is doing?"""
    return _abandoned is not None and _abandoned.value == _ticket


def _do(ticket: int, work: Callable[..., T], *args: Any) -> T:
    global _ticket
    _ticket = ticket
    return work(*args)


def _set_up(niceness: int, abandoned: Any) -> None:
    """Set up a new process: it leaves Ctrl-C to the server, and ends when the server ends, however that happens."""
    global _abandoned
    _abandoned = abandoned
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=follow, args=(parent.sentinel,), daemon=True).start()
