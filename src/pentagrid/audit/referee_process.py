"""What runs in the process of one environment: it loads it, runs the checks and writes down what they find.

Everything is written line by line as it is found, so that nothing is lost when the environment takes the process down.
"""

from __future__ import annotations

import faulthandler
import os
import re
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from json import dumps
from pathlib import Path
from typing import Any, NamedTuple

from pentagrid.audit import (  # noqa: F401 - importing them registers their checks
    copy_checks,
    ending_checks,
    move_checks,
    observation_checks,
    render_checks,
    reward_checks,
    seed_checks,
)
from pentagrid.audit.adapters import CallError, one_line
from pentagrid.audit.finding import (
    CANNOT_LOAD,
    CANNOT_MAKE,
    CHECKS,
    EXITS,
    PRINTS,
    RAISES,
    Check,
    Finding,
    Seen,
    Severity,
    named,
)
from pentagrid.audit.moment import shorten
from pentagrid.audit.referee import Episode, Limits, Referee
from pentagrid.audit.reproduction import command_line
from pentagrid.audit.rules_comparison import compare_with_rules
from pentagrid.audit.targets import CannotLoadError, expand, find_environments, load_factory
from pentagrid.audit.trail import Trail

leave = os._exit  # an environment may have replaced it
MARK = "PENTAGRID_AUDIT"
"""The environment variable by which processes that an environment starts are known."""
CANNOT_PLAY = named("cannot-play", Severity.TOOLS, "no move can be made, so that next to nothing was checked")
LEAVES_THREADS = named("leaves-threads", Severity.UNTIDY, "threads are left running")
CHECK_FAILED = named(
    "check-failed", Severity.TOOLS, "a check could not be carried out, because something unexpected came back"
)
PLAY, RULES = "play", "rules"
"""The phases that are not one check: the random games that many checks look at, and the comparison with our rules."""
KEPT_GAMES = 400
"""Random games that are kept for the checks that look at all of them."""
LONGEST_QUOTE = 120
ONE_MOVE = re.compile(r"(?<![\d.])1 moves")


class Job(NamedTuple):
    """What one process is to do."""

    work: str
    """`expand` a pattern, `find` the environments of a module, or `audit` one."""
    target: str
    folder: Path
    """A folder of its own, for what it writes."""
    limits: Limits = Limits()
    rules: tuple[str, int | None, dict[str, str], tuple[str, ...]] | None = None
    """The game to compare with: its name, size, rule options and readings."""
    skip: tuple[str, ...] = ()
    """Phases that an earlier process has done, or died in."""


def run_job(job: Job) -> None:
    """The whole life of the process. Nothing that the environment prints leaves it."""
    _leave_home(job.folder)
    writer = _Writer(job.folder)
    threads = threading.active_count()
    try:
        if job.work == "audit":
            _audit(job, writer)
            if threading.active_count() > threads:
                names = [thread.name for thread in threading.enumerate()][threads:]
                calls = (*writer.first_game(), "import threading; print(threading.enumerate())")
                evidence = f"at the end these still run: {shorten(names)}"
                writer.found(job, LEAVES_THREADS, Seen(evidence, calls, certain=True))
        else:
            targets = list(expand(job.target)) if job.work == "expand" else find_environments(job.target)
            writer.write(targets=targets)
    except CannotLoadError as error:
        command = command_line(job.target, [error.code]) if error.code else ""
        writer.write(finding=CANNOT_LOAD.finding(str(error), command).data())
    writer.write(done=True)
    leave(0)


def _leave_home(folder: Path) -> None:
    """Give the process a session and streams of its own, and let it end with its parent."""
    if hasattr(os, "setsid"):
        os.setsid()
    for number, name, mode in ((0, os.devnull, os.O_RDONLY), (1, "stdout", os.O_WRONLY), (2, "stderr", os.O_WRONLY)):
        path = name if name == os.devnull else folder / name
        os.dup2(os.open(path, mode | os.O_CREAT | os.O_APPEND), number)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", 1, "utf-8", "replace", closefd=False) for n in (1, 2))
    faulthandler.enable(file=2, all_threads=False)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    os.environ |= {
        MARK: str(folder),
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "SDL_VIDEODRIVER": "dummy",
        "MPLBACKEND": "Agg",
    }
    sys.path.insert(0, str(Path.cwd()))
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    parent = os.getppid()
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True, name="pentagrid").start()


def _end_with_parent(parent: int) -> None:
    """End this process when its parent has ended, even if the parent was killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


class _Writer:
    """Writes what happens, a line of JSON each, for the parent to read whatever becomes of this process."""

    def __init__(self, folder: Path) -> None:
        self._file = open(folder / "events", "a", encoding="utf-8")  # noqa: SIM115 - open as long as the process lives
        self._output, self._stdout = folder / "stdout", sys.stdout
        self._read_to = self._output.stat().st_size
        self.referee: Referee | None = None
        self.names: set[str] = set()
        """The checks that have found something."""

    def printed(self) -> str:
        """What was printed on standard output since the last time."""
        with suppress(OSError, ValueError):  # the environment may have closed it
            self._stdout.flush()
        size = self._output.stat().st_size
        if size == self._read_to:
            return ""
        self._read_to = min(self._read_to, size)  # a long one is cut by the process that watches
        with open(self._output, "rb") as file:
            file.seek(self._read_to)
            text = file.read(4 * LONGEST_QUOTE)
        self._read_to = size
        return text.decode(errors="replace")

    def first_game(self) -> tuple[str, ...]:
        """The statements of the first random game."""
        return tuple(self.referee.episodes[0].log[1:]) if self.referee and self.referee.episodes else ()

    def write(self, **event: Any) -> None:
        self._file.write(dumps(event) + "\n")
        self._file.flush()

    def found(self, job: Job, check: Check, seen: Seen) -> None:
        """Write a finding down."""
        self.names.add(check.name)
        self.write(finding=make_finding(job.target, self.referee, check, seen).data())


def make_finding(target: str, referee: Referee | None, check: Check, seen: Seen) -> Finding:
    """A sighting as a finding, with the command that shows it again or, where seeds do not work, what was there."""
    evidence, command = seen.evidence, ""
    if seen.calls and referee is not None:
        if seen.certain or (referee.reproducible and referee.replayable):
            command = command_line(target, (seen.code or referee.factory.code, *seen.calls))
        elif seen.episode is not None and seen.episode.moments:
            opening = shorten(seen.episode.moments[0].shown, 400)
            evidence += f"; the opening was {opening} and the moves {shorten(seen.episode.actions, 400)}"
    evidence = ONE_MOVE.sub("1 move", evidence)
    severity = check.severity if seen.severity is None else seen.severity
    return Finding(check.name, severity, check.title, evidence, command, seen.cause, seen.games, seen.of)


def _audit(job: Job, writer: _Writer) -> None:
    trail = Trail(job.folder / "trail")
    writer.write(begin="loading")
    factory = load_factory(job.target)
    try:
        referee = Referee(factory, trail, _claimed(job.limits, factory.protocol), job.target)
    except CallError as error:
        check = EXITS if error.exits else CANNOT_MAKE
        command = command_line(job.target, (factory.code, *error.calls))
        writer.write(finding=check.finding(str(error), command).data())
        return
    writer.referee = referee
    referee.render_factory = _rendering(job.target, referee)
    writer.write(style=referee.model.style)
    if printed := writer.printed():
        seen = Seen(f"importing or making it printed {shorten(printed, LONGEST_QUOTE)}", ("print()",), "loading")
        writer.found(job, PRINTS, seen._replace(severity=Severity.UNTIDY))
    aside: dict[str, str] = {}
    for name, phase in _phases(job, writer, referee):
        if name in job.skip:
            continue
        writer.write(begin=name)
        try:
            phase()
        except CallError as error:
            writer.found(job, EXITS if error.exits else RAISES, Seen(str(error), error.calls, name))
        except Exception as error:  # of our own code, which another's objects can bring down in many ways
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name} line {place.lineno}"
            traceback.print_exc()
            writer.found(job, CHECK_FAILED, Seen(f"{name} stopped at {where}: {one_line(error)}", cause=name))
        if name != PLAY and (printed := writer.printed()):
            aside[name] = printed
        writer.write(end=name, **_progress(referee))
    if aside and PRINTS.name not in writer.names and PLAY not in job.skip:
        quote = shorten(next(iter(aside.values())), LONGEST_QUOTE)
        referee.notes.append(f"Ordinary games print nothing; {', '.join(aside)} made it print {quote}.")
        writer.write(**_progress(referee))


def _progress(referee: Referee) -> dict[str, Any]:
    return {"games": referee.games, "moves": referee.moves, "notes": list(dict.fromkeys(referee.notes))}


def _claimed(limits: Limits, protocol: Any) -> Limits:
    """The limits with what a protocol file claims."""
    claims = (*limits.claims, *getattr(protocol, "CLAIMS", ()))
    return limits._replace(claims=claims, max_moves=int(getattr(protocol, "MAX_MOVES", limits.max_moves)))


def _rendering(target: str, referee: Referee) -> Any:
    """How to make an environment that renders text: with an argument, where it has that mode and does not use it."""
    env = referee.model.env
    modes = (getattr(env, "metadata", None) or {}).get("render_modes", ())
    if "ansi" in modes and getattr(env, "render_mode", "") is None and referee.factory.protocol is None:
        factory = load_factory(target, render_mode="ansi")
        try:
            type(referee.model)(factory, referee.trail, referee.model)
        except CallError:
            return referee.factory
        return factory
    return referee.factory


def _phases(job: Job, writer: _Writer, referee: Referee) -> Iterator[tuple[str, Callable[[], None]]]:
    """The phases in order: chance first, since the others need to know whether games can be repeated."""
    checks = [check for check in CHECKS.values() if check.on_env is not None]
    early = [check for check in checks if check.on_env and check.on_env.__module__ == seed_checks.__name__]
    before = [check for check in early if check.name not in ("few-openings", "missing-number")]
    if job.skip:  # an earlier process has died: what the random games show comes first now
        yield PLAY, lambda: _play(job, writer, referee)
    for check in before:
        yield check.name, partial(_run_check, job, writer, referee, check)
    if job.rules is not None:
        yield RULES, lambda: _compare(job, writer, referee)
    if not job.skip:
        yield PLAY, lambda: _play(job, writer, referee)
    for check in checks:
        if check not in before:
            yield check.name, partial(_run_check, job, writer, referee, check)


def _run_check(job: Job, writer: _Writer, referee: Referee, check: Check) -> None:
    assert check.on_env is not None
    found = _Counted(job, writer)
    for seen in check.on_env(referee):
        found.add(check, seen)
    found.write()


def _compare(job: Job, writer: _Writer, referee: Referee) -> None:
    assert job.rules is not None
    found = _Counted(job, writer)
    for check, seen in compare_with_rules(referee, *job.rules):
        found.add(check, seen)
    found.write()


class _Counted:
    """Findings of one phase, the same ones counted; each is written when it is first seen and at the end."""

    def __init__(self, job: Job, writer: _Writer) -> None:
        self._job, self._writer = job, writer
        self._seen: dict[tuple[str, str], tuple[Check, Seen]] = {}

    def add(self, check: Check, seen: Seen) -> None:
        key = (check.name, seen.cause)
        if key in self._seen:
            first = self._seen[key][1]
            self._seen[key] = check, first._replace(games=first.games + seen.games)
        else:
            self._seen[key] = check, seen
            self._writer.found(self._job, check, seen)

    def write(self, of: int | None = None) -> None:
        for check, seen in self._seen.values():
            self._writer.found(self._job, check, seen if of is None else seen._replace(of=of))


def _play(job: Job, writer: _Writer, referee: Referee) -> None:
    """Play the random games and let every check look at each of them."""
    checks = [check for check in CHECKS.values() if check.on_game is not None]
    found = _Counted(job, writer)
    played = 0
    for game in referee.play_all():
        played += 1
        if len(referee.episodes) < KEPT_GAMES:
            referee.episodes.append(game)
        if played == 1:
            writer.write(game=(referee.factory.code, *writer.first_game()))
        for check in checks:
            causes: set[str] = set()
            for seen in check.on_game(game) if check.on_game else ():
                if seen.cause not in causes:
                    causes.add(seen.cause)
                    calls = seen.calls or game.calls(seen.ply, seen.show)
                    found.add(check, Seen(seen.evidence, calls, seen.cause, episode=game))
        if game.error is not None:
            found.add(*_raised(game))
        if printed := writer.printed():
            words = f"a game printed {shorten(printed, LONGEST_QUOTE)}"
            found.add(PRINTS, Seen(words, game.calls(len(game.marks)), episode=game))
    if played and not any(game.actions or game.error or game.last.legal is not None for game in referee.episodes):
        space = shorten(referee.model.action_space(), 60)
        evidence = (
            f"the legal moves are not told, and the actions of {space} cannot be listed; a protocol file can tell"
        )
        found.add(CANNOT_PLAY, Seen(evidence, ("print(env.action_space)",), games=played, certain=True))
    found.write(played)


def _raised(game: Episode) -> tuple[Check, Seen]:
    """The finding of a game that a call ended by raising."""
    assert game.error is not None
    kind = type(game.error.error).__name__
    words = f"after {len(game.actions)} moves {game.error}"
    calls = [*game.adapter.calls[1:-1], game.adapter.calls[-1]]
    return (EXITS if game.error.exits else RAISES), Seen(words, tuple(calls), kind, episode=game)
