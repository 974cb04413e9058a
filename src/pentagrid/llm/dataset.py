"""Labeled positions: every move with its exact value, balanced, without symmetric copies, split without leaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from zlib import crc32

from pentagrid.analysis.komi import FAIR, deal
from pentagrid.analysis.solved import check_exact
from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.rulebook import options_of
from pentagrid.core.streams import Stream
from pentagrid.core.symmetry import least_turn

PHASES = ("early", "middle", "late")
DIFFICULTIES = ("greed is right", "greed errs", "greed loses")
SPLITS = ("train",) * 8 + ("validation", "test")
"""Of ten deals eight are for training."""
CARE = (0, 50, 90)
"""How many of a hundred moves of a game are best ones, the others being random: one of these for each game."""
OPENING_MOVES = 2
"""Where there is a single deal, positions are split by their first moves instead."""
PILOT, PATIENCE = 100, 400
"""Games that show which kinds of position there are, and games without anything new after which it is enough."""
PILOT_SHARE = 0.1
"""What the pilot counts for in the progress."""

Bucket = tuple[str, str]


class LabeledPosition(NamedTuple):
    """One position with its labels."""

    bucket: Bucket
    key: object
    row: dict[str, Any]


class DataSet(NamedTuple):
    """The rows, and how many were wanted."""

    game: Game
    rows: list[dict[str, Any]]
    wanted: int
    seed: int
    fair: bool = False
    """Has each deal the komi that is fair for it?"""


def make(
    game: Game, positions: int, seed: int = 0, progress: Callable[[float], None] = lambda share: None,
    stop: Callable[[], bool] = lambda: False, fair: bool = False,
) -> DataSet:  # fmt: skip
    """So many labeled positions, as many of each phase and difficulty as there can be; the same for the same seed.

    With `fair` each deal has the komi that is fair for it. Raises `OptionError` where a size is not solved.
    """
    check_exact(game)
    pilot: list[list[LabeledPosition]] = []
    while len(pilot) < PILOT and not stop():
        pilot.append(list(candidates(game, seed, len(pilot), fair)))
        progress(PILOT_SHARE * len(pilot) / PILOT)
    rows: list[dict[str, Any]] = []
    seen: set[object] = set()
    filled: Counter[Bucket] = Counter()
    idle = number = 0
    open_buckets = {one.bucket for found in pilot for one in found}
    while len(rows) < positions and open_buckets and not stop():
        quota = _quota(positions, filled, open_buckets)
        added = 0
        for one in pilot[number] if number < PILOT else candidates(game, seed, number, fair):
            if (
                one.bucket in open_buckets
                and filled[one.bucket] < quota
                and one.key not in seen
                and len(rows) < positions
            ):
                seen.add(one.key)
                filled[one.bucket] += 1
                rows.append(one.row)
                added += 1
        number += 1
        idle = 0 if added else idle + 1
        if idle > PATIENCE:  # what is not full by now is as full as it gets: the others may take more
            full = {bucket for bucket in open_buckets if filled[bucket] >= quota}
            open_buckets, idle = full, 0
        progress(PILOT_SHARE + (1 - PILOT_SHARE) * len(rows) / positions)
    order = {split: i for i, split in enumerate(dict.fromkeys(SPLITS))}
    rows.sort(key=lambda row: (order[row["split"]], row["id"]))
    return DataSet(game, rows, positions, seed, fair)


def _quota(positions: int, filled: Counter[Bucket], open_buckets: set[Bucket]) -> int:
    """How many each open bucket may hold, so that all together make up the number."""
    closed = sum(count for bucket, count in filled.items() if bucket not in open_buckets)
    return -(-(positions - closed) // len(open_buckets))


def candidates(game: Game, seed: int, number: int, fair: bool = False) -> Iterator[LabeledPosition]:
    """Positions of one game in which moves differ, at most one of each kind."""
    deal_seed = Dice(seed, Stream.DATASET_DEAL, number).next() >> 1
    dice = Dice(seed, Stream.DATASET_PLAY, number)
    start = deal(game, deal_seed, fair)
    solver, care = Solver(start), dice.choice(CARE)
    line: list[tuple[Position, int, dict[int, float]]] = []
    position = start
    while position.turn:
        regrets = solver.regrets(position)
        best = [action for action, regret in regrets.items() if regret == 0]
        action = dice.choice(best if dice.below(100) < care else position.actions())
        line.append((position, action, regrets))
        position = position.play(action)
    moves = [game.texts[action] for _, action, _ in line]
    kinds: dict[Bucket, list[LabeledPosition]] = {}
    for ply, (here, _, regrets) in enumerate(line):
        if len(set(regrets.values())) > 1 and (game.has_numbers or ply >= OPENING_MOVES):
            phase = PHASES[min(2, 3 * ply // max(1, len(line) - 1))]
            one = _label(solver, here, phase, moves[:ply], f"{number}-{ply}", deal_seed)
            kinds.setdefault(one.bucket, []).append(one)
    choice = Dice(seed, Stream.DATASET_CHOICE, number)
    for bucket in sorted(kinds):
        yield choice.choice(kinds[bucket])


def _label(
    solver: Solver, position: Position, phase: str, moves: list[str], name: str, deal_seed: int
) -> LabeledPosition:
    game = position.game
    analysis = solver.analyze(position)
    options = {option.action: option for option in analysis.options}
    greedy = game.heuristics.greedy_actions(position)
    value = analysis.value
    errs = any(options[action].regret for action in greedy)
    loses = any(value.winner == position.mover != options[action].winner for action in greedy)
    difficulty = DIFFICULTIES[2 if loses else int(errs)]
    row = {
        "id": name,
        "split": split_of(position, moves),
        "game": game.name,
        "deal_seed": deal_seed,
        "position": position.text,
        "board": [list(row) for row in position.board or ()],
        "claims": [position.owner(i) for i in range(sum(game.claim_rows()))],
        "mover": position.mover,
        "scores": list(position.scores) if position.scores is not None else None,
        "moves": moves,
        "legal": list(position.moves()),
        "winners": [option.winner for option in analysis.options],
        "margins": [option.margin for option in analysis.options],
        "plies": [option.plies for option in analysis.options],
        "regrets": [option.regret for option in analysis.options],
        "best": [option.move for option in analysis.options if option.regret == 0],
        "winner": value.winner,
        "margin": value.margin,
        "phase": phase,
        "greedy": [game.texts[action] for action in greedy],
        "difficulty": difficulty,
    }
    key = position.swapped, part(game.name, "symmetry").canonical(position)
    return LabeledPosition((phase, difficulty), key, row)


def split_of(position: Position, moves: list[str]) -> str:
    """Which part a position belongs to: all of a deal (and of its mirror images) or of an opening to the same one."""
    game = position.game
    if game.has_numbers:
        key: object = least_turn(position.numbers, game.size)
    else:
        start = game.deal()
        for move in moves[:OPENING_MOVES]:
            start = start.play(move)
        key = part(game.name, "symmetry").canonical(start)
    return SPLITS[crc32(repr(key).encode()) % len(SPLITS)]


def card(made: DataSet) -> str:
    """A short description of the data, in Markdown."""
    rows = made.rows
    counts = Counter((row["phase"], row["difficulty"]) for row in rows)
    splits = Counter(row["split"] for row in rows)
    present = [name for name in DIFFICULTIES if any(counts[phase, name] for phase in PHASES)]
    table = [
        "| phase | " + " | ".join(present) + " |",
        "|---|" + "---|" * len(present),
        *(f"| {phase} | " + " | ".join(str(counts[phase, name]) for name in present) + " |" for phase in PHASES),
    ]
    short = "" if len(rows) >= made.wanted else (
        f" {made.wanted} were asked for; there are no more of the kinds below that differ by more than symmetry."
    )  # fmt: skip
    unit = "split by deal, a deal's mirror images included" if made.game.has_numbers else "split by the first two moves"
    return "\n".join(
        [
            f"# {made.game.title}: labeled positions",
            "",
            *_told_options(made),
            f"{len(rows)} positions, seed {made.seed}: "
            + ", ".join(f"{splits[name]} {name}" for name in dict.fromkeys(SPLITS))
            + f".{short}",
            "",
            *table,
            "",
            "- **Source**: games in which none, half or nine tenths of the moves are best ones and the rest random; at",
            "  most one position of each phase and difficulty from a game, only positions in which moves differ.",
            "- **Labels** are exact. For each move of `legal`, in order: who wins with best play after it (`winners`),",
            "  the final margin from Player 1's side (`margins`), or in a game without points the moves to the end",
            "  (`plies`), and what it gives away (`regrets`). `best` are the moves that give nothing away.",
            "- **Phase** is by thirds of the game it came from. **Difficulty** asks what the greedy move does, the one",
            "  with the best score right after it: is right, errs (gives something away), or loses a won game.",
            f"- **Splits**: {unit}, so no part knows another's. No position is in the data twice, nor is one that is",
            "  the same up to the game's symmetries.",
            f"- **Made again** by `pentagrid dataset {' '.join(_words(made))}`.",
            "",
        ]
    )


def _told_options(made: DataSet) -> list[str]:
    """What is not as the rules have it, each with what it settles."""
    game = made.game
    told = [f"- `{option}`: {meaning}." for option, meaning in options_of(game).items()]
    if made.fair:
        told.append(f"- `komi={FAIR}`: each deal has a komi half a point to one side of its value; `position` has it.")
    if game.size != game.default_size:
        told.insert(0, f"- `size={game.size}`: the board has {game.size} rows and columns.")
    return [*told, ""] if told else []


def _words(made: DataSet) -> list[str]:
    """The options of the command that makes the data again."""
    game = made.game
    words = [game.name, f"--positions {made.wanted}", f"--seed {made.seed}"]
    words += [f"--size {game.size}"] if game.size != game.default_size else []
    words += [f"--komi {FAIR}"] if made.fair else []
    return words + [f"--rule {name}={value}" for name, value in game.chosen_rules.items()]
