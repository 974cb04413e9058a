"""Outside programs at the table: what they are told, and what happens when they will not play."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import time
from pathlib import Path

import pytest

import pentagrid as pg
from pentagrid.errors import GameOverError, OptionError
from pentagrid.play import players, record
from pentagrid.play import program as outside
from pentagrid.play.match import Match, Seat
from pentagrid.play.record import Record

DOCS = Path(__file__).parent.parent / "docs" / "programs.md"
EXAMPLE = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)[1]
HEAD = "import json, sys, time, os\ndef say(o): print(json.dumps(o), flush=True)\n"
ASKED = "for line in sys.stdin:\n    m = json.loads(line)\n    if m['type'] == 'position':\n        "


@pytest.fixture
def bot(tmp_path):
    """Makes a seat from the text of a program."""

    def made(code, name="bot.py"):
        path = tmp_path / name
        path.write_text(code)
        return f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"

    return made


def match_of(kind, name="matrix-capture", seat=1, **options):
    seats = [Seat(kind="greedy"), Seat(kind="greedy")]
    seats[seat - 1] = Seat(kind=kind)
    return Match(pg.load(name).deal(seed=1), tuple(seats), seed=1, programs=True, **options)


def finish(match):
    while match.outcome is None:
        try:
            match.play(match.think())
        except GameOverError:
            assert match.outcome is not None
    return match.outcome


def gone(pid):
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with open(f"/proc/{pid}/stat") as stat:
            if stat.read().split()[2] == "Z":
                return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("name", pg.game_names())
def test_the_ten_line_bot_of_the_docs_plays_every_game(name, bot):
    assert len(EXAMPLE.strip().splitlines()) <= 10
    match = match_of(bot(EXAMPLE), name, seat=2)
    outcome = finish(match)
    assert outcome.reason in ("score", "tie-break", "square", "limit") and not match.notes


def test_it_is_told_what_the_docs_say(bot, tmp_path):
    heard = tmp_path / "heard"
    code = f"import sys\nfile = open({str(heard)!r}, 'a')\nfor line in sys.stdin:\n    file.write(line); file.flush()\n"
    code += "    import json\n    m = json.loads(line)\n"
    code += "    if m['type'] == 'position': print(json.dumps({'move': m['legal'][-1]}), flush=True)\n"
    start = pg.load("matrix-capture").read_board("5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1")
    match = Match(start, (Seat(), Seat(kind=bot(code))), seed=1, turn_seconds=10, programs=True)
    match.play("R2C2")
    match.play(match.think())
    match.play("R1C1")
    match.play(match.think())
    told = [json.loads(line) for line in heard.read_text().splitlines()]
    assert [message["type"] for message in told] == ["hello", "position", "position", "result"]
    shown = [json.loads(text) for text in re.findall(r"```json\n(.*?)\n```", DOCS.read_text(encoding="utf-8"))]
    assert told[0] == shown[0]
    left = told[1].pop("seconds_left")
    assert 5 < left <= 10 and shown[1].pop("seconds_left") == 10 and told[1] == shown[1]
    assert told[2]["moves"] == match.moves[:3] and pg.read_position(told[2]["position"]).moves() == tuple(
        told[2]["legal"]
    )
    assert told[3] == {"type": "result", **match.outcome._asdict(), "scores": list(match.position.scores)}


@pytest.mark.parametrize(
    ("body", "reason", "why"),
    [
        ("print('good morning', flush=True)", "illegal", "it answered 'good morning'; then it answered"),
        ("say(['R1C1'])", "illegal", "without a move"),
        ("say({'move': None})", "illegal", "without a move"),
        ("say({'move': True})", "illegal", "without a move"),
        ("say({'move': 'Z9'})", "illegal", "'Z9' is not a move"),
        ("say({'move': 99})", "illegal", "'99' is not a move"),
        ("sys.stdout.buffer.write(bytes([255, 254, 10])); sys.stdout.flush()", "illegal", "it answered"),
        ("print('{' * 200000, flush=True)", "illegal", "it answered '{{{{"),
        ("sys.exit(3)", "illegal", "exit code 3; then it ended with exit code 3"),
        ("raise RuntimeError('no idea')", "illegal", "RuntimeError: no idea"),
        ("os.close(1); time.sleep(60)", "illegal", "exit code none"),
        ("time.sleep(60)", "time", "it did not answer in time"),
    ],
)
def test_what_it_does_wrong_loses_by_rule(bot, body, reason, why, monkeypatch):
    monkeypatch.setattr(outside, "PATIENCE", 3.0)
    monkeypatch.setattr(outside, "GRACE", 0.2)
    match = match_of(bot(HEAD + ASKED + body + "\n"))
    began = time.monotonic()
    assert finish(match) == (2, reason)
    assert why.replace("{", "(") in match.notes[0] and time.monotonic() - began < 15
    again = record.read_record(record.write_record(Record(match)))
    assert again.match.outcome == (2, reason) and again.match.notes == match.notes


def test_one_slip_is_forgiven_in_every_turn(bot, tmp_path):
    heard = tmp_path / "heard"
    body = (
        f"open({str(heard)!r}, 'a').write(line)\n    if m['type'] == 'error':\n        good = True\n"
        f"        open({str(heard)!r}, 'a').write(line)\n    if m['type'] == 'position':\n"
        "        say({'move': m['legal'][0] if good else 'nonsense'}); good = False\n"
    )
    match = match_of(bot(HEAD + "good = False\n" + ASKED + body))
    assert finish(match).reason in ("score", "tie-break") and not match.notes
    told = [json.loads(line) for line in heard.read_text().splitlines()]
    errors = [message for message in told if message["type"] == "error"]
    assert len(errors) == 2 and errors[0]["code"] == "unreadable" and "nonsense" in errors[0]["message"]


def test_after_a_crash_it_is_started_once_more(bot, tmp_path):
    flag = tmp_path / "flag"
    body = f"if not os.path.exists({str(flag)!r}):\n            open({str(flag)!r}, 'w'); sys.exit(1)\n"
    body += "        say({'move': m['legal'][0]})\n"
    match = match_of(bot(HEAD + ASKED + body))
    assert finish(match).reason in ("score", "tie-break") and flag.exists()


def test_the_matchs_clock_runs_through_it(bot, monkeypatch):
    monkeypatch.setattr(outside, "START_UP", 0.5)  # it never says hello
    match = match_of(bot(HEAD + "time.sleep(60)\n"), turn_seconds=0.5)
    began = time.monotonic()
    assert finish(match) == (2, "time") and time.monotonic() - began < 5


def test_one_that_never_reads_cannot_hang_the_game(bot, monkeypatch):
    monkeypatch.setattr(outside, "PATIENCE", 1.0)
    monkeypatch.setattr(outside, "GRACE", 0.2)
    flood = 'while True: print(\'{"move": "xyzzy"}\', flush=True)\n'
    assert finish(match_of(bot(HEAD + flood))).winner == 2
    program = players.make_player(bot(HEAD + "time.sleep(60)\n"), programs=True)
    program.inform(pg.load("matrix-capture").deal(1), ["R1C1"] * 100_000, None, None)  # type: ignore[attr-defined]
    with pytest.raises(players.ForfeitError, match="did not read"):
        program.choose(pg.load("matrix-capture").deal(1), None)
    program.leave()  # type: ignore[attr-defined]


def test_it_and_what_it_started_go_with_the_match(bot, tmp_path):
    pids = tmp_path / "pids"
    code = HEAD + f"import subprocess\nchild = subprocess.Popen(['sleep', '60'])\nopen({str(pids)!r}, 'w').write"
    code += "(f'{os.getpid()} {child.pid}')\n" + ASKED + "say({'move': m['legal'][0]})\ntime.sleep(60)\n"
    match = match_of(bot(code))
    match.play(match.think())
    match.close()
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_a_command_that_cannot_be(bot):
    for command in ("exec:", "exec:   ", "exec:'open", "exec:a\nb"):
        with pytest.raises(OptionError):
            players.make_player(command, programs=True)
    with pytest.raises(OptionError, match="cannot be started"):
        match_of("exec:/no/such/program").think()


def test_a_word_alone_starts_nothing(bot, tmp_path):
    """Whoever only sends a seat, a record or a position cannot start a program."""
    flag = tmp_path / "flag"
    kind = bot(f"open({str(flag)!r}, 'w')\n")
    with pytest.raises(OptionError, match="There is no player"):
        players.make_player(kind)
    match = Match(pg.load("matrix-capture").deal(1), (Seat(kind=kind), Seat()))
    again = record.read_record(record.write_record(Record(match))).match
    for either in (match, again):
        with pytest.raises(OptionError, match="not allowed here"):
            either.think()
    assert not flag.exists()


class TestAtTheTerminal:
    def test_it_plays_a_person(self, program, bot):
        told = program("play", "matrix-capture", "--p2", bot(EXAMPLE), "--seed", "1", typed="R1C1\nR2C2\nR3C3\nR3C4\n")
        assert told.count("Player 2 plays") == 2 and "End of Game" in told

    def test_it_loses_by_rule_and_the_file_says_why(self, program, bot):
        kind = bot(HEAD + ASKED + "print('hm', flush=True)\n")
        told = program("play", "matrix-capture", "--p1", kind, "--p2", "random", "--save", "game.txt")
        assert "Player 1's program: it answered 'hm'" in told and "Player 1 would not make a legal move." in told
        text = (program.folder / "game.txt").read_text()
        assert '[Reason "illegal"]' in text and "{Player 1's program: it answered" in text
        assert "would not make a legal move" in program("replay", "game.txt")

    def test_resuming_asks_before_it_starts_a_program(self, program, bot):
        kind = bot(EXAMPLE)
        told = program("play", "matrix-capture", "--p2", kind, "--seed", "1", "--save", "game.txt", typed="quit\n")
        assert "resume game.txt --programs" in told
        assert "add --programs" in program("resume", "game.txt", code=2)
        assert "Player 2 plays" in program("resume", "game.txt", "--programs", typed="R1C1\nquit\n")

    def test_what_cannot_be_started_is_told(self, program):
        assert "cannot be started" in program("play", "number-cross", "--p1", "exec:/no/such", code=2)
        assert "needs a command" in program("play", "number-cross", "--p1", "exec:", code=2)


STAYS = (
    HEAD + "os.getpid() and open(sys.argv[0] + '.log', 'a').write('start\\n')\n"
    "for line in sys.stdin:\n    m = json.loads(line)\n"
    "    if m['type'] == 'hello': say({'type': 'hello'})\n"
    "    elif m['type'] == 'position': say({'move': m['actions'][0]})\n"
)


class TestStayingUp:
    @pytest.fixture(autouse=True)
    def ended(self):
        yield
        outside.end_staying()

    def test_a_program_that_answers_hello_is_started_once(self, bot, tmp_path):
        kind = bot(STAYS)
        outcomes = {finish(match_of(kind)).reason for _ in range(4)}
        assert outcomes == {"score"} and (tmp_path / "bot.py.log").read_text() == "start\n"
        (kept,) = next(iter(outside._staying.values()))
        pid = kept._process.pid
        outside.end_staying()
        assert gone(pid) and not outside._staying

    def test_others_are_started_anew(self, bot, tmp_path):
        kind = bot(STAYS.replace("say({'type': 'hello'})", "pass"))
        for _ in range(2):
            assert finish(match_of(kind)).reason == "score"
        assert (tmp_path / "bot.py.log").read_text() == "start\n" * 2 and not outside._staying

    def test_start_up_is_off_the_clock(self, bot):
        match = match_of(bot("import time\ntime.sleep(1.5)\n" + STAYS), turn_seconds=1)
        assert finish(match).reason == "score"
        slow = bot(STAYS.replace("say({'type': 'hello'})", "say({'type': 'hello'}); time.sleep(1.5)"), "slow.py")
        assert finish(match_of(slow, turn_seconds=1)).reason == "time"

    def test_one_that_has_died_meanwhile_is_started_again(self, bot):
        kind = bot(STAYS)
        finish(match_of(kind))
        (kept,) = next(iter(outside._staying.values()))
        kept._process.kill()
        kept._process.wait()
        assert finish(match_of(kind)).reason == "score"

    def test_one_in_two_seats_is_two(self, bot):
        kind = bot(STAYS)
        match = Match(pg.load("number-cross").deal(seed=1), (Seat(kind=kind), Seat(kind=kind)), seed=1, programs=True)
        assert finish(match).reason in ("score", "tie-break")
        assert len(next(iter(outside._staying.values()))) == 2


class TestPythonPlayers:
    @pytest.fixture
    def module(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", list(sys.path))

        def made(name, code):
            (tmp_path / f"{name}.py").write_text(code)

        yield made
        for name in [name for name in sys.modules if name.startswith("my_bot")]:
            del sys.modules[name]

    def test_a_function_an_object_and_a_class(self, module):
        code = "def last(position, dice): return position.moves()[-1]\nclass Bot:\n"
        code += "    def choose(self, position, dice): return dice.choice(position.actions())\nbot = Bot()\n"
        module("my_bot_a", code)
        for name in ("last", "Bot", "bot"):
            match = match_of(f"py:my_bot_a:{name}")
            assert finish(match).reason == "score"
        assert match_of("py:my_bot_a:last").think() == 15

    def test_what_it_raises_or_gets_wrong_loses_the_game(self, module):
        module("my_bot_b", "def raises(position, dice): 1 / 0\ndef wrong(position, dice): return 'R9C9'\n"
               "def nothing(position, dice): return None\n")  # fmt: skip
        for name, words in (("raises", "ZeroDivisionError"), ("wrong", "R9C9"), ("nothing", "None")):
            match = match_of(f"py:my_bot_b:{name}")
            assert finish(match).reason == "illegal" and words in match.notes[0]

    @pytest.mark.parametrize("kind", ["py:", "py:my_bot_c", "py::choose", "py:a b:choose", "policy:"])
    def test_what_cannot_be_a_player(self, kind):
        with pytest.raises(OptionError):
            match_of(kind)

    def test_what_cannot_be_loaded(self, module):
        module("my_bot_d", "number = 3\n")
        module("my_bot_e", "raise RuntimeError('no')\n")
        wrong = {"py:my_bot_z:x": "my_bot_z", "py:my_bot_e:x": "RuntimeError: no"}
        wrong |= {f"py:my_bot_d:{name}": "must be a function" for name in ("other", "number")}
        for kind, words in wrong.items():
            with pytest.raises(OptionError, match=words):
                match_of(kind).think()

    @pytest.mark.parametrize("kind", ["py:os:getcwd", "policy:/etc/passwd", "exec:true"])
    def test_none_of_them_starts_from_a_word_that_came_from_elsewhere(self, kind):
        with pytest.raises(OptionError, match="There is no player"):
            players.make_player(kind)
        match = match_of(kind)
        match.programs = False
        with pytest.raises(OptionError, match="not allowed here"):
            match.think()
