"""The register of all streams of chance: `Dice(seed, stream, ...)` is one of the many streams of a seed.

`Dice(seed)` alone is the deal. Every other draw from the same seed needs a stream of its own: two uses of one stream
see the same numbers, so that one could be foretold from the other.

Streams are of two kinds, by the first number of their path:

- Registered ones, below. Their numbers never change after release 0.2.0, since a seed must give the same for ever.
- Running numbers, from 0 up: the turns of a match, the games of a series, the deals of a census. They are not
  registered and stay below 2^32. (Only a census may go further, and nothing else is drawn from the seed of a census.)

A registered stream from 2^32 up may be used with any seed. One below 2^32 is only for seeds that are not also used
with running numbers. Two places break that and stay, so that their seeds give what they always gave: the later puzzles
of one sitting are numbered on the seed of the first (the 23rd has the stream of PUZZLE_GAME), and so are the games of a
duel on the seed of its deals (there the paths go on differently, so no two streams are the same).

`tests/test_streams.py` finds every use of a stream in the package and compares it with this register.
"""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class Stream(IntEnum):
    """What a registered stream decides, by its number."""

    ARENA_DEAL = 1
    """The seed of each deal of a tournament; its seed is that of the tournament."""
    ARENA_OPENING = 2
    """The random opening of each round of a tournament, in a game that has a single deal."""
    ARENA_MATCH = 3
    """The seed of each match of a tournament, from which its players draw."""

    DATASET_DEAL = 11
    """The seed of each deal of a data set."""
    DATASET_PLAY = 12
    """The moves that lead to the positions of a data set."""
    DATASET_CHOICE = 13
    """Which positions of a game a data set takes."""

    PUZZLE = 21
    """The games in which a single puzzle is looked for, and the order in which their positions are tried."""
    PUZZLE_SET = 22
    """The games in which the puzzles of a set are looked for."""
    PUZZLE_GAME = 23
    """The game of a puzzle, where nobody has chosen one."""

    FIRST_SEAT = 1 << 32
    """Which of two people sits as Player 1, where that is left to chance."""
    LATER_DEALS = 1 << 33
    """The seeds of an environment's later episodes."""
    ENV_SEAT = 1 << 34
    """The agent's seat in an environment, where that is left to chance."""
    ENV_OPPONENT = 1 << 35
    """The moves of the opponent in an environment."""
    KOMI_TOSS = 1 << 36
    """Whether the fair komi of a deal lies half a point below its value or above. It was 2^33 before 0.2.0."""
    CENSUS_PLAYERS = 1 << 37
    """The moves of the players in a census. It was 2^35 before 0.2.0."""
    RULE_TOSS = 1 << 38
    """What a rule option leaves to the toss of the deal, such as who begins Sudden Death."""
    ENV_ACTIONS = 1 << 40
    """The legal actions that a vectorized environment draws for a caller who plays at random."""


OLD_KOMI_TOSS = Stream.LATER_DEALS
"""The stream of the tosses in arena results that version 0.1 wrote: they keep the komi they were played with."""
