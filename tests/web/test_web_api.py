"""The API: playing, watching, refusing."""

from __future__ import annotations

import json
import re
import time

import pytest
from starlette.testclient import TestClient
from tests_web import BOARD, Person, link_game, next_of, problem, settings_for, until

import pentagrid as pg
from pentagrid.core.speech import player_names
from pentagrid.play.record import read_record
from pentagrid.web.app import make_app
from pentagrid.web.rooms.creation import rematch_of
from pentagrid.web.rooms.room import Room, Terms


class TestPlaying:
    @pytest.mark.parametrize("name", pg.game_names())
    def test_a_whole_game_at_one_screen_is_the_game_of_the_library(self, person, name):
        ann = person()
        game = ann.create(name, seed=3)["id"]
        position = pg.load(name).deal(3)
        while position.turn:
            state = ann.state(game)
            assert state["board"]["position"] == position.text
            assert [move["move"] for move in state["board"]["moves"]] == list(position.moves())
            move = position.moves()[len(position.moves()) // 2]
            assert ann.act(game, "moves", move=move.lower()).status_code == 200
            position = position.play(move)
        state = ann.state(game)
        assert state["outcome"] == position.outcome()._asdict()
        assert problem(ann.act(game, "moves", move=move)) == (409, "game-over")

    def test_the_computer_answers_as_in_a_match(self, person):
        from pentagrid.play.match import Match, Seat

        ann = person()
        seats = [{"kind": "human"}, {"kind": "level:5"}]
        game = ann.create("capture-squares", seed=9, seats=seats, you=1)["id"]
        match = Match(pg.load("capture-squares").deal(9), (Seat(), Seat(kind="level:5")), seed=9)
        while match.outcome is None:
            move = match.position.moves()[0]
            ann.act(game, "moves", move=move)
            match.play(move)
            if match.outcome is None:
                match.play(match.think())
            until(lambda: len(ann.state(game)["moves"]) == len(match.moves))
            assert ann.state(game)["moves"] == match.moves
        assert ann.state(game)["outcome"] == match.outcome._asdict()

    def test_the_computer_can_begin(self, person):
        ann = person()
        game = ann.create("number-cross", seats=[{"kind": "perfect"}, {"kind": "human"}], you=2)["id"]
        until(lambda: len(ann.state(game)["moves"]) == 1)

    def test_a_refusal_says_why_and_changes_nothing(self, person):
        ann = person()
        game = ann.create(board=BOARD)["id"]
        ann.act(game, "moves", move="R1C1")
        before = ann.state(game)
        answer = ann.act(game, "moves", move="R1C2")
        assert problem(answer) == (422, "not-allowed") and "Row 1" in answer.json()["message"]
        assert problem(ann.act(game, "moves", move="R9C9")) == (400, "unreadable")
        assert problem(ann.act(game, "moves", move="nonsense")) == (400, "unreadable")
        assert ann.state(game) == before

    def test_resigning_and_the_record(self, person):
        ann, bob, game = link_game(person, board=BOARD, seats=[{"name": "Ann"}, {}])
        ann.act(game, "moves", move="R1C1")
        assert bob.act(game, "resign").status_code == 200
        found = read_record(ann.get(f"/api/games/{game}/record").text)
        assert found.match.outcome == (1, "resign")
        assert found.match.moves == ["R1C1"] and [seat.name for seat in found.match.seats] == ["Ann", "Bob"]

    def test_moves_made_already_and_every_rule_option(self, person):
        ann = person()
        created = ann.create("capture-square", rules={"sudden-death": "exchange"}, size=3, moves=["a1", "B2"])
        state = ann.state(created["id"])
        assert state["moves"] == ["A1", "B2"] and state["board"]["rules"]["sudden-death"] == "exchange"

    def test_komi_and_a_swap(self, person):
        ann = person()
        created = ann.create("number-cross", rules={"komi": "fair", "pie": "on"}, seed=3, moves=["Row1", "swap"])
        state = ann.state(created["id"])
        assert state["moves"] == ["Row1", "swap"] and state["board"]["turn"] == 1
        assert state["board"]["komi"]["seat"] == 1 and state["board"]["komi"]["points"] % 1 == 0.5
        assert "Pie rule: yes, the second player may swap sides" in state["board"]["options"]

    def test_a_toss_is_settled_at_the_deal_and_anew_for_a_rematch(self, person):
        ann = person()
        for seed in range(4):
            created = ann.create("capture-square", rules={"sudden-death-first": "toss"}, seed=seed)
            first = pg.load("capture-square", sudden_death_first="toss").deal(seed).game.rules["sudden-death-first"]
            assert f"Who begins Sudden Death: Player {first}" in ann.state(created["id"])["board"]["options"]
        terms = Terms("", [], ["human", "human"], ["", ""], [], True, 0, None, False, "")
        start = pg.load("capture-square", sudden_death_first="1").deal()
        room = Room("a", 0.0, terms._replace(start=start.text, tossed={"sudden-death-first": "toss"}), {})
        starts = {rematch_of(room, "").terms["start"].split("sudden-death-first=")[1][0] for _ in range(40)}
        assert starts == {"1", "2"}

    def test_blocks_of_three_decide_a_full_board(self, person):
        ann = person()
        moves = ["A1", "C1", "B1", "A2", "C2", "B2", "A3", "C3", "B3"]
        created = ann.create("capture-square", size=3, rules={"ending": "blocks", "komi": "-0.5"}, moves=moves)
        state = ann.state(created["id"])
        assert state["board"]["scores"] == [0, 0] and state["sentence"] == "The game is over: Player 1 has won by 0.5."

    def test_the_sentence_counts_the_komi(self, person):
        ann = person()
        moves = ["0 0", "0 1", "0 2", "1 0", "1 1", "1 2", "2 0", "2 1", "2 2"]
        created = ann.create("number-grid-battle", rules={"komi": "20"}, board="9 8 7/6 5 4/3 2 1", moves=moves)
        assert ann.state(created["id"])["sentence"].endswith("has won by 15.")

    @pytest.mark.parametrize("name", pg.game_names())
    def test_any_position_of_a_game_in_progress_can_be_played_on_from(self, person, name):
        ann = person()
        position = pg.load(name).deal(3)
        for _ in range(3):
            position = position.play(position.moves()[-1])
        answer = ann.post("/api/games", {"position": position.text, "moves": [position.moves()[0].lower()]})
        assert answer.status_code == 201, answer.text
        game = answer.json()["id"]
        state = ann.state(game)
        assert state["start"] == position.text and state["moves"] == [position.moves()[0]]
        assert state["board"]["position"] == position.play(position.moves()[0]).text
        ann.act(game, "undo")
        while ann.state(game)["outcome"] is None:
            assert ann.play_first(game).status_code == 200
        found = read_record(ann.get(f"/api/games/{game}/record").text)
        assert found.match.start == position and found.match.moves == ann.state(game)["moves"]
        assert ann.act(game, "rematch").status_code == 200

    def test_the_computer_plays_on_from_a_position_in_either_seat(self, person):
        ann = person()
        position = pg.load("number-cross").deal(3)
        position = position.play(position.moves()[0])
        seats = [{"kind": "human"}, {"kind": "level:2"}]
        answer = ann.post("/api/games", {"position": position.text, "seats": seats, "you": 1})
        until(lambda: len(ann.state(answer.json()["id"])["moves"]) == 1)

    def test_a_position_that_cannot_be_played_on_from(self, person):
        ann = person()
        start = pg.load("number-cross").deal(3)
        over = start
        while over.turn:
            over = over.play(over.moves()[0])
        for asked in (
            {},
            {"position": over.text},
            {"position": start.text, "game": "number-cross"},
            {"position": start.text, "size": 3},
            {"position": start.text, "rules": {"pie": "on"}},
            {"position": start.text, "board": BOARD},
            {"position": "chess"},
        ):
            assert problem(ann.post("/api/games", asked)) == (422, "bad-option"), asked

    @pytest.mark.parametrize("name", pg.game_names())
    def test_players_without_names_are_called_as_the_game_calls_them(self, person, name):
        ann = person()
        names = list(player_names(pg.load(name)))
        game = ann.create(name)["id"]
        state = ann.state(game)
        assert [seat["name"] for seat in state["seats"]] == names == state["board"]["players"]
        assert state["sentence"] == f"{names[0]} to move."
        ann.play_first(game)
        ann.act(game, "resign")
        assert ann.state(game)["sentence"] == f"The game is over: {names[0]} has won, because {names[1]} resigned."
        found = ann.get("/api/analysis", params={"position": pg.load(name).deal(5).text}).json()
        assert names[0] in found["sentence"] + found["options"][0]["result"] or names[1] in found["sentence"]
        review = ann.post("/api/review", {"start": pg.load(name).deal(5).text, "names": ["Ann", ""]}).json()
        assert names[0] not in json.dumps(review["nodes"][0]["options"])


class TestSeats:
    def test_nobody_plays_for_another(self, person):
        ann, bob, game = link_game(person)
        stranger = person()
        assert problem(bob.play_first(game)) == (403, "wrong-seat")
        assert problem(stranger.play_first(game)) == (403, "wrong-seat")
        assert problem(stranger.act(game, "resign")) == (403, "wrong-seat")
        nobody = ann.client.post(f"/api/games/{game}/moves", json={"move": "R1C1", "revision": 1})
        assert problem(nobody) == (403, "wrong-seat")
        forged = ann.client.post(
            f"/api/games/{game}/resign", json={"revision": 1}, headers={"authorization": "Bearer x"}
        )
        assert problem(forged) == (401, "wrong-token")
        assert ann.state(game)["revision"] == 1

    def test_an_invitation_gives_its_seat_once(self, person):
        ann, bob, eve = person(), person(), person()
        created = ann.create(you=2)
        assert problem(ann.join(created)) == (403, "wrong-seat")
        assert bob.join(created, name="Bob").json() == {"seat": 1}
        used = eve.join(created)
        assert problem(used) == (403, "used-invitation") and "used already: Bob has taken" in used.json()["message"]
        looked = eve.post(f"/api/games/{created['id']}/invitation", {"invitation": created["invitation"][-43:]})
        assert problem(looked) == (403, "used-invitation")
        unknown = eve.post(f"/api/games/{created['id']}/join", {"invitation": "x" * 43})
        assert problem(unknown) == (403, "wrong-invitation") and "used" not in unknown.json()["message"]
        assert problem(eve.post(f"/api/games/{created['id']}/join", {"invitation": "short"})) == (
            403,
            "wrong-invitation",
        )

    def test_two_players_cannot_have_one_name(self, person):
        ann, bob = person(), person()
        created = ann.create(you=1, seats=[{"name": "Ann"}, {}])
        refused = bob.join(created, name="ann")
        assert problem(refused) == (422, "bad-option") and "Both players are called" in refused.json()["message"]
        assert bob.join(created, name="Bob").json() == {"seat": 2}, "the invitation was not used up"

    def test_a_second_device_and_a_new_link_for_the_open_seat(self, person):
        ann, bob, phone, eve = person(), person(), person(), person()
        created = ann.create(you=1)
        again = ann.act(created["id"], "link", seat=2).json()
        assert bob.join(again).status_code == 200
        assert problem(eve.act(created["id"], "link", seat=1)) == (403, "wrong-seat")
        assert problem(ann.act(created["id"], "link", seat=2)) == (403, "wrong-seat")
        mine = ann.act(created["id"], "link", seat=1).json()
        assert phone.join(mine).json() == {"seat": 1}
        assert phone.play_first(created["id"]).status_code == 200

    def test_tokens_are_stored_hashed_and_cookies_are_closed(self, client, database):
        answer = client.post("/api/games", json={"game": "matrix-capture", "you": 1})
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
        token = client.cookies["pentagrid"]
        secret = answer.json()["invitation"].partition("#")[2]
        with open(database.removeprefix("sqlite:///"), "rb") as file, open(file.name + "-wal", "rb") as wal:
            kept = file.read() + wal.read()
        assert answer.json()["id"].encode() in kept
        assert token.encode() not in kept and secret.encode() not in kept
        assert client.get(f"/api/games/{answer.json()['id']}").json()["you"] == [1]

    def test_names_are_checked_and_escaped(self, person, client):
        ann = person()
        assert problem(ann.post("/api/games", {"game": "matrix-capture", "seats": [{"name": "a\nb"}, {}]})) == (
            422,
            "bad-option",
        )
        name = "<script>alert(1)</script>"
        game = ann.create(seats=[{"name": name}, {}])["id"]
        assert ann.state(game)["seats"][0]["name"] == name
        page = client.get(f"/play/{game}").text
        assert name not in page
        for path in ("/play/%3Cscript%3Ealert(1)", "/nothing/%3Cscript%3Ealert(1)"):
            assert "<script>alert" not in client.get(path, headers={"accept": "text/html"}).text


class TestTogether:
    def test_undo_is_asked_and_granted(self, person):
        ann, bob, game = link_game(person)
        assert problem(bob.act(game, "undo")) == (422, "not-allowed")
        ann.play_first(game)
        assert ann.act(game, "undo").status_code == 200
        assert problem(ann.act(game, "undo/answer", grant=True)) == (403, "wrong-seat")
        assert bob.act(game, "undo/answer", grant=False).status_code == 200
        assert len(ann.state(game)["moves"]) == 1
        ann.act(game, "undo")
        bob.act(game, "undo/answer", grant=True)
        assert ann.state(game)["moves"] == [] and ann.state(game)["undo_asked"] is None
        ann.play_first(game)
        bob.play_first(game)
        ann.act(game, "undo")
        bob.act(game, "undo/answer", grant=True)
        assert ann.state(game)["moves"] == []
        assert problem(bob.act(game, "undo/answer", grant=True)) == (422, "not-allowed")

    def test_undo_at_one_screen_is_at_once(self, person):
        ann = person()
        game = ann.create()["id"]
        ann.play_first(game)
        ann.act(game, "undo")
        assert ann.state(game)["moves"] == []

    def test_rematch_swaps_the_seats(self, person):
        ann, bob, game = link_game(person, seats=[{"name": "Ann"}, {}])
        assert problem(ann.act(game, "rematch")) == (422, "not-allowed")
        ann.act(game, "resign")
        answer = ann.act(game, "rematch").json()
        assert bob.act(game, "rematch").json() == answer
        view = bob.get(f"/api/games/{answer['id']}").json()
        assert (
            view["state"]["seats"][0]["joined"]
            and view["you"] == [1]
            and [seat["name"] for seat in view["state"]["seats"]] == ["Bob", "Ann"]
        )
        assert problem(person().act(game, "rematch")) == (403, "wrong-seat")

    def test_a_stale_move_is_refused(self, person):
        ann = person()
        game = ann.create(board=BOARD)["id"]
        assert ann.act(game, "moves", 0, move="R1C1").json() == {"revision": 1}
        for replayed in ("R1C1", "R2C2"):
            assert problem(ann.act(game, "moves", 0, move=replayed)) == (409, "stale")
        assert ann.state(game)["moves"] == ["R1C1"]


class TestClock:
    def test_the_clock_of_a_rematch_waits_for_the_other(self, person):
        ann, bob, game = link_game(person, turn_seconds=60)
        bob.act(game, "resign")
        again = ann.act(game, "rematch").json()["id"]
        state = ann.state(again)
        assert state["deadline"] is None and not state["seats"][0]["joined"] and not state["seats"][0]["open"]
        assert problem(ann.act(again, "link", seat=1)) == (403, "wrong-seat")
        bob.act(game, "rematch")
        assert ann.state(again)["deadline"] is not None

    def test_the_server_ends_a_turn_that_nobody_watches(self, person):
        ann = person()
        game = ann.create(turn_seconds=0.3)["id"]
        assert ann.state(game)["deadline"] is not None
        until(lambda: ann.state(game)["outcome"] is not None)
        assert ann.state(game)["outcome"] == {"winner": 2, "reason": "time"}
        assert problem(ann.act(game, "moves", move="R1C1")) == (409, "game-over")
        assert read_record(ann.get(f"/api/games/{game}/record").text).match.outcome == (2, "time")

    def test_the_clock_waits_until_both_have_sat_down(self, person):
        ann, bob = person(), person()
        created = ann.create(you=1, turn_seconds=0.2)
        time.sleep(0.4)
        assert ann.state(created["id"])["outcome"] is None
        bob.join(created)
        until(lambda: ann.state(created["id"])["outcome"] is not None)

    def test_a_turn_that_a_restart_interrupts_begins_anew(self, database):
        with TestClient(make_app(settings_for(database))) as client:
            ann = Person(client)
            game = ann.create(turn_seconds=1.0)["id"]
            time.sleep(0.6)
        time.sleep(0.6)
        with TestClient(make_app(settings_for(database))) as client:
            ann.client = client
            state = ann.state(game)
            assert state["outcome"] is None and state["deadline"] > time.time() + 0.5
            until(lambda: ann.state(game)["outcome"] == {"winner": 2, "reason": "time"})


class TestEvents:
    def test_a_connection_that_does_not_keep_up_is_cut_off(self):
        from pentagrid.web.rooms.connections import MOST_WAITING, Subscriber

        slow = Subscriber(frozenset())
        for number in range(2 * MOST_WAITING):
            slow.send(str(number))
        waiting = [slow.messages.get_nowait() for _ in range(slow.messages.qsize())]
        assert waiting == [*map(str, range(MOST_WAITING - 1)), None]

    def test_events_come_in_order_and_can_be_resumed(self, person, client):
        ann, bob, game = link_game(person)
        with client.websocket_connect(f"/api/games/{game}/events", headers=bob.headers) as socket:
            hello = socket.receive_json()
            assert hello["type"] == "hello" and hello["you"] == [2] and hello["values"] is False
            assert [event["kind"] for event in hello["events"]] == ["join"]
            ann.play_first(game)
            message = next_of(socket, "events")
            assert [event["revision"] for event in message["events"]] == [2] and message["state"]["revision"] == 2
            assert message["events"][0]["said"].startswith("Player 1 selected number")
        bob.play_first(game)
        with client.websocket_connect(f"/api/games/{game}/events?since=2") as socket:
            hello = socket.receive_json()
            assert [event["revision"] for event in hello["events"]] == [3] and hello["you"] == []

    def test_who_asks_whether_they_are_heard_is_answered(self, person, client):
        game = person().create()["id"]
        with client.websocket_connect(f"/api/games/{game}/events") as socket:
            for said in ("anything", "ping"):
                socket.send_text(said)
            assert next_of(socket, "pong") == {"type": "pong"}

    def test_presence(self, person, client):
        ann, bob, game = link_game(person)
        with client.websocket_connect(f"/api/games/{game}/events", headers=ann.headers) as first:
            first.receive_json()
            with client.websocket_connect(f"/api/games/{game}/events", headers=bob.headers) as second:
                second.receive_json()
                while next_of(first, "presence")["connected"] != {"players": [True, True], "spectators": 0}:
                    pass
            while next_of(first, "presence")["connected"] != {"players": [True, False], "spectators": 0}:
                pass

    def test_an_unknown_game_and_another_sites_page_are_refused(self, client):
        with client.websocket_connect("/api/games/nothing/events") as socket:
            assert socket.receive_json()["code"] == "no-such-game"
        from starlette.websockets import WebSocketDisconnect

        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/api/games/nothing/events", headers={"origin": "http://evil.example"}),
        ):
            pass


class TestGuard:
    def test_what_comes_from_another_site_changes_nothing(self, client):
        data = {"game": "matrix-capture"}
        for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
            assert problem(client.post("/api/games", json=data, headers=headers)) == (403, "other-origin")
        form = client.post("/api/games", content="game=x", headers={"content-type": "text/plain"})
        assert problem(form) == (415, "not-json")
        assert client.post("/api/games", json=data, headers={"origin": "http://testserver"}).status_code == 201

    def test_bad_requests(self, client):
        json = {"content-type": "application/json"}
        assert problem(client.post("/api/games", content=b"{", headers=json)) == (422, "bad-request")
        assert problem(client.post("/api/games", json={"game": "chess"})) == (422, "bad-option")
        assert problem(client.post("/api/games", json={"game": "matrix-capture", "size": 99})) == (422, "bad-option")
        assert problem(client.post("/api/games", json={"game": "matrix-capture", "board": "1 2"})) == (
            422,
            "bad-option",
        )
        assert problem(client.post("/api/games", json={"game": "matrix-capture", "more": 1})) == (422, "bad-request")
        assert problem(client.post("/api/games", content=b"x" * 70_000, headers=json)) == (413, "too-large")

        def stream():
            for _ in range(100):
                yield b" " * 1000

        assert problem(client.post("/api/games", content=stream(), headers=json)) == (413, "too-large")
        assert problem(client.get("/api/games/AAAAAAAAAAAAAAAA")) == (404, "no-such-game")
        assert problem(client.get("/api/nothing")) == (404, "no-such-page")
        assert problem(client.get("/api/analysis", params={"position": "chess board=1"})) == (422, "bad-option")

    def test_rates_are_limited_for_each_address(self, database):
        with TestClient(make_app(settings_for(database, rate=1.0, burst=5))) as client:
            codes = [client.get("/health").status_code for _ in range(8)]
            assert codes[:5] == [200] * 5 and codes[-1] == 429
            time.sleep(1.1)
            assert client.get("/health").status_code == 200

    def test_every_answer_carries_the_policy_and_nothing_is_loaded_from_elsewhere(self, client):
        for path in (
            "/",
            "/rules/number-cross",
            "/new/number-cross",
            "/puzzle",
            "/analyze",
            "/api",
            "/health",
            "/nothing",
        ):
            answer = client.get(path, headers={"accept": "text/html"})
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe" not in policy
            own = re.sub("http://(www.w3.org/2000/svg|testserver/)", "", answer.text)  # previews name their own server
            assert "http://" not in own and "https://" not in own
            assert " style=" not in answer.text and " onclick=" not in answer.text


class TestPages:
    def test_the_start_page_says_everything_without_scripts(self, client):
        page = client.get("/").text
        for name in pg.game_names():
            assert pg.load(name).title in page and f"/rules/{name}" in page and f"/analyze/{name}" in page
            for way in ("computer", "screen", "link"):
                assert f"/new/{name}?with={way}" in page
        assert page.count('role="img" aria-label="A board of') == len(pg.game_names())

    @pytest.mark.parametrize("name", pg.game_names())
    def test_the_rules_are_those_of_the_rulebook(self, client, name):
        page = client.get(f"/rules/{name}").text
        from pentagrid.core.rulebook import rules_of

        for heading in [line[3:] for line in rules_of(name).splitlines() if line.startswith("## ")]:
            assert f"<h2>{heading}</h2>" in page

    def test_health_and_openapi(self, client):
        assert client.get("/health").json()["status"] == "ok"
        described = client.get("/openapi.json").json()
        assert "/api/games/{game}/moves" in described["paths"]
        assert "/api/games/{game}/moves" in client.get("/api").text
