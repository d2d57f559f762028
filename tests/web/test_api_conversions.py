from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tests.web.conftest import ROUNDS, Client, SiteMaker


def converted(client: Client, **asked: Any) -> dict[str, Any]:
    job: dict[str, Any] = client.ask("POST", "/api/conversions", 201, json=asked)
    while job["state"] == "running":
        job = client.ask("GET", f"/api/conversions/{job['job']}?wait=500")
    return job


@pytest.mark.parametrize(
    "format", [each for each in tabiya.FORMATS if each.create is not None], ids=lambda each: each.name
)
def test_to_every_format(client: Client, tmp_path: Path, format: Any) -> None:
    job = converted(client, source="s1", format=format.name)
    assert job["state"] == "done", job
    assert job["report"]["written"] == ROUNDS
    assert job["generation"]
    content = client.get(job["download"]).content
    assert len(content) == job["bytes"]
    place = tmp_path / "out"
    place.mkdir()
    if job["file"].endswith(".zip") and ".zip" not in format.suffixes:
        zipfile.ZipFile(io.BytesIO(content)).extractall(place)
        (target,) = [path for path in place.iterdir() if path.name.endswith(format.suffixes[0])]
    else:
        target = place / job["file"]
        target.write_bytes(content)
    with tabiya.open(target, format=format.name) as database:
        assert len(database) == ROUNDS


def test_the_games_of_a_list_with_what_is_lost(client: Client) -> None:
    query = client.listed("s1", headers={"has": ["variations"]})
    job = converted(client, query=query["query"], format="bcgn", name="../../my games?")
    assert job["file"] == "_.._my games_.bcgn"
    assert job["report"]["written"] == query["total"]
    lost = {loss["what"]: loss for loss in job["report"]["losses"]}
    assert lost["variations"]["count"] == query["total"]
    assert lost["variations"]["first"] == 2
    assert "variations" in lost["variations"]["sentence"]


def test_profiles_and_options(client: Client) -> None:
    job = converted(client, source="s1", format="pgn", profile="plain", options={"dialect": "chessbase"})
    assert job["state"] == "done"
    client.ask("POST", "/api/conversions", 422, json={"source": "s1", "format": "pgn", "options": {"append": True}})
    client.ask("POST", "/api/conversions", 422, json={"source": "s1", "format": "pgn", "options": {"odd": 1}})
    client.ask("POST", "/api/conversions", 422, json={"source": "s1", "format": "pgn", "options": {"profile": 1}})
    client.ask("POST", "/api/conversions", 422, json={"source": "s1", "format": "none"})
    client.ask("POST", "/api/conversions", 422, json={"source": "s4", "format": "pgn"})
    client.ask("POST", "/api/conversions", 404, json={"source": "s9", "format": "pgn"})
    client.ask("POST", "/api/conversions", 410, json={"query": "q9", "format": "pgn"})
    assert converted(client, source="s1", format="pgn", profile="odd")["state"] == "failed"


def test_results_are_removed(client: Client) -> None:
    job = converted(client, source="s1", format="pgn")
    assert [each["job"] for each in client.ask("GET", "/api/conversions")["conversions"]] == [job["job"]]
    client.ask("DELETE", f"/api/conversions/{job['job']}", 204)
    client.ask("GET", f"/api/conversions/{job['job']}", 410)
    client.ask("GET", job["download"], 410)
    assert client.ask("GET", "/api/conversions")["conversions"] == []


def test_cancelling(serve: SiteMaker, folder: Path) -> None:
    (folder / "many.pgn").write_text((folder / "games.pgn").read_text("utf-8") * 2000, "utf-8")
    client = serve("many.pgn")
    job = client.ask("POST", "/api/conversions", 201, json={"source": "s1", "format": "cbh"})
    client.ask("DELETE", f"/api/conversions/{job['job']}", 204)
    assert client.ask("GET", "/api/conversions")["conversions"] == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_fails_unexpectedly_has_failed(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tabiya.web.conversions.convert", break_down)
    for _ in range(3):  # only two can run at once
        answer = converted(client, source="s1", format="pgn")
        assert answer["state"] == "failed"
        assert "unexpected" in answer["error"]


def test_the_number_of_results_is_bounded(client: Client) -> None:
    for _ in range(16):
        converted(client, source="s1", format="pgn")
    answer = client.ask("POST", "/api/conversions", 503, json={"source": "s1", "format": "pgn"})
    assert "16 results" in answer["error"]["sentence"]


def test_formats(client: Client) -> None:
    found = {each["name"]: each for each in client.ask("GET", "/api/formats")["formats"]}
    assert found.keys() >= {each.name for each in (*tabiya.FORMATS, *tabiya.BOOK_FORMATS)}
    assert [profile["name"] for profile in found["pgn"]["profiles"]] == ["plain"]
    assert "append" not in {option["name"] for option in found["pgn"]["options"]}
