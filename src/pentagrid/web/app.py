"""The application: an ASGI app of pages, API and events around one store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from pentagrid import __version__
from pentagrid.errors import GameOverError, PentagridError, UnreadableError
from pentagrid.web import logs
from pentagrid.web.api import game_routes as api
from pentagrid.web.api import live_events as events
from pentagrid.web.api import puzzle_routes as puzzles
from pentagrid.web.jobs.analyst import Analyst
from pentagrid.web.jobs.process_pool import ProcessPool
from pentagrid.web.middleware import LimitsMiddleware
from pentagrid.web.pages import page_routes as pages
from pentagrid.web.problems import WebError
from pentagrid.web.rooms.connections import Connections
from pentagrid.web.rooms.registry import Rooms
from pentagrid.web.settings import Settings
from pentagrid.web.store.interface import open_store

STATIC = Path(__file__).parent / "pages" / "static"
STATUS: dict[type[PentagridError], int] = {UnreadableError: 400, GameOverError: 409}
log = logging.getLogger("pentagrid.app")


def make_app(settings: Settings) -> FastAPI:
    """The application for these settings. Nothing is opened before it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        players = ProcessPool(settings.analysts, None)
        analysts = ProcessPool(settings.analysts, settings.queue)
        rooms = Rooms(open_store(settings.database), Connections(), players)
        app.state.rooms = rooms
        app.state.analyst = Analyst(rooms, analysts, settings.analysis_seconds)
        await rooms.open()
        log.info("started", extra={"database": rooms.store.kind, "version": __version__})
        try:
            yield
        finally:
            await rooms.close()
            await asyncio.gather(asyncio.to_thread(players.close), asyncio.to_thread(analysts.close))
            log.info("stopped")

    app = FastAPI(
        title="Pentagrid",
        version=__version__,
        description="Five small two-player grid games: play, watch and analyze.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.include_router(api.router)
    app.include_router(puzzles.router)
    app.include_router(api.health)
    app.include_router(events.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_exception_handler(PentagridError, _problem)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_middleware(LimitsMiddleware, settings=settings)
    return app


def from_environment() -> FastAPI:
    """The application of a worker process."""
    settings = Settings.from_environment()
    logs.set_up(settings.log_level)
    return make_app(settings)


def _answer(request: Request, status: int, code: str, message: str) -> Response:
    if pages.wants_page(request):
        return pages.problem_page(request, status, message)
    headers = {"retry-after": "2"} if status == 503 else {}
    return JSONResponse({"code": code, "message": message}, status, headers)


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, PentagridError)
    known = (status for kind, status in STATUS.items() if isinstance(error, kind))
    status = error.status if isinstance(error, WebError) else next(known, 422)
    return _answer(request, status, error.code, str(error))


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, PentagridError):  # a reader of our own has said what would be right
        return await _problem(request, cause)
    where = ".".join(str(part) for part in first["loc"])
    return _answer(request, 422, "bad-request", f"{where}: {first['msg']}")


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "no-such-page", 405: "no-such-method"}.get(error.status_code, "bad-request")
    message = f"There is nothing at {request.url.path[:200]}." if error.status_code == 404 else str(error.detail)
    return _answer(request, error.status_code, code, message)
