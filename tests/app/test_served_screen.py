"""Games on a server in the app: one seat here, the other in a client of its own, and a real server between them."""

from __future__ import annotations

import json
import signal
import socket
import sys
import time
from pathlib import Path

import pytest
from textual.events import Key

from pentagrid.terminal.app.home_screen import HomeScreen
from pentagrid.terminal.app.served_screen import ServedScreen
from pentagrid.terminal.commands import games
from pentagrid.terminal.main import main
from pentagrid.terminal.remote import server_client
from pentagrid.terminal.remote.addresses import read_server
from pentagrid.terminal.remote.held_games import held_games
from pentagrid.terminal.remote.last_seen import LastSeenFile
from pentagrid.terminal.remote.seat_keys import SeatKey, SeatKeyFile
from pentagrid.terminal.remote.served_game import ServedGame
from pentagrid.terminal.remote.server_client import ANSWER_SECONDS

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from real_terminal import PENTAGRID, RealTerminal

sys.path.append(str(Path(__file__).parents[1] / "web"))
from tests_web import BOARD, Served, until

pytestmark = pytest.mark.alone  # time limits with a real server

GAME = {"game": "matrix-capture", "board": BOARD, "you": 1, "seats": [{"name": "Ann"}, {"name": ""}]}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Served(f"sqlite:///{tmp_path_factory.mktemp('app') / 'games.sqlite'}")
    yield server
    server.stop()


@pytest.fixture
def table(server, tmp_path):
    """Ann's game, and Bob at the other seat, whose keys are elsewhere."""
    return open_table(server, tmp_path)


def open_table(server, folder, name="Bob", **more):
    ann, invitation = ServedGame.create(read_server(server.address), GAME | more)
    return ann, ServedGame.join(invitation, name, SeatKeyFile(folder / "elsewhere"))


def look(game):
    """The game as the server has it now, seen from somebody's seat."""
    return ServedGame(game._client, game.link.game)


def test_a_move_each_way_and_resigning(drive, table):
    ann, bob = table

    async def story(driver):
        await driver.until("Your move, Ann")
        await driver.until("Ann (you)")
        await driver.press("enter")
        await driver.until("Bob to move.")
        here = look(bob)
        assert len(here.now.match.moves) == 1 and here.is_my_turn
        await driver.press("enter", "slash")
        assert not driver.screen.query_one("#typed").display, "it is Bob's turn"
        here.play("R1C1")
        await driver.until("Your move, Ann")
        await driver.until("2 O R1C1")
        await driver.type("R2C2")
        await driver.until("already")
        await driver.press("escape")
        await driver.press("x")
        await driver.until("Do you want to resign?")
        await driver.press("n")
        assert look(bob).now.outcome is None
        await driver.press("x")
        await driver.press("y")
        await driver.until("Ann resigns. Bob wins!")
        assert look(bob).now.outcome == (2, "resign")
        await driver.press("r")
        await driver.until("R2C2")

    drive(story, first=lambda: ServedScreen(ann))


def test_home_goes_on_with_games_on_servers(drive, server, tmp_path):
    place = server.address.removeprefix("http://")
    _, bob = open_table(server, tmp_path)
    over, other = open_table(server, tmp_path)
    other.resign()

    async def story(driver):
        await driver.until(f"c Go on: Matrix Capture on {place}, your move against Bob, move 1")
        assert driver.text().count("Go on:") == 1, "one of them is over"
        await driver.press("c")
        await driver.until("Your move, Ann")
        await driver.type("R2C2")
        await driver.until("Bob to move.")
        await driver.press("escape")
        await driver.until(f"Matrix Capture on {place}, Bob to move, move 2")
        look(bob).play("R1C1")
        driver.screen._ask_again()
        await driver.until("your move against Bob, move 3")
        look(bob).resign()
        driver.screen._ask_again()
        await driver.settle()
        assert "Go on:" not in driver.text()

    drive(story)
    assert json.loads(LastSeenFile().path.read_text())[str(over.link)] == {
        "title": "Matrix Capture",
        "rival": "Bob",
        "over": True,
    }
    assert held_games() == [] and LastSeenFile().path.stat().st_mode & 0o77 == 0


def test_a_server_that_hangs_or_is_gone_holds_nobody_up(drive, capsys, monkeypatch):
    deaf = socket.create_server(("127.0.0.1", 0))  # it takes the call, and says nothing
    gone = socket.create_server(("127.0.0.1", 0))
    places = [each.getsockname()[1] for each in (deaf, gone)]
    gone.close()
    for number, port in enumerate(places):
        SeatKeyFile().add(SeatKey(f"http://127.0.0.1:{port}", "g" * 15 + str(number), "t" * 43))

    monkeypatch.setattr(server_client, "ANSWER_SECONDS", 4.0)
    monkeypatch.setattr(games, "ASK_SECONDS", 1.0)

    async def story(driver):
        await driver.until(f"A game on 127.0.0.1:{places[0]}; the server does not answer")
        driver.screen.served = []
        asking = driver.screen._ask_servers()
        await driver.until(f"A game on 127.0.0.1:{places[1]}; the server does not answer")
        await driver.until(f"A game on 127.0.0.1:{places[0]}; asking the server …")
        await driver.pilot.press("r")
        await driver.until("Rules: ")
        assert asking.is_running, "nothing has waited for the one that hangs"

    with deaf:
        drive(story)
        assert main(["games"]) == 0
    told = capsys.readouterr().out
    for number, port in enumerate(places):
        assert f"A game on 127.0.0.1:{port}; the server does not answer\n" in told
        assert f"join http://127.0.0.1:{port}/play/ggggggggggggggg{number}\n" in told


def test_taking_back_is_asked_and_answered(drive, table):
    ann, bob = table

    async def story(driver):
        await driver.until("Your move, Ann")
        assert driver.screen.check_action("values", ()) is False, "a player gets no values"
        await driver.type("R1C1")
        await driver.until("Bob to move.")
        await driver.press("u")
        until(lambda: look(bob).is_undo_mine_to_answer)
        look(bob).answer_undo(grant=True)
        await driver.until("Your move, Ann")
        assert look(bob).now.match.moves == []
        await driver.type("R1C1")
        await driver.until("Bob to move.")
        look(bob).play("R2C2")
        await driver.until("Your move, Ann")
        look(bob).undo()
        await driver.until("Bob asks to take back a move: y agrees")
        await driver.press("n")
        await driver.until("Your move, Ann")
        assert len(look(bob).now.match.moves) == 2

    drive(story, first=lambda: ServedScreen(ann))


def test_a_rematch_and_watching_it(drive, table, tmp_path, monkeypatch):
    ann, bob = table

    async def story(driver):
        await driver.until("Your move, Ann")
        bob.resign()
        await driver.until("m is a rematch")
        await driver.press("m")
        await driver.until("Waiting for Bob to sit down.")
        look(bob).rematch(SeatKeyFile(tmp_path / "elsewhere"))
        await driver.until("Bob to move.")
        assert driver.screen.game.link != ann.link

    drive(story, first=lambda: ServedScreen(ann))

    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))

    async def watching(driver):
        await driver.until("m is the rematch")
        await driver.press("m")
        await driver.until("You watch this game. Bob to move.")
        assert not driver.screen.board.playable
        await driver.press("enter", "x", "u")
        assert isinstance(driver.screen, ServedScreen)
        await driver.press("escape")
        await driver.until("To watch again")

    drive(watching, first=lambda: ServedScreen(ServedGame.join(ann.link)))


def test_who_wants_a_rematch_is_told(drive, table, tmp_path):
    ann, bob = table

    async def story(driver):
        await driver.until("Your move, Ann")
        bob.resign()
        await driver.until("m is a rematch")
        look(bob).rematch(SeatKeyFile(tmp_path / "elsewhere"))
        await driver.until("Bob wants a rematch: press m;")
        await driver.until("r reviews the game, Esc goes back.")
        await driver.press("m")
        await driver.until("Bob to move.")

    drive(story, first=lambda: ServedScreen(ann))


def test_the_clock_and_the_invitation(drive, server, tmp_path):
    ann, invitation = ServedGame.create(read_server(server.address), GAME | {"turn_seconds": 3})

    async def story(driver):
        await driver.until("For the other player, once")
        await driver.until("(seat open)")
        ServedGame.join(invitation, "Bob", SeatKeyFile(tmp_path / "elsewhere"))
        await driver.until("Your move, Ann")
        await driver.until("0:02 left")
        await driver.until("! 0:00 left")
        await driver.until("Time is up, Ann. Bob wins!")

    drive(story, first=lambda: ServedScreen(ann, invitation))


def test_a_lost_connection_is_told_and_the_move_gets_through(drive, tmp_path):
    server = Served(f"sqlite:///{tmp_path / 'lost.sqlite'}")
    ann, bob = open_table(server, tmp_path)

    async def story(driver):
        await driver.until("Your move, Ann")
        server.kill()
        await driver.until("The connection is lost; coming back")
        await driver.pilot.press("enter")
        await driver.until("cannot be reached")
        server.start()
        await driver.until("Bob to move.", seconds=30)
        assert len(look(bob).now.match.moves) == 1

    try:
        drive(story, first=lambda: ServedScreen(ann))
    finally:
        server.stop()


def test_texts_of_others_are_shown_as_they_are(drive, server, tmp_path):
    ann, _ = open_table(server, tmp_path, "[red]Bob[/]")

    async def story(driver):
        await driver.until("[red]Bob[/]")

    drive(story, first=lambda: ServedScreen(ann))


def test_a_move_typed_at_once_is_read_whole(drive, table):
    ann, bob = table

    async def story(driver):
        await driver.until("Your move, Ann")
        for letter in "R1C1":
            driver.app.post_message(Key(letter, letter))
        await driver.settle()
        assert driver.screen.query_one("#typed").value == "R1C1"
        await driver.press("enter")
        await driver.until("Bob to move.")
        assert look(bob).now.match.moves == ["R1C1"]

    drive(story, first=lambda: ServedScreen(ann))


def test_joining_from_home(drive, server, tmp_path):
    ann, invitation = ServedGame.create(read_server(server.address), GAME, SeatKeyFile(tmp_path / "elsewhere"))

    async def story(driver):
        await driver.press("o")
        await driver.until("Join a game on a server: the link")
        for link, told in (
            ("nonsense", "it must begin with http:// or https://"),
            (str(invitation)[:-5], "The invitation behind # must have 43 letters"),
            (f"{server.address}/play/{'A' * 16}", "no such game"),
            (f"http://127.0.0.1:9/play/{'A' * 16}", "cannot be reached"),
        ):
            driver.fill("link", link)
            await driver.press("enter")
            await driver.until(told)
        driver.fill("link", str(invitation))
        driver.fill("name", "Bob")
        await driver.press("enter")
        await driver.until("Ann to move.")
        await driver.until("Bob (you)")
        look(ann).play("R1C1")
        await driver.until("Your move, Bob")
        await driver.press("escape")
        assert isinstance(driver.screen, HomeScreen)
        await driver.until("Your seat stays yours. To come back:")
        assert [note.timeout for note in driver.app._notifications] == [30]

    drive(story)


def test_join_on_a_terminal_and_leave_while_the_server_hangs(program, server, tmp_path):
    ann, invitation = ServedGame.create(read_server(server.address), GAME, SeatKeyFile(tmp_path / "elsewhere"))
    command = [*PENTAGRID, "join", str(invitation), "--name", "Bob", "--app"]
    screen = RealTerminal(command, program.folder, program.env | {"TERM": "xterm-256color"})
    try:
        screen.until("Ann to move.")
        look(ann).play("R1C1")
        screen.until("Your move, Bob")
        screen.type("R2C2\r")
        screen.until("Ann to move.")
        look(ann).play("R3C3")
        screen.until("Your move, Bob")
        server.process.send_signal(signal.SIGSTOP)
        screen.type("R4C4\r")
        screen.until("Sent …")
        left_at = time.monotonic()
        screen.type("\x11")  # Ctrl-Q
        assert screen.end() == 0
        assert time.monotonic() - left_at < ANSWER_SECONDS / 2, "nobody waits for the answer"
        assert b"Your seat stays yours. To come back: " in screen.written
    finally:
        server.process.send_signal(signal.SIGCONT)
        screen.close()
    assert look(ann).now.match.moves[:3] == ["R1C1", "R2C2", "R3C3"]
