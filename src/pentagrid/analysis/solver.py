"""Exact values of any position of any game: who wins under best play, by how much, and by which moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf
from time import monotonic
from typing import NamedTuple

from pentagrid.core.catalog import part
from pentagrid.core.deal_solver import DealSolver, Value
from pentagrid.core.game import SWAP_PLY, Game
from pentagrid.core.position import Position
from pentagrid.errors import OptionError, UnreadableError, shown

SECONDS = 5.0
"""How long a position that no table holds is searched, unless told otherwise."""

SHORT_SEARCH = 8
"""Looks at the clock (every 256 positions) in a search that must be the same everywhere and soon over."""

Bounds = tuple[int, int]
Margins = tuple[float, float]


class Option(NamedTuple):
    """One legal move and what it leads to."""

    move: str
    action: int
    winner: int | None
    margin: float | None
    plies: int | None
    best: bool
    regret: float | None
    """What it gives away: points of margin, or in a game without points 1 if it gives the game away."""
    bounds: Margins | None
    """Where it is not exact: between which margins it must lie, in games won on points."""


class Analysis(NamedTuple):
    """A position under best play by both."""

    position: Position
    value: Value
    options: tuple[Option, ...]
    line: tuple[str, ...]
    """One best line, to the end of the game where that is known."""
    exact: bool
    bounds: Margins | None
    """Where the value is not exact: between which margins it must lie, in games won on points."""

    @property
    def best(self) -> tuple[Option, ...]:
        """The best moves."""
        return tuple(option for option in self.options if option.best)


def _looks(count: int) -> Callable[[], bool]:
    """A reason to stop that comes after a fixed amount of work, whatever the machine."""
    left = iter(range(count))
    return lambda: next(left, None) is None


class Stopped(Exception):  # noqa: N818 - not an error: the search's time is up
    """A search has no more time."""


class Solver:
    """Knows one deal. Keep it to look up thousands of its positions."""

    def __init__(self, position: Position) -> None:
        if not isinstance(position, Position):
            raise UnreadableError(f"{shown(str(position))} is not a position; read one with pentagrid.read.")
        self.game: Game = position.game
        self.numbers = position.numbers
        self._deal: DealSolver = part(self.game.name, "solver").SOLVER(self.game, self.numbers)

    @property
    def proof(self) -> str | None:
        """Why the opening has its value, where that can be said in a sentence."""
        return self._deal.proof

    def value(self, position: Position) -> Value:
        """The value of a position where a table or a proof tells it at once; what is not known is None."""
        self.prepare(position)
        return self._deal.value(position, *self.bounds(position))

    def bounds(self, position: Position) -> Bounds:
        """Proven bounds of a position's worth, the pie rule counted."""
        game = position.game
        if position.swapped:
            return self._deal.exchanged(*self._deal.bounds(game.exchange_sides(position)))
        if not game.pie or position.ply > SWAP_PLY or not game.legal_on_board(position):
            return self._deal.bounds(position)
        if position.ply == SWAP_PLY:  # Player 2 stays or takes the other side
            stay = self._deal.bounds(position)
            swap = self._deal.exchanged(*stay)
            return min(stay[0], swap[0]), min(stay[1], swap[1])
        after = [self.bounds(game.after(position, action)) for action in position.actions()]
        return max(low for low, _ in after), max(high for _, high in after)

    def prepare(self, position: Position) -> None:
        """Check that a position is of this deal, and get ready for it. Raises `OptionError`."""
        if position.numbers != self.numbers or position.game != self.game:
            raise OptionError("The position is not of this solver's deal; make a solver for its own.")
        self._deal.prepare(position.game.exchange_sides(position) if position.swapped else position)

    def verdict(self, position: Position, after: Position) -> tuple[Value, Value, float | None]:
        """A position's value, that of the position a move led to, and what the move gave away (None: not known)."""
        self.prepare(position)
        before, now = self.bounds(position), self.bounds(after)
        known = before[0] == before[1] and now[0] == now[1]
        regret = self._deal.regret(before[0], now[0]) if known else None
        return self._deal.value(position, *before), self._deal.value(after, *now), regret

    @property
    def scale(self) -> float:
        """What a thoughtless move typically gives away in this game."""
        return self._deal.scale

    def regret(self, best: int, worth: int) -> float:
        """What a move of this worth gives away where another is worth `best`."""
        return self._deal.regret(best, worth)

    def regrets(self, position: Position) -> dict[int, float]:
        """What each legal action gives away; where values are not exact, by what a short search proves of them."""
        sure = self._sure(position)
        best = (max if position.mover == 1 else min)(sure.values())
        return {action: self._deal.regret(best, worth) for action, worth in sure.items()}

    def best(self, position: Position) -> list[int]:
        """The best actions; where values are not exact, those of which a short search proves most."""
        sure = self._sure(position)
        best = (max if position.mover == 1 else min)(sure.values())
        return [action for action, worth in sure.items() if worth == best]

    def _sure(self, position: Position) -> dict[int, int]:
        """What each action is worth at least to the mover; by a search of fixed length, so the same everywhere."""
        _, found = self.search(position, inf, stop=_looks(SHORT_SEARCH))
        side = 0 if position.mover == 1 else 1
        return {action: bounds[side] for action, bounds in found.items()}

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
            raise OptionError(f"A search cannot last {seconds} seconds; it lasts more than 0.")
        if position.outcome() is not None:
            return Analysis(position, self.value(position), (), (), True, None)
        (low, high), found = self.search(position, seconds, stop, progress, every_move)
        chosen = self._chosen(position, found)
        known_value = low == high
        exact = known_value and all(bounds[0] == bounds[1] for bounds in found.values())
        options = []
        for action, bounds in found.items():
            after = position.play(action)
            value = self._deal.value(after, *bounds)
            known = bounds[0] == bounds[1]
            options.append(
                Option(
                    position.game.texts[action],
                    action,
                    value.winner,
                    value.margin,
                    None if value.plies is None else value.plies + 1,
                    bounds[0] == bounds[1] == low == high if known_value else action == chosen,
                    self._deal.regret(low, bounds[0]) if known_value and known else None,
                    None if known else self._deal.shown_bounds(*bounds),
                )
            )
        margins = None if exact else self._deal.shown_bounds(low, high)
        value = self._deal.value(position, low, high)
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
        found = {action: self.bounds(child) for action, child in after.items()}
        began = monotonic()

        def enough() -> bool:
            spent = monotonic() - began
            progress(min(1.0, spent / seconds))
            return stop() or spent > seconds

        searcher: Searcher | None = None
        depth = 0
        try:
            while wide := self._worth_searching(position.mover, found, every_move):
                searcher = searcher or Searcher(self.bounds, enough)
                depth += 1
                for action in wide:
                    found[action] = searcher.tighten(after[action], depth, *found[action])
        except Stopped:
            pass  # what has been proven so far stands
        choose = max if position.mover == 1 else min
        low, high = self.bounds(position)
        low = max(low, choose(bounds[0] for bounds in found.values()))
        high = min(high, choose(bounds[1] for bounds in found.values()))
        return (low, high), found

    @staticmethod
    def _worth_searching(mover: int, found: dict[int, Bounds], every_move: bool) -> list[int]:
        """The moves whose worth is not known: first only those that may still be best, then perhaps the others."""
        wide = [action for action, (low, high) in found.items() if low != high]
        if mover == 1:
            sure = max(low for low, _ in found.values())
            hopeful = [action for action in wide if found[action][1] > sure]
        else:
            sure = min(high for _, high in found.values())
            hopeful = [action for action in wide if found[action][0] < sure]
        return sorted(hopeful or (wide if every_move else []), key=lambda action: found[action], reverse=mover == 1)

    @staticmethod
    def _chosen(position: Position, found: dict[int, Bounds]) -> int:
        """The move that proves most; of several where nothing is sure, the most natural."""
        most = max(found.values()) if position.mover == 1 else min(found.values(), key=lambda bounds: bounds[::-1])
        best = [action for action, bounds in found.items() if bounds == most]
        if most[0] == most[1]:
            return best[0]
        return max(best, key=lambda action: position.game.natural(position, action))

    def _line(self, position: Position, action: int) -> tuple[str, ...]:
        """Best moves from here on, as far as they are known at once."""
        line = [position.game.texts[action]]
        position = position.play(action)
        while position.turn:
            _, found = self.search(position, inf, stop=_looks(SHORT_SEARCH))
            chosen = self._chosen(position, found)
            if found[chosen][0] != found[chosen][1]:
                break
            line.append(position.game.texts[chosen])
            position = position.play(chosen)
        return tuple(line)


class Searcher:
    """Alpha–beta to a depth, once with every leaf at its lower bound and once at its upper: both results are proven."""

    def __init__(self, bounds: Callable[[Position], Bounds], stopped: Callable[[], bool]) -> None:
        self._bounds_of = lru_cache(maxsize=1 << 18)(bounds)
        self._stopped = stopped
        self._nodes = 0
        self._known: dict[tuple[Position, int, int], Bounds] = {}

    def tighten(self, position: Position, depth: int, low: int, high: int) -> Bounds:
        """Bounds within those already known. Raises `Stopped`."""
        low = self._search(position, depth, low - 1, high + 1, 0)
        if low < high:
            high = self._search(position, depth, low - 1, high + 1, 1)
        return low, high

    def _search(self, position: Position, depth: int, alpha: int, beta: int, side: int) -> int:
        leaf = self._bounds_of(position)
        if depth == 0 or leaf[0] == leaf[1]:
            return leaf[side]
        self._nodes += 1
        if self._nodes & 255 == 0 and self._stopped():
            raise Stopped
        key = position, depth, side
        least, most = self._known.get(key, leaf)
        if least >= beta or least == most:
            return least
        if most <= alpha:
            return most
        first = position.mover == 1
        game = position.game
        children = [game.after(position, action) for action in position.actions()]
        children.sort(key=self._bounds_of, reverse=first)
        floor, ceiling = alpha, beta
        best = None
        for child in children:
            worth = self._search(child, depth - 1, floor, ceiling, side)
            if best is None or (worth > best if first else worth < best):
                best = worth
            if first:
                floor = max(floor, best)
            else:
                ceiling = min(ceiling, best)
            if floor >= ceiling:
                break
        assert best is not None
        if best <= alpha:
            most = min(most, best)
        elif best >= beta:
            least = max(least, best)
        else:
            least = most = best
        self._known[key] = least, most
        return best


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
        raise UnreadableError(f"{shown(str(position))} is not a position; read one with pentagrid.read.")
    return solver_of(position).analyze(position, seconds, stop, progress)
