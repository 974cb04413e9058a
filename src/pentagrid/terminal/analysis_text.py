"""An analysis as the terminal shows it: as text, beside the board, or as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from math import inf
from shutil import get_terminal_size

from pentagrid.analysis.review import Choice, Review
from pentagrid.analysis.sentences import best_words, counted, ended, listed, result, sentence
from pentagrid.analysis.values import Analysis, Option
from pentagrid.core.deal_solver import Value
from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import Speech
from pentagrid.play.record import Record
from pentagrid.terminal.output import fit, join_moves, wrap

MOST_BELOW = 8
"""Moves whose values stand below a board that leaves no room beside it."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def visible_width(line: str) -> int:
    """The columns a line takes on a terminal: colors take none."""
    return len(ANSI.sub("", line))


def short_value(option: Option) -> str:
    """An option's value in a few letters: '+4' (the margin of seat 1), or 'P1 in 5'."""
    if option.plies is not None:
        return f"P{option.winner} in {option.plies}"
    if option.margin is not None:
        return f"{option.margin:+g}"
    if option.bounds is not None:
        return f"{option.bounds[0]:+g}..{option.bounds[1]:+g}"
    return "?" if option.winner is None else f"P{option.winner}"


def legend(position: Position, names: tuple[str, str]) -> str:
    """What the values beside a board mean, in a sentence."""
    one, two = names
    if position.scores is None:
        return f"Values: P1 in 5 means that {one} wins in 5 moves, P2 {two}; * marks the best."
    return f"Values: +2 means that {one} wins by 2 in the end, -2 that {two} does; * marks the best."


def beside_board(lines: Sequence[str], board: Sequence[str], analysis: Analysis) -> list[str]:
    """The lines with the value of each move written beside the board in them; a star marks the best.

    Where the terminal is too narrow for that, the best few stand below.
    """
    first_row = next(i for i in range(len(lines)) if list(lines[i : i + len(board)]) == list(board))
    entries = [f"{'*' if option.best else ' '}{option.move} {short_value(option)}" for option in analysis.options]
    height = len(board)
    value_columns = [entries[i : i + height] for i in range(0, len(entries), height)]
    width = max(map(visible_width, board))
    if width + 1 + sum(2 + max(map(len, column)) for column in value_columns) > get_terminal_size((100, 24)).columns:
        return [*lines, _values_below(analysis)]
    drawn = list(lines)
    for row in range(height):
        cells = [column[row].ljust(max(map(len, column))) for column in value_columns if row < len(column)]
        if cells:
            line = lines[first_row + row]
            drawn[first_row + row] = line + " " * (width - visible_width(line)) + "   " + "  ".join(cells).rstrip()
    return drawn


def _values_below(analysis: Analysis) -> str:
    first = _best_first(analysis)[:MOST_BELOW]
    more = len(analysis.options) - len(first)
    values = "; ".join(f"{'*' if option.best else ''}{option.move} {short_value(option)}" for option in first)
    return f"Values: {values}{f'; and {more} more (type analyze)' if more else ''}"


def analysis_lines(analysis: Analysis, speech: Speech) -> list[str]:
    """Every move with its value, the best first; one best line; a sentence."""
    names = speech.both_names()
    if not analysis.options:
        return [sentence(analysis, names)]
    options = _best_first(analysis)
    width = max(len(option.move) for option in options)
    lines = [f"{names[analysis.position.mover - 1]} to move; * marks the best."]
    for option in options:
        words = result(option, names)
        if option.bounds is not None:
            words += f" (margin between {option.bounds[0]:+g} and {option.bounds[1]:+g})"
        if option.loss:
            points = [f"{option.regret}"] if option.regret and option.margin is not None else []
            words += f", gives away {listed([*points, *(['the win'] if option.win_regret else [])])}"
        lines.append(f" {'*' if option.best else ' '} {option.move.ljust(width)}  {words}")
    return [*lines, "", *wrap(f"One best line: {join_moves(analysis.line)}"), "", sentence(analysis, names)]


def _best_first(analysis: Analysis) -> list[Option]:
    return sorted(analysis.options, key=lambda option: _rank(option, analysis.position.mover))


def _rank(option: Option, mover: int) -> tuple[float, ...]:
    """The best first, then what wins, what is not known, what loses; wins by most and soonest, losses latest."""
    chance = 1 if option.winner is None else 0 if option.winner == mover else 2
    sign = 1 if mover == 1 else -1
    margin = option.margin if option.margin is not None else (option.bounds or (0, 0))[0 if mover == 1 else 1]
    if option.plies is not None:  # beyond all points
        margin = inf if option.winner == 1 else -inf
    plies = option.plies or 0
    return not option.best, chance, -sign * margin, plies if option.winner == mover else -plies


def review_lines(review: Review, speech: Speech) -> list[str]:
    """Every move of a game with what it cost, and how well each player did."""
    return [*_choice_lines(review.choices, speech), "", *_accuracy_lines(review, speech)]


def turning_lines(review: Review, speech: Speech) -> list[str]:
    """Only the moves of a game that cost something, and how well each player did."""
    costly = _choice_lines([choice for choice in review.choices if choice.loss], speech)
    head = "Where the game turned:" if costly else "Nobody gave anything away."
    return [head, *costly, "", *_accuracy_lines(review, speech)]


def record_lines(record: Record, review: Review, speech: Speech) -> list[str]:
    """A recorded game looked at move by move, and where it stands or how it ended."""
    match = record.match
    lines = [f"{match.start.game.title}: {speech.name(1)} against {speech.name(2)}", ""]
    lines += [*review_lines(review, speech), "", *speech.board(match.position), ""]
    if match.outcome is not None and match.position.outcome() is None:
        return [*lines, *speech.forfeit(match.outcome)]
    return [*lines, *analysis_lines(review.final, speech)]


def _choice_lines(choices: Iterable[Choice], speech: Speech) -> list[str]:
    lines = (f"{choice.number:>3}. {speech.name(choice.player)}: {choice.move}{_cost(choice)}" for choice in choices)
    return [part for line in lines for part in fit(line, indent=" " * 5)]


def _accuracy_lines(review: Review, speech: Speech) -> list[str]:
    lines = []
    for player in (1, 2):
        accuracy = review.accuracy(player)
        real = sum(choice.real for choice in review.choices if choice.player == player)
        points = review.given_away(player)
        unknown = sum(not choice.loss.known for choice in review.choices if choice.player == player)
        share = "no real choice" if accuracy is None else f"{accuracy:.0%} ({counted(real, 'real choice')})"
        share += f", {counted(unknown, 'move')} not judged" if unknown else ""
        away = f", {counted(points, 'point')} given away" if review.final.position.scores is not None else ""
        lines.append(f"Accuracy of {speech.name(player)}: {share}{away}")
    return lines


def _cost(choice: Choice) -> str:
    """What a move gave away, to be written behind it; nothing for a best move."""
    if not choice.loss.known:
        return "  (not known)"
    if not choice.loss:
        return ""
    points = choice.regret if choice.after.margin is not None else None
    cost = f"costs {counted(points, 'point')}" if points else "is a mistake"
    lost = "throws the win away" if choice.lost_the_win else ""
    return f"  <- {lost or cost}{f' ({cost})' if lost and points else ''}; {best_words(choice.best)}"


# As JSON ------------------------------------------------------------------------------------------------


def analysis_json(
    analysis: Analysis,
    moves: Sequence[str],
    names: Sequence[str],
    review: Review | None = None,
    outcome: Outcome | None = None,
) -> str:
    """An analysis as one JSON object; `outcome` is how the game ended, be it away from the board."""
    fields = analysis.data() | {"moves": list(moves), "sentence": sentence(analysis, names)}
    if outcome is not None and not fields["outcome"]:
        fields |= {"outcome": outcome.data(), "turn": None, "legal": [], "options": [], "line": []}
        fields |= {"value": Value(outcome.winner, None, None).data(), "sentence": ended(outcome, analysis.value, names)}
    if review is not None:
        fields["review"] = [choice.data() for choice in review.choices]
        fields["accuracy"] = [review.accuracy(1), review.accuracy(2)]
    return json.dumps(fields, ensure_ascii=False)
