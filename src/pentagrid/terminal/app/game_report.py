"""A game in words: its moves, its result, how well it was played, and a nudge where one is wanted."""

from __future__ import annotations

from pentagrid.analysis.review import Choice, Review
from pentagrid.analysis.sentences import best_words, counted, final_sentence, listed
from pentagrid.analysis.values import Analysis
from pentagrid.core.speech import Speech
from pentagrid.play.record import Record


def move_lines(record: Record, speech: Speech) -> list[str]:
    """The moves made, a line each: ' 1 X R2C2'."""
    position, lines = record.match.start, []
    for number, action in enumerate(record.match.actions, 1):
        lines.append(f"{number:>2} {speech.marks[position.mover - 1]} {position.game.texts[action]}")
        position = position.play(action)
    return lines


def result_sentence(record: Record, speech: Speech) -> str:
    """Who has won and how."""
    match, outcome = record.match, record.match.outcome
    if outcome is None:
        return f"The game goes on: it is {speech.name(match.position.mover)}'s turn."
    if is_forfeit(record):
        return " ".join(filter(None, speech.forfeit(outcome)))
    return final_sentence(match.position, outcome, speech.both_names())


def is_forfeit(record: Record) -> bool:
    """Was the game decided away from the board, such as by the clock?"""
    return record.match.outcome is not None and record.match.position.outcome() is None


def turning_point(review: Review) -> Choice | None:
    """The last move that threw a win away, or else the one that cost most; None if nobody erred."""
    lost = [choice for choice in review.choices if choice.lost_the_win]
    if lost:
        return lost[-1]
    costly = [choice for choice in review.choices if choice.loss]
    return max(costly, key=lambda choice: choice.regret or 0, default=None)


def turning_points(review: Review) -> list[int]:
    """The numbers of the moves that gave something away."""
    return [choice.number for choice in review.choices if choice.loss]


def report_lines(record: Record, review: Review | None, speech: Speech) -> list[str]:
    """How well both played, and the turning point."""
    if not record.match.actions:
        return ["No moves were made."]
    if review is None:
        return ["Judging the game …"]
    lines = []
    for seat in (1, 2):
        accuracy = review.accuracy(seat)
        moved = any(choice.player == seat for choice in review.choices)
        share = f"{accuracy:.0%}" if accuracy is not None else "no real choice" if moved else "no moves"
        lines.append(f"Accuracy of {speech.name(seat)}: {share}")
    choice = turning_point(review)
    if choice is None:
        return [*lines, "", "Nobody erred on the board." if is_forfeit(record) else "Nobody erred."]
    return [*lines, "", f"Turning point: move {choice.number}. {verdict(choice, speech)}"]


def verdict(choice: Choice, speech: Speech) -> str:
    """A move and what it cost, in a sentence."""
    played = f"{speech.name(choice.player)} played {choice.move}"
    if not choice.loss.known:
        return f"{played}; what it cost is not known."
    if not choice.loss:
        others = [move for move in choice.best if move != choice.move]
        if not choice.real:
            return f"{played}; every move was as good."
        return f"{played}, a best move{f' ({listed(others[:3])} too)' if others else ''}."
    points = choice.regret if choice.after.margin is not None else None
    cost = f"gave away {counted(points, 'point')}" if points else "was a mistake"
    lost = "threw the win away" if choice.lost_the_win else cost
    best = best_words(choice.best)
    return (
        f"{played} and {lost}; {best}."
        if cost != "was a mistake" or choice.lost_the_win
        else f"{played}, a mistake; {best}."
    )


def nudge(analysis: Analysis, speech: Speech) -> str:
    """A first hint: how much hangs on this move, and where to look, without the move itself."""
    position = analysis.position
    winning = [option for option in analysis.options if option.winner == position.mover]
    everything = len(analysis.options)
    if all(option.best for option in analysis.options):
        return "Every move is as good as any other."
    if winning and len(winning) < everything:
        much = f"{len(winning)} of {counted(everything, 'move')} {'keeps' if len(winning) == 1 else 'keep'} the win."
    else:
        count = len(analysis.best)
        much = f"{count} of {counted(everything, 'move')} {'is' if count == 1 else 'are'} best."
    return f"{much} {_where(analysis, speech)}"


def _where(analysis: Analysis, speech: Speech) -> str:
    """Which row to look at, or whether at rows or columns."""
    game = analysis.position.game
    touch = game.drawing.touch(analysis.best[0].action)
    if touch.kind == "swap":
        return "Think of the sides."
    if touch.kind == "line":
        return f"Look at the {'rows' if touch.at[0] < game.size else 'columns'}."
    rows, _ = speech.edges()
    return f"Look along row {rows[touch.at[-1] // game.size].lstrip('R')}."
