"""The one place that starts background tasks, so that none can fail without a word."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

log = logging.getLogger("pentagrid.background")


class Background:
    """The background tasks of a part of the server."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None], what: str) -> asyncio.Task[None]:
        """Start a task. If it fails, that is logged with its trace."""
        task = asyncio.create_task(work, name=what)
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    def repeat(self, work: Callable[[], Awaitable[None]], seconds: float, what: str) -> asyncio.Task[None]:
        """Start a task that does the work again and again, with a pause before each time."""

        async def loop() -> None:
            while True:
                await asyncio.sleep(seconds)
                await self.attempt(work(), what)

        return self.spawn(loop(), what)

    async def attempt(self, work: Awaitable[None], what: str) -> None:
        """Do a piece of work of a loop that must go on: if it fails, that is logged with its trace."""
        try:
            await work
        except Exception:
            log.exception("background work failed", extra={"what": what})

    async def close(self) -> None:
        """Cancel all tasks and wait for their end."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a background task failed", exc_info=error, extra={"what": task.get_name()})
