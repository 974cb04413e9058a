"""Values: those of the library, for those who may see them, a few at a time."""

from __future__ import annotations

from starlette.testclient import TestClient
from tests_web import BOARD, link_game, play_out, problem, settings_for

import pentagrid as pg
from pentagrid.web.app import make_app


class TestValues:
    def test_analysis_is_that_of_the_library(self, client):
        for name in pg.game_names():
            position = pg.load(name).deal(5)
            position = position.play(position.moves()[0])
            found = client.get("/api/analysis", params={"position": position.text}).json()
            expected = pg.analyze(position)
            assert found["value"] == expected.value._asdict() and found["exact"] == expected.exact
            assert [(o["move"], o["winner"], o["margin"], o["plies"], o["best"]) for o in found["options"]] == [
                (o.move, o.winner, o.margin, o.plies, o.best) for o in expected.options
            ]
            assert [step["move"] for step in found["steps"]] == found["line"] == list(expected.line)

    def test_players_of_a_running_game_between_people_see_no_values(self, person):
        ann, bob, game = link_game(person, board=BOARD)
        spectator, outsider = person(), person()
        text = ann.state(game)["board"]["position"]
        other = pg.load("matrix-capture").deal(1).text
        for someone in (ann, bob):
            varied = [text.replace(" board=", f" {option} board=") for option in ("komi=0.5", "order=snake", "pie=on")]
            for params in (
                {"position": text},
                {"position": text, "game": game},
                *({"position": one} for one in varied),
            ):
                assert problem(someone.get("/api/analysis", params=params)) == (403, "values-hidden")
            review = someone.post(
                "/api/review", {"start": pg.load("matrix-capture").read_board(BOARD).text, "moves": ["R1C1"]}
            )
            assert problem(review) == (403, "values-hidden")
            assert someone.get("/api/analysis", params={"position": other}).status_code == 200
        with spectator.client.websocket_connect(f"/api/games/{game}/events", headers=spectator.headers) as socket:
            assert socket.receive_json()["values"] is False
        assert problem(spectator.get("/api/analysis", params={"position": text})) == (403, "values-hidden")
        assert problem(outsider.get("/api/analysis", params={"position": text, "game": game})) == (403, "values-hidden")
        ann.act(game, "resign")
        assert ann.get("/api/analysis", params={"position": text}).status_code == 200

    def test_two_people_at_one_screen_see_none_either_and_the_computers_opponent_does(self, person):
        ann = person()
        position = pg.load("matrix-capture").read_board(BOARD).text
        game = ann.create(board=BOARD)["id"]
        assert problem(ann.get("/api/analysis", params={"position": position})) == (403, "values-hidden")
        ann.act(game, "resign")
        ann.create(board=BOARD, seats=[{}, {"kind": "level:3"}], you=1)
        assert ann.get("/api/analysis", params={"position": position}).status_code == 200

    def test_spectators_see_values_if_the_creator_allows_it(self, person):
        ann, bob, game = link_game(person, board=BOARD, spectator_values=True)
        spectator = person()
        text = ann.state(game)["board"]["position"]
        with spectator.client.websocket_connect(f"/api/games/{game}/events", headers=spectator.headers) as socket:
            assert socket.receive_json()["values"] is True
        assert spectator.get("/api/analysis", params={"position": text, "game": game}).status_code == 200
        assert problem(bob.get("/api/analysis", params={"position": text, "game": game})) == (403, "values-hidden")

    def test_a_board_without_numbers_hides_only_what_the_game_can_reach(self, person):
        ann, *_ = link_game(person, game="capture-square", moves=["A1", "B2"])
        deal = pg.load("capture-square").deal()
        ahead, elsewhere = deal.play("A1").play("B2").play("C3").play("D4"), deal.play("B1").play("C1")
        assert problem(ann.get("/api/analysis", params={"position": ahead.text})) == (403, "values-hidden")
        assert ann.get("/api/analysis", params={"position": elsewhere.text}).status_code == 200

    def test_review_and_records(self, client):
        match = play_out("number-grid-battle", 4)
        from pentagrid.analysis.review import review
        from pentagrid.play.record import Record, write_record

        opened = client.post("/api/records", json={"record": write_record(Record(match))}).json()
        assert opened["moves"] == match.moves and len(opened["boards"]) == len(match.moves) + 1
        found = client.post("/api/review", json={"start": opened["start"], "moves": opened["moves"]}).json()
        expected = review(match.start, match.actions)
        assert found["accuracy"] == [expected.accuracy(1), expected.accuracy(2)]
        assert [choice["regret"] for choice in found["choices"]] == [choice.regret for choice in expected.choices]
        assert len(found["nodes"]) == len(match.moves) + 1
        broken = client.post("/api/records", json={"record": '[Game "matrix-capture"]\n1. R1C1\n'})
        assert problem(broken) == (400, "unreadable") and "line" in broken.json()["message"]

    def test_too_much_at_once_is_answered_busy(self, database):
        from concurrent.futures import ThreadPoolExecutor

        with TestClient(make_app(settings_for(database, queue=2))) as client:
            texts = [pg.load("capture-square", 6).deal().play(action).text for action in range(8)]
            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda text: client.get("/api/analysis", params={"position": text}), texts))
            codes = sorted(answer.status_code for answer in answers)
            assert codes.count(200) >= 2 and codes[-1] == 503
            assert {a.json()["code"] for a in answers if a.status_code == 503} == {"busy"}
