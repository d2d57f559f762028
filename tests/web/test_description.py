from __future__ import annotations

import re

import pytest

from tabiya.game.filters import RecordFilter
from tabiya.search.keyword_conditions import FLAG_MEANINGS, MEANINGS
from tabiya.web.description import docs_page, openapi
from tabiya.web.route import Route
from tabiya.web.routes import ROUTES
from tests.web.conftest import Client


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_route_is_described(route: Route) -> None:
    path = re.sub(r":\w+\}", "}", route.path)
    result = openapi()["paths"][path][route.method.lower()]
    assert result["summary"] == route.summary
    named = {each["name"] for each in result["parameters"] if each["in"] == "path"}
    assert named == {*re.findall(r"\{(\w+)\}", path)}
    assert path in docs_page()


def test_the_pages_of_the_description(client: Client) -> None:
    assert client.ask("GET", "/api/openapi.json")["openapi"].startswith("3.")
    page = client.get("/api/docs").text
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert client.get("/api/docs.css").headers["content-type"].startswith("text/css")


def test_the_vocabulary_has_every_condition(client: Client) -> None:
    words = client.ask("GET", "/api/vocabulary")
    known = {name for name in RecordFilter.__init__.__annotations__ if name != "return"}
    assert {each["name"] for each in words["headers"]} == known
    assert {each["name"] for each in words["position"]} >= MEANINGS.keys() | FLAG_MEANINGS.keys()
    for each in words["headers"]:
        for choice in each["choices"]:
            value = [choice] if each["kind"] == "texts" else choice
            client.listed("s2", headers={each["name"]: value})
    assert {"nag": 1, "glyph": "!", "slot": "move"} in words["nags"]
    letters = {each["language"]: "".join(each["letters"]) for each in words["piece_letters"]}
    assert letters.items() >= {("en", "KQRBNP"), ("de", "KDTLSB"), ("es", "RDTACP"), ("fr", "RDTFCP"), ("pl", "KHWGSP")}


def test_without_a_page_the_server_explains(client: Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "html" in answer.headers["content-type"]
