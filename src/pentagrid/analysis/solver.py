"""Exact values of any position of any game: who wins under best play, by how much, and by which moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import inf
from time import monotonic

from pentagrid.analysis.search import Bounds, Searcher, Stopped
from pentagrid.analysis.values import Analysis, Option
from pentagrid.core.catalog import part
from pentagrid.core.deal_solver import DealSolver, Loss, Value
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

    def prove(self, position: Position) -> Value:
        """The value of a position, by a little more work where it is not known at once."""
        self.prepare(position)
        bounds = self.bounds(position)
        for work in self.deal_solver.efforts[:1]:
            bounds = self._narrow(position, bounds, work, lambda: False)
        return self.deal_solver.value(position, *bounds)

    def bounds(self, position: Position) -> Bounds:
        """Proven bounds of a position's worth, the pie rule counted."""
        return self._with_swaps(position, self.deal_solver.bounds)

    def _narrow(self, position: Position, known: Bounds, work: int, stop: Callable[[], bool]) -> Bounds:
        """Bounds within those that are known, by so much more work."""
        if known[0] == known[1]:
            return known
        low, high = self._with_swaps(position, lambda plain: self.deal_solver.tighten(plain, work, stop))
        return max(low, known[0]), min(high, known[1])

    def _with_swaps(self, position: Position, bounds: Callable[[Position], Bounds]) -> Bounds:
        """Bounds of a position by those of positions without the pie rule."""
        game = position.game
        if position.swapped:
            return self.deal_solver.exchanged(*bounds(position.exchange_sides()))
        if not game.pie or position.ply > SWAP_PLY or not game.legal_on_board(position):
            return bounds(position)
        if position.ply == SWAP_PLY:  # Player 2 stays or takes the other side
            stay = bounds(position)
            swap = self.deal_solver.exchanged(*stay)
            return min(stay[0], swap[0]), min(stay[1], swap[1])
        after = [self._with_swaps(game.after(position, action), bounds) for action in position.actions()]
        return max(low for low, _ in after), max(high for _, high in after)

    def prepare(self, position: Position) -> None:
        """Check that a position is of this deal, and get ready for it. Raises `OptionError`."""
        if position.numbers != self.numbers or position.game != self.game:
            raise OptionError("The position is not of this solver's deal; make a solver for its own.")
        self.deal_solver.prepare(position.exchange_sides() if position.swapped else position)

    def verdict(self, position: Position, after: Position) -> tuple[Value, Value, Loss]:
        """A position's value, that of the position a move led to, and what the move gave away."""
        self.prepare(position)
        before, now = self.bounds(position), self.bounds(after)
        return self.deal_solver.value(position, *before), self.deal_solver.value(after, *now), self._loss(before, now)

    def _loss(self, best: Bounds, now: Bounds) -> Loss:
        """What a move gives away that leads to these bounds; who wins is often known before the margin."""
        if best[0] == best[1] and now[0] == now[1]:
            return self.deal_solver.loss(best[0], now[0])
        decided = all((low > 0) == (high > 0) for low, high in (best, now))
        return Loss(None, self.deal_solver.loss(best[0], now[0]).win_regret if decided else None)

    @property
    def scale(self) -> float:
        """What a thoughtless move typically gives away in this game."""
        return self.deal_solver.scale

    def loss(self, best: int, worth: int) -> Loss:
        """What a move of this worth gives away where another is worth `best`."""
        return self.deal_solver.loss(best, worth)

    def losses(self, position: Position) -> dict[int, Loss]:
        """What each legal action gives away; where values are not exact, by what a short search proves of them."""
        sure = self._sure(position)
        best = (max if position.mover == 1 else min)(sure.values())
        return {action: self.deal_solver.loss(best, worth) for action, worth in sure.items()}

    def best(self, position: Position) -> list[int]:
        """The best actions; where values are not exact, those of which a short search proves most."""
        sure = self._sure(position)
        best = (max if position.mover == 1 else min)(sure.values())
        return [action for action, worth in sure.items() if worth == best]

    def _sure(self, position: Position) -> dict[int, int]:
        """What each action is worth at least to the mover; by a search of fixed length, so the same everywhere."""
        self.prepare(position)
        if not position.game.pie and (worths := self.deal_solver.worths_after(position)) is not None:
            return worths
        _, move_bounds = self.search(position, inf, stop=_looks(SHORT_SEARCH), short=True)
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
                    *self._loss((low, high), bounds),
                    None if settled else self.deal_solver.shown_bounds(*bounds),
                )
            )
        margins = None if exact else self.deal_solver.shown_bounds(low, high)
        value = self.deal_solver.value(position, low, high)
        return Analysis(
            position, value, tuple(options), self._line(position, chosen, move_bounds[chosen]), exact, margins
        )

    # Searching ------------------------------------------------------------------------------------------

    def search(
        self,
        position: Position,
        seconds: float = SECONDS,
        stop: Callable[[], bool] = lambda: False,
        progress: Callable[[float], None] = lambda share: None,
        every_move: bool = False,
        short: bool = False,
    ) -> tuple[Bounds, dict[int, Bounds]]:
        """Proven bounds of a position and of each of its moves, made tighter until they meet or time is up.

        A `short` search works harder on a move only as long as none is known to keep what the position is worth.
        """
        self.prepare(position)
        return self._tighten(position, seconds, stop, progress, every_move, short)

    def _tighten(
        self,
        position: Position,
        seconds: float,
        stop: Callable[[], bool] = lambda: False,
        progress: Callable[[float], None] = lambda share: None,
        every_move: bool = False,
        short: bool = False,
    ) -> tuple[Bounds, dict[int, Bounds]]:
        after = {action: position.game.after(position, action) for action in position.actions()}
        move_bounds = {action: self.bounds(child) for action, child in after.items()}
        known, side = self.bounds(position), position.mover - 1
        choose: Callable[[Iterable[int]], int] = max if position.mover == 1 else min
        began = monotonic()

        def enough() -> bool:
            spent = monotonic() - began
            progress(min(1.0, spent / seconds))
            return stop() or spent > seconds

        for work in self.deal_solver.efforts:
            wide = self._unsettled(position.mover, move_bounds, every_move)
            keeping = choose(bounds[side] for bounds in move_bounds.values())
            if not wide or (short and choose((keeping, known[side])) == keeping):
                break
            if not short:
                known = self._narrow(position, known, work, enough)
            for action in wide:
                low, high = move_bounds[action]
                within = (low, min(high, known[1])) if position.mover == 1 else (max(low, known[0]), high)
                never = (lambda: False) if short else enough
                move_bounds[action] = self._narrow(after[action], within, work, never)
        searcher: Searcher | None = None
        depth = 0
        try:
            while self.deal_solver.searchable(position) and (
                wide := self._unsettled(position.mover, move_bounds, every_move)
            ):
                searcher = searcher or Searcher(self.bounds, enough)
                depth += 1
                for action in wide:
                    move_bounds[action] = searcher.tighten(after[action], depth, *move_bounds[action])
        except Stopped:
            pass  # what has been proven so far stands
        low = max(known[0], choose(bounds[0] for bounds in move_bounds.values()))
        high = min(known[1], choose(bounds[1] for bounds in move_bounds.values()))
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

    def line(self, position: Position) -> tuple[str, ...]:
        """One best line from a position that is not over, as far as it is known at once."""
        self.prepare(position)
        _, move_bounds = self._tighten(position, inf, stop=_looks(SHORT_SEARCH), short=True)
        chosen = self._chosen(position, move_bounds)
        return self._line(position, chosen, move_bounds[chosen])

    def _line(self, position: Position, action: int, bounds: Bounds) -> tuple[str, ...]:
        """Best moves from here on, as far as they are known at once: no table is made for them."""
        line = []
        low, high = bounds
        while True:
            line.append(position.game.texts[action])
            position = position.play(action)
            if low != high or not position.turn:
                return tuple(line)
            keeping = self._first_keeping(position, low)
            if keeping is not None:
                action = keeping
                continue
            _, move_bounds = self._tighten(position, inf, stop=_looks(SHORT_SEARCH), short=True)
            action = self._chosen(position, move_bounds)
            low, high = move_bounds[action]
            if low != high:
                return tuple(line)

    def _first_keeping(self, position: Position, worth: int) -> int | None:
        """The first action that is known at once to keep what a position is worth; None if none is."""
        for action in position.actions():
            if self.bounds(position.game.after(position, action)) == (worth, worth):
                return action
        return None


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
