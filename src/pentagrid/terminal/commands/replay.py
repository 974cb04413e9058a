"""Show a recorded game again, move by move.

On a terminal it opens in the full-screen app: step both ways, see the best move beside the played
one, play on from any position. With --plain it is printed instead. With --step it waits for Enter
before each move; q and Enter leave.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pentagrid.terminal.app_start import open_app, wants_plain, why_no_app
from pentagrid.terminal.input import LineInput, standard_input
from pentagrid.terminal.line_game import speech_for_record
from pentagrid.terminal.output import painter, say
from pentagrid.terminal.saved_games import read_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a record file")
    parser.add_argument("--step", action="store_true", help="wait for Enter before each move")
    parser.add_argument("--plain", action="store_true", help="print the game, on a terminal too")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    record = read_file(args.file)
    if not (args.step or args.plain or wants_plain()) and why_no_app() is None:
        from pentagrid.terminal.app.review_screen import ReviewScreen

        return open_app(lambda: ReviewScreen(record))
    match = record.match
    speech = speech_for_record(record, painter(args.no_color), people=())
    typed = standard_input()
    position = match.start
    say(speech.welcome(position))
    say(_notes(match.notes.get(0)))
    for number, action in enumerate(match.actions, 1):
        if args.step and not _wants_next(typed):
            return 0
        after = position.play(action)
        say(["", f"Move {number}: {speech.name(position.mover)} plays {match.start.game.texts[action]}."])
        say([*_notes(match.notes.get(number)), *speech.said(position, action, after), *speech.updated(after)])
        position = after
    outcome = match.outcome
    if outcome is None:
        say(["", f"The game goes on: it is {speech.name(position.mover)}'s turn."])
    elif position.outcome() is None:
        say(["", *speech.forfeit(outcome)])
    else:
        say(["", *speech.closing(position, match.actions, outcome)])
    return 0


def _notes(note: str | None) -> list[str]:
    return [f"  ({note})"] if note else []


def _wants_next(typed: LineInput) -> bool:
    print()
    line = typed.ask("Enter for the next move, q to leave:")
    return line is not None and line.lower() not in ("q", "quit")
