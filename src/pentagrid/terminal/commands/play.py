"""Play a game: two people at this terminal, or against the computer.

The two players are the first and the second person; they sit as Player 1 and Player 2 in that order
unless --first says otherwise. Player 1 always moves first.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pentagrid.dice import Dice, fresh_seed
from pentagrid.errors import OptionError, shown
from pentagrid.match import Seat, check_name, check_turn_seconds
from pentagrid.players import HUMAN, make, usages
from pentagrid.terminal import screen
from pentagrid.terminal.savefile import SaveFile
from pentagrid.terminal.setup import add_position_options, chosen_game, opening, played, split_moves
from pentagrid.terminal.sitting import Sitting

FIRST_STREAM = 1 << 32
"""The stream of a seed that decides who begins."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="the game's name, such as matrix-capture")
    add_position_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="the same deal and computer moves every time")
    kinds = f"{usages()}, exec:COMMAND (default human)"
    parser.add_argument("--p1", default=HUMAN, metavar="KIND", help=f"the first person: {kinds}")
    parser.add_argument("--p2", default=HUMAN, metavar="KIND", help=f"the second person: {kinds}")
    parser.add_argument("--names", metavar="NAME1,NAME2", help="the names of the first and the second person")
    parser.add_argument("--first", choices=("1", "2", "random"), default="1", help="who of them sits as Player 1")
    parser.add_argument("--turn-seconds", type=float, metavar="S", help="a time limit for each turn")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the game in FILE instead of the state folder")
    parser.add_argument("--values", action="store_true", help="show the value of each move beside the board")
    parser.add_argument("--no-color", action="store_true", help="no colours")


def run(args: argparse.Namespace) -> int:
    game = chosen_game(args)
    seed = Dice(args.seed).seed if args.seed is not None else fresh_seed()
    moves = split_moves(args.moves)
    played(opening(game, args.board, seed), moves)
    names = _names(args.names)
    for kind in (args.p1, args.p2):
        make(kind, programs=True)
    people = Seat(names[0], args.p1), Seat(names[1], args.p2)
    if args.first == "2" or (args.first == "random" and Dice(seed, FIRST_STREAM).below(2)):
        people = people[1], people[0]
    if args.turn_seconds is not None:
        check_turn_seconds(args.turn_seconds)
    if args.save is not None:
        SaveFile.fresh(game, args.save)
    Sitting(
        game,
        people,
        seed=seed,
        board=args.board,
        turn_seconds=args.turn_seconds,
        save=args.save,
        values=args.values,
        paint=screen.painter(screen.wants_colour(args.no_color)),
    ).run(moves)
    return 0


def _names(text: str | None) -> tuple[str, str]:
    if text is None:
        return "", ""
    names = [check_name(name) for name in text.split(",")] if text.count(",") == 1 else []
    if len(names) != 2 or names[0].casefold() == names[1].casefold():
        raise OptionError(f"--names {shown(text)} is not two different names with a comma between them.")
    return names[0], names[1]
