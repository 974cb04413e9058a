"""What happens in a game: typed values, stored as databases have held them since the first version."""

from __future__ import annotations

import json
import sqlite3

import pytest
from starlette.testclient import TestClient
from tests_web import BOARD, Person, settings_for

import pentagrid as pg
from pentagrid.errors import PentagridError
from pentagrid.web.app import make_app
from pentagrid.web.http_errors import StoreError
from pentagrid.web.identity import hashed
from pentagrid.web.rooms.events import (
    EVENTS,
    Joined,
    Moved,
    RematchMade,
    Resigned,
    Resumed,
    TimedOut,
    UndoAsked,
    Undone,
    UndoRefused,
    event_data,
    event_from,
)
from pentagrid.web.rooms.room import Room, Terms
from pentagrid.web.store import schema

STORED = [
    (Joined(2, "Bob"), "join", {"seat": 2, "name": "Bob"}),
    (Resumed(), "resume", {}),
    (Moved(1, "R1C1", 0), "move", {"seat": 1, "move": "R1C1"}),
    (UndoAsked(1), "undo-asked", {"seat": 1}),
    (UndoRefused(2), "undo-refused", {"seat": 2}),
    (Undone(1), "undo", {"seat": 1}),
    (Resigned(2), "resign", {"seat": 2}),
    (TimedOut(1), "time", {"seat": 1}),
    (RematchMade("A" * 16), "rematch", {"game": "A" * 16}),
]
TERMS = {
    "start": pg.load("matrix-capture").read_board(BOARD).text,
    "moves": [],
    "kinds": ["human", "human"],
    "names": ["Ann", ""],
    "open_seats": [2],
    "screen": False,
    "seed": 7,
    "turn_seconds": None,
    "spectator_values": False,
    "date": "2026-01-02",
    "rematch_of": None,
    "fair_komi": False,
}
TOKEN, GAME, CLOCKED = "a" * 43, "A" * 16, "B" * 16
HISTORIES = {
    GAME: (
        TERMS,
        [
            ("join", {"seat": 2, "name": "Bob"}),
            ("move", {"seat": 1, "move": "R1C1"}),
            ("undo-asked", {"seat": 1}),
            ("undo-refused", {"seat": 2}),
            ("undo-asked", {"seat": 1}),
            ("undo", {"seat": 1}),
            ("move", {"seat": 1, "move": "R2C2"}),
            ("resign", {"seat": 2}),
            ("rematch", {"game": CLOCKED}),
        ],
    ),
    CLOCKED: (
        TERMS | {"turn_seconds": 5.0, "open_seats": []},
        [("resume", {}), ("move", {"seat": 1, "move": "R1C1"}), ("time", {"seat": 2})],
    ),
}


def old_database(path):
    """A database as the first version wrote it."""
    connection = sqlite3.connect(path)
    connection.execute(schema.VERSIONS)
    for statement in schema.STEPS[0]:
        connection.execute(statement)
    connection.execute(schema.SET_VERSION, (1,))
    for game, (terms, events) in HISTORIES.items():
        connection.execute(schema.NEW_GAME, (game, 1000.0, json.dumps(terms), "deal", 0, 1, 1))
        connection.execute(schema.NEW_HOLDER, (hashed(TOKEN), game, 1))
        for revision, (kind, data) in enumerate(events, 1):
            at = 1000.0 + revision + (5.001 if kind == "time" else 0)
            connection.execute(schema.NEW_EVENT, (game, revision, kind, json.dumps(data), at))
    connection.commit()
    connection.close()


@pytest.mark.parametrize(("event", "kind", "data"), STORED, ids=[kind for _, kind, _ in STORED])
def test_an_event_is_stored_as_it_has_always_been(event, kind, data):
    assert (event.kind, event_data(event)) == (kind, data)
    assert event_from(kind, data) == event


def test_every_event_has_a_kind_of_its_own_and_cannot_change():
    assert {kind for _, kind, _ in STORED} < set(EVENTS)
    with pytest.raises(AttributeError):
        Joined(1, "Ann").seat = 2
    with pytest.raises(StoreError, match="'dance'"):
        event_from("dance", {})


def test_a_database_of_the_first_version_opens(tmp_path):
    path = tmp_path / "old.sqlite"
    old_database(path)
    with TestClient(make_app(settings_for(f"sqlite:///{path}"))) as client:
        ann = Person(client)
        ann.headers = {"authorization": f"Bearer {TOKEN}"}
        state = ann.state(GAME)
        assert state["revision"] == 9 and state["moves"] == ["R2C2"] and state["rematch"] == CLOCKED
        assert state["outcome"] == {"winner": 1, "reason": "resign"}
        state = ann.state(CLOCKED)
        assert state["moves"] == ["R1C1"] and state["outcome"] == {"winner": 1, "reason": "time"}
        with client.websocket_connect(f"/api/games/{GAME}/events") as socket:
            events = socket.receive_json()["events"]
        assert [(event["kind"], event["revision"]) for event in events] == [
            (kind, revision) for revision, (kind, _) in enumerate(HISTORIES[GAME][1], 1)
        ]


REFUSED = [
    Moved(2, "R1C2"),
    Moved(2, "nonsense"),
    UndoAsked(2),
    UndoRefused(2),
    RematchMade(GAME),
]


@pytest.mark.parametrize("event", REFUSED, ids=repr)
def test_a_refused_event_changes_nothing(event):
    room = Room(GAME, 1000.0, Terms(**TERMS | {"turn_seconds": 60.0}), {})
    room.happen(Joined(2, "Bob"), 1001.0)
    room.happen(Moved(1, "R1C1"), 1002.0)
    before = room.state(), list(room.shown)
    with pytest.raises(PentagridError):
        room.happen(event, 1010.0)
    assert (room.state(), room.shown) == before


def test_a_move_just_read_is_not_read_again(person, monkeypatch):
    ann = person()
    game = ann.create(board=BOARD)["id"]
    kind, texts = type(pg.load("matrix-capture")), []
    read = kind.action

    def action(self, move, *more):
        if isinstance(move, str):
            texts.append(move)
        return read(self, move, *more)

    monkeypatch.setattr(kind, "action", action)
    assert ann.act(game, "moves", move="r1c1").status_code == 200
    assert texts == ["r1c1"]
