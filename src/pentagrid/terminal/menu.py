"""The menu: what to play and against whom, chosen by typing a number or just Enter, also over a pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from shlex import join

from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.core.speech import player_names
from pentagrid.errors import PentagridError
from pentagrid.play.match import check_name, check_turn_seconds
from pentagrid.play.players import KINDS
from pentagrid.terminal.input import standard_input
from pentagrid.terminal.suggested_commands import program_words


class LeaveMenuError(Exception):
    """Someone leaves the menu, or there is no more input."""


class Menu:
    """Asks its questions one after the other and then runs the command they make."""

    def __init__(self) -> None:
        self.input = standard_input()

    def run(self) -> int:
        """Ask and run commands until someone leaves; returns the exit code."""
        print("Welcome to Pentagrid: five small grid games for two.")
        try:
            while True:
                self._run_one()
        except LeaveMenuError:
            print("Goodbye.")
            return 0

    def _run_one(self) -> None:
        from pentagrid.terminal.commands.resume import last_unfinished
        from pentagrid.terminal.main import run_command

        games = [find(name) for name in game_names()]
        titles = [game.title for game in games]
        others = [
            *(["Resume the last unfinished game"] if last_unfinished() else []),
            "Read the rules of a game",
            "Solve a puzzle",
            "Leave",
        ]
        choice = self._choose("What would you like?", titles + others)
        if choice >= len(titles):
            word = others[choice - len(titles)].split()[0]
            if word == "Leave":
                raise LeaveMenuError
            if word == "Resume":
                self._attempt(lambda: run_command("resume", []))
            elif word == "Solve":
                self._launch("puzzle", self._puzzle())
            else:
                game = games[self._choose("Which game?", titles)]
                self._attempt(lambda: run_command("rules", [game.name]))
            return
        game = games[choice]
        argv = [game.name, *self._players(game), *self._options(game)]
        argv += [] if "--seed" in argv else ["--seed", str(fresh_seed())]
        self._launch("play", argv)

    def _launch(self, name: str, argv: list[str]) -> None:
        from pentagrid.terminal.main import run_command

        print(f"\n(The same again: {program_words()} {name} {join(argv)})\n")
        self._attempt(lambda: run_command(name, argv))

    def _attempt(self, command: Callable[[], int]) -> None:
        try:
            command()
        except PentagridError as error:
            print(error)

    def _puzzle(self) -> list[str]:
        from pentagrid.puzzles.puzzle import puzzle_games

        names = puzzle_games()
        entries = ["The puzzle of the day", "One of any game", *(find(name).title for name in names)]
        choice = self._choose("Which puzzle?", entries)
        if choice == 0:
            return ["--daily"]
        game = [names[choice - 2]] if choice > 1 else []
        difficulty = 1 + self._choose("How hard?", ["Easy", "Not so easy", "Middling", "Hard", "Very hard"])
        return [*game, "--difficulty", str(difficulty), "--seed", str(fresh_seed())]

    def _players(self, game: type[Game]) -> list[str]:
        entries = ["a person", *(f"the computer: {kind.usage}" for kind in KINDS.values())]
        seat_names = player_names(game())
        argv = []
        for seat, name in enumerate(seat_names, 1):
            choice = self._choose(f"Who plays as {name}?", entries)
            if choice > 0:
                choices = list(KINDS.values())[choice - 1].choices
                argv += [f"--p{seat}", choices[self._choose("Which?", choices)] if len(choices) > 1 else choices[0]]
        return argv or self._names(seat_names)

    def _names(self, seat_names: tuple[str, str]) -> list[str]:
        while True:
            names = [self._answer(f"Name of {seat} (Enter for none):", _name) for seat in seat_names]
            if not any(names):
                return []
            if all(names) and names[0].casefold() != names[1].casefold():
                return ["--names", ",".join(names)]
            print("Please give two different names, or none.")

    def _options(self, game: type[Game]) -> list[str]:
        argv: list[str] = []
        if self._choose("Options?", ["As the rules have it", "Choose size, rules, clock and deal"]) == 0:
            return argv
        low, high = game.sizes.start, game.sizes.stop - 1
        size = self._answer(f"Size, {low} to {high} (Enter for {game.default_size}):", lambda text: _size(game, text))
        argv += ["--size", size] if size else []
        for rule in game.offered_rules:
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
        line = self.input.ask(prompt)
        if line is None or line.lower() in ("q", "quit"):
            raise LeaveMenuError
        return line

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
            lowered = [entry.lower() for entry in entries]
            if line.lower() in lowered:
                return lowered.index(line.lower())
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


def _size(game: type[Game], text: str) -> str:
    return str(game(int(text)).size)


def _seconds(text: str) -> str:
    return f"{check_turn_seconds(float(text)):g}"


def _seed(text: str) -> str:
    return str(Dice(int(text)).seed)
