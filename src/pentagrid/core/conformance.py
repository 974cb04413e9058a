"""The check that every game must pass: `check(game)` plays it at random and checks every position on the way."""

from __future__ import annotations

from pentagrid.core.game import Game
from pentagrid.core.options import SWAP
from pentagrid.core.position import Position
from pentagrid.core.position_reader import restore
from pentagrid.core.rng import Dice
from pentagrid.errors import GameOverError, NotAllowedError, PentagridError, Refusal

LONGEST_GAME = 10_000


class ConformanceError(AssertionError):
    """A game breaks what every game must keep; the message names the position."""


def check(game: Game, plays: int = 20, seed: int = 0) -> int:
    """Play a game so many times at random and check every position; returns the number of positions looked at.

    Raises `ConformanceError` at the first position where something does not hold.
    """
    _require(tuple(map(game.action, game.texts)) == tuple(range(game.action_count)), repr(game), "moves round-trip")
    positions = 0
    for number in range(plays):
        dice = Dice(seed, number)
        position = game.deal(seed=dice.below(1 << 32))
        for _ in range(LONGEST_GAME):
            check_position(position)
            positions += 1
            if position.outcome() is not None:
                break
            position = position.play(dice.choice(position.actions()))
        else:
            _require(False, position.text, f"a game ends within {LONGEST_GAME} turns")
    return positions


def check_position(position: Position) -> None:
    """Check one position: its moves, its text, its scores and its outcome. Raises `ConformanceError`."""
    game, text = position.game, position.text
    actions, outcome = position.actions(), position.outcome()
    _require((not actions) == (outcome is not None), text, "there are legal moves exactly while nobody has won")
    _require(outcome is None or outcome.winner in (1, 2), text, "somebody wins")
    _require(position.turn == (None if outcome else position.mover), text, "it is somebody's turn while it goes on")
    _require(position.scores == game.count_scores(position.numbers, position.one, position.two), text, "scores add up")
    _require(not position.one & position.two, text, "nothing has two owners")
    _require(position.moves() == tuple(game.texts[action] for action in actions), text, "moves name the actions")
    _check_text(position)
    _check_drawing(position)
    for action in range(game.action_count):
        if action in actions:
            after = position.play(action)
            _require(after == position.play(game.texts[action].lower()), text, "a move is played by text or by action")
            _require(after.ply == position.ply + 1, text, "a move is one turn")
        else:
            _refused(position, action)
    for nonsense in ("", " ", "xyzzy", "R0C0", "99", "-1,-1", game.action_count, -1):
        _refused(position, nonsense)
    _require(position.text == text, text, "playing changes nothing")


def _check_text(position: Position) -> None:
    try:
        again = restore(type(position.game), position.text.split()[1:])
    except PentagridError as error:
        raise ConformanceError(f"{position.text}: its text cannot be read back: {error}") from error
    _require(again == position and hash(again) == hash(position), position.text, "its text reads back as itself")


def _check_drawing(position: Position) -> None:
    n = position.game.size
    rows = position.cells()
    _require([len(row) for row in rows] == [n] * n, position.text, "the cells are a square")
    for action in position.actions():
        kind, at = position.game.drawing.touch(action)
        limit = len(position.lines()) if kind == "line" else n * n
        _require(
            kind in ("cell", "line", "pair", SWAP) and all(0 <= i < limit for i in at), position.text, "touches exist"
        )


def _refused(position: Position, move: str | int) -> None:
    expected = GameOverError if position.outcome() else NotAllowedError if type(move) is int else PentagridError
    if type(move) is int and not 0 <= move < position.game.action_count:
        expected = PentagridError
    try:
        position.play(move)
    except expected as error:
        known = isinstance(error, NotAllowedError) == isinstance(getattr(error, "refusal", None), Refusal)
        _require(known and len(str(error)) > 10, position.text, f"the refusal of {move!r} says why")
        return
    _require(False, position.text, f"{move!r} is refused")


def _require(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise ConformanceError(f"{where}: it does not hold that {what}")
