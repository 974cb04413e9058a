"""Every environment in a process of its own, watched from outside: a crash, an exit or a hang is a finding, not an end.

The child (`audit/referee_process.py`) writes what it finds line by line, and every call that it makes into its trail. A
child that is in one call for too long is killed; another one goes on with the checks that are left.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

from pentagrid.audit.finding import DIES, EXITS, HANGS, LEAVES_PROCESSES, UNFINISHED, Check, Finding, read_finding
from pentagrid.audit.moment import printable
from pentagrid.audit.referee import Limits
from pentagrid.audit.referee_process import MARK, Job, run_job
from pentagrid.audit.reproduction import command_line
from pentagrid.audit.trail import Trail

PRELOADED = ["pentagrid.audit.referee_process", "gymnasium", "pettingzoo"]
POLL_SECONDS = 0.02
MOST_RESTARTS = 3
"""After so many deaths the checks that are left are not run."""
MOST_OUTPUT = 1 << 24
"""Bytes that an environment may print before they are thrown away."""
SHOW_PROCESSES = 'import os; os.system(f"ps -o pid,args --ppid {os.getpid()}")'
DUMP_SECONDS = 0.3
"""How long a process that hangs has to write down where."""
FRAME = re.compile(r'File "([^"]+)", line (\d+) in (\S+)')


class AuditSettings(NamedTuple):
    """How environments are audited."""

    limits: Limits = Limits()
    timeout: float = 10.0
    """Seconds that one call may take."""
    most_seconds: float = 600.0
    """Seconds that one environment may take."""
    workers: int = 1
    rules: tuple[str, int | None, dict[str, str], tuple[str, ...]] | None = None


USUAL = AuditSettings()


class EnvAudit(NamedTuple):
    """The audit of one environment."""

    target: str
    style: str
    games: int
    moves: int
    seconds: float
    findings: tuple[Finding, ...]
    """The worst first."""
    notes: tuple[str, ...]
    """What is worth knowing but no defect, such as what was not checked."""

    @property
    def worst(self) -> int:
        """The rank of the worst finding; 9 where there is none."""
        return min((int(finding.severity) for finding in self.findings if finding.counts), default=9)

    def data(self) -> dict[str, Any]:
        """The audit as plain data."""
        return {**self._asdict(), "findings": [finding.data() for finding in self.findings], "notes": list(self.notes)}


class _Watched:
    """A child process, what it has written so far, and how it ended."""

    def __init__(self, job: Job, context: Any) -> None:
        self.job = job
        self.trail = Trail(job.folder / "trail")
        self.process = context.Process(target=run_job, args=(job,), daemon=False)
        self.process.start()
        self.began = self.changed = time.monotonic()
        self.count = 0
        self.hung = self.late = False

    def look(self, timeout: float, most_seconds: float) -> bool:
        """Has it ended? A child that is in one call for too long, or at work for too long, is killed."""
        if not self.process.is_alive():
            self.process.join()
            return True
        self._cut_output()
        now, (count, running) = time.monotonic(), self.trail.state()
        if count != self.count or (count and not running):
            self.count, self.changed = count, now
        limit = timeout if count else 3 * timeout  # loading may take its time
        self.hung = now - self.changed > limit
        self.late = now - self.began > most_seconds
        if self.hung or self.late:
            self.kill()
            return True
        return False

    def _cut_output(self) -> None:
        """Keep a child that prints without end from filling the disk."""
        for name in ("stdout", "stderr"):
            path = self.job.folder / name
            if path.exists() and path.stat().st_size > MOST_OUTPUT:
                os.truncate(path, 0)

    def kill(self) -> None:
        """End it and everything in its session, after it has written down where it is."""
        pid = self.process.pid
        assert pid is not None
        if self.hung and hasattr(signal, "SIGUSR1"):
            os.kill(pid, signal.SIGUSR1)
            time.sleep(DUMP_SECONDS)
        _kill_session(pid)
        self.process.kill()
        self.process.join()

    def events(self) -> list[dict[str, Any]]:
        path = self.job.folder / "events"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith("}")]

    def last_frame(self) -> str:
        """The innermost line of Python that it was at, where it could still be written down."""
        path = self.job.folder / "stderr"
        frames = FRAME.findall(path.read_text(encoding="utf-8", errors="replace")) if path.exists() else []
        ours, library = str(Path(__file__).parent), str(Path(os.__file__).parent)
        theirs = [frame for frame in frames if not frame[0].startswith(ours)]
        own = [frame for frame in theirs if not frame[0].startswith(library) and "site-packages" not in frame[0]]
        for file, line, function in (own or theirs)[:1]:
            return f" in {function}, {Path(file).name} line {line}"
        return ""


def _kill_session(leader: int) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


def _left_behind(leader: int, folder: Path) -> dict[int, str]:
    """Processes that are still there after the one that an environment ran in: its session, and what it started.

    By their ids, with their command lines. Programs are known by a variable that they inherit, forks of the process by
    its files in memory. Without `/proc` only the session is known.
    """
    mark, trail = f"{MARK}={folder}".encode(), bytes(folder / "trail")
    found: dict[int, str] = {}
    for path in Path("/proc").iterdir() if Path("/proc/self/stat").exists() else ():
        if path.name.isdigit() and int(path.name) not in (leader, os.getpid()):
            try:
                fields = (path / "stat").read_text().rpartition(")")[2].split()
                fork = _is_this_program(path) and trail in (path / "maps").read_bytes()
                marked = mark in (path / "environ").read_bytes().split(b"\0")
                if (fork or marked or int(fields[3]) == leader) and fields[0] != "Z":
                    command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                    found[int(path.name)] = "a fork of its process" if fork else command[:80] or "one without a name"
            except OSError:
                continue  # it has ended meanwhile, or is not ours to look at
    return found


def _is_this_program(path: Path) -> bool:
    """Does a process in `/proc` run the same Python, as forks of ours do?"""
    return (path / "exe").readlink() == Path("/proc/self/exe").readlink()


class _Subject:
    """One environment under audit, through as many processes as it takes."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.began, self.seconds = time.monotonic(), 0.0
        self.findings: dict[tuple[str, str], Finding] = {}
        self.style, self.games, self.moves = "", 0, 0
        self.notes: list[str] = []
        self.targets: list[str] = []
        self.deaths = 0

    def add(self, check: Check, evidence: str, calls: list[str], cause: str = "") -> None:
        command = command_line(self.job.target, calls) if len(calls) > 1 or (calls and calls[0]) else ""
        self.findings.setdefault((check.name, cause), check.finding(evidence, command, cause))

    def take(self, watched: _Watched) -> Job | None:
        """Take over what a process has found; the job that goes on, if it did not come to an end by itself."""
        phase, done, finished = "loading", list(self.job.skip), False
        played: dict[str, Any] = {}
        game: list[str] = []
        for event in watched.events():
            if "finding" in event:
                finding = read_finding(event["finding"])
                self.findings[finding.check, finding.cause] = finding
            phase = event.get("begin", phase)
            if "end" in event:
                done.append(event["end"])
            self.style = event.get("style", self.style)
            played = event if "games" in event else played
            self.targets += event.get("targets", [])
            game = event.get("game", game)
            finished = finished or "done" in event
        self.games += played.get("games", 0)
        self.moves += played.get("moves", 0)
        self.notes += played.get("notes", [])
        self.seconds = time.monotonic() - self.began
        pid = watched.process.pid
        assert pid is not None
        left = _left_behind(pid, watched.job.folder)
        if left and not watched.hung:
            commands = "; ".join(list(left.values())[:3])
            self.add(
                LEAVES_PROCESSES,
                f"{len(left)} still ran at the end: {commands}",
                [*game, SHOW_PROCESSES] if game else [],
            )
        _kill_session(pid)
        for other in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(other, signal.SIGKILL)
        if finished:
            return None
        return self._died(watched, phase, done)

    def _died(self, watched: _Watched, phase: str, done: list[str]) -> Job | None:
        """Note how the process died; the job that goes on after the phase it died in."""
        _, running, calls = watched.trail.read()
        calls = [call for call in calls if call]
        where = f"{calls[-1]}" if running and len(calls) > 1 else "importing or making it"
        code = watched.process.exitcode
        if watched.hung:
            seconds = f"{time.monotonic() - watched.changed:.0f} s"
            self.add(HANGS, f"{where} did not return within {seconds}{watched.last_frame()}", calls, where)
        elif watched.late:
            evidence = f"the audit was ended after {time.monotonic() - watched.began:.0f} s, in {phase}"
            self.add(UNFINISHED, evidence, [])
            return None
        elif code is not None and code < 0:
            name = signal.Signals(-code).name if -code in list(signal.Signals) else str(-code)
            self.add(DIES, f"{where} was killed by {name}{watched.last_frame()}", calls, where)
        else:
            self.add(EXITS, f"{where} ended the process with exit code {code}", calls, where)
        self.deaths += 1
        if phase == "loading" or self.deaths >= MOST_RESTARTS or self.job.work != "audit":
            if phase != "loading":
                self.notes.append(f"After {self.deaths} such ends the checks after {phase!r} were not run.")
            return None
        self.job = self.job._replace(skip=(*done, phase), folder=Path(tempfile.mkdtemp(dir=self.job.folder.parent)))
        return self.job

    def audit(self) -> EnvAudit:
        """The result."""
        ordered = sorted(self.findings.values(), key=lambda finding: (finding.severity, -finding.games))
        cleaned = [one._replace(evidence=printable(one.evidence), command=printable(one.command)) for one in ordered]
        return EnvAudit(
            printable(self.job.target), printable(self.style), self.games, self.moves, round(self.seconds, 2),
            tuple(cleaned), tuple(dict.fromkeys(map(printable, self.notes))),
        )  # fmt: skip


def _context() -> Any:
    """How processes are started: from one that has the heavy packages loaded already, where the system can."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def run_isolated(
    jobs: Iterable[Job],
    settings: AuditSettings,
    done: Callable[[Any], None] = lambda subject: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[Any]:
    """Run jobs, so many at once, each in processes of its own; the subjects in the order of the jobs."""
    context, subjects = _context(), [_Subject(job) for job in jobs]
    waiting = deque((subject, subject.job) for subject in subjects)
    running: list[tuple[_Subject, _Watched]] = []
    try:
        while (waiting or running) and not stop():
            while waiting and len(running) < settings.workers:
                subject, job = waiting.popleft()
                if not job.skip:
                    subject.began = time.monotonic()
                running.append((subject, _Watched(job, context)))
            wait([watched.process.sentinel for _, watched in running], POLL_SECONDS)
            for pair in list(running):
                subject, watched = pair
                if watched.look(settings.timeout, settings.most_seconds):
                    running.remove(pair)
                    again = subject.take(watched)
                    watched.trail.close()
                    if again is not None:
                        waiting.appendleft((subject, again))
                    else:
                        done(subject)
    finally:
        for _, watched in running:
            watched.kill()
    return [subject for subject in subjects if all(subject is not one for one, _ in [*waiting, *running])]


def find_all(patterns: Iterable[tuple[str, str]], settings: AuditSettings, stop: Callable[[], bool]) -> list[_Subject]:
    """What patterns stand for: (`expand` or `find`, the words) each."""
    with tempfile.TemporaryDirectory(prefix="pentagrid-audit-") as folder:
        jobs = [Job(work, words, Path(tempfile.mkdtemp(dir=folder))) for work, words in patterns]
        return run_isolated(jobs, settings, stop=stop)


def audit_environments(
    targets: Iterable[str],
    settings: AuditSettings = USUAL,
    progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[EnvAudit]:
    """Audit environments, each a complete target such as `my_game.py:MyGame`, until `stop` says so."""
    finished: list[_Subject] = []

    def count(subject: _Subject) -> None:
        finished.append(subject)
        progress(len(finished))

    with tempfile.TemporaryDirectory(prefix="pentagrid-audit-") as folder:
        jobs = [
            Job("audit", target, Path(tempfile.mkdtemp(dir=folder)), settings.limits, settings.rules)
            for target in targets
        ]
        return [subject.audit() for subject in run_isolated(jobs, settings, count, stop)]
