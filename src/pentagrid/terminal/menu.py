"""The menu: what to play and against whom, chosen by typing a number or just Enter."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from shlex import join

from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.errors import PentagridError
from pentagrid.play.match import check_name, check_turn_seconds
from pentagrid.play.players import KINDS
from pentagrid.terminal.input import LineInput
from pentagrid.terminal.suggestions import program


class LeaveMenuError(Exception):
    """The person at the menu leaves."""


class Menu:
    """Asks its questions one after the other and then runs the command they make."""

    def __init__(self) -> None:
        self.lines = LineInput()

    def run(self) -> int:
        print("Welcome to Pentagrid: five small grid games for two.")
        try:
            while True:
                self._round()
        except LeaveMenuError:
            print("Goodbye.")
            return 0

    def _round(self) -> None:
        from pentagrid.terminal.commands.resume import last_unfinished
        from pentagrid.terminal.main import run_command

        kinds = [find(name) for name in game_names()]
        entries = [f"{kind.title}" for kind in kinds]
        unfinished = last_unfinished()
        extras = [
            *(["Resume the last unfinished game"] if unfinished else []),
            "Read the rules of a game",
            "Solve a puzzle",
            "Leave",
        ]
        choice = self._choose("What would you like?", entries + extras)
        if choice >= len(entries):
            word = extras[choice - len(entries)].split()[0]
            if word == "Leave":
                raise LeaveMenuError
            if word == "Resume":
                self._attempt(lambda: run_command("resume", []))
            elif word == "Solve":
                self._launch("puzzle", self._puzzle())
            else:
                kind = kinds[self._choose("Which game?", entries)]
                self._attempt(lambda: run_command("rules", [kind.name]))
            return
        argv = [kinds[choice].name, *self._people(), *self._options(kinds[choice])]
        argv += [] if "--seed" in argv else ["--seed", str(fresh_seed())]
        self._launch("play", argv)

    def _launch(self, name: str, argv: list[str]) -> None:
        from pentagrid.terminal.main import run_command

        print(f"\n(The same again: {program()} {name} {join(argv)})\n")
        self._attempt(lambda: run_command(name, argv))

    def _puzzle(self) -> list[str]:
        from pentagrid.puzzles.puzzle import puzzle_games

        names = puzzle_games()
        kinds = ["The puzzle of the day", "One of any game", *(find(name).title for name in names)]
        choice = self._choose("Which puzzle?", kinds)
        if choice == 0:
            return ["--daily"]
        named = [names[choice - 2]] if choice > 1 else []
        difficulty = 1 + self._choose("How hard?", ["Easy", "Not so easy", "Middling", "Hard", "Very hard"])
        return [*named, "--difficulty", str(difficulty), "--seed", str(fresh_seed())]

    def _attempt(self, command: Callable[[], int]) -> None:
        try:
            command()
        except PentagridError as error:
            print(error)

    def _people(self) -> list[str]:
        words = ["a person", *(f"the computer: {kind.usage}" for kind in KINDS.values())]
        argv = []
        for seat in (1, 2):
            choice = self._choose(f"Who plays as Player {seat}?", words)
            if choice > 0:
                choices = list(KINDS.values())[choice - 1].choices
                argv += [f"--p{seat}", choices[self._choose("Which?", choices)] if len(choices) > 1 else choices[0]]
        return argv or self._names()

    def _names(self) -> list[str]:
        while True:
            names = [self._answer(f"Name of Player {seat} (Enter for none):", _name) for seat in (1, 2)]
            if not any(names):
                return []
            if all(names) and names[0].casefold() != names[1].casefold():
                return ["--names", ",".join(names)]
            print("Please give two different names, or none.")

    def _options(self, kind: type[Game]) -> list[str]:
        argv: list[str] = []
        if self._choose("Options?", ["As the rules have it", "Choose size, rules, clock and deal"]) == 0:
            return argv
        low, high = kind.sizes.start, kind.sizes.stop - 1
        size = self._answer(f"Size, {low} to {high} (Enter for {kind.default_size}):", lambda text: _size(kind, text))
        argv += ["--size", size] if size else []
        for rule in kind.offered_rules:
            if rule.reader is not None:
                value = self._answer(f"{rule.name}, {rule.meaning} (Enter for {rule.values[0]}):", rule.checked)
                value = value or rule.values[0]
            else:
                value = rule.values[self._choose(f"{rule.name}: {rule.meaning}", rule.values)]
            argv += [] if value == rule.values[0] else ["--rule", f"{rule.name}={value}"]
        seconds = self._answer("Seconds for each turn (Enter for no clock):", _seconds)
        argv += ["--turn-seconds", seconds] if seconds else []
        seed = self._answer("Seed, a whole number for the same deal and chance again (Enter for a new one):", _seed)
        return [*argv, "--seed", seed] if seed else argv

    # Asking ---------------------------------------------------------------------------------------------

    def _line(self, prompt: str) -> str:
        print(prompt, end=" ", flush=True)
        line = self.lines.read()
        if line is None or line.strip().lower() in ("q", "quit"):
            print()
            raise LeaveMenuError
        return line.strip()

    def _choose(self, question: str, entries: Sequence[str]) -> int:
        """The number of an entry; Enter alone takes the first."""
        print("\n" + textwrap.fill(question, 79))
        for number, entry in enumerate(entries, 1):
            print(f"  {number}  {entry}")
        while True:
            line = self._line(f"Type a number from 1 to {len(entries)} (Enter for 1, q to leave):")
            if not line:
                return 0
            if line.isascii() and line.isdecimal() and 1 <= int(line) <= len(entries):
                return int(line) - 1
            named = [i for i, entry in enumerate(entries) if entry.lower() == line.lower()]
            if named:
                return named[0]
            print(f"{line[:40]!r} is not one of them.")

    def _answer(self, prompt: str, check: Callable[[str], str]) -> str:
        """An answer that passes a check; Enter alone gives the empty one."""
        while True:
            line = self._line(prompt)
            if not line:
                return ""
            try:
                return check(line)
            except ValueError as error:
                print(error if isinstance(error, PentagridError) else f"{line[:40]!r} is not a number.")


def _name(text: str) -> str:
    return check_name(text.replace(",", " "))


def _size(kind: type[Game], text: str) -> str:
    return str(kind(int(text)).size)


def _seconds(text: str) -> str:
    return f"{check_turn_seconds(float(text)):g}"


def _seed(text: str) -> str:
    return str(Dice(int(text)).seed)
