"""The JSON API: the one that the page uses and that other programs can use."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from pentagrid import __version__
from pentagrid.core.catalog import find, game_names
from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.speech import player_names
from pentagrid.errors import NotAllowedError, OptionError, UnreadableError, shown
from pentagrid.play.match import check_name
from pentagrid.play.record import read_record
from pentagrid.web.api import models
from pentagrid.web.api.board_data import described
from pentagrid.web.api.models import ProblemData
from pentagrid.web.identity import TOKEN, hand_over, hashed, holder_of, new_token, token_of
from pentagrid.web.jobs.analyst import Analyst
from pentagrid.web.problems import InvitationError, SeatError, ValuesHiddenError
from pentagrid.web.rooms.creation import invitation_link, new_game, play_link, rematch_of
from pentagrid.web.rooms.registry import Rooms
from pentagrid.web.rooms.room import Room

PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": ProblemData} for code in (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
}
JSON = "application/json"
GameId = Annotated[str, Path(max_length=100)]

router = APIRouter(prefix="/api", responses=PROBLEMS)


def rooms_of(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


def analyst_of(request: Request) -> Analyst:
    analyst: Analyst = request.app.state.analyst
    return analyst


def _identify(request: Request, response: Response) -> str:
    """The holder that asks; a browser that has no token yet is given one."""
    token = token_of(request)
    if token is None:
        token = new_token()
        hand_over(response, token, request.url.scheme == "https")
    return hashed(token)


def _json(text: str) -> Response:
    return Response(text, media_type=JSON)


def _name(name: str) -> str:
    return check_name(name) if name.strip() else ""


# The games there are ------------------------------------------------------------------------------------


@router.get("/kinds")
async def kinds() -> list[models.GameOffer]:
    """The games that can be played, with their sizes and rule options."""
    return [
        models.GameOffer(
            name=kind.name,
            title=kind.title,
            sizes=list(kind.sizes),
            default_size=kind.default_size,
            has_numbers=kind.has_numbers,
            rules=[models.RuleData(**rule._asdict() | {"values": list(rule.values)}) for rule in kind.offered_rules],
            notation=kind().notation.words,
        )
        for kind in map(find, game_names())
    ]


@router.post("/tokens")
async def make_token() -> models.TokenData:
    """A token for a program: it holds the seats that are taken with `Authorization: Bearer TOKEN`."""
    return models.TokenData(token=new_token())


# Playing ------------------------------------------------------------------------------------------------


@router.post("/games", status_code=201)
async def create(request: Request, response: Response, asked: models.GameAsked) -> models.CreatedGame:
    """Create a game. You hold the seats you ask for; the invitation is a link for the seat that is open."""
    invitation = new_token()
    terms, new = new_game(asked, _identify(request, response), invitation)
    await rooms_of(request).create(new)
    link = invitation_link(new.id, invitation) if terms.open_seats else None
    return models.CreatedGame(id=new.id, play=play_link(new.id), watch=play_link(new.id), invitation=link)


@router.get("/games/{game}", response_model=models.GameView)
async def state(request: Request, game: GameId) -> Response:
    """A game as it stands, as you see it."""
    room = await rooms_of(request).get(game)
    token = token_of(request)
    response = Response(media_type=JSON)
    if token is None and request.headers.get("sec-fetch-site") == "same-origin":
        _identify(request, response)
    response.body = view(request.app.state.rooms, room, None if token is None else hashed(token)).encode()
    response.headers["content-length"] = str(len(response.body))
    return response


def view(rooms: Rooms, room: Room, holder: str | None, **more: Any) -> str:
    """A game as one visitor sees it."""
    seats = room.seats_of(holder)
    head = {
        **more,
        "now": time.time(),
        "you": sorted(seats),
        "values": not room.guarded or (not seats and room.terms.spectator_values),
        "connected": rooms.hub.connected(room.id),
    }
    return f'{_dump(head)[:-1]}, "state": {room.snapshot}}}'


def _dump(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


@router.post("/games/{game}/join")
async def join(request: Request, response: Response, game: GameId, asked: models.JoinAsked) -> models.JoinedData:
    """Take the seat of an invitation; it can be used once."""
    if not TOKEN.fullmatch(asked.invitation):
        raise InvitationError(f"{shown(asked.invitation)} is not an invitation: the link has been cut short.")
    holder = _identify(request, response)
    seat = await rooms_of(request).join(game, holder, hashed(asked.invitation), _name(asked.name))
    return models.JoinedData(seat=seat)


@router.post("/games/{game}/link", status_code=201)
async def link(request: Request, game: GameId, asked: models.LinkAsked) -> models.LinkData:
    """A fresh link for the seat that is still open, or one for your own seat on another device; it can be used once."""
    rooms = rooms_of(request)
    room = await rooms.get(game)
    seats = room.seats_of(holder_of(request))
    if not seats:
        raise SeatError("You hold no seat in this game.")
    room.expect(asked.revision)
    if not room.is_open(asked.seat) and seats != {asked.seat}:
        raise SeatError(f"Seat {asked.seat} is neither open nor yours alone.")
    invitation = new_token()
    await rooms.store.invite(game, asked.seat, hashed(invitation))
    return models.LinkData(invitation=invitation_link(game, invitation))


@router.post("/games/{game}/moves")
async def move(request: Request, game: GameId, asked: models.MoveAsked) -> models.Receipt:
    """Make a move. It is acknowledged once it has been committed."""

    def choose(room: Room, seats: frozenset[int]) -> tuple[str, Any]:
        mover = room.match.position.mover
        if room.outcome is None and mover not in seats:
            raise SeatError(f"It is {room.names[mover - 1]}'s turn.")
        action = room.match.start.game.action(asked.move)
        return "move", {"seat": mover, "move": room.match.start.game.texts[action]}

    return models.Receipt(revision=await rooms_of(request).act(game, holder_of(request), asked.revision, choose))


@router.post("/games/{game}/resign")
async def resign(request: Request, game: GameId, asked: models.AtRevision) -> models.Receipt:
    """Give up; with both seats at one screen, for the one whose turn it is."""

    def choose(room: Room, seats: frozenset[int]) -> tuple[str, Any]:
        mover = room.match.position.mover
        return "resign", {"seat": mover if mover in seats else min(seats)}

    return models.Receipt(revision=await rooms_of(request).act(game, holder_of(request), asked.revision, choose))


@router.post("/games/{game}/undo")
async def undo(request: Request, game: GameId, asked: models.AtRevision) -> models.Receipt:
    """Take back a move: at once at one screen or against the computer, else the other player is asked."""

    def choose(room: Room, seats: frozenset[int]) -> tuple[str, Any]:
        asks = room.people and len(seats) == 1
        return ("undo-asked" if asks else "undo"), {"seat": min(seats)}

    return models.Receipt(revision=await rooms_of(request).act(game, holder_of(request), asked.revision, choose))


@router.post("/games/{game}/undo/answer")
async def answer_undo(request: Request, game: GameId, asked: models.AnswerAsked) -> models.Receipt:
    """Grant or refuse the other player's wish to take back a move."""

    def choose(room: Room, seats: frozenset[int]) -> tuple[str, Any]:
        if room.undo_asked is None:
            raise NotAllowedError("Nobody has asked to take back a move.")
        if room.undo_asked in seats:
            raise SeatError("You cannot grant your own wish.")
        return ("undo", {"seat": room.undo_asked}) if asked.grant else ("undo-refused", {"seat": min(seats)})

    return models.Receipt(revision=await rooms_of(request).act(game, holder_of(request), asked.revision, choose))


@router.post("/games/{game}/rematch")
async def rematch(request: Request, game: GameId, asked: models.AtRevision) -> models.RematchData:
    """A new deal with the seats swapped; if there is one already, your seat in it."""
    rooms, holder = rooms_of(request), holder_of(request)
    room = await rooms.get(game)
    if holder is None or not room.seats_of(holder):
        raise SeatError("You hold no seat in this game.")
    if room.rematch is None:
        room.expect(asked.revision)
        if room.outcome is None:
            raise NotAllowedError("The game is not over yet.")
        if room.waiting:
            raise NotAllowedError("Nobody has taken the other seat.")
        new = rematch_of(room, holder)
        await rooms.create(new)
        await rooms.act(game, holder, asked.revision, lambda *_: ("rematch", {"game": new.id}))
        return models.RematchData(id=new.id, play=play_link(new.id))
    await rooms.sit(room.rematch, holder)
    return models.RematchData(id=room.rematch, play=play_link(room.rematch))


@router.get("/games/{game}/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def record(request: Request, game: GameId) -> Response:
    """The record file of a game."""
    room = await rooms_of(request).get(game)
    name = f"{room.terms.date}-{room.match.start.game.name}.pentagrid"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(room.record(), media_type="text/plain; charset=utf-8", headers=headers)


# Looking at positions -----------------------------------------------------------------------------------


def _played(start: Position, moves: Sequence[str]) -> list[Position]:
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions


def _boards(positions: list[Position], moves: Sequence[str]) -> dict[str, Any]:
    game = positions[0].game
    texts = [game.texts[game.action(move)] for move in moves]
    return {"start": positions[0].text, "moves": texts, "boards": [described(position) for position in positions]}


@router.post("/boards", response_model=models.BoardsData)
async def boards(asked: models.LineAsked) -> Response:
    """Every position of a line of play, as it is drawn; no values."""
    return _json(_dump(_boards(_played(read_position(asked.start), asked.moves), asked.moves)))


@router.post("/records", response_model=models.OpenedData)
async def open_record(asked: models.RecordAsked) -> Response:
    """What a record file holds."""
    found = read_record(asked.record)
    match = found.match
    if len(match.actions) > models.MOST_MOVES:
        raise UnreadableError(f"{len(match.actions)} moves are too many for the page.")
    line = _boards(_played(match.start, match.moves), match.moves)
    outcome = None if match.outcome is None else match.outcome._asdict()
    names, kinds = [seat.name for seat in match.seats], [seat.kind for seat in match.seats]
    return _json(_dump({**line, "names": names, "kinds": kinds, "outcome": outcome, "date": found.date}))


@router.get("/analysis", response_model=models.AnalysisData)
async def analysis(
    request: Request,
    position: Annotated[str, Query(max_length=models.LONGEST_POSITION)],
    game: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Who wins a position under best play, by how much, and what every move leads to.

    With `game`, the position must be one of that game, and whether you may see values is up to the game.
    """
    asked, analyst = read_position(position), analyst_of(request)
    names = player_names(asked.game)
    if game is not None:
        room = await rooms_of(request).get(game)
        if not room.concerns(asked):
            raise OptionError("The position is not one of this game.")
        if room.guarded and not room.terms.spectator_values:
            raise ValuesHiddenError("Values are hidden while this game is played.")
        names = room.names
    await analyst.allow(holder_of(request), [asked])
    return _json(await analyst.analyze(asked, names))


@router.post("/review", response_model=models.ReviewData)
async def review(request: Request, asked: models.ReviewAsked) -> Response:
    """Every position of a line of play with its values, and how well each player chose."""
    start, analyst = read_position(asked.start), analyst_of(request)
    positions = _played(start, asked.moves)
    await analyst.allow(holder_of(request), positions)
    one, two = (_name(name) or default for name, default in zip(asked.names, player_names(start.game), strict=True))
    actions = tuple(start.game.action(move) for move in asked.moves)
    return _json(await analyst.review(start, actions, (one, two)))


health = APIRouter(responses=PROBLEMS)


@health.get("/health")
async def look_healthy(request: Request) -> models.HealthData:
    """Is the server alive, and does its database answer?"""
    store = rooms_of(request).store
    await store.ping()
    return models.HealthData(status="ok", version=__version__, database=store.kind)
