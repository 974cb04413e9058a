"""A recorded game shown again, move by move."""

from __future__ import annotations

from pentagrid.core.speech import Paint
from pentagrid.play.record import Record
from pentagrid.terminal.input import LineInput
from pentagrid.terminal.line_game import opening_lines, speech_for_record
from pentagrid.terminal.output import fitted, say


def replay_lines(record: Record, typed: LineInput, paint: Paint, step: bool) -> None:
    """Say all that was said in a game; with `step` each move waits for Enter."""
    match = record.match
    speech = speech_for_record(record, paint, people=())
    position = match.start
    say([*opening_lines(speech, position), *_notes(match.notes.get(0))])
    for number, action in enumerate(match.actions, 1):
        if step and not _wants_next(typed):
            return
        after = position.play(action)
        say(["", f"Move {number}: {speech.name(position.mover)} plays {match.start.game.texts[action]}."])
        say([*_notes(match.notes.get(number)), *fitted(speech.said(position, action, after)), *speech.updated(after)])
        position = after
    outcome = match.outcome
    if outcome is None:
        say(["", f"The game goes on: it is {speech.name(position.mover)}'s turn."])
    elif position.outcome() is None:
        say(["", *fitted(speech.forfeit(outcome))])
    else:
        say(["", *fitted(speech.closing(position, match.actions, outcome))])


def _notes(note: str | None) -> list[str]:
    return [f"  ({note})"] if note else []


def _wants_next(typed: LineInput) -> bool:
    print()
    line = typed.ask("Enter for the next move, q to leave:")
    return line is not None and line.lower() not in ("q", "quit")
