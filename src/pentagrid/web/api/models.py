"""The forms of requests and responses: every request is checked against them, and OpenAPI describes them."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from pentagrid.core.catalog import game_names
from pentagrid.core.rng import MAX_SEED, Dice
from pentagrid.errors import OptionError, shown
from pentagrid.play.match import LONGEST_NAME, MAX_TURN_SECONDS
from pentagrid.play.players import HUMAN, KINDS
from pentagrid.play.record import LARGEST_FILE

LONGEST_POSITION = 2000
SEATS: JsonValue = [HUMAN, *(choice for kind in KINDS.values() for choice in kind.choices)]
MOST_MOVES = 400

PositionText = Annotated[str, Field(max_length=LONGEST_POSITION, description="a position as one line of text")]
MoveText = Annotated[str, Field(max_length=100, description="a move in the game's notation")]
Moves = Annotated[list[MoveText], Field(max_length=MOST_MOVES)]
Name = Annotated[str, Field(max_length=4 * LONGEST_NAME, description="a player's name, or nothing")]
Revision = Annotated[int, Field(ge=0, le=2**31 - 1, description="the revision of the game that the client knows")]


def whole_number(message: str) -> BeforeValidator:
    """Check that a parameter of an address is a whole number; else raise `OptionError`, with the text given for {}."""

    def read(given: object) -> object:
        if isinstance(given, str) and not re.fullmatch(r"[0-9]{1,19}", given):
            raise OptionError(message.format(shown(given)))
        return given

    return BeforeValidator(read)


def _seed(number: int | None) -> int | None:
    return None if number is None else Dice(number).seed


SeedGiven = Annotated[
    int | None,
    AfterValidator(_seed),
    whole_number(f"{{}} is not a seed; a seed is a whole number from 0 to {MAX_SEED}."),
]
"""A seed in an address."""


class ClientRequest(BaseModel):
    """A request of a client; it may have no other fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


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


class JoinRequest(ClientRequest):
    invitation: str = Field(max_length=100)
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


class LineRequest(ClientRequest):
    """A line of play from a position."""

    start: PositionText
    moves: Moves = []


class RecordRequest(ClientRequest):
    record: str = Field(max_length=LARGEST_FILE, description="the text of a record file")


class ReviewRequest(LineRequest):
    names: list[Name] = Field(default=["", ""], min_length=2, max_length=2)


# Answers ------------------------------------------------------------------------------------------------


class ProblemData(BaseModel):
    """An error: a code for programs, a sentence for people."""

    code: str
    message: str


class KomiData(BaseModel):
    """Points beyond the score, and the seat that receives them."""

    seat: int
    points: float


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


class OutcomeData(BaseModel):
    winner: int
    reason: str


class CellData(BaseModel):
    label: str
    owner: int
    available: bool
    move: str | None = Field(description="the move that names this cell alone, possible or not")


class LineData(BaseModel):
    label: str
    owner: int
    available: bool
    cells: list[int]


class TouchData(BaseModel):
    kind: Literal["cell", "line", "pair"]
    at: list[int]


class MoveData(BaseModel):
    move: str
    action: int
    touch: TouchData


class EdgesData(BaseModel):
    """The names of rows and columns as moves use them; empty where lines have names of their own."""

    rows: list[str]
    columns: list[str]


class BoardData(BaseModel):
    """A position as it is drawn: its plain data, which all front ends share, and what a page adds."""

    game: str
    size: int
    rules: dict[str, str]
    position: str = Field(description="the whole position as one line of text")
    board: list[list[int]] | None = Field(description="the numbers, row by row")
    claims: list[int] = Field(description="who owns each cell or line: 0 nobody, 1 or 2")
    turn: int | None
    mover: int
    ply: int
    swapped: bool
    scores: list[int] | None
    legal: list[str]
    outcome: OutcomeData | None
    title: str
    options: list[str] = Field(description="the rule options that differ from the usual rules, in words")
    komi: KomiData | None
    phase: str = Field(
        description="a part of the game with rules of its own, such as Sudden Death, in words; or nothing"
    )
    marks: list[str]
    players: list[str] = Field(description="what the game calls its players, for those who gave no name")
    notation: str
    edges: EdgesData
    cells: list[list[CellData]]
    lines: list[LineData]
    moves: list[MoveData]


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


class BoardsData(BaseModel):
    """Every position of a line of play."""

    start: str
    moves: list[str]
    boards: list[BoardData]


class OpenedData(BoardsData):
    """A record file."""

    names: list[str]
    kinds: list[str]
    outcome: OutcomeData | None
    date: str


class ValueData(BaseModel):
    winner: int | None
    margin: float | None
    plies: int | None


class OptionData(ValueData):
    move: str
    action: int
    best: bool
    regret: float | None
    bounds: list[float] | None
    touch: TouchData
    result: str


class LineMoveData(BaseModel):
    move: str
    player: int
    touch: TouchData


class AnalysisData(BaseModel):
    board: BoardData
    value: ValueData
    options: list[OptionData]
    line: list[str] = Field(description="one best line of moves, as far as it is known")
    exact: bool
    bounds: list[float] | None
    sentence: str
    steps: list[LineMoveData] = Field(description="the moves of the line, with who makes them and what they touch")


class ChoiceData(BaseModel):
    number: int
    player: int
    move: str
    before: ValueData
    after: ValueData
    regret: float | None
    best: list[str]
    real: bool
    lost_the_win: bool


class ReviewData(BaseModel):
    nodes: list[AnalysisData]
    choices: list[ChoiceData]
    accuracy: list[float | None]
    given_away: list[int]


class HealthData(BaseModel):
    status: Literal["ok"]
    version: str
    database: str
