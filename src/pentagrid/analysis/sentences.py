"""An analysis in sentences that a person understands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from pentagrid.analysis.values import Analysis, Option
from pentagrid.core.catalog import find, game_names
from pentagrid.core.deal_solver import Value
from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import player_names

FORFEITS: Mapping[str, str] = {
    "resign": "resigned",
    "time": "ran out of time",
    "illegal": "would not make a legal move",
}
"""What a player did who lost away from the board, by the reason of the outcome."""


def result(value: Value | Option, names: Sequence[str]) -> str:
    """A value in a few words: 'Player 1 wins by 4'."""
    if value.winner is None:
        return "not known"
    winner = f"{names[value.winner - 1]} wins"
    if value.plies is not None:
        return f"{winner} in {counted(value.plies, 'move')}"
    if value.margin is None:
        return winner
    return f"{winner} by {abs(value.margin)}" if value.margin else f"{winner} on the tie-break"


def counted(number: float, noun: str) -> str:
    """A number with its noun: '1 move', '2 moves'."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """Words in a list: 'a', 'a and b', 'a, b and c'."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def best_words(moves: Sequence[str]) -> str:
    """The best moves of a position: 'best was a', 'best were a and b', 'best was a among others'."""
    if len(moves) > 3:
        return f"best was {moves[0]} among others"
    return f"best {'was' if len(moves) == 1 else 'were'} {listed(moves)}"


def ended(outcome: Outcome, value: Value, names: Sequence[str]) -> str:
    """A finished game in a sentence."""
    won = f"The game is over: {names[outcome.winner - 1]} has won"
    if outcome.reason in FORFEITS:
        return f"{won}, because {names[2 - outcome.winner]} {FORFEITS[outcome.reason]}."
    return (
        f"{won} by {abs(value.margin)}."
        if outcome.reason == "score" and value.margin
        else f"{won}{_way(outcome.reason)}."
    )


def final_sentence(final: Position, outcome: Outcome, names: Sequence[str]) -> str:
    """A finished game in a sentence, by the scores of its last position; no solver is needed."""
    margin = final.game.margin(final) if outcome.reason == "score" else None
    return ended(outcome, Value(outcome.winner, margin, None), names)


@cache
def _way(reason: str) -> str:
    """How a game was won on the board, by the reason of its outcome, in the words of a game that has some."""
    ways = (find(name).endings.get(reason) for name in game_names())
    return next((f" {way}" for way in ways if way), "")


def sentence(analysis: Analysis, names: Sequence[str] | None = None) -> str:
    """Who should win a position, by how much, and which moves matter; players by these names, or by the game's own."""
    names = names or player_names(analysis.position.game)
    position, value = analysis.position, analysis.value
    outcome = position.outcome()
    if outcome is not None:
        return ended(outcome, value, names)
    best = analysis.best[0].move
    mover = names[position.mover - 1]
    if value.margin is None and value.plies is None:
        advice = f"the best move found for {mover} is {best}"
        if value.winner is not None:
            return f"{names[value.winner - 1]} should win, by how much is not known yet; {advice}."
        between = "Who should win is not known yet"
        if analysis.bounds is not None:
            low, high = analysis.bounds
            between += f" ({names[0]}'s margin will be between {low:+g} and {high:+g})"
        return f"{between}; {advice}."
    should = result(value, names).replace(" wins", " should win", 1)
    if value.winner != position.mover:
        if all(option.best for option in analysis.options):
            return f"{should}, whatever {mover} plays."
        return f"{should}; {mover} does best with {_few([option.move for option in analysis.best])}."
    losing = [option.move for option in analysis.options if option.winner == 3 - position.mover]
    unknown = len(analysis.options) - len(losing) - sum(option.winner == position.mover for option in analysis.options)
    keeping = [option.move for option in analysis.options if option.winner == position.mover]
    if unknown:
        best = _few([option.move for option in analysis.best])
        thrown = f", and at least {len(losing)} of {len(analysis.options)} moves throw it away" if losing else ""
        return f"{should}; best is {best}{thrown}."
    if not losing:
        if all(option.best for option in analysis.options):
            return f"{should}, whatever move {mover} makes."
        return f"{should}; best is {_few([option.move for option in analysis.best])}, and no move throws it away."
    if len(keeping) <= 2:
        return f"{should}; only {listed(keeping)} {'keeps' if len(keeping) == 1 else 'keep'} the win."
    if len(losing) <= 3:
        return f"{should}; {listed(losing)} {'throws' if len(losing) == 1 else 'throw'} it away."
    return f"{should}; {len(losing)} of {len(analysis.options)} moves throw it away."


def _few(moves: Sequence[str]) -> str:
    if len(moves) <= 3:
        return " or ".join(moves)
    return f"{moves[0]} (or one of {len(moves) - 1} others as good)"


def hint(analysis: Analysis, names: Sequence[str] | None = None) -> str:
    """A best move and why; for a game that is over, who has won."""
    names = names or player_names(analysis.position.game)
    if not analysis.exact or not analysis.best:
        return sentence(analysis, names)
    best = analysis.best[0]
    rest = sorted(
        (option for option in analysis.options if not option.best),
        key=lambda option: (option.regret or 0, option.win_regret or 0, option.plies or 0),
    )
    should = result(best, names)
    if not rest:
        return f"{best.move} is as good as any other move: with best play {should}."
    following = rest[0]
    if following.winner != best.winner:
        only = "is the only move that keeps" if len(analysis.best) == 1 else "keeps"
        return f"{best.move} {only} the win: {should}; after {following.move} {result(following, names)}."
    if following.regret:
        return f"{best.move}: with best play {should}, {following.regret} better than after {following.move}."
    return f"{best.move}: with best play {should}; after {following.move} {result(following, names)}."
