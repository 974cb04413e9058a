"""The forms of requests and answers about games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue

from pentagrid.core.catalog import game_names
from pentagrid.core.rng import MAX_SEED
from pentagrid.play.match import MAX_TURN_SECONDS
from pentagrid.play.players import HUMAN, KINDS
from pentagrid.web.api.board_models import BoardData, OutcomeData, TouchData
from pentagrid.web.api.request_fields import (
    LONGEST_POSITION,
    ClientRequest,
    Moves,
    MoveText,
    Name,
    PositionText,
    Revision,
)

SEATS: JsonValue = [HUMAN, *(choice for kind in KINDS.values() for choice in kind.choices)]


class SeatRequest(ClientRequest):
    kind: str = Field(default=HUMAN, max_length=40, json_schema_extra={"enum": SEATS})
    name: Name = ""


class GameRequest(ClientRequest):
    """A game to be created: a deal of a game, or play from a position."""

    game: str | None = Field(
        default=None,
        max_length=100,
        json_schema_extra={"enum": [*game_names(), None]},
        description="needed unless there is a position",
    )
    position: PositionText | None = Field(
        default=None,
        description="the text of a position to play on from, instead of game, size, rules and board",
    )
    size: int | None = Field(default=None, ge=1, le=100)
    rules: dict[str, Annotated[str, Field(max_length=100)]] = Field(default={}, max_length=20)
    board: str | None = Field(
        default=None, max_length=LONGEST_POSITION, description="numbers row by row; else the seed deals"
    )
    moves: Moves = Field(default=[], description="moves that are made already")
    seed: int | None = Field(default=None, ge=0, le=MAX_SEED)
    seats: list[SeatRequest] = Field(default=[SeatRequest(), SeatRequest()], min_length=2, max_length=2)
    you: Literal[1, 2, "both"] = Field(default="both", description="the seat you take; both: two people at one screen")
    turn_seconds: float | None = Field(default=None, ge=0.001, le=MAX_TURN_SECONDS, allow_inf_nan=False)
    spectator_values: bool = Field(default=False, description="may spectators see values while people play?")


class InvitationRequest(ClientRequest):
    invitation: str = Field(max_length=100)


class JoinRequest(InvitationRequest):
    name: Name = ""


class MoveRequest(ClientRequest):
    move: MoveText
    revision: Revision


class RevisionRequest(ClientRequest):
    revision: Revision


class LinkRequest(RevisionRequest):
    seat: Literal[1, 2]


class UndoAnswerRequest(ClientRequest):
    grant: bool
    revision: Revision


class RuleData(BaseModel):
    name: str
    values: list[str]
    meaning: str


class GameOffer(BaseModel):
    """A game that can be played."""

    name: str
    title: str
    sizes: list[int]
    default_size: int
    has_numbers: bool
    rules: list[RuleData]
    notation: str


class SeatData(BaseModel):
    name: str
    kind: str
    joined: bool
    open: bool = Field(description="can somebody new take this seat?")


class GameState(BaseModel):
    """A game as everybody may see it."""

    id: str
    revision: int
    seats: list[SeatData]
    start: str
    moves: list[str]
    players: list[int] = Field(description="who made each of the moves")
    last: TouchData | None = Field(description="what the last move touched")
    deed: str = Field(description="the last move in a sentence; nothing before the first")
    board: BoardData
    outcome: OutcomeData | None
    sentence: str
    turn_seconds: float | None
    deadline: float | None
    undo_asked: int | None
    rematch: str | None
    screen: bool
    people: bool
    spectator_values: bool


class ConnectedData(BaseModel):
    players: list[bool]
    spectators: int


class GameView(BaseModel):
    """A game as one visitor sees it."""

    now: float
    you: list[int]
    values: bool
    connected: ConnectedData
    state: GameState


class GamesView(BaseModel):
    """Several games as one visitor sees them."""

    games: list[GameView]


class CreatedGame(BaseModel):
    id: str
    play: str
    watch: str
    invitation: str | None


class Receipt(BaseModel):
    """The request has been committed as this revision."""

    revision: int


class JoinedData(BaseModel):
    seat: int


class LinkData(BaseModel):
    invitation: str


class TokenData(BaseModel):
    token: str


class RematchData(BaseModel):
    id: str
    play: str
