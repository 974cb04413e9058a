"""Count how fair a game is: the exact value of all its deals or of a sample, or games of imperfect players on them.

Without --deals or --all 10,000 random deals are looked at. A game without numbers has a single deal; there, random
openings are looked at instead. An interrupted census goes on when the same command is given again, and neither the
number of processes nor a cluster changes a digit of the result.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter

from pentagrid.analysis.komi import FAIR
from pentagrid.play.players import usages
from pentagrid.terminal.census_options import PAUSED, check_plot, engine_for, notes_folder
from pentagrid.terminal.game_options import add_game, add_variant_options, chosen_game
from pentagrid.terminal.near_misses import player_kind
from pentagrid.terminal.output import can_show, say, warn
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.terminal.worker_options import add_worker_options
from pentagrid.util.files import check_writable, write_atomically

DEALS = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    number = parser.add_mutually_exclusive_group()
    number.add_argument("--deals", type=int, metavar="N", help=f"so many random deals (default {DEALS:,})")
    number.add_argument("--all", action="store_true", help="all deals there are")
    add_variant_options(parser)
    parser.add_argument(
        "--opening",
        type=int,
        metavar="N",
        help="moves of random openings, 0 to 6, in a game without numbers (default 6; with pie=on 0)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other deals and other chance (default 0)")
    kinds = usages(people=False)
    parser.add_argument(
        "--p1", type=player_kind, metavar="KIND", help=f"who plays as Player 1, instead of exact values: {kinds}"
    )
    parser.add_argument(
        "--p2", type=player_kind, metavar="KIND", help="who plays as Player 2 (either alone: the other is perfect)"
    )
    add_worker_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print all counts as JSON")
    form.add_argument(
        "--csv",
        nargs="?",
        const="-",
        metavar="FILE",
        help="print all counts as a table for programs, or write it",
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it: FILE.png, FILE.svg or FILE.html")


def run(args: argparse.Namespace) -> int:
    from pentagrid.fairness.census import count_all, plan_census
    from pentagrid.fairness.summary import BLOCKS, PLAIN, summary_csv, summary_data, summary_lines

    plan = plan_census(
        chosen_game(args),
        None if args.all else DEALS if args.deals is None else args.deals,
        args.seed,
        args.opening,
        args.komi == FAIR,
        (args.p1, args.p2),
    )
    if args.plot is not None:
        check_plot(args.plot)
    if args.csv not in (None, "-"):
        check_writable(Path(args.csv))
    engine = engine_for(args)
    began = perf_counter()
    with progress_bar("Census", plan.total, "deals", ctrl_c="pause") as (stop, progress):
        tally = count_all(plan, notes_folder(), engine, progress, stop, warn)
    if tally is None:
        say([PAUSED])
        return 130
    spent = perf_counter() - began
    if args.json:
        print(json.dumps(summary_data(plan, tally), ensure_ascii=False))
    elif args.csv == "-":
        print(summary_csv(tally), end="")
    else:
        say([*summary_lines(plan, tally, BLOCKS if can_show(BLOCKS) else PLAIN), "", f"  {spent:.1f} s."])
    if args.csv not in (None, "-"):
        write_atomically(Path(args.csv), summary_csv(tally))
    if args.plot is not None:
        from pentagrid.fairness.plots import census_plot, save_plot

        save_plot(census_plot(plan, tally), args.plot)
    return 0
