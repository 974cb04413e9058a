"""What a comparison of rules comes to: a table and a plain recommendation."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.fairness.balance import BAND, EQUAL, STRONG, TOLERANCE, WEAK, Balance, Standing

ROWS = 12
"""Of the ranking, on a terminal; the rest is in the JSON."""
ONE_SIDED = 0.4
"""So far from a half a share is nearly none or nearly all."""


def whole(share: float) -> str:
    """A share in full percents, or just short of them."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent in (0, 100) or 1 <= percent <= 99 else f"{percent:.2f} %"


def table(rows: Sequence[Standing], most: int | None = ROWS) -> list[str]:
    """The ranking."""
    shown = [(rank, row) for rank, row in enumerate(rows, 1) if most is None or rank <= most or not row.variant.options]
    width = max(len(row.variant.name) for _, row in shown)
    lines = [
        f"{'':>4}  {'':<{width}}  Player 1 wins               stronger",
        f"{'rank':>4}  {'options':<{width}}  perfect   {EQUAL:<8}  player wins  turns",
    ]
    for rank, row in shown:
        lines.append(
            f"{rank:>4}  {row.variant.name:<{width}}  {whole(row.perfect):>7}  {whole(row.equal):>8}"
            f"  {whole(row.skill):>11}  {row.turns:>5.1f}"
        )
    if len(shown) < len(rows):
        lines.append(f"      and {len(rows) - len(shown)} more (--all shows them)")
    return lines


def recommendation(balance: Balance, rows: Sequence[Standing]) -> str:
    """What to play, in plain words; at the usual size, since a small board is another game."""
    written = next(row for row in rows if not row.variant.options)
    usual = [row for row in rows if row.variant.game.size == written.variant.game.size]
    best, title = usual[0], written.variant.game.title
    before = f"As written, {_told(written)}."
    if balance.within > TOLERANCE:
        before += f" All this is only known to within {_points(balance)} points, too little to tell: take more --deals."
    if best.fair:
        return f"Play {title} with {_asked(best)}: {_told(best)}. {_toss(best)}{before}"
    people = min(usual, key=lambda row: (round(abs(row.equal - 0.5) / BAND), abs(row.perfect - 0.5), -row.skill))
    if all(abs(row.perfect - 0.5) > ONE_SIDED for row in usual):
        none = f"None of these is fair between perfect players: in {title} one side wins nearly always, come what may."
    else:
        none = "None of these is fair both between perfect players and between equal ones. The closest is "
        none += f"{_asked(best)}: {_told(best)}. {_toss(best)}"
    among = "Between equal players the most even (of several about as even, the one in which skill matters most) is"
    return f"{none.strip()} {among} {_asked(people)}: {_told(people)}. {before}"


def accuracy(balance: Balance) -> str:
    """How far to trust the shares."""
    return f"each share is within {_points(balance)} points, 19 times of 20"


def _points(balance: Balance) -> str:
    return f"{100 * balance.within:.0f}"


def _asked(row: Standing) -> str:
    return row.variant.options or "the rules as they are written"


def _told(row: Standing) -> str:
    return (
        f"Player 1 wins {whole(row.perfect)} between perfect players and {whole(row.equal)} between two of {EQUAL}, "
        f"and {STRONG} beats {WEAK} in {whole(row.skill)} of games"
    )


def _toss(row: Standing) -> str:
    return (
        "(A fair komi leaves half a point to one side or the other by a toss: perfect players would know the winner "
        "after the toss, people will not.) "
        if row.variant.fair
        else ""
    )


def as_json(balance: Balance, rows: Sequence[Standing]) -> dict[str, object]:
    """The same as data."""
    return {
        **{name: value for name, value in balance.described().items() if name != "balance"},
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
