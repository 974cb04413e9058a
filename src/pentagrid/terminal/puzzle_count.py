"""Counts the answers to one puzzle, in whichever front end it is asked: only the first one counts."""

from __future__ import annotations

from datetime import date

from pentagrid.analysis.sentences import counted
from pentagrid.core.position import Position
from pentagrid.errors import OptionError, PentagridError
from pentagrid.terminal.streaks import StreakFile, Streaks


class PuzzleCount:
    """Writes answers down at once, so that nothing done later can change the first."""

    def __init__(self, position: Position, day: date | None, file: StreakFile) -> None:
        """The day is given for a puzzle of the day."""
        self.position = position
        self.day = day
        self.file = file
        self.tries = 0
        """Wrong answers so far."""
        self._counted = False

    def earlier_answer(self) -> list[str]:
        """A sentence about an earlier answer to this puzzle, if any; a damaged file is named when it is written."""
        try:
            streaks = self.file.read()
        except PentagridError:
            return []
        right = streaks.seen.get(self.position.text)
        if right is not None:
            return [f"You have {'solved' if right else 'met'} this puzzle before: it does not count again."]
        if self.day in streaks.days:
            return ["You have answered another puzzle of this day already: for the days only the first counts."]
        return []

    def answered(self, right: bool) -> list[str]:
        """Count an answer; returns sentences about it."""
        if not self.tries:
            told = self._first(right)
            self.tries += not right
            return told
        self.tries += not right
        return self._solved_later() if right else []

    def given_up(self) -> list[str]:
        """The answer was asked for; returns sentences about it."""
        return self.answered(False)

    def _first(self, right: bool) -> list[str]:
        name, text, title = self.position.game.name, self.position.text, self.position.game.title
        try:
            before, after, trouble = self.file.change(lambda streaks: streaks.answered(name, text, right, self.day))
        except OptionError as error:
            return [f"This is not counted. {error}"]
        told = [trouble] if trouble else []
        self._counted = text not in before.seen
        if not self._counted:
            told.append("You have met this puzzle before, so it does not count again.")
        elif right:
            tally = after.tally(name)
            told.append(f"Solved at the first try: {tally.now} in a row in {title}, {tally.best} at best.")
        elif before.tally(name).now > 1:
            told.append(f"That ends a run of {counted(before.tally(name).now, 'puzzle')} solved at the first try.")
        return [*told, *self._day(before, after)]

    def _day(self, before: Streaks, after: Streaks) -> list[str]:
        if self.day is None or self.day in before.days or not after.days[self.day]:
            return []
        return [f"Puzzle of the day: {counted(after.days_now(self.day), 'day')} in a row, {after.days_best()} at best."]

    def _solved_later(self) -> list[str]:
        told = [f"Solved at try {self.tries + 1}."]
        if self._counted:
            try:
                self.file.change(lambda streaks: streaks.solved_later(self.position.game.name))
            except OptionError as error:
                told.append(f"This is not counted. {error}")
        return told
