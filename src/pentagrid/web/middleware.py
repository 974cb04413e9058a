"""Checks and limits around all requests: size, rate, origin; the headers of all responses; the log of both."""

from __future__ import annotations

import logging
import socket
import time
from collections import Counter, OrderedDict
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pentagrid.errors import shown
from pentagrid.play.record import LARGEST_FILE
from pentagrid.web.http_errors import HostError, NotJsonError, OriginError, TooLargeError, TooManyError, WebError
from pentagrid.web.pages.page_routes import problem_page, wants_page
from pentagrid.web.settings import Settings

LARGEST_BODY = 1 << 16
LARGEST_RECORD = 2 * LARGEST_FILE
RECORDS = "/api/records"
MOST_ADDRESSES = 10_000
SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
LOCAL_NAMES = ("localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local")
"""What this machine is called at home; nobody outside can give these names another meaning."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

log = logging.getLogger("pentagrid.requests")


class RateLimiter:
    """How many requests each address may still make: `burst` at once, `rate` a second in the long run."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, now: float) -> float:
        """Count one request; returns 0, or how many seconds too early it comes."""
        if not self.rate:
            return 0.0
        left, then = self._left.pop(address, (float(self.burst), now))
        left = min(self.burst, left + (now - then) * self.rate)
        late = 0.0 if left >= 1 else (1 - left) / self.rate
        self._left[address] = (left if late else left - 1), now
        if len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return late


class LimitsMiddleware:
    """The middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.limiter = RateLimiter(settings.rate, settings.burst)
        self.names = frozenset((*LOCAL_NAMES, *settings.names))
        self.most_sockets = settings.sockets
        self.sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 500
        asked, head = scope, scope["method"] == "HEAD"
        if head:  # answered as a GET is, without the body
            scope = {**scope, "method": "GET"}

        async def answer(message: Message) -> None:
            nonlocal status
            if head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-cache" if scope["path"].startswith("/static/") else "no-store")
            await send(message)

        try:
            try:
                self._check_rate(scope)
                check_host(Headers(scope=scope), self.names)
                body = await self._body(scope, receive)
            except WebError as error:
                await _refuse(error, scope, receive, answer)
                return
            await self.app(scope, body, answer)
        finally:
            log.info(
                "request",
                extra={
                    "method": asked["method"],
                    "path": scope["path"],
                    "status": status,
                    "ms": round(1000 * (time.perf_counter() - began), 1),
                    "address": _address(scope),
                },
            )

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = _address(scope)
        try:
            self._check_rate(scope)
            check_host(Headers(scope=scope), self.names)
            check_origin(Headers(scope=scope), needed=False)
            if self.most_sockets and self.sockets[address] >= self.most_sockets:
                raise TooManyError(f"There are {self.most_sockets} live connections from your address already.")
        except WebError as error:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": error.code})
            return
        self.sockets[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]

    def _check_rate(self, scope: Scope) -> None:
        late = self.limiter.take(_address(scope), time.monotonic())
        if late:
            raise TooManyError(f"There are too many requests from your address; try again in {late:.1f} seconds.")

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """The whole body, read. Raises if it is too long, is not JSON, or comes from another site."""
        headers = Headers(scope=scope)
        limit = LARGEST_RECORD if scope["path"] == RECORDS else LARGEST_BODY
        given = headers.get("content-length", "0")
        if given.isdecimal() and int(given) > limit:
            raise TooLargeError(f"A request must have at most {limit} bytes, not {given}.")
        if scope["method"] not in SAFE:
            check_origin(headers, needed=True)
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                raise NotJsonError("A request that changes something must have the content type application/json.")
        parts, length, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                break
            parts.append(message.get("body", b""))
            length += len(parts[-1])
            more = message.get("more_body", False)
            if length > limit:
                raise TooLargeError(f"A request must have at most {limit} bytes.")
        whole: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

        async def again() -> Message:
            return whole.pop() if whole else await receive()

        return again


def check_origin(headers: Headers, needed: bool) -> None:
    """Raise `OriginError` if a browser says that another site's page has sent this."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if needed and site not in (None, "same-origin", "none"):
        raise OriginError("This was sent by a page of another site.")
    if origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        raise OriginError(f"This was sent by a page of {origin[:100]}, not of this server.")


def check_host(headers: Headers, names: frozenset[str]) -> None:
    """Raise `HostError` if a request asks for a name that is not this server's.

    A site can have its own name lead to this address, and its pages would then pass as this server's own.
    """
    host = headers.get("host", "").lower()
    name = host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.rpartition(":")[0] or host
    name = name.removesuffix(".")
    if not name or name in names or name.endswith(".localhost"):
        return
    try:
        ip_address(name)
    except ValueError:
        raise HostError(
            f"This server is not known as {shown(name)}; whoever runs it can add a name with --name."
        ) from None


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "?"


async def _refuse(error: WebError, scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope)
    if wants_page(request):
        response = problem_page(request, error.status, str(error))
    else:
        response = JSONResponse({"code": error.code, "message": str(error)}, error.status)
    if error.status == TooManyError.status:
        response.headers["retry-after"] = "1"
    await response(scope, receive, send)
