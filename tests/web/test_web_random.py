"""Thousands of requests made up from the OpenAPI description: never a 500, never a changed game."""

from __future__ import annotations

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import response_schema_conformance
from tests_web import Person, Served

from pentagrid.web.app import make_app
from pentagrid.web.settings import Settings

EXAMPLES = 300
TOKEN = "A" * 43
DESCRIBED = make_app(Settings("sqlite:///:none:")).openapi()
OPERATIONS = [(method.upper(), path) for path, methods in DESCRIBED["paths"].items() for method in methods]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    server = Served(f"sqlite:///{tmp_path_factory.mktemp('random') / 'games.sqlite'}")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def game(served):
    """A game of others, which must stay as it is."""
    with httpx2.Client(base_url=served.address) as client:
        ann = Person(client)
        game = ann.create("number-cross", seed=1, you=1)["id"]
        ann.play_first(game)
        before = ann.state(game)
        yield game
        assert ann.state(game) == before


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[" ".join(operation) for operation in OPERATIONS])
def test_no_request_breaks_the_server_or_changes_a_game(served, game, method, path):
    schema = schemathesis.openapi.from_url(f"{served.address}/openapi.json")
    operation, codes = schema[path][method], set()
    asked = {parameter["name"] for parameter in DESCRIBED["paths"][path][method.lower()].get("parameters", [])}
    modes = (
        list(GenerationMode)
        if asked or "requestBody" in DESCRIBED["paths"][path][method.lower()]
        else [GenerationMode.POSITIVE]
    )

    @given(case=strategies.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes)))
    @settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
    )
    def ask(case):
        if "game" in (case.path_parameters or {}) and len(str(case.path_parameters["game"])) % 2:
            case.path_parameters["game"] = game
        response = case.call(headers={"authorization": f"Bearer {TOKEN}"})
        codes.add(response.status_code)
        if response.status_code >= 400:
            problem = response.json()
            assert problem["message"] and (response.status_code < 500 or problem["code"] == "busy"), response.text
        else:
            case.validate_response(response, checks=[response_schema_conformance])

    ask()
    assert codes
