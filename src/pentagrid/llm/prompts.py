"""What a language model is told, and how its answers are read: strictly but fairly."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rulebook import options_of, rules_of
from pentagrid.errors import NotAllowedError, OptionError, UnreadableError, shown

BOARDS = ("drawing", "json", "prose")
LARGEST_RULES = 1 << 20


def rules_text(game: Game, file: str | None) -> str:
    """The rules as settled, or those in a file of the user's. Raises `OptionError`."""
    if file is None:
        return rules_of(game.name)
    try:
        data = Path(file).expanduser().read_bytes()
    except OSError as error:
        raise OptionError(f"The rules file {file} cannot be read: {error.strerror}.") from None
    try:
        if len(data) > LARGEST_RULES:
            raise OptionError(f"The rules file {file} has {len(data)} bytes; the most is {LARGEST_RULES}.")
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise OptionError(f"The rules file {file} is not UTF-8 text.") from None


def check_board(board: str) -> str:
    """A way to show the board. Raises `OptionError`."""
    if board not in BOARDS:
        raise OptionError(f"board {shown(board)} cannot be; it can be {', '.join(BOARDS)}.")
    return board


def system(game: Game, rules: str, answer: str) -> str:
    """How the conversation begins: the rules, and what the chosen options change about them."""
    options = ", ".join([f"size {game.size}", *(f"{name}={value}" for name, value in game.rules.items())])
    chosen = "\n".join(f"- {option}: {meaning}." for option, meaning in options_of(game).items())
    told = f"In this game these options hold, whatever the rules above say otherwise:\n{chosen}\n\n" if chosen else ""
    return (
        f"You are playing {game.title}, a game for two ({options}). These are its rules:\n\n{rules.strip()}\n\n{told}"
        f"A move is written as {game.notation.words}. Think as long as you like. {answer}"
    )


HOW_TO_MOVE = 'End every reply with a line that has only your move: "MOVE: …"'


def described(position: Position, board: str) -> str:
    """A position: drawn as the rules draw it, as JSON, or in sentences."""
    if board == "json":
        told = {
            "board": position.board,
            "claims": [position.owner(i) for i in range(sum(position.game.claim_rows()))],
            "scores": position.scores,
            "turn": position.turn,
            "turns_made": position.ply,
        }
        if position.game.pie:
            told["swapped"] = position.swapped
        return json.dumps(told)
    speech = part(position.game.name, "text").SPEECH(position.game)
    told_swap = ["The players have swapped sides: Player 1 plays the second side now."] if position.swapped else []
    if board == "prose":
        return " ".join([_prose(position), *speech.komi(position), *told_swap])
    return "\n".join([*(line for line in speech.updated(position) if line.strip()), *told_swap])


def _prose(position: Position) -> str:
    owners = ("free", "owned by Player 1", "owned by Player 2")
    sentences = []
    for number, row in enumerate(position.cells(), 1):
        cells = []
        for c, cell in enumerate(row, 1):
            state = owners[cell.owner]
            if cell.owner == 0 and not cell.available and not position.lines():
                state = "no longer available"
            name = f"column {c} has {cell.label}" if cell.label else f"column {c} is"
            if cell.label:
                cells.append(name if position.lines() else f"{name} ({state})")
            else:
                cells.append(f"{name} {state}")
        sentences.append(f"In row {number}, {', '.join(cells)}.")
    for line in position.lines():
        sentences.append(f"{line.label} is {owners[line.owner]}.")
    if position.scores is not None:
        sentences.append(f"Player 1 has {position.scores[0]} points, Player 2 has {position.scores[1]}.")
    return " ".join([*sentences, f"{position.ply} turns have been made."])


def asked(position: Position, board: str, legal: bool, news: str = "") -> str:
    """The question for a move."""
    lines = [news, described(position, board), f"You are Player {position.mover}, and it is your turn."]
    if legal:
        lines.append(f"The legal moves are: {'; '.join(position.moves())}")
    return "\n\n".join([*filter(None, lines), HOW_TO_MOVE])


def read_move(reply: str, position: Position) -> int:
    """The action that a reply names: behind the last `MOVE:`, or the whole reply if it is nothing but a move.

    Marks of emphasis, quotes and a full stop around it do not matter. Raises `UnreadableError` if there is none that
    can be read, and `NotAllowedError` if it is not legal.
    """
    game = position.game
    text = labeled(reply, "MOVE")
    if text is None:
        text = _bare(reply)
        if "\n" in text or len(text) > 40:
            raise UnreadableError('Your reply has no line "MOVE: …".')
    action = game.action(text)
    if action not in position.actions():
        raise NotAllowedError(game.refusal(position, action))
    return action


def labeled(reply: str, label: str) -> str | None:
    """What stands behind the last `LABEL:` that begins a line; None if there is none."""
    found = re.findall(rf"^[\s>*_`#\-]*{label}[*_`]*\s*:(.*)$", reply, re.M | re.I)
    return _bare(found[-1]) if found else None


def _bare(text: str) -> str:
    """Without marks of emphasis, quotes and a full stop around it."""
    return text.strip().strip("*_`\"'“”‘’ \t").rstrip(".!").strip("*_`\"'“”‘’ \t")
