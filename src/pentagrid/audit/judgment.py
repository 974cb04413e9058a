"""One recorded game of an environment, judged by our rules or by a reading of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pentagrid.audit.finding import Seen, Severity
from pentagrid.audit.moment import shorten
from pentagrid.audit.referee import Episode
from pentagrid.core.game import Game
from pentagrid.core.position import Position


class Difference(NamedTuple):
    """One difference: its kind, after how many moves, and what is there instead of what."""

    kind: str
    """`legal`, `board`, `turn`, `score`, `end` or `winner`."""
    ply: int
    words: str


class ComparedGame(NamedTuple):
    """One game of the environment: what it showed after every move."""

    episode: Episode
    numbers: tuple[int, ...]
    actions: tuple[int, ...]
    boards: list[list[int] | None]
    legal: list[list[int] | None]
    turns: list[int | None]
    rewards: list[float]
    over: bool
    winner: int | None
    """The winner's seat as told, 0 for nobody; None where it is not told."""
    scores: tuple[float, float] | None
    write: Callable[[Position], list[int]]
    """The board of a position in the layout of the observations."""

    @property
    def mover(self) -> int | None:
        """The seat that made the last move, as told."""
        return self.turns[len(self.actions) - 1] if self.actions else None

    def paid_early(self) -> list[int]:
        """The moves that were paid although the game went on."""
        last = len(self.rewards) - 1
        return [ply for ply, reward in enumerate(self.rewards) if reward and (ply < last or not self.over)]

    def describe(self, difference: Difference, names: Sequence[str] = ("Player 1", "Player 2")) -> str:
        """A difference in a sentence, with the board."""
        board = f"board {'/'.join(map(str, self.numbers))}, " if self.numbers else ""
        words = difference.words.replace("seat 1", names[0]).replace("seat 2", names[1])
        return f"{board}moves {shorten(list(self.actions[: difference.ply]))}: {words}"

    def seen(
        self, evidence: str, cause: str, games: int, of: int, severity: Severity | None = None, ply: int | None = None
    ) -> Seen:
        """A sighting in this game."""
        calls = self.episode.calls(len(self.actions) if ply is None else ply)
        return Seen(evidence, calls, cause, games, of, severity, self.episode)


def judge(record: ComparedGame, game: Game) -> list[Difference]:
    """How a recorded game differs from what a game's rules say, the first difference of each kind."""
    found: dict[str, Difference] = {}

    def note(kind: str, ply: int, words: str) -> None:
        found.setdefault(kind, Difference(kind, ply, words))

    position, last = game.opening(record.numbers), len(record.actions)
    for ply in range(last + 1):
        board = record.boards[ply]
        if board is not None and board != (right := record.write(position)):
            note("board", ply, f"the board is {board}, by the rules {right}")
        turn = record.turns[ply]
        if turn is not None and position.turn is not None and turn != position.mover:
            note("turn", ply, f"it is seat {turn}'s turn, by the rules seat {position.mover}'s")
        ended = record.over and ply == last
        if ended and position.turn is not None:
            note("end", ply, f"the game is over after {ply} moves, by the rules it goes on")
            break
        if position.turn is None:
            if not ended:
                late = f"it goes on for {last - ply} more" + ("" if record.over else " and does not end")
                note("end", ply, f"by the rules the game is over after {ply} moves; {late}")
                break
            _judge_end(record, position, note)
            break
        actions, legal = list(position.actions()), record.legal[ply]
        if legal is not None and legal != actions:
            note("legal", ply, f"the legal moves are {legal}, by the rules {actions}")
        if ply == last:
            note("end", ply, "there is no legal move, and the game is not over")
            break
        if record.actions[ply] not in actions:
            break  # the rest cannot be followed
        position = position.play(record.actions[ply])
    return list(found.values())


def _judge_end(record: ComparedGame, position: Position, note: Callable[[str, int, str], None]) -> None:
    outcome, ply = position.outcome(), len(record.actions)
    assert outcome is not None
    if record.winner is not None and record.winner != outcome.winner:
        told = f"seat {record.winner}" if record.winner else "nobody"
        right = f"seat {outcome.winner}" if outcome.winner else "nobody"
        note("winner", ply, f"{told} wins, by the rules {right} ({outcome.reason})")
    if record.scores is not None and position.scores is not None and record.scores != position.scores:
        told = " : ".join(f"{score:g}" for score in record.scores)
        right = " : ".join(f"{score:g}" for score in position.scores)
        note("score", ply, f"the scores are {told}, by the rules {right}")


def final_position(record: ComparedGame, game: Game) -> Position | None:
    """The position at the end of a recorded game; None where the rules cannot follow it, or it is not over."""
    position = game.opening(record.numbers)
    for action in record.actions:
        if position.turn is None or action not in position.actions():
            return None
        position = position.play(action)
    return position if position.turn is None and record.over else None
