"""The tug-of-war chart: who was ahead after each move if nobody erred any more, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from pentagrid.core.deal_solver import Value


def tug_of_war(values: Sequence[Value], names: tuple[str, str], width: int, half: int = 3) -> list[str]:
    """The chart in lines: a column for each position, upward for the first player; of many the last ones.

    It has `half` rows above the middle and below it.
    """
    across = min(2, max(1, width // max(1, len(values))))
    shown = list(values[-(width // across) :])
    pulls = [_pull(value) for value in shown]
    most = max((abs(pull) for pull in pulls if pull is not None), default=0) or 1
    heights = [None if pull is None else (1 if pull > 0 else -1) * ceil(half * abs(pull) / most) for pull in pulls]
    lines = [f"{names[0]} ahead"]
    for row in range(half, 0, -1):
        lines.append("".join(("█" if (h or 0) >= row else " ") * across for h in heights).rstrip())
    lines.append("".join(("?" if h is None else "-") * across for h in heights))
    for row in range(1, half + 1):
        lines.append("".join(("█" if -(h or 0) >= row else " ") * across for h in heights).rstrip())
    return [*lines, f"{names[1]} ahead"]


def _pull(value: Value) -> float | None:
    """How far the rope is on the first player's side; None where that is not known."""
    if value.winner is None:
        return None
    sign = 1 if value.winner == 1 else -1
    if value.margin is not None:
        return value.margin or sign / 4  # a tie is decided by the tie-break
    return sign
