"""An MCP server: tools for agents to start games, look at them and move; and, if allowed, to analyze them.

It needs the extra `mcp`, and talks over standard input and output: `pentagrid mcp`.
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
from pentagrid.analysis.solver import analyze as analyze_position
from pentagrid.analysis.values import Analysis
from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.core.rulebook import rules_of
from pentagrid.core.speech import Speech, player_names, speech_for
from pentagrid.errors import NotAllowedError, OptionError, PentagridError, shown
from pentagrid.play import players
from pentagrid.play.match import Match, Seat

MOST_GAMES = 100
"""How many games a server keeps; finished ones make room for new ones."""
INSTRUCTIONS = (
    "Five small two-player grid games. Start one with start_game, then call move with a legal move until there is an "
    "outcome; the opponent answers at once."
)

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def tool_errors(speech: Speech | None = None) -> Iterator[None]:
    """Turn the library's errors into errors of the tool, with their code, in a game's words where it is known."""
    try:
        yield
    except PentagridError as error:
        raise ToolError(f"{error.code}: {speech.explain(error) if speech else error}") from None


def _with_tool_errors(function: Callable[P, R]) -> Callable[P, R]:
    """A tool whose library errors become errors of the tool."""

    @wraps(function)
    def tool(*args: P.args, **kwargs: P.kwargs) -> R:
        with tool_errors():
            return function(*args, **kwargs)

    return tool


class OpenGames:
    """The games of one server, by number."""

    def __init__(self) -> None:
        self._games: dict[int, Match] = {}
        self._last = 0

    def open(self, match: Match) -> int:
        """Keep a game and give it a number. Raises `NotAllowedError` if there are too many unfinished ones."""
        if len(self._games) >= MOST_GAMES:
            finished = next((number for number, kept in self._games.items() if kept.outcome is not None), None)
            if finished is None:
                raise NotAllowedError(f"{MOST_GAMES} games are unfinished; finish or resign one first.")
            del self._games[finished]
        self._last += 1
        self._games[self._last] = match
        return self._last

    def find(self, number: int) -> Match:
        """A game by its number. Raises `OptionError`."""
        if number not in self._games:
            raise OptionError(f"There is no game number {number}; start one with start_game.")
        return self._games[number]


class StrictServer(MCPServer):
    """A server whose tools refuse unknown arguments instead of ignoring them."""

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
                with tool_errors():
                    raise OptionError(f"{name} has no argument {shown(unknown[0])}; {offers}.")
        return await super().call_tool(name, arguments, context)


def make_server(analysis: bool = False) -> MCPServer:
    """The server; with `analysis` it has a tool for exact values."""
    server = StrictServer("pentagrid", version=__version__, instructions=INSTRUCTIONS)
    games = OpenGames()

    @server.tool()
    @_with_tool_errors
    def list_games() -> list[dict[str, Any]]:
        """List the games, with their sizes, rule options and how a move is written."""
        return [_game_data(find(name)) for name in game_names()]

    @server.tool()
    @_with_tool_errors
    def rules(game: str) -> str:
        """Show the rules of a game."""
        return rules_of(game)

    @server.tool()
    @_with_tool_errors
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

        `seat` is yours: 1 moves first. `seed` or `board` (rows separated by "/") gives the deal. `options` are rule
        options, such as {"pie": "on"}; with {"komi": "fair"} the deal's exact value sets the komi.
        """
        loaded, fair = load_fair(game, size, options or {})
        if seat not in (1, 2):
            raise OptionError(f"seat must be 1 or 2, not {seat}.")
        players.make_player(opponent)
        chosen_seed = Dice(fresh_seed() if seed is None else seed).seed
        start = deal(loaded, chosen_seed, fair, board)
        seats = [Seat(kind=opponent), Seat(kind=opponent)]
        seats[seat - 1] = Seat()
        match = Match(start, (seats[0], seats[1]), seed=chosen_seed)
        number = games.open(match)
        return _state_data(number, match, _play_opponent(match))

    @server.tool()
    @_with_tool_errors
    def show_game(game_number: int) -> dict[str, Any]:
        """Show a game as it stands: the board, the scores, the moves made, the legal moves."""
        return _state_data(game_number, games.find(game_number), [])

    @server.tool()
    @_with_tool_errors
    def move(game_number: int, move: str) -> dict[str, Any]:
        """Make your move; the opponent answers. An illegal move changes nothing, and the error says why."""
        match = games.find(game_number)
        with tool_errors(speech_for(match.position.game)):
            match.play(move)
        return _state_data(game_number, match, _play_opponent(match))

    @server.tool()
    @_with_tool_errors
    def resign(game_number: int) -> dict[str, Any]:
        """Resign a game."""
        match = games.find(game_number)
        match.resign(match.position.mover)
        return _state_data(game_number, match, [])

    if analysis:

        @server.tool()
        @_with_tool_errors
        def analyze(game_number: int) -> dict[str, Any]:
            """Show who wins the position under best play, by how much, and what every move leads to."""
            return _analysis_data(analyze_position(games.find(game_number).position))

    return server


def _game_data(game_class: type[Game]) -> dict[str, Any]:
    """What `list_games` says of a game."""
    game, rules = game_class(), game_class.offered_rules
    return {
        "name": game.name,
        "title": game.title,
        "players": list(player_names(game)),
        "default_size": game.default_size,
        "sizes": [game.sizes.start, game.sizes.stop - 1],
        "options": {rule.name: {"values": list(rule.values), "meaning": rule.meaning} for rule in rules},
        "notation": game.notation.words,
    }


def _state_data(number: int, match: Match, opponent_moves: list[str]) -> dict[str, Any]:
    """A game as the tools answer: `Position.data()`, a drawing and the moves. The first of `players` has seat 1."""
    position, outcome = match.position, match.outcome
    speech = speech_for(position.game)
    data = {
        **position.data(),
        "game_number": number,
        "players": list(speech.both_names()),
        "drawing": "\n".join(line for line in speech.updated(position) if line.strip()),
        "moves": match.moves,
        "opponent_moves": opponent_moves,
    }
    if outcome is not None:  # also if a player has resigned
        data |= {"turn": None, "legal": [], "outcome": outcome.data()}
    return data


def _analysis_data(analysis: Analysis) -> dict[str, Any]:
    """An analysis as the tool answers: `Analysis.data()`, and a sentence about it."""
    return {**analysis.data(), "sentence": sentence(analysis)}


def _play_opponent(match: Match) -> list[str]:
    """Let the opponent move until it is the agent's turn; the moves it made."""
    made = []
    while match.outcome is None and not match.mover.is_human:
        match.play(match.think())
        made.append(match.moves[-1])
    return made


def serve_stdio(analysis: bool = False) -> None:
    """Serve over standard input and output until the input is closed."""
    make_server(analysis).run("stdio")
