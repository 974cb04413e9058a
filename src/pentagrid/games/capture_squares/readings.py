"""How the rules of Capture Squares may be read otherwise. The text calls a tie impossible, which it is not."""

from __future__ import annotations

from pentagrid.core.position import Position, bits
from pentagrid.core.readings import Reading, scoring_readings


class _OtherCaptures:
    """Claims with other captures, and scores counted from what each player then owns."""

    size: int
    neighbors: tuple[tuple[int, ...], ...]

    def captured(self, position: Position, action: int, theirs: int) -> int:
        """The opponent's cells that claiming a cell captures, as a mask."""
        raise NotImplementedError

    def after_on_board(self, position: Position, action: int) -> Position:
        one, two = position.one, position.two
        flips = self.captured(position, action, two if position.mover == 1 else one)
        if position.mover == 1:
            one, two = one | flips | 1 << action, two & ~flips
        else:
            one, two = one & ~flips, two | flips | 1 << action
        scores = position.game.count_scores(position.numbers, one, two)
        return position.advance(one, two, scores)

    def lower(self, position: Position, action: int, theirs: int) -> int:
        """The captures of the rules: the opponent's lower neighbors."""
        numbers = position.numbers
        cells = (c for c in self.neighbors[action] if theirs >> c & 1 and numbers[c] < numbers[action])
        return sum(1 << cell for cell in cells)


class _NoCaptures(_OtherCaptures):
    def captured(self, position: Position, action: int, theirs: int) -> int:
        return 0


class _HigherCaptured(_OtherCaptures):
    def captured(self, position: Position, action: int, theirs: int) -> int:
        numbers = position.numbers
        cells = (c for c in self.neighbors[action] if theirs >> c & 1 and numbers[c] > numbers[action])
        return sum(1 << cell for cell in cells)


class _AllCaptured(_OtherCaptures):
    def captured(self, position: Position, action: int, theirs: int) -> int:
        return sum(1 << cell for cell in self.neighbors[action] if theirs >> cell & 1)


class _DiagonalsToo(_OtherCaptures):
    def captured(self, position: Position, action: int, theirs: int) -> int:
        n, numbers = self.size, position.numbers
        row, column = divmod(action, n)
        near = (c for c in range(n * n) if max(abs(c // n - row), abs(c % n - column)) == 1)
        return sum(1 << c for c in near if theirs >> c & 1 and numbers[c] < numbers[action])


class _Chains(_OtherCaptures):
    def captured(self, position: Position, action: int, theirs: int) -> int:
        taken, new = 0, {action}
        while new:
            cell = new.pop()
            for near in bits(self.lower(position, cell, theirs & ~taken)):
                taken |= 1 << near
                new.add(near)
        return taken


READINGS = (
    *scoring_readings(tie_unclear=True),
    Reading("no-captures", "capture", "nothing is captured", _NoCaptures),
    Reading("higher-captured", "capture", "higher neighbors are captured, not lower ones", _HigherCaptured),
    Reading("all-captured", "capture", "neighbors are captured whatever their numbers", _AllCaptured),
    Reading("diagonals-too", "capture", "diagonal neighbors are captured too", _DiagonalsToo),
    Reading("chains", "capture", "a captured cell captures in turn", _Chains),
)
