"""Analyze a position: every move, who wins after it and by how much.

Name a game (with --board or --seed, --moves, --size and --rule), or a record FILE or the number of a saved game, which
is looked at move by move.
Values are exact where a table or a proof reaches; elsewhere the position is searched for --seconds, and the answer
says what is proven. Ctrl-C ends a search with the best answer so far.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pentagrid.analysis.review import review
from pentagrid.analysis.solver import SECONDS, analyze
from pentagrid.core.catalog import game_names
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError, shown
from pentagrid.play.match import Match
from pentagrid.play.record import Record
from pentagrid.terminal.analysis_text import analysis_json, analysis_lines, record_lines
from pentagrid.terminal.game_options import add_position_options, first_position, read_moves
from pentagrid.terminal.line_game import speech_for_record
from pentagrid.terminal.output import painter, say
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.terminal.saved_games import FILE_HELP, is_number, named_file, read_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME|FILE|N", help=f"a game's name, such as matrix-capture, or {FILE_HELP}")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    add_position_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="the deal, where no --board is given")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help="the longest search (default 5)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    if not 0 < args.seconds <= 86400:
        raise OptionError(f"--seconds must be more than 0 and at most 86400, not {args.seconds:g}.")
    file = args.file or _file(args.game)
    record = Record(_match(args)) if file is None else _recorded(file, args)
    match = record.match
    reviewed = None
    with progress_bar("Searching") as (stop, progress):
        if file is None:
            analysis = analyze(match.position, args.seconds, stop, progress)
        else:
            reviewed = review(match.start, match.actions, args.seconds, stop, progress)
            analysis = reviewed.final
    speech = speech_for_record(record, painter(args.no_color))
    if args.json:
        print(analysis_json(analysis, match.moves, speech.both_names(), reviewed, match.outcome))
        return 0
    if reviewed is not None:
        say(record_lines(record, reviewed, speech))
        return 0
    say([*speech.board(match.position), "", *analysis_lines(analysis, speech)])
    return 0


def _file(name: str) -> Path | None:
    """The file that an argument names, if it does not name a game."""
    if is_number(name):
        return named_file(name)
    return Path(name) if name not in game_names() and ("." in name or "/" in name or Path(name).is_file()) else None


def _recorded(file: Path, args: argparse.Namespace) -> Record:
    given = [name for name in ("board", "position", "size", "moves", "seed", "komi") if getattr(args, name) is not None]
    given += ["rule"] if args.rule else []
    if given:
        raise OptionError(f"--{given[0]} makes no sense with a record file: {shown(str(file))} says it all.")
    record = read_file(file)
    if args.file is not None and record.match.start.game.name != args.game:
        raise OptionError(f"{file} is a game of {record.match.start.game.name}, not of {args.game}.")
    return record


def _match(args: argparse.Namespace) -> Match:
    match = Match(first_position(args, Dice(args.seed).seed))
    for action in read_moves(match.start, args.moves):
        match.play(action)
    return match
