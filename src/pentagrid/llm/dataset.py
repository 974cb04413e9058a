"""Datasets of labeled positions: every move with its exact value, balanced, without symmetric copies or leaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from zlib import crc32

from pentagrid.analysis.exact_sizes import check_exact
from pentagrid.analysis.komi import FAIR, deal
from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.rulebook import options_of
from pentagrid.core.speech import player_names
from pentagrid.core.streams import Stream
from pentagrid.core.symmetry import least_turn

PHASES = ("early", "middle", "late")
DIFFICULTIES = ("greed is right", "greed errs", "greed loses")
SPLITS = ("train",) * 8 + ("validation", "test")
"""The split of each tenth of the deals: eight are for training."""
BEST_PERCENT = (0, 50, 90)
"""For each game one of these is drawn: how many of a hundred moves are best ones. The others are random."""
OPENING_MOVES = 2
"""In a game with a single deal, positions are split by this many first moves instead."""
PILOT, PATIENCE = 100, 400
"""Games that show which buckets there are, and games without a new position after which open buckets are closed."""
PILOT_SHARE = 0.1
"""The share of the pilot games in the progress."""

Bucket = tuple[str, str]
"""A phase and a difficulty."""


class LabeledPosition(NamedTuple):
    """One position with its labels."""

    bucket: Bucket
    key: object
    """The same for positions that are equal up to symmetry."""
    row: dict[str, Any]


class Dataset(NamedTuple):
    """Labeled positions as rows, and how many were wanted."""

    game: Game
    rows: list[dict[str, Any]]
    wanted: int
    seed: int
    fair: bool = False
    """Whether each deal has its own fair komi."""


def make_dataset(
    game: Game, positions: int, seed: int = 0, progress: Callable[[float], None] = lambda share: None,
    stop: Callable[[], bool] = lambda: False, fair: bool = False,
) -> Dataset:  # fmt: skip
    """A dataset with as equal a number of each phase and difficulty as possible; the same for the same arguments.

    With `fair` each deal has its own fair komi. Raises `OptionError` if the game is not solved at this size.
    """
    check_exact(game)
    pilot: list[list[LabeledPosition]] = []
    while len(pilot) < PILOT and not stop():
        pilot.append(list(candidate_positions(game, seed, len(pilot), fair)))
        progress(PILOT_SHARE * len(pilot) / PILOT)
    rows: list[dict[str, Any]] = []
    seen: set[object] = set()
    filled: Counter[Bucket] = Counter()
    idle = number = 0
    open_buckets = {labeled.bucket for candidates in pilot for labeled in candidates}
    while len(rows) < positions and open_buckets and not stop():
        quota = _quota(positions, filled, open_buckets)
        added = 0
        for labeled in pilot[number] if number < PILOT else candidate_positions(game, seed, number, fair):
            bucket = labeled.bucket
            if bucket in open_buckets and filled[bucket] < quota and labeled.key not in seen and len(rows) < positions:
                seen.add(labeled.key)
                filled[bucket] += 1
                rows.append(labeled.row)
                added += 1
        number += 1
        idle = 0 if added else idle + 1
        if idle > PATIENCE:  # buckets that are not full by now stay so, and the others may take more
            full = {bucket for bucket in open_buckets if filled[bucket] >= quota}
            open_buckets, idle = full, 0
        progress(PILOT_SHARE + (1 - PILOT_SHARE) * len(rows) / positions)
    order = {split: i for i, split in enumerate(dict.fromkeys(SPLITS))}
    rows.sort(key=lambda row: (order[row["split"]], row["id"]))
    return Dataset(game, rows, positions, seed, fair)


def _quota(positions: int, filled: Counter[Bucket], open_buckets: set[Bucket]) -> int:
    """How many positions each open bucket may hold, so that all buckets together have the wanted number."""
    closed = sum(count for bucket, count in filled.items() if bucket not in open_buckets)
    return -(-(positions - closed) // len(open_buckets))


def candidate_positions(game: Game, seed: int, number: int, fair: bool = False) -> Iterator[LabeledPosition]:
    """Positions of one random game in which the moves differ in value, at most one of each bucket."""
    deal_seed = Dice(seed, Stream.DATASET_DEAL, number).next() >> 1
    dice = Dice(seed, Stream.DATASET_PLAY, number)
    start = deal(game, deal_seed, fair)
    solver, best_percent = Solver(start), dice.choice(BEST_PERCENT)
    turns: list[tuple[Position, int, dict[int, float]]] = []
    position = start
    while position.turn:
        regrets = solver.regrets(position)
        best = [action for action, regret in regrets.items() if regret == 0]
        action = dice.choice(best if dice.below(100) < best_percent else position.actions())
        turns.append((position, action, regrets))
        position = position.play(action)
    moves = [game.texts[action] for _, action, _ in turns]
    buckets: dict[Bucket, list[LabeledPosition]] = {}
    for ply, (here, _, regrets) in enumerate(turns):
        if len(set(regrets.values())) > 1 and (game.has_numbers or ply >= OPENING_MOVES):
            phase = PHASES[min(2, 3 * ply // max(1, len(turns) - 1))]
            labeled = _label(solver, here, phase, moves[:ply], f"{number}-{ply}", deal_seed)
            buckets.setdefault(labeled.bucket, []).append(labeled)
    choice = Dice(seed, Stream.DATASET_CHOICE, number)
    for bucket in sorted(buckets):
        yield choice.choice(buckets[bucket])


def _label(
    solver: Solver, position: Position, phase: str, moves: list[str], name: str, deal_seed: int
) -> LabeledPosition:
    """A position with its exact labels."""
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
        **{field: value for field, value in position.data().items() if field != "outcome"},  # none is over
        "deal_seed": deal_seed,
        "moves": moves,
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
    """The split of a position: the same for all positions of a deal and its mirror images, or of an opening."""
    game = position.game
    if game.has_numbers:
        key: object = least_turn(position.numbers, game.size)
    else:
        start = game.deal()
        for move in moves[:OPENING_MOVES]:
            start = start.play(move)
        key = part(game.name, "symmetry").canonical(start)
    return SPLITS[crc32(repr(key).encode()) % len(SPLITS)]


def dataset_card(dataset: Dataset) -> str:
    """A short description of a dataset, in Markdown."""
    rows, game = dataset.rows, dataset.game
    one, _ = player_names(game)
    counts = Counter((row["phase"], row["difficulty"]) for row in rows)
    splits = Counter(row["split"] for row in rows)
    present = [name for name in DIFFICULTIES if any(counts[phase, name] for phase in PHASES)]
    table_lines = [
        "| phase | " + " | ".join(present) + " |",
        "|---|" + "---|" * len(present),
        *(f"| {phase} | " + " | ".join(str(counts[phase, name]) for name in present) + " |" for phase in PHASES),
    ]
    shortfall = "" if len(rows) >= dataset.wanted else (
        f" {dataset.wanted} were asked for; there are no more that differ by more than symmetry."
    )  # fmt: skip
    unit = "split by deal, a deal's mirror images included" if game.has_numbers else "split by the first two moves"
    return "\n".join(
        [
            f"# {game.title}: labeled positions",
            "",
            *_option_lines(dataset),
            f"{len(rows)} positions, seed {dataset.seed}: "
            + ", ".join(f"{splits[name]} {name}" for name in dict.fromkeys(SPLITS))
            + f".{shortfall}",
            "",
            *table_lines,
            "",
            "- **Source**: games in which none, half or nine tenths of the moves are best ones and the others random;",
            "  at most one position of each phase and difficulty from a game, only positions in which moves differ.",
            "- **Labels** are exact. For each move of `legal`, in order: who wins with best play after it (`winners`),",
            f"  by how many points {one} then wins (`margins`, negative for a loss) or, in a game without points,",
            "  after how many moves the game ends (`plies`), and what the move gives away (`regrets`). `best` are the",
            "  moves that give nothing away. Players are seats: 1 or 2.",
            "- **Phase** is the third of its game that a position comes from. **Difficulty** says what the greedy move",
            "  does, the one with the best score right after it: it is right, errs (gives something away), or loses a",
            "  won game.",
            f"- **Splits**: {unit}, so that nothing of one split is in another. No two positions are the same up to",
            "  the game's symmetries.",
            f"- **To make it again**: `pentagrid dataset {' '.join(_command_words(dataset))} --out FILE`.",
            "",
        ]
    )


def _option_lines(dataset: Dataset) -> list[str]:
    """A line for every option that is not at its default, with its meaning."""
    game = dataset.game
    lines = [f"- `{option}`: {meaning}." for option, meaning in options_of(game).items()]
    if dataset.fair:
        lines.append(f"- `komi={FAIR}`: each deal has a komi half a point to one side of its value; `position` has it.")
    if game.size != game.default_size:
        lines.insert(0, f"- `size={game.size}`: the board has {game.size} rows and columns.")
    return [*lines, ""] if lines else []


def _command_words(dataset: Dataset) -> list[str]:
    """The arguments of the command that makes the dataset again."""
    game = dataset.game
    words = [game.name, f"--positions {dataset.wanted}", f"--seed {dataset.seed}"]
    words += [f"--size {game.size}"] if game.size != game.default_size else []
    words += [f"--komi {FAIR}"] if dataset.fair else []
    return words + [f"--rule {name}={value}" for name, value in game.chosen_rules.items()]
