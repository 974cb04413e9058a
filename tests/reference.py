"""The five games written a second time, as plainly as can be: nested lists, no bit masks, nothing shared.

Slow and obvious on purpose: the real rules are compared with these.
"""

from __future__ import annotations

from copy import deepcopy


class Plain:
    """A game on a list of rows; `owner[r][c]` is 0, 1 or 2. Moves are tuples."""

    def __init__(self, board, size, **rules):
        self.board, self.n, self.rules = board, size, rules
        self.owner = [[0] * size for _ in range(size)]
        self.scores = [0, 0]
        self.turns = 0

    @property
    def mover(self):
        return 1 if self.turns % 2 == 0 else 2

    def cells(self):
        return [(r, c) for r in range(self.n) for c in range(self.n)]

    def free(self):
        return [(r, c) for r, c in self.cells() if self.owner[r][c] == 0]

    def after(self, move):
        other = deepcopy(self)
        other.make(move)  # type: ignore[attr-defined]
        other.turns += 1
        return other

    def by_score(self, tie):
        if self.scores[0] == self.scores[1]:
            return tie, "tie-break"
        return (1, "score") if self.scores[0] > self.scores[1] else (2, "score")


class MatrixCapture(Plain):
    def legal(self):
        taken = [(r, c) for r, c in self.cells() if self.owner[r][c]]
        return [(r, c) for r, c in self.cells() if all(r != a and c != b for a, b in taken)]

    def make(self, move):
        r, c = move
        self.owner[r][c] = self.mover
        self.scores[self.mover - 1] += self.board[r][c]

    def result(self):
        return None if self.legal() else self.by_score(2)


class NumberGridBattle(Plain):
    legal = Plain.free
    make = MatrixCapture.make

    def result(self):
        last = 1 if (self.turns - 1) % 2 == 0 else 2
        return None if self.free() else self.by_score(3 - last)


class CaptureSquares(Plain):
    legal = Plain.free

    def make(self, move):
        r, c = move
        self.owner[r][c] = self.mover
        for a, b in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if (a, b) in self.cells() and self.owner[a][b] == 3 - self.mover and self.board[a][b] < self.board[r][c]:
                self.owner[a][b] = self.mover
        self.scores = [sum(self.board[a][b] for a, b in self.cells() if self.owner[a][b] == who) for who in (1, 2)]

    def result(self):
        return None if self.free() else self.by_score(2)


class NumberCross(Plain):
    def __init__(self, board, size, **rules):
        super().__init__(board, size, **rules)
        self.lines = {}

    def legal(self):
        every = [("row", i) for i in range(self.n)] + [("column", i) for i in range(self.n)]
        return [line for line in every if line not in self.lines]

    def make(self, move):
        kind, i = move
        self.lines[move] = self.mover
        self.scores[self.mover - 1] += sum(self.board[i] if kind == "row" else [row[i] for row in self.board])

    def result(self):
        return None if self.legal() else self.by_score(2)


class CaptureSquare(Plain):
    def __init__(self, board, size, **rules):
        super().__init__(board, size, **rules)
        self.scores = None

    def has_square(self, who):
        return any(
            all(self.owner[r + a][c + b] == who for a in (0, 1) for b in (0, 1))
            for r in range(self.n - 1)
            for c in range(self.n - 1)
        )

    def legal(self):
        if self.result():
            return []
        if self.free():
            return self.free()
        theirs = [(r, c) for r, c in self.cells() if self.owner[r][c] != self.mover]
        if self.rules["sudden_death"] == "flip":
            return theirs
        mine = [(r, c) for r, c in self.cells() if self.owner[r][c] == self.mover]
        return [(own, their) for own in mine for their in theirs]

    def make(self, move):
        if isinstance(move[0], tuple):
            (a, b), (r, c) = move
            self.owner[a][b] = 3 - self.mover
        else:
            r, c = move
        self.owner[r][c] = self.mover

    def result(self):
        if self.turns == 0:
            return None
        last = 1 if (self.turns - 1) % 2 == 0 else 2
        for who in (last, 3 - last):
            if self.has_square(who):
                return who, "square"
        return (2, "limit") if self.turns >= 2 * self.n * self.n else None


GAMES = {
    "matrix-capture": MatrixCapture,
    "capture-squares": CaptureSquares,
    "number-grid-battle": NumberGridBattle,
    "number-cross": NumberCross,
    "capture-square": CaptureSquare,
}


def plain(position):
    """The plain twin of an opening position."""
    game = position.game
    rules = {name.replace("-", "_"): value for name, value in game.rules.items()}
    board = [list(row) for row in position.board] if position.board else None
    return GAMES[game.name](board, game.size, **rules)


def number(game, move):
    """The action of a plain move, worked out here by the documented numbering."""
    n = game.size
    if isinstance(move[0], tuple):
        (a, b), (r, c) = move
        return n * n + (a * n + b) * n * n + r * n + c
    kind, i = move
    if kind in ("row", "column"):
        return i if kind == "row" else n + i
    return kind * n + i
