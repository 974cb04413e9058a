"""A game as a text file, much like PGN: tags, then a line for each move, then the result.

    [Game "…"]
    [Board "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"]
    [Player1 "Ann"]
    [Result "*"]

    1. R2C2 {comments go into braces}
    2. R1C3
    *

A game that does not start from an opening has a tag `Position` with the text of its first position, instead of size,
rules and board. Reading what was written gives the same game. A file that is not quite right is refused with the number
of the line and what is wrong there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, get_args

from pentagrid.core.catalog import find
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.rng import Dice
from pentagrid.errors import PentagridError, UnreadableError, shown
from pentagrid.play import players
from pentagrid.play.match import Forfeit, Match, Seat, check_name, check_names, check_turn_seconds
from pentagrid.play.players import HUMAN

RESULTS = {None: "*", 1: "1-0", 2: "0-1"}
LARGEST_FILE = 1 << 20
FORFEITS: tuple[Forfeit, ...] = get_args(Forfeit)
TAGS = (
    "Game", "Size", "Rules", "Board", "Position", "Player1", "Kind1", "Player2", "Kind2",
    "Seed", "TurnSeconds", "Date", "Result", "Reason",
)  # fmt: skip


class Record(NamedTuple):
    """What a file holds: the match, the day it began, and tags of the user's own."""

    match: Match
    date: str = ""
    extra: tuple[tuple[str, str], ...] = ()

    def data(self) -> dict[str, Any]:
        """The record as plain data, the same in every front end; docs/json.md describes the fields."""
        match, outcome = self.match, self.match.outcome
        game = match.start.game
        return {
            "game": game.name,
            "size": game.size,
            "rules": dict(game.rules),
            "start": match.start.text,
            "moves": match.moves,
            "position": match.position.text,
            "outcome": outcome and outcome.data(),
            "seats": [seat._asdict() for seat in match.seats],
            "seed": match.seed,
            "turn_seconds": match.turn_seconds,
            "date": self.date,
            "tags": dict(self.extra),
        }


def write_record(record: Record) -> str:
    """The record as text; `read_record` gives the same game back."""
    match, game = record.match, record.match.start.game
    opening = match.start == game.opening(match.start.numbers)
    outcome = match.outcome
    result = RESULTS[outcome.winner if outcome else None]
    one, two = match.seats
    tags = {
        "Game": game.name,
        "Size": str(game.size) if opening else "",
        "Rules": " ".join(f"{name}={value}" for name, value in game.chosen_rules.items()) if opening else "",
        "Board": game.write_board(match.start) if opening else "",
        "Position": "" if opening else match.start.text,
        "Player1": one.name,
        "Kind1": one.kind,
        "Player2": two.name,
        "Kind2": two.kind,
        "Seed": str(match.seed),
        "TurnSeconds": "" if match.turn_seconds is None else f"{match.turn_seconds:.3f}",
        "Date": record.date,
        "Result": result,
        "Reason": outcome.reason if outcome else "",
    }
    lines = [_tag(name, value) for name, value in (*tags.items(), *record.extra) if value]
    lines += ["", *_note(match, 0)]
    for number, move in enumerate(match.moves, 1):
        lines.append(" ".join([f"{number}. {move}", *_note(match, number)]))
    return "\n".join([*lines, result, ""])


def _tag(name: str, value: str) -> str:
    return '[{} "{}"]'.format(name, value.replace("\\", "\\\\").replace('"', '\\"'))


def _note(match: Match, number: int) -> list[str]:
    return ["{" + match.notes[number] + "}"] if number in match.notes else []


class LineError(UnreadableError):
    """What is wrong with a record, with the number of the line."""


class _Reader:
    """Goes through the lines of a file and knows the number of the one it is at."""

    def __init__(self, text: str) -> None:
        self.lines = text.removeprefix("\ufeff").split("\n")
        self.tags: dict[str, tuple[str, int]] = {}
        self.at = 0

    def wrong(self, why: str, line: int | None = None) -> UnreadableError:
        return LineError(f"line {line or self.at}: {why}")

    def next(self) -> str | None:
        """The next line that holds anything, trimmed; None at the end."""
        while self.at < len(self.lines):
            self.at += 1
            line = self.lines[self.at - 1].strip()
            if line:
                return line
        return None

    def read(self) -> Record:
        line = self.next()
        while line is not None and line.startswith("["):
            tag = re.fullmatch(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\])*)"\]', line)
            if not tag:
                raise self.wrong(f'{shown(line)} is not a tag; a tag is written [Name "value"].')
            name, value = tag[1], re.sub(r"\\(.)", r"\1", tag[2])
            if name in self.tags:
                raise self.wrong(f"the tag {name} is there a second time (first in line {self.tags[name][1]}).")
            self.tags[name] = value, self.at
            line = self.next()
        match = self._match()
        while line is not None and line not in RESULTS.values():
            self._move(match, line)
            line = self.next()
        if line is None:
            raise self.wrong("the file ends without its result (1-0, 0-1 or *); it may have been cut short.")
        self._end(match, line)
        date, extra = self.tag("Date"), tuple((k, v) for k, (v, _) in self.tags.items() if k not in TAGS)
        return Record(match, date, extra)

    def tag(self, name: str, default: str = "") -> str:
        return self.tags.get(name, (default, 0))[0]

    @contextmanager
    def at_tag(self, name: str) -> Iterator[str]:
        """Gives a tag's value; what is wrong with it is told with its line."""
        value, line = self.tags.get(name, ("", 1))
        try:
            yield value
        except LineError:
            raise
        except PentagridError as error:
            raise self.wrong(f"{name}: {error}", line) from None

    def _start(self) -> Position:
        if "Game" not in self.tags:
            raise self.wrong('the tag [Game "…"] is missing.', 1)
        with self.at_tag("Game") as name:
            kind = find(name)
        if "Position" in self.tags:
            return self._position(kind)
        with self.at_tag("Size") as value:
            size = int(_number(value, "[0-9]{1,3}")) if value else None
            kind(size)
        with self.at_tag("Rules") as value:
            game = kind(size, **dict(rule.partition("=")[::2] for rule in value.split()))
            game.check_settled()
        if not game.has_numbers and "Board" not in self.tags:
            return game.deal()
        if "Board" not in self.tags:
            raise self.wrong(f'the tag [Board "…"] is missing; {game.title} has numbers.', self.tags["Game"][1])
        with self.at_tag("Board") as board:
            return game.read_board(board)

    def _position(self, kind: type[Game]) -> Position:
        """The position of the tag, which says everything: size, rules and board must not say it again."""
        for name in ("Size", "Rules", "Board"):
            if name in self.tags:
                raise self.wrong(f"{name} and Position cannot both be there; Position says it all.", self.tags[name][1])
        with self.at_tag("Position") as text:
            start = read_position(text)
            if type(start.game) is not kind:
                raise UnreadableError(f"it is one of {start.game.name}, but Game says {kind.name}.")
            return start

    def _match(self) -> Match:
        start = self._start()
        seats = []
        for name_tag, kind_tag in (("Player1", "Kind1"), ("Player2", "Kind2")):
            with self.at_tag(name_tag) as name:
                name = check_name(name) if name else ""
            with self.at_tag(kind_tag) as kind:
                seats.append(Seat(name, kind or HUMAN))
                players.check_plays(seats[-1].kind, start.game)
        with self.at_tag("Player2"):
            check_names(seats[0].name, seats[1].name)
        with self.at_tag("Seed") as value:
            seed = Dice(int(_number(value, "[0-9]{1,19}")) if value else 0).seed
        return Match(start, (seats[0], seats[1]), seed=seed)

    def _move(self, match: Match, line: str) -> None:
        due = len(match.actions) + 1
        found = re.fullmatch(r"(?:([0-9]{1,6})\. *([^{}]+?))? *(?:\{([^{}]*)\})?", line)
        if not found:
            raise self.wrong(
                f"{shown(line)} is not a move; the next is written '{due}. MOVE', a comment {{in braces}}."
            )
        number, move, note = found.groups()
        if number:
            if int(number) != due:
                raise self.wrong(f"move number {number} where {due} was due.")
            try:
                match.play(move)
            except PentagridError as error:
                raise self.wrong(str(error)) from None
        if note is not None:
            here = len(match.actions)
            match.notes[here] = " ".join(filter(None, [match.notes.get(here), note.strip()]))

    def _end(self, match: Match, result: str) -> None:
        """The result at the foot, the tags and the moves must tell the same story."""
        foot = self.at
        if self.tag("Result", result) != result:
            raise self.wrong(f"the moves end with {result}, but Result says {shown(self.tag('Result'))}.")
        if self.next() is not None:
            raise self.wrong(f"there is something behind the result {result}.")
        with self.at_tag("Reason") as reason:
            forfeit = next((known for known in FORFEITS if known == reason), None)
            if match.outcome is None and forfeit and result != RESULTS[None]:
                match.forfeit(1 if result == RESULTS[2] else 2, forfeit)
            outcome = match.outcome
            due, why = (RESULTS[outcome.winner], outcome.reason) if outcome else (RESULTS[None], "")
            if result != due:
                raise self.wrong(f"the result is {result}, but after these moves it is {due}.", foot)
            if reason and reason != why:
                raise UnreadableError(f"{shown(reason)} is not how this game ended ({why or 'it goes on'}).")
        with self.at_tag("TurnSeconds") as value:
            match.turn_seconds = (
                check_turn_seconds(float(_number(value, r"[0-9]{1,6}(\.[0-9]{1,6})?"))) if value else None
            )
        match.start_turn()


def _number(value: str, pattern: str) -> str:
    if not re.fullmatch(pattern, value):
        raise UnreadableError(f"{shown(value)} is not a number that fits here.")
    return value


def read_record(text: str) -> Record:
    """The record in a text. Raises `UnreadableError` with the line and what is wrong with it."""
    if not isinstance(text, str):
        raise UnreadableError(f"{shown(str(text))} is not the text of a record.")
    return _Reader(text).read()


def read_record_bytes(data: bytes) -> Record:
    """The record in the bytes of a file: UTF-8, of a size a game can have. Raises `UnreadableError`."""
    if len(data) > LARGEST_FILE:
        raise UnreadableError(f"A record has at most {LARGEST_FILE} bytes; this has more.")
    try:
        return read_record(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableError(f"line {line}: byte {data[error.start]:#04x} is not UTF-8 text.") from None
