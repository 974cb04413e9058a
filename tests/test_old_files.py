"""What users made with version 0.1 still opens: records, a server's database, streaks, arena results, census notes.

tests/fixtures/README.md tells how that version wrote each file, expectations.json what each must read back as.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import shutil
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from pentagrid.play.record import read_record_bytes, write_record
from pentagrid.terminal.streaks import read_streaks, write_streaks

FIXTURES = Path(__file__).parent / "fixtures"
OLD = FIXTURES / "v0.1"
EXPECTED = json.loads((FIXTURES / "expectations.json").read_text(encoding="utf-8"))


def each(kind):
    return pytest.mark.parametrize(
        ("name", "expected"), EXPECTED[kind].items(), ids=[Path(n).stem for n in EXPECTED[kind]]
    )


def state_folder(program, part):
    folder = program.folder / "state" / "pentagrid" / part
    folder.mkdir(parents=True)
    program.env["XDG_STATE_HOME"] = str(program.folder / "state")
    return folder


def copied(name, folder):
    return Path(shutil.copy(OLD / name, folder))


def test_no_fixture_is_forgotten():
    kinds = ("records", "server", "puzzles", "arena", "census")
    files = sorted(path.relative_to(OLD).as_posix() for path in OLD.rglob("*") if path.is_file())
    assert files == sorted(name for kind in kinds for name in EXPECTED[kind])


@each("records")
def test_records(name, expected, program):
    data = (OLD / name).read_bytes()
    record = read_record_bytes(data)
    match, found = record.match, record.data()
    for field in ("game", "start", "position", "moves", "outcome", "seed", "turn_seconds", "date"):
        assert found[field] == expected[field]
    assert [seat["name"] for seat in found["seats"]] == expected["names"]
    assert [seat["kind"] for seat in found["seats"]] == expected["kinds"]
    assert {str(ply): note for ply, note in match.notes.items()} == expected["notes"]
    assert [list(tag) for tag in record.extra] == expected["extra"]
    assert (write_record(record) == data.decode()) == expected["rewritten_is_identical"]
    program("replay", str(OLD / name))
    if "resumed" in expected:
        copy = copied(name, program.folder)
        program("resume", str(copy), typed="\n".join(expected["resumed"]["typed"]) + "\n")
        assert copy.read_text(encoding="utf-8") == expected["resumed"]["file"]


@each("puzzles")
def test_streaks(name, expected, program):
    copy = copied(name, state_folder(program, "puzzles"))
    lines = program("puzzle", "--streaks").splitlines()
    assert lines[: len(expected["table"])] == expected["table"]
    assert "3 at best; solved on 5 of 6 days." in lines[-1]
    old = read_streaks(copy.read_text())
    assert write_streaks(old) == copy.read_text()
    for position, right in old.seen.items():
        assert old.answered(position.split()[0], position, not right) == old, "a puzzle that is known changes nothing"
    program("puzzle", "matrix-capture", "--difficulty", "1", "--seed", "5", typed="R1C2\n")  # another one than in 0.1
    new = read_streaks(copy.read_text())
    assert new.days == old.days and new.seen.items() > old.seen.items()
    tried = {game: counts.tried for game, counts in old.games.items()}
    assert {game: counts.tried for game, counts in new.games.items()} == tried | {"matrix-capture": 8}


@each("arena")
def test_arena_results(name, expected, program):
    assert hashlib.sha256((OLD / name).read_bytes()).hexdigest() == expected["sha256"]
    copy = copied(name, program.folder)
    out = [] if expected.get("default_name") else ["--out", str(copy)]
    figures = json.loads(program(*shlex.split(expected["command"]), *out, "--json", timeout=110))
    if expected["complete"]:
        assert hashlib.sha256(copy.read_bytes()).hexdigest() == expected["sha256"]
    else:  # what was missing is played as it would have been; rows tell more than they did
        rows, whole = (
            [json.loads(line) for line in path.read_text().splitlines()] for path in (copy, OLD / "arena/arena.jsonl")
        )
        assert [{key: row[key] for key in old} for row, old in zip(rows, whole, strict=True)] == whole
    if "figures" in expected or not expected["complete"]:
        old_figures = EXPECTED["arena"]["arena/arena.jsonl"]["figures"]
        assert figures["plan"] == old_figures["plan"] | {"payoff": "win"}
        for game, old in old_figures["games"].items():
            for player, before in zip(figures["games"][game]["players"], old["players"], strict=True):
                assert player["player"] == before["player"] and player["games"] == before["games"]
                for measure in ("optimal", "score", "regret", "thrown"):  # ratings have another prior now
                    assert player[measure]["value"] == pytest.approx(before[measure])


@each("census")
@pytest.mark.parametrize("tampered", [False, True], ids=["as it was", "tampered"])
def test_census_notes(name, expected, tampered, program):
    """Notes with a win for the wrong player show in the result that they were taken up."""
    copy = copied(name, state_folder(program, "census"))
    if tampered:
        lines = copy.read_bytes().split(b"\n")
        chunk, counts = json.loads(lines[1])
        winners = next(measure for measure in counts if measure.endswith("winner"))
        winner = next(iter(counts[winners]))
        loser = "2" if winner == "1" else "1"
        counts[winners][winner] -= 1
        counts[winners][loser] = counts[winners].get(loser, 0) + 1
        lines[1] = json.dumps([chunk, counts]).encode()
        copy.write_bytes(b"\n".join(lines))
    command = expected["command"].split()
    if expected.get("left_alone"):  # what is compared now is something else
        before = copy.read_bytes()
        assert json.loads(program(*command, timeout=110)) != expected["result"] and copy.read_bytes() == before
        return
    if expected.get("set_aside"):
        before = copy.read_bytes()
        answer = program(*command, timeout=110)
        assert f"{copy} was written by an earlier version" in answer and "the count begins anew" in answer
        assert copy.with_name(f"{copy.name}.old").read_bytes() == before and not copy.exists()
        result, _ = json.JSONDecoder().raw_decode(answer)
        assert result == json.loads(program(*command, timeout=110)) != expected["result"]
        return
    result = json.loads(program(*command, timeout=110))
    assert not copy.exists(), "the notes of a finished census are removed"
    assert (result == result | expected["result"]) != tampered, "a result may tell more than it did"


ACTS = {
    "screen": ("A", "moves", {"move": "R4C1"}),
    "invited": ("B", "undo/answer", {"grant": True}),
    "computer": ("A", "moves", {"move": "1,4"}),
    "clock": ("A", "moves", {"move": "0 1"}),
    "rematch": ("A", "moves", {"move": "swap"}),
    "open": ("C", "join", {"name": "Pia"}),
}
"""For each unfinished game: who does what."""


class Api:
    """The JSON API of a server, called by the holders of the fixtures' tokens."""

    def __init__(self, address, tokens):
        self.address, self.tokens = address, tokens

    def __call__(self, path, body=None, token=None):
        request = urllib.request.Request(self.address + path, None if body is None else json.dumps(body).encode())
        request.add_header("content-type", "application/json")
        if token:
            request.add_header("authorization", f"Bearer {self.tokens[token]}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
        return text if path.endswith("/record") else json.loads(text)

    def state(self, game):
        return self(f"/api/games/{game}")["state"]

    def ready(self):
        for _ in range(300):
            try:
                return self("/health")
            except urllib.error.URLError:
                time.sleep(0.1)
        raise AssertionError("the server does not answer")


@each("server")
def test_a_servers_database(name, expected, program):
    pytest.importorskip("fastapi", reason='needs the extra "web": pip install "pentagrid[web]"')
    copy = copied(name, program.folder)
    server = program.start("serve", "--port", "0", "--database", f"sqlite:///{copy}", stderr=None)
    try:
        address = re.search(rb"http://\S+?:\d+", server.stdout.readline())[0].decode()
        api = Api(address, expected["tokens"])
        api.ready()
        for game, known in expected["games"].items():
            check_game(api, game, known, resumed=game in expected["resumed_on_opening"])
        for game, known in expected["games"].items():
            if known["key"] in ACTS:
                check_act(api, game, known)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        server.stdin.close()
        server.stdout.close()


def check_game(api, game, known, resumed):
    state = api.state(game)
    want = known["state"]
    assert state["revision"] == want["revision"] + resumed
    for field in ("moves", "outcome", "start"):
        assert state[field] == want[field], known["key"]
    assert state["board"]["position"] == want["board"]["text"]
    for number, (seat, wanted) in enumerate(zip(state["seats"], want["seats"], strict=True), 1):
        nameless = wanted["name"] == f"Player {number}"  # now called as the game calls its players
        name = state["board"]["players"][number - 1] if nameless else wanted["name"]
        assert (seat["name"], seat["kind"]) == (name, wanted["kind"])
    assert (state["deadline"] is not None) == known["has_deadline"]
    assert api(f"/api/games/{game}/record") == known["record"]
    for token in api.tokens:
        assert api(f"/api/games/{game}", token=token)["you"] == known["holders"].get(token, [])


def check_act(api, game, known):
    """Somebody does something in an unfinished game; a computer answers as it would have then."""
    token, verb, body = ACTS[known["key"]]
    more = {"invitation": known["unused_invitation"]} if verb == "join" else {"revision": api.state(game)["revision"]}
    api(f"/api/games/{game}/{verb}", {**body, **more}, token)  # type: ignore[dict-item]
    while (state := api.state(game))["outcome"] is None:
        if state["seats"][state["board"]["mover"] - 1]["kind"] == "human":
            break
        time.sleep(0.05)
    wanted = known["then"]["state"]
    assert (state["revision"], state["moves"]) == (wanted["revision"], wanted["moves"])
    assert state["board"]["position"] == wanted["board"]["text"]
