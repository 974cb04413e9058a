"""The blunders of a tournament, each with the whole game in which it happened."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from pentagrid.analysis.sentences import listed, result
from pentagrid.analysis.solver import solver_of
from pentagrid.arena.measures import Blunder
from pentagrid.arena.plan import TournamentPlan
from pentagrid.arena.rounds import PlayedGame, match_of_row
from pentagrid.core.game import Game
from pentagrid.core.rulebook import options_of
from pentagrid.core.speech import speech_for
from pentagrid.play.record import Record, write_record


def record_of(plan: TournamentPlan, row: PlayedGame) -> Record:
    """A game of the tournament as a record, which every command can read."""
    return Record(match_of_row(plan, row))


def blunder_headline(blunder: Blunder) -> str:
    """A blunder in a few words."""
    move = blunder.row.moves[blunder.number]
    cost = "threw a won game away" if blunder.loss.win_regret else f"gave away {blunder.loss.regret}"
    return f"{blunder.player}: {move} at move {blunder.number + 1} {cost}"


def _options(game: Game) -> str:
    return f" ({', '.join(options_of(game))})" if options_of(game) else ""


def blunder_section(plan: TournamentPlan, blunder: Blunder, anchor: str) -> str:
    """A blunder as a part of the page: the board before it, what would have been best, all moves, the record."""
    row = blunder.row
    record = record_of(plan, row)
    match = record.match
    position = match.start
    for action in match.actions[: blunder.number]:
        position = position.play(action)
    analysis = solver_of(position).analyze(position)
    made = next(option for option in analysis.options if option.action == match.actions[blunder.number])
    speech = speech_for(position.game)
    names = speech.both_names()
    board = "\n".join(line for line in speech.updated(position) if line.strip())
    best = listed([option.move for option in analysis.best][:4])
    moves = []
    for number, move in enumerate(match.moves):
        index = number - row.opening
        cost = row.regrets[index] if 0 <= index < len(row.regrets) else 0
        text = f"{escape(move)}<sup>−{cost}</sup>" if cost else escape(move)
        style = "opening" if index < 0 else "blunder" if number == blunder.number else ""
        moves.append(f'<li class="{style}">{text}</li>')
    file = f"{row.game}-{anchor}.pentagrid"
    data = f"data:text/plain;charset=utf-8,{quote(write_record(record))}"
    return f"""<section class="replay" id="{anchor}">
<h4>{escape(blunder_headline(blunder))}</h4>
<p>{escape(match.start.game.title)}{escape(_options(match.start.game))}, deal {row.deal}:
{escape(row.one)} as {escape(names[0])} against {escape(row.two)} as {escape(names[1])}. Before the move:
{escape(result(analysis.value, names))} under best play. Best was {escape(best)}; after {escape(made.move)},
{escape(result(made, names))}.</p>
<div class="two"><pre>{escape(board)}</pre><ol class="moves">{"".join(moves)}</ol></div>
<p><a href="{data}" download="{file}">Record file</a>: <code>pentagrid replay {file} --step</code>,
<code>pentagrid analyze {file}</code>. <a href="#top">Back</a></p>
</section>"""
