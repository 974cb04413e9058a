"""Lanes: short work never waits behind long work, and no visitor can fill one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from pentagrid.core.position import Position
from pentagrid.web.http_errors import BusyError
from pentagrid.web.lanes.worker import Worker
from pentagrid.web.settings import Settings

T = TypeVar("T")
MOST_SHORT = 1000
"""Short pieces of work that may wait at once: seconds of work."""
MOST_SHORT_EACH = 100
MOVES_NICENESS, LONG_NICENESS = 5, 15
"""Where there are more processes at work than processors, short work goes first, then computers' moves."""


class Lane:
    """A few processes for one kind of work. Work with the same key goes to the same process, which keeps its tables."""

    def __init__(self, processes: int, most: int | None = None, most_each: int | None = None, niceness: int = 0):
        """So many processes; more work at once than `most`, or than `most_each` of one owner, is refused."""
        self._workers = [Worker(niceness) for _ in range(processes)]
        self._most, self._most_each = most, most_each
        self._owners: Counter[str] = Counter()

    def admit(self, owner: str) -> None:
        """Count a piece of work, or several that come one after another, until `leave`. Raises `BusyError`."""
        if self._most_each is not None and self._owners[owner] >= self._most_each:
            raise BusyError(f"{self._owners[owner]} analyses for your address are under way; wait for one of them.")
        if self._most is not None and self._owners.total() >= self._most:
            raise BusyError(f"The server has {self._owners.total()} analyses at hand; try again in a few seconds.")
        self._owners[owner] += 1

    def leave(self, owner: str) -> None:
        """What was admitted is done."""
        self._owners[owner] -= 1
        if not self._owners[owner]:
            del self._owners[owner]

    async def run(self, owner: str, key: Any, work: Callable[..., T], *args: Any) -> T:
        """The result of a piece of work: see `Worker.run`."""
        return await self._workers[hash(key) % len(self._workers)].run(owner, work, *args)

    def close(self) -> None:
        """Start nothing new, and end what runs."""
        for worker in self._workers:
            worker.close()


class Lanes(NamedTuple):
    """The lanes of a server."""

    short: Lane
    moves: Lane
    """Computers' moves that may take long."""
    long: Lane

    @classmethod
    def of(cls, settings: Settings) -> Lanes:
        """Lanes as they are set; a process is started when it is first needed."""
        processes = settings.analysts
        return cls(
            Lane(processes, MOST_SHORT, MOST_SHORT_EACH),
            Lane(processes, niceness=MOVES_NICENESS),
            Lane(processes, settings.queue, settings.queue_each, niceness=LONG_NICENESS),
        )

    def for_analysis(self, position: Position) -> Lane:
        """The lane for the values of a position."""
        return self.short if is_short(position) else self.long

    def for_move(self, position: Position) -> Lane:
        """The lane for a computer's move."""
        return self.short if is_short(position) else self.moves

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(asyncio.to_thread(lane.close) for lane in self))


def is_short(position: Position) -> bool:
    """Are the values of this position's deal there in a moment?"""
    return position.game.size <= max(position.game.default_size, position.game.quick_size)


def deal_key(position: Position) -> tuple[Any, ...]:
    """The deal of a position: the process that solved it keeps its solver."""
    return position.game, position.numbers
