"""The report of a tournament as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.arena.measures import Measures, game_groups, greed_errs, measure
from pentagrid.arena.plan import TournamentPlan
from pentagrid.arena.rounds import PlayedGame
from pentagrid.core.catalog import find

COLUMNS = ("player", "rating", "95 % interval", "seat 1", "seat 2", "score", "regret", "thrown", "best", "lost i/t")
LEGEND = (
    "seat 1, seat 2: games won from there; seat 1 moves first. score: games won beyond what the seats would have won",
    "under perfect play, per game. regret: given away per move. thrown: moves in won positions that lose them.",
    "best: best moves where moves differ. lost i/t: by illegal moves, on time.",
)


def percent_or_dash(share: float | None) -> str:
    """A share in percent; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"


def measure_cells(one: Measures) -> tuple[str, ...]:
    """One player's measures, a text for each column."""
    return (
        one.player,
        f"{one.rating.elo:+.0f}",
        f"{one.rating.low:+.0f} … {one.rating.high:+.0f}",
        percent_or_dash(one.wins[0]),
        percent_or_dash(one.wins[1]),
        f"{one.score:+.2f}",
        "–" if one.regret is None else f"{one.regret:.3f}",
        percent_or_dash(one.thrown),
        percent_or_dash(one.optimal),
        f"{one.illegal}/{one.time}",
    )


def report_lines(plan: TournamentPlan, rows: Sequence[PlayedGame]) -> list[str]:
    """The whole report: each group of games, then each game in it."""
    lines = [f"Options: {', '.join(plan.options)}", ""] if plan.options else []
    for title, names in game_groups(plan):
        lines += [title.upper(), ""]
        if len(names) > 1:
            lines += ["All of them", *_table_lines(measure(plan, rows, names)), ""]
        for name in names:
            errs = greed_errs(plan.game(name))
            note = f" (greed errs in {percent_or_dash(errs)} of positions)" if errs else ""
            lines += [f"{find(name).title}{note}", *_table_lines(measure(plan, rows, [name])), ""]
    return [*lines, *LEGEND]


def _table_lines(players: Sequence[Measures]) -> list[str]:
    rows = [COLUMNS, *map(measure_cells, players)]
    widths = [min(28, max(len(row[i]) for row in rows)) for i in range(len(COLUMNS))]
    return [
        "  ".join(
            (cell if len(cell) <= width else cell[: width - 1] + "…").ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
