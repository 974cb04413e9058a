"""What a link shows in a message, and what a browser needs to install the site."""

from __future__ import annotations

import re
import struct
from html import unescape
from urllib.parse import urlsplit

import pytest
from tests_web import BOARD, problem

import pentagrid as pg
from pentagrid.web.pages.preview_svg import FONT, preview_svg

PAGE = {"accept": "text/html"}


def meta(page):
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page.text)
    return {name: unescape(value) for name, value in found}


def path_of(address):
    parts = urlsplit(address)
    assert parts.scheme == "http" and parts.netloc == "testserver"
    return f"{parts.path}?{parts.query}"


def check_picture(answer):
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/png", answer.text[:200]
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
    assert "max-age" in answer.headers["cache-control"]


class TestPreviews:
    def test_an_invitation(self, person, client):
        ann = person()
        created = ann.create(you=1, seats=[{"name": "Ann <b>"}, {}], turn_seconds=30)
        said = meta(client.get(created["play"], headers=PAGE))
        assert said["og:title"] == "Ann <b> invites you to Matrix Capture"
        assert "4x4, 30 seconds a turn" in said["og:description"]
        check_picture(client.get(path_of(said["og:image"])))

    def test_a_game_shows_what_its_page_shows_and_changes_with_it(self, person, client):
        ann = person()
        game = ann.create(board=BOARD)["id"]
        said = meta(client.get(f"/play/{game}", headers=PAGE))
        assert said["og:title"].startswith("Matrix Capture: ") and "to move." in said["og:description"]
        before = client.get(path_of(said["og:image"]))
        ann.play_first(game)
        after = client.get(path_of(said["og:image"]))
        check_picture(after)
        assert before.content != after.content
        ann.act(game, "resign")
        assert "won" in meta(client.get(f"/play/{game}", headers=PAGE))["og:description"]

    def test_a_position_without_its_value(self, client):
        position = pg.load("capture-squares").deal(4)
        said = meta(client.get("/analyze", params={"position": position.text, "moves": ";".join(position.moves()[:1])}))
        assert said["og:title"] == "Capture Squares: a position"
        assert said["og:description"] == "Player B to move. Who should win, and by how much?"
        check_picture(client.get(path_of(said["og:image"])))
        assert meta(client.get("/analyze")) == {} == meta(client.get("/analyze", params={"position": "nonsense"}))

    def test_a_puzzle_without_its_answer(self, client):
        today = meta(client.get("/puzzle", headers=PAGE))
        assert re.fullmatch(r"The puzzle of \d{4}-\d\d-\d\d", today["og:title"])
        said = meta(client.get("/puzzle", params={"game": "matrix-capture", "difficulty": 2, "seed": 4}))
        assert said["og:title"] == "A puzzle: Matrix Capture"
        check_picture(client.get(path_of(said["og:image"])))
        assert meta(client.get("/puzzle", params={"game": "matrix-capture"})) == {}, "a fresh one every time"

    def test_what_has_no_picture(self, client):
        assert problem(client.get("/preview/play/AAAAAAAAAAAAAAAA.png")) == (404, "no-such-game")
        assert problem(client.get("/preview/position.png", params={"position": "nonsense"})) == (422, "bad-option")
        assert problem(client.get("/preview/puzzle.png")) == (422, "bad-option")

    def test_the_same_picture_is_drawn_once(self, client, monkeypatch):
        from pentagrid.web.lanes.lane import Lane

        asked, run = [], Lane.run

        async def counted(self, *args):
            asked.append(args)
            return await run(self, *args)

        monkeypatch.setattr(Lane, "run", counted)
        params = {"position": pg.load("number-cross").deal(2).text}
        pictures = {client.get("/preview/position.png", params=params).content for _ in range(3)}
        assert len(pictures) == len(asked) == 1

    @pytest.mark.parametrize("name", pg.game_names())
    def test_every_letter_is_in_the_font(self, name):
        from fontTools.ttLib import TTFont

        letters = set(re.sub(r"<[^>]*>", "", unescape(preview_svg(pg.load(name).deal(1), "A to move."))))
        assert letters <= {chr(code) for code in TTFont(FONT).getBestCmap()}


def test_the_site_can_be_installed(client):
    page = client.get("/", headers=PAGE)
    address = re.search(r'<link rel="manifest" href="([^"]+)">', page.text)[1]
    answer = client.get(address)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest["start_url"] == "/" and manifest["display"] == "standalone"
    assert "manifest-src 'self'" in page.headers["content-security-policy"]
    for icon in manifest["icons"]:
        found = client.get(icon["src"])
        assert found.status_code == 200 and found.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", found.content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
