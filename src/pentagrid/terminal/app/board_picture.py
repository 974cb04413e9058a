"""A board as rows of text with the names of their styles: any game, any cell size, with marks that need no color.

[5]  the cursor            (5)  the last move         <5>  what it captured or removed
*X*  the winning square    +5+  a best move           {X}  the first of two cells chosen
X~   can be turned         ×    out of play           ·    free
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pentagrid.core.drawing import Cell, Line, Touch
from pentagrid.core.position import Position
from pentagrid.core.speech import speech_for

Piece = tuple[str, tuple[str, ...]]
"""A text, and the names of the styles that it is drawn in."""
NARROWEST_CELL = 7
"""Columns: room for '[(A16)]'."""
HIGHEST_CELL = 9
CORNERS = ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘")
"""Of the top, a middle and the bottom line, from left to right."""


class BoardMarks(NamedTuple):
    """What is marked on a board. A target is the number of a cell, or of a line in games of lines."""

    cursor: int | None = None
    picked: int | None = None
    """The first cell of a move that takes two."""
    last: Touch | None = None
    changed: frozenset[int] = frozenset()
    """The cells that the last move captured or removed, its own aside."""
    best: frozenset[int] = frozenset()
    """The targets of moves to point out."""
    values: Mapping[int, str] | None = None
    """What stands below a target's number; None where values are not wanted."""


def changed_cells(before: Position, touch: Touch, after: Position) -> frozenset[int]:
    """The cells that a move captured or put out of play, those it touches aside."""
    was = [cell for row in before.cells() for cell in row]
    now = [cell for row in after.cells() for cell in row]
    touched = touch.at if touch.kind != "line" else ()
    over = after.turn is None
    return frozenset(
        i
        for i, (old, new) in enumerate(zip(was, now, strict=True))
        if i not in touched and _changed(old, new, over and not new.label)
    )


def _changed(old: Cell, new: Cell, ended: bool) -> bool:
    """Was it taken over, or put out of play? A free cell at the end of a game is neither."""
    return (old.owner != new.owner and bool(old.owner)) or (
        not ended and old.available and not new.available and not new.owner and not old.owner
    )


class BoardPicture:
    """One position drawn at one size of cells."""

    def __init__(self, position: Position, marks: BoardMarks, room: tuple[int, int]) -> None:
        """`room` is the columns and rows there are; a board that does not fit is drawn with the smallest cells."""
        self.position = position
        self.marks = marks
        self.size = position.game.size
        self.cells = tuple(cell for row in position.cells() for cell in row)
        self.lines = position.lines()
        self.touches = [position.game.drawing.touch(action) for action in position.actions()]
        self.speech = speech_for(position.game)
        self.row_edges, self.column_edges = self.speech.edges()
        self.winning = position.game.drawing.winning_cells(position)
        self.left = max(map(len, self.row_edges), default=0) + bool(self.row_edges)
        self.right = self._head_width()
        self.top = 1 if self.column_edges else 0
        self.bottom = (3 if marks.values is not None else 2) if self.lines else 0
        self.cell_width, self.cell_height = self._fitting(*room)
        self.rows = [*self._above(), *self._grid(), *self._below()]

    @property
    def width(self) -> int:
        return self._width(self.cell_width)

    @property
    def height(self) -> int:
        return len(self.rows)

    def _width(self, cell_width: int) -> int:
        return self.left + self.size * (cell_width + 1) + 1 + self.right

    def _fitting(self, columns: int, rows: int) -> tuple[int, int]:
        """The largest cells that fit, about twice as wide as they are high; their text is in the middle."""
        least = 1 if self.marks.values is None else 2
        for height in range(HIGHEST_CELL - 1 + least, least, -2):
            width = max(NARROWEST_CELL, 2 * height + 3)
            if self._width(width) <= columns and self.top + self.size * (height + 1) + 1 + self.bottom <= rows:
                return width, height
        return NARROWEST_CELL, least

    def target_at(self, x: int, y: int) -> int | None:
        """The cell at a place of the picture, or the line whose name is there; cells come first, None is neither."""
        column, across = divmod(x - self.left, self.cell_width + 1)
        row, down = divmod(y - self.top, self.cell_height + 1)
        on_grid = 0 <= column < self.size and 0 <= row < self.size
        if on_grid:
            return None if not across or not down else row * self.size + column
        if self.lines and 0 <= row < self.size and column >= self.size:
            return row if down else None
        if self.lines and 0 <= column < self.size and row >= self.size:
            return self.size + column if down else None
        return None

    def is_head(self, x: int, y: int) -> bool:
        """Is this place beside the grid, where lines have their names?"""
        return x >= self.left + self.size * (self.cell_width + 1) + 1 or y > self.top + self.size * (
            self.cell_height + 1
        )

    def region_of(self, target: int) -> tuple[int, int, int, int]:
        """Where a target is: column, row, columns, rows."""
        width, height = self.cell_width, self.cell_height
        grid_width, grid_height = self.size * (width + 1) + 1, self.size * (height + 1) + 1
        if not self.lines:
            row, column = divmod(target, self.size)
            return self.left + column * (width + 1), self.top + row * (height + 1), width + 2, height + 2
        if target < self.size:
            return self.left + grid_width, self.top + target * (height + 1), self.right, height + 2
        return self.left + (target - self.size) * (width + 1), self.top + grid_height, width + 2, self.bottom

    # Cells ----------------------------------------------------------------------------------------------

    def _legal(self, index: int) -> bool:
        return any(index in touch.at for touch in self.touches if touch.kind in ("cell", "pair"))

    def _under_cursor(self, index: int) -> bool:
        cursor = self.marks.cursor
        if cursor is None:
            return False
        return index in self.lines[cursor].cells if self.lines else index == cursor

    def _in_last(self, index: int) -> bool:
        last = self.marks.last
        if last is None:
            return False
        return any(index in self.lines[i].cells for i in last.at) if last.kind == "line" else index in last.at

    def _cell_text(self, index: int) -> str:
        """What a cell shows with its marks, without the cursor."""
        cell = self.cells[index]
        changed = index in self.marks.changed
        if self.lines:
            text = cell.label
        elif cell.owner:
            text = self.speech.marks[cell.owner - 1] + cell.label
            text += "~" if self._legal(index) and index not in self.winning and self.marks.picked != index else ""
        elif cell.available:
            text = cell.label or "·"
        elif cell.label:
            text = "×" + (cell.label if changed else "")
        else:
            text = " "
        if self.marks.picked == index:
            return f"{{{text}}}"
        if index in self.winning:
            return f"*{text}*"
        if not self.lines and index in self.marks.best:
            return f"+{text}+"
        if self._in_last(index):
            return f"({text})"
        return f"<{text}>" if changed else text

    def _cell_styles(self, index: int) -> tuple[str, ...]:
        cell = self.cells[index]
        if self.lines:
            base = "plain"
        elif cell.owner:
            base = ("one", "two")[cell.owner - 1]
        else:
            base = "free" if cell.available else "gone"
        more = ["best"] if not self.lines and index in self.marks.best else []
        more += ["last"] if self._in_last(index) or index in self.marks.changed else []
        more += ["winning"] if index in self.winning else []
        more += ["cursor"] if self._under_cursor(index) else []
        return base, *more

    def _cell_row(self, index: int, line: int) -> list[Piece]:
        """One line of a cell."""
        width, styles = self.cell_width, self._cell_styles(index)
        text_line, value_line = self._text_lines()
        cursor = self._under_cursor(index)
        if line == text_line:
            text = _centered(self._cell_text(index), width - 2)
            left, right = ("[", "]") if cursor else (" ", " ")
            return [(left + text + right, styles)]
        if line == value_line and not self.lines:
            value = (self.marks.values or {}).get(index, "")
            return [(_centered(value, width), (*styles, "value-best" if value.startswith("*") else "value"))]
        return [(" " * width, styles)]

    def _text_lines(self) -> tuple[int, int | None]:
        """The line of a cell that its text is on, and that of its value."""
        if self.marks.values is None:
            return (self.cell_height - 1) // 2, None
        text_line = (self.cell_height - 2) // 2
        return text_line, text_line + 1

    # Lines ----------------------------------------------------------------------------------------------

    def _sum(self, line: Line) -> int:
        return sum(self.position.numbers[cell] for cell in line.cells)

    def _head_width(self) -> int:
        if not self.lines:
            return 0
        return max(len(self._head(i, always=True)) for i in range(self.size)) + 1

    def _head(self, index: int, always: bool = False) -> str:
        """A line's name, its owner, and where it is chosen, owned or asked for its sum."""
        if always:  # as wide as it ever gets, so that nothing moves when the cursor does
            return f"[({self.lines[index].label})] {self._claim(index, always)}"
        name = self._marked_name(index)
        name = f"[{name}]" if self.marks.cursor == index else f" {name} "
        return f"{name} {self._claim(index)}"

    def _marked_name(self, index: int) -> str:
        label, last = self.lines[index].label, self.marks.last
        if index in self.marks.best:
            return f"+{label}+"
        return f"({label})" if last is not None and last.kind == "line" and index in last.at else label

    def _claim(self, index: int, always: bool = False) -> str:
        """'P1=15': who owns a line, and its sum once it is owned or under the cursor."""
        line = self.lines[index]
        owner = self.speech.marks[line.owner - 1] if line.owner else self.speech.marks[0] if always else ""
        return f"{owner}={self._sum(line)}" if line.owner or always or self.marks.cursor == index else ""

    def _head_styles(self, index: int) -> tuple[str, ...]:
        line = self.lines[index]
        base = ("free", "one", "two")[line.owner]
        more = ["best"] if index in self.marks.best else []
        return base, *more, *(["cursor"] if self.marks.cursor == index else [])

    def _row_head(self, row: int, line: int) -> list[Piece]:
        if not self.lines:
            return []
        text_line, value_line = self._text_lines()
        styles = self._head_styles(row)
        if line == text_line:
            text = self._head(row)
            return [(" ", ("grid",)), (text, styles), (" " * (self.right - 1 - len(text)), ("grid",))]
        if line == value_line:
            return [("  " + (self.marks.values or {}).get(row, "").ljust(self.right - 2), ("value",))]
        return [(" " * self.right, ("grid",))]

    # Rows of the picture --------------------------------------------------------------------------------

    def _above(self) -> Iterable[list[Piece]]:
        if self.column_edges:
            names = "".join(" " + _centered(name, self.cell_width) for name in self.column_edges)
            yield [(" " * self.left + names + " ", ("edge",))]

    def _grid(self) -> Iterable[list[Piece]]:
        down = ("│", ("grid",))
        text_line, _ = self._text_lines()
        for row in range(self.size):
            yield self._rule(0 if row == 0 else 1)
            for line in range(self.cell_height):
                edge = self.row_edges[row] if self.row_edges and line == text_line else ""
                pieces: list[Piece] = [(edge.ljust(self.left), ("edge",))] if self.left else []
                for column in range(self.size):
                    pieces += [down, *self._cell_row(row * self.size + column, line)]
                yield [*pieces, down, *self._row_head(row, line)]
        yield self._rule(2)

    def _rule(self, number: int) -> list[Piece]:
        left, middle, right = CORNERS[number]
        text = left + middle.join(["─" * self.cell_width] * self.size) + right
        return [(" " * self.left, ("edge",)), (text, ("grid",)), (" " * self.right, ("grid",))]

    def _below(self) -> Iterable[list[Piece]]:
        if not self.lines:
            return
        columns = range(self.size, 2 * self.size)
        rows = [[self._column_name(i) for i in columns], [self._claim(i) for i in columns]]
        if self.marks.values is not None:
            rows.append([self.marks.values.get(i, "") for i in columns])
        for number, texts in enumerate(rows):
            pieces: list[Piece] = [(" " * self.left, ("edge",))] if self.left else []
            for index, text in zip(columns, texts, strict=True):
                styles = ("value",) if number == 2 else self._head_styles(index)
                pieces += [(" ", ("grid",)), (_centered(text, self.cell_width), styles)]
            yield [*pieces, (" " * (self.right + 1), ("grid",))]

    def _column_name(self, index: int) -> str:
        name = self._marked_name(index)
        return f"[{name}]" if self.marks.cursor == index else name


def _centered(text: str, width: int) -> str:
    return text[:width].center(width)
