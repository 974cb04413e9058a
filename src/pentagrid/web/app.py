"""The ASGI application: pages, API and live events around one store."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from pentagrid import __version__
from pentagrid.errors import GameOverError, PentagridError, UnreadableError
from pentagrid.web import logs
from pentagrid.web.api import analysis_routes, game_routes, health_routes, puzzle_routes, websocket
from pentagrid.web.http_errors import BadRequestError, NoSuchPageError, WebError, WrongMethodError
from pentagrid.web.lanes.analysis_service import AnalysisService
from pentagrid.web.lanes.lane import Lanes
from pentagrid.web.middleware import LimitsMiddleware
from pentagrid.web.pages import page_routes, preview_routes
from pentagrid.web.pages.static_files import FOLDER, HASHED, PLAIN, KeptFiles
from pentagrid.web.rooms.connections import Connections
from pentagrid.web.rooms.hosted_policies import HostedPolicies
from pentagrid.web.rooms.registry import Rooms
from pentagrid.web.settings import Settings
from pentagrid.web.store.interface import open_store

STATUS: dict[type[PentagridError], int] = {UnreadableError: 400, GameOverError: 409}
"""The HTTP status of the library's errors; 422 for all others."""
SMALLEST_COMPRESSED = 600
"""Shorter responses fit one packet anyway."""
log = logging.getLogger("pentagrid.app")


def make_app(settings: Settings) -> FastAPI:
    """The application for these settings. It opens nothing before it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        lanes = Lanes.of(settings)
        policies = HostedPolicies(settings.policies)
        rooms = Rooms(open_store(settings.database), Connections(), lanes, settings.keep_seconds, policies)
        analyst = AnalysisService(rooms, lanes, settings.analysis_seconds)
        app.state.rooms, app.state.analyst = rooms, analyst
        await rooms.open()
        log.info("started", extra={"database": rooms.store.name, "version": __version__})
        try:
            yield
        finally:
            await analyst.close()
            await rooms.close()
            await lanes.close()
            log.info("stopped")

    app = FastAPI(
        title="Pentagrid",
        version=__version__,
        description="Five small two-player grid games: play, watch and analyze.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    for routes in (game_routes, analysis_routes, puzzle_routes, health_routes, websocket, preview_routes, page_routes):
        app.include_router(routes.router)
    app.mount(HASHED, KeptFiles(directory=FOLDER), name="kept")
    app.mount(PLAIN, StaticFiles(directory=FOLDER), name="static")
    app.add_exception_handler(PentagridError, _problem)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_middleware(GZipMiddleware, minimum_size=SMALLEST_COMPRESSED, compresslevel=6)
    app.add_middleware(LimitsMiddleware, settings=settings)
    return app


def from_environment() -> FastAPI:
    """The application of a worker process."""
    settings = Settings.from_environment()
    logs.set_up(settings.log_level)
    return make_app(settings)


def _answer(request: Request, error: PentagridError) -> Response:
    """An error as a page for a browser that looks at one, else as JSON."""
    statuses = (status for error_class, status in STATUS.items() if isinstance(error, error_class))
    status = error.status if isinstance(error, WebError) else next(statuses, 422)
    if page_routes.wants_page(request):
        return page_routes.problem_page(request, status, str(error))
    headers = {"retry-after": "2"} if status == 503 else {}
    return JSONResponse({"code": error.code, "message": str(error)}, status, headers)


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, PentagridError)
    return _answer(request, error)


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, PentagridError):  # the message already says what must hold
        return _answer(request, cause)
    where = ".".join(str(part) for part in first["loc"])
    return _answer(request, BadRequestError(f"{where}: {first['msg']}"))


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == NoSuchPageError.status:
        return _answer(request, NoSuchPageError(f"There is nothing at {request.url.path[:200]}."))
    if error.status_code == WrongMethodError.status:
        return _answer(request, WrongMethodError(str(error.detail)))
    return _answer(request, BadRequestError(str(error.detail)))
