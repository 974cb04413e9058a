"""The games that are alive in this process: acted on one at a time, kept before anyone hears of it, shown to all."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

from pentagrid.errors import GameOverError, PentagridError
from pentagrid.web.identity import GAME_ID
from pentagrid.web.jobs import analysis_jobs as work
from pentagrid.web.jobs.process_pool import ProcessPool
from pentagrid.web.problems import BusyError, InvitationError, NoSuchGameError, SeatError, StaleError, StoreError
from pentagrid.web.rooms.connections import Connections
from pentagrid.web.rooms.room import Room, Terms
from pentagrid.web.store.interface import Claim, Event, NewGame, Store

MOST_IDLE = 1000
"""Games kept in memory though nobody is connected."""
THINK_ELSEWHERE_SECONDS = 8.0
"""How long another process is given to make the computer's move."""
AGAIN_SECONDS = 1.0
PRESENCE_SECONDS = 15.0

log = logging.getLogger("pentagrid.rooms")


class Rooms:
    """Loads, changes and shows games."""

    def __init__(self, store: Store, hub: Connections, players: ProcessPool) -> None:
        self.store = store
        self.hub = hub
        self._players = players
        self._rooms: dict[str, Room] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sent: dict[str, int] = {}
        """The revision up to which those who are connected have heard of each game."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = secrets.token_hex(8)

    async def open(self) -> None:
        """Connect to the store and set the clocks of all unfinished games going.

        If no server was running, turns that were interrupted begin anew with their full time.
        """
        alone = await self.store.open(self._notice)
        for game in await self.store.running_clocks():
            async with self._held(game) as room:
                if alone and room.deadline is not None:
                    await self._commit(room, room.happen("resume", {}, time.time()))
        if self.store.shared:
            self._spawn(self._tell_presence())

    async def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        tasks = [*self._tasks, *self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.store.close()

    # Looking --------------------------------------------------------------------------------------------

    async def get(self, game: str) -> Room:
        """A game as it stands. Raises `NoSuchGameError`."""
        room = self._rooms.get(game)
        if room is None:
            async with self._held(game) as room:
                return room
        return room

    @asynccontextmanager
    async def _held(self, game: str) -> AsyncIterator[Room]:
        """A game that nobody else changes meanwhile. If it could not be kept as changed, it is read again next time."""
        if not GAME_ID.fullmatch(game):
            raise NoSuchGameError("There is no such game; look at the link again.")
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            room = self._rooms.get(game)
            if room is None:
                stored = await self.store.load(game)
                if stored is None:
                    raise NoSuchGameError("There is no such game; look at the link again.")
                room = self._rooms[game] = Room.restored(stored)
                self._show(room)
                self._go_on(room)
                self._make_space()
            try:
                yield room
            except BaseException:
                if room.revision != room.public_revision:
                    self._forget(game)
                    if self.hub.has(game):
                        self._spawn(self._load(game))
                raise

    def _make_space(self) -> None:
        """Forget games that nobody looks at, the longest known first."""
        if len(self._rooms) > MOST_IDLE:
            for game, room in list(self._rooms.items()):
                busy = game in self._locks or game in self._thinking or self.hub.has(game)
                if not busy and room.deadline is None:
                    self._forget(game)
                    self._sent.pop(game, None)
                    if len(self._rooms) <= MOST_IDLE:
                        break

    def _forget(self, game: str) -> None:
        self._rooms.pop(game, None)
        if game in self._timers:
            self._timers.pop(game).cancel()

    # Acting ---------------------------------------------------------------------------------------------

    async def create(self, new: NewGame) -> Room:
        """Keep a new game and set it going."""
        holders = {holder: frozenset(seats) for holder, seats in new.holders.items()}
        room = Room(new.id, new.created, Terms(**new.terms), holders)
        await self.store.create(new._replace(over=room.outcome is not None))
        self._rooms[new.id] = room
        self._show(room)
        self._go_on(room)
        self._make_space()
        return room

    async def act(
        self, game: str, holder: str | None, revision: int, choose: Callable[[Room, frozenset[int]], tuple[str, Any]]
    ) -> int:
        """Let a visitor do something that he chooses in sight of the room; returns the new revision.

        Raises `SeatError`, `StaleError`, and what the rules raise.
        """
        async with self._held(game) as room:
            seats = room.seats_of(holder)
            if not seats:
                raise SeatError("You hold no seat in this game.")
            await self._check_clock(room)
            room.expect(revision)
            kind, data = choose(room, seats)
            await self._commit(room, room.happen(kind, data, time.time()))
            return room.revision

    async def join(self, game: str, holder: str, invitation: str, name: str) -> int:
        """Give a visitor the seat of an invitation; returns the seat. Raises `InvitationError`, `SeatError`."""
        async with self._held(game) as room:
            seat = await self.store.invited(game, invitation)
            if seat is None:
                raise InvitationError("This link gives no seat: it is not of this game, or has been used already.")
            if room.seats_of(holder):
                raise SeatError("You sit at this game already; the link is for someone else.")
            event = room.happen("join", {"seat": seat, "name": name}, time.time())
            await self._commit(room, event, Claim(invitation, holder, seat))
            return seat

    async def sit(self, game: str, holder: str) -> None:
        """A visitor has come to a seat that he holds already, as in a rematch."""
        async with self._held(game) as room:
            for seat in room.seats_of(holder) & room.waiting:
                await self._commit(room, room.happen("join", {"seat": seat, "name": ""}, time.time()))

    async def _commit(self, room: Room, event: Event, claim: Claim | None = None) -> None:
        """Keep what happened, then show it."""
        if claim is not None:
            held = room.holders.get(claim.holder, frozenset())
            room.holders[claim.holder] = held | {claim.seat}
        announcement = self._announcement(
            "event", room.id, revision=event.revision, clock=room.terms.turn_seconds is not None
        )
        await self.store.append(room.id, event, announcement, over=room.outcome is not None, claim=claim)
        self._show(room)
        self._go_on(room)

    def _show(self, room: Room) -> None:
        """Show a game as it now stands in the store to all who are connected, with what they have not heard yet."""
        room.publish()
        news = room.shown[self._sent.get(room.id, room.revision) :]
        self._sent[room.id] = room.revision
        if news and self.hub.has(room.id):
            self.hub.broadcast(room.id, events_message(room, news))

    # The clock and the computer -------------------------------------------------------------------------

    def _go_on(self, room: Room, think_after: float = 0.0) -> None:
        """Set the timer of the turn, and let the computer think if it is to move."""
        if room.id in self._timers:
            self._timers.pop(room.id).cancel()
        deadline = room.deadline
        if deadline is not None:
            loop = asyncio.get_running_loop()
            delay = max(0.0, deadline - time.time())
            self._timers[room.id] = loop.call_later(delay, lambda: self._spawn(self._ring(room.id)))
        if self._computer_moves(room) and room.id not in self._thinking:
            task = asyncio.create_task(self._think(room.id, think_after))
            self._thinking[room.id] = task

    async def _ring(self, game: str) -> None:
        """A turn's time may be up."""
        try:
            async with self._held(game) as room:
                if room.deadline is not None:
                    try:
                        await self._check_clock(room)
                    except GameOverError:
                        return
                    self._go_on(room)
        except StaleError:
            await self._catch_up(game)
        except StoreError as error:
            log.warning("a turn's end could not be kept", extra={"game": game, "why": str(error)})
            await asyncio.sleep(AGAIN_SECONDS)
            self._spawn(self._ring(game))

    async def _check_clock(self, room: Room) -> None:
        """End the game if the turn's time is up. Raises `GameOverError` then."""
        if room.deadline is not None and time.time() >= room.deadline:
            await self._commit(room, room.time_out())
            raise GameOverError(f"The turn's time was up. {room.sentence()}")

    async def _think(self, game: str, after: float) -> None:
        """Make the computer's moves until it is a person's turn."""
        try:
            await asyncio.sleep(after)
            while (room := self._rooms.get(game)) is not None and self._computer_moves(room):
                try:
                    await self._make_move(room)
                except (StaleError, GameOverError):
                    await self._catch_up(game)
                except (BusyError, StoreError) as error:
                    log.warning("a computer's move could not be made", extra={"game": game, "why": str(error)})
                    await asyncio.sleep(AGAIN_SECONDS)
        finally:
            self._thinking.pop(game, None)

    @staticmethod
    def _computer_moves(room: Room) -> bool:
        return room.outcome is None and not room.match.mover.is_human

    async def _make_move(self, room: Room) -> None:
        """Let the computer choose and make one move."""
        position, revision, match = room.match.position, room.revision, room.match
        deal = (position.game, position.numbers)
        action = await self._players.run(deal, work.choose_move, position, match.seats, match.seed)
        async with self._held(room.id) as room:
            room.expect(revision)
            await self._check_clock(room)
            move = {"seat": position.mover, "move": position.game.texts[action]}
            await self._commit(room, room.happen("move", move, time.time()))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Other processes ------------------------------------------------------------------------------------

    def _announcement(self, kind: str, game: str, **more: Any) -> str:
        return json.dumps({"kind": kind, "from": self._server, "game": game, **more})

    async def _notice(self, payload: str) -> None:
        """Another process has said something; an empty word means that some may have been missed."""
        if not payload:
            for game in set(self._rooms):
                self._spawn(self._catch_up(game))
            return
        message = json.loads(payload)
        game = message["game"]
        if message["from"] == self._server:
            return
        if message["kind"] == "event":
            room = self._rooms.get(game)
            if room is None and (message["clock"] or self.hub.has(game)):
                self._spawn(self._load(game))
            elif room is not None and room.revision < message["revision"]:
                self._spawn(self._catch_up(game))
        elif message["kind"] == "presence":
            before = self.hub.connected(game)
            self.hub.hear(game, message["from"], message["count"])
            if self.hub.has(game) and self.hub.connected(game) != before:
                self.hub.broadcast(game, self.hub.presence(game))
            if message["asks"] and self.hub.has(game):
                await self._announce_presence(game, asks=False)

    async def _load(self, game: str) -> None:
        try:
            await self.get(game)
        except PentagridError as error:
            log.warning("a game could not be read", extra={"game": game, "why": str(error)})

    async def _catch_up(self, game: str) -> None:
        """Read what others have added to a game, and show it."""
        if game not in self._rooms:
            return
        try:
            async with self._held(game) as room:
                events = await self.store.since(game, room.revision)
                for event in events:
                    room.apply(event)
                if any(event.kind == "join" for event in events):
                    room.holders = dict(await self.store.holders(game))
                if events:
                    self._show(room)
                    self._go_on(room, THINK_ELSEWHERE_SECONDS)
        except StoreError as error:
            log.warning("a game could not be read on", extra={"game": game, "why": str(error)})

    async def presence_changed(self, game: str, entered: bool) -> None:
        """Say here and elsewhere who is connected."""
        self.hub.broadcast(game, self.hub.presence(game))
        if self.store.shared:
            await self._announce_presence(game, asks=entered)

    async def _announce_presence(self, game: str, asks: bool) -> None:
        count = self.hub.count_here(game)
        try:
            await self.store.announce(self._announcement("presence", game, count=count, asks=asks))
        except StoreError as error:
            log.warning("presence could not be announced", extra={"game": game, "why": str(error)})

    async def _tell_presence(self) -> None:
        """Say again now and then who is connected here, so that the people of a dead process are forgotten."""
        while True:
            await asyncio.sleep(PRESENCE_SECONDS)
            for game in self.hub.games():
                await self._announce_presence(game, asks=False)
                self.hub.broadcast(game, self.hub.presence(game))


def events_message(room: Room, events: list[dict[str, Any]]) -> str:
    """The message that tells what happened and how the game stands after it."""
    head = json.dumps({"type": "events", "now": time.time(), "events": events}, ensure_ascii=False)
    return f'{head[:-1]}, "state": {room.snapshot}}}'
