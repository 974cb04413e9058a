"""The hints of a puzzle: first what tempts and why it is wrong, then a few moves of which one is right."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.analysis.sentences import counted, listed, result
from pentagrid.analysis.solver import solver_of
from pentagrid.core.speech import player_names
from pentagrid.puzzles.playouts import refute
from pentagrid.puzzles.puzzle import Puzzle

MOVES_LEFT = 3
"""How many moves the second hint names at most, the answer among them."""


def puzzle_hint(puzzle: Puzzle, names: Sequence[str] | None = None) -> str:
    """The first hint: which moves tempt and why they are wrong. It names no reply, since that often is the answer."""
    names = names or player_names(puzzle.position.game)
    texts, tempting = puzzle.position.game.texts, puzzle.grade.tempting
    alone = len(tempting) == 1
    looks = f"{listed([texts[action] for action in tempting])} {'looks' if alone else 'look'} best"
    if puzzle.position.scores is not None:
        looks += ": no move brings more points at once"
    playout = refute(puzzle, tempting[0])
    first = playout.steps[0]
    where = "after it" if alone else f"none is right: after {first.move}"
    value = solver_of(first.after).value(first.after)
    if value.winner == first.player:
        by = f"by {abs(value.margin)}" if value.margin else "on the tie-break"
        less = f"{counted(playout.loss, 'point')} less than can be had"
        return f"{looks}. {where[0].upper()}{where[1:]} {names[first.player - 1]} still wins, but only {by}: {less}."
    return " ".join(filter(None, [f"{looks}. But {where} {result(value, names)}.", playout.gist(names)]))


def narrow_hint(puzzle: Puzzle) -> str:
    """The second hint: how far to look ahead, and the answer among the wrong moves that give away least."""
    position, tempting = puzzle.position, puzzle.grade.tempting
    losses = solver_of(position).losses(position)
    others = losses.keys() - {puzzle.answer}
    temptations = set(position.game.heuristics.temptations(position))
    wrong = sorted(
        others - temptations or others - set(tempting) or others, key=lambda action: (losses[action], action)
    )
    few = sorted([puzzle.answer, *wrong[: MOVES_LEFT - 1]])
    moves = "; ".join(position.game.texts[action] for action in few)
    return f"Look at least {counted(puzzle.grade.depth, 'turn')} ahead. It is one of these: {moves}."
