"""Work for the processes beside the server: choose a computer's move, analyze a position, review a game."""

from __future__ import annotations

from typing import Any

from pentagrid.analysis.review import review
from pentagrid.analysis.sentences import result, sentence
from pentagrid.analysis.solver import analyze
from pentagrid.analysis.values import Analysis
from pentagrid.core.position import Position
from pentagrid.play.match import Match, Seat
from pentagrid.web.api.board_data import described


def choose_move(position: Position, seats: tuple[Seat, Seat], seed: int) -> int:
    """The computer's move: the same for the same seed and position."""
    return Match(position, seats, seed=seed).think()


def analyzed(position: Position, seconds: float, names: tuple[str, str]) -> dict[str, Any]:
    """A position under best play, as plain data."""
    return analysis_data(analyze(position, seconds), names)


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


def reviewed(start: Position, actions: tuple[int, ...], names: tuple[str, str], seconds: float) -> dict[str, Any]:
    """A whole line of play: every position analyzed, every move judged."""
    judged = review(start, actions, seconds)
    return {"nodes": [analysis_data(analysis, names) for analysis in (*judged.analyses, judged.final)], **judged.data()}
