"""Play a game: two people at this terminal, or against the computer.

The two players are the first and the second person; they sit as Player 1 and Player 2 in that order
unless --first says otherwise. Player 1 always moves first.
"""

from __future__ import annotations

import argparse
import os

from pentagrid.analysis.komi import FAIR
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.core.streams import Stream
from pentagrid.errors import OptionError, shown
from pentagrid.play.match import Seat, check_name, check_names, check_turn_seconds
from pentagrid.play.players import HUMAN, OUTSIDE_USAGE, make_player, usages
from pentagrid.terminal.app.game_plan import GamePlan
from pentagrid.terminal.app_start import open_app, require_app
from pentagrid.terminal.game_options import add_game, add_position_options, chosen_game, first_position, read_moves
from pentagrid.terminal.near_misses import player_kind
from pentagrid.terminal.output import painter
from pentagrid.terminal.saved_games import SaveFile
from pentagrid.terminal.series import Series


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_position_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="the same deal and computer moves every time")
    kinds = f"{usages()}, {OUTSIDE_USAGE} (default human)"
    parser.add_argument("--p1", type=player_kind, default=HUMAN, metavar="KIND", help=f"the first person: {kinds}")
    parser.add_argument("--p2", type=player_kind, default=HUMAN, metavar="KIND", help=f"the second person: {kinds}")
    parser.add_argument("--names", metavar="NAME1,NAME2", help="the names of the first and the second person")
    parser.add_argument("--first", choices=("1", "2", "random"), default="1", help="who of them sits as Player 1")
    parser.add_argument("--turn-seconds", type=float, metavar="S", help="a time limit for each turn")
    parser.add_argument("--save", metavar="FILE", help="keep the game in FILE instead of the state folder")
    parser.add_argument("--values", action="store_true", help="show the value of each move beside the board")
    parser.add_argument("--app", action="store_true", help="play in the full-screen app")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    seed = Dice(args.seed).seed if args.seed is not None else fresh_seed()
    start = first_position(args, seed)
    actions = read_moves(start, args.moves)
    names = _names(args.names)
    for kind in (args.p1, args.p2):
        make_player(kind, programs=True)
    game = start.game if args.position is not None else chosen_game(args)  # a toss settles each deal anew
    players = Seat(names[0], args.p1), Seat(names[1], args.p2)
    if args.first == "2" or (args.first == "random" and Dice(seed, Stream.FIRST_SEAT).below(2)):
        players = players[1], players[0]
    if args.turn_seconds is not None:
        check_turn_seconds(args.turn_seconds)
    if args.app:
        if args.no_color:
            os.environ["NO_COLOR"] = "1"
        plan = GamePlan(game, players, args.turn_seconds, args.komi == FAIR, start, programs=True)
        return _in_app(plan, seed, actions, args.save, args.values)
    Series(
        game,
        players,
        seed=seed,
        start=start,
        board=args.board,
        fair=args.komi == FAIR,
        turn_seconds=args.turn_seconds,
        save=args.save,
        values=args.values,
        paint=painter(args.no_color),
    ).begin(actions)
    return 0


def _in_app(plan: GamePlan, seed: int, actions: list[int], save: str | None, values: bool) -> int:
    """Play in the app. Raises `OptionError` where it cannot be opened."""
    require_app()
    from pentagrid.terminal.app.game_screen import GameScreen

    record = plan.begin(seed)
    for action in actions:
        record.match.play(action)
    file = None if save is None else SaveFile.named(save)

    def first() -> GameScreen:
        screen = GameScreen(record, file, plan)
        screen.values_on = values
        return screen

    return open_app(first)


def _names(text: str | None) -> tuple[str, str]:
    if text is None:
        return "", ""
    if text.count(",") != 1:
        raise OptionError(f"--names must be two names with a comma between them, not {shown(text)}.")
    one, two = (check_name(name) for name in text.split(","))
    check_names(one, two)
    return one, two
