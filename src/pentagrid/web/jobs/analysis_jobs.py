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
    """An analysis as plain data."""
    position = analysis.position
    return {
        "board": described(position),
        "value": analysis.value._asdict(),
        "exact": analysis.exact,
        "bounds": analysis.bounds,
        "sentence": sentence(analysis, names),
        "options": [
            {
                **option._asdict(),
                "touch": position.game.drawing.touch(option.action)._asdict(),
                "result": result(option, names),
            }
            for option in analysis.options
        ],
        "line": _line(position, analysis.line),
    }


def _line(position: Position, moves: tuple[str, ...]) -> list[dict[str, Any]]:
    line = []
    for move in moves:
        touch = position.game.drawing.touch(position.game.action(move))
        line.append({"move": move, "player": position.mover, "touch": touch._asdict()})
        position = position.play(move)
    return line


def reviewed(start: Position, actions: tuple[int, ...], names: tuple[str, str], seconds: float) -> dict[str, Any]:
    """A whole line of play: every position analyzed, every move judged."""
    judged = review(start, actions, seconds)
    return {
        "nodes": [analysis_data(analysis, names) for analysis in (*judged.analyses, judged.final)],
        "choices": [
            {
                "number": choice.number,
                "player": choice.player,
                "move": choice.move,
                "regret": choice.regret,
                "best": choice.best,
                "real": choice.real,
                "lost_the_win": choice.lost_the_win,
            }
            for choice in judged.choices
        ],
        "accuracy": [judged.accuracy(1), judged.accuracy(2)],
        "given_away": [judged.given_away(1), judged.given_away(2)],
    }
