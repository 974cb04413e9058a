"""Addresses as people pass them on: of a server, and links to a game on one."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from pentagrid.errors import OptionError, shown

PORTS = {"http": 80, "https": 443}
EXAMPLE = "http://127.0.0.1:8000"
GAME_PATH = re.compile(r"/play/([A-Za-z0-9_-]{16})")
SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
"""The form of a token and of an invitation."""


class ServerAddress(NamedTuple):
    """A server: how and where it is reached."""

    scheme: str
    host: str
    port: int

    @property
    def secure(self) -> bool:
        return self.scheme == "https"

    @property
    def place(self) -> str:
        """Host and port, as a request names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.place}"


class GameLink(NamedTuple):
    """A game on a server, and the invitation to a seat if there is one."""

    server: ServerAddress
    game: str
    invitation: str | None = None

    def __str__(self) -> str:
        return f"{self.server}/play/{self.game}" + (f"#{self.invitation}" if self.invitation else "")


def read_server(text: str) -> ServerAddress:
    """The server at an address. Raises `OptionError` saying what an address must be."""
    parts = _split(text, f"A server's address must be like {EXAMPLE}")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise OptionError(f"A server's address must have no path, like {EXAMPLE}, not {shown(text, 80)}.")
    return _server(parts, text)


def read_link(text: str) -> GameLink:
    """The game that a link leads to. Raises `OptionError` saying what a link must be."""
    must = f"A link must be like {EXAMPLE}/play/GAME, as the server gives it"
    parts = _split(text, must)
    path = GAME_PATH.fullmatch(parts.path)
    if path is None or parts.query:
        raise OptionError(f"{must}, not {shown(text, 80)}.")
    if parts.fragment and not SECRET.fullmatch(parts.fragment):
        raise OptionError("The invitation behind # must have 43 letters: this link has been cut short or changed.")
    return GameLink(_server(parts, text), path[1], parts.fragment or None)


def _split(text: str, must: str) -> SplitResult:
    try:
        parts = urlsplit(text.strip())
    except ValueError:  # brackets that hold no address
        raise OptionError(f"{must}, not {shown(text, 80)}.") from None
    if parts.scheme not in PORTS or not parts.netloc:
        raise OptionError(f"{must}: it must begin with http:// or https://, unlike {shown(text, 80)}.")
    return parts


def _server(parts: SplitResult, text: str) -> ServerAddress:
    try:
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port or PORTS[parts.scheme]
    except ValueError:  # of a name that cannot be, or a port that is no number
        host, port = "", 0
    if not re.fullmatch(r"[a-z0-9.:_-]+", host) or "@" in parts.netloc:
        raise OptionError(f"{shown(text, 80)} does not name a host, or one with a port from 1 to 65535.")
    return ServerAddress(parts.scheme, host, port)
