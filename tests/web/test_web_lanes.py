"""Lanes: short work waits for nobody, long work is shared, stopped and limited, and a review comes piece by piece."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from tests_web import play_out, settings_for, until

import pentagrid as pg
from pentagrid.web.app import make_app
from pentagrid.web.background_tasks import Background
from pentagrid.web.http_errors import BusyError
from pentagrid.web.lanes.lane import Lane, is_short
from pentagrid.web.lanes.shared_stream import SharedStream
from pentagrid.web.lanes.worker import Worker, stopped

pytestmark = pytest.mark.timeout(60)
LONG = "capture-square"
SHORT = "matrix-capture"
NDJSON = {"accept": "application/x-ndjson"}


def run_apart(work):
    """Run a coroutine function in a thread: a browser driven by other tests may hold this thread's event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result()


def long_position(number=0):
    return pg.load(LONG, 6).deal().play(number)


# Work for a worker ------------------------------------------------------------------------------------------


def echoed(value, seconds=0.0):
    time.sleep(seconds)
    return value


def until_stopped(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if stopped():
            return "stopped"
    return "never stopped"


def failing():
    raise pg.OptionError("This cannot be.")


class TestWorker:
    def worked(self, work):
        async def wrapped():
            worker = Worker()
            try:
                return await work(worker)
            finally:
                worker.close()

        return run_apart(wrapped)

    def test_owners_take_turns_however_much_one_asks(self):
        async def work(worker):
            order = []

            async def ask(owner, number):
                await worker.run(owner, echoed, number, 0.02)
                order.append((owner, number))

            greedy = [asyncio.ensure_future(ask("greedy", number)) for number in range(6)]
            await asyncio.sleep(0)
            await asyncio.gather(*greedy, ask("modest", 0), ask("modest", 1))
            return order

        order = self.worked(work)
        assert order.index(("modest", 0)) <= 2 and order.index(("modest", 1)) <= 4
        assert [number for owner, number in order if owner == "greedy"] == [*range(6)]

    def test_work_that_nobody_waits_for_is_not_begun_and_what_runs_is_told_to_stop(self):
        async def work(worker):
            await worker.run("a", echoed, 1)  # the process is there
            running = asyncio.ensure_future(worker.run("a", until_stopped, 30))
            waiting = asyncio.ensure_future(worker.run("a", echoed, 2, 30))
            await asyncio.sleep(0.1)
            began = time.monotonic()
            running.cancel()
            waiting.cancel()
            assert await worker.run("b", echoed, 3) == 3
            return time.monotonic() - began

        assert self.worked(work) < 10

    def test_errors_arrive_and_a_process_that_ended_is_started_again(self):
        import os

        async def work(worker):
            with pytest.raises(pg.OptionError, match="cannot be"):
                await worker.run("a", failing)
            with pytest.raises(BusyError, match="ended"):
                await worker.run("a", os._exit, 1)
            return await worker.run("a", echoed, 4)

        assert self.worked(work) == 4


class TestStream:
    def test_all_follow_one_work_and_it_stops_when_the_last_has_gone(self):
        async def work():
            made, ends, gate = [], [], asyncio.Event()

            async def parts():
                for number in range(3):
                    made.append(number)
                    yield number
                    if number == 1:
                        await gate.wait()

            background = Background()
            stream = SharedStream(parts(), background, ends.append)
            one, two = stream.follow(), stream.follow()
            assert [await anext(one), await anext(one), await anext(two)] == [0, 1, 0]
            await one.aclose()
            assert not stream.abandoned
            gate.set()
            assert [part async for part in two] == [1, 2] and made == [0, 1, 2] and ends == [True]
            assert [part async for part in stream.follow()] == [0, 1, 2], "kept for those who come later"
            gate.clear()
            dropped = SharedStream(parts(), background, ends.append)
            follower = dropped.follow()
            await anext(follower)
            await follower.aclose()
            await asyncio.sleep(0.01)
            assert dropped.abandoned and ends == [True, False]

        run_apart(work)

    def test_an_error_reaches_everybody(self):
        async def work():
            async def parts():
                yield 1
                raise BusyError("no")

            stream = SharedStream(parts(), Background(), lambda whole: None)
            for _ in range(2):
                with pytest.raises(BusyError):
                    assert [part async for part in stream.follow()] == [1]

        run_apart(work)


class TestLanes:
    def test_what_is_short(self):
        assert all(is_short(pg.load(name).deal(1)) for name in pg.game_names())
        assert is_short(pg.load(SHORT, 8).deal(1)) and not is_short(long_position())
        assert not is_short(pg.load("capture-squares", 6).deal(1))

    def test_one_owner_cannot_fill_a_lane(self):
        lane = Lane(1, most=3, most_each=2)
        lane.admit("a")
        lane.admit("a")
        with pytest.raises(BusyError, match="2 analyses for your address"):
            lane.admit("a")
        lane.admit("b")
        with pytest.raises(BusyError, match="3 analyses at hand"):
            lane.admit("c")
        lane.leave("a")
        lane.admit("c")

    def test_short_work_does_not_wait_for_long_work(self, database):
        with (
            TestClient(make_app(settings_for(database, analysis_seconds=4.0))) as client,
            ThreadPoolExecutor(1) as pool,
        ):

            def analysis(position):
                return client.get("/api/analysis", params={"position": position.text})

            assert analysis(pg.load(SHORT).deal(1)).status_code == 200  # the process is there
            heavy = pool.submit(analysis, long_position())
            time.sleep(0.2)
            assert analysis(pg.load(SHORT).deal(2)).status_code == 200
            assert client.get("/api/puzzle", params={"game": SHORT, "seed": 1}).status_code == 200
            assert not heavy.done()

    def test_the_same_question_is_worked_out_once(self, client, monkeypatch):
        asked, run = [], Lane.run

        async def counted(self, owner, *args):
            asked.append(args)
            return await run(self, owner, *args)

        monkeypatch.setattr(Lane, "run", counted)
        text = long_position(3).text
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: client.get("/api/analysis", params={"position": text}), range(4)))
        assert {answer.status_code for answer in answers} == {200} and len({answer.text for answer in answers}) == 1
        assert len(asked) == 1

    def test_one_address_gets_a_few_long_analyses_at_once(self, database):
        with TestClient(make_app(settings_for(database, queue_each=2))) as client, ThreadPoolExecutor(4) as pool:
            texts = [long_position(number).text for number in range(4)]
            answers = list(pool.map(lambda text: client.get("/api/analysis", params={"position": text}), texts))
        refused = [answer for answer in answers if answer.status_code == 503]
        assert len(refused) == 2 and {answer.json()["code"] for answer in refused} == {"busy"}
        assert "your address" in refused[0].json()["message"]


@pytest.mark.alone
def test_a_closed_request_is_canceled(serve):
    """Four requests of two seconds each, closed at once: the fifth waits for none of them."""
    server = serve()

    def ask(position):
        connection = socket.create_connection(("127.0.0.1", server.port), 30)
        path = f"/api/analysis?position={quote(position.text)}"
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode()
        )
        return connection

    with ask(pg.load(LONG, 5).deal().play(0)) as first:  # the process is there
        assert b" 200 " in first.recv(100)
    closed = [ask(long_position(number)) for number in range(4)]
    time.sleep(0.3)
    for connection in closed:
        connection.close()
    began = time.monotonic()

    def is_answered():
        with ask(long_position(5)) as last:
            return b" 200 " in last.recv(100)

    until(is_answered)  # refused only until the server has seen that the others are gone
    assert time.monotonic() - began < 6


class TestReview:
    def request(self, name, seed, size=None):
        match = play_out(name, seed) if size is None else None
        if match is None:
            position, moves = pg.load(name, size).deal(seed), []
            for _ in range(6):
                moves.append(position.moves()[0])
                position = position.play(moves[-1])
            return {"start": pg.load(name, size).deal(seed).text, "moves": moves}
        return {"start": match.start.text, "moves": match.moves}

    @pytest.mark.parametrize("name", pg.game_names())
    def test_it_comes_position_by_position_and_is_the_same_in_the_end(self, client, name):
        asked = self.request(name, 4)
        answer = client.post("/api/review", json=asked, headers=NDJSON)
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        *parts, end = map(json.loads, answer.text.splitlines())
        count = len(asked["moves"]) + 1
        assert [(part["kind"], part["number"], part["of"]) for part in parts] == [
            ("position", number, count) for number in range(1, count + 1)
        ]
        whole = client.post("/api/review", json=asked).json()
        assert [part["node"] for part in parts] == whole["nodes"]
        assert [part["choice"] for part in parts[:-1]] == whole["choices"] and parts[-1]["choice"] is None
        assert end == {"kind": "end", "accuracy": whole["accuracy"], "given_away": whole["given_away"]}

    def test_the_first_positions_come_before_the_last_are_worked_out(self, serve):
        import http.client

        server = serve()
        asked = self.request("capture-square", 0, size=6)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        headers = {"content-type": "application/json", **NDJSON}
        connection.request("POST", "/api/review", json.dumps(asked), headers)
        answer = connection.getresponse()
        first = json.loads(answer.readline())
        came = time.monotonic()
        rest = answer.read()
        assert first["number"] == 1 and json.loads(rest.splitlines()[-1])["kind"] == "end"
        assert time.monotonic() - came > 0.05
        connection.close()
