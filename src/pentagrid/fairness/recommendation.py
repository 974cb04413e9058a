"""What a comparison of rules comes to: a ranking and a plain recommendation."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.speech import player_names
from pentagrid.fairness.balance import BAND, EQUAL, STRONG, TOLERANCE, WEAK, Balance, Standing

MOST_RANKS = 12
"""Ranks shown on a terminal, unless all are asked for."""
ONE_SIDED = 0.4
"""A share further from a half than this is nearly none or nearly all."""


def whole_percent(share: float) -> str:
    """A share in whole percent; close to 0 or 1 with two more digits."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent in (0, 100) or 1 <= percent <= 99 else f"{percent:.2f} %"


def ranking_lines(rows: Sequence[Standing], most: int | None = MOST_RANKS) -> list[str]:
    """The ranking as a table for a terminal; the rules as written are always in it."""
    shown = [(rank, row) for rank, row in enumerate(rows, 1) if most is None or rank <= most or not row.variant.options]
    width = max(len(row.variant.name) for _, row in shown)
    first = f"{player_names(rows[0].variant.game)[0]} wins"
    lines = [
        f"{'':>4}  {'':<{width}}  {first:<26}  stronger",
        f"{'rank':>4}  {'options':<{width}}  perfect   {EQUAL:<8}  player wins  turns",
    ]
    for rank, row in shown:
        lines.append(
            f"{rank:>4}  {row.variant.name:<{width}}  {whole_percent(row.perfect):>7}  {whole_percent(row.equal):>8}"
            f"  {whole_percent(row.skill):>11}  {row.turns:>5.1f}"
        )
    if len(shown) < len(rows):
        lines.append(f"      and {len(rows) - len(shown)} more (--all shows them)")
    return lines


def recommendation(balance: Balance, rows: Sequence[Standing]) -> str:
    """What to play, in plain words; at the default size, since a small board is another game."""
    written = next(row for row in rows if not row.variant.options)
    usual = [row for row in rows if row.variant.game.size == written.variant.game.size]
    best, title = usual[0], written.variant.game.title
    before = f"As written, {_shares(written)}."
    if balance.within > TOLERANCE:
        before += f" All shares are only within {_points(balance)} points, which is too rough: use more --deals."
    if best.fair:
        return f"Play {title} with {_options(best)}: {_shares(best)}. {_toss_note(best)}{before}"
    people = min(usual, key=lambda row: (round(abs(row.equal - 0.5) / BAND), abs(row.perfect - 0.5), -row.skill))
    if all(abs(row.perfect - 0.5) > ONE_SIDED for row in usual):
        none = f"No way to play {title} is fair between perfect players: one side nearly always wins."
    else:
        none = "No way to play is fair both between perfect players and between equal ones. The closest is "
        none += f"{_options(best)}: {_shares(best)}. {_toss_note(best)}"
    among = "Between equal players the most even (of several about as even, the one in which skill matters most) is"
    return f"{none.strip()} {among} {_options(people)}: {_shares(people)}. {before}"


def accuracy(balance: Balance) -> str:
    """How far to trust the shares."""
    return f"each share is within {_points(balance)} points, 19 times out of 20"


def _points(balance: Balance) -> str:
    return f"{100 * balance.within:.0f}"


def _options(row: Standing) -> str:
    return row.variant.options or "the rules as they are written"


def _shares(row: Standing) -> str:
    """The three shares of a variant, in a clause."""
    first, _ = player_names(row.variant.game)
    return (
        f"{first} wins {whole_percent(row.perfect)} between perfect players and {whole_percent(row.equal)} between two "
        f"of {EQUAL}, and {STRONG} beats {WEAK} in {whole_percent(row.skill)} of games"
    )


def _toss_note(row: Standing) -> str:
    return (
        "(A fair komi leaves half a point to one side or the other by a toss: perfect players would know the winner "
        "after the toss, people will not.) "
        if row.variant.fair
        else ""
    )


def balance_data(balance: Balance, rows: Sequence[Standing]) -> dict[str, object]:
    """The comparison as plain data."""
    return {
        **{name: value for name, value in balance.data().items() if name != "balance"},
        "tolerance": TOLERANCE,
        "within": round(balance.within, 4),
        "ranking": [
            {
                "options": row.variant.options, "size": row.variant.game.size, "fair": row.fair,
                **{name: round(getattr(row, name), 6) for name in ("perfect", "equal", "skill", "turns")},
            }
            for row in rows
        ],
        "recommendation": recommendation(balance, rows),
    }  # fmt: skip
