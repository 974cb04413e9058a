"""Exact values of any position of any game: who wins under best play, by how much, and by which moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf
from time import monotonic

from pentagrid.analysis.search import Bounds, Searcher, Stopped
from pentagrid.analysis.values import Analysis, Option
from pentagrid.core.catalog import part
from pentagrid.core.deal_solver import DealSolver, Value
from pentagrid.core.game import Game
from pentagrid.core.options import SWAP_PLY
from pentagrid.core.position import Position
from pentagrid.errors import OptionError, UnreadableError, shown

SECONDS = 5.0
"""How long a position that no table holds is searched, unless told otherwise."""

SHORT_SEARCH = 8
"""Looks at the clock (every 256 positions) in a search that must be the same everywhere and soon over."""


def _looks(count: int) -> Callable[[], bool]:
    """A reason to stop that comes after a fixed amount of work, whatever the machine."""
    left = iter(range(count))
    return lambda: next(left, None) is None


class Solver:
    """Knows one deal. Keep it to look up thousands of its positions."""

    def __init__(self, position: Position) -> None:
        if not isinstance(position, Position):
            raise UnreadableError(f"{shown(str(position))} is not a position; read one with pentagrid.read_position.")
        self.game: Game = position.game
        self.numbers = position.numbers
        self.deal_solver: DealSolver = part(self.game.name, "solver").SOLVER(self.game, self.numbers)
        """The game's own solver of this deal."""

    @property
    def proof(self) -> str | None:
        """Why the opening has its value, where that can be said in a sentence."""
        return self.deal_solver.proof

    def value(self, position: Position) -> Value:
        """The value of a position where a table or a proof tells it at once; what is not known is None."""
        self.prepare(position)
        return self.deal_solver.value(position, *self.bounds(position))

    def bounds(self, position: Position) -> Bounds:
        """Proven bounds of a position's worth, the pie rule counted."""
        game = position.game
        if position.swapped:
            return self.deal_solver.exchanged(*self.deal_solver.bounds(position.exchange_sides()))
        if not game.pie or position.ply > SWAP_PLY or not game.legal_on_board(position):
            return self.deal_solver.bounds(position)
        if position.ply == SWAP_PLY:  # Player 2 stays or takes the other side
            stay = self.deal_solver.bounds(position)
            swap = self.deal_solver.exchanged(*stay)
            return min(stay[0], swap[0]), min(stay[1], swap[1])
        after = [self.bounds(game.after(position, action)) for action in position.actions()]
        return max(low for low, _ in after), max(high for _, high in after)

    def prepare(self, position: Position) -> None:
        """Check that a position is of this deal, and get ready for it. Raises `OptionError`."""
        if position.numbers != self.numbers or position.game != self.game:
            raise OptionError("The position is not of this solver's deal; make a solver for its own.")
        self.deal_solver.prepare(position.exchange_sides() if position.swapped else position)

    def verdict(self, position: Position, after: Position) -> tuple[Value, Value, float | None]:
        """A position's value, that of the position a move led to, and what the move gave away (None: not known)."""
        self.prepare(position)
        before, now = self.bounds(position), self.bounds(after)
        known = before[0] == before[1] and now[0] == now[1]
        regret = self.deal_solver.regret(before[0], now[0]) if known else None
        return self.deal_solver.value(position, *before), self.deal_solver.value(after, *now), regret

    @property
    def scale(self) -> float:
        """What a thoughtless move typically gives away in this game."""
        return self.deal_solver.scale

    def regret(self, best: int, worth: int) -> float:
        """What a move of this worth gives away where another is worth `best`."""
        return self.deal_solver.regret(best, worth)

    def regrets(self, position: Position) -> dict[int, float]:
        """What each legal action gives away; where values are not exact, by what a short search proves of them."""
        sure = self._sure(position)
        best = (max if position.mover == 1 else min)(sure.values())
        return {action: self.deal_solver.regret(best, worth) for action, worth in sure.items()}

    def best(self, position: Position) -> list[int]:
        """The best actions; where values are not exact, those of which a short search proves most."""
        sure = self._sure(position)
        best = (max if position.mover == 1 else min)(sure.values())
        return [action for action, worth in sure.items() if worth == best]

    def _sure(self, position: Position) -> dict[int, int]:
        """What each action is worth at least to the mover; by a search of fixed length, so the same everywhere."""
        _, move_bounds = self.search(position, inf, stop=_looks(SHORT_SEARCH))
        side = 0 if position.mover == 1 else 1
        return {action: bounds[side] for action, bounds in move_bounds.items()}

    def analyze(
        self,
        position: Position,
        seconds: float = SECONDS,
        stop: Callable[[], bool] = lambda: False,
        progress: Callable[[float], None] = lambda share: None,
        every_move: bool = True,
    ) -> Analysis:
        """Every legal move with its value; see `analyze`. Without `every_move` a search ends once the best is sure."""
        self.prepare(position)
        if not seconds > 0:
            raise OptionError(f"The seconds of a search must be more than 0, not {seconds}.")
        if position.outcome() is not None:
            return Analysis(position, self.value(position), (), (), True, None)
        (low, high), move_bounds = self.search(position, seconds, stop, progress, every_move)
        chosen = self._chosen(position, move_bounds)
        known_value = low == high
        exact = known_value and all(bounds[0] == bounds[1] for bounds in move_bounds.values())
        options = []
        for action, bounds in move_bounds.items():
            after = position.play(action)
            value = self.deal_solver.value(after, *bounds)
            settled = bounds[0] == bounds[1]
            options.append(
                Option(
                    position.game.texts[action],
                    action,
                    value.winner,
                    value.margin,
                    None if value.plies is None else value.plies + 1,
                    bounds[0] == bounds[1] == low == high if known_value else action == chosen,
                    self.deal_solver.regret(low, bounds[0]) if known_value and settled else None,
                    None if settled else self.deal_solver.shown_bounds(*bounds),
                )
            )
        margins = None if exact else self.deal_solver.shown_bounds(low, high)
        value = self.deal_solver.value(position, low, high)
        return Analysis(position, value, tuple(options), self._line(position, chosen), exact, margins)

    # Searching ------------------------------------------------------------------------------------------

    def search(
        self,
        position: Position,
        seconds: float = SECONDS,
        stop: Callable[[], bool] = lambda: False,
        progress: Callable[[float], None] = lambda share: None,
        every_move: bool = False,
    ) -> tuple[Bounds, dict[int, Bounds]]:
        """Proven bounds of a position and of each of its moves, made tighter until they meet or time is up."""
        self.prepare(position)
        after = {action: position.game.after(position, action) for action in position.actions()}
        move_bounds = {action: self.bounds(child) for action, child in after.items()}
        began = monotonic()

        def enough() -> bool:
            spent = monotonic() - began
            progress(min(1.0, spent / seconds))
            return stop() or spent > seconds

        searcher: Searcher | None = None
        depth = 0
        try:
            while wide := self._unsettled(position.mover, move_bounds, every_move):
                searcher = searcher or Searcher(self.bounds, enough)
                depth += 1
                for action in wide:
                    move_bounds[action] = searcher.tighten(after[action], depth, *move_bounds[action])
        except Stopped:
            pass  # what has been proven so far stands
        choose = max if position.mover == 1 else min
        low, high = self.bounds(position)
        low = max(low, choose(bounds[0] for bounds in move_bounds.values()))
        high = min(high, choose(bounds[1] for bounds in move_bounds.values()))
        return (low, high), move_bounds

    @staticmethod
    def _unsettled(mover: int, move_bounds: dict[int, Bounds], every_move: bool) -> list[int]:
        """The moves whose worth is not known: first only those that may still be best, then perhaps the others."""
        wide = [action for action, (low, high) in move_bounds.items() if low != high]
        if mover == 1:
            sure = max(low for low, _ in move_bounds.values())
            hopeful = [action for action in wide if move_bounds[action][1] > sure]
        else:
            sure = min(high for _, high in move_bounds.values())
            hopeful = [action for action in wide if move_bounds[action][0] < sure]
        return sorted(
            hopeful or (wide if every_move else []), key=lambda action: move_bounds[action], reverse=mover == 1
        )

    @staticmethod
    def _chosen(position: Position, move_bounds: dict[int, Bounds]) -> int:
        """The move that proves most; of several where nothing is sure, the most natural."""
        most = (
            max(move_bounds.values())
            if position.mover == 1
            else min(move_bounds.values(), key=lambda bounds: bounds[::-1])
        )
        best = [action for action, bounds in move_bounds.items() if bounds == most]
        if most[0] == most[1]:
            return best[0]
        return max(best, key=lambda action: position.game.heuristics.natural(position, action))

    def _line(self, position: Position, action: int) -> tuple[str, ...]:
        """Best moves from here on, as far as they are known at once."""
        line = [position.game.texts[action]]
        position = position.play(action)
        while position.turn:
            _, move_bounds = self.search(position, inf, stop=_looks(SHORT_SEARCH))
            chosen = self._chosen(position, move_bounds)
            if move_bounds[chosen][0] != move_bounds[chosen][1]:
                break
            line.append(position.game.texts[chosen])
            position = position.play(chosen)
        return tuple(line)


@lru_cache(maxsize=4)
def _solver(game: Game, numbers: tuple[int, ...]) -> Solver:
    return Solver(game.opening(numbers))


def solver_of(position: Position) -> Solver:
    """The solver of a position's deal; the last few deals are kept."""
    return _solver(position.game, position.numbers)


def analyze(
    position: Position,
    seconds: float = SECONDS,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda share: None,
) -> Analysis:
    """Who wins a position under best play, by how much, and what every legal move leads to.

    Exact wherever a table or a proof reaches: every position at the default sizes and most beyond. Elsewhere the
    position is searched for so many seconds (or until `stop` says so), and the answer has `exact` False, the proven
    bounds, and the move that proves most as `best`.
    """
    if not isinstance(position, Position):
        raise UnreadableError(f"{shown(str(position))} is not a position; read one with pentagrid.read_position.")
    return solver_of(position).analyze(position, seconds, stop, progress)
