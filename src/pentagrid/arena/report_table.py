"""What a tournament found, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.arena.measures import Measures, greed_errs, groups, measure
from pentagrid.arena.plan import TournamentPlan
from pentagrid.arena.rounds import PlayedGame
from pentagrid.core.catalog import find

COLUMNS = ("player", "rating", "95 % interval", "won as 1", "won as 2", "score", "regret", "thrown", "best", "lost i/t")
LEGEND = (
    "score: games won beyond what the seats were worth, per game. regret: given away per move. thrown: moves in won",
    "positions that lose them. best: best moves where moves differ. lost i/t: by illegal moves, by time.",
)


def percent(share: float | None) -> str:
    """A share as a percentage."""
    return "–" if share is None else f"{100 * share:.1f} %"


def signed(value: float | None, digits: int = 2) -> str:
    """A number with its sign."""
    return "–" if value is None else f"{value:+.{digits}f}"


def cells(one: Measures) -> tuple[str, ...]:
    """One player's measures as the columns have them."""
    return (
        one.player,
        f"{one.rating.elo:+.0f}",
        f"{one.rating.low:+.0f} … {one.rating.high:+.0f}",
        percent(one.wins[0]),
        percent(one.wins[1]),
        signed(one.score),
        "–" if one.regret is None else f"{one.regret:.3f}",
        percent(one.thrown),
        percent(one.optimal),
        f"{one.illegal}/{one.time}",
    )


def told(plan: TournamentPlan, rows: Sequence[PlayedGame]) -> list[str]:
    """The whole report: each group of games, then each game in it."""
    lines = [f"Options: {', '.join(plan.options)}", ""] if plan.options else []
    for title, names in groups(plan):
        lines += [title.upper(), ""]
        if len(names) > 1:
            lines += ["All of them", *_table(measure(plan, rows, names)), ""]
        for name in names:
            errs = greed_errs(plan.game(name))
            note = f" (greed errs in {percent(errs)} of positions)" if errs else ""
            lines += [f"{find(name).title}{note}", *_table(measure(plan, rows, [name])), ""]
    return [*lines, *LEGEND]


def _table(found: Sequence[Measures]) -> list[str]:
    rows = [COLUMNS, *(cells(one) for one in found)]
    widths = [min(28, max(len(row[i]) for row in rows)) for i in range(len(COLUMNS))]
    return [
        "  ".join(
            (cell if len(cell) <= width else cell[: width - 1] + "…").ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
