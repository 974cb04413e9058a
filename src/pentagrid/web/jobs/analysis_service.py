"""Values of positions, for those who may see them: worked out in other processes, the last answers cached."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from pentagrid.core.position import Position
from pentagrid.web.http_errors import ValuesHiddenError
from pentagrid.web.jobs import analysis_jobs
from pentagrid.web.jobs.process_pool import ProcessPool
from pentagrid.web.rooms.registry import Rooms
from pentagrid.web.rooms.room import Room
from pentagrid.web.store.interface import deal_of

MOST_CACHED = 2000
"""Answers that are kept."""


class AnalysisService:
    """Works out values, and knows who may see them."""

    def __init__(self, rooms: Rooms, pool: ProcessPool, seconds: float) -> None:
        self._rooms = rooms
        self._pool = pool
        self._seconds = seconds
        self._cached: OrderedDict[tuple[Any, ...], str] = OrderedDict()

    async def allow(
        self,
        holder: str | None,
        positions: Sequence[Position],
        concerns: Callable[[Room, Position], bool] = Room.concerns,
    ) -> None:
        """Raise `ValuesHiddenError` if the holder must not see the values of one of the positions, all of one deal.

        That is so if it concerns a running game between people that the holder plays, or watches without permission
        to see values.
        """
        if holder is None:
            return
        for game, seat in await self._rooms.store.guarded(holder, deal_of(positions[0])):
            room = await self._rooms.get(game)
            if not room.guarded or (seat == 0 and (room.seats_of(holder) or room.terms.spectator_values)):
                continue
            if any(concerns(room, position) for position in positions):
                who = "play" if seat else "watch"
                raise ValuesHiddenError(
                    f"You {who} a game on this board that is not over (/play/{game}): its values are hidden until then."
                )

    async def analyze(self, position: Position, names: tuple[str, str]) -> str:
        """The analysis of a position, as JSON. Raises `BusyError`."""
        return await self.once(
            (position.text, names), _pool_key(position), analysis_jobs.analyzed, position, self._seconds, names
        )

    async def review(self, start: Position, actions: tuple[int, ...], names: tuple[str, str]) -> str:
        """The review of a line of play, as JSON. Raises `BusyError`."""
        seconds = self._seconds * (1 + len(actions) / 4)
        key = (start.text, actions, names)
        return await self.once(key, _pool_key(start), analysis_jobs.reviewed, start, actions, names, seconds)

    async def once(self, key: tuple[Any, ...], pool_key: Any, job: Callable[..., Any], *args: Any) -> str:
        """The result of a job, as JSON, cached by its key. Jobs with the same pool key run in the same process.

        Raises `BusyError`, and what the job raises.
        """
        answer = self._cached.pop(key, None)
        if answer is None:
            answer = json.dumps(await self._pool.run(pool_key, job, *args), ensure_ascii=False)
        self._cached[key] = answer
        if len(self._cached) > MOST_CACHED:
            self._cached.popitem(last=False)
        return answer


def _pool_key(position: Position) -> tuple[Any, ...]:
    """The deal of a position: the process that solved it keeps its solver."""
    return position.game, position.numbers
