"""The menu: what to play and against whom, chosen by typing a number or just Enter, also over a pipe."""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from shlex import join
from typing import TYPE_CHECKING, Any

from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.core.speech import player_names
from pentagrid.errors import PentagridError
from pentagrid.play.match import check_name, check_turn_seconds
from pentagrid.play.players import KINDS
from pentagrid.terminal.input import standard_input
from pentagrid.terminal.near_misses import nearest
from pentagrid.terminal.output import clip, columns, is_terminal
from pentagrid.terminal.suggested_commands import program_words

if TYPE_CHECKING:
    from pentagrid.terminal.remote.held_games import HeldGame

OTHERS = (
    "Resume the last unfinished game",
    "Read the rules of a game",
    "Solve a puzzle",
    "See your streaks",
    "Saved games: replay, analyze or resume one",
    "Leave",
)
"""What the menu offers beside the games; the same at the same place always."""
FIRST = ("1", "2", "random")
"""Who goes first, as `--first` has it."""
MOST_LISTED = 20
"""Saved games that the menu lists."""
MARGIN = 6
"""Columns of the number before an entry."""


class LeaveMenuError(Exception):
    """Someone leaves the menu, or there is no more input."""


class BackError(Exception):
    """Someone goes back to the question before."""


class Menu:
    """Asks its questions one after the other and then runs the command they make."""

    def __init__(self) -> None:
        self.input = standard_input()
        self._given: list[Any] = []
        """The answers so far on the way to a command."""
        self._again: deque[Any] = deque()
        """Answers that need no question: whoever goes back has given them already."""
        self._served_games: list[HeldGame] | None = None
        """The games on servers, as they were listed on the way to this command."""

    def run(self) -> int:
        """Ask and run commands until someone leaves; returns the exit code."""
        print("Welcome to Pentagrid: five small grid games for two.")
        try:
            while True:
                name, argv, repeatable = self._command()
                if repeatable:
                    print(f"\n(The same again: {program_words()} {name} {join(argv)})")
                print()
                self._attempt(name, argv)
        except LeaveMenuError:
            print("Goodbye.")
            return 0

    def _attempt(self, name: str, argv: list[str]) -> None:
        from pentagrid.terminal.main import run_command

        try:
            run_command(name, argv)
        except PentagridError as error:
            print(error)

    def _command(self) -> tuple[str, list[str], bool]:
        """A command with its arguments, and whether it is worth typing; whoever goes back answers one question anew."""
        self._given = []
        self._served_games = None
        while True:
            try:
                return self._chosen()
            except BackError:
                self._again = deque(self._given[:-1])
                self._given = []

    def _chosen(self) -> tuple[str, list[str], bool]:
        from pentagrid.terminal.commands.resume import last_unfinished

        games = [find(name) for name in game_names()]
        titles = [game.title for game in games]
        choice = self._choose("What would you like?", [*titles, *OTHERS])
        if choice < len(titles):
            game = games[choice]
            argv = [game.name, *self._players(game), *self._options(game)]
            return "play", [*argv, *([] if "--seed" in argv else ["--seed", str(fresh_seed())])], True
        word = OTHERS[choice - len(titles)].split()[0]
        if word == "Leave":
            raise LeaveMenuError
        if word == "Resume":
            if last_unfinished() is not None:
                return "resume", [], False
            print("There is no unfinished game.")
            raise BackError
        if word == "Solve":
            return "puzzle", self._puzzle(), True
        if word == "See":
            return "puzzle", ["--streaks"], False
        if word == "Saved":
            return self._saved()
        return "rules", [games[self._choose("Which game?", titles)].name], False

    def _saved(self) -> tuple[str, list[str], bool]:
        """One of the saved games, and what to do with it."""
        from pentagrid.terminal.game_list import line_in
        from pentagrid.terminal.saved_games import saved_games

        entries, served = saved_games()[:MOST_LISTED], self._served()
        if not entries and not served:
            print("There are no saved games.")
            raise BackError
        room = columns() - MARGIN
        lines = [*(line_in(entry, room) for entry in entries), *(clip(f"* {game.sentence()}", room) for game in served)]
        choice = self._choose("Which game? A star marks those that can be resumed.", lines)
        if choice >= len(entries):
            return "join", [str(served[choice - len(entries)].link)], False
        path, unfinished = entries[choice].path, lines[choice].startswith("*")
        what = ("replay", "analyze", "resume")
        deeds = ["Replay it, move by move", "Analyze it: what each move cost", *(["Resume it"] if unfinished else [])]
        name = what[self._choose("What would you like to do with it?", deeds)]
        return name, [str(path), *(["--step"] if name == "replay" and is_terminal() else [])], True

    def _served(self) -> list[HeldGame]:
        """The games on servers in which a seat is held, as far as those answer soon."""
        if find_spec("websockets") is None:
            return []
        from pentagrid.terminal.commands.games import ASK_SECONDS
        from pentagrid.terminal.remote.held_games import ask_servers, held_games

        if self._served_games is None:
            try:
                self._served_games = ask_servers(held_games(), ASK_SECONDS)
            except PentagridError as error:  # about the file of keys
                print(error)
                return []
        return self._served_games

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
            names = [self._answer(f"Name of {seat}", "none", _name) for seat in seat_names]
            if not any(names):
                return []
            if all(names) and names[0].casefold() != names[1].casefold():
                return ["--names", ",".join(names)]
            print("Please give two different names, or none.")

    def _options(self, game: type[Game]) -> list[str]:
        argv: list[str] = []
        by_chance = "As the rules have it, and chance decides who goes first"
        choice = self._choose("Options?", ["As the rules have it", "Choose size, rules, clock and deal", by_chance])
        if choice != 1:
            return ["--first", "random"] if choice else argv
        low, high = game.sizes.start, game.sizes.stop - 1
        size = self._answer(f"Size, {low} to {high}", str(game.default_size), lambda text: _size(game, text))
        argv += ["--size", size] if size else []
        for rule in game.offered_rules:
            if rule.reader is not None:
                value = self._answer(f"{rule.name}, {rule.meaning}", rule.values[0], rule.checked)
                value = value or rule.values[0]
            else:
                value = rule.values[self._choose(f"{rule.name}: {rule.meaning}", rule.values)]
            argv += [] if value == rule.values[0] else ["--rule", f"{rule.name}={value}"]
        first = FIRST[self._choose("Who goes first?", ["As chosen", "The other way round", "Chance decides"])]
        argv += [] if first == FIRST[0] else ["--first", first]
        seconds = self._answer("Seconds for each turn", "no clock", _seconds)
        argv += ["--turn-seconds", seconds] if seconds else []
        seed = self._answer("Seed, a whole number for the same deal and chance again", "a new one", _seed)
        return [*argv, "--seed", seed] if seed else argv

    # Asking ---------------------------------------------------------------------------------------------

    def _line(self, prompt: str) -> str:
        while True:
            line = self.input.ask(prompt)
            if line is None or line.lower() in ("q", "quit"):
                raise LeaveMenuError
            if line.lower() not in ("b", "back"):
                return line
            if self._given:
                raise BackError
            print("There is nothing to go back to; q leaves.")

    def _keys(self, enter: str) -> str:
        """What can be typed instead of an answer."""
        return f"(Enter for {enter}, {'b to go back, ' if self._given else ''}q to leave):"

    def _choose(self, question: str, entries: Sequence[str]) -> int:
        """The number of an entry; Enter alone takes the first."""
        if not self._again:
            self._given.append(self._asked(question, entries))
        else:
            self._given.append(self._again.popleft())
        chosen: int = self._given[-1]
        return chosen

    def _asked(self, question: str, entries: Sequence[str]) -> int:
        print("\n" + textwrap.fill(question, 79))
        width = len(str(len(entries)))
        for number, entry in enumerate(entries, 1):
            print(f"  {number:>{width}}  {entry}")
        while True:
            line = self._line(f"Type a number from 1 to {len(entries)} {self._keys('1')}")
            if not line:
                return 0
            if line.isascii() and line.isdecimal() and 1 <= int(line) <= len(entries):
                return int(line) - 1
            found = matching(line, entries)
            if len(found) == 1:
                return found[0]
            print(f"{line[:40]!r} {_which(line, entries, found)}")

    def _answer(self, prompt: str, enter: str, check: Callable[[str], str]) -> str:
        """An answer that passes a check; Enter alone gives the empty one."""
        if self._again:
            self._given.append(self._again.popleft())
        else:
            self._given.append(self._checked(f"{prompt} {self._keys(enter)}", check))
        answer: str = self._given[-1]
        return answer

    def _checked(self, prompt: str, check: Callable[[str], str]) -> str:
        while True:
            line = self._line(prompt)
            if not line:
                return ""
            try:
                return check(line)
            except ValueError as error:
                print(error if isinstance(error, PentagridError) else f"{line[:40]!r} is not a number.")


def matching(line: str, entries: Sequence[str]) -> list[int]:
    """The entries that a line names: by all of it, else by its beginning, else by the beginning of a word in it."""
    asked, named = _plain(line), [_plain(entry) for entry in entries]
    for test in (
        lambda entry: entry == asked,
        lambda entry: entry.startswith(asked),
        lambda entry: f" {asked}" in entry,
    ):
        found = [i for i, entry in enumerate(named) if test(entry)]
        if found:
            return found
    return []


def _which(line: str, entries: Sequence[str], found: Sequence[int]) -> str:
    """The end of a sentence about a line that names several entries or none."""
    if found:
        return f"could be {' or '.join(entries[i] for i in found)}."
    plain = [_plain(entry) for entry in entries]
    near = nearest(_plain(line), plain)
    return "is not one of them." + (f" Did you mean {entries[plain.index(near)]}?" if near else "")


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())


def _name(text: str) -> str:
    return check_name(text.replace(",", " "))


def _size(game: type[Game], text: str) -> str:
    return str(game(int(text)).size)


def _seconds(text: str) -> str:
    return f"{check_turn_seconds(float(text)):g}"


def _seed(text: str) -> str:
    return str(Dice(int(text)).seed)
