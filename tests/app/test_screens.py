"""Every screen of the app and its keys, as a person uses them."""

from __future__ import annotations

import asyncio
import re
from datetime import date, timedelta
from itertools import count

import pytest
from rich.cells import cell_len

import pentagrid as pg
from pentagrid.play.match import Match, Seat
from pentagrid.play.record import Record
from pentagrid.puzzles.puzzle import daily_puzzle
from pentagrid.terminal.app import thinking
from pentagrid.terminal.app.game_plan import GamePlan
from pentagrid.terminal.app.game_screen import GameScreen
from pentagrid.terminal.app.games_offered import newcomers_first
from pentagrid.terminal.app.home_screen import HomeScreen
from pentagrid.terminal.app.new_game_screen import NewGameScreen
from pentagrid.terminal.app.preferences import Preferences, write_preferences
from pentagrid.terminal.app.puzzle_screen import PuzzleBoardScreen, PuzzleScreen
from pentagrid.terminal.app.review_screen import ReviewScreen
from pentagrid.terminal.app.streak_screen import StreakScreen, calendar_lines
from pentagrid.terminal.app.watch_screen import WatchScreen
from pentagrid.terminal.saved_games import SaveFile, read_file, saved_games
from pentagrid.terminal.streaks import StreakFile

SIZES = [(60, 20), (80, 24), (120, 40)]
MATRIX = "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"


TWO = Seat(), Seat()


def record_of(name, moves=(), seats=TWO, board=None, **options):
    game = pg.load(name, **options)
    match = Match(game.read_board(board) if board else game.deal(seed=7), seats, seed=7)
    for move in moves:
        match.play(move)
    return Record(match, "2026-11-16")


def matrix(*moves, **options):
    return record_of("matrix-capture", moves, board=MATRIX, **options)


# Home -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_home_lists_everything(drive, size):
    SaveFile.fresh(matrix("R2C2", seats=(Seat("Ann"), Seat("", "level:3"))))

    async def story(driver):
        await driver.until("Go on: Matrix Capture, the computer (level:3) to move against Ann, move 2")
        await driver.until("Puzzle of the day: not answered yet; 0 days in a row")
        assert driver.screen.query_one("ChoiceList").highlighted_option.id == "unfinished-0"
        await driver.until("1 Number Grid Battle Claim numbers in turn; the higher sum wins.")
        for key in ("end", "home"):
            await driver.press(key)
            assert ("Leave" in driver.text().rpartition("\n")[0]) == (key == "end" or size[1] > 20)

    drive(story, size=size)


def test_the_best_first_game_comes_first():
    assert newcomers_first()[0].title == "Number Grid Battle"
    assert all(game.sentence.endswith(".") for game in newcomers_first())


@pytest.mark.parametrize(
    ("key", "seen"),
    [
        ("1", "Number Grid Battle: Claim"),
        ("5", "Capture Squares: Claim"),
        ("p", "one move wins, and not the one that looks best"),
        ("w", "Watch two computers play."),
        ("s", "There are no saved games"),
        ("b", "No puzzle has been answered yet."),
        ("r", "Rules: Number Grid Battle"),
        ("question_mark", "Esc closes this."),
    ],
)
def test_letters_open_and_escape_closes(drive, key, seen):
    async def story(driver):
        await driver.press(key)
        await driver.until(seen)
        await driver.press("escape")
        assert isinstance(driver.screen, HomeScreen)

    drive(story)


def test_arrows_hjkl_and_mouse_on_home(drive):
    async def story(driver):
        await driver.press("j", "down", "k", "enter")
        await driver.until("Number Cross: Claim whole rows")
        await driver.press("escape")
        await driver.click("Rules of the games")
        await driver.until("Rules: Number Grid Battle")
        await driver.press("right", "j", "k")
        await driver.until("Rules: Number Cross (2 of 5)")
        await driver.press("left", "enter")
        await driver.until("Number Grid Battle: Claim")

    drive(story)


def test_the_command_palette_finds_everything(drive):
    async def story(driver):
        await driver.press("ctrl+p", *"rules of matrix".replace(" ", "~").split("~")[0])
        await driver.until("Rules of Matrix Capture")
        await driver.press("escape", "escape")
        await driver.press("ctrl+p", *"streaks")
        await driver.until("How many puzzles you have solved")
        await driver.press("down", "enter")
        await driver.until("No puzzle has been answered yet.")
        assert isinstance(driver.screen, StreakScreen)

    drive(story)


def test_looks_are_kept(drive):
    async def story(driver):
        assert driver.app.current_theme.dark
        await driver.press("ctrl+t")
        driver.app.action_ascii()
        assert not driver.app.current_theme.dark

    async def again(driver):
        assert not driver.app.current_theme.dark and driver.app.has_class("-ascii")

    drive(story)
    drive(again)


# Playing --------------------------------------------------------------------------------------------------


def test_a_new_game_with_options(drive):
    async def story(driver):
        await driver.press("4")
        screen = driver.screen
        assert isinstance(screen, NewGameScreen)
        driver.fill("opponent", "human")
        driver.fill("size", "3")
        driver.fill("rule-komi", "1.5")
        driver.fill("rule-pie", "on")
        driver.fill("name-1", "Ann")
        driver.fill("name-2", "ann")
        driver.fill("clock", "soon")
        await driver.press("ctrl+s")
        await driver.until("Both players are called 'Ann'")
        driver.fill("name-2", "Bob")
        await driver.press("ctrl+s")
        await driver.until("The seconds of a turn must be a number, not 'soon'.")
        driver.fill("clock", "60")
        await driver.press("ctrl+s")
        await driver.until("Matrix Capture, 3x3, komi=1.5, pie=on")
        match = driver.screen.match
        assert [seat.name for seat in match.seats] == ["Ann", "Bob"] and match.turn_seconds == 60
        await driver.until("Komi for Bob: 1.5")
        await driver.press("enter")
        await driver.until("Or press w: swap.")
        await driver.press("w")
        assert match.moves[-1] == "swap"

    drive(story)


def test_the_arrows_go_through_a_form_whose_place_is_seen_without_color(drive, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def story(driver):
        await driver.press("4")
        fields = ["start", "clock", "rule-pie", "rule-komi", "rule-order", "size"]
        for field in fields:
            assert driver.app.focused.id == field
            if field not in ("clock", "rule-komi"):  # there the cursor blinks
                strips = driver.screen._compositor.render_strips()
                assert any(segment.style and segment.style.reverse for strip in strips for segment in strip), field
            await driver.press("up")
        await driver.press("down", "enter", "down", "enter")
        assert driver.screen.value("size") == "5"

    drive(story)


@pytest.mark.parametrize("size", SIZES)
def test_a_form_says_what_its_rules_mean(drive, size):
    async def story(driver):
        await driver.press("3")
        seen = {}
        for field in ("clock", "rule-pie", "rule-komi", "rule-sudden-death-first", "rule-sudden-death", "rule-ending"):
            await driver.press("up")
            assert driver.app.focused.id == field
            seen[field] = " ".join(driver.text().split())
            for words in ("Capture Square: Be the first", "Start (ctrl+s)", "Back (esc)"):
                assert words in seen[field]
        assert "Whoever takes longer for a turn loses the game." in seen["clock"]
        assert "Pie rule no ▼" in seen["rule-pie"]
        assert "Points that the second player receives beyond the score" in seen["rule-komi"]
        assert "Who begins Sudden Death whoever's turn it is" in seen["rule-sudden-death-first"]
        assert "an own and an opposing marker trade places (exchange)." in seen["rule-sudden-death"]

    drive(story, size=size)


@pytest.mark.parametrize("terminal", [{}, {"TERM": "xterm", "COLORTERM": ""}, {"NO_COLOR": "1"}], ids=str)
def test_a_form_marks_the_field_one_has_come_to(drive, monkeypatch, terminal):
    for name, value in terminal.items():
        monkeypatch.setenv(name, value)

    async def story(driver):
        def look_of(label):
            strips = driver.screen._compositor.render_strips()
            return next(segment.style for strip in strips for segment in strip if segment.text.startswith(label))

        await driver.press("3")
        plain = look_of("Against")
        assert look_of("Pie rule") == plain
        await driver.press("up", "up")
        assert look_of("Pie rule") != plain and look_of("Against") == plain

    drive(story)


def test_a_fair_komi_and_the_second_seat(drive):
    async def story(driver):
        await driver.press("1")
        driver.fill("rule-komi", "fair")
        driver.fill("first", "2")
        await driver.press("ctrl+s")
        await driver.until("komi=")
        match = driver.screen.match
        assert match.seats[0].kind == "level:3" and len(match.actions) == 1 and match.position.turn == 2

    drive(story)


@pytest.mark.parametrize("name", pg.game_names())
@pytest.mark.parametrize("size", SIZES)
def test_every_game_to_its_end_by_keys(drive, name, size):
    """Against the computer, always with the first possible move typed; then review, rematch, another game."""

    async def story(driver):
        number = [game.name for game in newcomers_first()].index(name) + 1
        await driver.press(str(number), "enter")
        screen = driver.screen
        while screen.match.outcome is None:
            await driver.press("slash")
            await driver.type(screen.match.position.moves()[0])
            await driver.until("to move:" if screen.match.outcome is None else "The game is over:")
        saved = read_file(saved_games()[0].path)
        assert saved.match.moves == screen.match.moves and saved.match.outcome == screen.match.outcome
        await driver.until("Accuracy of")
        await driver.press("r")
        assert isinstance(driver.screen, ReviewScreen)
        await driver.press("escape", "m")
        again = driver.app.screen
        assert again.match.seats == screen.match.seats[::-1]
        await driver.press("escape")
        assert isinstance(driver.screen, HomeScreen)

    drive(story, size=size)


def test_cursor_enter_click_and_typing(drive):
    async def story(driver):
        match = driver.screen.match
        await driver.press("left", "k", "enter")  # from R2C2 to R1C1
        assert match.moves == ["R1C1"]
        await driver.until("Player 1 takes 5 at R1C1; row 1 and column 1 are gone.")
        await driver.press("enter")
        await driver.until("Sorry, R1C1 has already been captured. Please choose an available cell.")
        await driver.click("8")
        assert match.moves == ["R1C1", "R2C4"]
        await driver.press("R")
        await driver.type("9C9")
        await driver.until("Row 9, column 9 is not on the board")
        await driver.press("escape", "slash")
        await driver.type("r3 c2")
        assert match.moves == ["R1C1", "R2C4", "R3C2"]

    drive(story, first=lambda: GameScreen(matrix()))


def test_lines_by_keys_and_mouse(drive):
    async def story(driver):
        match = driver.screen.match
        await driver.until("[Row1] =16")
        await driver.press("down", "down")
        await driver.until("[Row3] =10")
        await driver.press("down", "left")  # round the corner
        await driver.until("[Col2]")
        await driver.press("enter")
        assert match.moves == ["Col2"]
        await driver.press("up", "k", "k", "k")
        await driver.until("[Row1]")
        await driver.click("Row2")
        assert match.moves == ["Col2", "Row2"]
        await driver.click("    5    ", column=4)
        await driver.until("[Row3]")
        await driver.click("   5   ", column=1)
        await driver.until("[Col2]")

    drive(story, first=lambda: GameScreen(record_of("number-cross")))


def test_two_cells_of_a_trade(drive):
    full = ["A1", "B1", "C1", "D1", "A2", "B2", "C2", "D2", "B3", "A3", "D3", "C3", "B4", "A4", "D4", "C4"]
    record = record_of("capture-square", full, sudden_death="exchange")

    async def story(driver):
        match = driver.screen.match
        await driver.until("Sudden Death, turn 1 of 16.")
        await driver.until("player (O) wins.")
        await driver.press("up", "left", "enter")
        await driver.until("A1, and with which cell?")
        await driver.press("escape")
        assert "{X}" not in driver.text() and isinstance(driver.screen, GameScreen)
        await driver.press("enter", "right", "enter")
        assert match.moves[-1] == "A1 B1"
        await driver.press("enter", "down", "enter")
        assert len(match.actions) == len(full) + 1  # B2 is O's own, as B1 now is X's

    drive(story, size=(80, 24), first=lambda: GameScreen(record))


def test_take_that_back_and_resign(drive):
    record = matrix(seats=(Seat("Ann"), Seat("", "perfect")))

    async def story(driver):
        match = driver.screen.match
        await driver.press("u")
        await driver.until("There is no move to take back.")
        await driver.press("enter", "u")
        assert match.moves == [] and read_file(saved_games()[0].path).match.moves == []
        await driver.until("Taken back: R2C2,")
        await driver.press("x")
        await driver.until("Ann, do you want to resign?")
        await driver.press("n")
        assert match.outcome is None
        await driver.press("x", "left", "enter")
        await driver.until("Ann resigns. Player 2 wins!")
        assert read_file(saved_games()[0].path).match.outcome == (2, "resign")

    drive(story, first=lambda: GameScreen(record))


def test_hints_in_steps_values_and_the_panel(drive):
    async def story(driver):
        await driver.press("t")
        nudge = driver.text()
        assert "Look along row" in nudge and "t again shows the move." in nudge
        best = pg.analyze(driver.screen.shown).best[0].move
        assert f"+{best}" not in nudge
        await driver.press("t")
        await driver.until(f"{best} ")
        assert re.search(r"\+\d\+", driver.text())
        await driver.press("v")
        await driver.until("For Player 1: +3 wins by 3, -2 loses by 2")
        assert "*+" in driver.text()
        await driver.press("a")
        await driver.until("Player 1 should win by")
        await driver.until("Player 2 ahead")
        await driver.press("a", "v")
        assert "*+" not in driver.text() and "ahead" not in driver.text()

    drive(story, first=lambda: GameScreen(matrix()))


def test_values_say_whose_they_are_and_leave_no_legend_behind(drive):
    async def story(driver):
        before = driver.text()
        await driver.press("v")
        await driver.until("For Player 1: +3 wins by 3")
        await driver.until("Values for X")
        await driver.press("v")
        assert driver.text() == before
        await driver.press("v", "enter")
        await driver.until("Values for O")

    drive(story, first=lambda: GameScreen(matrix()))


@pytest.mark.parametrize("size", SIZES)
def test_the_panel_breaks_no_move(drive, size):
    async def story(driver):
        await driver.press("a")
        await driver.until("Player 2 ahead")
        listed = [line for line in driver.screen.panel_lines() if re.match(r"\*?\d \d", line)]
        assert len(listed) > 1
        for line in listed:
            assert re.fullmatch(r"(\*?\d \d [+-]\d+(; ?|$))+", line) and len(line) <= driver.screen.side_width()

    drive(story, size=size, first=lambda: GameScreen(record_of("number-grid-battle")))


def test_what_is_typed_after_a_wrong_move_takes_its_place(drive):
    async def story(driver):
        await driver.type("R9C9")
        await driver.until("R9C9")
        await driver.type("R2C2")
        assert driver.screen.match.moves == ["R2C2"]

    drive(story, first=lambda: GameScreen(matrix()))


def test_the_side_follows_a_size_that_changed_behind_the_keys(drive):
    async def story(driver):
        assert "(level:3)" not in driver.text()
        await driver.press("question_mark")
        await driver.pilot.resize_terminal(120, 40)
        await driver.press("escape")
        await driver.until("O Player 2 (level:3)")

    drive(story, size=(60, 20), first=lambda: GameScreen(matrix(seats=(Seat(), Seat("", "level:3")))))


@pytest.mark.parametrize("size", SIZES)
def test_the_keys_of_a_finished_game_and_the_marks_of_a_board(drive, size):
    async def story(driver):
        await driver.press("question_mark")
        await driver.until("m Rematch")
        assert "Type a move" not in driver.text()
        await driver.press(*["j"] * 20)
        for words in ("On the board:", "+5+ a best move          {X} first of two cells", "×   out of play"):
            assert words in driver.text()

    finished = ["A1", "D4", "B1", "D3", "A2", "C4", "B2"]
    drive(story, size=size, first=lambda: GameScreen(record_of("capture-square", finished)))


def test_a_process_that_dies_is_told_and_replaced(drive):
    async def story(driver):
        await driver.press("v")
        await driver.until("*+")
        thinking._THINKER._process.kill()
        await driver.press("enter")
        await driver.until("The process that thinks has died, perhaps because memory ran out.")
        await driver.press("v", "v")
        await driver.until("*-3")

    drive(story, first=lambda: GameScreen(matrix()))


def test_the_clock_warns_and_ends_the_game(drive):
    now = [0.0]
    match = Match(pg.load("matrix-capture").deal(7), (Seat("Ann"), Seat("Bob")), turn_seconds=20, now=lambda: now[0])

    async def story(driver):
        await driver.until("0:20 left")
        now[0] = 14.5
        await driver.until("0:05 left")
        assert "!" not in driver.text()
        now[0] = 15.5
        await driver.until("! 0:04 left")
        now[0] = 20.5
        await driver.until("Time is up, Ann. Bob wins!")
        assert read_file(saved_games()[0].path).match.outcome == (2, "time")
        await driver.until("No moves were made.")
        assert "erred" not in driver.text() and "Accuracy" not in driver.text()

    drive(story, first=lambda: GameScreen(Record(match, "2026-11-16")))


@pytest.mark.parametrize("names", [("王" * 40, "🙂" * 40), ("[b]Ann[/b]", "[red"), ("x" * 40, "e\u0301" * 20)])
@pytest.mark.parametrize("size", SIZES)
def test_names_of_all_kinds(drive, names, size):
    async def story(driver):
        await driver.press("enter", "a")
        assert all(cell_len(line) <= size[0] for line in driver.lines())
        assert names[1][:5] in driver.text()
        assert "X" in driver.text() and "R1" in driver.text()

    drive(story, size=size, first=lambda: GameScreen(matrix(seats=(Seat(names[0]), Seat(names[1])))))


def test_resizing_in_mid_game_keeps_everything(drive):
    async def story(driver):
        await driver.press("enter")
        for size in ((120, 40), (60, 20), (30, 10), (80, 24)):
            await driver.pilot.resize_terminal(*size)
            await driver.settle()
            assert driver.screen.match.moves == ["R2C2"]
        assert "(X7)" in driver.text() and "> O Player 2" in driver.text()

    drive(story, first=lambda: GameScreen(matrix()))


def test_a_busy_machine_makes_no_timer_lost(drive, monkeypatch):
    clock = count(0, 0.012)  # the process is held up between any two looks at the clock
    monkeypatch.setattr("textual._time.get_time", lambda: next(clock))

    async def story(driver):
        gone_off = asyncio.Event()
        driver.app.set_timer(1 / 120, gone_off.set)  # as it is when the terminal has a new size
        await asyncio.wait_for(gone_off.wait(), 5)

    drive(story)


def test_a_large_board_scrolls_after_the_cursor(drive):
    async def story(driver):
        await driver.press(*["down"] * 8, *["right"] * 8)
        frame, board = driver.screen.query_one("#frame"), driver.screen.board
        assert frame.scroll_offset.y > 0 and "[" in driver.text()
        assert board.picture.cell_width == 7

    drive(story, size=(60, 20), first=lambda: GameScreen(record_of("matrix-capture", size=12)))


def test_leaving_says_how_to_come_back(drive):
    async def story(driver):
        await driver.press("enter", "ctrl+q")

    lines = drive(story, first=lambda: GameScreen(matrix())).return_value
    assert lines[0].startswith("The game is saved in ") and "resume" in lines[1]
    assert read_file(saved_games()[0].path).match.moves == ["R2C2"]


def test_a_folder_that_cannot_be_written_is_told_once(drive, home):
    (home / ".local").mkdir()
    (home / ".local" / "state").write_text("in the way")

    async def story(driver):
        await driver.press("enter")
        await driver.until("The game is not being saved.")
        told = write_preferences(Preferences())
        assert told.endswith("/app cannot be made: Not a directory.") and "Errno" not in told
        assert driver.screen.match.moves == ["R2C2"]

    drive(story, first=lambda: GameScreen(matrix()))


# Saved games and review -----------------------------------------------------------------------------------


def test_saved_games_go_on_or_are_reviewed(drive):
    SaveFile.fresh(record_of("number-cross", ["Row1", "Row2", "Row3", "Col1", "Col2", "Col3"]))
    file = SaveFile.fresh(matrix("R2C2"))
    file.path.with_name("broken.pentagrid").write_text("nothing")

    async def story(driver):
        await driver.press("s")
        await driver.until("Cannot be read:")
        await driver.until("Player 1 has won against Player 2")
        await driver.press("k", "j")
        index = next(i for i, saved in enumerate(driver.screen.saved) if saved.unfinished)
        driver.screen.query_one("OptionList").highlighted = index
        await driver.press("enter")
        assert isinstance(driver.screen, GameScreen) and driver.screen.match.moves == ["R2C2"]
        await driver.press("slash")
        await driver.type("R1C1")
        assert read_file(file.path).match.moves == ["R2C2", "R1C1"]
        await driver.press("escape", "r")
        assert isinstance(driver.screen, ReviewScreen)

    drive(story)


def test_the_current_move_stays_in_sight_when_the_report_appears(drive):
    full = ["A1", "B1", "C1", "D1", "A2", "B2", "C2", "D2", "B3", "A3", "D3", "C3", "B4", "A4", "D4", "C4"]
    record = record_of("capture-square", full)
    record.match.resign(1)

    async def story(driver):
        await driver.press("end")
        await driver.until("Turning point: move")
        await driver.until("16 O C4")

    drive(story, first=lambda: ReviewScreen(record))


@pytest.mark.parametrize("key", ["1", "p", "w"])
def test_forms_show_their_keys(drive, key):
    async def story(driver):
        await driver.press(key, "question_mark")
        await driver.until("Keys of this screen.")
        await driver.until("↓ Next field")
        await driver.until("⏎ Press button")
        await driver.press("escape", "escape")
        assert isinstance(driver.screen, HomeScreen)

    drive(story)


def test_a_question_mark_can_be_typed_into_a_form(drive):
    async def story(driver):
        await driver.press("1")
        driver.screen.query_one("#name-1").focus()
        await driver.press("question_mark")
        assert driver.screen.value("name-1") == "?"

    drive(story)


def test_review_lists_the_keys_that_work_there(drive):
    async def story(driver):
        await driver.press("question_mark")
        await driver.until("↓ j n Turning point")
        for what in ("Type a move", "Play under the cursor", "Cursor"):
            assert what not in driver.text()

    drive(story, first=lambda: ReviewScreen(matrix("R2C2")))


def test_a_report_of_few_moves_says_who_made_none_and_that_the_board_did_not_decide(drive):
    record = matrix("R3C1")
    record.match.resign(2)

    async def story(driver):
        await driver.press("end")
        await driver.until("Accuracy of Player 2: no moves")
        await driver.until("Nobody erred on the board.")

    drive(story, first=lambda: ReviewScreen(record))


def test_review_steps_jumps_and_plays_on(drive):
    record = matrix("R2C2", "R1C1", "R3C3", "R4C4")

    async def story(driver):
        screen = driver.screen
        await driver.until("Right steps on")
        await driver.press("right", "l", "left")
        assert screen.at == 1
        await driver.press("n")
        assert screen.at in [choice.number for choice in screen.judged.choices if choice.regret]
        await driver.until("best was")
        await driver.press("end")
        await driver.until("The game is over:")
        await driver.press("n")
        await driver.until("There is no turning point after this.")
        await driver.press("enter")
        await driver.until("The game is over here; step back to play on.")
        await driver.press("p", "home")
        assert screen.at == 0
        await driver.click("2 O R1C1")
        assert screen.at == 2
        await driver.press("a")
        await driver.until("ahead")
        await driver.press("c", "ctrl+s")
        assert isinstance(driver.screen, GameScreen) and driver.screen.match.start == screen.positions[2]

    drive(story, size=(120, 40), first=lambda: ReviewScreen(record))


# Puzzles --------------------------------------------------------------------------------------------------


def test_the_puzzle_of_the_day_refuted_hinted_and_solved(drive, monkeypatch):
    day = date(2026, 11, 17)
    monkeypatch.setattr("pentagrid.terminal.app.puzzle_screen.today", lambda: day)
    monkeypatch.setattr("pentagrid.terminal.app.puzzle_screen.PLAYOUT_PACE", 0.01)
    puzzle = daily_puzzle(day)
    wrong = puzzle.position.game.texts[puzzle.grade.tempting[0]]

    async def story(driver):
        await driver.press("d")
        await driver.until("Which one?")
        screen = driver.screen
        assert isinstance(screen, PuzzleBoardScreen)
        await driver.press("v", "a")
        assert not screen.values_on and not screen.panel_on
        await driver.press("t")
        await driver.until("best")
        await driver.press("t")
        await driver.until("It is one of these:")
        await driver.press("slash")
        await driver.type(wrong)
        await driver.until("Wrong:")
        await driver.until("The game is over:")
        await driver.press("enter", "slash")
        await driver.type(puzzle.move)
        await driver.until("Solved at try 2.")
        assert StreakFile().read().days == {day: False}
        await driver.press("n")
        await driver.until("Puzzle, ", 30)

    drive(story, size=(100, 30))


def test_puzzles_by_game_and_difficulty_and_the_solution(drive, monkeypatch):
    monkeypatch.setattr("pentagrid.terminal.app.puzzle_screen.fresh_seed", lambda: 5)

    async def story(driver):
        await driver.press("p")
        driver.fill("game", "matrix-capture")
        driver.fill("difficulty", "1")
        await driver.press("ctrl+s")
        await driver.until("Puzzle, Matrix Capture, difficulty 1", 30)
        await driver.press("s")
        await driver.until("The answer is")
        await driver.press("right", "space", "enter", "escape")
        assert isinstance(driver.screen, HomeScreen)
        tally = StreakFile().read().tally("matrix-capture")
        assert (tally.tried, tally.solved) == (1, 0)

    drive(story)


def test_a_puzzle_that_cannot_be_made_is_told(drive):
    async def story(driver):
        await driver.until("no puzzles")

    drive(story, first=lambda: PuzzleScreen("number-grid-battle", 3))


def test_the_calendar():
    last = date(2026, 11, 18)
    days = {last - timedelta(days=1): True, last - timedelta(days=9): False}
    assert calendar_lines(days, last)[-4:-2] == ["2026-11-09  x  .  .  .  .  .  .", "2026-11-16  .  # [.]"]


# Watching -------------------------------------------------------------------------------------------------


def test_watch_pause_step_pace(drive, monkeypatch):
    monkeypatch.setattr("pentagrid.terminal.app.watch_screen.PACES", (0.01, 0.02, 5.0, 6.0, 7.0))
    plan = GamePlan(pg.load("matrix-capture"), (Seat("", "greedy"), Seat("", "perfect")))

    async def story(driver):
        screen = driver.screen
        await driver.until("Paused: space goes on")
        await driver.press("full_stop")
        assert len(screen.match.actions) == 1
        await driver.press("right")
        assert len(screen.match.actions) == 2 and screen.paused
        await driver.press("minus")
        await driver.until("6 seconds a move")
        await driver.press("plus")
        await driver.until("5 seconds a move")
        await driver.pilot.press("plus", "plus", "space")
        await driver.until("The game is over:")
        assert saved_games() == []
        await driver.press("r")
        assert isinstance(driver.screen, ReviewScreen)
        await driver.press("escape", "m")
        assert isinstance(driver.screen, WatchScreen) and driver.screen.match.seats == plan.seats[::-1]

    def paused():
        screen = WatchScreen(plan.begin(7), plan)
        screen.paused = True
        return screen

    drive(story, first=paused)


def test_watch_is_chosen_from_home(drive):
    async def story(driver):
        await driver.press("w")
        driver.fill("game", "number-cross")
        driver.fill("pace", "0.25")
        await driver.press("ctrl+s")
        await driver.until("Watch: Number Cross, P1 level:5 - P2 perfect")

    drive(story)


# Looks ----------------------------------------------------------------------------------------------------


def test_letters_that_every_terminal_has(drive, monkeypatch):
    monkeypatch.setenv("PENTAGRID_ASCII", "1")

    async def story(driver):
        await driver.press("enter", "a")
        middle = "\n".join(driver.lines()[1:-4])
        assert middle.isascii(), middle

    drive(story, first=lambda: GameScreen(matrix()))


def test_without_color_no_color_is_used(drive, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def story(driver):
        await driver.press("enter")
        from textual.filter import NoColor

        assert any(isinstance(each, NoColor) for each in driver.app.get_line_filters())
        await driver.press("escape")
        assert driver.screen.query_one("ChoiceList").get_visual_style("option-list--option-highlighted").reverse

    drive(story, first=lambda: GameScreen(matrix()))


@pytest.mark.parametrize(
    ("environ", "theme"),
    [
        ({"TERM": "xterm-256color"}, "textual-dark"),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "COLORFGBG": "0;15"}, "textual-light"),
        ({"TERM": "linux"}, "ansi-dark"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1", "COLORFGBG": "0;7"}, "ansi-light"),
    ],
)
def test_the_theme_fits_the_terminal(environ, theme):
    from pentagrid.terminal.app.themes import fitting_theme

    assert fitting_theme(environ) == theme


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", [[], ["r"], ["s"], ["b"], ["w", "ctrl+s", "wait"]], ids=lambda keys: "-".join(keys))
def test_the_footer_cuts_no_key_and_always_offers_all_of_them(drive, size, keys):
    async def story(driver):
        for key in keys:
            await (driver.until("? Keys") if key == "wait" else driver.press(key))
        for width in (size[0], size[0] + 13, size[0]):
            await driver.pilot.resize_terminal(width, size[1])
            await driver.settle()
            await driver.until("? Keys")
            last = driver.lines()[-1]
            assert last.endswith("? Keys") and cell_len(last) <= width, last

    drive(story, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_a_review_names_its_own_keys_where_there_is_room(drive, size):
    async def story(driver):
        last = driver.lines()[-1]
        assert "← Step back → Step" in last and last.endswith("? Keys")
        if size[0] >= 80:
            assert "n Turning point ⏎ Play on" in last

    drive(story, size=size, first=lambda: ReviewScreen(matrix("R2C2")))
