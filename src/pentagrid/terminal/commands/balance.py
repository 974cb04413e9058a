"""Compare all ways to play a game: which options make it fair at every level, and does skill still decide?

Every combination of the game's options is played over the same deals by equal players of levels 1, 3, 5, 7 and 9, and
by level 7 against level 3 from both seats. Ways are ranked by the share of Player 1 at the level where it is furthest
from a half. The five most even, and the rules as written, go to a final on fresh deals. Of those that are about equal
there (their 95 % intervals overlap) the one with the fewest options is recommended. Fair is called what lets Player 1
win 45 to 55 % at every level. Perfect play is told exactly, where it is known, and never decides the ranking.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from pentagrid.core.catalog import find
from pentagrid.terminal.census_options import PAUSED, check_plot, engine_for, notes_folder
from pentagrid.terminal.game_options import add_game
from pentagrid.terminal.output import say, warn, wrap
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.terminal.worker_options import add_worker_options

if TYPE_CHECKING:
    from pentagrid.fairness.balance import Balance
    from pentagrid.fairness.census import Engine
    from pentagrid.fairness.tally import Tally

DEALS, FINALS = 1000, 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"for each way to play (default {DEALS})")
    parser.add_argument(
        "--finals", type=int, default=FINALS, metavar="N", help=f"fresh deals of the final (default {FINALS:,})"
    )
    parser.add_argument("--largest", type=int, metavar="N", help="the largest size (default: the game's own)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other deals and other chance (default 0)")
    add_worker_options(parser)
    parser.add_argument("--all", action="store_true", help="show the whole ranking")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it: FILE.png, FILE.svg or FILE.html")


def run(args: argparse.Namespace) -> int:
    from pentagrid.fairness.balance import check_deals, plan_balance, plan_final, standings
    from pentagrid.fairness.recommendation import MOST_RANKS, balance_data, ranking_lines, recommendation

    if args.plot is not None:
        check_plot(args.plot)
    engine = engine_for(args)
    balance = plan_balance(find(args.game), args.largest, args.deals, args.seed)
    check_deals("--finals", args.finals)
    tally = _count("Balance", balance, engine)
    if tally is None:
        return 130
    rows = standings(balance, tally)
    final = plan_final(balance, rows, args.finals)
    tally = _count("Final", final, engine)
    if tally is None:
        return 130
    finalists = standings(final, tally)
    if args.json:
        print(json.dumps(balance_data(balance, rows, final, finalists), ensure_ascii=False))
    else:
        title = rows[0].variant.game.title
        say([f"{title}: {len(rows)} ways to play it, {balance.deals:,} deals each.", ""])
        say([*ranking_lines(rows, None if args.all else MOST_RANKS), ""])
        say([f"The final, {final.deals:,} fresh deals each:", "", *ranking_lines(finalists, None), ""])
        say(wrap(recommendation(balance, final, finalists)))
    if args.plot is not None:
        from pentagrid.fairness.plots import balance_plot, save_plot

        save_plot(balance_plot(final, finalists), args.plot)
    return 0


def _count(name: str, work: Balance, engine: Engine) -> Tally | None:
    """Count games with a bar; None where that is interrupted."""
    from pentagrid.fairness.census import count_all

    with progress_bar(name, work.total, "games", ctrl_c="pause") as (stop, progress):
        tally = count_all(work, notes_folder(), engine, progress, stop, warn)
    if tally is None:
        say([PAUSED])
    return tally
