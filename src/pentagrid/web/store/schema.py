"""The tables of the database, as numbered steps that SQLite and PostgreSQL understand, and the statements on them.

To change the schema, add a step; steps that have been released are never changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, LiteralString

from pentagrid.core.position_reader import read_position
from pentagrid.errors import OptionError
from pentagrid.web.rooms.events import Entry, event_data, event_from
from pentagrid.web.store.interface import NewGame, deal_of

Step = tuple[str | None, ...]
"""Statements; None stands for `rekeyed`, done to all unfinished games."""

STEPS: tuple[Step, ...] = (
    (
        """CREATE TABLE games (
             id TEXT PRIMARY KEY,
             created DOUBLE PRECISION NOT NULL,
             terms TEXT NOT NULL,
             deal TEXT NOT NULL,
             clock INTEGER NOT NULL,
             people INTEGER NOT NULL,
             over INTEGER NOT NULL DEFAULT 0)""",
        "CREATE INDEX games_running ON games (clock) WHERE over = 0",
        """CREATE TABLE events (
             game TEXT NOT NULL REFERENCES games (id),
             revision INTEGER NOT NULL,
             kind TEXT NOT NULL,
             data TEXT NOT NULL,
             at DOUBLE PRECISION NOT NULL,
             PRIMARY KEY (game, revision))""",
        """CREATE TABLE holders (
             holder TEXT NOT NULL,
             game TEXT NOT NULL REFERENCES games (id),
             seat INTEGER NOT NULL,
             PRIMARY KEY (holder, game, seat))""",
        "CREATE INDEX holders_game ON holders (game)",
        """CREATE TABLE invitations (
             invitation TEXT PRIMARY KEY,
             game TEXT NOT NULL REFERENCES games (id),
             seat INTEGER NOT NULL)""",
    ),
    (None,),
    ("ALTER TABLE invitations ADD COLUMN used INTEGER NOT NULL DEFAULT 0",),
)

VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY)"
VERSION = "SELECT COALESCE(MAX(version), 0) FROM schema_versions"
SET_VERSION = "INSERT INTO schema_versions (version) VALUES (?)"

NEW_GAME = "INSERT INTO games (id, created, terms, deal, clock, people, over) VALUES (?, ?, ?, ?, ?, ?, ?)"
NEW_HOLDER = "INSERT INTO holders (holder, game, seat) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
NEW_INVITATION = "INSERT INTO invitations (invitation, game, seat) VALUES (?, ?, ?)"
INVITED = "SELECT seat, used FROM invitations WHERE invitation = ? AND game = ?"
USE_INVITATION = "UPDATE invitations SET used = 1 WHERE invitation = ? AND game = ? AND seat = ? AND used = 0"
GAME = "SELECT created, terms, over FROM games WHERE id = ?"
EVENTS = "SELECT revision, kind, data, at FROM events WHERE game = ? AND revision > ? ORDER BY revision"
HOLDERS = "SELECT holder, seat FROM holders WHERE game = ? AND seat > 0"
NEW_EVENT = "INSERT INTO events (game, revision, kind, data, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
SET_OVER = "UPDATE games SET over = 1 WHERE id = ?"
GUARDED = (
    "SELECT games.id, holders.seat FROM holders JOIN games ON games.id = holders.game "
    "WHERE holders.holder = ? AND games.deal = ? AND games.over = 0 AND games.people = 1"
)
UNFINISHED_TERMS = "SELECT id, terms FROM games WHERE over = 0"
SET_DEAL = "UPDATE games SET deal = ? WHERE id = ?"
IDLE = (
    "SELECT id FROM games WHERE created < ? "
    "AND NOT EXISTS (SELECT 1 FROM events WHERE events.game = games.id AND events.at >= ?) LIMIT ?"
)
REMOVE: tuple[LiteralString, ...] = (
    "DELETE FROM invitations WHERE game = ?",
    "DELETE FROM holders WHERE game = ?",
    "DELETE FROM events WHERE game = ?",
    "DELETE FROM games WHERE id = ?",
)
RUNNING_CLOCKS = "SELECT id FROM games WHERE over = 0 AND clock = 1"


def rekeyed(terms: str) -> str:
    """The key of the deal of a game that was stored before boards that are turned or mirrored had the same one."""
    return deal_of(read_position(json.loads(terms)["start"]))


def steps_from(version: int) -> Iterable[tuple[int, Step]]:
    """The steps that a database of this version still needs. Raises `OptionError` if it is newer than the program."""
    if version > len(STEPS):
        raise OptionError(
            f"The database has schema version {version}; this program knows up to {len(STEPS)}. Use a newer program."
        )
    return enumerate(STEPS[version:], version + 1)


def game_row(game: NewGame) -> tuple[Any, ...]:
    """A game as its table holds it."""
    terms = json.dumps(game.terms)
    return game.id, game.created, terms, game.deal, int(game.clock), int(game.people), int(game.over)


def entry_row(game: str, entry: Entry) -> tuple[Any, ...]:
    """An entry of a game's history as its table holds it."""
    return game, entry.revision, entry.event.kind, json.dumps(event_data(entry.event)), entry.at


def entries_from(rows: Iterable[tuple[Any, ...]]) -> tuple[Entry, ...]:
    """Entries from rows of their table."""
    return tuple(Entry(revision, event_from(kind, json.loads(data)), at) for revision, kind, data, at in rows)


def holders_from(rows: Iterable[tuple[str, int]]) -> dict[str, frozenset[int]]:
    """Who holds which seats."""
    seats: dict[str, frozenset[int]] = {}
    for holder, seat in rows:
        seats[holder] = seats.get(holder, frozenset()) | {seat}
    return seats
