"""The MCP server, with the package's own client over stdio."""

from __future__ import annotations

import json
import sys

import pytest

import pentagrid as pg
from pentagrid.analysis.sentences import sentence

pytest.importorskip("mcp", reason='needs the extra "mcp": pip install "pentagrid[mcp]"')
anyio = pytest.importorskip("anyio", reason='needs the extra "mcp": pip install "pentagrid[mcp]"')

from mcp import ClientSession, StdioServerParameters  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402

BOARD = "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"


def talk(conversation, *options):
    """Start the server, let a client talk to it, and see it ended."""

    async def main():
        server = StdioServerParameters(command=sys.executable, args=["-m", "pentagrid", "mcp", *options])
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            with anyio.fail_after(60):
                await client.initialize()
                await conversation(client)

    anyio.run(main)


async def call(client, tool, **arguments):
    """A tool's answer, or its error as text."""
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        return result.content[0].text
    data = result.structured_content
    return (
        data["result"] if data is not None and set(data) == {"result"} else data or json.loads(result.content[0].text)
    )


def test_a_whole_game():
    async def conversation(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"list_games", "rules", "start_game", "show_game", "move", "resign"}
        assert all(tool.description for tool in tools.values())
        assert all(tool.input_schema["additionalProperties"] is False for tool in tools.values())
        assert [game["name"] for game in await call(client, "list_games")] == list(pg.game_names())
        assert (await call(client, "rules", game="number-cross")).startswith("# Number Cross")
        state = await call(client, "start_game", game="matrix-capture", board=BOARD, seed=1, opponent="perfect")
        assert state["turn"] == 1 and state["scores"] == [0, 0] and len(state["legal"]) == 16
        position = pg.load("matrix-capture").read_board(BOARD)
        while state["outcome"] is None:
            move = state["legal"][-1]
            state = await call(client, "move", game_number=state["game_number"], move=move)
            for made in (move, *state["opponent_moves"]):
                position = position.play(made)
            assert pg.read_position(state["position"]) == position and tuple(state["legal"]) == position.moves()
        assert state["outcome"] == position.outcome()._asdict()
        assert await call(client, "show_game", game_number=state["game_number"]) == {**state, "opponent_moves": []}

    talk(conversation)


def test_errors_are_told_with_their_codes_and_change_nothing():
    async def conversation(client):
        start = await call(client, "start_game", game="matrix-capture", board=BOARD, opponent="human", seat=2)
        number = start["game_number"]
        state = await call(client, "move", game_number=number, move="R2C2")
        assert state["turn"] == 2 and state["opponent_moves"] == []
        for arguments, code in (
            ({"move": "R2C2"}, "not-allowed"), ({"move": "xyzzy"}, "unreadable"),
            ({"move": "R1C1", "game_number": 77}, "bad-option"),
        ):  # fmt: skip
            error = await call(client, "move", **({"game_number": number} | arguments))
            assert code in error
        for arguments, code in (
            ({"game": "chess"}, "bad-option"), ({"game": "matrix-capture", "board": "1"}, "bad-board"),
            ({"game": "matrix-capture", "opponent": "exec:true"}, "bad-option"),
            ({"game": "matrix-capture", "seat": 3}, "bad-option"),
            ({"game": "matrix-capture", "seed": -1}, "bad-option"),
            ({"game": "matrix-capture", "options": {"color": "red"}}, "bad-option"),
        ):  # fmt: skip
            assert code in await call(client, "start_game", **arguments)
        error = await call(client, "start_game", game="matrix-capture", komi="2.5")
        assert "bad-option: start_game has no argument 'komi'; it has game, opponent, seat" in error
        assert "list_games has no argument 'page'; it has none" in await call(client, "list_games", page=2)
        assert "has no argument 'number'" in await call(client, "resign", game_number=number, number=1)
        assert (await call(client, "show_game", game_number=number))["position"] == state["position"]
        over = await call(client, "resign", game_number=number)
        assert over["outcome"] == {"winner": 1, "reason": "resign"}
        assert "game-over" in await call(client, "move", game_number=number, move="R1C1")
        assert "Unknown tool" in str(await call(client, "analyze", game_number=number))

    talk(conversation)


def test_players_have_the_names_that_the_game_gives_them():
    async def conversation(client):
        state = await call(client, "start_game", game="capture-squares", seed=1, opponent="greedy")
        assert state["players"] == ["Player A", "Player B"] and "Player A: 0" in state["drawing"]
        analysis = await call(client, "analyze", game_number=state["game_number"])
        assert "Player A" in analysis["sentence"] or "Player B" in analysis["sentence"]

    talk(conversation, "--analysis")


def test_analysis_if_it_is_allowed():
    async def conversation(client):
        state = await call(client, "start_game", game="matrix-capture", board=BOARD)
        fair = await call(client, "start_game", game="matrix-capture", board=BOARD, options={"komi": "fair"})
        data = await call(client, "analyze", game_number=fair["game_number"])
        assert abs(data["value"]["margin"]) == 0.5
        data = await call(client, "analyze", game_number=state["game_number"])
        analysis = pg.analyze(pg.load("matrix-capture").read_board(BOARD))
        assert data == {**json.loads(json.dumps(analysis.data())), "sentence": sentence(analysis)}

    talk(conversation, "--analysis")
