"""Work for the processes beside the server: choose a computer's move, analyze a position, judge a move of a game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from pentagrid.analysis.review import Choice, judge
from pentagrid.analysis.sentences import result, sentence
from pentagrid.analysis.solver import analyze
from pentagrid.analysis.values import Analysis
from pentagrid.core.position import Position
from pentagrid.play.match import Match, Seat
from pentagrid.web.api.board_data import described
from pentagrid.web.lanes.worker import stopped


def choose_move(position: Position, mover: Seat, seed: int, from_file: bool) -> int:
    """The computer's move: the same for the same seed and position. `from_file`: its policy may be read."""
    return Match(position, (mover, mover), seed=seed, programs=from_file).think()


def as_json(work: Callable[..., dict[str, Any]], *args: Any) -> str:
    """The result of other work as JSON, so that the server need not write it."""
    return json.dumps(work(*args), ensure_ascii=False)


def analyzed(position: Position, seconds: float, names: tuple[str, str]) -> dict[str, Any]:
    """A position under best play, as plain data."""
    return analysis_data(analyze(position, seconds, stopped), names)


class Judged(NamedTuple):
    """One position of a review."""

    node: str
    """Its analysis, as JSON."""
    choice: Choice | None
    """The move that was made in it; None at the end of the line."""


def judged(position: Position, number: int, action: int | None, seconds: float, names: tuple[str, str]) -> Judged:
    """A position of a line of play under best play, and how good the move was that was made in it."""
    analysis = analyze(position, seconds, stopped)
    return Judged(as_json(analysis_data, analysis, names), None if action is None else judge(number, analysis, action))


def analysis_data(analysis: Analysis, names: tuple[str, str]) -> dict[str, Any]:
    """An analysis as plain data, with what a page adds."""
    position = analysis.position
    data = analysis.data()
    return {
        "board": described(position),
        "value": data["value"],
        "options": [
            {
                **option.data(),
                "touch": position.game.drawing.touch(option.action)._asdict(),
                "result": result(option, names),
            }
            for option in analysis.options
        ],
        "line": data["line"],
        "exact": data["exact"],
        "bounds": data["bounds"],
        "sentence": sentence(analysis, names),
        "steps": _steps(position, analysis.line),
    }


def _steps(position: Position, moves: tuple[str, ...]) -> list[dict[str, Any]]:
    """The moves of a line, with who makes them and what they touch."""
    steps = []
    for move in moves:
        action = position.game.action(move)
        touch = position.game.drawing.touch(action)
        steps.append({"move": move, "player": position.mover, "touch": touch._asdict()})
        position = position.play(action)
    return steps
