"""A position as it is drawn, in answers: every front end reads the same fields."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class KomiData(BaseModel):
    """Points beyond the score, and the seat that receives them."""

    seat: int
    points: float


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
    captured: list[int] = Field(
        description="the cells that the last move took from the other player, where it is known"
    )
    removed: list[int] = Field(description="the cells that the last move took out of play, where it is known")
    winning: list[int] = Field(description="the cells that decided the game; none in games won on points")
    lines: list[LineData]
    moves: list[MoveData]
