"""The tasks for language models, offline: the framework's mock model with scripted answers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from math import isnan
from pathlib import Path

import pytest

import pentagrid as pg
from pentagrid.core.speech import player_names
from pentagrid.errors import NotAllowedError, OptionError, UnreadableError
from pentagrid.llm import prompts

inspect_ai = pytest.importorskip("inspect_ai", reason='needs the extra "llm": pip install "pentagrid[llm]"')

from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

from pentagrid.llm import tasks  # noqa: E402

GAMES = pg.game_names()
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::UserWarning")


def model(answer):
    """A mock model whose answer to a conversation is scripted; usage is set, so it needs no tokenizer."""

    def output(messages, tools, choice, config):
        made = ModelOutput.from_content("mockllm/model", answer(messages))
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=output)


def evaluate(task, answer, folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        log = inspect_ai.eval(task, model=model(answer), log_dir=str(folder), display="none", score=True)[0]
    assert log.status == "success", log.error
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    return log, {name.rpartition("/")[2]: value for name, value in metrics.items()}


def position_in(text, game):
    """The position that a prompt with board=json shows."""
    import json

    shown = json.loads(re.search(r"^\{.*\}$", text, re.M)[0])
    claims = "".join(".12"[owner] for owner in shown["claims"])
    shape, rows = game.claim_rows(), []
    for length in shape:
        rows.append(claims[:length])
        claims = claims[length:]
    board = "" if shown["board"] is None else f"board={'/'.join(','.join(map(str, row)) for row in shown['board'])} "
    rules = "".join(f"{name}={value} " for name, value in game.chosen_rules.items())
    swapped = " swapped=yes" if shown.get("swapped") else ""
    return pg.read_position(
        f"{game.name} size={game.size} {rules}{board}claims={'/'.join(rows)} turn={shown['turn']} "
        f"ply={shown['ply']}{swapped}"
    )


def perfect(game):
    """Answers with a best move of the position in the last question."""

    def answer(messages):
        asked = [message.text for message in messages if message.role == "user"][-1]
        position = position_in(asked, game)
        best = next(option.move for option in pg.analyze(position).options if option.regret == 0)
        return f"Let me think about {position.moves()[0]} first.\n\n**MOVE: {best}**"

    return answer


@pytest.mark.parametrize("name", GAMES)
def test_a_scripted_perfect_player_has_no_regret_and_gets_what_its_seats_are_worth(name, tmp_path):
    task = tasks.duel(game=name, opponent="perfect", games=4, board="json", legal=False)
    log, metrics = evaluate(task, perfect(pg.load(name)), tmp_path)
    assert metrics["regret_per_move"] == 0 and metrics["wins_thrown_away"] in (0,) and metrics["forfeited"] == 0
    assert metrics["seat_score"] == 0 and metrics["illegal_per_answer"] == metrics["unreadable_per_answer"] == 0
    assert len(log.samples) == 4 and {sample.metadata["seat"] for sample in log.samples} == {1, 2}


@pytest.mark.parametrize("name", GAMES)
def test_a_scripted_perfect_player_finds_every_best_move(name, tmp_path):
    _, metrics = evaluate(tasks.best_move(game=name, positions=12, board="json"), perfect(pg.load(name)), tmp_path)
    assert metrics == {"best_of_all": 1, "best_of_legal": 1, "regret_per_move": 0, "illegal": 0, "unreadable": 0}


CHOSEN = [
    ("number-cross", 4, "pie=on,order=snake"), ("matrix-capture", 3, ["komi=2.5", "order=thue-morse"]),
    ("capture-square", 3, {"pie": True, "sudden-death-first": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "size", "options"), CHOSEN)
def test_under_any_option_a_perfect_player_has_no_regret(name, size, options, tmp_path):
    game = pg.load(name, size, **tasks.read_options(options))
    chosen = {"game": name, "size": size, "options": options, "board": "json"}
    log, metrics = evaluate(tasks.duel(opponent="level:4", games=6, **chosen), perfect(game), tmp_path)
    assert metrics["regret_per_move"] == 0 and metrics["forfeited"] == 0 and metrics["seat_score"] >= 0
    for sample in log.samples:
        assert pg.read_position(sample.metadata["start"]).game == game
        news = [m.text for m in sample.messages if m.role == "user"]
        theirs, position = [], pg.read_position(sample.metadata["start"])
        for number, move in enumerate(sample.metadata["played"]["moves"]):
            if position.mover != sample.metadata["seat"] and number >= sample.metadata["played"]["begun"]:
                theirs.append(f"Player {position.mover} plays {move}.")
            position = position.play(move)
        named = [line for text in news for line in re.findall(r"Player [12] plays [^.]+\.", text)]
        assert named == theirs[: len(named)] and len(named) >= len(theirs) - 2  # each once; but for those at the end
    _, metrics = evaluate(tasks.best_move(positions=8, **chosen), perfect(game), tmp_path)
    assert metrics["best_of_all"] == 1
    answers = tasks.rules(questions=12, **chosen).dataset
    assert {sample.target for sample in answers} >= {"yes", "no"}
    for task in (tasks.duel(games=2, **chosen), tasks.best_move(positions=2, **chosen)):
        for rule in game.offered_rules:
            value = game.rules[rule.name]
            assert (f"- {rule.name}={value}: {rule.meaning}." in task.dataset[0].input) == (value != rule.values[0])


def test_a_fair_komi_is_told_deal_by_deal():
    samples = tasks.duel("number-cross", games=8, options="komi=fair").dataset
    for sample in samples:
        start = pg.read_position(sample.metadata["start"])
        assert abs(pg.analyze(start).value.margin) == 0.5
        assert f"- komi={start.game.rules['komi']}: points that the second player receives" in sample.input
    assert len({sample.input for sample in samples}) > 1


def test_after_a_swap_every_board_says_so():
    position = pg.load("number-cross", pie="on", komi="2").deal(seed=1).play("Row1").play("swap")
    drawing, data, prose = (prompts.position_text(position, board) for board in prompts.BOARD_FORMS)
    assert "have swapped sides" in drawing and "have swapped sides" in prose and '"swapped": true' in data
    assert "Komi for Player 1: 2" in drawing and "Komi for Player 1: 2" in prose
    with pytest.raises(NotAllowedError, match="no-swap"):
        prompts.read_move("MOVE: swap", position)


def test_a_poor_player_is_measured_as_such(tmp_path):
    def first_legal(messages):
        moves = re.findall(r"The legal moves are: (.*)", messages[-1].text)
        return f"move: {moves[0].split('; ')[-1]}"

    log, metrics = evaluate(tasks.duel(game="number-cross", opponent="perfect", games=10), first_legal, tmp_path)
    assert metrics["seat_score"] < 0 and metrics["regret_per_move"] > 0 and metrics["win_rate"] < 0.5
    assert 0 < metrics["best_of_real"] < 1 and metrics["wins_thrown_away"] > 0
    counts = [sample.scores["game_played"].metadata for sample in log.samples]
    for sample, count in zip(log.samples, counts, strict=True):
        position, regret = pg.read_position(sample.metadata["start"]), 0
        for move in sample.metadata["played"]["moves"]:
            if position.mover == sample.metadata["seat"]:
                regret += next(o.regret for o in pg.analyze(position).options if o.move == move)
            position = position.play(move)
        assert count["regret"] == regret and count["won"] == (position.outcome().winner == sample.metadata["seat"])


def test_illegal_and_unreadable_answers_are_told_and_counted_apart(tmp_path):
    heard = []

    def stubborn(messages):
        heard.append(messages[-1].text)
        return ("I resign.", "MOVE: R1C1")[sum(message.role == "assistant" for message in messages) % 2]

    task = tasks.duel(game="matrix-capture", opponent="greedy", games=2, retries=2)
    log, metrics = evaluate(task, stubborn, tmp_path)
    assert metrics["unreadable_per_answer"] == pytest.approx(0.5, abs=0.2) and metrics["illegal_per_answer"] > 0
    assert metrics["forfeited"] > 0
    assert any("is not a move" in text or "MOVE" in text for text in heard)
    assert any(sample.metadata["played"]["reason"] == "illegal" for sample in log.samples)
    assert any("has already been captured" in text or "is not available" in text for text in heard)


def test_who_never_names_a_legal_move_has_no_regret_to_speak_of(tmp_path):
    _, metrics = evaluate(tasks.best_move("matrix-capture", positions=6), lambda messages: "MOVE: nonsense", tmp_path)
    assert metrics["unreadable"] == 1 and metrics["best_of_all"] == 0
    assert isnan(metrics["regret_per_move"]) and isnan(metrics["best_of_legal"])


@pytest.mark.parametrize("name", GAMES)
def test_questions_about_the_rules_have_right_answers(name, tmp_path):
    game = pg.load(name)

    def knows(messages):
        text = messages[-1].text
        position = position_in(text, game) if "who has won" not in text.lower() else None
        if position is not None:
            move = re.search(r"Is the move (.+?) legal", text)[1]
            return f"ANSWER: {'Yes' if game.action(move) in position.actions() else 'No'}."
        shown = re.search(r"^\{.*\}$", text, re.M)[0].replace('"turn": null', '"turn": 1')
        import json

        data = json.loads(shown)
        claims = {seat: sum(1 << i for i, who in enumerate(data["claims"]) if who == seat) for seat in (1, 2)}
        numbers = tuple(n for row in data["board"] or () for n in row)
        ply = data["ply"]
        scores = game.count_scores(numbers, claims[1], claims[2])
        final = pg.Position(game, numbers, claims[1], claims[2], game.side_at(ply), ply, scores)
        return f"Well.\nAnswer: Player {final.outcome().winner}"

    log, metrics = evaluate(tasks.rules(game=name, questions=24, board="json"), knows, tmp_path)
    assert metrics == {"right_of_all": 1, "right_of_read": 1, "unreadable": 0}
    targets = {sample.target for sample in log.samples}
    assert {"yes", "no"} <= targets and targets & set(player_names(game))


def test_an_unreadable_answer_about_the_rules_is_counted_apart(tmp_path):
    _, metrics = evaluate(tasks.rules("matrix-capture", questions=6), lambda messages: "It depends.", tmp_path)
    assert metrics["unreadable"] == 1 and metrics["right_of_all"] == 0 and isnan(metrics["right_of_read"])


@pytest.mark.parametrize(("reply", "choice"), [
    ("ANSWER: Player B", "Player B"), ("answer: **b**", "Player B"), ("2", "Player B"), ("ANSWER: seat 1.", "Player A"),
    ("Player A (seat 1)", "Player A"), ("ANSWER: Player C", None), ("yes", None), ("", None),
])  # fmt: skip
def test_a_player_can_be_named_in_several_ways(reply, choice):
    assert tasks.read_choice(reply, ["Player A", "Player B"]) == choice


def test_prompts_call_players_what_the_game_calls_them(tmp_path):
    position = pg.load("capture-squares").deal(seed=1).play("1,1")
    texts = [prompts.move_prompt(position, board, legal=True) for board in prompts.BOARD_FORMS]
    (tmp_path / "short.md").write_text("Claim cells.")
    asked = tasks.rules("capture-squares", questions=9, rules=str(tmp_path / "short.md")).dataset
    texts += [sample.input for sample in asked]
    assert "You are Player B, and" in texts[0] and "You are Player B (seat 2), and" in texts[1]
    assert "owned by Player A" in texts[2] and not any(re.search(r"Player [12]", text) for text in texts)


class TestReadingAnswers:
    position = pg.load("matrix-capture").read_board("5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1").play("R2C2")

    @pytest.mark.parametrize(
        "reply",
        ["MOVE: R1C1", "move: r1c1", "R1C1", " `R1C1` ", "**MOVE:** R1C1", "**MOVE: R1C1**", "> MOVE: R1 C1.",
         "I think MOVE: R3C3 is bad.\nMOVE: R3C3\nNo, rather:\nMOVE: R1C1\n", "MOVE: “R1C1”!", "# Move : R1,C1"],
    )  # fmt: skip
    def test_fair(self, reply):
        assert prompts.read_move(reply, self.position) == 0

    @pytest.mark.parametrize(
        "reply", ["", "I take R1C1 because it is big.", "MOVE:", "MOVE: R1C1 or R1C3", "MOVE: R9C9", "remove: R1C1 now",
                  "The best\nMOVE is R1C1"]
    )  # fmt: skip
    def test_strict(self, reply):
        with pytest.raises(UnreadableError):
            prompts.read_move(reply, self.position)

    def test_illegal_is_not_unreadable(self):
        with pytest.raises(NotAllowedError):
            prompts.read_move("MOVE: R2C3", self.position)


class TestPrompts:
    def test_rules_of_the_users_own(self, tmp_path):
        (tmp_path / "mine.md").write_text("Take what you like.")
        sample = tasks.duel("matrix-capture", rules=str(tmp_path / "mine.md"), games=2).dataset[0]
        assert "Take what you like." in sample.input and "Sudden" not in sample.input
        assert "removed" in tasks.duel("matrix-capture", games=2).dataset[0].input
        (tmp_path / "bytes").write_bytes(b"\xff")
        for wrong in (tmp_path / "no.md", tmp_path / "bytes", tmp_path):
            with pytest.raises(OptionError):
                tasks.duel("matrix-capture", rules=str(wrong), games=2)

    def test_legal_moves_are_listed_or_not(self):
        with_list, without = (
            tasks.best_move("matrix-capture", positions=3, legal=legal).dataset[0].input for legal in (True, False)
        )
        assert "The legal moves are: " in with_list and "The legal moves are: " not in without

    @pytest.mark.parametrize("name", GAMES)
    def test_three_ways_to_show_a_board(self, name):
        position = pg.load(name).deal(seed=1)
        position = position.play(position.actions()[0])
        drawing, data, prose = (prompts.position_text(position, board) for board in prompts.BOARD_FORMS)
        assert position_in(data, position.game) == position and player_names(position.game)[0] in prose
        assert len({drawing, data, prose}) == 3

    @pytest.mark.parametrize(
        "options",
        [{"board": "film"}, {"opponent": "human"}, {"opponent": "best"}, {"games": 3}, {"game": "chess"}, {"size": 99},
         {"options": "pie"}, {"options": "pie=on,pie=off"}, {"options": "pie=maybe"}, {"options": {"color": "red"}}],
    )  # fmt: skip
    def test_options_that_cannot_be(self, options):
        with pytest.raises(OptionError):
            tasks.duel(**({"game": "matrix-capture"} | options))


def test_the_framework_finds_the_tasks_by_name(tmp_path):
    """As `inspect eval pentagrid/best_move -T …` does, from its command line and from Python."""
    task_args = {"game": "number-cross", "positions": 3, "board": "json"}
    log = inspect_ai.eval("pentagrid/best_move", task_args=task_args, model=model(perfect(pg.load("number-cross"))),
                          log_dir=str(tmp_path), display="none")[0]  # fmt: skip
    assert log.status == "success" and log.eval.task == "pentagrid/best_move" and len(log.samples) == 3
    command = Path(sys.executable).with_name("inspect")
    env = {**os.environ, "HOME": str(tmp_path), "INSPECT_DISABLE_MODEL_API": "1"}
    output = subprocess.run(
        [command, "eval", "pentagrid/duel", "-T", "game=matrix-capture", "-T", "opponent=level:5", "-T", "games=2",
         "--model", "none/none", "--log-dir", str(tmp_path / "logs"), "--display", "plain"],
        capture_output=True, text=True, cwd=tmp_path, env=env, timeout=120,
    ).stdout  # fmt: skip
    assert "Model APIs disabled" in output, output  # it was found and begun: only a model was missing
    assert [path.name.split("_")[1] for path in (tmp_path / "logs").glob("*.eval")] == ["duel"]
