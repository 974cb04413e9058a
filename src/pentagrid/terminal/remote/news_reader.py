"""What has happened in a served game, piece by piece, as every front end tells it."""

from __future__ import annotations

from typing import NamedTuple

from pentagrid.core.position import Position
from pentagrid.core.speech import player_names
from pentagrid.play.match import Match
from pentagrid.play.players import HUMAN
from pentagrid.terminal.remote.event_feed import ConnectionLost
from pentagrid.terminal.remote.served_game import ServedGame
from pentagrid.terminal.remote.server_messages import News, Presence

ENDINGS = ("resign", "time")
"""Events that the words about the result tell."""


class MoveHeard(NamedTuple):
    """A move, to be told in the game's words."""

    before: Position
    action: int
    after: Position
    is_last: bool
    """Is this how the board now stands?"""


class TakenBack(NamedTuple):
    """The board is no longer what was told; sentences say why."""

    said: tuple[str, ...]


Telling = str | MoveHeard | TakenBack | ConnectionLost


class NewsReader:
    """Reads the news of one game, each thing once."""

    def __init__(self, game: ServedGame) -> None:
        self.game = game
        self._told: Match = game.now.match
        """The game as it was last told."""
        self._absent = {
            number
            for number, seat in enumerate(game.now.seats, 1)
            if seat.joined and seat.kind == HUMAN and number not in game.you and not game.connected.players[number - 1]
        }
        """The seats whose players have left."""

    def read(self) -> list[Telling] | None:
        """The next thing that has happened; None if there is nothing yet. Raises as `ServedGame.hear`."""
        was_connected, presence = self.game.is_connected, self.game.connected
        heard = self.game.hear()
        if heard is None:
            return None
        if isinstance(heard, ConnectionLost):
            return [heard]
        back: list[Telling] = [] if was_connected else ["The connection is back."]
        return [*back, *self._events(heard), *self._presence(presence)]

    def absences(self) -> list[str]:
        """A sentence about each player who is not there."""
        return [f"{self._name(seat)} is not connected." for seat in sorted(self._absent)]

    def _events(self, news: News) -> list[Telling]:
        """Moves in the game's words, everything else in the server's."""
        if news.game is None:
            return []
        told, now = self._told, news.game.match
        self._told = now
        if any(event.kind == "undo" for event in news.events) or now.actions[: len(told.actions)] != told.actions:
            return [TakenBack(tuple(event.said for event in news.events))]
        actions, position = now.actions[len(told.actions) :], told.position
        tellings: list[Telling] = []
        for event in news.events:
            if event.kind == "move" and actions:
                action = actions.pop(0)
                after = position.play(action)
                tellings.append(MoveHeard(position, action, after, is_last=not actions))
                position = after
            elif event.kind not in (*ENDINGS, "move"):
                tellings.append(event.said)
        return tellings

    def _presence(self, before: Presence) -> list[str]:
        """Sentences about the other players, who come and go."""
        if self.game.now.outcome is not None:
            return []
        told: list[str] = []
        pairs = zip(before.players, self.game.connected.players, strict=True)
        for seat, (was_there, is_there) in enumerate(pairs, 1):
            if was_there == is_there or seat in self.game.you:
                continue
            if not is_there:
                self._absent.add(seat)
                told.append(f"{self._name(seat)} is not connected.")
            elif seat in self._absent:
                self._absent.discard(seat)
                told.append(f"{self._name(seat)} is back.")
        return told

    def _name(self, seat: int) -> str:
        return player_names(self.game.now.match.start.game, self.game.now.names)[seat - 1]
