"""What a link shows in a message: title, description, a picture of the board; nothing that its page does not show."""

from __future__ import annotations

import json
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request, Response

from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.speech import player_names
from pentagrid.errors import PentagridError
from pentagrid.web.api.puzzle_routes import TODAY, Named, posed, today
from pentagrid.web.api.request_fields import LONGEST_POSITION, MOST_MOVES
from pentagrid.web.api.route_helpers import GameId, address_of, analysis_service_of, rooms_of, while_awaited
from pentagrid.web.rooms.room import Room

PNG = "image/png"
PICTURE_HEADERS = {"cache-control": "public, max-age=300", "cross-origin-resource-policy": "cross-origin"}
PUZZLE_WORDS = "One move is best, and it is not the one that looks best."

router = APIRouter(include_in_schema=False, prefix="/preview")


class Preview(NamedTuple):
    """What the head of a page says about it to whoever shows a link to it."""

    title: str
    description: str
    image: str
    """The address of the picture."""


# Pictures -----------------------------------------------------------------------------------------------


async def _picture(request: Request, position: Position, words: str) -> Response:
    picture = await while_awaited(request, analysis_service_of(request).picture(address_of(request), position, words))
    return Response(picture, media_type=PNG, headers=PICTURE_HEADERS)


@router.get("/play/{game}.png")
async def game_picture(request: Request, game: GameId) -> Response:
    room = await rooms_of(request).get(game)
    return await _picture(request, room.match.position, _standing(room.match.position))


@router.get("/position.png")
async def position_picture(request: Request, position: Annotated[str, Query(max_length=LONGEST_POSITION)]) -> Response:
    asked = read_position(position)
    return await _picture(request, asked, _standing(asked))


@router.get("/puzzle.png")
async def puzzle_picture(request: Request, name: Named) -> Response:
    board = json.loads(await posed(request, name))["board"]
    return await _picture(request, read_position(board["position"]), PUZZLE_WORDS)


def _standing(position: Position) -> str:
    """Whose turn it is, by the names that the game gives its players."""
    if not position.turn:
        return "The game is over."
    return f"{player_names(position.game)[position.mover - 1]} to move."


# What pages say of themselves ---------------------------------------------------------------------------


def _image(request: Request, path: str, **query: str) -> str:
    return str(request.url.replace(path=f"/preview/{path}", query="", fragment="").include_query_params(**query))


def of_game(request: Request, room: Room) -> Preview:
    """A game, or an invitation to one."""
    game = room.match.start.game
    size, seconds = f"{game.size}x{game.size}", room.terms.turn_seconds
    clock = f", {seconds:g} seconds a turn" if seconds is not None else ""
    image = _image(request, f"play/{room.id}.png")
    open_seats = [seat for seat in (1, 2) if room.is_open(seat)]
    if open_seats:
        host = room.names[2 - open_seats[0]]
        words = f"A game of {game.title}, {size}{clock}. Open the link to sit down."
        return Preview(f"{host} invites you to {game.title}", words, image)
    one, two = room.names
    return Preview(f"{game.title}: {one} – {two}", f"{room.sentence()} {size}{clock}.", image)


def of_position(request: Request, text: str, moves: str, at: str) -> Preview | None:
    """A position of a line of play, as the address of the analysis names it; None if it names none."""
    try:
        position = read_position(text[:LONGEST_POSITION])
        made = [move for move in moves.split(";") if move][:MOST_MOVES]
        for move in made[: int(at)] if at.isdecimal() else made:
            position = position.play(move)
    except PentagridError:
        return None
    image = _image(request, "position.png", position=position.text)
    words = f"{_standing(position)} Who should win, and by how much?"
    return Preview(f"{position.game.title}: a position", words, image)


def of_puzzle(request: Request) -> Preview | None:
    """The puzzle that the address names, or today's; None if it names none for good."""
    query = dict(request.query_params) or {"daily": today().isoformat()}
    if "daily" in query:
        title = "The puzzle of the day" if query["daily"] == TODAY else f"The puzzle of {query['daily'][:10]}"
    elif "seed" in query:
        title = f"A puzzle: {query.get('game', '')[:100].replace('-', ' ').title()}".removesuffix(": ")
    else:
        return None
    return Preview(title, PUZZLE_WORDS, _image(request, "puzzle.png", **query))
