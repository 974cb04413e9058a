"""The HTML pages, rendered from `templates/`; the scripts in `static/` make them work."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, select_autoescape
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.datastructures import URL

from pentagrid import __version__
from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.position_reader import restore
from pentagrid.core.rulebook import rules_of
from pentagrid.core.speech import speech_for
from pentagrid.errors import OptionError
from pentagrid.play.levels import LEVEL_NAMES, LEVELS
from pentagrid.puzzles.grades import DIFFICULTIES
from pentagrid.puzzles.puzzle import why_no_puzzles
from pentagrid.web.api.request_fields import SeedGiven
from pentagrid.web.api.route_helpers import GameId, rooms_of
from pentagrid.web.http_errors import NoSuchPageError
from pentagrid.web.pages import preview_routes as previews
from pentagrid.web.pages.board_svg import drawn, sample
from pentagrid.web.pages.static_files import HASHED, with_digest

ENVIRONMENT = Environment(
    loader=PackageLoader("pentagrid.web.pages"), autoescape=select_autoescape(), trim_blocks=True, lstrip_blocks=True
)
ENVIRONMENT.globals |= {"version": __version__, "levels": list(zip(LEVELS, LEVEL_NAMES, strict=True))}

MANIFEST = {
    "name": "Pentagrid",
    "short_name": "Pentagrid",
    "description": "Five small two-player games on a grid, exactly solved.",
    "id": "/",
    "start_url": "/",
    "scope": "/",
    "display": "standalone",
    "background_color": "#f6f4ee",
    "theme_color": "#10151d",
    "icons": [
        {"src": f"{HASHED}/icon.svg", "type": "image/svg+xml", "sizes": "any"},
        {"src": f"{HASHED}/icon-192.png", "type": "image/png", "sizes": "192x192"},
        {"src": f"{HASHED}/icon-512.png", "type": "image/png", "sizes": "512x512"},
        {"src": f"{HASHED}/icon-maskable-512.png", "type": "image/png", "sizes": "512x512", "purpose": "maskable"},
    ],
}

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


def render(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from its template."""
    return HTMLResponse(with_digest(ENVIRONMENT.get_template(template).render(**values)), status)


def wants_page(request: Request) -> bool:
    """Does a browser request a page to show?"""
    api = request.url.path.startswith("/api/") or request.url.path in ("/health", "/openapi.json")
    return request.method == "GET" and not api and "text/html" in request.headers.get("accept", "")


def problem_page(request: Request, status: int, message: str) -> Response:
    """A page that says what is wrong."""
    return render("problem.html", status, message=message, games=_games())


@lru_cache(maxsize=32)
def introduction(name: str) -> str:
    """The first paragraph of a game's rules."""
    return " ".join(rules_of(name).split("\n\n")[1].split())


TERMINAL_WORDS = (
    (re.compile(r",? (?:for example|set|also) (?:with|as)\s+`(?:pentagrid |--)[^`]*`"), ""),
    (re.compile(r"`--\w+ (\w+)`"), r"`\1`"),
)
"""What the rules say to those who type commands, and what the pages say instead."""
BLOCK = re.compile(r"<pre><code>.*?</code></pre>", re.S)


@lru_cache(maxsize=32)
def rules_html(name: str) -> Markup:
    """A game's rules as HTML, with its boards drawn; tables can be scrolled by keyboard."""
    text = rules_of(name)
    for words, instead in TERMINAL_WORDS:
        text = words.sub(instead, text)
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    kind = find(name)
    examples = iter(speech_for(kind()).examples)

    def picture(block: re.Match[str]) -> str:
        example = next(examples, None)
        if example is None:
            return block[0].replace("<pre>", '<pre tabindex="0">')
        return f'<figure class="example">{drawn(restore(kind, example.split()), edges=True)}</figure>'

    return Markup(BLOCK.sub(picture, html))


@lru_cache(maxsize=1)
def _games() -> list[dict[str, Any]]:
    """The games, easier ones first."""
    games = sorted(map(find, game_names()), key=lambda game: (game.learning_place, game.title))
    return [
        {
            "name": game.name,
            "title": game.title,
            "picture": Markup(sample(game.name)),
            "sentence": game.sentence or introduction(game.name),
        }
        for game in games
    ]


@router.get("/")
async def start() -> Response:
    return render("start.html", games=_games())


def _page_of(name: str) -> type[Game]:
    """The game that an address names. Raises `NoSuchPageError`."""
    try:
        return find(name)
    except OptionError as error:
        raise NoSuchPageError(str(error)) from error


@router.get("/rules")
async def first_rules() -> Response:
    return RedirectResponse(f"/rules/{_games()[0]['name']}", 303)


@router.get("/rules/{name}")
async def rules(name: str) -> Response:
    game = _page_of(name)
    return render("rules.html", current=game, games=_games(), rules=rules_html(game.name))


@router.get("/new/{name}")
async def new(request: Request, name: str) -> Response:
    game = _page_of(name)
    taught = rooms_of(request).policies.offered(game)
    return render(
        "new.html", game=game, picture=Markup(sample(game.name)), introduction=introduction(game.name), taught=taught
    )


@router.get("/play/{game}")
async def play(request: Request, game: GameId) -> Response:
    room = await rooms_of(request).get(game)
    return render("play.html", game=game, preview=previews.of_game(request, room))


@router.get("/puzzle")
def puzzle(request: Request) -> Response:  # in a thread: the first time the games' solvers are loaded
    reasons = {name: why_no_puzzles(find(name)()) for name in game_names()}
    with_puzzles = [find(name) for name, reason in reasons.items() if reason is None]
    return render(
        "puzzle.html",
        games=with_puzzles,
        reasons=[*filter(None, reasons.values())],
        difficulties=DIFFICULTIES,
        preview=previews.of_puzzle(request),
    )


@router.get("/games")
async def games() -> Response:
    return render("games.html")


@router.get("/analyze")
async def analyze(request: Request, position: str = "", moves: str = "", at: str = "", game: str = "") -> Response:
    preview = previews.of_position(request, position, moves, at) if position else None
    if game:
        preview = previews.of_game(request, await rooms_of(request).get(game))
    opened = not request.query_params.keys().isdisjoint(("position", "game", "kept"))
    return render("analyze.html", games=_games(), preview=preview, opened=opened)


@router.get("/manifest.webmanifest")
async def manifest() -> Response:
    """What a browser needs to install the site as an app."""
    return JSONResponse(MANIFEST, media_type="application/manifest+json")


@router.get("/analyze/{name}")
async def analyze_deal(name: str, seed: SeedGiven = None) -> Response:
    """A fresh deal, at the address of its position."""
    position = _page_of(name)().deal(seed)
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
