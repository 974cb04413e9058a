"""An environment of one of our games beside our rules: every game is recorded whole, then judged.

A difference does not end a game: the environment is played on by its own moves, as long as they are moves of ours
too. What differs is counted by kind; `audit/explanation.py` then tries which reading of the rules explains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pentagrid.audit.adapters import Adapter, CallError
from pentagrid.audit.explanation import Explanation, explain
from pentagrid.audit.finding import Check, Seen, Severity, named
from pentagrid.audit.judgment import ComparedGame, judge
from pentagrid.audit.moment import Moment, as_number, shorten
from pentagrid.audit.referee import Episode, Referee
from pentagrid.core.catalog import has_part, load, part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.readings import Reading, find_reading, read_as
from pentagrid.core.rng import Dice
from pentagrid.core.speech import player_names
from pentagrid.errors import BoardError

DEAL = named("rules-deal", Severity.WINS, "a deal is one that this game cannot have")
LEGAL = named("rules-legal", Severity.WINS, "the legal moves are not those of the rules")
BOARD = named("rules-board", Severity.WINS, "the board is not what the moves make it")
TURN = named("rules-turn", Severity.WINS, "it is the wrong player's turn")
SCORE = named("rules-score", Severity.WINS, "the scores are not those of the rules")
END = named("rules-end", Severity.WINS, "the game ends too early, too late or not at all")
WINNER = named("rules-winner", Severity.WINS, "the winner is not that of the rules")
READ_OTHERWISE = named("rules-reading", Severity.WINS, "the rules are read otherwise")
REWARD = named("rules-reward", Severity.MEASURED, "rewards are not 1 for the mover's win and -1 for their loss")
NOT_COMPARED = named("rules-not-compared", Severity.TOOLS, "games could not be compared with the rules")
KINDS = {check.name.removeprefix("rules-"): check for check in (LEGAL, BOARD, TURN, SCORE, END, WINNER)}
LATER = 4
"""A game that should be over is played on for so many times the number of cells."""


def known_readings(game: Game) -> tuple[Reading, ...]:
    """The readings that a game's folder knows."""
    return tuple(part(game.name, "readings").READINGS) if has_part(game.name, "readings") else ()


def check_readings(game: Game, names: Sequence[str]) -> None:
    """Raise `OptionError` unless a game knows readings of these names."""
    for name in names:
        find_reading(known_readings(game), name)


def compare_with_rules(
    referee: Referee, name: str, size: int | None, rules: dict[str, str], names: tuple[str, ...]
) -> Iterator[tuple[Check, Seen]]:
    """Play random games beside our rules, and yield every difference, explained where a known reading does."""
    plain = load(name, size, **rules)
    readings = known_readings(plain)
    game = read_as(plain, [find_reading(readings, wanted) for wanted in names])
    recorder = _Recorder(referee, game)
    yield from recorder.play()
    records = recorder.records
    plies = sum(len(record.actions) for record in records)
    referee.notes.append(
        f"{len(records)} of {recorder.played} games, {plies} moves, were compared with the rules of {plain.title}."
    )
    if not records:
        return
    explanation = explain(game, records, [reading for reading in readings if reading.name not in names])
    yield from _of_readings(explanation, records)
    yield from _unexplained(explanation, records, readings, player_names(plain))
    yield from _of_rewards(explanation, records)


class _Recorder:
    """Plays the games and records them."""

    def __init__(self, referee: Referee, game: Game) -> None:
        self.referee, self.game = referee, game
        self.layout = part(game.name, "gym_layout")
        self.records: list[ComparedGame] = []
        self.played = 0

    def play(self) -> Iterator[tuple[Check, Seen]]:
        """Play the games; what keeps one from being compared is yielded."""
        adapter: Adapter | None = None
        for seed in range(self.referee.limits.compared):
            adapter = self.referee.make() if adapter is None else adapter
            episode = Episode(adapter, seed)
            self.played += 1
            self.referee.games += 1
            try:
                yield from self._play_one(episode, Dice(self.referee.limits.seed, seed))
            except CallError as error:  # a finding of its own where the random games are played
                yield NOT_COMPARED, self._seen(episode, f"a game ended early: {error}", type(error.error).__name__)
                adapter = None

    def _play_one(self, episode: Episode, dice: Dice) -> Iterator[tuple[Check, Seen]]:
        episode.moments.append(episode.adapter.reset(episode.seed))
        episode.marks.append(len(episode.adapter.calls))
        length = len(self.layout.write(self.game.deal(seed=0)))
        board = _numbers(episode.last.observation, length)
        if board is None:
            shape = f"an observation such as {shorten(episode.last.observation)} is not {length} whole numbers"
            yield NOT_COMPARED, self._seen(episode, shape, "observation")
            return
        numbers = self.layout.numbers(self.game, board)
        try:
            if self.game.has_numbers:
                self.game.check_numbers(numbers)
        except BoardError as error:
            yield DEAL, self._seen(episode, f"{str(error).removesuffix('.')} (seed {episode.seed})")
            return
        position = self.game.opening(numbers)
        while not episode.last.over and len(episode.actions) < self.game.most_turns + LATER * self.game.cell_count:
            options = self._options(episode.last, position)
            if not options:
                break
            action = dice.choice(options)
            self.referee.move(episode, action)
            if position.turn is not None and action in position.actions():
                position = position.play(action)
        self.records.append(self._record(episode, numbers, length))

    def _options(self, moment: Moment, position: Position) -> list[Any]:
        """Moves that the environment and the rules allow; where there are none, those of one of them."""
        ours = list(position.actions())
        if moment.legal is None:
            return ours
        theirs = sorted(move for move in moment.legal if isinstance(move, int))
        return [move for move in theirs if move in ours] or theirs

    def _record(self, episode: Episode, numbers: tuple[int, ...], length: int) -> ComparedGame:
        adapter = episode.adapter
        winner = adapter.told(adapter.winner_source) if episode.last.over else None
        info = episode.last.info
        if winner is None and isinstance(info, dict):
            winner = info.get("winner")
        players = [moment.player for moment in episode.moments if not moment.over]
        first = players[0] if players else None
        scores = _two_numbers(adapter.told(adapter.score_source))
        return ComparedGame(
            episode,
            numbers,
            tuple(episode.actions),
            [_numbers(moment.observation, length) for moment in episode.moments],
            [None if m.legal is None else sorted(x for x in m.legal if isinstance(x, int)) for m in episode.moments],
            [None if first is None or m.over else 1 if m.player == first else 2 for m in episode.moments],
            [as_number(moment.reward) or 0.0 for moment in episode.moments],
            episode.last.over,
            _seat(winner, first),
            scores,
            self.layout.write,
        )

    def _seen(self, episode: Episode, evidence: str, cause: str = "") -> Seen:
        calls = episode.calls(len(episode.actions)) if episode.moments else ()
        return Seen(evidence, calls, cause, 1, self.referee.limits.compared, episode=episode)


def _numbers(observation: Any, length: int) -> list[int] | None:
    """An observation as whole numbers, whatever its type and shape; None where it cannot be read so."""
    if isinstance(observation, dict):
        observation = observation.get("observation", observation.get("board"))
    try:
        array = np.asarray(observation, dtype=float).ravel()
    except (TypeError, ValueError):
        return None
    if array.size != length or not np.all(np.isfinite(array)) or np.any(array != np.round(array)):
        return None
    return [int(value) for value in array]


def _two_numbers(scores: Any) -> tuple[float, float] | None:
    values = list(scores.values()) if isinstance(scores, dict) else scores
    try:
        array = np.asarray(values, dtype=float).ravel()
    except (TypeError, ValueError):
        return None
    return (float(array[0]), float(array[1])) if array.size == 2 else None


def _seat(winner: Any, first: Any) -> int | None:
    """The seat of a winner as it is told: 1, 2, or 0 for nobody; None where it is not clear."""
    winner = winner.item() if isinstance(winner, np.generic) else winner
    if winner is None or isinstance(winner, bool):
        return None
    if first is not None and winner == first:
        return 1
    seats = {1: 1, 2: 2, -1: 2, 0: 0}
    if first == 0:
        seats = {0: 1, 1: 2}
    return seats.get(int(winner)) if isinstance(winner, int | float) else None


def _of_readings(explanation: Explanation, records: Sequence[ComparedGame]) -> Iterator[tuple[Check, Seen]]:
    """A finding for each reading that explains differences."""
    for reading in explanation.readings:
        changed = explanation.changed_by[reading.name]
        first = records[changed[0]]
        what = first.describe(judge(first, explanation.ours)[0]) if judge(first, explanation.ours) else ""
        rest = "explains all of them" if not explanation.unexplained else "explains part of what differs"
        evidence = f"{reading.sentence} ({reading.aspect}): this reading {rest}; first seen: {what}"
        severity = Severity.UNCLEAR if reading.unclear else None
        yield READ_OTHERWISE, first.seen(evidence, reading.name, len(changed), len(records), severity)


def _unexplained(
    explanation: Explanation, records: Sequence[ComparedGame], readings: Sequence[Reading], names: Sequence[str]
) -> Iterator[tuple[Check, Seen]]:
    """A finding for each kind of difference that no reading explains."""
    found: dict[str, list[int]] = {}
    for place in explanation.unexplained:
        for difference in judge(records[place], explanation.read):
            if place not in found.setdefault(difference.kind, []):
                found[difference.kind].append(place)
    tried = ", ".join(reading.name for reading in readings)
    for kind, places in found.items():
        record = records[places[0]]
        difference = next(one for one in judge(record, explanation.read) if one.kind == kind)
        also = " beyond that" if explanation.readings else ""
        evidence = f"{record.describe(difference, names)}; none of the known readings explains it{also} ({tried})"
        yield KINDS[kind], record.seen(evidence, "", len(places), len(records), ply=difference.ply)


def _of_rewards(explanation: Explanation, records: Sequence[ComparedGame]) -> Iterator[tuple[Check, Seen]]:
    """Findings about rewards: what they mean instead, and what is paid before the end."""
    ended = [record for record in records if record.over]
    if explanation.scale != 1 and ended:
        record = next((one for one in ended if abs(one.rewards[-1]) == explanation.scale), ended[0])
        evidence = f"rewards are scaled: the last move is paid {record.rewards[-1]:g}"
        yield REWARD, record.seen(evidence, "scaled", len(ended), len(records))
    wrong = [record for record in ended if explanation.is_paid_otherwise(record)]
    if explanation.payment is None and wrong:
        evidence = f"the last move is paid {wrong[0].rewards[-1]:g}, and no known meaning of rewards explains it"
        yield REWARD, wrong[0].seen(evidence, "unexplained", len(wrong), len(records))
    elif explanation.payment is not None and wrong:
        evidence = f"{explanation.payment.sentence}; the last move is paid {wrong[0].rewards[-1]:g}"
        yield REWARD, wrong[0].seen(evidence, explanation.payment.name, len(wrong), len(records))
    early = [(record, ply) for record in records for ply in record.paid_early()[:1]]
    if early:
        record, ply = early[0]
        evidence = f"move {ply} is paid {record.rewards[ply]:g} while the game goes on: the reward is shaped"
        yield REWARD, record.seen(evidence, "shaped", len(early), len(records), ply=ply)
