"""Solve a whole deal: who wins it under best play, and why.

Without --board or --seed a random deal is solved.
"""

from __future__ import annotations

import argparse
from time import perf_counter

from pentagrid.analysis.sentences import result, sentence
from pentagrid.analysis.solver import SECONDS, Solver
from pentagrid.core.rng import Dice
from pentagrid.core.speech import speech_for
from pentagrid.errors import OptionError
from pentagrid.terminal.game_options import add_deal_options, add_game, first_position
from pentagrid.terminal.output import join_moves, painter, say, wrap
from pentagrid.terminal.progress_bar import progress_bar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_deal_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="the deal, where no --board is given")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help="the longest search (default 5)")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    if not 0 < args.seconds <= 86400:
        raise OptionError(f"--seconds must be more than 0 and at most 86400, not {args.seconds:g}.")
    start = first_position(args, Dice(args.seed).seed)
    speech = speech_for(start.game, paint=painter(args.no_color))
    names = speech.both_names()
    say([*speech.board(start), *speech.terms(start), ""])
    began = perf_counter()
    solver = Solver(start)
    with progress_bar("Solving") as (stop, progress):
        analysis = solver.analyze(start, args.seconds, stop, progress, every_move=False)
    took = perf_counter() - began
    say([f"{result(analysis.value, names)} under best play." if analysis.exact else sentence(analysis, names)])
    if analysis.exact:
        best = [option.move for option in analysis.best]
        say(wrap(f"{len(best)} of {len(analysis.options)} first moves are best: {', '.join(best)}"))
        say(wrap(f"One best line: {join_moves(analysis.line)}"))
    if solver.proof and not start.game.chosen_rules:
        say(wrap(f"Why: {solver.proof}"))
    say([f"Solved in {took:.3f} s." if analysis.exact else f"Searched for {took:.1f} s."])
    return 0
