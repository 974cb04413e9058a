"""The forms of requests and answers about positions, record files, analyses and reviews."""

from __future__ import annotations

from pydantic import BaseModel, Field

from pentagrid.play.record import LARGEST_FILE
from pentagrid.web.api.board_models import BoardData, OutcomeData, TouchData
from pentagrid.web.api.request_fields import LONGEST_POSITION, ClientRequest, Moves, Name, PositionText


class LineRequest(ClientRequest):
    """A line of play from a position."""

    start: PositionText
    moves: Moves = Field(default=[])


class TextRequest(ClientRequest):
    text: str = Field(max_length=LONGEST_POSITION, description="a position, or just a board")


class RecordRequest(ClientRequest):
    record: str = Field(max_length=LARGEST_FILE, description="the text of a record file")


class ReviewRequest(LineRequest):
    names: list[Name] = Field(default=["", ""], min_length=2, max_length=2)


class BoardsData(BaseModel):
    """Every position of a line of play."""

    start: str
    moves: list[str]
    boards: list[BoardData]


class MeantData(BaseModel):
    """A position that a text can mean."""

    game: str
    title: str
    position: str


class MeantPositions(BaseModel):
    positions: list[MeantData]


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
    win_regret: int | None
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
    win_regret: int | None
    best: list[str]
    real: bool
    lost_the_win: bool


class ReviewData(BaseModel):
    nodes: list[AnalysisData]
    choices: list[ChoiceData]
    accuracy: list[float | None]
    given_away: list[int]
