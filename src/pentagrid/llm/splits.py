"""Which positions are for training and which for asking: decided by the position itself, never by a seed.

A position belongs to one split by a hash of its canonical form, which is the same for all positions that are equal up
to the game's symmetries. Its board (as dealt, up to turning and mirroring) belongs to one split too. A position is used
where both agree, so no two splits share a position or a board, whatever the seeds. Games without numbers have no
boards, and go by the position alone.
"""

from __future__ import annotations

import os
from functools import lru_cache
from hashlib import sha256
from typing import Literal, get_args

from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.symmetry import least_turn
from pentagrid.errors import OptionError, shown

Split = Literal["train", "validation", "test", "questions", "private"]
SPLITS: tuple[Split, ...] = get_args(Split)
DATA_SPLITS: tuple[Split, ...] = SPLITS[:3]
"""What data sets hold. `questions` is what tasks ask; `private` is for seeds that their owners keep to themselves."""
BOARD_SHARES = (40, 14, 14, 16, 16)
POSITION_SHARES = (40, 15, 15, 15, 15)
"""Of a hundred, how many boards and how many positions are in each split. Data sets are then split about 8:1:1."""

GENERATOR = 2
"""The version of the generator: another one may give other positions for the same seed."""
CANARY = (
    "pentagrid canary 5b0e6f1c-7a94-4c35-9d5e-2f8b13a7c6d0: positions of the splits validation, test, questions and "
    "private are for evaluation; they must not be in training data."
)
"""In every file and task, so that training data that holds them can be found."""
PRIVATE_SEED = "PENTAGRID_PRIVATE_SEED"
"""The environment variable with the seed of private questions: it is in no log."""
SHORTEST_PRIVATE = 1 << 40
"""Smaller private seeds could be found by trying them."""


def provenance(split: Split, seed: int) -> dict[str, object]:
    """What a task says of its questions; of a private seed only a fingerprint."""
    mark = {"seed_fingerprint": sha256(str(seed).encode()).hexdigest()[:16]} if split == "private" else {"seed": seed}
    return {"canary": CANARY, "generator": GENERATOR, "split": split, **mark}


def one_way(seed: int, *path: int) -> int:
    """Another seed, from which the first cannot be found."""
    return int.from_bytes(sha256(repr((seed, *path)).encode()).digest()[:8]) >> 1


def read_split(split: str) -> Split:
    """The split that is asked for. Raises `OptionError`."""
    if split not in SPLITS:
        raise OptionError(f"split must be {', '.join(SPLITS[:-1])} or {SPLITS[-1]}, not {shown(str(split))}.")
    return split


def split_seed(split: Split, seed: int) -> int:
    """The seed to draw with: the one given, or for private questions that of the environment. Raises `OptionError`."""
    if split != "private":
        return seed
    if seed:
        raise OptionError(f"split=private takes its seed from {PRIVATE_SEED}, so that no log has it; give no seed.")
    text = os.environ.get(PRIVATE_SEED, "")
    if not (text.isascii() and text.isdigit() and SHORTEST_PRIVATE <= int(text) < 1 << 63):
        raise OptionError(
            f"{PRIVATE_SEED} must be a whole number from {SHORTEST_PRIVATE} to {(1 << 63) - 1} that nobody else knows"
            f"{'' if text else '; it is not set'}."
        )
    return int(text)


def _placed(key: object, shares: tuple[int, ...]) -> Split:
    place = int.from_bytes(sha256(repr(key).encode()).digest()[:8]) % 100
    for split, share in zip(SPLITS, shares, strict=True):
        place -= share
        if place < 0:
            return split
    raise AssertionError("shares that do not add up")


@lru_cache(maxsize=1 << 12)
def board_split(game: Game, numbers: tuple[int, ...]) -> Split | None:
    """The split of a board; None in a game without numbers."""
    return _placed((game.name, least_turn(numbers, game.size)), BOARD_SHARES) if numbers else None


def position_split(position: Position) -> Split:
    """The split of a position, its board aside."""
    game = position.game
    return _placed((game.name, game.size, canonical_form(position)), POSITION_SHARES)


def split_of(position: Position) -> Split | None:
    """The split of a position; None if its board is in another."""
    board, own = board_split(position.game, position.numbers), position_split(position)
    return own if board in (own, None) else None


def reserved_for(position: Position) -> Split | None:
    """The split whose tasks may show a position: that of its board, which no other split has; else its own."""
    return board_split(position.game, position.numbers) or split_of(position)


def canonical_form(position: Position) -> tuple[object, ...]:
    """The same for positions that are equal up to the game's symmetries."""
    return position.swapped, part(position.game.name, "symmetry").canonical(position)
