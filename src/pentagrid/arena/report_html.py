"""The report of a tournament as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from pentagrid import __version__
from pentagrid.arena.charts import player_color, ratings_chart, regret_chart
from pentagrid.arena.measures import (
    Blunder,
    cross_table,
    game_groups,
    greed_errs,
    measure,
    regret_by_move,
    worst_blunders,
)
from pentagrid.arena.plan import TournamentPlan
from pentagrid.arena.report_blunders import blunder_headline, blunder_section
from pentagrid.arena.report_table import percent_or_dash, play_cells, strength_cells
from pentagrid.arena.rounds import PlayedGame
from pentagrid.core.catalog import find
from pentagrid.core.speech import player_names

COLUMN_HELP = (
    ("player", "The players, the strongest first"),
    ("rating", "Bradley–Terry by maximum likelihood on the Elo scale, 0 being the mean"),
    ("95 % interval", "Bootstrap over deals"),
    ("seat 1", "Games won as {one}, who moves first"),
    ("seat 2", "Games won as {two}"),
    ("lost i/t", "Games lost by illegal moves / on time"),
    ("score", "Seat-normalized: what a game paid minus what the seat is worth under perfect play, per game"),
    ("regret", "What a move gives away on average"),
    ("kept", "Moves that kept the result, where some move changes who wins"),
    ("thrown", "Moves in won positions that throw the win away"),
    ("best", "Best moves where the moves differ"),
    ("matter", "Decisions in which the moves differ in what is paid"),
)
"""The columns and what they mean; `one` and `two` are what the players are called."""
SEATS = ("seat 1", "seat 2")
"""What players are called in several games at once, which may have different names for them."""
STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #6a6a70; --rule: #d9d7d2; --paper: #fdfcfa; --tint: #f3f1ec;
  --mark: #b3261e; --win: 0, 114, 178; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececee; --soft: #a3a3aa; --rule: #3b3b40; --paper: #17171a;
  --tint: #222226; --mark: #ff8a80; --win: 86, 180, 233; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .3rem; } h2 { margin: 3rem 0 .5rem; border-bottom: 2px solid; }
h3 { margin: 2.2rem 0 .4rem; } h4 { margin: 0 0 .4rem; }
p { max-width: 46rem; } .soft, figcaption { color: var(--soft); } code, pre {
  font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .85em; }
a { color: inherit; } figure { margin: 1rem 0; } figcaption { font-size: .9rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font: 14px/1.4 system-ui, sans-serif;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: .3rem .65rem; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; } thead th { color: var(--soft); font-weight: 600;
  border-bottom: 1.5px solid var(--ink); } th[title] { cursor: help; } td small { color: var(--soft); }
.cross td, .cross th { padding: .3rem .35rem; text-align: center; } .cross td { min-width: 3.3rem; }
.cross th { max-width: 4.6rem; overflow: hidden; text-overflow: ellipsis; }
.cross th:first-child { text-align: left; max-width: 7.5rem; }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .45em; }
.two { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
.two > * { flex: 1 1 20rem; min-width: 0; }
svg { width: 100%; height: auto; font: 12.5px system-ui, sans-serif; } svg .rule { stroke: var(--rule); }
svg text { fill: var(--ink); } svg .tick { fill: var(--soft); font-size: 11.5px; } svg .middle { text-anchor: middle; }
svg .end { text-anchor: end; } svg .value { font-variant-numeric: tabular-nums; }
pre { background: var(--tint); padding: .8rem 1rem; overflow-x: auto; margin: 0; line-height: 1.35; }
.replay { border: 1px solid var(--rule); border-radius: 6px; padding: 1rem 1.2rem; margin: 1rem 0; }
.replay:target { border-color: var(--mark); box-shadow: 0 0 0 1px var(--mark); }
.moves { margin: 0; padding-left: 2.2rem; columns: 8rem; } .moves .blunder { color: var(--mark); font-weight: bold; }
.moves .opening { color: var(--soft); } sup { color: var(--mark); } .legend { font: 14px system-ui, sans-serif; }
.legend span { margin-right: 1.2rem; white-space: nowrap; }
@media print { .replay { break-inside: avoid; } }
"""
FEWEST = 5
"""Move numbers that came up in fewer games are left out of the chart."""
METHODS = """<h2>How it was measured</h2>
<p>Every pair of players met on the same deals, each deal from both seats. In a game that has a single deal, each pair
began from random openings of two to four moves (under the pie rule of one move, so that the player chooses whether to
swap), each opening again from both seats. Every move was compared with the
exact value of the position, so <em>regret</em> is what a move gave away against perfect play: points of the final
margin, or in a game without points one lost game. The <em>score</em> takes the seat out: a game won counts 1, minus 1
if perfect play would have won it from that seat; so perfect play against perfect play scores 0 from either seat. Where
points are paid it is the margin, minus the margin under perfect play, and a game lost away from the board costs all
points of its deal. <em>Kept</em> are the results of decisions in which some move changes who wins.
<em>Ratings</em> are Bradley–Terry strengths by maximum likelihood, with a term for the first seat of each game and a
weak prior: normal with a standard deviation of 520 Elo, and for each pair one deal that both sweep by half. Among
players who win and lose it moves a rating a little toward 0. A player who won (or lost) everything has no highest
(lowest) rating by the games alone: there the prior gives the rating and the far end of its interval, and only the near
end is measured.
All 95&nbsp;% intervals treat all games on one deal as one: those of ratings come from 500 bootstrap samples of the
deals, with the prior drawn anew in each, so that they have a width at 0&nbsp;% and 100&nbsp;% too; shares have
Wilson's interval, other averages Student's, and regret reaches up to where errors that did not happen to be made could
bring it. A game <em>needs looking ahead</em> if in some
positions of random play the greedy move, the one with the best score right after it, gives something away.</p>"""


def report_page(plan: TournamentPlan, rows: Sequence[PlayedGame]) -> str:
    """The whole page."""
    colors = {name: player_color(i) for i, name in enumerate(plan.players)}
    body, blunders = [], []
    for title, names in game_groups(plan):
        body.append(f"<h2>{escape(title)}</h2>")
        if len(names) > 1:
            body.append(_ratings(plan, rows, names, colors, SEATS))
        for name in names:
            body.append(_game_section(plan, rows, name, colors))
            blunders += worst_blunders(plan, rows, name)
    body.append(_blunders_section(plan, blunders))
    programs = " ".join(f"<code>{escape(name)}</code>" for name in plan.players)
    options = f"; {escape(', '.join(plan.options))}" if plan.options else ""
    limit = f", {plan.turn_seconds:g} seconds a turn" if plan.turn_seconds else ""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pentagrid arena: {escape(", ".join(plan.players))}</title><style>{STYLE}</style></head>
<body id="top"><header><h1>Pentagrid arena</h1>
<p class="soft">{len(rows):,} games: {programs}; {plan.per_pair} games of each pair in each of
{len(plan.games)} game{"s" if len(plan.games) > 1 else ""}{options}, on {plan.deals} deals from both seats;
seed {plan.seed}{limit}; Pentagrid {__version__}.</p>{_options_note(plan)}</header>
{"".join(body)}
{METHODS}
</body></html>
"""


def _options_note(plan: TournamentPlan) -> str:
    """What the chosen rule options settle."""
    if not plan.rules:
        return ""
    meanings = {rule.name: rule.meaning for rule in find(plan.games[0]).offered_rules}
    notes = [f"<code>{escape(rule)}</code>: {escape(meanings[rule.partition('=')[0]])}" for rule in plan.rules]
    if plan.fair:
        notes.append("the fair komi of a deal lies half a point to one side of its exact value, which one by a toss")
    return f'<p class="soft">Rule options. {"; ".join(notes)}.</p>'


def _legend(plan: TournamentPlan, colors: Mapping[str, str]) -> str:
    spans = (f"<span>{_dot(colors[name])}{escape(name)}</span>" for name in plan.players)
    return f'<p class="legend">{"".join(spans)}</p>'


def _dot(color: str) -> str:
    return f'<i class="dot" style="background:{color}"></i>'


def _ratings(
    plan: TournamentPlan,
    rows: Sequence[PlayedGame],
    games: Sequence[str],
    colors: Mapping[str, str],
    names: tuple[str, str],
) -> str:
    """The ratings of some games together, as a chart and a table; `names` are what their players are called."""
    players = measure(plan, rows, games)
    heads = "".join(
        f'<th title="{escape(meaning.format(one=names[0], two=names[1]))}">{escape(head)}</th>'
        for head, meaning in COLUMN_HELP
    )
    lines = "".join(
        f"<tr><td>{_dot(colors[one.player])}{escape(one.player)}</td>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in strength_cells(one)[1:])
        + "".join(f"<td>{escape(cell)}<br><small>{escape(ends)}</small></td>" for cell, ends in play_cells(one)[1:])
        + "</tr>"
        for one in players
    )
    chart = ratings_chart([(one.player, one.rating) for one in players], colors)
    over = f" over {len(games)} games" if len(games) > 1 else ""
    return (
        f"<figure>{chart}<figcaption>Ratings{over}, with 95 % intervals by bootstrap over deals.</figcaption></figure>"
        f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>'
    )


def _game_section(plan: TournamentPlan, rows: Sequence[PlayedGame], name: str, colors: Mapping[str, str]) -> str:
    errs = greed_errs(plan.game(name))
    note = f"The greedy move gives something away in {percent_or_dash(errs)} of positions." if errs else (
        "Taking what looks best at once is perfect play here: the figures measure care, not foresight."
    )  # fmt: skip
    lines = {who: regret_by_move(plan, rows, name, who, FEWEST) for who in plan.players}
    unit = "points" if any(row.par is not None for row in rows if row.game == name) else "games"
    chart = regret_chart(lines, colors, unit)
    return (
        f'<h3 id="{name}">{escape(find(name).title)}</h3><p class="soft">{note}</p>'
        + _ratings(plan, rows, [name], colors, player_names(plan.game(name)))
        + f'<div class="two"><figure>{chart}{_legend(plan, colors)}<figcaption>What moves give away, by move number, '
        f"where {FEWEST} games or more got there.</figcaption></figure><figure>{_cross_table(plan, rows, name)}"
        "<figcaption>Games that the player of the row has won against that of the column.</figcaption></figure></div>"
    )


def _cross_table(plan: TournamentPlan, rows: Sequence[PlayedGame], name: str) -> str:
    results = cross_table(plan, rows, name)
    heads = "".join(f'<th title="{escape(who)}">{escape(who)}</th>' for who in plan.players)
    lines = []
    for me in plan.players:
        cells = []
        for other in plan.players:
            won, played = results.get((me, other), (0, 0))
            if not played:
                cells.append("<td>·</td>")
                continue
            shade = f"background:rgba(var(--win),{0.55 * won / played:.2f})"
            cells.append(f'<td style="{shade}" title="{won} of {played}">{100 * won / played:.0f} %</td>')
        lines.append(f'<tr><th title="{escape(me)}">{escape(me)}</th>{"".join(cells)}</tr>')
    return (
        f'<div class="scroll"><table class="cross"><thead><tr><th></th>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _blunders_section(plan: TournamentPlan, blunders: Sequence[Blunder]) -> str:
    if not blunders:
        return "<h2>The worst blunders</h2><p>There were none.</p>"
    links = "".join(
        f'<li><a href="#replay-{i}">{escape(find(one.row.game).title)}: {escape(blunder_headline(one))}</a></li>'
        for i, one in enumerate(blunders, 1)
    )
    replays = "".join(blunder_section(plan, one, f"replay-{i}") for i, one in enumerate(blunders, 1))
    return f"<h2>The worst blunders</h2><p>The worst of each player, three players a game.</p><ol>{links}</ol>{replays}"
