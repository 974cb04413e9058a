"""Positions and their values over the API: lines of play drawn, record files opened, analyses and reviews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from pentagrid.core.pasted_board import positions_of
from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.speech import player_names
from pentagrid.errors import OptionError, UnreadableError
from pentagrid.play.record import read_record
from pentagrid.web.api import analysis_models as models
from pentagrid.web.api.board_data import described
from pentagrid.web.api.request_fields import LONGEST_POSITION, MOST_MOVES
from pentagrid.web.api.route_helpers import (
    PROBLEMS,
    address_of,
    analysis_service_of,
    json_response,
    json_text,
    name_or_nothing,
    rooms_of,
    while_awaited,
)
from pentagrid.web.game_words import refusals_of
from pentagrid.web.http_errors import ValuesHiddenError
from pentagrid.web.identity import holder_of

NDJSON = "application/x-ndjson"

router = APIRouter(prefix="/api", responses=PROBLEMS)


class PlayedLine(NamedTuple):
    """A line of play: its positions, the first included, and the actions between them."""

    positions: tuple[Position, ...]
    actions: tuple[int, ...]

    @classmethod
    def of(cls, start: Position, moves: Sequence[str | int]) -> PlayedLine:
        """The line of these moves. Raises what `Position.play` raises."""
        positions, actions = [start], []
        with refusals_of(start.game):
            for move in moves:
                actions.append(start.game.action(move, positions[-1]))
                positions.append(positions[-1].play(actions[-1]))
        return cls(tuple(positions), tuple(actions))

    def data(self) -> dict[str, Any]:
        """The line as plain data, every position as it is drawn."""
        start = self.positions[0]
        texts = [start.game.texts[action] for action in self.actions]
        boards = [described(*pair) for pair in zip(self.positions, (None, *self.positions), strict=False)]
        return {"start": start.text, "moves": texts, "boards": boards}


@router.post("/boards", response_model=models.BoardsData)
async def boards(asked: models.LineRequest) -> Response:
    """Every position of a line of play, as it is drawn; no values."""
    return json_response(json_text(PlayedLine.of(read_position(asked.start), asked.moves).data()))


@router.post("/positions")
async def positions(asked: models.TextRequest) -> models.MeantPositions:
    """The positions that a text can mean: a whole position, or a board that several games can have."""
    found = positions_of(asked.text)
    return models.MeantPositions(
        positions=[
            models.MeantData(game=position.game.name, title=position.game.title, position=position.text)
            for position in found
        ]
    )


@router.post("/records", response_model=models.OpenedData)
async def open_record(asked: models.RecordRequest) -> Response:
    """What a record file holds."""
    record = read_record(asked.record)
    match = record.match
    if len(match.actions) > MOST_MOVES:
        raise UnreadableError(f"{len(match.actions)} moves are too many for the page.")
    line = PlayedLine.of(match.start, match.actions).data()
    outcome = None if match.outcome is None else match.outcome._asdict()
    names, kinds = [seat.name for seat in match.seats], [seat.kind for seat in match.seats]
    return json_response(json_text({**line, "names": names, "kinds": kinds, "outcome": outcome, "date": record.date}))


@router.get("/analysis", response_model=models.AnalysisData)
async def analysis(
    request: Request,
    position: Annotated[str, Query(max_length=LONGEST_POSITION)],
    game: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Who wins a position under best play, by how much, and what every move leads to.

    With `game`, the position must be one of that game, and whether you may see values is up to the game.
    """
    asked, analyst = read_position(position), analysis_service_of(request)
    names = player_names(asked.game)
    if game is not None:
        room = await rooms_of(request).get(game)
        if not room.has(asked):
            raise OptionError("The position is not one of this game.")
        if room.guarded and not room.terms.spectator_values:
            raise ValuesHiddenError("Values are hidden while this game is played.")
        names = room.names
    await analyst.allow(holder_of(request), [asked])
    return json_response(await while_awaited(request, analyst.analyze(address_of(request), asked, names)))


@router.post(
    "/review",
    response_model=models.ReviewData,
    responses={200: {"content": {NDJSON: {"schema": {"type": "string"}}}}},
)
async def review(request: Request, asked: models.ReviewRequest) -> Response:
    """Every position of a line of play with its values, and how well each player chose.

    With `Accept: application/x-ndjson` the positions come one by one, a line of JSON each.
    """
    analyst = analysis_service_of(request)
    line = PlayedLine.of(read_position(asked.start), asked.moves)
    await analyst.allow(holder_of(request), line.positions)
    one, two = map(name_or_nothing, asked.names)
    names = player_names(line.positions[0].game, (one, two))
    stream = analyst.review(address_of(request), line.positions, line.actions, names)
    if NDJSON in request.headers.get("accept", ""):
        # Compressed, lines would wait until there are many.
        return StreamingResponse(stream.lines(), media_type=NDJSON, headers={"content-encoding": "identity"})
    return json_response(await while_awaited(request, stream.whole()))
