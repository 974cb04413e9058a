"""Options that say which game, deal and position: shared by `play` and every other command about a position."""

from __future__ import annotations

import argparse
import re

from pentagrid.analysis.komi import FAIR, deal, load_fair
from pentagrid.core.catalog import built_in_names, find
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.scoring import KOMI
from pentagrid.core.speech import speech_for
from pentagrid.errors import GameOverError, OptionError, PentagridError, shown


def add_game(parser: argparse.ArgumentParser) -> None:
    """The argument that says which game."""
    parser.add_argument("game", metavar="GAME", help=f"the game's name, such as {built_in_names()[0]}")


def add_deal_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which deal: board, size and rules."""
    parser.add_argument("--board", metavar="ROWS", help='the numbers: rows by "/", numbers by blanks or commas')
    add_variant_options(parser)


def add_variant_options(parser: argparse.ArgumentParser, fair: bool = True) -> None:
    """The options that say how a game is played: size and rules; a fair komi only where there is one deal."""
    or_fair = f", or {FAIR}: as the deal needs" if fair else ""
    parser.add_argument("--size", type=int, metavar="N", help="rows and columns (see the game's rules)")
    parser.add_argument("--komi", metavar="K", help=f"points for the second player, whole or half{or_fair}")
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE", help="a rule option of the game")


def add_position_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which position: those of the deal, or its text, and moves."""
    add_deal_options(parser)
    parser.add_argument("--position", metavar="TEXT", help="any position of the game to begin with, as its text")
    parser.add_argument("--moves", metavar="MOVES", help='moves to make first, divided by ";"')


def chosen_rules(args: argparse.Namespace, game: type[Game]) -> dict[str, str]:
    """The rule options that are asked for; the komi may be `fair`. Raises `OptionError`."""
    rules: dict[str, str] = {}
    for rule in args.rule:
        name, equals, value = rule.partition("=")
        if not equals:
            raise OptionError(f"--rule must be NAME=VALUE, not {shown(rule)}. {_offers(game, args)}")
        if name.strip() in rules:
            raise OptionError(f"--rule {name.strip()} must be given once, not twice.")
        if (name.strip(), value.strip()) == ("komi", FAIR):
            raise OptionError(f"A komi that is fair for the deal must be asked for by --komi {FAIR}, not by --rule.")
        rules[name.strip()] = value.strip()
    if args.komi is not None:
        if not _has_komi(game):
            raise OptionError(f"--komi makes no sense for {game.name}: it has no points. {_offers(game, args)}")
        if "komi" in rules:
            raise OptionError("The komi must be given once, not by both --komi and --rule.")
        rules["komi"] = args.komi
    return rules


def checked_game(args: argparse.Namespace, game: type[Game], size: int | None) -> Game:
    """The game with the rules that are asked for; a fair komi is 0 until there is a deal. Raises `OptionError`."""
    rules = chosen_rules(args, game)
    game(size)  # a size there is not needs no list of options
    try:
        return load_fair(game.name, size, rules)[0]
    except OptionError as error:
        raise OptionError(f"{error} {_offers(game, args)}") from None


def chosen_game(args: argparse.Namespace) -> Game:
    """The game that the options ask for. Raises `OptionError`."""
    game = find(args.game)
    board = vars(args).get("board")
    if board is not None and not game.has_numbers:
        raise OptionError(f"--board makes no sense for {game.name}: it has no numbers. {_offers(game, args)}")
    size = args.size
    rows = len(board.strip().strip("/").split("/")) if board is not None else 0
    if size is None and rows in game.sizes:
        size = rows
    return checked_game(args, game, size)


def rule_arguments(args: argparse.Namespace) -> list[str]:
    """The size and rule options as they were typed."""
    words = ["--size", str(args.size)] if args.size is not None else []
    words += ["--komi", args.komi] if args.komi is not None else []
    return words + [word for rule in args.rule for word in ("--rule", rule)]


def _has_komi(game: type[Game]) -> bool:
    return any(rule.name == KOMI.name for rule in game.offered_rules)


def _offers(game: type[Game], args: argparse.Namespace) -> str:
    """A sentence with the options that make sense for a game."""
    left_out = {"game", "file", "rule", *vars(args).get("not_of_a_game", ())}
    left_out |= (set() if game.has_numbers else {"board"}) | (set() if _has_komi(game) else {"komi"})
    options = [name for name in vars(args) if name not in left_out | {"not_of_a_game"}]
    rules = [f"--rule {rule.name}={'|'.join(rule.values)}" for rule in game.offered_rules]
    names = ", ".join([*(f"--{name.replace('_', '-')}" for name in options), *rules])
    return f"The options of {game.name} are {names}."


def first_position(args: argparse.Namespace, seed: int) -> Position:
    """The position before the first move that the options ask for. Raises `OptionError` or `BoardError`."""
    if vars(args).get("position") is not None:
        return _given_position(args)
    return deal(chosen_game(args), seed, args.komi == FAIR, args.board)


def _given_position(args: argparse.Namespace) -> Position:
    """The position of `--position`, which says everything about the deal."""
    for name in ("board", "size", "komi", "rule"):
        if getattr(args, name) not in (None, []):
            raise OptionError(f"--{name} makes no sense with --position, which says it all.")
    position, game = read_position(args.position), find(args.game)
    if type(position.game) is not game:
        raise OptionError(f"--position must be one of {game.name}, not of {position.game.name}.")
    return position


def read_moves(start: Position, text: str | None) -> list[int]:
    """The actions of `--moves` from a position on. Raises `OptionError` naming the move that cannot be made."""
    position, actions = start, []
    for number, move in enumerate(filter(None, re.split(r"\s*;\s*", (text or "").strip())), 1):
        try:
            if position.turn is None:
                raise GameOverError("The game is over.")
            actions.append(position.game.action(move, position))
            position = position.play(actions[-1])
        except PentagridError as error:
            reason = speech_for(start.game).explain(error)
            raise OptionError(f"Move {number} of --moves, {shown(move)}, cannot be made: {reason}") from None
    return actions
