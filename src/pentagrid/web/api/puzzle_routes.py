"""Puzzles over the API: posed without their answers, answers judged and played out.

A puzzle is named by its day, or by its game, difficulty and seed, never by a position: so nobody can ask about the
position of a game that is being played, and no board that takes long to solve can be sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from pentagrid.analysis.sentences import listed
from pentagrid.core.catalog import find
from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.rng import fresh_seed
from pentagrid.errors import OptionError, shown
from pentagrid.puzzles.puzzle import check_difficulty, game_for_seed
from pentagrid.web.api import puzzle_models as models
from pentagrid.web.api.request_fields import SeedGiven, whole_number
from pentagrid.web.api.route_helpers import PROBLEMS, address_of, analysis_service_of, json_response, while_awaited
from pentagrid.web.identity import holder_of
from pentagrid.web.lanes import puzzle_work
from pentagrid.web.lanes.puzzle_work import PuzzleName
from pentagrid.web.rooms.room import Room

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
TODAY = "today"
NORMAL_DIFFICULTY = 3
WHOLE_DIFFICULTY = whole_number("difficulty must be a whole number from 1 (easy) to 5, not {}.")
PARAMETERS = ("game", "difficulty", "seed", "daily")

router = APIRouter(prefix="/api/puzzle", responses=PROBLEMS)


# Which one ----------------------------------------------------------------------------------------------


def today() -> date:
    """Today by UTC, the same for everyone."""
    return datetime.now(UTC).date()


def day_of(text: str) -> date:
    """A day up to today. Raises `OptionError`."""
    now = today()
    if text in ("", TODAY):
        return now
    try:
        day = date.fromisoformat(text) if DAY.fullmatch(text) else None
    except ValueError:  # such as the 30th of February
        day = None
    if day is None:
        raise OptionError(f"A day must be written as {now.isoformat()}, or {TODAY}, not {shown(text)}.")
    if day > now:
        raise OptionError(f"The puzzle of {day.isoformat()} is not there yet: it is {now.isoformat()} (UTC).")
    return day


def which(
    request: Request,
    game: Annotated[str | None, Query(max_length=100, description="one that has puzzles")] = None,
    difficulty: Annotated[int | None, WHOLE_DIFFICULTY, Query(description="from 1, easy, to 5; 3 by default")] = None,
    seed: Annotated[SeedGiven, Query(description="the same seed is the same puzzle")] = None,
    daily: Annotated[str | None, Query(max_length=100, description="a day up to today, by UTC, or `today`")] = None,
) -> PuzzleName:
    """The puzzle that is asked for: of a day; of a game, a difficulty and a seed; or of today. Raises `OptionError`.

    Without a game the seed chooses one, the same as at the terminal.
    """
    for name in request.query_params:
        if name not in PARAMETERS:
            raise OptionError(f"A puzzle has no parameter {shown(name)}; its parameters are {listed(PARAMETERS)}.")
    given = (game, difficulty, seed)
    if daily is not None or given == (None, None, None):
        if given != (None, None, None):
            raise OptionError("The puzzle of a day has no game, difficulty or seed to choose; leave out daily.")
        return PuzzleName(day_of(daily or TODAY))
    level = NORMAL_DIFFICULTY if difficulty is None else difficulty
    check_difficulty(level)
    number = fresh_seed() if seed is None else seed
    game_name = game_for_seed(number) if game is None else find(game).name
    return PuzzleName(None, game_name, level, number)


def named(request: Request, name: Annotated[PuzzleName, Depends(which)]) -> PuzzleName:
    """A puzzle that is named in full. Raises `OptionError` if it is not."""
    if not {"seed", "daily"} & set(request.query_params):
        raise OptionError("Which puzzle? Name its day, or its game, difficulty and seed.")
    return name


Which = Annotated[PuzzleName, Depends(which)]
Named = Annotated[PuzzleName, Depends(named)]


# Asking and answering -----------------------------------------------------------------------------------


async def _worked_out(request: Request, name: PuzzleName, work: Callable[..., dict[str, Any]], *args: Any) -> str:
    analyst = analysis_service_of(request)
    return await while_awaited(request, analyst.puzzle(address_of(request), name, work, *args))


async def posed(request: Request, name: PuzzleName) -> str:
    """A puzzle without its answer, as JSON."""
    return await _worked_out(request, name, puzzle_work.posed)


def _is_played(room: Room, position: Position) -> bool:
    """Is this very puzzle being played? A board without numbers cannot have all that lies ahead of it hidden."""
    return bool(position.numbers) or room.is_at(position)


async def _allow(request: Request, name: PuzzleName) -> None:
    position = read_position(json.loads(await posed(request, name))["board"]["position"])
    await analysis_service_of(request).allow(holder_of(request), [position], _is_played)


@router.get("", response_model=models.PuzzleData)
async def puzzle(request: Request, name: Which) -> Response:
    """A puzzle: the position and the question, not the answer. Without a seed a fresh one, without anything today's."""
    text = await posed(request, name)
    return json_response(f'{text[:-1]}, "today": "{today().isoformat()}"}}')


@router.get("/hint", response_model=models.PuzzleHint)
async def hint(request: Request, name: Named) -> Response:
    """The tempting moves of a puzzle, and why they are wrong."""
    await _allow(request, name)
    return json_response(await _worked_out(request, name, puzzle_work.hinted))


@router.get("/hint/narrow", response_model=models.PuzzleNarrowHint)
async def narrow_hint(request: Request, name: Named) -> Response:
    """A second hint: how far to look ahead, and a few moves of which one is right."""
    await _allow(request, name)
    return json_response(await _worked_out(request, name, puzzle_work.narrowed))


@router.post("/answer", response_model=models.PuzzleLine)
async def answer(request: Request, name: Named, asked: models.PuzzleAnswerRequest) -> Response:
    """Is a move the answer to a puzzle? With the line that it leads to; a wrong one does not tell the right one."""
    await _allow(request, name)
    return json_response(await _worked_out(request, name, puzzle_work.answered, asked.move))


@router.get("/solution", response_model=models.PuzzleLine)
async def solution(request: Request, name: Named) -> Response:
    """The answer to a puzzle, with the line that it leads to."""
    await _allow(request, name)
    return json_response(await _worked_out(request, name, puzzle_work.solved))
