"""The edge of the server: hosts, live connections, old games, caching, compression, refusals that a browser shows."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests_web import BOARD, Person, link_game, problem, settings_for, until

import pentagrid as pg
from pentagrid.web.app import make_app
from pentagrid.web.store import schema
from pentagrid.web.store.interface import deal_of

pytestmark = pytest.mark.timeout(60)
PAGE = {"accept": "text/html"}


def file_of(database):
    return database.removeprefix("sqlite:///")


class TestHost:
    @pytest.mark.parametrize(
        "host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "192.168.1.5", "games.localhost", ""]
    )
    def test_addresses_and_local_names_are_ours(self, client, host):
        assert client.get("/health", headers={"host": host}).status_code == 200

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil"])
    def test_other_names_are_refused(self, client, host):
        assert problem(client.get("/api/kinds", headers={"host": host})) == (421, "wrong-host")
        page = client.get("/", headers={"host": host, **PAGE})
        assert page.status_code == 421 and "--name" in page.text and "<html" in page.text
        game = Person(client).create()["id"]
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"/api/games/{game}/events", headers={"host": host}),
        ):
            pass

    def test_the_owner_names_the_server(self, database):
        with TestClient(make_app(settings_for(database, names=("games.example.org",)))) as client:
            assert client.get("/health", headers={"host": "Games.Example.org:443"}).status_code == 200
            assert client.get("/health", headers={"host": "example.org"}).status_code == 421

    def test_a_wrong_name_is_told_before_anything_starts(self, capsys):
        from pentagrid.terminal.main import main

        assert main(["serve", "--name", "http://games.example.org/"]) == 2
        assert "--name must be a host name without a port" in capsys.readouterr().err
        assert main(["serve", "--keep-days", "0"]) == 2
        assert "--keep-days must be more than 0" in capsys.readouterr().err


def test_live_connections_of_one_address_are_limited(database):
    with TestClient(make_app(settings_for(database, sockets=2))) as client:
        path = f"/api/games/{Person(client).create()['id']}/events"
        with client.websocket_connect(path), client.websocket_connect(path):
            with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect(path):
                pass
            assert refused.value.reason == "too-many-requests"
        until(lambda: not sockets_of(client))
        with client.websocket_connect(path) as again:
            assert again.receive_json()["type"] == "hello"


def sockets_of(client):
    layer = client.app.middleware_stack
    while not hasattr(layer, "sockets"):
        layer = layer.app
    return layer.sockets


class TestOldGames:
    def age(self, database, game, days):
        with sqlite3.connect(file_of(database)) as connection:
            at = time.time() - days * 86400
            connection.execute("UPDATE games SET created = ? WHERE id = ?", (at, game))
            connection.execute("UPDATE events SET at = ? WHERE game = ?", (at, game))
        connection.close()

    def test_games_nobody_touched_are_removed_only_if_asked(self, database):
        with TestClient(make_app(settings_for(database))) as client:
            ann, _, old = link_game(lambda: Person(client))
            fresh = ann.create()["id"]
            moved = ann.create()["id"]
        self.age(database, old, 31)
        self.age(database, moved, 31)
        with TestClient(make_app(settings_for(database))) as client:
            assert client.get(f"/api/games/{old}").status_code == 200
            ann.client = client
            ann.play_first(moved)
        with TestClient(make_app(settings_for(database, keep_days=30))) as client:
            assert problem(client.get(f"/api/games/{old}")) == (404, "no-such-game")
            assert client.get(f"/api/games/{fresh}").status_code == client.get(f"/api/games/{moved}").status_code == 200
        with sqlite3.connect(file_of(database)) as connection:
            for table in ("events", "holders", "invitations"):
                assert connection.execute(f"SELECT count(*) FROM {table} WHERE game = ?", (old,)).fetchone() == (0,)
        connection.close()

    def test_postgresql_removes_them_too(self, postgres):
        import psycopg

        with TestClient(make_app(settings_for(postgres))) as client:
            old, fresh = (Person(client).create()["id"] for _ in range(2))
        with psycopg.connect(postgres) as connection:
            connection.execute("UPDATE games SET created = created - 864000 WHERE id = %s", (old,))
        with TestClient(make_app(settings_for(postgres, keep_days=5))) as client:
            assert client.get(f"/api/games/{old}").status_code == 404
            assert client.get(f"/api/games/{fresh}").status_code == 200


@pytest.mark.skipif(os.name == "nt", reason="needs a system with POSIX permissions")
def test_only_the_owner_can_read_the_games(database):
    path = file_of(database)
    for _ in range(2):
        with TestClient(make_app(settings_for(database))) as client:
            Person(client).create()
            for name in (path, f"{path}-wal", f"{path}-shm"):
                assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600, name
        Path(path).chmod(0o644)  # as older versions left it


class TestMirroredBoards:
    def boards(self, text):
        rows = [row.split() for row in text.split("/")]
        turned = [list(row) for row in zip(*rows[::-1], strict=True)]
        for each in (rows[::-1], [row[::-1] for row in rows], list(zip(*rows, strict=True)), turned):
            yield "/".join(" ".join(row) for row in each)

    def test_they_are_refused_like_the_board_itself(self, person):
        for name, board in (("matrix-capture", BOARD), ("capture-squares", None)):
            game = pg.load(name)
            board = board or "/".join(" ".join(map(str, row)) for row in game.deal(3).board)
            ann, _, _ = link_game(person, game=name, board=board)
            for mirrored in self.boards(board):
                text = game.read_board(mirrored).text
                assert problem(ann.get("/api/analysis", params={"position": text})) == (403, "values-hidden")
                review = ann.post("/api/review", {"start": text, "moves": []})
                assert problem(review) == (403, "values-hidden")
            assert ann.get("/api/analysis", params={"position": game.deal(99).text}).status_code == 200

    def test_also_where_there_are_no_numbers(self, person):
        ann, *_ = link_game(person, game="capture-square", moves=["A1", "B1"])
        deal = pg.load("capture-square").deal()
        for mirrored in (deal.play("D1").play("C1"), deal.play("A4").play("A3"), deal.play("D4").play("C4").play("A2")):
            assert problem(ann.get("/api/analysis", params={"position": mirrored.text})) == (403, "values-hidden")
        assert ann.get("/api/analysis", params={"position": deal.play("B2").play("C3").text}).status_code == 200

    def test_the_key_costs_little_on_the_largest_board(self):
        game = pg.load("matrix-capture", 12)
        position = game.read_board("/".join([" ".join("5" * 12)] * 12))
        began = time.process_time()
        for _ in range(100):
            deal_of(position)
        assert time.process_time() - began < 2

    def old_key(self, position):
        return " ".join([position.game.name, str(position.game.size), position.game.write_board(position, ",")])

    def test_games_stored_before_get_the_key(self, database):
        with TestClient(make_app(settings_for(database))) as client:
            ann, *_ = link_game(lambda: Person(client), board=BOARD)
        start = pg.load("matrix-capture").read_board(BOARD)
        with sqlite3.connect(file_of(database)) as connection:
            connection.execute("UPDATE games SET deal = ?", (self.old_key(start),))
            connection.execute("DELETE FROM schema_versions WHERE version > 1")
            connection.execute("ALTER TABLE invitations DROP COLUMN used")
        connection.close()
        with TestClient(make_app(settings_for(database))) as client:
            ann.client = client
            text = pg.load("matrix-capture").read_board(next(self.boards(BOARD))).text
            assert problem(ann.get("/api/analysis", params={"position": text})) == (403, "values-hidden")
        with sqlite3.connect(file_of(database)) as connection:
            assert connection.execute(schema.VERSION).fetchone() == (len(schema.STEPS),)
        connection.close()

    def test_games_stored_in_postgresql_get_it_too(self, postgres):
        import psycopg

        with TestClient(make_app(settings_for(postgres))) as client:
            ann, *_ = link_game(lambda: Person(client), board=BOARD)
        start = pg.load("matrix-capture").read_board(BOARD)
        with psycopg.connect(postgres) as connection:
            connection.execute("UPDATE games SET deal = %s", (self.old_key(start),))
            connection.execute("DELETE FROM schema_versions WHERE version > 1")
            connection.execute("ALTER TABLE invitations DROP COLUMN used")
        with TestClient(make_app(settings_for(postgres))) as client:
            ann.client = client
            text = pg.load("matrix-capture").read_board(next(self.boards(BOARD))).text
            assert problem(ann.get("/api/analysis", params={"position": text})) == (403, "values-hidden")


class TestTransfer:
    def test_text_is_compressed_and_lines_are_not(self, client):
        for path in ("/", "/static/style.css", "/api/kinds"):
            assert client.get(path).headers["content-encoding"] == "gzip", path
            assert "content-encoding" not in client.get(path, headers={"accept-encoding": "identity"}).headers
        asked = {"start": pg.load("number-cross").deal(1).text, "moves": []}
        lines = client.post("/api/review", json=asked, headers={"accept": "application/x-ndjson"})
        assert lines.headers["content-encoding"] == "identity"

    def test_files_are_kept_by_their_digest(self, client):
        import re

        page = client.get("/").text
        found = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
        assert found and all(re.match(r"/static/[0-9a-f]{16}/", path) for path in found)
        for path in found:
            answer = client.get(path)
            assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
        plain = re.sub(r"/[0-9a-f]{16}/", "/", found[0])
        assert client.get(plain).headers["cache-control"] == "no-cache"
        assert client.get(re.sub(r"/[0-9a-f]{16}/", "/0000000000000000/", found[0])).status_code == 404

    def test_head_is_answered_like_get_without_the_body(self, client):
        for path in ("/", "/puzzle", "/api/kinds", "/health", "/static/style.css", "/play/unknown"):
            get, head = client.get(path, headers=PAGE), client.head(path, headers=PAGE)
            assert head.status_code == get.status_code and head.content == b""
            assert head.headers["content-type"] == get.headers["content-type"]
        assert problem(client.post("/health", json={})) == (405, "no-such-method")

    def test_several_games_in_one_request(self, person):
        ann, bob = person(), person()
        games = [ann.create()["id"] for _ in range(3)]
        found = ann.get("/api/games", params={"ids": ",".join([*games, "A" * 16, "nonsense", games[0]])}).json()[
            "games"
        ]
        assert [view["state"]["id"] for view in found] == games
        assert all(view["you"] == [1, 2] for view in found)
        assert bob.get("/api/games", params={"ids": games[0]}).json()["games"][0]["you"] == []
        assert ann.get("/api/games", params={"ids": ""}).json() == {"games": []}
        many = ann.get("/api/games", params={"ids": ",".join(f"{n:016}" for n in range(30))})
        assert problem(many) == (422, "bad-option") and "at most 20" in many.json()["message"]


class TestRefusalsThatABrowserShows:
    def test_a_game_that_is_not_there(self, client):
        page = client.get("/play/AAAAAAAAAAAAAAAA", headers=PAGE)
        assert page.status_code == 404 and "There is no such game" in page.text and "<html" in page.text
        assert problem(client.get("/api/games/AAAAAAAAAAAAAAAA")) == (404, "no-such-game")

    def test_too_many_requests(self, database):
        with TestClient(make_app(settings_for(database, rate=0.05, burst=2))) as client:
            answers = [client.get("/", headers=PAGE) for _ in range(3)]
            assert [answer.status_code for answer in answers] == [200, 200, 429]
            assert "too many requests" in answers[-1].text and "<html" in answers[-1].text
            assert answers[-1].headers["retry-after"] == "1"
            assert "default-src" in answers[-1].headers["content-security-policy"]
            refused = client.get("/api/kinds")
            assert json.loads(refused.content)["code"] == "too-many-requests"
