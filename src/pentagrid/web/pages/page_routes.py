"""The HTML pages, rendered from `templates/`; the scripts in `static/` make them work."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, select_autoescape
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.datastructures import URL

from pentagrid import __version__
from pentagrid.core.catalog import find, game_names
from pentagrid.core.rulebook import rules_of
from pentagrid.play.levels import LEVELS
from pentagrid.puzzles.grades import DIFFICULTIES
from pentagrid.puzzles.puzzle import why_no_puzzles
from pentagrid.web.api.models import SeedGiven
from pentagrid.web.pages.board_svg import sample

ENVIRONMENT = Environment(
    loader=PackageLoader("pentagrid.web.pages"), autoescape=select_autoescape(), trim_blocks=True, lstrip_blocks=True
)
ENVIRONMENT.globals |= {"version": __version__, "levels": LEVELS}

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


def render(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from its template."""
    return HTMLResponse(ENVIRONMENT.get_template(template).render(**values), status)


def wants_page(request: Request) -> bool:
    """Does a browser request a page to show?"""
    api = request.url.path.startswith("/api/") or request.url.path in ("/health", "/openapi.json")
    return request.method == "GET" and not api and "text/html" in request.headers.get("accept", "")


def problem_page(request: Request, status: int, message: str) -> Response:
    """A page that says what is wrong."""
    return render("problem.html", status, message=message)


@lru_cache(maxsize=32)
def introduction(name: str) -> str:
    """The first paragraph of a game's rules."""
    return " ".join(rules_of(name).split("\n\n")[1].split())


@lru_cache(maxsize=32)
def rules_html(name: str) -> Markup:
    """A game's rules as HTML; tables and code blocks can be scrolled by keyboard."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(rules_of(name))
    html = re.sub(r"<pre>", '<pre tabindex="0">', html)
    return Markup(html)


@lru_cache(maxsize=1)
def _games() -> list[dict[str, Any]]:
    return [
        {"name": name, "title": find(name).title, "picture": Markup(sample(name)), "introduction": introduction(name)}
        for name in game_names()
    ]


@router.get("/")
async def start() -> Response:
    return render("start.html", games=_games())


@router.get("/rules/{name}")
async def rules(name: str) -> Response:
    game = find(name)
    return render("rules.html", current=game, games=_games(), rules=rules_html(game.name))


@router.get("/new/{name}")
async def new(name: str) -> Response:
    game = find(name)
    return render("new.html", game=game, picture=Markup(sample(game.name)), introduction=introduction(game.name))


@router.get("/play/{game}")
async def play(game: str) -> Response:
    return render("play.html", game=game)


@router.get("/puzzle")
def puzzle() -> Response:  # in a thread: the first time the games' solvers are loaded
    reasons = {name: why_no_puzzles(find(name)()) for name in game_names()}
    with_puzzles = [find(name) for name, reason in reasons.items() if reason is None]
    return render(
        "puzzle.html", games=with_puzzles, reasons=[*filter(None, reasons.values())], difficulties=DIFFICULTIES
    )


@router.get("/analyze")
async def analyze() -> Response:
    return render("analyze.html", games=_games())


@router.get("/analyze/{name}")
async def analyze_deal(name: str, seed: SeedGiven = None) -> Response:
    """A fresh deal, at the address of its position."""
    position = find(name)().deal(seed)
    return RedirectResponse(str(URL("/analyze").include_query_params(position=position.text)), 303)


@router.get("/api")
async def api_page(request: Request) -> Response:
    openapi = request.app.openapi()
    operations = [
        {"method": method.upper(), "path": path, "what": operation.get("description", "").replace("`", "")}
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    ]
    example = json.dumps({"game": game_names()[0], "seats": [{"kind": "human"}, {"kind": "level:5"}], "you": 1})
    return render("api.html", operations=operations, example=example)
