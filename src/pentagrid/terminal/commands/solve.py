"""Solve a whole deal: who wins it under best play, and why.

Without --board or --seed a random deal is solved.
"""

from __future__ import annotations

import argparse
from time import perf_counter

from pentagrid.analysis.sentences import result, sentence
from pentagrid.analysis.solver import SECONDS, Solver
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError
from pentagrid.play.match import Match
from pentagrid.play.record import Record
from pentagrid.terminal import output as screen
from pentagrid.terminal.game_options import add_deal_options, add_game, dealt
from pentagrid.terminal.line_game import speech_for_record
from pentagrid.terminal.output import joined, say, wrapped
from pentagrid.terminal.progress_bar import patience


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_deal_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="the deal, where no --board is given")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help="the longest search (default 5)")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    if not 0 < args.seconds <= 86400:
        raise OptionError(f"--seconds {args.seconds:g} cannot be; it is more than 0 and up to 86400.")
    start = dealt(args, Dice(args.seed).seed)
    speech = speech_for_record(Record(Match(start)), screen.painter(screen.wants_color(args.no_color)))
    say([*speech.board(start), ""])
    began = perf_counter()
    solver = Solver(start)
    with patience("Solving") as (stop, progress):
        analysis = solver.analyze(start, args.seconds, stop, progress, every_move=False)
    took = perf_counter() - began
    say([result(analysis.value, speech.both_names()) + " under best play." if analysis.exact else sentence(analysis)])
    if analysis.exact:
        best = [option.move for option in analysis.best]
        say(wrapped(f"{len(best)} of {len(analysis.options)} first moves are best: {', '.join(best)}"))
        say(wrapped(f"One best line: {joined(analysis.line)}"))
    if solver.proof and not start.game.chosen_rules:
        say(wrapped(f"Why: {solver.proof}"))
    say([f"Solved in {took:.3f} s." if analysis.exact else f"Searched for {took:.1f} s."])
    return 0
