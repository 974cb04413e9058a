"""Live events over WebSocket: what happened since a revision, then everything as it happens, and who is connected."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect
from fastapi.websockets import WebSocketState

from pentagrid.errors import PentagridError
from pentagrid.web.api.game_routes import view
from pentagrid.web.background_tasks import Background
from pentagrid.web.identity import holder_of
from pentagrid.web.rooms.connections import Subscriber
from pentagrid.web.rooms.registry import Rooms

TOO_SLOW, REFUSED = 1013, 1008
PONG = '{"type": "pong"}'

router = APIRouter()


@router.websocket("/api/games/{game}/events")
async def events(socket: WebSocket, game: str, since: Annotated[int, Query(ge=0)] = 0) -> None:
    """First `hello` with the game as you see it and what happened after `since`, then `events` and `presence`.

    `ping` is answered with `pong`.
    """
    rooms: Rooms = socket.app.state.rooms
    try:
        holder = holder_of(socket)
        room = await rooms.get(game)
        if holder is not None and room.guarded and not room.seats_of(holder):
            await rooms.store.watch(game, holder)
    except PentagridError as error:
        await socket.accept()
        await socket.send_json({"type": "problem", "code": error.code, "message": str(error)})
        await socket.close(REFUSED, error.code)
        return
    await socket.accept()
    room = await rooms.get(game)
    subscriber = Subscriber(room.seats_of(holder))
    rooms.connections.enter(game, subscriber)
    subscriber.send(view(rooms, room, holder, type="hello", events=room.shown[since : room.public_revision]))
    try:
        await rooms.presence_changed(game, entered=True)
        await _serve(socket, subscriber, rooms.background)
    finally:
        rooms.connections.leave(game, subscriber)
        await rooms.presence_changed(game, entered=False)


async def _serve(socket: WebSocket, subscriber: Subscriber, background: Background) -> None:
    """Send what there is to send until either side ends the connection."""
    sending = background.spawn(_send(socket, subscriber), "sending events")
    receiving = background.spawn(_receive(socket, subscriber), "awaiting the end of a connection")
    try:
        await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        sending.cancel()
        receiving.cancel()
        await asyncio.wait((sending, receiving))


async def _receive(socket: WebSocket, subscriber: Subscriber) -> None:
    """Wait until the other side goes; it may ask whether it is heard, and nothing else."""
    with suppress(WebSocketDisconnect, KeyError):
        while socket.application_state is WebSocketState.CONNECTED:  # sending may find first that it has gone
            if await socket.receive_text() == "ping":
                subscriber.send(PONG)


async def _send(socket: WebSocket, subscriber: Subscriber) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await subscriber.messages.get()) is not None:
            await socket.send_text(message)
        await socket.close(TOO_SLOW, "too slow; connect again")
