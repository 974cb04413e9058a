"""`pentagrid puzzle` as its users have it: at the prompt, its streaks, its sets."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from datetime import date, timedelta

import pytest

import pentagrid as pg
from pentagrid.core.catalog import part
from pentagrid.errors import OptionError, UnreadableError
from pentagrid.puzzles import playouts as puzzle_lines
from pentagrid.puzzles import puzzle as puzzles
from pentagrid.puzzles.hints import narrow_hint
from pentagrid.terminal import streaks
from pentagrid.terminal.playout_drawing import draw_playout
from pentagrid.terminal.streaks import PuzzleCounts, StreakFile, Streaks
from pentagrid.util.lockfile import LockFile

GAMES = ("capture-square", "capture-squares", "matrix-capture")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal: run on Linux or macOS")


def easy(name, seed=1, difficulty=1):
    """A puzzle and the arguments that put it."""
    argv = ("puzzle", name, "--difficulty", str(difficulty), "--seed", str(seed))
    return puzzles.make_puzzle(pg.load(name), difficulty, seed), argv


def wrong_move(puzzle):
    return puzzle.position.game.texts[puzzle.grade.tempting[0]]


def kept(program):
    """What is counted in the program's home."""
    found = list((program.folder / "home").rglob("streaks.json"))
    return streaks.read_streaks(found[0].read_text()) if found else Streaks()


# At the prompt ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_right_answer_at_once(program, name):
    puzzle, argv = easy(name)
    told = program(*argv, typed=f"{puzzle.move.lower()}\n")
    assert told.startswith(f"Puzzle 1, {puzzle.position.game.title}, difficulty 1\n")
    assert f"Right: {puzzle.move}" in told and "Which one?" in told and "The game is over" in told
    assert f"1 in a row in {puzzle.position.game.title}, 1 at best." in told
    assert "Another" not in told  # a pipe is not asked
    assert kept(program).games == {name: PuzzleCounts(1, 1, 1, 1, 1)}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("difficulty", [1, 5])
def test_a_wrong_answer_is_played_out_and_can_be_made_good(program, name, difficulty):
    puzzle, argv = easy(name, 3, difficulty)
    told = program(*argv, typed=f"{wrong_move(puzzle)}\n{puzzle.move}\n")
    refutation = puzzle_lines.refute(puzzle, wrong_move(puzzle))
    first, second = told.split("Try again; board shows the puzzle.\n")
    assert re.match(r"\nEnter|\nPlayer", second)  # the refutation is the last thing in sight
    assert f"Wrong: {wrong_move(puzzle)} looks best, but" in first
    after = first.split("Wrong: ")[1]
    assert all(re.search(rf"\b{step.move}\b", after) for step in refutation.steps)
    speech = part(name, "text").SPEECH(puzzle.position.game)
    for line in speech.board(refutation.final):
        assert line.rstrip() in after
    assert f"Right: {puzzle.move}" in second and "Solved at try 2." in second
    assert kept(program).games == {name: PuzzleCounts(0, 0, 0, 1, 1)}


def test_what_is_no_answer_costs_nothing_and_leaving_tells_how_to_come_back(program):
    _, argv = easy("matrix-capture")
    typed = "help\nmoves\nboard\n?\nnonsense\n\nR9C9\nR1C3\nhint\nHINT\nhint\nhint R1C1\nquit\n"
    told = program(*argv, typed=typed)
    assert "give up, and see the answer" in told and "Possible moves: " in told and told.count("Which one?") == 2
    assert "'nonsense' is not a move." in told and "An empty line is not a move" in told
    assert "Sorry, R1C3 is not available" in told and "'hint R1C1' is not a move" in told
    assert "looks best: no move brings more points at once." in told and told.count("It is one of these: ") == 2
    assert kept(program) == Streaks()
    again = shlex.split(re.search(r"The same puzzle again: .* -m pentagrid (.*)", told)[1])
    assert program(*again, typed="quit\n").split("Enter")[0] == told.split("Enter")[0]
    assert "The same puzzle again: " in program(*argv)  # the end of the input


def test_the_solution_ends_it_and_does_not_count_as_solved(program):
    puzzle, argv = easy("capture-squares")
    first, other = easy("capture-squares", 2)
    program(*other, typed=f"{first.move}\n")
    told = program(*argv, typed="solution\n")
    assert f"The answer is {puzzle.move}: " in told and "The game is over" in told
    assert kept(program).games == {"capture-squares": PuzzleCounts(0, 1, 1, 1, 2)}
    third, argv = easy("capture-squares", 4)
    program(*argv, typed=f"{wrong_move(third)}\nsolution\n")
    assert kept(program).games == {"capture-squares": PuzzleCounts(0, 1, 1, 1, 3)}


def test_a_puzzle_met_before_does_not_count_again(program):
    puzzle, argv = easy("matrix-capture")
    program(*argv, typed=f"{puzzle.move}\n")
    told = program(*argv, typed=f"{puzzle.move}\n")
    assert "You have solved this puzzle before" in told and "in a row" not in told
    program(*argv, typed=f"{wrong_move(puzzle)}\n{puzzle.move}\n")
    assert kept(program).games == {"matrix-capture": PuzzleCounts(1, 1, 1, 1, 1)}


def test_a_streak_that_ends_is_told(program):
    for seed in (1, 2, 3):
        puzzle, argv = easy("matrix-capture", seed)
        told = program(*argv, typed=f"{puzzle.move}\n")
        assert f"{seed} in a row in Matrix Capture, {seed} at best" in told
    puzzle, argv = easy("matrix-capture", 4)
    assert "ends a run of 3 puzzles" in program(*argv, typed=f"{wrong_move(puzzle)}\n")
    told = program("puzzle", "--streaks")
    assert re.search(r"^Matrix Capture +0 +3 +3 +3 +4$", told, re.M)


def test_without_a_game_the_seed_chooses_one(program):
    titles = set()
    for seed in range(9):
        told = program("puzzle", "--seed", str(seed)).splitlines()[0]
        titles.add(told.removeprefix(f"Puzzle {seed}, ").removesuffix(", difficulty 3"))
    assert titles == {pg.load(name).title for name in GAMES}


def test_without_a_seed_the_puzzle_is_fresh_and_tells_its_seed(program):
    one, two = (program("puzzle", "matrix-capture") for _ in range(2))
    seed = re.match(r"Puzzle (\d+), Matrix Capture, difficulty 3\n", one)[1]
    assert one != two
    assert program("puzzle", "matrix-capture", "--seed", seed) == one


def test_sizes_and_rules(program):
    told = program("puzzle", "matrix-capture", "--size", "5", "--komi", "2.5", "--seed", "1", "--difficulty", "2")
    assert told.startswith("Puzzle 1, Matrix Capture, size 5, komi=2.5, difficulty 2\n") and "C5" in told
    assert "Komi for Player 2: 2.5" in told and "--size 5 --rule komi=2.5" in told


@pytest.mark.parametrize("name", ["number-cross", "number-grid-battle"])
def test_where_greed_is_right_there_are_no_puzzles(program, name):
    for more in ([], ["--daily"], ["--json"], ["--generate", "3", "--out", "set.jsonl"]):
        assert "because greed is always right in it" in program("puzzle", name, *more, code=2)
    assert not (program.folder / "set.jsonl").exists()


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ("chess", "There is no game 'chess'"),
        ("--difficulty 6", "difficulty must be a whole number from 1 (easy) to 5, not '6'"),
        ("--seed -1", "'-1' is not a seed"),
        ("--seed 1 --daily", "not allowed with argument"),
        ("--size 3", "--size makes no sense without a GAME"),
        ("matrix-capture --komi fair", "every deal has another"),
        ("--daily --difficulty 2", "--difficulty makes no sense with --daily"),
        ("matrix-capture --daily --rule pie=on", "--rule makes no sense with --daily"),
        ("--solution", "--solution goes with --json"),
        ("--streaks --json", "not allowed with argument"),
        ("matrix-capture --streaks", "GAME makes no sense with --streaks"),
        ("--out a.jsonl", "--out goes with --generate"),
        ("--generate 5 --out a.jsonl", "--generate needs a GAME"),
        ("matrix-capture --generate 5", "--generate needs --out FILE"),
        ("matrix-capture --generate 0 --out a.jsonl", "number of puzzles must be from 1 to 10000000, not '0'"),
        ("matrix-capture --generate 5 --out a.json", "must end in .jsonl"),
        ("matrix-capture --generate 5 --out no/a.jsonl", "There is no folder"),
        ("matrix-capture --generate 5 --daily --out a.jsonl", "--daily makes no sense with --generate"),
    ],
)
def test_wrong_usage_is_told_and_changes_nothing(program, argv, told):
    assert told in program("puzzle", *argv.split(), code=2)
    assert not list(program.folder.rglob("*.json*"))


@pytest.mark.parametrize("name", GAMES)
def test_json_keeps_the_answer_unless_it_is_asked_for(program, name):
    puzzle, argv = easy(name)
    asked = json.loads(program(*argv, "--json"))
    assert pg.read_position(asked["position"]) == puzzle.position and asked["legal"] == list(puzzle.position.moves())
    assert not {"answer", "tempting", "loss", "line", "depth"} & set(asked)
    solved = json.loads(program(*argv, "--json", "--solution"))
    assert solved["answer"] == solved["line"][0] == puzzle.move and asked.items() <= solved.items()
    assert kept(program) == Streaks()


# Hints and drawings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_second_hint_leaves_a_few_moves_of_which_none_tempts(name):
    for seed in range(12):
        puzzle, _ = easy(name, seed, 1 + seed % 5)
        texts, grade = puzzle.position.game.texts, puzzle.grade
        ahead, few = re.fullmatch(
            r"Look at least (\d+) turns ahead. It is one of these: (.*)\.", narrow_hint(puzzle)
        ).groups()
        left = [texts.index(move) for move in few.split("; ")]
        assert int(ahead) == grade.depth and puzzle.answer in left
        others = len(puzzle.position.actions()) - len(grade.tempting)
        assert len(set(left)) == len(left) == min(3, others) and not set(left) & set(grade.tempting)


@pytest.mark.parametrize(("columns", "across"), [(40, 1), (80, 3), (100, 4), (200, 8)])
def test_a_line_is_drawn_as_wide_as_the_screen(monkeypatch, columns, across):
    for module in ("output", "playout_drawing"):
        monkeypatch.setattr(f"pentagrid.terminal.{module}.columns", lambda: columns)
    puzzle, _ = easy("capture-squares", 7, 3)
    line = puzzle_lines.main_line(puzzle)
    paint = "\x1b[1m{}\x1b[0m".format
    colored, plain = (
        draw_playout(line.steps, part("capture-squares", "text").SPEECH(puzzle.position.game, paint=how))
        for how in (lambda text, owner: paint(text), lambda text, owner: text)
    )
    assert [re.sub("\x1b.*?m", "", text) for text in colored] == plain
    captions = [found for text in plain if (found := re.findall(r"Player [AB]: (\d,\d)", text))]
    assert len(captions[0]) == across and max(map(len, plain)) <= columns
    named = re.findall(r"\d,\d", " ".join(text for text in plain if not text.startswith(("|", "+"))))
    assert named == [step.move for step in line.steps]


# What is counted --------------------------------------------------------------------------------------------

MONDAY = date(2026, 1, 5)


def days(*results, start=MONDAY):
    """Streaks after so many days one after the other: right, wrong, or not played."""
    found = Streaks()
    for number, right in enumerate(results):
        if right is not None:
            found = found.answered("game", f"puzzle {number}", right, start + timedelta(number))
    return found


@pytest.mark.parametrize(
    ("results", "now", "best"),
    [
        ([], 0, 0),
        ([True], 1, 1),
        ([False], 0, 0),
        ([True, True, True], 3, 3),
        ([True, True, False], 0, 2),
        ([True, True, None, True], 1, 2),
        ([True, True, None], 2, 2),  # today is not over
        ([True, True, None, None], 0, 2),
        ([False, True, True], 2, 2),
    ],
)
def test_days_in_a_row(results, now, best):
    found = days(*results)
    today = MONDAY + timedelta(max(0, len(results) - 1))
    assert (found.days_now(today), found.days_best()) == (now, best)


def test_only_the_first_answer_of_a_day_counts():
    wrong = days(False).answered("other", "another", True, MONDAY)
    assert wrong.days == {MONDAY: False} and wrong.tally("other") == PuzzleCounts(1, 1, 1, 1, 1)
    right = days(True).answered("other", "another", False, MONDAY)
    assert right.days == {MONDAY: True} and right.tally("other") == PuzzleCounts(0, 0, 0, 0, 1)
    # a puzzle answered on another way before has had its first answer
    peeked = Streaks().answered("game", "position", False).answered("game", "position", True, MONDAY)
    assert peeked.days == {MONDAY: False} and peeked.tally("game").tried == 1


def test_days_may_come_in_any_order_and_none_is_lost():
    """A table opened before midnight is answered after another one opened behind it."""
    one = Streaks().answered("game", "b", True, MONDAY + timedelta(1)).answered("game", "a", True, MONDAY)
    assert one.days_now(MONDAY + timedelta(1)) == 2


def test_the_last_few_hundred_puzzles_are_remembered():
    found = Streaks()
    for number in range(streaks.REMEMBERED + 50):
        found = found.answered("game", str(number), True)
    assert len(found.seen) == streaks.REMEMBERED and next(iter(found.seen)) == "50"
    assert found.answered("game", "50", True).tally("game") == found.tally("game")
    assert streaks.read_streaks(streaks.write_streaks(found)) == found


def on_day(program, day, *argv, typed=""):
    """Run the program on a given day."""
    script = (
        "import sys; from datetime import date; from pentagrid.terminal.commands import puzzle;"
        "from pentagrid.terminal.main import main;"
        "puzzle.today = lambda: date.fromisoformat(sys.argv[1]); sys.exit(main(sys.argv[2:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, day.isoformat(), *argv], input=typed, text=True, capture_output=True,
        env=program.env, cwd=program.folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_puzzle_of_the_day(program):
    for number in range(3):
        day = MONDAY + timedelta(number)
        puzzle = puzzles.daily_puzzle(day)
        told = on_day(program, day, "puzzle", "--daily", typed=f"{puzzle.move}\n")
        title = puzzle.position.game.title
        assert told.startswith(f"Puzzle of the day, {day:%A} {day}, {title}, difficulty {puzzle.difficulty}\n")
        assert f"Puzzle of the day: {number + 1} day{'s' if number else ''} in a row, {number + 1} at best." in told
    again = on_day(program, day, "puzzle", "--daily", typed=f"{puzzle.move}\n")
    assert "You have solved this puzzle before" in again and "days in a row" not in again
    name = next(name for name in GAMES if name != puzzle.position.game.name)
    other = puzzles.daily_puzzle(day, pg.load(name))
    told = on_day(program, day, "puzzle", name, "--daily", typed=f"{wrong_move(other)}\n")
    assert "You have answered another puzzle of this day already" in told
    assert "3 days in a row, 3 at best; solved on 3 of 3 days." in on_day(program, day, "puzzle", "--streaks")
    later = on_day(program, day + timedelta(1), "puzzle", "--streaks")
    assert "3 days in a row, 3 at best; solved on 3 of 3 days. Today's is not answered yet." in later
    assert "0 days in a row, 3 at best" in on_day(program, day + timedelta(2), "puzzle", "--streaks")


def test_leaving_the_puzzle_of_the_day_tells_how_to_have_it_again_on_another_day(program):
    told = on_day(program, MONDAY, "puzzle", "--daily")
    again = shlex.split(told.rpartition("The same puzzle again: ")[2].partition(" puzzle ")[2])
    assert "--daily" not in again
    later = program("puzzle", *again)
    assert later.splitlines()[1:20] == told.splitlines()[1:20] and later.startswith("Puzzle 20260105, ")


def test_help_and_errors_offer_only_what_is_taken(program):
    assert "fair" not in program("puzzle", "--help") and "fair" in program("play", "--help")
    assert "--streaks" not in program("puzzle", "matrix-capture", "--rule", "x=1", code=2)


def test_the_scores_of_a_line_say_whose_is_whose_with_the_komi(program):
    told = program("puzzle", "matrix-capture", "--komi", "2.5", "--seed", "4", typed="R1C1\n")
    drawn = told.partition("Wrong: ")[2].partition("The game is over")[0]
    assert re.search(r"^Player 1: \d+ +Player 1: \d+", drawn, re.M) and re.search(r"Player 2: \d+ \+ 2.5 komi", drawn)


def test_the_day_is_the_same_for_everyone(program):
    program.env |= {"TZ": "Pacific/Kiritimati"}
    east = json.loads(program("puzzle", "--daily", "--json"))
    program.env |= {"TZ": "Pacific/Pago_Pago"}  # always another date there
    west = json.loads(program("puzzle", "--daily", "--json"))
    assert abs(date.fromisoformat(west["day"]) - date.fromisoformat(east["day"])) <= timedelta(1)
    if west["day"] == east["day"]:  # unless midnight has just passed
        assert west == east


# The file ---------------------------------------------------------------------------------------------------


def test_no_streaks_yet(program):
    assert program("puzzle", "--streaks") == "No puzzle has been answered yet.\n"


GOOD = json.loads(streaks.write_streaks(days(True)))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "[" * 100000,
        "\xff",
        json.dumps(GOOD | {"pentagrid-streaks": 2}),
        json.dumps(GOOD | {"games": []}),
        json.dumps(GOOD | {"games": {"a": {"now": 1}}}),
        json.dumps(GOOD | {"games": {"a": dict.fromkeys(PuzzleCounts._fields, -1)}}),
        json.dumps(GOOD | {"games": {"a": dict.fromkeys(PuzzleCounts._fields, True)}}),
        json.dumps(GOOD | {"days": {"yesterday": True}}),
        json.dumps(GOOD | {"days": {"2026-01-05": 1}}),
        json.dumps(GOOD | {"seen": {"position": None}}),
    ],
    ids=range(13),
)
def test_a_damaged_file_is_told_of_and_kept_aside(tmp_path, content):
    file = StreakFile(tmp_path)
    for number in (1, 2):
        file.path.write_bytes(content.encode("latin-1"))
        with pytest.raises(UnreadableError, match="cannot be read"):
            file.read()
        assert file.path.read_bytes() == content.encode("latin-1")  # looking changes nothing
        before, after, told = file.change(lambda found: found.answered("game", "position", True))
        aside = tmp_path / f"streaks.damaged-{number}.json"
        assert before == Streaks() and str(aside) in told and "counting begins anew" in told
        assert aside.read_bytes() == content.encode("latin-1")
        assert file.read() == after and after.tally("game").now == 1


def test_a_damaged_file_at_the_prompt(program):
    puzzle, argv = easy("matrix-capture")
    program(*argv, typed=f"{puzzle.move}\n")
    path = next((program.folder / "home").rglob("streaks.json"))
    path.write_text("nonsense")
    told = " ".join(program("puzzle", "--streaks").split())
    assert (
        f"{path} cannot be read: it is not JSON. It is kept as " in told and "No puzzle has been answered yet." in told
    )
    assert program("puzzle", "--streaks") == "No puzzle has been answered yet.\n"
    assert path.with_name("streaks.damaged-1.json").read_text() == "nonsense"
    path.write_text("more nonsense")
    told = " ".join(program(*argv, typed=f"{puzzle.move}\n").split())
    assert "streaks.damaged-2.json, and counting begins anew" in told and "1 in a row" in told
    assert path.with_name("streaks.damaged-2.json").read_text() == "more nonsense"


def test_where_nothing_can_be_kept_the_puzzle_goes_on(program):
    puzzle, argv = easy("matrix-capture")
    program(*argv, typed=f"{puzzle.move}\n")
    folder = next((program.folder / "home").rglob("streaks.json")).parent
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    told = program(*argv, typed=f"{wrong_move(puzzle)}\n{puzzle.move}\n")
    assert "This is not counted." in told and f"Right: {puzzle.move}" in told and "Solved at try 2." in told
    assert folder.read_text() == "in the way"


@POSIX
def test_a_pipe_in_place_of_the_streaks_is_never_waited_for(program):
    program("puzzle", "matrix-capture", "--seed", "1", typed="solution\n")
    path = next((program.folder / "home").rglob("streaks.json"))
    path.unlink()
    os.mkfifo(path)
    assert "streaks.json cannot be read: it is not a regular file" in program("puzzle", "--streaks", code=2, timeout=20)
    told = program("puzzle", "matrix-capture", "--seed", "1", typed="solution\n", timeout=20)
    assert "This is not counted." in told and "The answer is " in told


def test_processes_at_once_lose_nothing(tmp_path):
    script = (
        "import sys; from pathlib import Path; from pentagrid.terminal.streaks import StreakFile\n"
        "file = StreakFile(Path(sys.argv[1]))\n"
        "for i in range(25): file.change(lambda found: found.answered('game', f'{sys.argv[2]} {i}', True))"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(number)]) for number in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    found = StreakFile(tmp_path).read()
    assert found.tally("game") == PuzzleCounts(100, 100, 100, 100, 100) and len(found.seen) == 100


def test_a_lock_that_is_never_given_back_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(streaks, "WAIT", 0.1)
    file = StreakFile(tmp_path)
    other = LockFile(tmp_path / "streaks.lock", "")
    other.take()
    with pytest.raises(OptionError, match="is being used by another process"):
        file.change(lambda found: found.answered("game", "position", True))
    other.give()
    file.change(lambda found: found.answered("game", "position", True))
    assert file.read().tally("game").tried == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals: run on Linux or macOS")
def test_a_wrong_answer_counts_before_it_is_told(program):
    puzzle, argv = easy("matrix-capture")
    process = program.start(*argv)
    process.stdin.write(f"{wrong_move(puzzle)}\n".encode())
    process.stdin.flush()
    while b"Wrong" not in process.stdout.readline():
        pass
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert kept(program).games == {"matrix-capture": PuzzleCounts(0, 0, 0, 0, 1)}
    told = program(*argv, typed=f"{puzzle.move}\n")
    assert "You have met this puzzle before" in told and kept(program).tally("matrix-capture").now == 0


# On a terminal ----------------------------------------------------------------------------------------------


@POSIX
def test_another_puzzle_of_the_same_kind(terminal, program):
    puzzle, argv = easy("matrix-capture")
    screen = terminal(*argv)
    screen.until("(e.g., ")
    assert "\x1b[2mX\x1b[0m" in screen.told
    screen.type(f"{puzzle.move}\n")
    screen.until("1 in a row")
    screen.until("Another puzzle? (Enter or y: yes, n: no): ")
    screen.type("perhaps\n")
    screen.until("Please answer y or n.")
    screen.type("\n")
    screen.until(", Matrix Capture, difficulty 1\n")
    seed = int(re.findall(r"Puzzle (\d+), Matrix", screen.told)[1])
    screen.until("(e.g., ")
    screen.type(f"{puzzles.make_puzzle(pg.load('matrix-capture'), 1, seed).move}\n")
    screen.until("2 in a row")
    screen.until("n: no): ")
    screen.type("n\n")
    assert screen.end() == 0
    assert kept(program).tally("matrix-capture") == PuzzleCounts(2, 2, 2, 2, 2)


@POSIX
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0), ("quit\n", 0)])
def test_leaving_by_keyboard_counts_nothing(terminal, program, key, code):
    screen = terminal("puzzle", "capture-square", "--seed", "5", "--no-color")
    screen.until("(e.g., ")
    screen.until("): ")
    screen.type(key)
    screen.until("The same puzzle again: ")
    screen.until("puzzle capture-square --difficulty 3 --seed 5")
    assert screen.end() == code
    assert "\x1b[" not in screen.told and kept(program) == Streaks()


@POSIX
def test_the_daily_puzzle_offers_no_other(terminal):
    screen = terminal("puzzle", "--daily")
    screen.until("Which one?")
    screen.until("): ")
    screen.type("solution\n")
    screen.until("The game is over")
    assert screen.end() == 0
    assert "Another" not in screen.told


@POSIX
def test_from_the_menu(terminal):
    screen = terminal()
    screen.until("8  Solve a puzzle")
    screen.type("8\n")
    screen.until("1  The puzzle of the day")
    screen.type("matrix capture\n")
    screen.until("How hard?")
    screen.type("2\n")
    screen.until("puzzle matrix-capture --difficulty 2 --seed ")
    screen.until(", Matrix Capture, difficulty 2\n")
    screen.until("(e.g., ")
    screen.type("quit\n")
    screen.until("The same puzzle again: ")
    screen.until("What would you like?")
    screen.type("8\n")
    screen.until("Which puzzle?")
    screen.type("\n")
    screen.until("puzzle --daily)")
    screen.until("Puzzle of the day, ")
    screen.type("q\n")
    screen.until("What would you like?")
    screen.type("q\n")
    assert screen.end() == 0


# Sets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "count"), [("capture-square", 20), ("capture-squares", 40), ("matrix-capture", 2000)])
def test_a_set(program, name, count):
    path = program.folder / "set.jsonl"
    path.write_text("what was there before")
    told = program("puzzle", name, "--generate", str(count), "--out", "set.jsonl")
    assert re.fullmatch(rf"{count:,} puzzles are in set.jsonl, made at [\d,]+ a second.\n", told)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    canonical = part(name, "symmetry").canonical
    positions = [pg.read_position(row["position"]) for row in rows]
    assert len(rows) == len({canonical(position) for position in positions}) == count
    for row, position in list(zip(rows, positions, strict=True))[:20]:
        assert row["answer"] in position.moves() and puzzles.puzzle_of(position).move == row["answer"]
    first = path.read_bytes()
    program("puzzle", name, "--generate", str(count), "--out", "set.jsonl", "--seed", "0")
    assert path.read_bytes() == first
    assert [entry.name for entry in program.folder.iterdir() if entry.is_file()] == ["set.jsonl"]


def test_a_set_of_one_difficulty_from_another_seed(program):
    program("puzzle", "matrix-capture", "--generate", "50", "--difficulty", "4", "--seed", "8", "--out", "set.jsonl")
    rows = [json.loads(line) for line in (program.folder / "set.jsonl").read_text().splitlines()]
    assert len(rows) == 50 and {(row["difficulty"], row["seed"]) for row in rows} == {(4, 8)}


def test_fewer_than_asked_is_told(program):
    told = program("puzzle", "matrix-capture", "--size", "2", "--generate", "5000", "--out", "set.jsonl")
    made = len((program.folder / "set.jsonl").read_text().splitlines())
    assert 0 < made < 5000 and told.startswith(f"{made} puzzles are in") and "No more than that turned up" in told


@POSIX
def test_making_a_set_shows_how_far_it_is_and_ctrl_c_leaves_the_file_alone(terminal, program):
    path = program.folder / "set.jsonl"
    path.write_text("kept")
    screen = terminal("puzzle", "matrix-capture", "--generate", "1000000", "--out", "set.jsonl")
    screen.until("puzzles/s, ")
    screen.until(" left (Ctrl-C: enough)")
    screen.type("\x03")
    screen.until("Interrupted; nothing was written.")
    assert screen.end() == 130
    assert path.read_text() == "kept"
