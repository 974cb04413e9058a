"""Small helpers of the server's tests."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time

import pentagrid as pg
from pentagrid.core.rng import Dice
from pentagrid.play.match import Match
from pentagrid.web.settings import Settings

BOARD = "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"


def problem(answer):
    return answer.status_code, answer.json()["code"]


def link_game(person, **more):
    ann, bob = person(), person()
    created = ann.create(you=1, **more)
    assert bob.join(created, name="Bob").json() == {"seat": 2}
    return ann, bob, created["id"]


def next_of(socket, kind):
    while (message := socket.receive_json())["type"] != kind:
        pass
    return message


def settings_for(database, **more):
    return Settings(
        **{"database": database, "rate": 0, "log_level": "WARNING", "analysis_seconds": 1.0, "names": ("testserver",)}
        | more
    )


def play_out(name, seed):
    """A whole game at random."""
    match, dice = Match(pg.load(name).deal(seed)), Dice(seed)
    while match.outcome is None:
        match.play(dice.choice(match.position.actions()))
    return match


class Person:
    """Someone with their own token."""

    def __init__(self, client):
        self.client = client
        self.token = client.post("/api/tokens", json={}).json()["token"]
        self.headers = {"authorization": f"Bearer {self.token}"}

    def get(self, path, **more):
        return self.client.get(path, headers=self.headers, **more)

    def post(self, path, data=None, **more):
        return self.client.post(path, json=data or {}, headers=self.headers, **more)

    def create(self, game="matrix-capture", **more):
        answer = self.post("/api/games", {"game": game, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def state(self, game):
        return self.get(f"/api/games/{game}").json()["state"]

    def join(self, created, **more):
        page, _, invitation = created["invitation"].partition("#")
        return self.post(f"/api/games/{page.rpartition('/')[2]}/join", {"invitation": invitation, **more})

    def act(self, game, what, revision=None, **more):
        revision = self.state(game)["revision"] if revision is None else revision
        return self.post(f"/api/games/{game}/{what}", {"revision": revision, **more})

    def play_first(self, game):
        move = self.state(game)["board"]["moves"][0]["move"]
        return self.act(game, "moves", move=move)


class Served:
    """`pentagrid serve` as users run it, on a free port."""

    def __init__(self, database, *options, port=0):
        self.database, self.options, self.port = database, options, port
        self.start()

    def start(self):
        command = [sys.executable, "-m", "pentagrid", "serve", "--port", str(self.port), "--database", self.database]
        self.process = subprocess.Popen(
            [*command, "--rate", "0", "--log", "warning", *self.options], stdout=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        self.address = re.search(r"http://\S+?(?=/ )", line)[0]
        self.port = int(self.address.rpartition(":")[2])
        wait_for(self.port)

    def kill(self):
        self.process.kill()
        self.end()

    def stop(self):
        self.process.terminate()
        return self.end()

    def end(self):
        code = self.process.wait(30)
        self.process.stdout.close()
        return code


def wait_for(port):
    until = time.monotonic() + 30
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as connection:
                connection.sendall(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
                if b" 200 " in connection.recv(100):
                    return
        except OSError:
            pass
        assert time.monotonic() < until, "the server does not answer"
        time.sleep(0.02)


def findings(page):
    """What is not accessible on a page: all that axe finds, all that it leaves open, and drawn text that is too pale.

    Axe cannot tell what is behind drawn text, nor that a notice hides what it lies over; for those the contrast is
    measured here. The dots of a difficulty are no text to be read: they say again what stands beside them.
    """
    from axe_playwright_python.sync_playwright import Axe

    answer = Axe().run(page).response
    found = [(each["id"], node["html"][:200]) for each in answer["violations"] for node in each["nodes"][:3]]
    found += [
        (f"{each['id']}?", node["html"][:200])
        for each in answer["incomplete"]
        for node in each["nodes"]
        if each["id"] != "color-contrast"
        or not (node["html"].startswith(("<text", '<span class="dots"')) or ".notice" in node["target"][0])
    ]
    return found + [("too pale", *each) for each in page.evaluate(PALE_TEXT)]


PALE_TEXT = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map((part, i) => // a mixed color is told in parts of 1
    Number(part) * (i < 3 && text.startsWith("color(srgb") ? 255 : 1));
  const shine = ([r, g, b]) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [x, y, z] = [r, g, b].map((c) => linear(c / 255));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(e).backgroundColor);
      if (a) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const behind = (text) => {
    const near = text.closest(".badge")?.querySelector("rect") ?? text.closest(".step")?.querySelector("circle") ??
      text.closest(".spot")?.querySelector(".tile") ?? text.closest(".row.here")?.querySelector(".ground");
    return near ? parse(getComputedStyle(near).fill) : ground(text.closest("svg").parentElement);
  };
  return [...document.querySelectorAll("svg text, .notice p")]
    .filter((text) => text.checkVisibility({ visibilityProperty: true }))
    .map((text) => {
      const style = getComputedStyle(text);
      const drawn = text instanceof SVGElement;
      const size = parseFloat(style.fontSize) * (drawn ? text.getScreenCTM().a : 1);
      const pair = drawn ? [parse(style.fill), behind(text)] : [parse(style.color), ground(text)];
      const [one, two] = pair.map(shine).sort((a, b) => b - a);
      const enough = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 600) ? 3 : 4.5;
      return { ratio: (one + 0.05) / (two + 0.05), enough, text };
    })
    .filter(({ ratio, enough }) => ratio < enough)
    .map(({ ratio, text }) => [`${text.getAttribute("class")} ${text.textContent}`, ratio.toFixed(2)]).slice(0, 5);
}"""


def until(holds, seconds=20):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
