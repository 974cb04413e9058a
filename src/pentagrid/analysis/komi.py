"""The komi that makes a deal as close as can be, and games in which every deal has its own."""

from __future__ import annotations

from collections.abc import Mapping

from pentagrid.analysis.solver import analyze
from pentagrid.core.catalog import load
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.errors import OptionError

FAIR = "fair"


def fair_komi(position: Position, seed: int, toss: int = Stream.KOMI_TOSS) -> str:
    """The komi that leaves half a point between the players: just below or just above the value, by the seed's toss.

    The value is that of the deal without komi and without swapping, so that under the pie rule too there is a first
    move that leaves half a point. Raises `OptionError` if it is not known exactly.
    """
    game = position.game
    plain = type(game)(game.size, **{**game.rules, "komi": "0", "pie": "off"})
    margin = analyze(plain.opening(position.numbers)).value.margin
    if margin is None:
        raise OptionError(f"There is no fair komi: the exact value of this {position.game.title} deal is not known.")
    return f"{margin + (0.5 if Dice(seed, toss).below(2) else -0.5):g}"


def with_fair_komi(position: Position, seed: int, toss: int = Stream.KOMI_TOSS) -> Position:
    """The same deal, played with the komi that is fair for it."""
    game = position.game
    return type(game)(game.size, **{**game.rules, "komi": fair_komi(position, seed, toss)}).opening(position.numbers)


def chosen_rules(game: Game, fair: bool) -> dict[str, str]:
    """The rule options that are not at their default, a komi that is fair for each deal among them."""
    return {**game.chosen_rules, **({"komi": FAIR} if fair else {})}


def load_fair(name: str, size: int | None, rules: Mapping[str, str]) -> tuple[Game, bool]:
    """The game with these options, and whether its komi is `fair`, to be set for each deal. Raises `OptionError`."""
    fair = rules.get("komi") == FAIR
    if fair:
        load(name, size, **{**rules, "komi": "0.5"})  # a game that has no komi now says so
    return load(name, size, **({**rules, "komi": "0"} if fair else rules)), fair


def deal(game: Game, seed: int, fair: bool, board: str | None = None, toss: int = Stream.KOMI_TOSS) -> Position:
    """The deal of a seed or of a board, where it is wanted with the komi that is fair for it.

    `toss` is the stream of the toss. Raises `OptionError` or `BoardError`.
    """
    start = game.deal(seed) if board is None else game.settled(seed).read_board(board)
    return with_fair_komi(start, seed, toss) if fair else start
