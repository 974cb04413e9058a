"""A seat played by a trained policy in a file: `policy:FILE`, described in docs/policies.md.

The file is a NumPy archive (`.npz`) of plain numbers; no code is in it, and none is run from it. A policy is a
multilayer perceptron from an observation to a number for each action; the largest of the legal ones is played:

    h = (observation - mean) / scale,   h = activation(h @ w0 + b0),   ...   logits = h @ wK + bK
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.catalog import load
from pentagrid.core.game import Game
from pentagrid.core.position import Outcome, Position
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError, PentagridError, shown
from pentagrid.play.players import OutsidePlayer
from pentagrid.util.files import read_regular_file, write_atomically

FORMAT = "pentagrid-policy-1"
LONGEST_NOTE = 60
LARGEST = 1 << 28
"""Bytes of a file, also once it is unpacked."""
Array = NDArray[np.float64]
Layer = tuple[Array, Array]
ACTIVATIONS: dict[str, Callable[[Array], Array]] = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}


class Policy:
    """A policy for one game at one size."""

    def __init__(
        self, game: Game, layers: Sequence[Layer], activation: str, mean: Array, scale: Array, note: str = ""
    ) -> None:
        """`note` says in a few words where it comes from. Raises `OptionError` if the parts do not fit together."""
        if len(note) > LONGEST_NOTE or not note.isprintable():
            raise OptionError(f"The note must have at most {LONGEST_NOTE} printable characters, not {shown(note)}.")
        self.note = note
        self.game, self.layers, self.activation, self.mean, self.scale = game, tuple(layers), activation, mean, scale
        if activation not in ACTIVATIONS:
            raise OptionError(f"The activation must be {' or '.join(ACTIVATIONS)}, not {shown(activation)}.")
        width = observe(game.deal(seed=0), 1).size
        if not layers or mean.shape != (width,) or scale.shape != (width,) or not scale.all():
            raise OptionError(f"mean and scale must have {width} numbers, of scale none 0, and there must be a layer.")
        for i, (weights, biases) in enumerate(layers):
            if weights.ndim != 2 or weights.shape[0] != width or biases.shape != weights.shape[1:]:
                raise OptionError(
                    f"w{i} must have {width} rows and b{i} a number for each of its columns, not {weights.shape} and "
                    f"{biases.shape}."
                )
            width = weights.shape[1]
        if width != game.action_count:
            raise OptionError(f"The last layer must have {game.action_count} columns, one an action, not {width}.")
        if not all(np.isfinite(array).all() for array in (mean, scale, *(part for layer in layers for part in layer))):
            raise OptionError("Every number must be finite.")

    def logits(self, position: Position) -> Array:
        """A number for each action, the larger the better, from the seat of the mover."""
        values = (observe(position, position.mover) - self.mean) / self.scale
        last = len(self.layers) - 1
        for i, (weights, biases) in enumerate(self.layers):
            values = values @ weights + biases
            if i < last:
                values = ACTIVATIONS[self.activation](values)
        return values

    def check_plays(self, game: Game, who: str) -> None:
        """Raise `OptionError` if this is a policy for something else, in the name of `who`."""
        own = self.game
        if _forms(own) != _forms(game):
            raise OptionError(f"{who} is a policy for {own!r}, and cannot play {game!r}.")

    def choose(self, position: Position, dice: Dice) -> int:
        """The legal action of the largest number; of several, the first."""
        logits = self.logits(position)
        return max(position.actions(), key=lambda action: (logits[action], -action))

    def write(self, path: Path) -> None:
        """Write the policy to a file. Raises `OptionError`."""
        arrays: dict[str, Any] = {"size": np.int64(self.game.size), "mean": self.mean, "scale": self.scale}
        for i, (weights, biases) in enumerate(self.layers):
            arrays |= {f"w{i}": _narrowed(weights), f"b{i}": _narrowed(biases)}
        words = {"format": FORMAT, "game": self.game.name, "activation": self.activation, "note": self.note}
        words["rules"] = ",".join(f"{name}={value}" for name, value in self.game.chosen_rules.items())
        write_arrays(path, words, arrays)


def observe(position: Position, seat: int) -> Array:
    """A position as numbers, seen from a seat: the observation of the environments, without a fair komi."""
    numbers, own, other, ply, scores = position.seen_from(seat)
    claims = range(position.game.claim_count)
    planes = (mask >> i & 1 for mask in (own, other) for i in claims)
    return np.array([*numbers, *planes, *(scores or ()), ply], np.float64)


def _forms(game: Game) -> tuple[object, ...]:
    """What observations and actions depend on."""
    return game.name, game.size, game.action_count, game.has_points


def _narrowed(numbers: Array) -> NDArray[Any]:
    """The same numbers in fewer bytes, where nothing is lost by that."""
    for kind in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            narrow = numbers.astype(kind)
        if (narrow == numbers).all():
            return narrow
    return numbers


def write_arrays(path: Path, words: Mapping[str, str], arrays: Mapping[str, Any]) -> None:
    """Write numbers and texts as a NumPy archive. Raises `OptionError`."""
    written = io.BytesIO()
    everything: dict[str, Any] = {**{name: np.array(word) for name, word in words.items()}, **arrays}
    np.savez_compressed(written, **everything)
    write_atomically(path, written.getvalue())


def read_arrays(path: Path, words: Sequence[str], kind: str) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """The texts of these names, empty where missing, and all else in a NumPy archive of some kind.

    Raises `OptionError`.
    """
    data = read_regular_file(path, LARGEST)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(part.file_size for part in archive.infolist()) > LARGEST:
                raise OptionError(f"{path} is too large once it is unpacked: more than {LARGEST} bytes.")
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, PentagridError):
            raise
        raise OptionError(f"{path} is not {kind}: {error}.") from None
    return {name: str(arrays.pop(name, "")) for name in words}, arrays


def read_policy(path: Path) -> Policy:
    """The policy in a file. Raises `OptionError`."""
    words, arrays = read_arrays(path, ("format", "game", "activation", "rules", "note"), "a policy")
    if words["format"] != FORMAT:
        raise OptionError(f"{path} is not a policy of this version: its format must be {FORMAT}.")
    count = sum(name[:1] == "w" and name[1:].isdigit() for name in arrays)
    needed = ("size", "mean", "scale", *(f"{kind}{i}" for i in range(count) for kind in "wb"))
    for name in needed:
        if name not in arrays or arrays[name].dtype.kind not in "fiu":
            raise OptionError(f"{path} must have numbers called {name}.")
    try:
        rules = dict(rule.split("=", 1) for rule in filter(None, words["rules"].split(",")))
        game = load(words["game"], int(arrays["size"]), **rules)
        floats = {name: arrays[name].astype(np.float64) for name in needed[1:]}
        layers = [(floats[f"w{i}"], floats[f"b{i}"]) for i in range(count)]
        return Policy(game, layers, words["activation"], floats["mean"], floats["scale"], words["note"])
    except (ValueError, TypeError) as error:
        raise OptionError(f"{path} is not a policy that can be used: {error}") from None


class PolicyPlayer(OutsidePlayer):
    """A player that follows a policy in a file, which is read at the first turn."""

    def __init__(self, file: str) -> None:
        if not file:
            raise OptionError("policy: needs a file behind it, such as policy:number-cross.npz.")
        self._path = Path(file).expanduser()
        self._policy: Policy | None = None

    def inform(self, start: Position, moves: list[str], seconds: float | None, turn_seconds: float | None) -> None:
        pass  # a position is all that it sees

    def choose(self, position: Position, dice: Dice) -> int:
        policy = self._policy = self._policy or read_policy(self._path)
        policy.check_plays(position.game, str(self._path))
        return policy.choose(position, dice)

    def leave(self, outcome: Outcome | None = None, final: Position | None = None) -> None:
        pass
