"""Several server processes on one PostgreSQL: what one commits the others show, without being asked."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack

import httpx2
import psycopg
import pytest
from tests_web import Person, until
from websockets.sync.client import connect

from pentagrid.web.store import schema


class Seat(Person):
    """A person at one of the servers, with a live connection."""

    def __init__(self, server):
        super().__init__(httpx2.Client(base_url=server.address))
        self.server = server

    def listen(self, game, since=0):
        address = f"ws://127.0.0.1:{self.server.port}/api/games/{game}/events?since={since}"
        return connect(address, additional_headers=self.headers)

    def close(self):
        self.client.close()


@pytest.fixture
def seat():
    seats = []

    def take(server):
        seats.append(Seat(server))
        return seats[-1]

    yield take
    for each in seats:
        each.close()


def next_of(socket, kind, seconds=10):
    until = time.monotonic() + seconds
    while True:
        message = json.loads(socket.recv(max(0.01, until - time.monotonic())))
        if message["type"] == kind:
            return message


def test_players_at_two_processes_see_each_others_moves_and_presence(serve, postgres, seat):
    here, there = serve(database=postgres), serve(database=postgres)
    ann, bob = seat(here), seat(there)
    created = ann.create(you=1)
    game = created["id"]
    assert bob.join(created, name="Bob").json() == {"seat": 2}
    until(lambda: ann.state(game)["seats"][1]["name"] == "Bob")
    with ann.listen(game) as at_ann, bob.listen(game) as at_bob:
        while next_of(at_ann, "presence")["connected"]["players"] != [True, True]:
            pass
        assert ann.play_first(game).status_code == 200
        assert next_of(at_bob, "events")["events"][0]["revision"] == 2
        assert bob.play_first(game).status_code == 200
        revisions = []
        while revisions[-1:] != [3]:
            revisions += [event["revision"] for event in next_of(at_ann, "events")["events"]]
        assert revisions == [2, 3]
        at_bob.close()
        while next_of(at_ann, "presence")["connected"]["players"] != [True, False]:
            pass
    assert ann.state(game) == bob.state(game)


def test_a_lost_listening_connection_comes_back_and_nothing_is_missed(serve, postgres, seat):
    here, there = serve(database=postgres), serve(database=postgres)
    ann, bob = seat(here), seat(there)
    game = ann.create("number-grid-battle")["id"]
    with bob.listen(game) as at_bob:
        next_of(at_bob, "hello")
        with psycopg.connect(postgres, autocommit=True) as connection:
            cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            listening = " AND datname = current_database() AND query LIKE 'LISTEN%'"
            assert connection.execute(cut + listening).fetchone() == (2,)
        for _ in range(3):
            ann.play_first(game)
        seen = []
        while len(seen) < 3:
            seen += [event["revision"] for event in next_of(at_bob, "events")["events"]]
        assert seen == [1, 2, 3]


def test_a_game_of_a_dead_process_goes_on_at_another_with_its_clock(serve, postgres, seat):
    here, there = serve(database=postgres), serve(database=postgres)
    ann, bob = seat(here), seat(there)
    game = ann.create(turn_seconds=3.0)["id"]
    ann.play_first(game)
    time.sleep(0.5)
    here.kill()
    later = serve(database=postgres)
    assert seat(later).state(game)["deadline"] == bob.state(game)["deadline"], "a second server does not stop clocks"
    until(lambda: bob.state(game)["outcome"] == {"winner": 1, "reason": "time"})


def test_two_workers_of_one_server(serve, postgres, seat):
    server = serve("--workers", "2", database=postgres)
    ann = seat(server)
    game = ann.create("number-cross", seats=[{}, {"kind": "level:2"}], you=1)["id"]
    with ExitStack() as stack:
        sockets = [stack.enter_context(ann.listen(game)) for _ in range(6)]
        for socket in sockets:
            next_of(socket, "hello")
        until(lambda: ann.play_first(game).status_code == 200)
        for socket in sockets:
            seen = []
            while len(seen) < 2:
                seen += [event["revision"] for event in next_of(socket, "events")["events"]]
            assert seen == [1, 2]
    assert server.stop() == 0


def test_a_database_that_goes_away_is_said_and_comes_back(serve, postgres, seat):
    server = serve(database=postgres)
    ann = seat(server)
    game = ann.create()["id"]
    name = postgres.rpartition("/")[2]
    with psycopg.connect(postgres.replace(name, "postgres"), autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        answer = ann.client.get("/health", timeout=30)
        assert (answer.status_code, answer.json()["code"]) == (503, "store-unavailable")
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    until(lambda: ann.client.get("/health", timeout=30).status_code == 200, 40)
    until(lambda: ann.play_first(game).status_code == 200, 40)
    assert len(ann.state(game)["moves"]) == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_schema_has_a_version_and_a_newer_one_is_refused(kind, request, database, program):
    if kind == "sqlite":
        import sqlite3

        address = database
        opened = lambda: sqlite3.connect(address.removeprefix("sqlite:///"))  # noqa: E731
    else:
        address = request.getfixturevalue("postgres")
        opened = lambda: psycopg.connect(address)  # type: ignore[return-value]  # noqa: E731
    from tests_web import Served

    server = Served(address)
    server.stop()
    connection = opened()
    assert connection.execute(schema.VERSION).fetchone() == (len(schema.STEPS),)
    connection.execute("INSERT INTO schema_versions (version) VALUES (99)")
    connection.commit()
    connection.close()
    assert "schema version 99" in program("serve", "--port", "0", "--database", address, code=2)
