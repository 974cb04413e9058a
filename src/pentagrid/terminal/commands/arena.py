"""Play a tournament between players, and measure how well they play: skill, not seat.

Every pair meets on the same deals with the seats swapped, and every move is compared with its exact value. Results go
into a file that is only appended to; the same command goes on where an interrupted one stopped. At the end there is a
table here, and beside the results a report as HTML and its figures as JSON. A size and rule options hold for every
game that is played; --komi fair sets each deal's komi from its exact value.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pentagrid.core.catalog import find
from pentagrid.errors import OptionError
from pentagrid.play.players import OUTSIDE_USAGE, usages
from pentagrid.terminal.game_options import add_variant_options, checked_game, chosen_rules, rule_arguments
from pentagrid.terminal.near_misses import player_kind
from pentagrid.terminal.output import say
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.terminal.suggested_commands import program_words
from pentagrid.terminal.worker_options import add_worker_options, chosen_mapper, refuse_outside
from pentagrid.util.files import check_own, check_writable, write_atomically
from pentagrid.util.workers import check_workers


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players",
        nargs="+",
        type=player_kind,
        required=True,
        metavar="KIND",
        help=f"who plays: {usages(people=False)}, {OUTSIDE_USAGE}",
    )
    parser.add_argument("--game", nargs="+", default=["all"], metavar="GAME", help="the games (default all)")
    parser.add_argument("--games", type=int, default=400, metavar="N", help="of each pair in each game (default 400)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other deals and other chance (default 0)")
    add_variant_options(parser)
    parser.add_argument(
        "--payoff", default="win", metavar="KIND", help="what is played for and scored: win (default) or points"
    )
    parser.add_argument("--turn-seconds", type=float, metavar="S", help="a time limit for each turn")
    add_worker_options(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="the results (default: arena-….jsonl, by the options)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON instead of a table")


def run(args: argparse.Namespace) -> int:
    from pentagrid.arena.measures import tournament_data
    from pentagrid.arena.plan import chosen_games, plan_tournament
    from pentagrid.arena.report_html import report_page
    from pentagrid.arena.report_table import report_lines
    from pentagrid.arena.tournament import play_tournament

    rules = _rules(args, chosen_games(args.game))
    plan = plan_tournament(
        args.players, args.game, args.games, args.seed, args.turn_seconds, args.size, rules, args.payoff
    )
    refuse_outside(args, plan.players)
    mapper = chosen_mapper(args, kept=True) if args.cluster else None
    check_workers(args.workers)
    path = args.out or Path(f"{plan.name()}.jsonl")
    html, numbers = path.with_suffix(".html"), path.with_suffix(".json")
    if path in (html, numbers):
        other = path.with_suffix(".jsonl")
        raise OptionError(f"--out must have a name that is not that of the report, such as {other}, not {path}.")
    for file in (path, html, numbers):
        check_writable(file)
    check_own(html, "Pentagrid arena")
    check_own(numbers, '"per_pair":')
    with progress_bar(f"{plan.total} games") as (stop, progress):
        results = play_tournament(plan, path, args.workers, progress, stop, mapper)
    plan = results.plan
    if len(results.rows) < plan.total:
        say([f"{len(results.rows)} of {plan.total} games are in {path}.", f"To go on: {_again(args, path)}"])
        return 130
    figures = tournament_data(plan, results.rows)
    write_atomically(html, report_page(plan, results.rows))
    write_atomically(numbers, json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    if args.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    say([*report_lines(plan, results.rows), "", f"Results: {path}   Report: {html}   Figures: {numbers}"])
    return 0


def _rules(args: argparse.Namespace, names: tuple[str, ...]) -> dict[str, str]:
    """The rule options; they and the size must fit every game. Raises `OptionError`."""
    wrong = []
    for game in map(find, names):
        try:
            checked_game(args, game, args.size)
        except OptionError as error:
            wrong.append(error)
    if wrong:
        advice = " Size and rules must fit every game; say with --game which to play."
        raise OptionError(f"{wrong[0]}{advice if len(wrong) < len(names) else ''}")
    return chosen_rules(args, find(names[0]))


def _again(args: argparse.Namespace, path: Path) -> str:
    """The command that goes on."""
    from shlex import join

    words = ["arena", "--players", *args.players, "--game", *args.game, "--games", str(args.games)]
    words += [*rule_arguments(args), "--seed", str(args.seed)] + (
        ["--turn-seconds", f"{args.turn_seconds:g}"] if args.turn_seconds else []
    )
    words += ["--payoff", args.payoff] if args.payoff != "win" else []
    words += ["--cluster", args.cluster] if args.cluster else []
    return f"{program_words()} {join([*words, '--out', str(path)])}"
