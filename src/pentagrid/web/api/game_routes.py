"""Games over the API: create, join, move, resign, take back, play again."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from pentagrid.core.catalog import find, game_names
from pentagrid.errors import NotAllowedError, OptionError, shown
from pentagrid.web.api import game_models as models
from pentagrid.web.api.route_helpers import JSON, PROBLEMS, GameId, identify, json_text, name_or_nothing, rooms_of
from pentagrid.web.http_errors import InvitationError, NoSuchGameError, SeatError
from pentagrid.web.identity import TOKEN, hashed, holder_of, new_token, token_of
from pentagrid.web.rooms.creation import invitation_link, new_game, play_link
from pentagrid.web.rooms.events import Event, Moved, Resigned, UndoAsked, Undone, UndoRefused
from pentagrid.web.rooms.registry import Rooms
from pentagrid.web.rooms.room import Room

MOST_GAMES, LONGEST_IDS = 20, 1000

router = APIRouter(prefix="/api", responses=PROBLEMS)


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
async def create(request: Request, response: Response, asked: models.GameRequest) -> models.CreatedGame:
    """Create a game. You hold the seats you ask for; the invitation is a link for the seat that is open."""
    invitation = new_token()
    terms, new = new_game(asked, identify(request, response), invitation, rooms_of(request).policies)
    await rooms_of(request).create(new)
    link = invitation_link(new.id, invitation) if terms.open_seats else None
    return models.CreatedGame(id=new.id, play=play_link(new.id), watch=play_link(new.id), invitation=link)


@router.get("/games", response_model=models.GamesView)
async def several(request: Request, ids: Annotated[str, Query(max_length=LONGEST_IDS)]) -> Response:
    """Several games as they stand, as you see them, by their ids with commas between; unknown ones are left out."""
    wanted = list(dict.fromkeys(filter(None, ids.split(","))))
    if len(wanted) > MOST_GAMES:
        raise OptionError(f"{len(wanted)} games are too many at once; ask for at most {MOST_GAMES}.")
    rooms, holder, views = rooms_of(request), holder_of(request), []
    for game in wanted:
        with suppress(NoSuchGameError):
            views.append(view(rooms, await rooms.get(game), holder))
    return Response(f'{{"games": [{", ".join(views)}]}}', media_type=JSON)


@router.get("/games/{game}", response_model=models.GameView)
async def state(request: Request, game: GameId) -> Response:
    """A game as it stands, as you see it."""
    room = await rooms_of(request).get(game)
    token = token_of(request)
    response = Response(media_type=JSON)
    if token is None and request.headers.get("sec-fetch-site") == "same-origin":
        identify(request, response)
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
        "connected": rooms.connections.connected(room.id),
    }
    return f'{json_text(head)[:-1]}, "state": {room.snapshot}}}'


def _invitation(text: str) -> str:
    """The hash of an invitation. Raises `InvitationError` for what cannot be one."""
    if not TOKEN.fullmatch(text):
        raise InvitationError(f"{shown(text)} is not an invitation: the link has been cut short.")
    return hashed(text)


@router.post("/games/{game}/invitation")
async def look_at_invitation(request: Request, game: GameId, asked: models.InvitationRequest) -> models.JoinedData:
    """The seat that an invitation gives, as long as it can be used; this does not use it."""
    rooms = rooms_of(request)
    await rooms.get(game)
    return models.JoinedData(seat=await rooms.invited(game, _invitation(asked.invitation)))


@router.post("/games/{game}/join")
async def join(request: Request, response: Response, game: GameId, asked: models.JoinRequest) -> models.JoinedData:
    """Take the seat of an invitation; it can be used once."""
    invitation = _invitation(asked.invitation)
    holder = identify(request, response)
    seat = await rooms_of(request).join(game, holder, invitation, name_or_nothing(asked.name))
    return models.JoinedData(seat=seat)


@router.post("/games/{game}/link", status_code=201)
async def link(request: Request, game: GameId, asked: models.LinkRequest) -> models.LinkData:
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
async def move(request: Request, game: GameId, asked: models.MoveRequest) -> models.Receipt:
    """Make a move. It is acknowledged once it has been committed."""

    def choose(room: Room, seats: frozenset[int]) -> Event:
        mover = room.match.position.mover
        if room.outcome is None and mover not in seats:
            raise SeatError(f"It is {room.names[mover - 1]}'s turn.")
        position = room.match.position
        action = position.game.action(asked.move, position)
        return Moved(mover, position.game.texts[action], action)

    return models.Receipt(revision=await rooms_of(request).act(game, holder_of(request), asked.revision, choose))


@router.post("/games/{game}/resign")
async def resign(request: Request, game: GameId, asked: models.RevisionRequest) -> models.Receipt:
    """Give up; with both seats at one screen, for the one whose turn it is."""

    def choose(room: Room, seats: frozenset[int]) -> Event:
        mover = room.match.position.mover
        return Resigned(mover if mover in seats else min(seats))

    return models.Receipt(revision=await rooms_of(request).act(game, holder_of(request), asked.revision, choose))


@router.post("/games/{game}/undo")
async def undo(request: Request, game: GameId, asked: models.RevisionRequest) -> models.Receipt:
    """Take back a move: at once at one screen or against the computer, else the other player is asked."""

    def choose(room: Room, seats: frozenset[int]) -> Event:
        must_ask = room.people and len(seats) == 1
        return UndoAsked(min(seats)) if must_ask else Undone(min(seats))

    return models.Receipt(revision=await rooms_of(request).act(game, holder_of(request), asked.revision, choose))


@router.post("/games/{game}/undo/answer")
async def answer_undo(request: Request, game: GameId, asked: models.UndoAnswerRequest) -> models.Receipt:
    """Grant or refuse the other player's wish to take back a move."""

    def choose(room: Room, seats: frozenset[int]) -> Event:
        if room.undo_asked is None:
            raise NotAllowedError("Nobody has asked to take back a move.")
        if room.undo_asked in seats:
            raise SeatError("You cannot grant your own wish.")
        return Undone(room.undo_asked) if asked.grant else UndoRefused(min(seats))

    return models.Receipt(revision=await rooms_of(request).act(game, holder_of(request), asked.revision, choose))


@router.post("/games/{game}/rematch")
async def rematch(request: Request, game: GameId, asked: models.RevisionRequest) -> models.RematchData:
    """A new deal with the seats swapped; if there is one already, your seat in it."""
    new = await rooms_of(request).rematch(game, holder_of(request), asked.revision)
    return models.RematchData(id=new, play=play_link(new))


@router.get("/games/{game}/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def record(request: Request, game: GameId) -> Response:
    """The record file of a game."""
    room = await rooms_of(request).get(game)
    name = f"{room.terms.date}-{room.match.start.game.name}.pentagrid"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(room.record(), media_type="text/plain; charset=utf-8", headers=headers)
