"""How strong each level is: win rates over both seats against random, greedy and perfect, and against the level below.

    python benchmarks/ladder.py [STARTS]

Every pair meets on the same deals with the seats swapped (Capture Square, which has one deal: on seeded random
openings of two to four moves). Prints the tables of docs/levels.md.
"""

from __future__ import annotations

import sys

import pentagrid as pg
from pentagrid.play.levels import LEVELS
from pentagrid.play.players import make_player


def share(game: pg.Game, one: str, two: str, starts: int) -> float:
    """The share of games that the first player of a pair wins, over both seats."""
    players, wins = (make_player(one), make_player(two)), 0
    for seed in range(starts):
        start = game.deal(seed=seed)
        if not game.has_numbers:
            dice = pg.Dice(seed, 1)
            for _ in range(2 + seed % 3):
                start = start.play(dice.choice(start.actions()))
        for swapped in (0, 1):
            position = start
            while position.turn:
                player = players[(position.mover - 1) ^ swapped]
                assert player is not None
                position = position.play(player.choose(position, pg.Dice(seed, position.ply, swapped)))
            outcome = position.outcome()
            assert outcome is not None
            wins += (outcome.winner - 1) ^ swapped == 0
    return wins / (2 * starts)


def main() -> None:
    starts = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for name in pg.game_names():
        game = pg.load(name)
        print(f"\n### {game.title}\n\n| level | against random | greedy | perfect | the level below |")
        print("|---|---|---|---|---|")
        for level in LEVELS:
            rivals = ["random", "greedy", "perfect", *([f"level:{level - 1}"] if level > 1 else [])]
            rates = [f"{share(game, f'level:{level}', rival, starts):.0%}" for rival in rivals]
            print(f"| {level} | {' | '.join(rates)}{' |' if level > 1 else ' | |'}", flush=True)


if __name__ == "__main__":
    main()
