"""An MCP server: tools with which an agent starts games, sees them and moves; and, if allowed, analyses them.

Needs the extra `mcp`. It speaks over standard input and output: `pentagrid mcp`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from pentagrid import __version__
from pentagrid.analysis.komi import deal, load_fair
from pentagrid.analysis.sentences import sentence
from pentagrid.core.catalog import find, game_names, part
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.core.rulebook import rules_of
from pentagrid.errors import NotAllowedError, OptionError, PentagridError, shown
from pentagrid.play import players
from pentagrid.play.match import Match, Seat

MOST_GAMES = 100
"""Games that a server keeps; finished ones make room for new ones."""
INSTRUCTIONS = (
    "Five small two-player grid games. Start one with start_game, then call move with a legal move until there is an "
    "outcome; the opponent answers at once."
)

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def told() -> Iterator[None]:
    """What a user can put right reaches the agent as the tool's error, with its code."""
    try:
        yield
    except PentagridError as error:
        raise ToolError(f"{error.code}: {error}") from None


def _told(function: Callable[P, R]) -> Callable[P, R]:
    @wraps(function)
    def careful(*args: P.args, **kwargs: P.kwargs) -> R:
        with told():
            return function(*args, **kwargs)

    return careful


class OpenGames:
    """The games of one server, by number."""

    def __init__(self) -> None:
        self._games: dict[int, Match] = {}
        self._last = 0

    def open(self, match: Match) -> int:
        """Keep a game. Raises `NotAllowedError` if there are too many unfinished ones."""
        if len(self._games) >= MOST_GAMES:
            done = next((number for number, one in self._games.items() if one.outcome is not None), None)
            if done is None:
                raise NotAllowedError(f"{MOST_GAMES} games are unfinished; finish or resign one first.")
            del self._games[done]
        self._last += 1
        self._games[self._last] = match
        return self._last

    def find(self, number: int) -> Match:
        """A game by its number. Raises `OptionError`."""
        if number not in self._games:
            raise OptionError(f"There is no game {number}; start one with start_game.")
        return self._games[number]


class StrictServer(MCPServer):
    """A server whose tools refuse arguments that they do not have, so that none is silently ignored."""

    async def list_tools(self) -> list[Any]:
        tools: list[Any] = await super().list_tools()
        for tool in tools:
            tool.input_schema["additionalProperties"] = False
        return tools

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        for tool in await self.list_tools():
            known = tool.input_schema.get("properties", {})
            if tool.name == name and (unknown := sorted(set(arguments) - set(known))):
                offers = f"it has {', '.join(known)}" if known else "it has none"
                with told():
                    raise OptionError(f"{name} has no argument {shown(unknown[0])}; {offers}.")
        return await super().call_tool(name, arguments, context)


def server(analysis: bool = False) -> MCPServer:
    """The server; with `analysis` agents may ask for the exact values."""
    made = StrictServer("pentagrid", version=__version__, instructions=INSTRUCTIONS)
    tables = OpenGames()

    @made.tool()
    @_told
    def list_games() -> list[dict[str, Any]]:
        """The games that can be played, with their sizes, rule options and how a move is written."""
        return [_offer(find(name)) for name in game_names()]

    @made.tool()
    @_told
    def rules(game: str) -> str:
        """The rules of a game."""
        return rules_of(game)

    @made.tool()
    @_told
    def start_game(
        game: str,
        opponent: str = "greedy",
        seat: int = 1,
        seed: int | None = None,
        board: str | None = None,
        size: int | None = None,
        options: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """Start a game. `opponent` is random, greedy, level:1 to level:9, perfect, or human if you move for both.

        `seat` is yours: 1 moves first. `seed` or `board` (rows by "/") settle the deal. `options` are rule options,
        such as {"pie": "on"}; with {"komi": "fair"} the deal's exact value sets the komi.
        """
        kind, fair = load_fair(game, size, options or {})
        if seat not in (1, 2):
            raise OptionError(f"seat {seat} cannot be; it is 1 or 2.")
        players.make_player(opponent)
        chosen = Dice(fresh_seed() if seed is None else seed).seed
        start = deal(kind, chosen, fair, board)
        seats = [Seat(kind=opponent), Seat(kind=opponent)]
        seats[seat - 1] = Seat()
        match = Match(start, (seats[0], seats[1]), seed=chosen)
        number = tables.open(match)
        answered = _answer(match)
        return _state(number, match, answered)

    @made.tool()
    @_told
    def see(game_number: int) -> dict[str, Any]:
        """A game as it stands: the board, the scores, the moves made, the legal moves."""
        return _state(game_number, tables.find(game_number), [])

    @made.tool()
    @_told
    def move(game_number: int, move: str) -> dict[str, Any]:
        """Make your move; the opponent answers. An illegal move changes nothing and says why."""
        match = tables.find(game_number)
        match.play(move)
        return _state(game_number, match, _answer(match))

    @made.tool()
    @_told
    def resign(game_number: int) -> dict[str, Any]:
        """Give a game up."""
        match = tables.find(game_number)
        match.resign(match.position.mover)
        return _state(game_number, match, [])

    if analysis:

        @made.tool()
        @_told
        def analyze(game_number: int) -> dict[str, Any]:
            """Who wins the position under best play, by how much, and what every move leads to."""
            found = analyze(tables.find(game_number).position)
            return {
                "sentence": sentence(found),
                "exact": found.exact,
                "winner": found.value.winner,
                "margin": found.value.margin,
                "moves": [
                    {
                        "move": one.move,
                        "winner": one.winner,
                        "margin": one.margin,
                        "regret": one.regret,
                        "best": one.best,
                    }
                    for one in found.options
                ],
            }

    return made


def _offer(kind: type[Game]) -> dict[str, Any]:
    game = kind()
    return {
        "name": kind.name,
        "title": kind.title,
        "default_size": kind.default_size,
        "sizes": [kind.sizes.start, kind.sizes.stop - 1],
        "options": {rule.name: {"values": list(rule.values), "meaning": rule.meaning} for rule in kind.offered_rules},
        "a_move_is": game.notation.words,
    }


def _answer(match: Match) -> list[str]:
    """The opponent's moves, until it is the agent's turn."""
    made = []
    while match.outcome is None and not match.mover.is_human:
        match.play(match.think())
        made.append(match.moves[-1])
    return made


def _state(number: int, match: Match, answered: list[str]) -> dict[str, Any]:
    position, outcome = match.position, match.outcome
    speech = part(position.game.name, "text").SPEECH(position.game)
    return {
        "game_number": number,
        "game": position.game.name,
        "drawing": "\n".join(line for line in speech.updated(position) if line.strip()),
        "position": position.text,
        "your_turn_as": None if outcome else position.mover,
        "scores": position.scores,
        "moves": match.moves,
        "opponent_played": answered,
        "legal": [] if outcome else list(position.moves()),
        "outcome": None if outcome is None else outcome._asdict(),
    }


def run(analysis: bool = False) -> None:
    """Serve over standard input and output until it is closed."""
    server(analysis).run("stdio")
