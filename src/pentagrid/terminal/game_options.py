"""From options to a game on the table: what `play` and every other command about a position share."""

from __future__ import annotations

import argparse
import re

from pentagrid.analysis.komi import FAIR, deal, load_fair
from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.scoring import KOMI
from pentagrid.errors import OptionError, PentagridError, shown


def add_game(parser: argparse.ArgumentParser) -> None:
    """The argument that says which game."""
    parser.add_argument("game", metavar="GAME", help=f"the game's name, such as {game_names()[0]}")


def add_deal_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which deal: board, size and rules."""
    parser.add_argument("--board", metavar="ROWS", help='the numbers: rows by "/", numbers by blanks or commas')
    add_variant_options(parser)


def add_variant_options(parser: argparse.ArgumentParser, fair: bool = True) -> None:
    """The options that say how a game is played: size and rules; a fair komi only where there is one deal."""
    also = f", or {FAIR}: as the deal needs" if fair else ""
    parser.add_argument("--size", type=int, metavar="N", help="rows and columns (see the game's rules)")
    parser.add_argument("--komi", metavar="K", help=f"points for Player 2, whole or half{also}")
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE", help="a rule option of the game")


def add_position_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which position: those of the deal, and moves."""
    add_deal_options(parser)
    parser.add_argument("--moves", metavar="MOVES", help='moves to make first, divided by ";"')


def chosen_rules(args: argparse.Namespace, kind: type[Game]) -> dict[str, str]:
    """The rule options that are asked for; the komi may be `fair`. Raises `OptionError`."""
    rules: dict[str, str] = {}
    for rule in args.rule:
        name, equals, value = rule.partition("=")
        if not equals:
            raise OptionError(f"--rule {shown(rule)} is not NAME=VALUE. {_offers(kind, args)}")
        if name.strip() in rules:
            raise OptionError(f"--rule {name.strip()} is given twice.")
        if (name.strip(), value.strip()) == ("komi", FAIR):
            raise OptionError(f"A komi that is fair for the deal is asked for by --komi {FAIR}.")
        rules[name.strip()] = value.strip()
    if args.komi is not None:
        if not _has_komi(kind):
            raise OptionError(f"--komi makes no sense for {kind.name}: it has no points. {_offers(kind, args)}")
        if "komi" in rules:
            raise OptionError("The komi is given twice.")
        rules["komi"] = args.komi
    return rules


def checked(args: argparse.Namespace, kind: type[Game], size: int | None) -> Game:
    """A game with the rule options that are asked for; a fair komi is 0 until there is a deal. Raises `OptionError`."""
    rules = chosen_rules(args, kind)
    try:
        return load_fair(kind.name, size, rules)[0]
    except OptionError as error:
        raise OptionError(f"{error} {_offers(kind, args)}") from None


def chosen_game(args: argparse.Namespace) -> Game:
    """The game that the options ask for. Raises `OptionError`."""
    kind = find(args.game)
    board = vars(args).get("board")
    if board is not None and not kind.has_numbers:
        raise OptionError(f"--board makes no sense for {kind.name}: it has no numbers. {_offers(kind, args)}")
    size = args.size
    rows = len(board.strip().strip("/").split("/")) if board is not None else 0
    if size is None and rows in kind.sizes:
        size = rows
    return checked(args, kind, size)


def rule_words(args: argparse.Namespace) -> list[str]:
    """The size and rule options as they were typed."""
    words = ["--size", str(args.size)] if args.size is not None else []
    words += ["--komi", args.komi] if args.komi is not None else []
    return words + [word for rule in args.rule for word in ("--rule", rule)]


def _has_komi(kind: type[Game]) -> bool:
    return any(rule.name == KOMI.name for rule in kind.offered_rules)


def _offers(kind: type[Game], args: argparse.Namespace) -> str:
    """The options that make sense for a game."""
    left_out = {"game", "file", "rule", *vars(args).get("not_of_a_game", ())}
    left_out |= (set() if kind.has_numbers else {"board"}) | (set() if _has_komi(kind) else {"komi"})
    options = [name for name in vars(args) if name not in left_out | {"not_of_a_game"}]
    rules = [f"--rule {rule.name}={'|'.join(rule.values)}" for rule in kind.offered_rules]
    names = ", ".join([*(f"--{name.replace('_', '-')}" for name in options), *rules])
    return f"The options of {kind.name} are {names}."


def split_moves(text: str | None) -> list[str]:
    """The moves of `--moves`."""
    return [move for move in re.split(r"\s*;\s*", (text or "").strip()) if move]


def dealt(args: argparse.Namespace, seed: int) -> Position:
    """The position before the first move that the options ask for. Raises `OptionError` or `BoardError`."""
    return deal(chosen_game(args), seed, args.komi == FAIR, args.board)


def opening(game: Game, board: str | None, seed: int) -> Position:
    """The position before the first move."""
    return game.deal(seed) if board is None else game.read_board(board)


def played(position: Position, moves: list[str]) -> Position:
    """The position after the moves. Raises `OptionError` naming the move that cannot be made."""
    for number, move in enumerate(moves, 1):
        try:
            position = position.play(move)
        except PentagridError as error:
            raise OptionError(f"Move {number} of --moves, {shown(move)}, cannot be made: {error}") from None
    return position
