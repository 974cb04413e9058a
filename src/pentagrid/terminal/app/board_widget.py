"""The board on the screen: drawn in place, with a cursor moved by keys and mouse."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pentagrid.analysis.values import Analysis
from pentagrid.core.drawing import Touch, TouchKind
from pentagrid.core.position import Position
from pentagrid.terminal.app.board_picture import BoardMarks, BoardPicture, Piece, changed_cells
from pentagrid.terminal.app.cell_values import target_values

STYLES = (
    "grid", "edge", "plain", "free", "gone", "one", "two", "cursor", "last", "winning", "best", "value", "value-best",
)  # fmt: skip


class BoardWidget(Widget, can_focus=True):
    """A position that can be played on. It chooses actions; whoever holds the game makes them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{name}" for name in STYLES}
    DEFAULT_CSS = """
    BoardWidget { width: auto; height: auto; }
    BoardWidget > .board--grid { color: $quiet; }
    BoardWidget > .board--edge { color: $quiet; }
    BoardWidget > .board--plain { text-style: bold; }
    BoardWidget > .board--free { text-style: bold; }
    BoardWidget > .board--gone { color: $gone; }
    BoardWidget > .board--one { color: $seat-one; text-style: bold; }
    BoardWidget > .board--two { color: $seat-two; text-style: bold; }
    BoardWidget > .board--last { background: $last-back; }
    BoardWidget > .board--winning { text-style: bold reverse; }
    BoardWidget > .board--best { color: $good; text-style: bold; }
    BoardWidget > .board--cursor { background: $cursor-back; }
    BoardWidget > .board--value { color: $quiet; text-style: not bold; }
    BoardWidget > .board--value-best { color: $good; text-style: bold; }
    BoardWidget:ansi > .board--cursor { text-style: reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1, 0)", "Cursor up", show=False),
        Binding("down,j", "move(1, 0)", "Cursor down", show=False),
        Binding("left,h", "move(0, -1)", "Cursor left", show=False),
        Binding("right,l", "move(0, 1)", "Cursor right", show=False),
        Binding("enter,space", "choose", "Play under the cursor", show=False),
    ]

    class Chosen(Message):
        """Someone chose an action, legal or not."""

        def __init__(self, action: int) -> None:
            self.action = action
            super().__init__()

    class Picked(Message):
        """The first of two cells was chosen, or let go."""

    def __init__(self, position: Position) -> None:
        super().__init__(id="board")
        self.position = position
        self.marks = BoardMarks(cursor=_first_target(position))
        self.playable = True
        """Has it a cursor, and can actions be chosen?"""
        self._analysis: Analysis | None = None
        self._values_shown = False
        self._room = Size(60, 16)
        self._strips: list[Strip] = []
        self.picture = BoardPicture(position, self.marks, self._room)

    # What is shown --------------------------------------------------------------------------------------

    def show(self, position: Position, before: Position | None = None, action: int | None = None) -> None:
        """Draw a position; with the one before and the action between them, also what that did."""
        touch = None if action is None else position.game.drawing.touch(action)
        changed: frozenset[int] = frozenset()
        if before is not None and touch is not None and touch.kind != "swap":
            changed = changed_cells(before, touch, position)
        cursor = self.marks.cursor if position.game == self.position.game else _first_target(position)
        self.position = position
        self.marks = BoardMarks(cursor=cursor, last=touch, changed=changed)
        self.redraw()

    def point_out(self, actions: Iterable[int]) -> None:
        """Mark the targets of some actions, such as the best ones."""
        touches = [self.position.game.drawing.touch(action) for action in actions]
        self.marks = self.marks._replace(best=frozenset(target for touch in touches for target in touch.at))
        self.redraw()

    def show_values(self, analysis: Analysis | None, wanted: bool) -> None:
        """Write values below the numbers, where they are wanted and known."""
        self._analysis, self._values_shown = analysis, wanted
        self.redraw()

    def fit(self, room: Size) -> None:
        """Draw with the largest cells that fit."""
        self._room = room
        self.redraw()
        self.call_after_refresh(self._follow)

    def redraw(self) -> None:
        """Draw again what is different."""
        if not self.is_attached:
            return
        values = None
        if self._values_shown:
            known = self._analysis if self._analysis is not None and self._analysis.position == self.position else None
            values = target_values(known, self.marks.picked) if known else {}
        marks = self.marks._replace(values=values, cursor=self.marks.cursor if self.playable else None)
        self.picture = BoardPicture(self.position, marks, (self._room.width, self._room.height))
        before, self._strips = self._strips, [self._strip(row) for row in self.picture.rows]
        size = Size(self.picture.width, self.picture.height)
        if size != self.size or len(before) != len(self._strips):
            self.styles.width, self.styles.height = size
            self.refresh(layout=True)
            return
        for y, (old, new) in enumerate(zip(before, self._strips, strict=True)):
            if old != new:
                self.refresh(Region(0, y, size.width, 1))

    def _strip(self, row: list[Piece]) -> Strip:
        return Strip([Segment(text, self._style(names)) for text, names in row])

    def _style(self, names: tuple[str, ...]) -> Style:
        style = self.rich_style
        for name in names:
            style += self.get_component_rich_style(f"board--{name}", partial=True)
        return style

    def render_line(self, y: int) -> Strip:
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    def on_mount(self) -> None:
        self.redraw()
        self.watch(self.app, "theme", self._restyle, init=False)

    def _restyle(self) -> None:
        self.call_after_refresh(self.redraw)

    # The cursor -----------------------------------------------------------------------------------------

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor by a cell; in games of lines from name to name, round the corner between rows and columns."""
        size, cursor = self.position.game.size, self.marks.cursor or 0
        if not self.position.lines():
            row, column = divmod(cursor, size)
            self.put_cursor((row + down) % size * size + (column + right) % size)
        elif cursor < size:
            aside = cursor + down >= size or right != 0
            self.put_cursor(2 * size - 1 if aside else max(0, cursor + down))
        else:
            aside = cursor + right >= 2 * size or down != 0
            self.put_cursor(size - 1 if aside else max(size, cursor + right))

    def put_cursor(self, target: int) -> None:
        """Put the cursor on a target and keep it in sight."""
        self.marks = self.marks._replace(cursor=target)
        self.redraw()
        self._follow()

    def _follow(self) -> None:
        frame = self.parent
        if self.marks.cursor is not None and isinstance(frame, ScrollableContainer) and self.is_attached:
            x, y, width, height = self.picture.region_of(self.marks.cursor)
            origin = self.virtual_region.offset
            frame.scroll_to_region(Region(origin.x + x, origin.y + y, width, height), animate=False)

    # Choosing -------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.playable or action != "choose"

    def action_choose(self) -> None:
        """Choose what is under the cursor."""
        if self.playable and self.marks.cursor is not None:
            self.choose(self.marks.cursor)

    def choose(self, target: int) -> None:
        """Choose a target: one cell or line is an action, of two cells the first is kept until the second comes."""
        drawing, game, picked = self.position.game.drawing, self.position.game, self.marks.picked
        kind: TouchKind = "line" if self.position.lines() else "cell"
        pairs = {touch.at for action in self.position.actions() if (touch := drawing.touch(action)).kind == "pair"}
        if pairs and (target == picked or (picked is None and any(first == target for first, _ in pairs))):
            self.marks = self.marks._replace(picked=None if target == picked else target)
            self.redraw()
            self.post_message(self.Picked())
            return
        wanted = Touch(kind, (target,)) if picked is None else Touch("pair", (picked, target))
        action = next((i for i in range(game.action_count) if drawing.touch(i) == wanted), None)
        if action is not None:
            self.post_message(self.Chosen(action))

    def unpick(self) -> bool:
        """Let go of the first of two cells; says whether there was one."""
        picked = self.marks.picked is not None
        self.marks = self.marks._replace(picked=None)
        self.redraw()
        return picked

    def on_click(self, event: events.Click) -> None:
        """A click on a cell, or on the name of a line, chooses it. In games of lines, a click on a number puts the
        cursor on its row, and on its column if it was on the row."""
        target = self.picture.target_at(event.x, event.y)
        if target is None or not self.playable:
            return
        size = self.position.game.size
        if self.position.lines() and not self.picture.is_head(event.x, event.y):
            row, column = divmod(target, size)
            self.put_cursor(size + column if self.marks.cursor == row else row)
        else:
            self.put_cursor(target)
            self.choose(target)


def _first_target(position: Position) -> int:
    size = position.game.size
    return 0 if position.lines() else (size - 1) // 2 * (size + 1)


class BoardFrame(ScrollableContainer, can_focus=False):
    """The room of a board: it is in the middle, or scrolls where it does not fit."""

    DEFAULT_CSS = """
    BoardFrame { width: 1fr; height: 1fr; align: center middle; scrollbar-size: 1 1; }
    """

    def __init__(self, board: BoardWidget) -> None:
        super().__init__(id="frame")
        self.board = board

    def compose(self) -> ComposeResult:
        yield self.board

    def on_resize(self, event: events.Resize) -> None:
        self.board.fit(self.outer_size)
