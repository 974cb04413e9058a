"""Requests to a server, one at a time: JSON there, JSON back; everything that comes is checked before it is used."""

from __future__ import annotations

import json
import ssl
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from time import monotonic
from typing import Any, ClassVar

from pentagrid.errors import PentagridError
from pentagrid.play.match import JOINER
from pentagrid.terminal.output import escape_controls
from pentagrid.terminal.remote.addresses import SECRET, ServerAddress

LARGEST_ANSWER = 1 << 20
"""Bytes; the largest game that can be played needs a fraction of it."""
ANSWER_SECONDS = 10.0
"""How long a server may be silent, and how long an answer may take in all."""
LONGEST_SENTENCE = 400


class UnreachableError(PentagridError):
    """The server did not answer. Whether it has done what it was asked is not known."""

    code = "unreachable"


class BadAnswerError(PentagridError):
    """What came is nothing that a Pentagrid server says."""

    code = "bad-answer"


class RefusedError(PentagridError):
    """The server refused a request, in its own words."""

    code = "refused"

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        """The server's code, such as `stale`."""


class ServerClient:
    """A server as one visitor sees it, known to it by a token; without one, as somebody who looks on."""

    headers: ClassVar[Mapping[str, str]] = {"Content-Type": "application/json", "Accept": "application/json"}

    def __init__(self, server: ServerAddress, token: str | None = None) -> None:
        self.server = server
        self.token = token

    def identity(self) -> dict[str, str]:
        """The header that says who asks."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str) -> dict[str, Any]:
        """The answer to a question. Raises `UnreachableError`, `BadAnswerError`, `RefusedError`."""
        return self._ask("GET", path, None)

    def post(self, path: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request that changes something. Raises as `get`."""
        return self._ask("POST", path, json.dumps(data))

    def new_token(self) -> str:
        """A token that nobody else has. Raises as `get`."""
        token = self.post("/api/tokens", {}).get("token")
        if not isinstance(token, str) or not SECRET.fullmatch(token):
            raise self.strange("it gave no token")
        return token

    def strange(self, why: str) -> BadAnswerError:
        """An error that says what is wrong with what the server sent."""
        return BadAnswerError(f"{self.server} does not answer like a Pentagrid server of this version: {why}.")

    def _ask(self, method: str, path: str, body: str | None) -> dict[str, Any]:
        try:
            status, content = self._exchange(method, path, body)
        except ssl.SSLCertVerificationError as error:
            raise UnreachableError(f"{self.server} has no valid certificate: {clean(error.verify_message)}.") from None
        except HTTPException as error:
            raise self.strange(f"{type(error).__name__} instead of an HTTP answer") from None
        except OSError as error:
            why = "it took too long" if isinstance(error, TimeoutError) else clean(error.strerror or str(error))
            raise UnreachableError(f"{self.server} cannot be reached: {why}.") from None
        if len(content) > LARGEST_ANSWER:
            raise self.strange(f"an answer of more than {LARGEST_ANSWER} bytes")
        try:
            data = read_json(content)
        except BadAnswerError as error:
            raise self.strange(f"status {status}, {error}") from None
        if not 200 <= status < 300:
            code, message = data.get("code"), data.get("message")
            if not isinstance(code, str) or not isinstance(message, str):
                raise self.strange(f"status {status} without a reason")
            raise RefusedError(clean(code), clean(message))
        return data

    def _exchange(self, method: str, path: str, body: str | None) -> tuple[int, bytes]:
        kind = HTTPSConnection if self.server.secure else HTTPConnection
        connection = kind(self.server.host, self.server.port, timeout=ANSWER_SECONDS)
        try:
            headers = {**self.headers, **self.identity(), "Host": self.server.place}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content, deadline = b"", monotonic() + ANSWER_SECONDS
            while len(content) <= LARGEST_ANSWER and (more := answer.read1(65536)):
                content += more
                if monotonic() > deadline:
                    raise TimeoutError
            return answer.status, content
        finally:
            connection.close()


def clean(text: str) -> str:
    """What a server says, safe to show: one line, control characters escaped, cut to a length."""
    return JOINER.join(escape_controls(part, LONGEST_SENTENCE) for part in text[: LONGEST_SENTENCE + 1].split(JOINER))


def read_json(content: str | bytes) -> dict[str, Any]:
    """The object in a text of JSON. Raises `BadAnswerError` saying what is wrong."""
    try:
        data = json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BadAnswerError("what it sent is not JSON") from None
    if not isinstance(data, dict):
        raise BadAnswerError("what it sent is not a JSON object")
    return data


def _no_number(word: str) -> None:
    raise ValueError(word)
