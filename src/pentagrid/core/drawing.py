"""How any front end draws a position and lets its moves be chosen: cells, lines, and what each action touches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from pentagrid.core.game import Game
    from pentagrid.core.position import Position


class Cell(NamedTuple):
    """One cell: what it shows, who owns it (0: nobody), whether it can be chosen now."""

    label: str
    owner: int
    available: bool


class Line(NamedTuple):
    """A whole row or column that can be owned, with the numbers of its cells."""

    label: str
    owner: int
    available: bool
    cells: tuple[int, ...]


TouchKind = Literal["cell", "line", "pair", "swap"]


class Touch(NamedTuple):
    """What an action touches: a `cell`, a `line` or a `pair` of cells, by number; or nothing (`swap`)."""

    kind: TouchKind
    at: tuple[int, ...]


class Drawing:
    """The drawing of one game whose actions choose cells. Games of lines or pairs override parts of it."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def cells(self, position: Position) -> tuple[tuple[Cell, ...], ...]:
        """The board as rows of cells."""
        game, legal = self.game, self.game.legal_on_board(position)
        cells = tuple(
            Cell(str(position.numbers[i]) if position.numbers else "", position.owner(i), bool(legal >> i & 1))
            for i in range(game.cell_count)
        )
        return tuple(cells[i : i + game.size] for i in range(0, game.cell_count, game.size))

    def lines(self, position: Position) -> tuple[Line, ...]:
        """The lines that can be owned, rows before columns; none in games of cells."""
        return ()

    def winning_cells(self, position: Position) -> tuple[int, ...]:
        """The cells that have decided the game, by number; none while it goes on and in games won on points."""
        return ()

    def touch(self, action: int) -> Touch:
        """What an action touches, for a front end to highlight and click."""
        return Touch("swap", ()) if action == self.game.swap_action else self.touch_on_board(action)

    def touch_on_board(self, action: int) -> Touch:
        """The same for a move on the board."""
        return Touch("cell", (action,))
