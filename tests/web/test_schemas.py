"""Every answer has a schema, and real answers of every endpoint follow it; ``Client`` compares all others as well."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from scripts.web_types import TYPES, type_of, types
from tabiya.web.analyses import Analyses
from tabiya.web.description import openapi
from tabiya.web.recent import Recent
from tabiya.web.route import Route
from tabiya.web.routes import ROUTES
from tests.analysis.engines import scripted
from tests.web.conftest import Client, SiteMaker
from tests.web.schemas import content_schema, differences

JSON = [route for route in ROUTES if route.media_type == "application/json" and route.status != 204]


@pytest.mark.parametrize("route", JSON, ids=lambda route: f"{route.method} {route.path}")
def test_every_handler_returns_what_its_route_describes(route: Route) -> None:
    """mypy compares the handler with its annotation, this the annotation with the table."""
    assert route.answer is not None
    returned = str(route.handler.__annotations__["return"]).split(" | ")
    assert route.answer.__name__ in {each.rpartition(".")[2] for each in returned}


def test_no_answer_is_without_a_schema() -> None:
    for path, operations in openapi()["paths"].items():
        for operation in operations.values():
            for response in operation["responses"].values():
                for media_type, content in response.get("content", {}).items():
                    assert media_type != "application/json" or content["schema"], path


def test_types_of_the_page_are_made_from_the_schemas() -> None:
    if not TYPES.exists():
        pytest.skip("SKIPPED: the sources of the page are not here")
    assert TYPES.read_text("utf-8") == types(), "run: python -m scripts.web_types"


def test_types_in_typescript() -> None:
    assert type_of({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]}) == "number | null"
    assert type_of({"type": "array", "items": {"enum": ["a", "b"]}}) == '("a" | "b")[]'
    assert type_of({}) == "unknown"


@pytest.mark.parametrize(
    ("value", "schema", "told"),
    [
        (1, {"type": "string"}, "not string"),
        (True, {"type": "integer"}, "not integer"),
        ("x", {"type": "string", "enum": ["y"]}, "none of"),
        ({}, {"$ref": "#/components/schemas/Opening"}, "eco is missing"),
        ({"eco": "", "name": "", "x": 1}, {"$ref": "#/components/schemas/Opening"}, "x is not described"),
        (None, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "not"),
        (["a"], {"type": "array", "prefixItems": [{"type": "string"}] * 2, "minItems": 2, "maxItems": 2}, "1 items"),
    ],
)
def test_the_comparison_notices_differences(value: Any, schema: dict[str, Any], told: str) -> None:
    assert any(told in each for each in differences(value, schema))


def test_answers_of_every_endpoint(serve: SiteMaker, folder: Path) -> None:
    (folder / "evaluated.pgn").write_text("1. e4 {[%eval 0.3]} *", "utf-8")
    recent = Recent(folder / "recent.json")
    recent.note(folder / "names.pgn", "database", "PGN")
    engines = Analyses([shlex.join(scripted("good", folder))])
    names = ("games.pgn", "games.tabiya", "handmade.cbh", "small.bin", "evaluated.pgn")
    client = serve(*names, write=True, recent=recent, analyses=engines)
    seen: set[tuple[str, str]] = set()

    def ask(method: str, place: str, status: int = 200, asked: str = "", **names: Any) -> Any:
        body = names.pop("json", None)
        path = place.format(**names)
        assert content_schema(method, path, status) is not None
        answer = client.ask(method, f"{path}?{asked}", status, **({} if body is None else {"json": body}))
        seen.add((method, place))
        return answer

    for place in ("/api", "/api/vocabulary", "/api/sources", "/api/formats", "/api/conversions", "/api/engines"):
        ask("GET", place)
    for source in ("s1", "s4"):
        ask("GET", "/api/sources/{source}", source=source)
    ask("GET", "/api/sources/{source}", 404, source="none")
    ask("GET", "/api/sources/{source}/book", source="s4", asked="transpositions=1")
    ask("GET", "/api/position", asked="play=e4,e5,Ke2,--")
    ask("GET", "/api/position/chess960", asked="number=1")
    for place in ("/explorer", "/explorer/masters", "/explorer/lichess", "/masters", "/master", "/lichess"):
        ask("GET", place, asked="source=s2&play=e4")
    for name in ("masters", "master", "lichess"):
        ask("GET", f"/explorer/{{source}}/{name}", source="s2", asked="play=e4")
    ask("GET", "/api/sources/{source}/explorer", source="s2", asked="move_orders=2")
    ask("GET", "/api/sources/{source}/games/{number}/report", source="s5", number=1)
    follow_a_list(ask)
    save_games(ask)
    evaluated = {"tags": [], "nodes": [{"parent": None}, {"parent": 0, "uci": "e2e4", "eval": {"pawns": 0.3}}]}
    ask("POST", "/api/tree/report", json={"game": evaluated})
    analysis = ask("POST", "/api/engines/{engine}/games", 201, json={"game": evaluated}, engine=1)["analysis"]
    while ask("GET", "/api/analyses/{analysis}", analysis=analysis, asked="wait=500")["state"] == "running":
        pass
    upload = ask("POST", "/api/uploads", 201, json={})["upload"]
    client.put(f"/api/uploads/{upload}/x.pgn", content=b"1. e4 *", headers={"content-type": "application/octet-stream"})
    ask("POST", "/api/uploads/{upload}/open", 201, json={}, upload=upload)
    ask_for_reports(ask)
    ask("GET", "/api/home")
    ask("POST", "/api/recent/{recent}/open", 201, json={}, recent=1)
    ask("POST", "/api/sources/{source}/library", 201, json={}, source="s5")
    job = ask("POST", "/api/conversions", 201, json={"source": "s3", "format": "pgn"})["job"]
    while ask("GET", "/api/conversions/{job}", job=job, asked="wait=500")["state"] == "running":
        pass
    collect_games(ask)
    assert seen == {(route.method, route.path) for route in JSON}


def collect_games(ask: Any) -> None:
    made = ask("POST", "/api/databases", 201, json={"name": "lesson", "beside": "s1"})
    query = ask("POST", "/api/sources/{source}/queries", 201, json={}, source="s2")
    body = {"query": query["query"], "generation": made["generation"]}
    saved = ask("POST", "/api/sources/{source}/collect", json=body, source=made["id"])
    body = {"deleted": True, "generation": saved["generation"]}
    ask("PUT", "/api/sources/{source}/games/{number}/deleted", json=body, source=made["id"], number=1)


def follow_a_list(ask: Any) -> None:
    made = ask("POST", "/api/sources/{source}/queries", 201, json={"position": {"fen": ["e4"]}}, source="s2")
    query = made["query"]
    while not ask("GET", "/api/queries/{query}", query=query, asked="wait=100")["complete"]:
        pass
    ask("GET", "/api/queries/{query}/rows", query=query)
    ask("GET", "/api/queries/{query}/statistics", query=query)
    ask("GET", "/api/queries/{query}/place", query=query, asked="number=1")


def ask_for_reports(ask: Any) -> None:
    for place in ("players", "events"):
        ask("GET", "/api/sources/{source}/" + place, source="s2")
    ask("GET", "/api/sources/{source}/player", asked="name=Anand,%20V&wait=20000", source="s2")
    ask("GET", "/api/sources/{source}/tournament", asked="event=Club%202&wait=20000", source="s2")


def save_games(ask: Any) -> None:
    game = ask("GET", "/api/sources/{source}/games/{number}", source="s3", number=1)
    ask("POST", "/api/pgn", json={"game": game})
    ask("POST", "/api/tree/check", json={"game": game})
    ask("POST", "/api/tree", json={"pgn": "1. e4 e5 {[%csl Ge4] good} (1... c5 $1) *"})
    library = ask("GET", "/api/sources/{source}", source="s2")
    body = {"game": game, "generation": library["generation"]}
    saved = ask("POST", "/api/sources/{source}/games", 201, json=body, source="s2")
    body = {"game": game, "generation": saved["generation"]}
    ask("PUT", "/api/sources/{source}/games/{number}", json=body, source="s2", number=1)


def test_an_answer_that_is_not_ready(client: Client) -> None:
    """Its shape is another one, with the status 202."""
    values = {
        "source": "s1",
        "generation": "x",
        "complete": False,
        "progress": None,
        "fen": "8/8/8/8/8/8/8/8 w - - 0 1",
    }
    schema = content_schema("GET", "/api/sources/s1/explorer", 202)
    assert schema is not None
    assert [*differences(values, schema)] == []
    assert [*differences(values, content_schema("GET", "/api/sources/s1/explorer", 200) or {})] != []
