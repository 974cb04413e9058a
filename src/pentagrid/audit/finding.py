"""What an audit finds: a finding, how bad it is in plain words, and the checks that look for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pentagrid.audit.referee import Episode, Referee


class Severity(IntEnum):
    """How bad a finding is, the worst first."""

    WINS = 0
    MEASURED = 1
    TOOLS = 2
    UNTIDY = 3
    UNCLEAR = 4

    @property
    def words(self) -> str:
        """The severity in plain words."""
        return WORDS[self]


WORDS = {
    Severity.WINS: "changes who wins",
    Severity.MEASURED: "changes what is measured",
    Severity.TOOLS: "breaks tools",
    Severity.UNTIDY: "untidy",
    Severity.UNCLEAR: "the rule text is silent or unclear here",
}


class Seen(NamedTuple):
    """One sighting by a check: what was seen, and the calls after the environment was made that show it again."""

    evidence: str
    """What was seen, in a sentence without its period."""
    calls: tuple[str, ...] = ()
    """Python statements about `env`; the last one prints what is wrong."""
    cause: str = ""
    """Sightings of one check with different causes are different findings."""
    games: int = 1
    """How many games or tries showed it."""
    of: int = 1
    """How many games or tries were looked at."""
    severity: Severity | None = None
    """How bad it is, where that differs from what the check usually finds."""
    episode: Episode | None = None
    """The game in which it was seen: its opening and its moves are told where seeds cannot bring it back."""
    certain: bool = False
    """Do the calls show it even where seeds do not work?"""
    code: str = ""
    """The statements that make the environment, where they are not the usual ones."""


class Finding(NamedTuple):
    """One kind of defect of an environment, with its first evidence."""

    check: str
    """The name of the check, which is stable."""
    severity: Severity
    title: str
    """What is wrong, in a sentence without its period."""
    evidence: str
    command: str
    """A command line that shows it again; empty where there is none."""
    cause: str = ""
    games: int = 1
    of: int = 1

    @property
    def counts(self) -> bool:
        """Is it an error? What the rule text leaves open is not."""
        return self.severity is not Severity.UNCLEAR

    def data(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {**self._asdict(), "severity": self.severity.words, "rank": int(self.severity)}


def read_finding(data: dict[str, Any]) -> Finding:
    """A finding from its plain data."""
    fields = {name: data[name] for name in Finding._fields if name != "severity"}
    return Finding(severity=Severity(data["rank"]), **fields)


class GameSeen(NamedTuple):
    """A sighting in one recorded game, after so many of its moves."""

    ply: int
    evidence: str
    cause: str = ""
    show: str = ""
    """A Python expression about `env` that shows it; without one, what the last call returned."""
    calls: tuple[str, ...] = ()
    """The statements that show it, where they are not just those of the game."""


class Check(NamedTuple):
    """One check: its name, how bad what it finds is, and what that is."""

    name: str
    severity: Severity
    title: str
    on_game: Callable[[Episode], Iterator[GameSeen]] | None = None
    """Looks at one recorded game."""
    on_env: Callable[[Referee], Iterator[Seen]] | None = None
    """Plays games of its own."""

    def finding(self, evidence: str, command: str, cause: str = "") -> Finding:
        """What it found once."""
        return Finding(self.name, self.severity, self.title, evidence, command, cause)


CHECKS: dict[str, Check] = {}
"""Every check by its name, in the order in which they run."""

GameCheck = Callable[["Episode"], Iterator[GameSeen]]
EnvCheck = Callable[["Referee"], Iterator[Seen]]


def game_check(name: str, severity: Severity, title: str) -> Callable[[GameCheck], GameCheck]:
    """Register a function that looks at one recorded game."""

    def register(function: GameCheck) -> GameCheck:
        CHECKS[name] = Check(name, severity, title, on_game=function)
        return function

    return register


def env_check(name: str, severity: Severity, title: str) -> Callable[[EnvCheck], EnvCheck]:
    """Register a function that plays games of its own."""

    def register(function: EnvCheck) -> EnvCheck:
        CHECKS[name] = Check(name, severity, title, on_env=function)
        return function

    return register


def named(name: str, severity: Severity, title: str) -> Check:
    """Register something that is not looked for by a function but noticed along the way, such as a crash."""
    CHECKS[name] = Check(name, severity, title)
    return CHECKS[name]


CANNOT_LOAD = named("cannot-load", Severity.TOOLS, "the environment cannot be loaded")
CANNOT_MAKE = named("cannot-make", Severity.TOOLS, "the environment cannot be made, or its first reset fails")
RAISES = named("raises", Severity.TOOLS, "a call that should work raises")
EXITS = named("exits", Severity.TOOLS, "a call ends the whole program")
HANGS = named("hangs", Severity.TOOLS, "a call does not return")
DIES = named("dies", Severity.TOOLS, "a call kills the process")
PRINTS = named("prints", Severity.TOOLS, "playing prints on standard output")
UNFINISHED = named("unfinished", Severity.TOOLS, "the environment is so slow that not all was checked")
LEAVES_PROCESSES = named("leaves-processes", Severity.TOOLS, "processes are left behind")
