"""Faults: a server killed in mid-game, clients that race, requests that nobody would send."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread

import pytest
from tests_web import Person

import pentagrid as pg

FORKING_SERVER = Path(__file__).parent / "forking_server.py"


class Client:
    """Someone who plays on through all failures, and remembers what was acknowledged."""

    def __init__(self, port, seed):
        self.port = port
        self.chance = random.Random(seed)
        self.token = f"{seed:043d}"
        self.game = None
        self.acknowledged = []
        self.in_flight = None
        self.games = self.moves = self.unsure = 0
        self.wrong = None
        self.connection = None

    def ask(self, method, path, data=None):
        """An answer, or None if the connection broke."""
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            self.connection.request(method, path, None if data is None else json.dumps(data), headers)
            response = self.connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            return None

    def run(self, over):
        try:
            while not over.is_set():
                self.step()
        except AssertionError as wrong:
            self.wrong = wrong
        finally:
            if self.connection is not None:
                self.connection.close()

    def step(self):
        if self.game is None:
            answer = self.ask("POST", "/api/games", {"game": "capture-squares", "size": 6})
            if answer is not None:
                assert answer[0] == 201, answer
                self.game, self.acknowledged, self.in_flight = answer[1]["id"], [], None
                self.games += 1
            return
        answer = self.ask("GET", f"/api/games/{self.game}")
        if answer is None:
            return
        status, view = answer
        assert status == 200, view
        made = view["state"]["moves"]
        if self.in_flight is not None and made == [*self.acknowledged, self.in_flight]:
            self.acknowledged.append(self.in_flight)
        self.in_flight = None
        assert made == self.acknowledged, f"{made} instead of {self.acknowledged}"
        assert view["state"]["revision"] == len(made)
        position = pg.read_position(view["state"]["board"]["position"])
        if position.turn is None:
            self.game = None
            return
        move = self.chance.choice(position.moves())
        self.in_flight = move
        answer = self.ask("POST", f"/api/games/{self.game}/moves", {"move": move, "revision": len(made)})
        if answer is None:
            self.unsure += 1
            return
        assert answer == (200, {"revision": len(made) + 1}), answer
        self.acknowledged.append(move)
        self.in_flight = None
        self.moves += 1


def kill_again_and_again(database, times):
    chance = random.Random(times)
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        parent = subprocess.Popen(
            [sys.executable, FORKING_SERVER, str(listening.fileno()), database],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, pass_fds=[listening.fileno()],
        )  # fmt: skip
        clients = [Client(listening.getsockname()[1], seed) for seed in (1, 2)]
        over = Event()
        threads = [Thread(target=client.run, args=(over,)) for client in clients]
        for thread in threads:
            thread.start()

        def start():
            parent.stdin.write("start\n")
            parent.stdin.flush()
            return int(parent.stdout.readline())

        try:
            for _ in range(times):
                process, before = start(), sum(client.moves for client in clients)
                until = time.monotonic() + 20
                while sum(client.moves for client in clients) == before and time.monotonic() < until:
                    time.sleep(0.002)
                    assert not any(client.wrong for client in clients), [client.wrong for client in clients]
                time.sleep(chance.random() * 0.06)
                os.kill(process, signal.SIGKILL)
                assert parent.stdout.readline() == "ended\n"
            process = start()
            made = sum(client.moves for client in clients)
            until = time.monotonic() + 20
            while sum(client.moves for client in clients) < made + 20 and time.monotonic() < until:
                time.sleep(0.01)
            over.set()
            for thread in threads:
                thread.join(20)
            os.kill(process, signal.SIGTERM)
            assert parent.stdout.readline() == "ended\n"
        finally:
            over.set()
            parent.stdin.close()
            parent.stdout.close()
            parent.kill()
            parent.wait()
        assert not any(client.wrong for client in clients), [client.wrong for client in clients]
        assert sum(client.moves for client in clients) >= made + 20, "the game does not go on"
        return sum(client.moves for client in clients), sum(client.unsure for client in clients)


def test_killed_two_hundred_times_no_acknowledged_move_is_lost_or_doubled(database):
    moves, unsure = kill_again_and_again(database, 200)
    assert moves > 400 and unsure > 20, "the kills must have met play"


def test_killed_on_postgresql(postgres):
    moves, _ = kill_again_and_again(postgres, 30)
    assert moves > 60


def race(servers, rounds=15):
    """Two clients, perhaps at two servers, send a move for the same revision at the same time."""
    import httpx2

    with httpx2.Client(base_url=servers[0]) as one, httpx2.Client(base_url=servers[-1]) as two:
        ann = Person(one)
        game = ann.create("capture-squares", size=6)["id"]
        also = Person(two)
        also.headers = ann.headers
        with ThreadPoolExecutor(2) as pool:
            for revision in range(rounds):
                moves = ann.state(game)["board"]["moves"][:2]
                answers = list(
                    pool.map(
                        lambda who, move, r=revision: who.act(game, "moves", r, move=move["move"]), (ann, also), moves
                    )
                )
                codes = sorted(answer.status_code for answer in answers)
                assert codes == [200, 409]
                loser = next(answer for answer in answers if answer.status_code == 409)
                assert loser.json()["code"] == "stale"
                winner = moves[[answer.status_code for answer in answers].index(200)]["move"]
                for who in (ann, also):
                    until = time.monotonic() + 5
                    while len(who.state(game)["moves"]) <= revision and time.monotonic() < until:
                        time.sleep(0.01)
                    assert who.state(game)["moves"][revision:] == [winner]


def test_of_two_clients_with_the_same_revision_exactly_one_wins(serve):
    race([serve().address])


def test_of_two_clients_at_two_processes_exactly_one_wins(serve, postgres):
    race([serve(database=postgres).address, serve(database=postgres).address])


def test_a_stop_lets_requests_finish_and_a_restart_knows_everything(serve):
    import httpx2

    server = serve()
    with httpx2.Client(base_url=server.address) as client:
        ann = Person(client)
        game = ann.create(seats=[{}, {"kind": "level:4"}], you=1)["id"]
        text = pg.load("capture-square", 6).deal().text
        with ThreadPoolExecutor(1) as pool:
            slow = pool.submit(
                lambda: httpx2.get(f"{server.address}/api/analysis", params={"position": text}, timeout=30)
            )
            time.sleep(0.8)
            assert server.stop() == 0
            assert slow.result().status_code == 200
    server.start()
    with httpx2.Client(base_url=server.address) as client:
        ann.client = client
        assert ann.play_first(game).status_code == 200


def test_one_file_serves_one_server(serve, program):
    first = serve()
    output = program("serve", "--port", "0", "--database", first.database, code=2)
    assert "Another server is using" in output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workers", "2"], "--workers 2 needs PostgreSQL"),
        (["--workers", "0"], "--workers must be at least 1, not 0."),
        (["--database", "mysql://x"], "not 'mysql://x'."),
        (["--database", "postgresql://nobody@127.0.0.1:1/x"], "cannot be used"),
        (["--database", "sqlite:////proc/nothing/games"], "cannot be stored"),
        (["--host", "203.0.113.1"], "Cannot listen on"),
        (["--rate", "-1"], "--rate must be between 0 and 1000000, not -1"),
    ],
)
def test_what_cannot_be_served_is_said_at_once(program, options, message):
    assert message in program("serve", "--port", "0", *options, code=2)
