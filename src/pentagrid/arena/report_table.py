"""The report of a tournament as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.arena.measures import Measures, game_groups, greed_errs, measure
from pentagrid.arena.plan import TournamentPlan
from pentagrid.arena.rounds import PlayedGame
from pentagrid.core.catalog import find
from pentagrid.util.intervals import Interval

STRENGTH = ("player", "rating", "95 % interval", "seat 1", "seat 2", "lost i/t")
PLAY = ("player", "score", "regret", "kept", "thrown", "best", "matter")
LEGEND = (
    "seat 1, seat 2: games won from there; seat 1 moves first. lost i/t: by illegal moves, on time. In brackets: 95 %",
    "intervals. score: {paid} beyond what the seats are worth under perfect play, per game. regret: given away per",
    "move. kept: results kept where some move changes who wins. thrown: moves in won positions that lose them. best:",
    "best moves where moves differ. matter: decisions in which moves differ {under}.",
)
PAID = {
    "win": {"paid": "games won", "under": "in who wins"},
    "points": {"paid": "points", "under": "in points"},
}


def percent_or_dash(share: float | None) -> str:
    """A share in percent; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"


def interval_texts(interval: Interval | None, kind: str) -> tuple[str, str]:
    """A measure and its interval; a dash where there is none. `kind` is `share`, `mean` or `signed`."""
    if interval is None or interval.value != interval.value:
        return "–", ""
    form, factor = {"share": (".1f", 100), "mean": (".3f", 1), "signed": ("+.2f", 1)}[kind]
    value, low, high = (format(factor * number, form) for number in interval)
    return value + (" %" if kind == "share" else ""), "" if interval.low != interval.low else f"[{low}, {high}]"


def strength_cells(one: Measures) -> tuple[str, ...]:
    """How strong a player is, a text for each column."""
    return (
        one.player, f"{one.rating.elo:+.0f}", f"{one.rating.low:+.0f} … {one.rating.high:+.0f}",
        percent_or_dash(one.wins[0]), percent_or_dash(one.wins[1]), f"{one.illegal}/{one.time}",
    )  # fmt: skip


def play_cells(one: Measures) -> tuple[tuple[str, str], ...]:
    """How well a player plays: for each column a text and its interval."""
    shares = (interval_texts(share, "share") for share in (one.kept, one.thrown, one.optimal))
    matter = (percent_or_dash(one.matter), "")
    return (one.player, ""), interval_texts(one.score, "signed"), interval_texts(one.regret, "mean"), *shares, matter


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
    return [*lines, *(line.format(**PAID[plan.payoff]) for line in LEGEND)]


def _table_lines(players: Sequence[Measures]) -> list[str]:
    play = [tuple(" ".join(filter(None, cell)) for cell in play_cells(one)) for one in players]
    return [*_aligned([STRENGTH, *map(strength_cells, players)]), "", *_aligned([PLAY, *play])]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [min(28, max(len(row[i]) for row in rows)) for i in range(len(rows[0]))]
    return [
        "  ".join(
            (cell if len(cell) <= width else cell[: width - 1] + "…").ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
