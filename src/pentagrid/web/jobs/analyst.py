"""Values for those who may see them: in processes of their own, a few at a time, the last answers kept."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from pentagrid.core.position import Position
from pentagrid.web.jobs import analysis_jobs as work
from pentagrid.web.jobs.process_pool import ProcessPool
from pentagrid.web.problems import ValuesHiddenError
from pentagrid.web.rooms.registry import Rooms
from pentagrid.web.rooms.room import Room
from pentagrid.web.store.interface import deal_of

MOST_KEPT = 2000


class Analyst:
    """Answers questions about values, each once."""

    def __init__(self, rooms: Rooms, thinkers: ProcessPool, seconds: float) -> None:
        self._rooms = rooms
        self._thinkers = thinkers
        self._seconds = seconds
        self._kept: OrderedDict[tuple[Any, ...], str] = OrderedDict()

    async def allow(
        self,
        holder: str | None,
        positions: Sequence[Position],
        concerns: Callable[[Room, Position], bool] = Room.concerns,
    ) -> None:
        """Raise `ValuesHiddenError` if one of the positions, all of one deal, is of a running game between people that
        the holder plays, or watches without leave to see values."""
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
        return await self.once((position.text, names), _kin(position), work.analyzed, position, self._seconds, names)

    async def review(self, start: Position, actions: tuple[int, ...], names: tuple[str, str]) -> str:
        """The review of a line of play, as JSON. Raises `BusyError`."""
        seconds = self._seconds * (1 + len(actions) / 4)
        key = (start.text, actions, names)
        return await self.once(key, _kin(start), work.reviewed, start, actions, names, seconds)

    async def once(self, key: tuple[Any, ...], kin: Any, ask: Callable[..., Any], *args: Any) -> str:
        """What the work comes to, as JSON; the same key is asked once, and work of the same kin meets the same process.

        Raises `BusyError`, and what the work raises.
        """
        answer = self._kept.pop(key, None)
        if answer is None:
            found = await self._thinkers.run(kin, ask, *args)
            answer = json.dumps(found, ensure_ascii=False)
        self._kept[key] = answer
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return answer


def _kin(position: Position) -> tuple[Any, ...]:
    """The deal of a position, whose solver a process keeps."""
    return position.game, position.numbers
