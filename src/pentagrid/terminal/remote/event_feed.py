"""What happens in a served game, as it happens: a WebSocket that comes back by itself and goes on where it was."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from pentagrid.core.rng import fresh_seed
from pentagrid.errors import PentagridError
from pentagrid.terminal.remote.server_client import (
    LARGEST_ANSWER,
    BadAnswerError,
    RefusedError,
    ServerClient,
    clean,
    read_json,
)
from pentagrid.terminal.remote.server_messages import News, read_message

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0
OPEN_SECONDS = 10.0
ALIVE_SECONDS = 15.0
"""How often the server is asked whether it is still there, and how long it may take to say so."""
CLOSE_SECONDS = 1.0
REFUSED, TOO_LARGE = 1008, 1009
PASSING = ("store-unavailable", "busy")
"""Problems of a server that pass."""

log = logging.getLogger("pentagrid.remote")
log.addHandler(logging.NullHandler())
log.propagate = False


class ConnectionLost(NamedTuple):
    """The connection has ended; the feed tries to come back."""


class FeedEnded(NamedTuple):
    """The feed has ended for good."""

    error: PentagridError


Heard = News | ConnectionLost | FeedEnded


class EventFeed:
    """The live messages of one game. A thread listens; `notify` is called there for each thing heard."""

    def __init__(self, client: ServerClient, game: str, since: int, notify: Callable[[], None]) -> None:
        self._client = client
        self._game = game
        self._since = since
        self._notify = notify
        self._heard: SimpleQueue[Heard] = SimpleQueue()
        self._stop = Event()
        self._socket: ClientConnection | None = None
        self._thread = Thread(target=self._run, name=f"events of {game}", daemon=True)
        self._thread.start()

    def take(self) -> Heard | None:
        """The next thing that was heard, or None if there is none yet."""
        try:
            return self._heard.get_nowait()
        except Empty:
            return None

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        if self._socket is not None:
            self._socket.close()
        self._thread.join(CLOSE_SECONDS)

    def _put(self, heard: Heard) -> None:
        if not self._stop.is_set():
            self._heard.put(heard)
            self._notify()

    def _run(self) -> None:
        pause, lost = FIRST_PAUSE, False
        while not self._stop.is_set():
            try:
                if self._listen():
                    pause, lost = FIRST_PAUSE, False
            except PentagridError as error:
                self._put(FeedEnded(error))
                return
            if not lost:
                self._put(ConnectionLost())
            lost = True
            self._stop.wait(pause * (0.75 + fresh_seed() % 512 / 1024))  # not all come back at the same moment
            pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self) -> bool:
        """Pass on what comes until the connection ends; says whether there was one.

        Raises `BadAnswerError` and `RefusedError` if there is no sense in coming back.
        """
        server, heard = self._client.server, False
        address = f"{'wss' if server.secure else 'ws'}://{server.place}/api/games/{self._game}/events"
        try:
            way = socket.create_connection(
                (server.host, server.port), OPEN_SECONDS
            )  # our own: it follows no redirection
            with connect(
                f"{address}?since={self._since}",
                sock=way,
                server_hostname=server.host if server.secure else None,
                additional_headers=self._client.identity(),
                proxy=None,
                open_timeout=OPEN_SECONDS,
                close_timeout=CLOSE_SECONDS,
                ping_interval=ALIVE_SECONDS,
                ping_timeout=ALIVE_SECONDS,
                max_size=LARGEST_ANSWER,
                logger=log,
            ) as self._socket:
                if self._stop.is_set():
                    return heard
                while True:
                    self._hear(self._socket.recv(decode=False))
                    heard = True
        except ConnectionClosed as error:
            if error.sent is not None and error.sent.code == TOO_LARGE:
                raise self._client.strange(f"a message of more than {LARGEST_ANSWER} bytes") from None
            if error.rcvd is not None and error.rcvd.code == REFUSED:
                raise RefusedError("refused", f"The server ends the connection: {clean(error.rcvd.reason)}.") from None
        except (OSError, WebSocketException) as error:
            log.debug("no connection", exc_info=error)
        return heard

    def _hear(self, message: bytes) -> None:
        try:
            data = read_json(message)
            news = read_message(data)
        except BadAnswerError as error:
            raise self._client.strange(str(error)) from None
        if data.get("type") == "problem":
            if data.get("code") in PASSING:
                raise ConnectionError
            raise RefusedError(clean(str(data.get("code"))), clean(str(data.get("message"))))
        if news.game is not None:
            if news.game.revision < self._since:
                return
            self._since = news.game.revision
        self._put(news)
