"""What the routes share: the parts of the application, who asks, and answers in JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import Path, Request, Response
from pydantic import BaseModel

from pentagrid.play.match import check_name
from pentagrid.web.http_errors import GoneError
from pentagrid.web.identity import hand_over, hashed, new_token, token_of
from pentagrid.web.lanes.analysis_service import AnalysisService
from pentagrid.web.rooms.registry import Rooms

T = TypeVar("T")


class ProblemData(BaseModel):
    """An error: a code for programs, a sentence for people."""

    code: str
    message: str


PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": ProblemData} for code in (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
}
JSON = "application/json"
GameId = Annotated[str, Path(max_length=100)]


def rooms_of(request: Request) -> Rooms:
    """The games of the application."""
    rooms: Rooms = request.app.state.rooms
    return rooms


def analysis_service_of(request: Request) -> AnalysisService:
    """The application's access to values."""
    analyst: AnalysisService = request.app.state.analyst
    return analyst


def address_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else "?"


async def while_awaited(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is canceled if the visitor goes away meanwhile. Raises `GoneError` then."""
    waiting = asyncio.current_task()
    assert waiting is not None

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        waiting.cancel()

    watching = rooms_of(request).background.spawn(watch(), "waiting with a visitor")
    try:
        return await work
    except asyncio.CancelledError:
        if watching.done() and not waiting.uncancel():
            raise GoneError("The visitor has gone; nobody waits for this.") from None
        raise
    finally:
        watching.cancel()


def identify(request: Request, response: Response) -> str:
    """The holder who asks; a browser that has no token yet is given one."""
    token = token_of(request)
    if token is None:
        token = new_token()
        hand_over(response, token, request.url.scheme == "https")
    return hashed(token)


def name_or_nothing(name: str) -> str:
    """A player's name, checked, or nothing if it is blank. Raises `OptionError`."""
    return check_name(name) if name.strip() else ""


def json_text(data: dict[str, Any]) -> str:
    """Data as JSON."""
    return json.dumps(data, ensure_ascii=False)


def json_response(text: str) -> Response:
    """A response of what is JSON already."""
    return Response(text, media_type=JSON)
