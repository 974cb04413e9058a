"""The computer players of all games: each thinks in a lane until it is a person's turn."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from pentagrid.errors import GameOverError
from pentagrid.web.http_errors import StaleError, StoreError
from pentagrid.web.lanes import analysis_work
from pentagrid.web.lanes.lane import Lanes, deal_key
from pentagrid.web.rooms.events import ComputerFailed, Moved
from pentagrid.web.rooms.room import Room

if TYPE_CHECKING:
    from pentagrid.web.rooms.registry import Rooms

AGAIN_SECONDS = 1.0
"""The pause before something that failed is tried again."""
MOST_TRIES = 3
"""How often a computer player may fail at one move before it loses the game."""

log = logging.getLogger("pentagrid.rooms")


class ComputerPlayers:
    """Makes the computers' moves."""

    def __init__(self, rooms: Rooms, lanes: Lanes) -> None:
        self._rooms = rooms
        self._lanes = lanes
        self._thinking: set[str] = set()
        """The games in which a computer player is at work."""

    def at_work(self, game: str) -> bool:
        """Is a computer player at work in a game?"""
        return game in self._thinking

    def go_on(self, room: Room, after: float = 0.0) -> None:
        """Let the computer think if it is to move, after so many seconds."""
        if _computer_moves(room) and room.id not in self._thinking:
            self._thinking.add(room.id)
            self._rooms.background.spawn(self._think(room.id, after), f"the computer's turn in {room.id}")

    async def _think(self, game: str, after: float) -> None:
        """Make the computer's moves until it is a person's turn. A computer that fails again and again loses."""
        failures = 0
        try:
            await asyncio.sleep(after)
            while (room := self._rooms.known(game)) is not None and _computer_moves(room):
                try:
                    if failures < MOST_TRIES:
                        await self._make_move(room)
                    else:
                        await self._give_up(room)
                    failures = 0
                except (StaleError, GameOverError):
                    await self._rooms.refresh(game)
                except StoreError as error:
                    log.warning("a computer's move could not be stored", extra={"game": game, "why": str(error)})
                    await asyncio.sleep(AGAIN_SECONDS)
                except Exception:
                    failures += 1
                    log.exception("a computer player failed", extra={"game": game, "failures": failures})
                    await asyncio.sleep(AGAIN_SECONDS)
        finally:
            self._thinking.discard(game)

    async def _make_move(self, room: Room) -> None:
        """Let the computer choose and make one move."""
        match, position, revision = room.match, room.match.position, room.revision
        owner = min(room.holders, default=room.id)
        seat = self._rooms.policies.seated(match.mover)
        action = await self._lanes.for_move(position).run(
            owner, deal_key(position), analysis_work.choose_move, position, seat, match.seed, seat is not match.mover
        )
        move = Moved(position.mover, position.game.texts[action], action)
        async with self._rooms.held(room.id) as room:
            now = time.time()
            room.expect(revision)
            await self._rooms.check_clock(room, now)
            await self._rooms.commit(room, room.happen(move, now))

    async def _give_up(self, room: Room) -> None:
        """The computer loses, as it cannot move."""
        seat, revision = room.match.position.mover, room.revision
        async with self._rooms.held(room.id) as room:
            room.expect(revision)
            await self._rooms.commit(room, room.happen(ComputerFailed(seat), time.time()))


def _computer_moves(room: Room) -> bool:
    return room.outcome is None and not room.match.mover.is_human
