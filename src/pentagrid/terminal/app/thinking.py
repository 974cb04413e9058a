"""Long work on a thread, so that the screen never waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event, Lock
from typing import TypeVar

T = TypeVar("T")
_ONE_AT_A_TIME = Lock()
"""Solvers keep tables that only one thread may fill."""


async def think(work: Callable[[Callable[[], bool]], T]) -> T:
    """The result of the work, which is told by the function it is given when nobody waits for it any more."""
    stop = Event()

    def alone() -> T:
        with _ONE_AT_A_TIME:
            return work(stop.is_set)

    try:
        return await asyncio.to_thread(alone)
    finally:
        stop.set()
