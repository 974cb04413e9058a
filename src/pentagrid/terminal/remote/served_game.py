"""A game on a server, played or watched from here: sitting down, acting, and hearing what happens.

    game = ServedGame.join(read_link(text), name="Bob")
    game.listen(notify)              # `notify` is called by another thread whenever there is something to hear
    while (news := game.hear()) is not None: ...
    game.play("R2C2")

Requests wait for the server's answer; what they change is heard like everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from pentagrid.errors import OptionError
from pentagrid.terminal.remote.addresses import GAME_PATH, SECRET, GameLink, ServerAddress
from pentagrid.terminal.remote.event_feed import ConnectionLost, EventFeed, FeedEnded
from pentagrid.terminal.remote.seat_keys import SeatKey, SeatKeyFile
from pentagrid.terminal.remote.server_client import BadAnswerError, RefusedError, ServerClient
from pentagrid.terminal.remote.server_messages import GameNow, News, Presence, read_view


class ServedGame:
    """One game on a server as this visitor sees it. Made by `create` and `join`; `close` it in the end."""

    def __init__(self, client: ServerClient, game: str) -> None:
        self._client = client
        self._feed: EventFeed | None = None
        self.link = GameLink(client.server, game)
        """The link for those who watch, and for coming back to the seat."""
        self.invitation: GameLink | None = None
        """The link for the open seat, if it was made here."""
        self.is_connected = True
        """False while the connection is lost and the feed tries to come back."""
        view = self._view()
        assert view.game is not None and view.you is not None and view.connected is not None
        self.now: GameNow = view.game
        self.you: frozenset[int] = view.you
        """The seats that this visitor holds; empty for a spectator."""
        self.connected: Presence = view.connected
        self._told = self.now.revision
        self._heard_at = monotonic()
        self._made = 0
        """The revision that the last request makes of the game."""

    @classmethod
    def create(
        cls, server: ServerAddress, asked: Mapping[str, Any], keys: SeatKeyFile | None = None
    ) -> tuple[ServedGame, GameLink]:
        """Make a game, as the API's `POST /api/games` asks for it; returns it with the link for the open seat.

        Raises `UnreachableError`, `BadAnswerError`, `RefusedError`, and `OptionError` if the seat's key cannot be kept.
        """
        client = ServerClient(server)
        keys = keys or SeatKeyFile()
        keys.read()
        client.token = client.new_token()
        created = client.post("/api/games", asked)
        game = _game_id(client, created)
        invitation = _invitation(client, game, created)
        keys.add(SeatKey(str(server), game, client.token))
        made = cls(client, game)
        made.invitation = invitation
        return made, invitation

    @classmethod
    def join(
        cls,
        link: GameLink,
        name: str | Callable[[], str] = "",
        keys: SeatKeyFile | None = None,
        seat: int | None = None,
    ) -> ServedGame:
        """Come back to a seat that is held here (the newest, unless one is named), else sit down or watch.

        The name is asked for only where it is needed. The key is kept before the seat is taken, so that no crash
        can lose it. Raises as `create`.
        """
        keys = keys or SeatKeyFile()
        known = keys.find(link)
        for key in known:
            game = cls(ServerClient(link.server, key.token), link.game)
            if game.you and (seat is None or seat in game.you):
                return game
        client = ServerClient(link.server)
        if link.invitation is None:
            if seat is not None:
                raise OptionError(f"Seat {seat} of this game is not held here; leave out the seat to watch.")
            return cls(client, link.game)
        if known:  # it was about to be taken, but something came between
            key = known[0]
            client.token = key.token
        else:
            cls(client, link.game)  # a game that is not there is told before a name is asked for
            client.token = client.new_token()
            key = SeatKey(str(link.server), link.game, client.token, link.invitation)
            keys.add(key)
        asked = {"invitation": link.invitation, "name": name if isinstance(name, str) else name()}
        try:
            client.post(f"/api/games/{link.game}/join", asked)
        except RefusedError:
            keys.remove(key)
            raise
        return cls(client, link.game)

    # Hearing --------------------------------------------------------------------------------------------

    def listen(self, notify: Callable[[], None]) -> None:
        """Begin to hear what happens; another thread calls `notify` whenever `hear` has something."""
        self._feed = EventFeed(self._client, self.link.game, self.now.revision, notify)

    def hear(self) -> News | ConnectionLost | None:
        """The next thing that happened, told in the attributes already; None if there is nothing yet.

        Every event comes once. Raises `BadAnswerError` and `RefusedError` if the server has nothing more to say.
        """
        heard = self._feed.take() if self._feed is not None else None
        match heard:
            case FeedEnded(error):
                raise error
            case ConnectionLost():
                self.is_connected = False
            case News():
                self.is_connected = True
                heard = heard._replace(events=tuple(each for each in heard.events if each.revision > self._told))
                self.you = self.you if heard.you is None else heard.you
                self.connected = heard.connected or self.connected
                if heard.game is not None:
                    self.now = heard.game
                    self._told = self.now.revision
                    self._heard_at = monotonic()
        return heard

    def close(self) -> None:
        """Stop listening; the seat stays taken."""
        if self._feed is not None:
            self._feed.close()

    # Looking --------------------------------------------------------------------------------------------

    @property
    def is_my_turn(self) -> bool:
        return self.now.outcome is None and self.now.position.mover in self.you

    @property
    def is_undo_mine_to_answer(self) -> bool:
        """Does the other player ask to take back a move?"""
        return bool(self.you) and self.now.undo_asked is not None and self.now.undo_asked not in self.you

    @property
    def is_under_way(self) -> bool:
        """Has the server taken a request of which nothing has been heard yet?"""
        return self._made > self.now.revision

    @property
    def standing(self) -> object:
        """What a request is made for: whoever sends it again must find this unchanged."""
        return self.now.position, self.now.undo_asked, self.now.outcome

    def time_left(self) -> float | None:
        """Seconds left for this turn by the server's clock; None while no clock runs."""
        left = self.now.time_left
        return None if left is None else max(0.0, left - (monotonic() - self._heard_at))

    # Acting; each raises `UnreachableError`, `BadAnswerError` and `RefusedError`, whose reason is `stale` if the game
    # has gone on ------------------------------------------------------------------------------------------

    def play(self, move: str) -> int:
        """Make a move; returns the revision that it makes of the game."""
        return self._act("moves", move=move)

    def undo(self) -> int:
        """Take back a move, or ask the other player for it; returns the new revision."""
        return self._act("undo")

    def answer_undo(self, grant: bool) -> int:
        """Grant or refuse the other player's wish; returns the new revision."""
        return self._act("undo/answer", grant=grant)

    def resign(self) -> int:
        """Give up; returns the new revision."""
        return self._act("resign")

    def rematch(self, keys: SeatKeyFile | None = None) -> ServedGame:
        """Sit down at the rematch, which is made if there is none yet. Raises as `create`, too."""
        game = _game_id(self._client, self._post("rematch"))
        assert self._client.token is not None, "a spectator"
        (keys or SeatKeyFile()).add(SeatKey(str(self.link.server), game, self._client.token))
        return ServedGame(ServerClient(self.link.server, self._client.token), game)

    def invite(self, seat: int) -> GameLink:
        """A fresh link for the open seat, or for one's own seat on another device."""
        return _invitation(self._client, self.link.game, self._post("link", seat=seat))

    def _act(self, what: str, **more: Any) -> int:
        revision = self._post(what, **more).get("revision")
        if type(revision) is not int:
            raise self._client.strange("it does not say what became of the request")
        self._made = revision
        return revision

    def _post(self, what: str, **more: Any) -> dict[str, Any]:
        return self._client.post(f"/api/games/{self.link.game}/{what}", {"revision": self.now.revision, **more})

    def _view(self) -> News:
        data = self._client.get(f"/api/games/{self.link.game}")
        try:
            return read_view(data)
        except BadAnswerError as error:
            raise self._client.strange(str(error)) from None


def _game_id(client: ServerClient, answer: Mapping[str, Any]) -> str:
    game = answer.get("id")
    if not isinstance(game, str) or not GAME_PATH.fullmatch(f"/play/{game}"):
        raise client.strange("'id' is not that of a game")
    return game


def _invitation(client: ServerClient, game: str, answer: Mapping[str, Any]) -> GameLink:
    """The link for a seat that an answer holds; it leads to this game and to nowhere else."""
    start, _, secret = str(answer.get("invitation")).partition("#")
    if start != f"/play/{game}" or not SECRET.fullmatch(secret):
        raise client.strange("its invitation is not a link to the game")
    return GameLink(client.server, game, secret)
