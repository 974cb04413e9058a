"""Results that come part by part, for all who wait for the same: made once, stopped when nobody waits any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Generic, TypeVar

from pentagrid.web.background_tasks import Background

T = TypeVar("T")


class SharedStream(Generic[T]):
    """The parts of a result as they come, kept for those who come later."""

    def __init__(self, parts: AsyncIterator[T], background: Background, on_end: Callable[[bool], None]) -> None:
        """`on_end` is called at the end with whether all parts are there."""
        self.parts: list[T] = []
        self.ended = False
        self.abandoned = False
        self._error: Exception | None = None
        self._followers = 0
        self._news = asyncio.Event()
        self._task = background.spawn(self._collect(parts, on_end), "work that somebody waits for")

    async def _collect(self, parts: AsyncIterator[T], on_end: Callable[[bool], None]) -> None:
        whole = False
        try:
            async for part in parts:
                self.parts.append(part)
                self._tell()
            whole = True
        except Exception as error:  # raised to each who waits
            self._error = error
        finally:
            self.ended = True
            on_end(whole)
            self._tell()

    def _tell(self) -> None:
        told, self._news = self._news, asyncio.Event()
        told.set()

    async def follow(self) -> AsyncGenerator[T, None]:
        """All parts, those to come as they come. Raises what their making raises."""
        self._followers += 1
        try:
            sent = 0
            while sent < len(self.parts) or not self.ended:
                if sent == len(self.parts):
                    await self._news.wait()
                else:
                    sent += 1
                    yield self.parts[sent - 1]
            if self._error is not None:
                raise self._error
        finally:
            self._followers -= 1
            if not self._followers and not self.ended:
                self.abandoned = True
                self._task.cancel()
