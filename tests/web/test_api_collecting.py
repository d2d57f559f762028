"""New databases, the games of lists in other databases, and marks of deletion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tabiya
from tests.web.conftest import Client, SiteMaker


@pytest.fixture
def writer(serve: SiteMaker) -> Client:
    return serve("games.pgn", "games.tabiya", "handmade.cbh", write=True)


def created(client: Client, name: str, format: str = "pgn", **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = client.ask(
        "POST", "/api/databases", 201, json={"name": name, "format": format, "beside": "s1", **more}
    )
    return made


def collect(client: Client, target: str, source: str, status: int = 200, **asked: Any) -> Any:
    query = client.listed(source, **asked)
    generation = client.ask("GET", f"/api/sources/{target}")["generation"]
    body = {"query": query["query"], "generation": generation}
    return client.ask("POST", f"/api/sources/{target}/collect", status, json=body)


@pytest.mark.parametrize(
    ("format", "file"),
    [("pgn", "Lesson 1.pgn"), ("cbh", "Lesson 1.cbh"), ("scid5", "Lesson 1.si5"), ("library", "Lesson 1.tabiya")],
)
def test_games_are_collected_in_a_new_database(writer: Client, folder: Path, format: str, file: str) -> None:
    made = created(writer, "Lesson 1", format)
    assert (made["name"], made["records"], made["append"]) == (file, 0, True)
    assert (folder / file).exists()
    answer = collect(writer, made["id"], "s1", headers={"white": "Carlsen"})
    assert answer["added"] == 10
    assert answer["generation"] != made["generation"]
    answer = collect(writer, made["id"], "s2", headers={"white": "Anand"})
    assert answer["added"] == 10
    assert [row["white"] for row in writer.rows(made["id"])] == ["Carlsen, Magnus"] * 10 + ["Anand, V"] * 10
    with tabiya.open(folder / file) as database:
        assert len(database[0].root.children) == 1


def test_nothing_is_replaced(writer: Client, folder: Path) -> None:
    before = (folder / "games.pgn").read_bytes()
    answer = writer.ask("POST", "/api/databases", 409, json={"name": "games.pgn", "format": "pgn", "beside": "s1"})
    assert answer["error"]["sentence"] == "games.pgn exists already; nothing was changed."
    assert (folder / "games.pgn").read_bytes() == before


@pytest.mark.parametrize("name", ["", " . ", "../up", "a/b", "a\\b", "a:b", "x" * 81, "a\0b", "a\nb"])
def test_a_name_is_no_path(writer: Client, folder: Path, name: str) -> None:
    files = sorted(folder.parent.rglob("*"))
    answer = writer.ask("POST", "/api/databases", 422, json={"name": name, "format": "pgn", "beside": "s1"})
    assert "letters, digits" in answer["error"]["sentence"]
    assert sorted(folder.parent.rglob("*")) == files


@pytest.mark.parametrize("format", ["parquet", "nothing"])
def test_formats_that_take_no_more_games(writer: Client, format: str) -> None:
    writer.ask("POST", "/api/databases", 422, json={"name": "a", "format": format})


def test_a_new_database_needs_a_folder_that_stays(serve: SiteMaker, folder: Path) -> None:
    client = serve(write=True)
    answer = client.ask("POST", "/api/databases", 422, json={"name": "a"})
    assert "--root" in answer["error"]["sentence"]
    rooted = serve(root=folder, write=True)
    assert rooted.ask("POST", "/api/databases", 201, json={"name": "a"})["name"] == "a.pgn"
    assert (folder / "a.pgn").exists()


def test_without_permission(client: Client, folder: Path) -> None:
    files = sorted(folder.iterdir())
    client.ask("POST", "/api/databases", 403, json={"name": "a", "beside": "s1"})
    collect(client, "s2", "s1", 403)
    generation = client.ask("GET", "/api/sources/s1")["generation"]
    client.ask("PUT", "/api/sources/s1/games/1/deleted", 403, json={"deleted": True, "generation": generation})
    assert sorted(folder.iterdir()) == files


def test_games_are_not_collected_where_they_are(writer: Client) -> None:
    assert "already" in collect(writer, "s1", "s1", 422)["error"]["sentence"]


def test_a_file_that_changed_takes_no_games(writer: Client, folder: Path) -> None:
    query = writer.listed("s2")
    generation = writer.ask("GET", "/api/sources/s1")["generation"]
    path = folder / "games.pgn"
    path.write_text(path.read_text("utf-8") + '\n[White "Z"]\n\n1. e4 *\n', "utf-8")
    before = path.read_bytes()
    body = {"query": query["query"], "generation": generation}
    writer.ask("POST", "/api/sources/s1/collect", 409, json=body)
    assert path.read_bytes() == before


@pytest.mark.parametrize("source", ["s2", "s3"])
def test_a_record_is_deleted_and_restored(writer: Client, source: str) -> None:
    before = writer.ask("GET", f"/api/sources/{source}/games/1")
    place = f"/api/sources/{source}/games/1/deleted"
    answer = writer.ask("PUT", place, json={"deleted": True, "generation": before["generation"]})
    assert writer.rows(source)[0]["deleted"]
    writer.ask("PUT", place, 409, json={"deleted": False, "generation": before["generation"]})
    writer.ask("PUT", place, json={"deleted": False, "generation": answer["generation"]})
    after = writer.ask("GET", f"/api/sources/{source}/games/1")
    assert {**after, "generation": ""} == {**before, "generation": ""}


def test_marks_of_what_is_not_there(writer: Client) -> None:
    generation = writer.ask("GET", "/api/sources/s3")["generation"]
    for number in (0, 10_000):
        body = {"deleted": True, "generation": generation}
        writer.ask("PUT", f"/api/sources/s3/games/{number}/deleted", 404, json=body)
    writer.ask("PUT", "/api/sources/s3/games/1/deleted", 422, json={"generation": generation})
