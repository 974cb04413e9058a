"""Visitors: each is known by a token of 256 random bits, of which only the hash is stored.

A browser gets its token as a cookie that no script and no other site can use; other programs send it as
`Authorization: Bearer TOKEN`.
"""

from __future__ import annotations

import hashlib
import re
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from pentagrid.web.http_errors import TokenError

COOKIE = "pentagrid"
COOKIE_SECONDS = 400 * 86400
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
GAME_ID = re.compile(r"[A-Za-z0-9_-]{16}")


def new_token() -> str:
    """A fresh token: 256 bits, safe in a link."""
    return secrets.token_urlsafe(32)


def new_game_id() -> str:
    """A fresh id for a game: 96 random bits, so that nobody finds a game without its link."""
    return secrets.token_urlsafe(12)


def hashed(token: str) -> str:
    """What the store keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_of(request: HTTPConnection) -> str | None:
    """The visitor's token, or None if they have none yet. Raises `TokenError` if the one given cannot be a token."""
    given = request.headers.get("authorization")
    if given is not None:
        scheme, _, token = given.partition(" ")
        if scheme.lower() != "bearer" or not TOKEN.fullmatch(token):
            raise TokenError("Authorization must be 'Bearer TOKEN', with a token of 43 letters, digits, - and _.")
        return token
    cookie = request.cookies.get(COOKIE)
    return cookie if cookie is not None and TOKEN.fullmatch(cookie) else None


def holder_of(request: HTTPConnection) -> str | None:
    """The hash of the visitor's token, under which seats are kept."""
    token = token_of(request)
    return None if token is None else hashed(token)


def hand_over(response: Response, token: str, secure: bool) -> None:
    """Give a browser its token."""
    response.set_cookie(COOKIE, token, COOKIE_SECONDS, httponly=True, samesite="strict", secure=secure, path="/")
