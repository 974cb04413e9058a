"""Puzzles over the API: what is posed, what is judged, what is refused, and what is not told."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from tests_web import link_game, problem

import pentagrid as pg
from pentagrid.puzzles import hints
from pentagrid.puzzles import playouts as puzzle_lines
from pentagrid.puzzles import puzzle as puzzles
from pentagrid.terminal.main import main
from pentagrid.web.api.board_data import described

GAMES = puzzles.puzzle_games()
SUNDAY = date(2025, 1, 5)
SEED = "a seed is a whole number from 0 to 9223372036854775807."


def as_json(data):
    return json.loads(json.dumps(data))


def named(game, difficulty=2, seed=4):
    return {"game": game, "difficulty": difficulty, "seed": seed}


def answered(client, params, move):
    return client.post("/api/puzzle/answer", params=params, json={"move": move})


class TestPosing:
    @pytest.mark.parametrize("game", GAMES)
    def test_a_seed_is_the_puzzle_of_the_library_and_nothing_tells_the_answer(self, client, game):
        puzzle = puzzles.make_puzzle(pg.load(game), 2, 4)
        posed = client.get("/api/puzzle", params=named(game)).json()
        assert posed.pop("today") == datetime.now(UTC).date().isoformat()
        # all of it is known from the position, the difficulty and the kind alone
        assert posed == {
            "query": f"game={game}&difficulty=2&seed=4",
            "daily": None,
            "difficulty": 2,
            "kind": puzzle.kind,
            "question": puzzle.question(),
            "board": as_json(described(puzzle.position)),
        }
        assert puzzle.move not in posed["question"]

    def test_a_day_has_its_puzzle_and_today_is_what_comes_unasked(self, client):
        posed = client.get("/api/puzzle", params={"daily": SUNDAY.isoformat()}).json()
        assert posed["board"]["position"] == puzzles.daily_puzzle(SUNDAY).position.text
        assert (posed["daily"], posed["difficulty"], posed["query"]) == ("2025-01-05", 5, "daily=2025-01-05")
        unasked = client.get("/api/puzzle").json()
        assert unasked["daily"] == unasked["today"]
        today = puzzles.daily_puzzle(date.fromisoformat(unasked["today"]))
        assert unasked["board"]["position"] == today.position.text
        assert client.get("/api/puzzle?daily=today").json() == unasked

    def test_without_a_seed_it_is_a_fresh_one_that_can_be_asked_for_again(self, client):
        some = [client.get("/api/puzzle?game=Matrix_Capture&difficulty=1").json() for _ in range(3)]
        assert len({posed["query"] for posed in some}) == 3
        for posed in some:
            assert client.get(f"/api/puzzle?{posed['query']}").json()["board"] == posed["board"]
        assert client.get("/api/puzzle?game=matrix-capture").json()["difficulty"] == 3

    @pytest.mark.parametrize("seed", range(4, 8))
    def test_without_a_game_the_seed_chooses_the_one_that_it_chooses_at_the_terminal(self, client, capsys, seed):
        assert main(["puzzle", "--seed", str(seed), "--difficulty", "1", "--json"]) == 0
        put = json.loads(capsys.readouterr().out)
        posed = client.get(f"/api/puzzle?seed={seed}&difficulty=1").json()
        assert posed["board"]["position"] == put["position"]
        assert posed["query"] == f"game={put['game']}&difficulty=1&seed={seed}"

    def test_a_difficulty_alone_is_a_fresh_puzzle_of_any_game(self, client):
        posed = client.get("/api/puzzle?difficulty=1").json()
        assert posed["difficulty"] == 1 and posed["board"]["game"] in GAMES

    def test_the_page_is_the_same_whatever_the_puzzle_but_for_its_preview(self, client):
        pages = {
            re.sub(r"<meta property=.*>", "", client.get(f"/puzzle?{query}").text)
            for query in ("", "daily=2025-01-05", "game=capture-square&seed=1")
        }
        assert len(pages) == 1

    def test_the_page_offers_what_there_is_and_says_why_not_more(self, client):
        page = client.get("/puzzle").text
        for name in pg.game_names():
            reason = puzzles.why_no_puzzles(pg.load(name))
            assert (f'value="{name}"' in page) == (reason is None)
            assert reason is None or reason in page
        assert page.count("greed is always right") == 2
        assert 'href="/puzzle"' in client.get("/").text


class TestAnswering:
    @pytest.mark.parametrize("game", GAMES)
    def test_every_wrong_move_is_refuted_as_the_library_does_and_does_not_tell_the_right_one(self, client, game):
        puzzle = puzzles.make_puzzle(pg.load(game), 2, 4)
        for move in puzzle.position.moves():
            found = answered(client, named(game), move.lower()).json()
            line = puzzle_lines.play_out(puzzle, move)
            assert found["right"] == (move == puzzle.move)
            assert found["verdict"] == line.verdict()
            assert [step["move"] for step in found["steps"]] == [step.move for step in line.steps]
            assert [step["board"] for step in found["steps"]] == as_json(
                [described(s.after, s.before) for s in line.steps]
            )
            assert (*(step["said"] for step in found["steps"]), found["end"]) == line.sentences()
            if found["right"]:
                assert found["why"] == hints.puzzle_hint(puzzle)
            else:
                assert found["why"] is None and f"{puzzle.move} " not in found["verdict"]

    def test_hint_and_solution(self, client):
        puzzle = puzzles.daily_puzzle(SUNDAY)
        params = {"daily": SUNDAY.isoformat()}
        found = client.get("/api/puzzle/hint", params=params).json()
        texts = puzzle.position.game.texts
        assert found == {
            "hint": hints.puzzle_hint(puzzle),
            "tempting": [texts[action] for action in puzzle.grade.tempting],
        }
        narrow = client.get("/api/puzzle/hint/narrow", params=params).json()
        assert narrow == {"hint": hints.narrow_hint(puzzle)}
        solution = client.get("/api/puzzle/solution", params=params).json()
        line = puzzle_lines.main_line(puzzle)
        assert solution["right"] and solution["verdict"] == line.solution()
        assert [step["move"] for step in solution["steps"]] == [step.move for step in line.steps]


class TestRefusing:
    @pytest.mark.parametrize("name", [name for name in pg.game_names() if name not in GAMES])
    def test_where_greed_is_right_the_answer_says_so(self, client, name):
        refusal = client.get("/api/puzzle", params={"game": name})
        assert problem(refusal) == (422, "bad-option")
        assert refusal.json()["message"].startswith(puzzles.why_no_puzzles(pg.load(name)))

    @pytest.mark.parametrize(
        ("query", "code", "message"),
        [
            ("game=chess", "bad-option", "There is no game 'chess'"),
            (
                "game=matrix-capture&difficulty=6",
                "bad-option",
                "difficulty must be a whole number from 1 (easy) to 5, not '6'",
            ),
            (
                "game=matrix-capture&difficulty=hard",
                "bad-option",
                "difficulty must be a whole number from 1 (easy) to 5, not 'hard'.",
            ),
            (
                "game=matrix-capture&difficulty=",
                "bad-option",
                "difficulty must be a whole number from 1 (easy) to 5, not ''.",
            ),
            ("game=matrix-capture&seed=-1", "bad-option", f"'-1' is not a seed; {SEED}"),
            ("seed=abc", "bad-option", f"'abc' is not a seed; {SEED}"),
            ("seed=1.5", "bad-option", f"'1.5' is not a seed; {SEED}"),
            ("seed=9223372036854775808", "bad-option", f"'9223372036854775808' is not a seed; {SEED}"),
            (f"seed={'9' * 5000}", "bad-option", "is not a seed"),
            ("game=matrix-capture&size=6", "bad-option", "A puzzle has no parameter 'size'; its parameters are"),
            ("foo=bar", "bad-option", "its parameters are game, difficulty, seed and daily."),
            ("daily=2026-02-30", "bad-option", "or today, not '2026-02-30'."),
            ("daily=yesterday", "bad-option", "or today, not 'yesterday'."),
            ("daily=20250105", "bad-option", "or today, not '20250105'."),
            ("daily=9999-12-31", "bad-option", "The puzzle of 9999-12-31 is not there yet"),
            ("daily=2025-01-05&game=matrix-capture", "bad-option", "leave out daily"),
        ],
    )
    def test_what_is_no_puzzle_is_named(self, client, query, code, message):
        refusal = client.get(f"/api/puzzle?{query}")
        assert problem(refusal) == (422, code) and message in refusal.json()["message"]

    def test_a_deal_to_analyze_says_what_a_seed_is(self, client):
        refusal = client.get("/analyze/matrix-capture?seed=abc")
        assert problem(refusal) == (422, "bad-option") and SEED in refusal.json()["message"]

    def test_tomorrow_comes_tomorrow(self, client):
        tomorrow = datetime.now(UTC).date() + timedelta(2)
        for path in ("", "/hint", "/hint/narrow", "/solution"):
            refusal = client.get(f"/api/puzzle{path}", params={"daily": tomorrow.isoformat()})
            assert problem(refusal) == (422, "bad-option")

    def test_an_answer_names_its_puzzle_and_a_legal_move(self, client):
        for path in ("hint", "hint/narrow", "solution"):
            assert problem(client.get(f"/api/puzzle/{path}?game=matrix-capture")) == (422, "bad-option")
            assert "Which puzzle?" in client.get(f"/api/puzzle/{path}").json()["message"]
        assert problem(answered(client, {"game": "matrix-capture"}, "R1C1")) == (422, "bad-option")
        params = named("matrix-capture")
        assert problem(answered(client, params, "nonsense")) == (400, "unreadable")
        gone = puzzles.make_puzzle(pg.load("matrix-capture"), 2, 4).position
        taken = next(i for i in range(16) if gone.owner(i))
        refusal = answered(client, params, gone.game.texts[taken])
        assert problem(refusal) == (422, "not-allowed")
        body = client.post("/api/puzzle/answer", params=params, json={"move": "R1C1", "position": "x"})
        assert problem(body) == (422, "bad-request")
        assert problem(client.post("/api/puzzle/answer", params=params, content="R1C1")) == (415, "not-json")


class TestHidingValues:
    def test_a_puzzle_that_people_play_is_not_solved_for_them(self, person):
        position = puzzles.make_puzzle(pg.load("matrix-capture"), 2, 4).position
        board = position.game.write_board(position, " ")
        ann, bob, game = link_game(person, board=board)
        for someone in (ann, bob):
            for path in ("hint", "hint/narrow", "solution"):
                refusal = someone.get(f"/api/puzzle/{path}", params=named("matrix-capture"))
                assert problem(refusal) == (403, "values-hidden")
            refusal = someone.post("/api/puzzle/answer", {"move": position.moves()[0]}, params=named("matrix-capture"))
            assert problem(refusal) == (403, "values-hidden")
        assert person().get("/api/puzzle/hint", params=named("matrix-capture")).status_code == 200
        ann.act(game, "resign")
        assert ann.get("/api/puzzle/hint", params=named("matrix-capture")).status_code == 200

    def test_a_game_on_an_empty_board_leaves_puzzles_to_its_players_but_for_its_own_position(self, person):
        params = named("capture-square")
        position = puzzles.make_puzzle(pg.load("capture-square"), 2, 4).position
        ann, _, game = link_game(person, game="capture-square")
        assert ann.get("/api/puzzle/hint", params=params).status_code == 200
        ann.act(game, "resign")
        moves = _way_to(position)
        again = ann.create("capture-square", moves=moves)
        assert ann.state(again["id"])["board"]["position"] == position.text
        assert problem(ann.get("/api/puzzle/hint", params=params)) == (403, "values-hidden")


def _way_to(position):
    """Moves that lead to a position on a board that is not full."""
    game = position.game
    own = [[game.texts[i] for i in range(game.cell_count) if position.owner(i) == seat] for seat in (1, 2)]
    return [own[turn % 2][turn // 2] for turn in range(position.ply)]
