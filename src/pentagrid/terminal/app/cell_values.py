"""The values of an analysis, in the few letters that fit into a cell: seen from the side of the player to move."""

from __future__ import annotations

from pentagrid.analysis.values import Analysis, Option
from pentagrid.core.drawing import Touch
from pentagrid.core.position import Position


def mover_value(option: Option, mover: int) -> str:
    """An option for the player to move: '+4' wins by 4, 'W5' wins in 5 moves, 'L2' loses in 2; '?' is not known."""
    sign = 1 if mover == 1 else -1
    if option.plies is not None:
        return f"{'W' if option.winner == mover else 'L'}{option.plies}"
    if option.margin is not None:
        tie = ("W" if option.winner == mover else "L") if option.margin == 0 else ""
        return f"{sign * option.margin:+g}" if not tie else f"{tie}0"
    if option.bounds is not None:
        low, high = sorted(sign * bound for bound in option.bounds)
        return f"{low:+g}..{high:+g}"
    return "?" if option.winner is None else "W" if option.winner == mover else "L"


def value_legend(position: Position, name: str) -> str:
    """What those letters mean, in a sentence."""
    if position.scores is None:
        return f"For {name}: W3 wins in 3 moves, L2 loses in 2, * is best."
    return f"For {name}: +3 wins by 3, -2 loses by 2, W0 and L0 are the tie-break, * is best."


def target_values(analysis: Analysis, picked: int | None = None) -> dict[int, str]:
    """What stands below each target: a star for the best. Of moves that take two cells, the best of each first cell,
    and once that is picked the values of the second."""
    mover, drawing = analysis.position.mover, analysis.position.game.drawing
    values: dict[int, str] = {}
    for option in sorted(analysis.options, key=lambda option: option.best):
        target = _target(drawing.touch(option.action), picked)
        if target is not None and (option.best or target not in values):
            values[target] = f"{'*' if option.best else ''}{mover_value(option, mover)}"
    return values


def _target(touch: Touch, picked: int | None) -> int | None:
    if touch.kind == "swap":
        return None
    if touch.kind != "pair":
        return touch.at[0]
    if picked is None:
        return touch.at[0]
    return touch.at[1] if touch.at[0] == picked else None
