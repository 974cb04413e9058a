"""The live connections to games, here and in the other processes, and the messages that wait for them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable
from typing import Any

MOST_WAITING = 256
"""Messages that may wait for one connection; a slower one is cut off and can resume."""
FORGET_SECONDS = 40.0
"""After so long without news from another process its people are taken as gone."""


class Subscriber:
    """One connection, with the messages that wait for it."""

    def __init__(self, seats: frozenset[int]) -> None:
        self.seats = seats
        self.messages: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)
        self.cut_off = False

    def send(self, message: str) -> None:
        """Queue a message; a connection that does not keep up is cut off."""
        if self.cut_off:
            return
        if self.messages.qsize() >= MOST_WAITING - 1:
            self.cut_off = True
            self.messages.put_nowait(None)
        else:
            self.messages.put_nowait(message)


class Connections:
    """All connections of this process, and how many the other processes have."""

    def __init__(self) -> None:
        self._here: dict[str, set[Subscriber]] = {}
        self._elsewhere: dict[str, dict[str, tuple[list[int], float]]] = {}

    def enter(self, game: str, subscriber: Subscriber) -> None:
        """Add a connection to a game."""
        self._here.setdefault(game, set()).add(subscriber)

    def leave(self, game: str, subscriber: Subscriber) -> None:
        """Remove a connection from a game."""
        subscribers = self._here.get(game, set())
        subscribers.discard(subscriber)
        if not subscribers:
            self._here.pop(game, None)
            self._elsewhere.pop(game, None)

    def has(self, game: str) -> bool:
        """Is anybody connected to this game here?"""
        return game in self._here

    def games(self) -> Iterable[str]:
        """The games somebody is connected to here."""
        return tuple(self._here)

    def broadcast(self, game: str, message: str) -> None:
        """Send a message to everybody at a game."""
        for subscriber in self._here.get(game, ()):
            subscriber.send(message)

    def count_here(self, game: str) -> list[int]:
        """The number of connections of this process: of spectators, of seat 1, of seat 2."""
        count = [0, 0, 0]
        for subscriber in self._here.get(game, ()):
            for seat in subscriber.seats or (0,):
                count[seat] += 1
        return count

    def count(self, game: str) -> list[int]:
        """The number of connections of all processes, in the same order."""
        total = self.count_here(game)
        alive = time.monotonic() - FORGET_SECONDS
        for count, heard in self._elsewhere.get(game, {}).values():
            if heard > alive:
                total = [a + b for a, b in zip(total, count, strict=True)]
        return total

    def note_elsewhere(self, game: str, server: str, count: list[int]) -> None:
        """Note how many are connected to another process."""
        if self.has(game):
            self._elsewhere.setdefault(game, {})[server] = count, time.monotonic()

    def presence(self, game: str) -> str:
        """The message that says who is connected."""
        return json.dumps({"type": "presence", "connected": self.connected(game)})

    def connected(self, game: str) -> dict[str, Any]:
        """Whether each player is connected, and how many spectators are."""
        spectators, one, two = self.count(game)
        return {"players": [one > 0, two > 0], "spectators": spectators}
