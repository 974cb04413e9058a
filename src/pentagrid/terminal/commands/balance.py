"""Compare all ways to play a game: which options make it fair, and does skill still decide?

Every combination of the game's options and of sizes up to --largest is solved and played over the same deals: by
perfect players, by two equal players of level 5, and by level 7 against level 3 from both seats. The most even come
first; among those that are about as even (within 2.5 points), the ones in which the stronger player wins most, and then
the shortest. Fair is called what lets Player 1 win 45 to 55 % both between perfect and between equal players.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pentagrid.core.catalog import find
from pentagrid.terminal.census_options import PAUSED, add_worker_options, check_plot, engine_for, notes_folder
from pentagrid.terminal.game_options import add_game
from pentagrid.terminal.output import say, warn, wrap
from pentagrid.terminal.progress_bar import progress_bar

DEALS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"for each way to play (default {DEALS})")
    parser.add_argument("--largest", type=int, metavar="N", help="the largest size (default: the game's own)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other deals and other chance (default 0)")
    add_worker_options(parser)
    parser.add_argument("--all", action="store_true", help="show the whole ranking")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it: FILE.png, FILE.svg or FILE.html")


def run(args: argparse.Namespace) -> int:
    from pentagrid.fairness.balance import plan_balance, standings
    from pentagrid.fairness.census import count_all
    from pentagrid.fairness.recommendation import MOST_RANKS, accuracy, balance_data, ranking_lines, recommendation

    if args.plot is not None:
        check_plot(args.plot)
    engine = engine_for(args)
    balance = plan_balance(find(args.game), args.largest, args.deals, args.seed)
    with progress_bar("Balance", balance.total, "games", ctrl_c="pause") as (stop, progress):
        tally = count_all(balance, notes_folder(), engine, progress, stop, warn)
    if tally is None:
        say([PAUSED])
        return 130
    rows = standings(balance, tally)
    if args.json:
        print(json.dumps(balance_data(balance, rows), ensure_ascii=False))
    else:
        title = rows[0].variant.game.title
        say([f"{title}: {len(rows)} ways to play it, {balance.deals:,} deals each; {accuracy(balance)}.", ""])
        say([*ranking_lines(rows, None if args.all else MOST_RANKS), "", *wrap(recommendation(balance, rows))])
    if args.plot is not None:
        from pentagrid.fairness.plots import balance_plot, save_plot

        save_plot(balance_plot(balance, rows), args.plot)
    return 0
