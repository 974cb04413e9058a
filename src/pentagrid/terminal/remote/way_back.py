"""How to come back to a served game: the words for someone who leaves it."""

from __future__ import annotations

from pentagrid.terminal.remote.seat_keys import SeatKeyFile
from pentagrid.terminal.remote.served_game import ServedGame
from pentagrid.terminal.suggested_commands import program_words


def way_back(game: ServedGame, options: str = "") -> list[str]:
    """The lines for someone who leaves a game; none if it is over. Raises as `SeatKeyFile.read`."""
    if game.now.outcome is not None:
        return []
    if not game.you:
        return [f"To watch again: {program_words()} join {game.link}{options}"]
    which = f" --seat {min(game.you)}" if len(SeatKeyFile().find(game.link)) > 1 else ""
    stays = "Your seat stays yours; your clock runs on. " if game.now.turn_seconds else "Your seat stays yours. "
    return [f"{stays}To come back: {program_words()} join {game.link}{which}{options}"]
