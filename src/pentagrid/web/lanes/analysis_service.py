"""Values of positions, for those who may see them: worked out in lanes, shared by all who ask, the last ones kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Any

from pentagrid.core.position import Position
from pentagrid.web.background_tasks import Background
from pentagrid.web.http_errors import ValuesHiddenError
from pentagrid.web.lanes import analysis_work
from pentagrid.web.lanes.analysis_work import Judged
from pentagrid.web.lanes.lane import Lane, Lanes, deal_key
from pentagrid.web.lanes.puzzle_work import PuzzleName
from pentagrid.web.lanes.review_stream import ReviewStream
from pentagrid.web.lanes.shared_stream import SharedStream
from pentagrid.web.pages import preview_svg
from pentagrid.web.rooms.registry import Rooms
from pentagrid.web.rooms.room import Room
from pentagrid.web.store.interface import deal_of

MOST_KEPT = 2000
"""Answers that are kept, and the letters in all of them."""
MOST_LETTERS = 50_000_000
LEAST_SECONDS = 0.05
"""How long each position of a review is searched, at least, where it is not solved in advance."""


class AnalysisService:
    """Works out values, and knows who may see them. The owner of a request is the address that it comes from."""

    def __init__(self, rooms: Rooms, lanes: Lanes, seconds: float) -> None:
        self._rooms = rooms
        self._lanes = lanes
        self._seconds = seconds
        self._background = Background()
        self._streams: OrderedDict[tuple[Any, ...], SharedStream[Any]] = OrderedDict()
        """What is being worked out, and the last answers."""
        self._sizes: dict[tuple[Any, ...], int] = {}
        """The letters in each answer that is kept."""
        self._letters = 0

    async def close(self) -> None:
        """Stop all work."""
        await self._background.close()

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

    async def analyze(self, owner: str, position: Position, names: tuple[str, str]) -> str:
        """The analysis of a position, as JSON. Raises `BusyError`."""
        lane, key = self._lanes.for_analysis(position), (position.text, names)
        work = analysis_work.as_json, analysis_work.analyzed
        return str(await self._once(owner, lane, key, deal_key(position), *work, position, self._seconds, names))

    async def puzzle(self, owner: str, name: PuzzleName, work: Callable[..., dict[str, Any]], *args: Any) -> str:
        """The result of work on a puzzle, as JSON. Raises `BusyError`, and what the work raises."""
        key, as_json = (work, name, *args), analysis_work.as_json
        return str(await self._once(owner, self._lanes.short, key, name.game, as_json, work, name, *args))

    async def picture(self, owner: str, position: Position, words: str) -> bytes:
        """The picture that a link to a position shows, as PNG. Raises `BusyError`."""
        key, work = ("picture", position.text, words), preview_svg.preview_png
        return bytes(await self._once(owner, self._lanes.long, key, deal_key(position), work, position, words))

    async def _once(
        self, owner: str, lane: Lane, key: tuple[Any, ...], lane_key: Any, work: Callable[..., Any], *args: Any
    ) -> Any:
        async def parts() -> AsyncGenerator[Any, None]:
            yield await lane.run(owner, lane_key, work, *args)

        stream = self._stream(owner, lane, key, parts)
        async with aclosing(stream.follow()) as following:
            return await anext(following)

    def review(
        self, owner: str, line: Sequence[Position], actions: Sequence[int], names: tuple[str, str]
    ) -> ReviewStream:
        """The review of a line of play, which begins at once. Raises `BusyError`."""
        start = line[0]
        lane, key = self._lanes.for_analysis(start), (start.text, tuple(actions), names)
        seconds = max(LEAST_SECONDS, self._seconds / len(line))

        async def parts() -> AsyncGenerator[Judged, None]:
            for number, (position, action) in enumerate(zip(line, (*actions, None), strict=True), 1):
                yield await lane.run(
                    owner, deal_key(start), analysis_work.judged, position, number, action, seconds, names
                )

        return ReviewStream(self._stream(owner, lane, key, parts), len(line))

    def _stream(
        self, owner: str, lane: Lane, key: tuple[Any, ...], parts: Callable[[], AsyncIterator[Any]]
    ) -> SharedStream[Any]:
        """What is kept or under way for a key, or begun now. Raises `BusyError`."""
        stream = self._streams.get(key)
        if stream is not None and not stream.abandoned:
            self._streams.move_to_end(key)
            return stream
        lane.admit(owner)

        def end(whole: bool) -> None:
            lane.leave(owner)
            if self._streams.get(key) is made:
                if whole:
                    self._keep(key, made)
                else:
                    del self._streams[key]

        made: SharedStream[Any] = SharedStream(parts(), self._background, end)
        self._streams[key] = made
        return made

    def _keep(self, key: tuple[Any, ...], stream: SharedStream[Any]) -> None:
        """Keep an answer, and forget the oldest if that makes too many."""
        size = sum(len(part.node if isinstance(part, Judged) else part) for part in stream.parts)
        self._sizes[key] = size
        self._letters += size
        for old in list(self._streams):
            if len(self._sizes) <= MOST_KEPT and self._letters <= MOST_LETTERS:
                break
            if old in self._sizes:  # else it is still under way
                self._letters -= self._sizes.pop(old)
                del self._streams[old]
