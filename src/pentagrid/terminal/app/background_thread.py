"""Work that waits, for a server, a disk or another process, on a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def on_thread(work: Callable[[], T]) -> T:
    """The result of the work. Whoever leaves the app meanwhile does not wait for it."""
    result: Future[T] = Future()

    def run() -> None:
        if result.set_running_or_notify_cancel():
            try:
                result.set_result(work())
            except BaseException as error:  # raised where the result is waited for
                result.set_exception(error)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(result)
