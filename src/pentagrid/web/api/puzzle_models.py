"""The forms of requests and responses about puzzles, as OpenAPI describes them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from pentagrid.web.api.board_models import BoardData, TouchData
from pentagrid.web.api.request_fields import ClientRequest, MoveText


class PuzzleAnswerRequest(ClientRequest):
    move: MoveText


class PuzzleData(BaseModel):
    """A puzzle without its answer."""

    query: str = Field(description="what names the puzzle, for this API and for /puzzle")
    daily: str | None = Field(description="the day whose puzzle it is")
    difficulty: int
    kind: Literal["win", "best"] = Field(description="does one move win, or one win by the most?")
    question: str
    board: BoardData
    today: str = Field(description="the day that it is, by UTC")


class PuzzleHint(BaseModel):
    """The tempting moves, all of them wrong."""

    hint: str
    tempting: list[str]


class PuzzleNarrowHint(BaseModel):
    """How far to look ahead, and a few moves of which one is right."""

    hint: str


class PuzzleStep(BaseModel):
    """A move of a line and the position after it."""

    move: str
    player: int
    touch: TouchData
    said: str
    board: BoardData


class PuzzleLine(BaseModel):
    """An answer to a puzzle, and best play by both sides from there to the end."""

    right: bool
    verdict: str
    why: str | None = Field(description="why what tempts is wrong; only with the right answer")
    steps: list[PuzzleStep]
    end: str
