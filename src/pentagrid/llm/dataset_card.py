"""The description that goes with a data set: front matter that `datasets` reads, then what people want to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pentagrid import __version__
from pentagrid.analysis.komi import FAIR
from pentagrid.core.rulebook import options_of
from pentagrid.core.speech import player_names
from pentagrid.llm.candidates import DIFFICULTIES, PHASES
from pentagrid.llm.dataset import Dataset
from pentagrid.llm.splits import CANARY, DATA_SPLITS, GENERATOR


def dataset_card(dataset: Dataset, schema: Mapping[str, Any], files: Sequence[str]) -> str:
    """The whole description, in Markdown. `files` are the names of the data files beside it."""
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
    return "\n".join(
        [
            *_front_matter(dataset, schema, files),
            f"# {game.title}: labeled positions",
            "",
            *_option_lines(dataset),
            f"{len(rows)} positions, seed {dataset.seed}: "
            + ", ".join(f"{splits[name]} {name}" for name in DATA_SPLITS)
            + f".{shortfall}",
            "",
            *table_lines,
            "",
            "- **Source**: games in which none, half or nine tenths of the moves are best ones and the others random;",
            "  at most one position of each phase and difficulty from a game, only positions in which moves differ.",
            "  Where a phase and difficulty is rare there are fewer of it, and more of the others.",
            "- **Labels** are exact. For each move of `legal`, in order: who wins with best play after it (`winners`),",
            f"  by how many points {one} then wins (`margins`, negative for a loss), after how many moves the game",
            "  ends, this one counted (`plies`), how many points the move gives away (`regrets`), and whether it",
            "  changes who wins (`win_regrets`). `best` are the moves that do neither, `keeps_result` those that keep",
            "  the winner; `result_at_stake` says whether some move changes who wins. Players are seats: 1 or 2. A",
            "  game without points counts as one point for its winner, and a board without numbers has zeros.",
            "- **Phase** is the third of its game that a position comes from. **Difficulty** says what the greedy move",
            "  does, the one with the best score right after it: it is right, errs (gives something away), or loses a",
            "  won game.",
            "- **Splits** go by a hash of the position, the same for all that are equal up to the game's symmetries,",
            "  and by a hash of its board. No two splits share a position or a board, whatever the seeds; the tasks",
            "  for language models ask about positions of splits that no data set has.",
            f"- **Canary**: {CANARY}",
            f"- **Generator**: version {GENERATOR}, of Pentagrid {__version__}.",
            f"- **To make it again**: `pentagrid dataset {' '.join(_command_words(dataset))} --out FILE`.",
            "",
        ]
    )


def _front_matter(dataset: Dataset, schema: Mapping[str, Any], files: Sequence[str]) -> list[str]:
    """The YAML that Hugging Face's `datasets` reads: which file is which split, and the type of each column."""
    game, count = dataset.game, len(dataset.rows)
    size = next((name for most, name in SIZES if count < most), "1M<n<10M")
    paths = [f"  - {{split: {split}, path: {name}}}" for split, name in zip(DATA_SPLITS, files, strict=False)]
    configs = ["configs:", "- config_name: default", "  data_files:", *paths]
    return [
        "---",
        f"pretty_name: 'Pentagrid: {game.title}'",
        "license: mit",
        "tags: [games, exact-solutions, pentagrid]",
        f"size_categories: ['{size}']",
        *(configs if len(files) > 1 else []),
        "dataset_info:",
        "  features:",
        *(f"  - {{name: {name}, {_feature(kind)}}}" for name, kind in schema.items()),
        f"generator: {GENERATOR}",
        f"canary: '{CANARY}'",
        "---",
        "",
    ]


SIZES = ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def _feature(kind: Any) -> str:
    """A column's type as the front matter writes it."""
    if not isinstance(kind, list):
        return f"dtype: {kind}"
    return f"list: {kind[0]}" if not isinstance(kind[0], list) else f"list: {{{_feature(kind[0])}}}"


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
