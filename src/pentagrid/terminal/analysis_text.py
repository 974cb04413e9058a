"""An analysis on the screen: as text, beside the board, or as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from shutil import get_terminal_size
from typing import Any

from pentagrid.analysis.review import Choice, Review
from pentagrid.analysis.sentences import counted, ended, listed, result, sentence
from pentagrid.analysis.values import Analysis, Option
from pentagrid.core.deal_solver import Value
from pentagrid.core.position import Outcome
from pentagrid.core.speech import Speech, player_names
from pentagrid.terminal.output import joined, wrapped

FEW = 8
"""Values below a board that leaves no room beside it."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def brief(option: Option) -> str:
    """An option's value in a few letters: '+4' (Player 1's margin), or 'P1 in 5'."""
    if option.plies is not None:
        return f"P{option.winner} in {option.plies}"
    if option.margin is not None:
        return f"{option.margin:+g}"
    if option.bounds is not None:
        return f"{option.bounds[0]:+g}..{option.bounds[1]:+g}"
    return "?" if option.winner is None else f"P{option.winner}"


def beside_board(lines: Sequence[str], board: Sequence[str], analysis: Analysis) -> list[str]:
    """The lines with the value of each move written beside the board in them; a star marks the best.

    Where the screen is too narrow for that, the best few stand below.
    """
    start = next(i for i in range(len(lines)) if list(lines[i : i + len(board)]) == list(board))
    entries = [f"{'*' if option.best else ' '}{option.move} {brief(option)}" for option in analysis.options]
    height = len(board)
    columns = [entries[i : i + height] for i in range(0, len(entries), height)]
    width = max(len(ANSI.sub("", line)) for line in board)
    if width + 1 + sum(2 + max(map(len, column)) for column in columns) > get_terminal_size((100, 24)).columns:
        first = sorted(analysis.options, key=lambda option: _order(option, analysis))[:FEW]
        more = len(entries) - len(first)
        told = "; ".join(f"{'*' if option.best else ''}{option.move} {brief(option)}" for option in first)
        return [*lines, f"Values: {told}{f'; and {more} more (type analyze)' if more else ''}"]
    drawn = list(lines)
    for row in range(height):
        cells = [column[row].ljust(max(map(len, column))) for column in columns if row < len(column)]
        if cells:
            line = lines[start + row]
            drawn[start + row] = line + " " * (width - len(ANSI.sub("", line))) + "   " + "  ".join(cells).rstrip()
    return drawn


def told(analysis: Analysis, speech: Speech) -> list[str]:
    """Every move with its value, the best first; one best line; a sentence."""
    names = (speech.name(1), speech.name(2))
    if not analysis.options:
        return [sentence(analysis, names)]
    order = sorted(analysis.options, key=lambda option: _order(option, analysis))
    width = max(len(option.move) for option in order)
    lines = [f"{names[analysis.position.mover - 1]} to move; * marks the best."]
    for option in order:
        words = result(option, names)
        if option.bounds is not None:
            words += f" (margin between {option.bounds[0]:+g} and {option.bounds[1]:+g})"
        if option.regret and option.margin is not None:
            words += f", gives away {option.regret}"
        lines.append(f" {'*' if option.best else ' '} {option.move.ljust(width)}  {words}")
    return [*lines, "", *wrapped(f"One best line: {joined(analysis.line)}"), "", sentence(analysis, names)]


def _order(option: Option, analysis: Analysis) -> tuple[float, ...]:
    """The best first, then what wins, what is not known, what loses; wins by most and soonest, losses latest."""
    mover = analysis.position.mover
    chance = 1 if option.winner is None else 0 if option.winner == mover else 2
    sign = 1 if mover == 1 else -1
    margin = option.margin if option.margin is not None else (option.bounds or (0, 0))[0 if mover == 1 else 1]
    plies = option.plies or 0
    return not option.best, chance, -sign * margin, plies if option.winner == mover else -plies


def told_review(review: Review, speech: Speech) -> list[str]:
    """Each mistake of a game, and how well each player did."""
    names = (speech.name(1), speech.name(2))
    lines = []
    for choice in review.choices:
        lines.append(f"{choice.number:>3}. {names[choice.player - 1]}: {choice.move}{_blame(choice, names)}")
    lines.append("")
    for player in (1, 2):
        accuracy = review.accuracy(player)
        real = sum(choice.real for choice in review.choices if choice.player == player)
        points = review.given_away(player)
        unknown = sum(choice.regret is None for choice in review.choices if choice.player == player)
        share = "no real choice" if accuracy is None else f"{accuracy:.0%} ({counted(real, 'real choice')})"
        share += f", {counted(unknown, 'move')} not judged" if unknown else ""
        away = f", {counted(points, 'point')} given away" if review.final.position.scores is not None else ""
        lines.append(f"Accuracy of {names[player - 1]}: {share}{away}")
    return lines


def _blame(choice: Choice, names: Sequence[str]) -> str:
    if choice.regret is None:
        return "  (not known)"
    if not choice.regret:
        return ""
    cost = f"costs {counted(choice.regret, 'point')}" if choice.after.margin is not None else "is a mistake"
    lost = "throws the win away" if choice.lost_the_win else ""
    best = listed(choice.best[:3]) if len(choice.best) <= 3 else f"{choice.best[0]} among others"
    return f"  <- {lost or cost}{f' ({cost})' if lost and choice.after.margin is not None else ''}; best was {best}"


# As JSON ------------------------------------------------------------------------------------------------


def as_json(
    analysis: Analysis, moves: Sequence[str], review: Review | None = None, outcome: Outcome | None = None
) -> str:
    """One JSON object with everything; `outcome` is that of a game decided away from the board."""
    found = as_object(analysis, moves, review)
    if outcome is not None and not found["outcome"]:
        value = {"winner": outcome.winner, "margin": None, "plies": None}
        found |= {"outcome": outcome._asdict(), "turn": None, "value": value, "options": [], "line": []}
        found["sentence"] = ended(outcome, analysis.value, player_names(analysis.position.game))
    return json.dumps(found, ensure_ascii=False)


def as_object(analysis: Analysis, moves: Sequence[str], review: Review | None = None) -> dict[str, Any]:
    """An analysis as plain data; see docs/solutions.md for its fields."""
    position = analysis.position
    outcome = position.outcome()
    found: dict[str, Any] = {
        "game": position.game.name,
        "size": position.game.size,
        "rules": dict(position.game.rules),
        "board": position.board,
        "position": position.text,
        "moves": list(moves),
        "turn": position.turn,
        "scores": position.scores,
        "outcome": None if outcome is None else outcome._asdict(),
        "value": _value(analysis.value),
        "options": [_option(option) for option in analysis.options],
        "line": list(analysis.line),
        "exact": analysis.exact,
        "sentence": sentence(analysis),
    }
    if not analysis.exact:
        found["bounds"] = analysis.bounds
    if review is not None:
        found["review"] = [
            {
                "number": choice.number,
                "player": choice.player,
                "move": choice.move,
                "before": _value(choice.before),
                "after": _value(choice.after),
                "regret": choice.regret,
                "best": list(choice.best),
            }
            for choice in review.choices
        ]
        found["accuracy"] = [review.accuracy(1), review.accuracy(2)]
    return found


def _value(value: Value) -> dict[str, int | None]:
    return value._asdict()


def _option(option: Option) -> dict[str, Any]:
    found = option._asdict()
    if option.bounds is None:
        del found["bounds"]
    return found
