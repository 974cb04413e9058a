"""The games on servers in which a seat is held from here: how they stand, as far as it is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock, Thread
from time import monotonic
from typing import NamedTuple

from pentagrid.core.speech import speech_for
from pentagrid.errors import PentagridError
from pentagrid.play.players import HUMAN
from pentagrid.terminal.output import clip
from pentagrid.terminal.remote.addresses import GameLink, read_link
from pentagrid.terminal.remote.last_seen import Glimpse, LastSeenFile
from pentagrid.terminal.remote.seat_keys import SeatKey, SeatKeyFile
from pentagrid.terminal.remote.server_client import RefusedError, ServerClient, UnreachableError
from pentagrid.terminal.remote.server_messages import GameNow, read_view

MOST_ASKED = 20
"""Games that are asked about and listed, the newest."""
LONGEST_NAME = 40
"""Columns of a name."""
GONE = "no-such-game"
"""The code of a server's answer about a game that it no longer has."""

SILENT = "the server does not answer"


class HeldGame(NamedTuple):
    """A game in which a seat is held."""

    link: GameLink
    title: str = ""
    """Which game it is; empty while that is not known."""
    rival: str = ""
    """Against whom; empty while that is not known."""
    turn: str = ""
    """Whose turn it is, as the server has just told."""
    is_awaited: bool = False
    """Does somebody wait for a move from here?"""
    is_over: bool = False
    """Is it over, or gone from the server?"""
    trouble: str = ""
    """Why the server has not told how the game stands."""

    def sentence(self) -> str:
        """The game in a line: which, where, whose turn, against whom."""
        which = f"{self.title or 'A game'} on {self.link.server.place}"
        if self.turn and not self.trouble:
            return f"{which}, {self.turn}"
        against = f" against {self.rival}" if self.rival else ""
        return f"{which}{against}; {self.trouble or 'asking the server …'}"


def held_games() -> list[HeldGame]:
    """The games that may still go on, the newest first, as they were last seen. Asks no server.

    Raises as `SeatKeyFile.read`.
    """
    seen = LastSeenFile().read()
    links = [link for link, _ in _links(SeatKeyFile().read())]
    glimpses = [(link, seen.get(str(link), Glimpse())) for link in links]
    return [HeldGame(link, seen.title, seen.rival) for link, seen in glimpses if not seen.over][:MOST_ASKED]


def ask_servers(
    games: Iterable[HeldGame], seconds: float, heard: Callable[[HeldGame], None] | None = None
) -> list[HeldGame]:
    """The same games as they stand now, those in which somebody waits first, those over left out.

    All servers are asked at once, and each game is told to `heard`, on another thread, as soon as it is known. A server
    that has not answered after so many seconds counts as silent. What is heard is kept for the next time. Raises as
    `SeatKeyFile.read`.
    """
    table = _Answers(games, heard)
    by_server: dict[str, list[HeldGame]] = {}
    for game in table.games.values():
        by_server.setdefault(str(game.link.server), []).append(game)
    tokens = dict(_links(SeatKeyFile().read()))
    threads = [Thread(target=table.ask, args=(each, tokens), daemon=True) for each in by_server.values()]
    for thread in threads:
        thread.start()
    deadline = monotonic() + seconds
    for thread in threads:
        thread.join(max(0.0, deadline - monotonic()))
    answers = table.close()
    LastSeenFile().keep({str(game.link): Glimpse(game.title, game.rival, game.is_over) for game in answers})
    return sorted((game for game in answers if not game.is_over), key=lambda game: not game.is_awaited)


class _Answers:
    """What the servers have answered so far; several threads write it."""

    def __init__(self, games: Iterable[HeldGame], heard: Callable[[HeldGame], None] | None) -> None:
        self.games = {game.link: game for game in games}
        self._heard = heard
        self._lock = Lock()
        self._is_closed = False

    def ask(self, games: list[HeldGame], tokens: dict[GameLink, str]) -> None:
        """Ask one server about its games, one after the other; a server that does not answer is asked once."""
        trouble = ""
        for game in games:
            try:
                if not trouble:
                    game = _asked(game, tokens[game.link])
            except UnreachableError:
                trouble = SILENT
            except PentagridError as error:
                trouble = str(error).rstrip(".")
            self._tell(game._replace(trouble=trouble))

    def _tell(self, game: HeldGame) -> None:
        with self._lock:
            if not self._is_closed:
                self.games[game.link] = game
                if self._heard is not None:
                    self._heard(game)

    def close(self) -> list[HeldGame]:
        """The games as they are known now; nothing is added any more."""
        with self._lock:
            self._is_closed = True
            return [
                game if game.turn or game.is_over or game.trouble else game._replace(trouble=SILENT)
                for game in self.games.values()
            ]


def _asked(game: HeldGame, token: str) -> HeldGame:
    client = ServerClient(game.link.server, token)
    try:
        view = read_view(client.get(f"/api/games/{game.link.game}"))
    except RefusedError as error:
        if error.reason != GONE:
            raise
        return game._replace(is_over=True)
    assert view.game is not None and view.you is not None
    return _standing(game.link, view.game, view.you)


def _standing(link: GameLink, now: GameNow, you: frozenset[int]) -> HeldGame:
    """A game as its server has just told it."""
    title, mover = now.match.start.game.title, now.position.mover
    names = speech_for(now.match.start.game, now.names).both_names()
    seats = [
        clip(name if seat.kind == HUMAN else f"the computer ({seat.kind})", LONGEST_NAME)
        for name, seat in zip(names, now.seats, strict=True)
    ]
    others = [seat for seat in (1, 2) if seat not in you]
    rival = seats[others[0] - 1] if len(others) == 1 else ""
    number = f"move {len(now.match.actions) + 1}"
    alone = bool(rival) and not now.seats[others[0] - 1].joined
    if alone:
        turn = f"{'your move, ' if mover in you else ''}nobody has taken the other seat yet"
    elif mover not in you:
        turn = f"{seats[mover - 1]} to move, {number}"
    else:
        turn = f"your move against {rival}, {number}" if rival else f"{seats[mover - 1]} to move, {number}"
    return HeldGame(link, title, rival, turn, mover in you and not alone, now.outcome is not None or not you)


def _links(keys: Iterable[SeatKey]) -> Iterable[tuple[GameLink, str]]:
    """The games that there are keys to, the newest first, each with its newest token."""
    links: dict[GameLink, str] = {}
    for key in reversed(tuple(keys)):
        links.setdefault(read_link(f"{key.server}/play/{key.game}"), key.token)
    return links.items()
