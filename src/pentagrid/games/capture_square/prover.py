"""Proofs in Capture Square where no table reaches: who wins, and when, by search with bit masks.

Call the player who begins Sudden Death the *striker*. Two facts make proofs short (docs/solutions.md has both in full):

- Whoever has three markers of a square around a single opposing one on the full board, a *trap*, wins at once when
  they begin Sudden Death. So the striker wins at the latest with turn N² + 1 once they have a trap and lose no square.
- A player *holds* (the other gets no square while cells are free) if the free cells can be paired so that every square
  still open to the other contains a whole pair: they answer in the pair.

So a proof that the striker wins is a way to a trap that ends in such a pairing, and a proof that this takes until turn
N² + 1 is a pairing of the other player. A *hold* search looks for the first kind of proof. Its depth is the number of
quiet moves: those that force no answer. An *attack* search looks for squares that cannot be stopped within so many
turns, with all moves of both, so that the number of turns is exact.

A hold that works although the attacker passes needs only some of the cells, its *zone*: the markers it still places,
the pairs, and two free cells of every square that is open to the attacker. More attacking markers outside of the zone
change nothing, so only moves in the zone need an answer of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from pentagrid.core.position import bits
from pentagrid.games.capture_square.rules import CaptureSquare

LOOK = 256
"""Nodes between two looks at the clock."""
TRIES = 40
"""Choices that a search for a pairing may take back."""
DEEPEST = 16
"""The most quiet moves of a hold, and half the turns of an attack."""
HOLDING, ATTACKING = (1, 3, 9, 0), (1, 4, 16, 0)
"""How much a move in a square tempts, by the markers that one player alone has in it."""


Opening = tuple[int, int, bool]
"""The markers of striker and other, and whether the striker is to move."""


class Spent(Exception):  # noqa: N818 - not an error: the work allowed has been done
    """A proof has taken all the work it may take."""


class Prover:
    """Proves things about positions of one board; what it finds about one position helps with the next."""

    def __init__(self, game: CaptureSquare, openings: Container[Opening] = ()) -> None:
        self._size, self._cells, self._corners, self._quads = game.size, game.cell_count, game.corners, game.quads
        self._everything = (1 << game.cell_count) - 1
        self._openings = openings
        """Positions that the striker is known to win by turn N² + 1."""
        self.nodes = 0
        self._allowed = 0
        self._stop: Callable[[], bool] = lambda: False
        self.forget()

    def forget(self) -> None:
        """Drop all that was found, so that what is found next does not depend on it."""
        self._pairings: dict[tuple[int, int], int | None] = {}
        self._held: dict[tuple[int, int, bool, bool], tuple[int | None, int]] = {}
        self._replies: dict[tuple[int, int], int] = {}
        self._attacked: dict[tuple[int, int, bool], tuple[int, int]] = {}

    def prove(
        self, striker: int, other: int, striking: bool, far: int, work: int, stop: Callable[[], bool] = lambda: False
    ) -> tuple[int, int]:
        """Bounds that so many nodes prove of a position with free cells and no square, for the striker.

        A win within t turns is worth `far` - t, a loss so much less than 0. `striking`: is the striker to move?
        `stop` is asked now and then, and ends the work.
        """
        self.nodes, self._allowed, self._stop = 0, work, stop
        left = self._cells - (striker | other).bit_count()
        low, high = -(far - (2 if striking else 1)), far - (1 if striking else 2)
        at_last, beyond = far - left - 1, -(far - left - 2)  # the striker's first turn of Sudden Death, the other's
        try:
            for depth in range(DEEPEST):
                for strikes in (True, False):
                    turns = 2 * depth + (1 if strikes == striking else 2)
                    if turns > left or (high <= at_last if strikes else low >= beyond):
                        continue
                    sides = (striker, other) if strikes else (other, striker)
                    if self._attack(*sides, strikes == striking, turns):
                        return (far - turns, far - turns) if strikes else (turns - far, turns - far)
                    if strikes:
                        high = max(at_last, far - turns - 2)
                    else:
                        low = min(beyond, turns + 2 - far)
                if low < at_last and self._holds(striker, other, striking, depth, True):
                    low = at_last
                if low < beyond and self._holds(striker, other, striking, depth, False):
                    low = beyond
                if high > at_last and self._holds(other, striker, not striking, depth, False):
                    high = at_last
                if low >= high or (low == beyond and high == at_last and 2 * depth > left):
                    break
        except Spent:
            pass  # what has been proven so far stands
        return low, high

    def wins(self, striker: int, other: int, striking: bool, work: int) -> bool:
        """Do so many nodes prove that the striker wins by turn N² + 1?"""
        self.nodes, self._allowed, self._stop = 0, work, lambda: False
        try:
            return any(self._holds(striker, other, striking, depth, True) for depth in range(DEEPEST))
        except Spent:
            return False

    def winning_move(self, striker: int, other: int, work: int) -> int | None:
        """The cell with which so many nodes prove that the striker wins by turn N² + 1; None if they prove nothing."""
        return self._replies[striker, other] if self.wins(striker, other, True, work) else None

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self._allowed or (self.nodes % LOOK == 0 and self._stop()):
            raise Spent

    def _fourths(self, marks: int) -> int:
        """The fourth cell of every square of which three are marked, whoever holds it."""
        size, corners = self._size, self._corners
        right, below = marks >> 1, marks >> size
        across = below >> 1
        top, bottom = marks & right & corners, below & across & corners
        return (top & below) << size + 1 | (top & across) << size | (marks & bottom) << 1 | right & bottom

    # Pairings --------------------------------------------------------------------------------------------

    def pairing(self, holder: int, attacker: int) -> int | None:
        """The cells of a pairing of free cells that has a pair in every square open to the attacker; None if none.

        None is no proof: after some tries the search ends.
        """
        key = holder, attacker
        if key not in self._pairings:
            open_squares = [quad & ~attacker for quad in self._quads if not quad & holder]
            self._pairings[key] = self._pair(open_squares, 0, [TRIES])
        return self._pairings[key]

    def _pair(self, squares: list[int], used: int, tries: list[int]) -> int | None:
        """Pairs for squares, given as their free cells, beside the cells that are used already."""
        while squares:
            squares = [free & ~used for free in squares]
            tightest = min(squares, key=int.bit_count)
            count = tightest.bit_count()
            if count < 2:
                return None
            if count > 2:
                break
            used |= tightest
            squares = [free for free in squares if free & tightest != tightest]
        else:
            return used
        tries[0] -= 1
        if tries[0] < 0:
            return None
        cells = [1 << cell for cell in bits(tightest)]
        pairs = [one | two for i, one in enumerate(cells) for two in cells[:i]]
        pairs.sort(key=lambda pair: -sum(free & pair == pair for free in squares))
        for pair in pairs:
            found = self._pair([free for free in squares if free & pair != pair], used | pair, tries)
            if found is not None:
                return found
        return None

    def _kept(self, striker: int, other: int, striking: bool) -> bool:
        """Is this a kept opening, or one with a marker of the striker more? A marker more never hurts."""
        return (striker, other, striking) in self._openings or any(
            (striker & ~(1 << cell), other, striking) in self._openings for cell in bits(striker)
        )

    # Holding ---------------------------------------------------------------------------------------------

    def _holds(self, holder: int, attacker: int, moving: bool, quiet: int, trap: bool) -> bool:
        """Can the holder, with so many quiet moves, stop every square (`trap`: and get a trap)? False: not proven."""
        search = self._hold_moving if moving else self._hold_waiting
        return search(holder, attacker, quiet, trap) is not None

    def _hold_moving(self, holder: int, attacker: int, quiet: int, trap: bool) -> int | None:
        """The zone of a hold with the holder to move; None if there is none with so many quiet moves."""
        self._count()
        free = self._everything & ~(holder | attacker)
        fourths = self._fourths(holder)
        if completing := fourths & free:
            return self._guarded(holder, free, completing & -completing)
        trap = trap and not fourths & attacker  # still to be had
        if not free:
            return None if trap else 0
        must = self._fourths(attacker) & free
        if must & (must - 1):
            return None
        key = holder, attacker, True, trap
        zone, tried = self._held.get(key, (None, -1))
        if zone is not None or tried >= quiet:
            return zone
        if must:
            self._replies[holder, attacker] = must.bit_length() - 1
            zone = self._hold_waiting(holder | must, attacker, quiet, trap)
            zone = None if zone is None else self._guarded(holder, free, zone | must)
        elif trap and self._kept(holder, attacker, True):
            zone = free
        else:
            zone = None if trap else self.pairing(holder, attacker)
            if zone is None:
                for cell, costs in self._holding_moves(holder, attacker, free, quiet, trap):
                    zone = self._hold_waiting(holder | cell, attacker, quiet - costs, trap)
                    if zone is not None:
                        zone = self._guarded(holder, free, zone | cell)
                        self._replies[holder, attacker] = cell.bit_length() - 1
                        break
        self._held[key] = zone, quiet
        return zone

    def _hold_waiting(self, holder: int, attacker: int, quiet: int, trap: bool) -> int | None:
        """The zone of a hold with the attacker to move; None if there is none with so many quiet moves."""
        self._count()
        free = self._everything & ~(holder | attacker)
        if self._fourths(attacker) & free:
            return None
        fourths = self._fourths(holder)
        trap = trap and not fourths & attacker
        if not free:
            return None if trap else 0
        if threats := fourths & free:
            if threats & (threats - 1):
                return self._guarded(holder, free, threats)
            zone = self._hold_moving(holder, attacker | threats, quiet, trap)
            return None if zone is None else self._guarded(holder, free, zone | threats)
        if not trap and (zone := self.pairing(holder, attacker)) is not None:
            return zone
        key = holder, attacker, False, trap
        zone, tried = self._held.get(key, (None, -1))
        if zone is not None or tried >= quiet:
            return zone
        if trap and self._kept(holder, attacker, False):
            return free
        zone = self._hold_moving(holder, attacker, quiet, trap) if free & (free - 1) else free  # the attacker passes
        order = self._attacking_moves(holder, attacker, free)
        answered = 0
        while zone is not None and (rest := zone & free & ~answered):
            cell = next(cell for cell in order if cell & rest)
            answered |= cell
            more = self._hold_moving(holder, attacker | cell, quiet, trap)
            zone = None if more is None else zone | more
        zone = None if zone is None else self._guarded(holder, free, zone)
        self._held[key] = zone, quiet
        return zone

    def _guarded(self, holder: int, free: int, zone: int) -> int:
        """The zone with two free cells of every square that is open to the attacker and has two."""
        for quad in self._quads:
            if not quad & holder:
                cells = quad & free
                inside = cells & zone
                while not inside & (inside - 1) and cells != inside:
                    outside = cells & ~inside
                    inside |= outside & -outside
                zone |= inside
        return zone

    def _holding_moves(self, holder: int, attacker: int, free: int, quiet: int, trap: bool) -> list[tuple[int, int]]:
        """The holder's moves, the most promising first, each with what it costs: 1 if it is quiet."""
        threats = self._twos(holder, attacker)
        if not quiet:
            return [(1 << cell, 0) for cell in bits(threats)]
        scores = dict.fromkeys(bits(free), 0)
        for quad in self._quads:
            if cells := quad & free:
                own, opposing = (quad & holder).bit_count(), (quad & attacker).bit_count()
                if own and opposing:
                    score = (0, 1, 12, 0)[own] if trap else 0
                else:
                    score = (0, 2, 10, 0)[own] or HOLDING[opposing]
                for cell in bits(cells):
                    scores[cell] += score
        order = sorted(scores, key=scores.__getitem__, reverse=True)
        return [(1 << cell, 1 - (threats >> cell & 1)) for cell in order]

    def _twos(self, marks: int, opposing: int) -> int:
        """The free cells of every square of which two are marked and none opposes."""
        cells = 0
        for quad in self._quads:
            if not quad & opposing and (quad & marks).bit_count() == 2:
                cells |= quad & ~marks
        return cells

    def _attacking_moves(self, holder: int, attacker: int, free: int) -> list[int]:
        """The attacker's moves, the most dangerous first."""
        scores = dict.fromkeys(bits(free), 0)
        for quad in self._quads:
            own, opposing = (quad & attacker).bit_count(), (quad & holder).bit_count()
            score = ATTACKING[own] if not opposing else 0 if own else opposing
            if score:
                for cell in bits(quad & free):
                    scores[cell] += score
        return [1 << cell for cell in sorted(scores, key=scores.__getitem__, reverse=True)]

    # Attacking -------------------------------------------------------------------------------------------

    def _attack(self, attacker: int, holder: int, moving: bool, turns: int) -> bool:
        """Does the attacker get a square within so many turns, whatever the holder does? Exact."""
        return (self._attack_moving if moving else self._attack_waiting)(attacker, holder, turns)

    def _attack_moving(self, attacker: int, holder: int, turns: int) -> bool:
        self._count()
        free = self._everything & ~(attacker | holder)
        if self._fourths(attacker) & free:
            return True
        if turns < 3:
            return False
        must = self._fourths(holder) & free
        if must:
            return not must & (must - 1) and self._attack_waiting(attacker | must, holder, turns - 1)
        forcing = []
        twos = self._twos(attacker, holder)
        for number in bits(twos):
            cell = 1 << number
            answer = self._fourths(attacker | cell) & free
            if answer & (answer - 1):
                return True
            forcing.append((cell, answer))
        if turns < 5:
            return False
        key = attacker, holder, True
        yes, no = self._attacked.get(key, (self._cells + 1, 0))
        if turns >= yes or turns <= no:
            return turns >= yes
        won = any(self._attack_moving(attacker | cell, holder | answer, turns - 2) for cell, answer in forcing) or any(
            self._attack_waiting(attacker | cell, holder, turns - 1)
            for cell in self._attacking_moves(holder, attacker, free & ~twos)
        )
        self._attacked[key] = (turns, no) if won else (yes, turns)
        return won

    def _attack_waiting(self, attacker: int, holder: int, turns: int) -> bool:
        free = self._everything & ~(attacker | holder)
        if self._fourths(holder) & free:
            return False
        if threats := self._fourths(attacker) & free:
            if threats & (threats - 1):
                return turns >= 2
            return turns >= 4 and self._attack_moving(attacker, holder | threats, turns - 1)
        if turns < 4 or not free & (free - 1):
            return False
        self._count()
        key = attacker, holder, False
        yes, no = self._attacked.get(key, (self._cells + 1, 0))
        if turns >= yes or turns <= no:
            return turns >= yes
        won = self._attack_moving(attacker, holder, turns - 1) and all(  # even if the holder passes
            self._attack_moving(attacker, holder | cell, turns - 1)
            for cell in self._attacking_moves(holder, attacker, free)
        )
        self._attacked[key] = (turns, no) if won else (yes, turns)
        return won
