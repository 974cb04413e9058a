"""The games in the memory of this process: one change at a time, stored before anyone hears of it, shown to all."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

from pentagrid.errors import GameOverError, PentagridError
from pentagrid.play.match import check_names
from pentagrid.web.background_tasks import Background
from pentagrid.web.http_errors import (
    InvitationError,
    NoSuchGameError,
    SeatError,
    StaleError,
    StoreError,
    UsedInvitationError,
)
from pentagrid.web.identity import GAME_ID
from pentagrid.web.lanes.lane import Lanes
from pentagrid.web.rooms.computer_players import ComputerPlayers
from pentagrid.web.rooms.connections import Connections
from pentagrid.web.rooms.creation import rematch_of
from pentagrid.web.rooms.events import Entry, Event, Joined, RematchMade, Resumed
from pentagrid.web.rooms.hosted_policies import HostedPolicies
from pentagrid.web.rooms.room import Room, Terms
from pentagrid.web.store.interface import Claim, NewGame, Store

MOST_IDLE = 1000
"""Games kept in memory though nobody is connected."""
THINK_ELSEWHERE_SECONDS = 8.0
"""How long another process is given to make the computer's move."""
AGAIN_SECONDS = 1.0
"""The pause before something that failed is tried again."""
TIDY_SECONDS, MOST_REMOVED = 3600.0, 500
"""How often games that nobody has touched for long are removed, and how many at once."""
PRESENCE_SECONDS = 15.0

log = logging.getLogger("pentagrid.rooms")


class Rooms:
    """Loads, changes and shows games."""

    def __init__(
        self,
        store: Store,
        connections: Connections,
        lanes: Lanes,
        keep_seconds: float | None = None,
        policies: HostedPolicies | None = None,
    ) -> None:
        """With `keep_seconds`, games that nobody has touched for so long are removed."""
        self.store = store
        self.policies = policies or HostedPolicies()
        self._keep_seconds = keep_seconds
        self.connections = connections
        self.background = Background()
        self._rooms: dict[str, Room] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sent: dict[str, int] = {}
        """The revision up to which those who are connected have heard of each game."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._computers = ComputerPlayers(self, lanes)
        self._server = secrets.token_hex(8)

    async def open(self) -> None:
        """Connect to the store and set the clocks of all unfinished games going.

        If no server was running, interrupted turns begin anew with their full time.
        """
        alone = await self.store.open(self._notice)
        for game in await self.store.running_clocks():
            async with self.held(game) as room:
                if alone and room.deadline is not None:
                    await self.commit(room, room.happen(Resumed(), time.time()))
        if self._keep_seconds is not None:
            await self._tidy()
            self.background.repeat(self._tidy, TIDY_SECONDS, "removing old games")
        if self.store.shared:
            self.background.repeat(self._announce_all, PRESENCE_SECONDS, "saying who is connected")

    async def close(self) -> None:
        """Stop all clocks and computer players, and disconnect from the store."""
        for timer in self._timers.values():
            timer.cancel()
        await self.background.close()
        await self.store.close()

    # Looking --------------------------------------------------------------------------------------------

    async def get(self, game: str) -> Room:
        """A game as it stands. Raises `NoSuchGameError`."""
        room = self._rooms.get(game)
        if room is None:
            async with self.held(game) as room:
                return room
        return room

    @asynccontextmanager
    async def held(self, game: str) -> AsyncIterator[Room]:
        """A game that nobody else changes meanwhile.

        If something goes wrong with the game changed but not stored, or in a way that nobody foresaw, the game is
        forgotten, and read from the store again.
        """
        if not GAME_ID.fullmatch(game):
            raise NoSuchGameError("There is no such game; look at the link again.")
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            room = self._rooms.get(game)
            if room is None:
                stored = await self.store.load(game)
                if stored is None:
                    raise NoSuchGameError("There is no such game; look at the link again.")
                room = Room.restored(stored)
                self._adopt(room)
            try:
                yield room
            except BaseException as error:
                if room.revision != room.public_revision or not isinstance(error, PentagridError):
                    self._forget(game)
                    if self.connections.has(game):
                        self._refresh_later(game)
                raise

    def _adopt(self, room: Room) -> None:
        """Take a game into memory, and set it going."""
        self._rooms[room.id] = room
        self._show(room)
        self._go_on(room)
        self._make_space()

    def _make_space(self) -> None:
        """Forget games that nobody looks at, the longest known first."""
        if len(self._rooms) > MOST_IDLE:
            for game, room in list(self._rooms.items()):
                busy = game in self._locks or self._computers.at_work(game) or self.connections.has(game)
                if not busy and room.deadline is None:
                    self._forget(game)
                    self._sent.pop(game, None)
                    if len(self._rooms) <= MOST_IDLE:
                        break

    async def _tidy(self) -> None:
        """Remove the games that nobody has touched for long."""
        assert self._keep_seconds is not None
        while removed := await self.store.remove_idle(time.time() - self._keep_seconds, MOST_REMOVED):
            log.info("old games removed", extra={"games": len(removed)})
            for game in removed:
                self._forget(game)

    def known(self, game: str) -> Room | None:
        """A game that is in memory."""
        return self._rooms.get(game)

    def _forget(self, game: str) -> None:
        self._rooms.pop(game, None)
        if game in self._timers:
            self._timers.pop(game).cancel()

    # Acting ---------------------------------------------------------------------------------------------

    async def create(self, new: NewGame) -> Room:
        """Store a new game and set it going."""
        room = _new_room(new)
        await self.store.create(new._replace(over=room.outcome is not None))
        self._adopt(room)
        return room

    async def act(
        self, game: str, holder: str | None, revision: int, choose: Callable[[Room, frozenset[int]], Event]
    ) -> int:
        """Let a visitor do what `choose` makes of the room and the visitor's seats; returns the new revision.

        Raises `SeatError`, `StaleError`, `GameOverError` if the turn's time is up, and what the rules raise.
        """
        async with self.held(game) as room:
            seats = room.seats_of(holder)
            if not seats:
                raise SeatError("You hold no seat in this game.")
            now = time.time()
            await self.check_clock(room, now)
            room.expect(revision)
            await self.commit(room, room.happen(choose(room, seats), now))
            return room.revision

    async def invited(self, game: str, invitation: str) -> int:
        """The seat that an invitation gives. Raises `InvitationError` and `UsedInvitationError`."""
        known = await self.store.invited(game, invitation)
        if known is None:
            raise InvitationError("This link gives no seat in this game: it has been cut short, changed, or mixed up.")
        if known.used:
            name = (await self.get(game)).names[known.seat - 1]
            raise UsedInvitationError(f"This link has been used already: {name} has taken the seat.")
        return known.seat

    async def join(self, game: str, holder: str, invitation: str, name: str) -> int:
        """Give a visitor the seat of an invitation; returns the seat.

        Raises as `invited`, `SeatError`, and `OptionError` for a name that the other player has.
        """
        async with self.held(game) as room:
            seat = await self.invited(game, invitation)
            if room.seats_of(holder):
                raise SeatError("You sit at this game already; the link is for someone else.")
            check_names(name, room.match.seats[2 - seat].name)
            entry = room.happen(Joined(seat, name), time.time())
            await self.commit(room, entry, claim=Claim(invitation, holder, seat))
            return seat

    async def rematch(self, game: str, holder: str | None, revision: int) -> str:
        """The rematch of a game that is over, made if there is none yet; the visitor sits down at it. Returns its id.

        Raises `SeatError`, `StaleError`, `NotAllowedError`.
        """
        try:
            new = await self._make_rematch(game, holder, revision)
        except StaleError:  # perhaps because another process was faster to make it
            await self.refresh(game)
            made = (await self.get(game)).rematch
            if made is None:
                raise
            new = made
        if holder is not None:
            await self._sit(new, holder)
        return new

    async def _make_rematch(self, game: str, holder: str | None, revision: int) -> str:
        async with self.held(game) as room:
            if holder is None or not room.seats_of(holder):
                raise SeatError("You hold no seat in this game.")
            if room.rematch is not None:
                return room.rematch
            room.expect(revision)
            room.check_rematch()
            new = rematch_of(room, holder)
            await self.commit(room, room.happen(RematchMade(new.id), time.time()), rematch=new)
            self._adopt(_new_room(new))
            return new.id

    async def _sit(self, game: str, holder: str) -> None:
        """A visitor has come to a seat that is theirs already."""
        async with self.held(game) as room:
            for seat in room.seats_of(holder) & room.waiting:
                await self.commit(room, room.happen(Joined(seat), time.time()))

    async def commit(
        self, room: Room, entry: Entry, *, claim: Claim | None = None, rematch: NewGame | None = None
    ) -> None:
        """Store what happened, then show it."""
        if claim is not None:
            held = room.holders.get(claim.holder, frozenset())
            room.holders[claim.holder] = held | {claim.seat}
        announcement = self._announcement(
            "event", room.id, revision=entry.revision, clock=room.terms.turn_seconds is not None
        )
        over = room.outcome is not None
        await self.store.append(room.id, entry, announcement, over=over, claim=claim, rematch=rematch)
        self._show(room)
        self._go_on(room)

    def _show(self, room: Room) -> None:
        """Show a game as it now stands in the store to all who are connected, with what they have not heard yet."""
        room.publish()
        news = room.shown[self._sent.get(room.id, room.revision) :]
        self._sent[room.id] = room.revision
        if news and self.connections.has(room.id):
            self.connections.broadcast(room.id, events_message(room, news))

    # The clock ------------------------------------------------------------------------------------------

    def _go_on(self, room: Room, think_after: float = 0.0) -> None:
        """Set the timer of the turn, and let the computer think if it is to move."""
        if room.id in self._timers:
            self._timers.pop(room.id).cancel()
        deadline = room.deadline
        if deadline is not None:
            loop = asyncio.get_running_loop()
            delay = max(0.0, deadline - time.time())
            self._timers[room.id] = loop.call_later(delay, self._end_turn_later, room.id)
        self._computers.go_on(room, think_after)

    def _end_turn_later(self, game: str) -> None:
        self.background.spawn(self._end_turn(game), f"the end of a turn in {game}")

    async def _end_turn(self, game: str) -> None:
        """End a turn whose time is up; what fails is tried again."""
        while True:
            try:
                async with self.held(game) as room:
                    if room.is_late(time.time()):
                        await self.commit(room, room.time_out())
                    else:
                        self._go_on(room)
                return
            except StaleError:
                await self.refresh(game)
            except StoreError as error:
                log.warning("a turn's end could not be stored", extra={"game": game, "why": str(error)})
            except Exception:
                log.exception("a turn could not be ended", extra={"game": game})
            await asyncio.sleep(AGAIN_SECONDS)

    async def check_clock(self, room: Room, now: float) -> None:
        """End the game if the turn's time is up. Raises `GameOverError` then."""
        if room.is_late(now):
            await self.commit(room, room.time_out())
            raise GameOverError(f"The turn's time was up. {room.sentence()}")

    # Other processes ------------------------------------------------------------------------------------

    def _announcement(self, kind: str, game: str, **more: Any) -> str:
        return json.dumps({"kind": kind, "from": self._server, "game": game, **more})

    async def _notice(self, payload: str) -> None:
        """Hear what another process announced; an empty text means that some may have been missed."""
        if not payload:
            for game in {*self._rooms, *self.connections.games()}:
                self._refresh_later(game)
            return
        message = json.loads(payload)
        game = message["game"]
        if message["from"] == self._server:
            return
        if message["kind"] == "event":
            room = self._rooms.get(game)
            wanted = message["clock"] or self.connections.has(game) if room is None else True
            if wanted and (room is None or room.revision < message["revision"]):
                self._refresh_later(game)
        elif message["kind"] == "presence":
            before = self.connections.connected(game)
            self.connections.note_elsewhere(game, message["from"], message["count"])
            if self.connections.has(game) and self.connections.connected(game) != before:
                self.connections.broadcast(game, self.connections.presence(game))
            if message["asks"] and self.connections.has(game):
                await self._announce_presence(game, asks=False)

    def _refresh_later(self, game: str) -> None:
        self.background.spawn(self.refresh(game), f"reading {game}")

    async def refresh(self, game: str) -> None:
        """Read what others have added to a game, and show it."""
        try:
            async with self.held(game) as room:
                entries = await self.store.since(game, room.revision)
                for entry in entries:
                    room.apply(entry)
                if any(isinstance(entry.event, Joined) for entry in entries):
                    room.holders = dict(await self.store.holders(game))
                if entries:
                    self._show(room)
                    self._go_on(room, THINK_ELSEWHERE_SECONDS)
        except PentagridError as error:
            log.warning("a game could not be read", extra={"game": game, "why": str(error)})

    async def presence_changed(self, game: str, entered: bool) -> None:
        """Say here and elsewhere who is connected."""
        self.connections.broadcast(game, self.connections.presence(game))
        if self.store.shared:
            await self._announce_presence(game, asks=entered)

    async def _announce_presence(self, game: str, asks: bool) -> None:
        count = self.connections.count_here(game)
        try:
            await self.store.announce(self._announcement("presence", game, count=count, asks=asks))
        except StoreError as error:
            log.warning("presence could not be announced", extra={"game": game, "why": str(error)})

    async def _announce_all(self) -> None:
        """Say again who is connected here: the people of a process that no longer says so are taken as gone."""
        for game in self.connections.games():
            await self._announce_presence(game, asks=False)
            self.connections.broadcast(game, self.connections.presence(game))


def _new_room(new: NewGame) -> Room:
    holders = {holder: frozenset(seats) for holder, seats in new.holders.items()}
    return Room(new.id, new.created, Terms(**new.terms), holders)


def events_message(room: Room, entries: list[dict[str, Any]]) -> str:
    """The message that tells what happened and how the game stands after it."""
    head = json.dumps({"type": "events", "now": time.time(), "events": entries}, ensure_ascii=False)
    return f'{head[:-1]}, "state": {room.snapshot}}}'
