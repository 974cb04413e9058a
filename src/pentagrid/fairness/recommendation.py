"""What a comparison of rules comes to: a ranking and a plain recommendation."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.analysis.sentences import listed
from pentagrid.core.speech import player_names
from pentagrid.fairness.balance import LEVELS, STRONG, TOLERANCE, WEAK, Balance, Share, Standing, about_equal

MOST_RANKS = 12
"""Ranks shown on a terminal, unless all are asked for."""


def whole_percent(share: float) -> str:
    """A share in whole percent; close to 0 or 1 with two more digits."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent in (0, 100) or 1 <= percent <= 99 else f"{percent:.2f} %"


def ranking_lines(rows: Sequence[Standing], most: int | None = MOST_RANKS) -> list[str]:
    """The ranking as a table for a terminal; the rules as written are always in it."""
    shown = [(rank, row) for rank, row in enumerate(rows, 1) if most is None or rank <= most or not row.variant.options]
    width = max(len(row.variant.name) for _, row in shown)
    first = f"{player_names(rows[0].variant.game)[0]} wins (%) between equals of level"
    lines = [
        f"{'':>4}  {'':<{width}}  {first:<38}  stronger",
        f"{'rank':>4}  {'options':<{width}}  {''.join(f'{level:>5}' for level in LEVELS)}  perfect"
        f"{'':>6}  player wins  turns",
    ]
    for rank, row in shown:
        shares = "".join(f"{100 * share.share:>5.0f}" for share in row.levels)
        lines.append(
            f"{rank:>4}  {row.variant.name:<{width}}  {shares}  {whole_percent(row.perfect.share):>7}{'':>6}"
            f"  {whole_percent(row.skill):>11}  {row.turns:>5.1f}"
        )
    if len(shown) < len(rows):
        lines.append(f"      and {len(rows) - len(shown)} more (--all shows them)")
    return lines


def recommended(rows: Sequence[Standing]) -> Standing:
    """The way to play that a final recommends: the simplest of those that are about equally even."""
    return about_equal(rows)[0]


def recommendation(balance: Balance, final: Balance, rows: Sequence[Standing]) -> str:
    """What to play, in plain words, from the rows of a final."""
    written = next(row for row in rows if not row.variant.options)
    best, *others = about_equal(rows)
    title = written.variant.game.title
    sentences = []
    if best.variant.options and best.fair:
        sentences.append(f"Play {title} with {best.variant.options}: {_shares(best)}.")
    elif best.variant.options:
        sentences.append(f"No way to play {title} is fair at every level. The closest is {best.variant.options}:")
        sentences[-1] += f" {_shares(best)}."
    else:
        sentences.append(f"Nothing makes {title} more even than the rules as they are written: {_shares(best)}.")
    if others:
        names = [_options(row) for row in others]
        sentences.append(f"About equal, since their 95 % intervals overlap: {listed(names)}.")
    if best.variant.options:
        sentences.append(f"As written, {_shares(written)}.")
    sentences.append(trust(balance, final))
    return " ".join(sentences)


def trust(balance: Balance, final: Balance) -> str:
    """How far to trust the shares of a final."""
    shares = len(final.variants) * len(LEVELS)
    text = (
        f"Of {len(balance.variants)} ways to play, {len(final.variants)} went to a final of {final.deals:,} fresh "
        f"deals; there each share is within {_points(final)}, 19 times out of 20, so of {shares} shares about "
        f"{max(1, round(shares / 20))} may be further off."
    )
    if final.within > TOLERANCE / 4:
        text += " That is too rough to tell ways apart that are close: use more --finals."
    return text


def _points(balance: Balance) -> str:
    points = f"{100 * balance.within:.1f}".removesuffix(".0")
    return f"{points} point{'' if points == '1' else 's'}"


def _options(row: Standing) -> str:
    return row.variant.options or "the rules as they are written"


def _shares(row: Standing) -> str:
    """The curve of a variant, in a clause."""
    first, _ = player_names(row.variant.game)
    curve = listed([f"{100 * share.share:.0f}" for share in row.levels])
    levels = listed([str(level) for level in LEVELS])
    return (
        f"{first} wins {curve} % between equal players of levels {levels}, and {_perfect(row.perfect)} between perfect "
        f"players; {STRONG} beats {WEAK} in {whole_percent(row.skill)} of games"
    )


def _perfect(share: Share) -> str:
    return f"{'exactly ' if share.exact else ''}{whole_percent(share.share)}"


def balance_data(
    balance: Balance, rows: Sequence[Standing], final: Balance, finalists: Sequence[Standing]
) -> dict[str, object]:
    """The comparison as plain data."""
    return {
        **{name: value for name, value in balance.data().items() if name in ("game", "deals", "seed")},
        "tolerance": TOLERANCE,
        "within": round(balance.within, 4),
        "ranking": [row_data(row) for row in rows],
        "final": {
            "deals": final.deals, "within": round(final.within, 4), "ranking": [row_data(row) for row in finalists],
            "about_equal": [row.variant.options for row in about_equal(finalists)],
        },
        "recommended": recommended(finalists).variant.options,
        "recommendation": recommendation(balance, final, finalists),
    }  # fmt: skip


def row_data(row: Standing) -> dict[str, object]:
    """One way to play as plain data."""
    return {
        "options": row.variant.options, "size": row.variant.game.size, "fair": row.fair,
        "perfect": _share_data(row.perfect),
        "levels": {str(level): _share_data(share) for level, share in zip(LEVELS, row.levels, strict=True)},
        "skill": round(row.skill, 6), "turns": round(row.turns, 6),
    }  # fmt: skip


def _share_data(share: Share) -> dict[str, object]:
    return {name: round(value, 6) for name, value in share._asdict().items()} | {"exact": share.exact}
