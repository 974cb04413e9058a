"""Failures inside the server that nobody foresaw: one request fails, the server goes on, and says what is wrong."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import psycopg
import pytest
from starlette.testclient import TestClient
from tests_web import BOARD, Person, link_game, next_of, problem, settings_for, until

import pentagrid.web
from pentagrid.web.app import make_app
from pentagrid.web.lanes.lane import Lane
from pentagrid.web.rooms import computer_players, registry
from pentagrid.web.store import schema
from pentagrid.web.store.sqlite import SqliteStore

pytestmark = pytest.mark.timeout(60)


def run_apart(work):
    """Run a coroutine function in a thread: a browser driven by other tests may hold this thread's event loop."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(work())).result()


def fail(*_, **__):
    raise RuntimeError("nobody foresaw this")


class TestStore:
    def test_one_request_fails_and_the_store_goes_on(self, person, monkeypatch):
        ann = person()
        game = ann.create()["id"]
        with monkeypatch.context() as patched:
            patched.setattr(schema, "SET_OVER", None)  # a statement that is no text is a TypeError
            assert problem(ann.act(game, "resign")) == (503, "store-unavailable")
        assert ann.state(game)["outcome"] is None
        assert ann.client.get("/health").status_code == 200
        assert ann.act(game, "resign").status_code == 200
        assert ann.state(game)["outcome"] == {"winner": 2, "reason": "resign"}

    def test_a_thread_that_has_ended_is_said(self, person, monkeypatch):
        ann = person()
        monkeypatch.setattr(SqliteStore, "_settle", fail)
        for _ in range(2):
            answer = ann.client.get("/health")
            assert problem(answer) == (503, "store-unavailable") and "has ended" in answer.json()["message"]
        assert problem(ann.post("/api/games", {"game": "matrix-capture"})) == (503, "store-unavailable")

    def test_a_database_that_does_not_answer_is_said(self, client, monkeypatch):
        from pentagrid.web.api import health_routes

        monkeypatch.setattr(health_routes, "ANSWER_SECONDS", 0.05)
        monkeypatch.setattr(SqliteStore, "check", lambda self: asyncio.sleep(30))
        answer = client.get("/health")
        assert problem(answer) == (503, "store-unavailable") and "0.05 seconds" in answer.json()["message"]

    def test_a_bad_announcement_does_not_make_a_process_deaf(self, serve, postgres):
        here, there = serve(database=postgres), serve(database=postgres)
        with httpx2.Client(base_url=here.address) as one, httpx2.Client(base_url=there.address) as two:
            ann, bob = Person(one), Person(two)
            game = ann.create("number-grid-battle")["id"]
            assert bob.state(game)["revision"] == 0
            with psycopg.connect(postgres, autocommit=True) as connection:
                for nonsense in ("nonsense", "{}", '{"kind": "event", "from": "x", "game": 5}'):
                    connection.execute("SELECT pg_notify('pentagrid', %s)", (nonsense,))
            assert ann.play_first(game).status_code == 200
            until(lambda: bob.state(game)["revision"] == 1, 10)

    def test_a_process_that_no_longer_listens_says_so(self, postgres, monkeypatch, caplog):
        from pentagrid.web.store.postgresql import PostgresStore

        with TestClient(make_app(settings_for(postgres))) as client:
            monkeypatch.setattr(PostgresStore, "_again", fail)
            assert client.get("/health").status_code == 200
            with psycopg.connect(postgres, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' "
                    "AND datname = current_database()"
                )
            until(lambda: client.get("/health").status_code == 503, 10)
            assert "listening" in client.get("/health").json()["message"]
        assert "nobody foresaw this" in caplog.text


class TestBackground:
    def test_a_task_that_fails_is_logged_with_its_trace(self, caplog):
        from pentagrid.web.background_tasks import Background

        async def work():
            fail()

        async def run():
            background = Background()
            await asyncio.wait([background.spawn(work(), "some work")])

        run_apart(run)
        (record,) = caplog.records
        assert record.what == "some work" and record.exc_info[0] is RuntimeError and record.levelno == logging.ERROR

    def test_a_repeated_task_goes_on_after_a_failure(self, caplog):
        from pentagrid.web.background_tasks import Background

        async def run():
            background, times, enough = Background(), [], asyncio.Event()

            async def work():
                times.append(time.monotonic())
                if len(times) == 3:
                    enough.set()
                fail()

            background.repeat(work, 0.001, "some work")
            await asyncio.wait_for(enough.wait(), 10)
            await background.close()

        run_apart(run)
        assert caplog.text.count("nobody foresaw this") >= 2

    def test_tasks_are_started_in_one_place(self):
        root = Path(pentagrid.web.__file__).parent
        starts = re.compile(r"create_task|ensure_future|TaskGroup")
        assert [path.name for path in root.rglob("*.py") if starts.search(path.read_text())] == ["background_tasks.py"]


class TestRoom:
    def test_a_room_that_broke_in_the_middle_of_a_change_is_read_again(self, person, monkeypatch):
        from pentagrid.web.rooms.room import Room

        ann = person()
        game = ann.create(board=BOARD)["id"]
        with monkeypatch.context() as patched:
            patched.setattr(Room, "_arrive", fail)  # the move is made in the match, and not yet noted in the room
            assert ann.act(game, "moves", move="R1C1").status_code == 500
        assert ann.state(game)["moves"] == []
        assert ann.act(game, "moves", move="R1C1").status_code == 200
        assert ann.state(game)["moves"] == ["R1C1"]


class Clock:
    """The time of the registry: real, but from one reading on much later."""

    def __init__(self):
        self.left = None

    def time(self):
        if self.left is None:
            return time.time()
        self.left -= 1
        return time.time() + (0 if self.left >= 0 else 1000)


class TestTime:
    @pytest.mark.parametrize("readings", [0, 1, 2, 3])
    def test_time_that_runs_out_in_the_middle_of_a_move(self, person, client, database, monkeypatch, readings):
        ann = person()
        game = ann.create(board=BOARD, turn_seconds=600)["id"]
        clock = Clock()
        monkeypatch.setattr(registry, "time", clock)
        with client.websocket_connect(f"/api/games/{game}/events", headers=ann.headers) as socket:
            next_of(socket, "hello")
            clock.left = readings
            answer = ann.act(game, "moves", move="R1C1")
            if answer.status_code == 200:  # the move was in time
                assert next_of(socket, "events")["events"][0]["kind"] == "move"
                clock.left = 0
                answer = ann.act(game, "moves", move="R2C2")
            assert problem(answer) in [(409, "game-over"), (409, "stale")]  # stale: the timer was faster
            message = next_of(socket, "events")
            assert [event["kind"] for event in message["events"]] == ["time"]
        state = ann.state(game)
        assert message["state"] == state and state["outcome"]["reason"] == "time"
        with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
            (kind,) = connection.execute("SELECT kind FROM events ORDER BY revision DESC LIMIT 1").fetchone()
        connection.close()
        assert kind == "time"

    def test_a_turn_ends_although_the_store_failed_at_first(self, person, monkeypatch):
        ann = person()
        monkeypatch.setattr(registry, "AGAIN_SECONDS", 0.05)
        with monkeypatch.context() as patched:
            patched.setattr(schema, "SET_OVER", None)
            game = ann.create(turn_seconds=0.1)["id"]
            time.sleep(0.3)
            assert ann.state(game)["outcome"] is None
        until(lambda: ann.state(game)["outcome"] == {"winner": 2, "reason": "time"}, 10)


class TestComputer:
    def begin(self, ann):
        return ann.create(seats=[{}, {"kind": "level:3"}], you=1)["id"]

    def test_a_computer_that_always_fails_loses(self, person, client, monkeypatch, caplog):
        ann = person()
        monkeypatch.setattr(computer_players, "AGAIN_SECONDS", 0.02)
        monkeypatch.setattr(Lane, "run", fail)
        game = self.begin(ann)
        with client.websocket_connect(f"/api/games/{game}/events", headers=ann.headers) as socket:
            next_of(socket, "hello")
            ann.play_first(game)
            assert next_of(socket, "events")["events"][0]["kind"] == "move"
            message = next_of(socket, "events")
        assert message["state"]["outcome"] == {"winner": 1, "reason": "resign"}
        assert "failed" in message["events"][0]["said"]
        assert caplog.text.count("RuntimeError: nobody foresaw this") == computer_players.MOST_TRIES
        assert ann.act(game, "rematch").status_code == 200

    def test_a_computer_that_failed_once_moves_the_next_time(self, person, monkeypatch):
        ann = person()
        monkeypatch.setattr(computer_players, "AGAIN_SECONDS", 0.02)
        run, tries = Lane.run, []

        def sometimes(self, owner, key, work, *args):
            tries.append(work)
            return fail() if len(tries) == 1 else run(self, owner, key, work, *args)

        monkeypatch.setattr(Lane, "run", sometimes)
        game = self.begin(ann)
        ann.play_first(game)
        until(lambda: len(ann.state(game)["moves"]) == 2)


class TestRematch:
    def finished(self, ann, bob):
        created = ann.create(you=1)
        bob.join(created)
        until(lambda: ann.state(created["id"])["seats"][1]["joined"])
        assert ann.act(created["id"], "resign").status_code == 200
        return created["id"]

    def test_two_who_ask_at_once_get_the_same_game_and_no_other_is_left(self, person, database):
        ann, bob, game = link_game(person)
        ann.act(game, "resign")
        revision = ann.state(game)["revision"]
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda who: who.act(game, "rematch", revision), [ann, bob, ann, bob]))
        assert [answer.status_code for answer in answers] == [200] * 4
        assert len({answer.json()["id"] for answer in answers}) == 1
        with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
            assert connection.execute("SELECT count(*) FROM games").fetchone() == (2,)
        connection.close()
        seats = ann.state(answers[0].json()["id"])["seats"]
        assert all(seat["joined"] for seat in seats)

    def test_two_who_ask_two_processes_at_once(self, serve, postgres):
        here, there = serve(database=postgres), serve(database=postgres)
        with httpx2.Client(base_url=here.address) as one, httpx2.Client(base_url=there.address) as two:
            ann, bob = Person(one), Person(two)
            for number in range(1, 6):
                game = self.finished(ann, bob)
                revision = ann.state(game)["revision"]
                until(lambda game=game, revision=revision: bob.state(game)["revision"] == revision)
                with ThreadPoolExecutor(2) as pool:
                    asked = [pool.submit(who.act, game, "rematch", revision) for who in (ann, bob)]
                    answers = [each.result() for each in asked]
                assert [answer.status_code for answer in answers] == [200, 200]
                assert answers[0].json() == answers[1].json()
                with psycopg.connect(postgres) as connection:
                    assert connection.execute("SELECT count(*) FROM games").fetchone() == (2 * number,)


class TestConnections:
    def test_a_page_that_goes_before_the_first_message_is_no_failure(self, person, caplog):
        ann = person()
        game = ann.create()["id"]
        came = iter([{"type": "websocket.connect"}])
        sent = []

        async def receive():
            return next(came, {"type": "websocket.disconnect", "code": 1006})

        async def send(message):
            sent.append(message["type"])
            if message["type"] == "websocket.send":
                raise ConnectionError  # as a server says that the other side is gone

        async def connect():
            scope = {
                "type": "websocket", "path": f"/api/games/{game}/events", "query_string": b"", "subprotocols": [],
                "headers": [(b"host", b"testserver")], "client": ("127.0.0.1", 1), "scheme": "ws",
            }  # fmt: skip
            await ann.client.app(scope, receive, send)

        ann.client.portal.call(connect)
        assert sent == ["websocket.accept", "websocket.send"]
        assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
