"""Go on with a saved game: the last unfinished one, or another."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pentagrid.errors import OptionError, PentagridError, shown
from pentagrid.play.players import is_outside
from pentagrid.terminal.output import painter
from pentagrid.terminal.saved_games import FILE_HELP, SaveFile, named_file, read_file, saved_games
from pentagrid.terminal.series import Series


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE|N", help=FILE_HELP)
    parser.add_argument("--programs", action="store_true", help="start the outside programs that FILE names as players")
    parser.add_argument("--values", action="store_true", help="show the value of each move beside the board")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    path = named_file(args.file) if args.file else last_unfinished()
    if path is None:
        raise OptionError("There is no unfinished game to resume; start one with pentagrid play GAME.")
    file, record = SaveFile.opened(path)
    if record.match.outcome is not None:
        raise OptionError(f"The game in {path} is over; look at it with pentagrid replay.")
    record.match.programs = args.programs
    programs = [seat.kind for seat in record.match.seats if is_outside(seat.kind)]
    if programs and not args.programs:
        raise OptionError(f"{path} would start {shown(programs[0])}; if that is what you want, add --programs.")
    match = record.match
    paint = painter(args.no_color)
    game, seconds = match.start.game, match.turn_seconds
    series = Series(game, match.seats, seed=match.seed, turn_seconds=seconds, values=args.values, paint=paint)
    series.run(record, file)
    return 0


def last_unfinished() -> Path | None:
    """The file of the unfinished game played last; files that cannot be read are named and passed over."""
    for path, _ in saved_games():
        try:
            if read_file(path).match.outcome is None:
                return path
        except PentagridError as error:
            print(f"Passed over: {error}", file=sys.stderr)
    return None
