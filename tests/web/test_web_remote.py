"""Play across machines: `pentagrid invite` and `pentagrid join` against real servers, browsers, and hostile servers."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import time
from threading import Event

import pytest
from tests_remote import LINK, HostileServer, Network, Piped, RawServer
from tests_web import BOARD, play_out

import pentagrid as pg
from pentagrid.errors import OptionError
from pentagrid.terminal.remote.addresses import read_link, read_server
from pentagrid.terminal.remote.seat_keys import SeatKey, SeatKeyFile
from pentagrid.terminal.remote.served_game import ServedGame
from pentagrid.terminal.remote.server_client import RefusedError
from pentagrid.terminal.remote.server_messages import News

pytestmark = pytest.mark.alone  # time limits on a real terminal or network

SMALL = ("matrix-capture", "--board", "7 1/7 2")


@pytest.fixture
def people(program, tmp_path):
    """Makes people with a home of their own each."""

    known = {}

    def person(name):
        if name not in known:
            folder = tmp_path / name
            folder.mkdir()
            known[name] = type(program)(folder)
        return known[name]

    return person


@pytest.fixture
def opened():
    """Closes what is given to it."""
    things = []

    def keep(thing):
        things.append(thing)
        return thing

    yield keep
    for thing in things:
        thing.close()


@pytest.fixture
def table(site, people):
    """Ann makes a game and Bob sits down at it, both over pipes."""
    playing = []

    def sit(*options, server=site, joins=True):
        ann = Piped(people("ann"), "invite", *options, "--server", server.address, "--name", "Ann")
        playing.append(ann)
        ann.until("For those who watch:")
        link = LINK.search(ann.told)[0]
        if not joins:
            return ann, link
        bob = Piped(people("bob"), "join", link, "--name", "Bob")
        playing.append(bob)
        ann.until("Bob has sat down.")
        bob.until("You are Bob")
        return ann, bob, link

    yield sit
    for each in playing:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait(10)
        each.process.stdin.close()
        each.process.stdout.close()


# Whole games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", pg.game_names())
def test_two_terminals_play_to_the_end(site, people, name):
    match = play_out(name, 7)
    movers, position = [], match.start
    for action in match.actions:
        movers.append(position.mover)
        position = position.play(action)
    lines = {seat: [m for m, mover in zip(match.moves, movers, strict=True) if mover == seat] for seat in (1, 2)}
    ann = Piped(people("ann"), "invite", name, "--seed", "7", "--server", site.address, "--name", "Ann")
    ann.until("For those who watch:")
    bob_typed = "\n".join([*lines[2], "n", ""])
    bob = Piped(people("bob"), "join", LINK.search(ann.told)[0], "--name", "Bob", typed=bob_typed)
    ann.process.stdin.write("\n".join([*lines[1], "n", ""]).encode())
    told = ann.end(), bob.end()
    winner = ("Ann", "Bob")[match.outcome.winner - 1]
    for text in told:
        assert winner in text[-300:] and ("wins" in text[-300:] or "won" in text[-300:])
        assert "Rematch with the seats swapped?" in text
    assert "You are Ann" in told[0] and "Ann plays " in told[1]


def test_a_terminal_and_a_browser_play_through_a_restart(serve, visitor, people):
    from playwright.sync_api import expect
    from test_web_browser import click_move

    server = serve()
    game = ("matrix-capture", "--board", BOARD, "--turn-seconds", "60")
    ann = Piped(people("ann"), "invite", *game, "--server", server.address, "--name", "Ann")
    ann.until("For those who watch:")
    page = visitor(server.address)
    page.goto(LINK.search(ann.told)[0].removeprefix(server.address))
    page.locator("#name").fill("Bob")
    page.get_by_role("button", name="Sit down").click()
    ann.until("Bob has sat down.")
    ann.type("R2C2")
    ann.until("You selected number 7 at R2C2.")
    expect(page.locator("#moves li")).to_have_count(1)
    server.kill()
    ann.until("The connection is lost; coming back…")
    expect(page.locator("#notice")).to_contain_text("The connection is lost")
    server.start()
    ann.until("The connection is back.")
    expect(page.locator("#notice")).to_be_hidden()
    click_move(page)
    ann.until("Bob plays ")
    server.kill()
    ann.until("The connection is lost")
    ann.type("R4C4")
    ann.until("cannot be reached")
    server.start()  # the move is sent again by itself
    ann.until("The server was started again; the turn begins anew.")
    ann.until("You selected number 1 at R4C4.")
    click_move(page)
    ann.until("wins with a higher total sum.")
    ann.until("Rematch with the seats swapped? (y/n):")
    expect(page.locator("#sentence")).to_contain_text("The game is over")
    page.get_by_role("button", name="Rematch, seats swapped").click()
    ann.until("A rematch begins")
    ann.type("y")
    ann.until("You are Ann (O).")
    click_move(page)
    ann.until("Bob plays ")
    ann.type("resign")
    ann.until("Ann resigns.")
    expect(page.locator("#sentence")).to_contain_text("Bob has won, because Ann resigned")
    ann.type("n")
    ann.end()


def test_a_cut_network_comes_back(site, people, opened):
    network = opened(Network(site.port))
    ann = Piped(people("ann"), "invite", *SMALL, "--server", f"http://127.0.0.1:{network.port}")
    ann.until("For those who watch:")
    link = LINK.search(ann.told)[0].replace(str(network.port), str(site.port))
    bob = Piped(people("bob"), "join", link)
    ann.until("has sat down.")
    network.cut()
    ann.until("The connection is lost")
    bob.until("Player 1 is not connected.")
    network.mend()
    ann.until("The connection is back.")
    bob.until("Player 1 is back.")
    ann.type("R1C1")
    bob.until("Player 1 plays R1C1.")
    bob.type("R2C2")
    assert "wins" in ann.end() and "wins" in bob.end()


def test_who_is_away_when_somebody_comes_is_told(table, people):
    ann, bob, link = table(*SMALL)
    ann.type("quit")
    ann.end()
    bob.type("quit")
    bob.end()
    again = Piped(people("bob"), "join", link)
    again.until("Ann is not connected.")
    back = Piped(people("ann"), "join", link.partition("#")[0])
    again.until("Ann is back.")
    for each in (back, again):
        each.type("resign")
        each.end()


def test_https(site, people, opened, tmp_path):
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True,
    )  # fmt: skip
    network = opened(Network(site.port, (certificate, key)))
    ann = people("ann")
    command = ("invite", *SMALL, "--server", f"https://localhost:{network.port}")
    assert "has no valid certificate" in ann(*command, code=2)
    ann.env["SSL_CERT_FILE"] = str(certificate)
    playing = Piped(ann, *command)
    playing.until("For those who watch:")
    link = LINK.search(playing.told)[0].replace(f"https://localhost:{network.port}", site.address)
    bob = Piped(people("bob"), "join", link)
    playing.until("has sat down.")
    playing.type("R1C1")
    playing.until("You selected number 7")
    bob.type("R2C2")
    assert "wins" in playing.end() and "wins" in bob.end()


# What players do besides moving -------------------------------------------------------------------------------


def test_undo_is_asked_refused_and_granted(table):
    ann, bob, _ = table(*SMALL)
    ann.type("undo")
    ann.until("You have made no move that could be taken back.")
    ann.type("R1C1")
    ann.until("Bob to move.")
    ann.type("undo")
    bob.until("Ann asks to take back a move.\nType yes to agree, or no to refuse")
    bob.type("no")
    ann.until("Bob does not agree to take it back.")
    bob.type("yes")
    bob.until("Nobody has asked to take back a move.")
    ann.type("undo")
    bob.until("Ann asks to take back a move.")
    bob.type("yes")
    ann.until("Taken back: R1C1.")
    ann.until("Available cells:\nR1C1: 7, R1C2: 1")
    bob.until("Taken back: R1C1.")
    ann.type("R2C2")
    bob.until("Ann plays R2C2.")
    bob.type("R1C1")
    assert "Bob wins with a higher total sum." in ann.end() and "Bob wins" in bob.end()


def test_a_rematch_has_the_seats_swapped_and_can_be_come_back_to(table, people):
    ann, bob, _ = table(*SMALL)
    ann.type("resign")
    ann.until("Ann resigns.\n\nBob wins!")
    bob.until("Rematch with the seats swapped? (y/n):")
    bob.type("perhaps")
    bob.until("Please answer y or n.")
    bob.type("y")
    bob.until("You are Bob (X).\nAnn has not sat down yet.")
    ann.until("A rematch begins, with the seats swapped.\nSit down at the rematch? (y/n):")
    ann.type("y")
    ann.until("You are Ann (O).")
    bob.until("Ann has sat down.")
    told = bob.end()  # no more lines, and it is Bob's turn
    back = told.rpartition(" join ")[2].strip()
    assert "Your seat stays yours." in told
    again = Piped(people("bob"), "join", back)
    again.until("You are Bob (X).")
    again.type("quit")
    again.end()
    ann.type("quit")
    ann.end()


def test_the_clock_is_shown_and_ends_the_game(table):
    ann, bob, _ = table(*SMALL, "--turn-seconds", "2")
    assert "Each turn may last 2 seconds." in ann.told
    ann.until("Your move (2 seconds left).")
    bob.until("Ann to move (2 seconds left).")
    bob.until("Time is up, Ann.\n\nBob wins!")
    ann.until("Time is up, Ann.")
    ann.end(), bob.end()


def test_a_watcher_sees_all_and_can_do_nothing(table, people):
    ann, bob, link = table(*SMALL)
    eve = Piped(people("eve"), "join", link.partition("#")[0])
    eve.until("You watch this game.")
    eve.until("Ann to move.")
    eve.type("R1C1")
    eve.until("You watch this game; type quit to leave.")
    eve.type("resign")
    eve.until("You hold no seat in this game.")
    eve.process.stdin.close()  # whoever has nothing to say still watches
    ann.type("R1C1")
    eve.until("Ann plays R1C1.")
    bob.type("R2C2")
    assert "Ann wins with a higher total sum." in eve.end()
    ann.end(), bob.end()


def test_moves_are_judged_here_and_wait_for_their_turn(table):
    ann, bob, _ = table(*SMALL)
    bob.type("R2C2")
    ann.type("nonsense")
    ann.until("'nonsense' is not")
    ann.type("help")
    ann.until("take back a move; another person is asked first")
    ann.type("moves")
    ann.until("Possible moves: R1C1; R1C2; R2C1; R2C2")
    ann.type("board")
    ann.until("Ann's turn.")
    ann.type("link")
    ann.until("For you on another device, once: http")
    ann.type("R1C1")
    bob.until("You selected number 2 at R2C2.")
    ann.end(), bob.end()


def test_link_repeats_the_invitation_while_the_seat_is_free(table):
    ann, link = table(*SMALL, joins=False)
    ann.type("link")
    ann.until(f"For the other player, once: {link}")


def test_the_client_as_a_library(site, tmp_path):
    keys, heard = SeatKeyFile(tmp_path / "ann"), Event()
    asked = {"game": "matrix-capture", "board": "7 1/7 2", "you": 1, "seats": [{"name": "Ann"}, {}]}
    ann, link = ServedGame.create(read_server(site.address), asked, keys)
    ann.listen(heard.set)

    def news():
        """What Ann hears next that happened in the game."""
        while True:
            told = ann.hear()
            if isinstance(told, News) and told.events:
                return [event.kind for event in told.events]
            if told is None:
                assert heard.wait(10)
                heard.clear()

    bob = ServedGame.join(link, "Bob", SeatKeyFile(tmp_path / "bob"))
    assert news() == ["join"] and ann.now.names == ("Ann", "Bob") and ann.connected.players[0]
    assert (ann.you, bob.you, ann.is_my_turn, bob.is_my_turn) == ({1}, {2}, True, False)
    assert ann.play("R1C1") == 2 and news() == ["move"] and ann.now.match.moves == ["R1C1"]
    with pytest.raises(RefusedError) as caught:
        bob.resign()  # who does not listen does not know
    assert caught.value.reason == "stale"
    bob = ServedGame.join(link, "", SeatKeyFile(tmp_path / "bob"))
    bob.resign()
    assert news() == ["resign"] and ann.now.outcome == (1, "resign")
    again = ann.rematch(keys)
    assert again.you == {2} and ServedGame.join(again.link, keys=keys).you == {2}
    ann.close()


# Invitations and keys -----------------------------------------------------------------------------------------


def test_the_same_link_comes_back_to_the_seat_and_nobody_else_gets_it(table, people):
    ann, bob, link = table(*SMALL)
    key_file = next((people("bob").folder / "home").rglob("seats.json"))
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert [key["invitation"] for key in json.loads(key_file.read_text())["seats"]] == [link.partition("#")[2]]
    bob.type("quit")
    assert "Your seat stays yours." in bob.end()
    for address in (link, link.partition("#")[0]):
        again = Piped(people("bob"), "join", address)
        again.until("You are Bob (O).")
        again.type("quit")
        again.end()
    eve = people("eve")
    assert "This link has been used already: Bob has taken the seat." in eve("join", link, code=2)
    assert json.loads(next((eve.folder / "home").rglob("seats.json")).read_text())["seats"] == []
    assert "You watch this game." in eve("join", link.partition("#")[0], typed="quit\n")
    ann.type("quit")
    ann.end()


def test_one_person_can_hold_both_seats_at_two_terminals(site, people):
    ann = people("ann")
    one = Piped(ann, "invite", *SMALL, "--server", site.address)
    one.until("For those who watch:")
    two = Piped(ann, "join", LINK.search(one.told)[0])
    two.until("You are Player 2 (O).")
    one.until("Player 2 has sat down.")
    for player, seat in ((one, 1), (two, 2)):
        player.type("quit")
        back = player.end().rpartition(" join ")[2].split()
        assert back[1:] == ["--seat", str(seat)]
        again = Piped(ann, "join", *back)
        again.until(f"You are Player {seat} (")
        again.type("quit")
        again.end()
    assert "Seat 1 of this game is not held here" in people("eve")("join", back[0], "--seat", "1", code=2)


def test_a_seat_is_not_lost_when_taking_it_was_interrupted(site, people):
    one = Piped(people("ann"), "invite", *SMALL, "--server", site.address)
    one.until("For those who watch:")
    link = read_link(LINK.search(one.told)[0])
    bob = people("bob")
    keys = SeatKeyFile(bob.folder / "home" / ".local" / "state" / "pentagrid" / "servers")
    keys.add(SeatKey(str(link.server), link.game, "t" * 43, link.invitation))  # kept, and then the power failed
    assert "You are Player 2 (O)." in bob("join", str(link), typed="quit\n")
    assert keys.read()[0].token == "t" * 43
    one.type("quit")
    one.end()


def test_wrong_links_are_refused_in_a_sentence(site, program):
    game = "g" * 16
    assert "There is no such game" in program("join", f"{site.address}/play/{game}#{'i' * 43}", code=2)
    assert "There is no such game" in program("join", f"{site.address}/play/{game}", code=2)
    assert "cut short" in program("join", f"{site.address}/play/{game}#short", code=2)
    assert "cannot be reached" in program("join", f"http://127.0.0.1:1/play/{game}", code=2)
    assert "komi=1 needs ending=blocks" in program(
        "invite", "capture-square", "--komi", "1", "--server", site.address, code=2
    )
    assert "is what a player without a name is called" in program(
        "join", f"{site.address}/play/{game}", "--name", "Player 1", code=2
    )


@pytest.mark.parametrize(
    "text",
    ["127.0.0.1:8000", "localhost", "ftp://host", "http://", "http://host/prefix", "http://host?x=1", "http://me@host",
     "http://host:port", "http://host:99999", "http://[::1", "http://a b", "http://ho\x1b[2Jst", ""],
)  # fmt: skip
def test_addresses_of_servers_are_checked(text):
    with pytest.raises(OptionError) as caught:
        read_server(text)
    assert str(caught.value).isprintable()


def test_addresses_are_read_and_written():
    assert str(read_server("HTTP://Example.org:80/")) == "http://example.org"
    assert str(read_server("https://[::1]:8443")) == "https://[::1]:8443"
    assert str(read_server("http://bücher.example")) == "http://xn--bcher-kva.example"
    link = f"https://example.org/play/{'g' * 16}#{'i' * 43}"
    assert str(read_link(link)) == link and read_link(link).invitation == "i" * 43
    for wrong in ("https://example.org/club/play/" + "g" * 16, "https://example.org/play/short", "example.org/play/x"):
        with pytest.raises(OptionError):
            read_link(wrong)


def test_a_damaged_key_file_is_named_and_left_alone(site, people):
    ann = people("ann")
    path = ann.folder / "home" / ".local" / "state" / "pentagrid" / "servers" / "seats.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    told = ann("invite", *SMALL, "--server", site.address, code=2)
    assert f"{path} cannot be read: it is not a file of seats" in told and path.read_text() == "{}"


# Servers that mean no good ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """What a server really answers and sends first."""
    from starlette.testclient import TestClient
    from tests_web import Person, settings_for

    from pentagrid.web.app import make_app

    database = f"sqlite:///{tmp_path_factory.mktemp('honest') / 'games.sqlite'}"
    with TestClient(make_app(settings_for(database)), "http://testserver") as client:
        ann = Person(client)
        game = ann.create(you=1)["id"]
        view = ann.get(f"/api/games/{game}").json()
    return view | {"you": []}


def changed(view, **state):
    return view | {"state": view["state"] | state}


def test_control_characters_are_never_printed(honest, opened, program):
    evil = "\x1b]0;owned\x07\x1b[2J\u202e\u009b31m\r\n"
    seats = [seat | {"name": f"Eve{evil}"} for seat in honest["state"]["seats"]]
    event = {"revision": 1, "kind": evil, "said": f"Hello{evil}"}
    hello = changed(honest, seats=seats, revision=1) | {"type": "hello", "events": [event]}
    problem = {"type": "problem", "code": evil, "message": f"Go away{evil}"}
    server = opened(HostileServer(changed(honest, seats=seats), json.dumps(hello), json.dumps(problem)))
    told = program("join", server.link, code=2)
    assert "Hello\\x1b]0;owned\\x07" in told and "Go away\\x1b" in told and "Eve\\x1b" in told
    assert not [c for c in told if not c.isprintable() and c != "\n"]


def test_what_comes_together_is_told_in_order(honest, opened, program):
    moves = ["R1C1", "R2C2"]
    kinds = ["join", "move", "undo-asked", "undo-refused", "move", "undo-asked"]
    events = [{"revision": i, "kind": kind, "said": f"Event {i}."} for i, kind in enumerate(kinds, 1)]
    hello = changed(honest, moves=moves, revision=6) | {"type": "hello", "events": events}
    end = {"type": "problem", "code": "gone", "message": "The end."}
    told = program("join", opened(HostileServer(honest, json.dumps(hello), json.dumps(end))).link, code=2)
    order = ["Event 1.", "Player 1 plays R1C1.", "Event 3.", "Event 4.", "Player 2 plays R2C2.", "Event 6."]
    assert sorted(order, key=told.index) == order and told.count("Updated Matrix:") == 1


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"type": "hello", "now": NaN}', "not JSON"),
        ("[]", "not a JSON object"),
        ("{}", "'type' is not of type str"),
        ('{"type": "hello"}', "'events' is not of type list"),
        ('{"type": "events", "events": [3]}', "not an object"),
        ('{"type": "presence", "connected": {"players": [1, 2], "spectators": 0}}', "'players'"),
        (b"\xff\xfe\xff", "not JSON"),
        ("x" * (1 << 20) + "y", "more than 1048576 bytes"),
    ],
    ids=range(10),
)
def test_messages_that_make_no_sense_are_told_in_a_sentence(honest, opened, program, message, why):
    server = opened(HostileServer(honest, message))
    told = program("join", server.link, code=2)
    assert f"pentagrid: {server.address} does not answer like a Pentagrid server" in told and why in told


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"revision": "1"}, "'revision'"),
        ({"revision": 10**30}, "'revision' is out of range"),
        ({"revision": True}, "'revision'"),
        ({"deadline": 10**400}, "'deadline'"),
        ({"seats": []}, "'seats'"),
        ({"start": "no-such-game"}, "cannot be played here"),
        ({"start": "matrix-capture size=999"}, "cannot be played here"),
        ({"moves": ["R9C9"]}, "cannot be played here"),
        ({"moves": [["R1C1"]]}, "something other than text"),
        ({"moves": ["R1C1", "R1C1"]}, "cannot be played here"),
        ({"outcome": {"winner": 1, "reason": "score"}}, "its outcome is not that of the moves"),
        ({"outcome": {"winner": 3, "reason": "time"}}, "not a seat"),
        ({"rematch": "../../etc"}, "'rematch' is not a game"),
        ({"undo_asked": 7}, "'undo_asked' is not a seat"),
    ],
)
def test_games_that_cannot_be_are_told_in_a_sentence(honest, opened, program, state, why):
    server = opened(HostileServer(changed(honest, **state)))
    told = program("join", server.link, code=2)
    assert "does not answer like a Pentagrid server" in told and why in told


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "BadStatusLine instead of an HTTP answer"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]", "not a JSON object"),
        (b"HTTP/1.1 302 Found\r\nlocation: http://elsewhere/\r\ncontent-length: 0\r\n\r\n", "status 302"),
        (b"HTTP/1.1 500 \x1b[31m\r\ncontent-length: 2\r\n\r\n{}", "status 500 without a reason"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (2 << 20), "more than 1048576 bytes"),
        (b"", "instead of an HTTP answer"),
    ],
    ids=range(6),
)
def test_other_servers_are_told_apart(opened, program, answer, why):
    server = opened(RawServer(answer))
    for command in (("join", server.link), ("invite", *SMALL, "--server", server.address)):
        told = program(*command, code=2)
        assert told.startswith("pentagrid: ") and why in told and told.count("\n") == 1
        assert "\x1b" not in told


# On a terminal ------------------------------------------------------------------------------------------------


def test_on_a_terminal(site, terminal, people):
    ann = Piped(people("ann"), "invite", *SMALL, "--server", site.address, "--turn-seconds", "8")
    ann.until("For those who watch:")
    bob = terminal("join", LINK.search(ann.told)[0])
    bob.until("Your name (Enter for none):")
    bob.type("player 2\n")
    bob.until("give another name")
    bob.type("Bob\n")
    bob.until("You are Bob (")
    bob.until("Player 1 to move (8 seconds left).")
    bob.type("R2C2\n")
    bob.until("It is Player 1's turn.")
    bob.type("R2")  # half a line, when news comes
    time.sleep(0.3)
    ann.type("R1C1")
    bob.until("Player 1 plays R1C1.")
    bob.until("Enter the row and column")
    bob.type("C2\n")
    bob.until("You selected number 2 at R2C2.")
    bob.until("Rematch with the seats swapped? (y/n):")
    bob.type("y\n")
    bob.until("You are Bob (")
    bob.type("resign\n")
    bob.until("Type resign once more to give up the game.")
    bob.type("moves\nresign\n")
    bob.until("Type resign once more to give up the game.")
    bob.type("resign\n")
    bob.until("Bob resigns.")
    bob.type("\x04")
    assert bob.end() == 0
    ann.end()


def test_where_lines_are_edited_news_leaves_what_is_typed_alone(site, screen, people):
    ann = Piped(people("ann"), "invite", *SMALL, "--server", site.address, "--turn-seconds", "8")
    ann.until("For those who watch:")
    bob = screen("join", LINK.search(ann.told)[0], "--name", "Bob", size=(50, 90))
    bob.until("Player 1 to move.")
    bob.until("Time left: 8 s")
    bob.until_line("> ")
    bob.type("R2")
    bob.until_line("> R2")
    ann.type("R1C1")
    bob.until("Player 1 plays R1C1.")
    bob.until_line("(e.g., R2C2): R2")
    assert "> R2" not in "\n".join(bob.lines)
    bob.until("Time left: ")
    bob.until("Only 2 s left!")
    bob.type("\x15undp\r")
    bob.until("'undp' is not a move. Did you mean undo?")
    bob.type("R2\t\r")
    bob.until("You selected number 2 at R2C2.")
    bob.until_line("Rematch with the seats swapped? (y/n): ")
    bob.type("n\r")
    assert bob.end() == 0
    ann.end()


def test_ctrl_c_leaves_and_says_how_to_come_back(site, terminal):
    ann = terminal("invite", *SMALL, "--server", site.address)
    ann.until("Enter the row and column")
    ann.type("\x03")
    ann.until("Your seat stays yours. To come back: ")
    assert ann.end() == 130


def test_without_the_extra_it_says_which(program):
    blocked = program.folder / "blocked" / "websockets"
    blocked.mkdir(parents=True)
    (blocked / "__init__.py").write_text("raise ModuleNotFoundError('no', name='websockets')")
    program.env["PYTHONPATH"] = os.pathsep.join([str(blocked.parent), *filter(None, [program.env.get("PYTHONPATH")])])
    told = program("join", f"http://127.0.0.1:1/play/{'g' * 16}", code=2)
    assert 'needs the package websockets, which is not installed: pip install "pentagrid[tui]"' in told
