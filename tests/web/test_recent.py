"""What the server remembers, and what a page can open by it: nothing that the user did not open before."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.errors import TabiyaError
from tabiya.web.conversions import Conversion
from tabiya.web.recent import Recent, recent_list
from tabiya.web.sources import Sources
from tests.web.conftest import Client, SiteMaker


@pytest.fixture
def remembered(tmp_path: Path) -> Recent:
    return Recent(tmp_path / "state" / "recent.json")


def note(recent: Recent, *paths: Path) -> None:
    for path in paths:
        recent.note(path, "database", "PGN")


def names(client: Client) -> list[str]:
    return [each["name"] for each in client.ask("GET", "/api/home")["recent"]]


def test_the_latest_come_first_each_once_and_not_too_many(remembered: Recent, tmp_path: Path) -> None:
    note(remembered, *(tmp_path / f"{number}.pgn" for number in range(30)), tmp_path / "25.pgn")
    found = [Path(each.path).name for each in remembered.files()]
    assert found[:3] == ["25.pgn", "29.pgn", "28.pgn"]
    assert len(found) == len({*found}) == 20


def test_only_the_user_can_read_the_list(remembered: Recent, tmp_path: Path) -> None:
    note(remembered, tmp_path / "a.pgn")
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "state" / "recent.json").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[]",
        "{}",
        '{"recent": 1}',
        '{"recent": [{"path": "/a"}]}',
        '{"recent": [7]}',
        "[" * 100_000,
        json.dumps({"recent": [{"path": "a.pgn", "kind": "database", "format_title": "", "opened": ""}]}),
        json.dumps({"recent": [{"path": "/a\0", "kind": "database", "format_title": "", "opened": ""}]}),
        json.dumps({"recent": [{"path": "/a", "kind": "x", "format_title": "", "opened": ""}]}),
        json.dumps({"recent": [{"path": "/a", "kind": "book", "format_title": "", "opened": "", "records": "x"}]}),
    ],
)
def test_a_damaged_list_is_an_empty_one(remembered: Recent, tmp_path: Path, text: str) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "recent.json").write_text(text, "utf-8")
    assert remembered.files() == []
    note(remembered, tmp_path / "a.pgn")
    assert len(remembered.files()) == 1


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file", "utf-8")
    recent = Recent(tmp_path / "state" / "recent.json")
    note(recent, tmp_path / "a.pgn")
    assert recent.files() == []


def test_the_usual_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert recent_list() == tmp_path / "tabiya" / "recent.json"


def test_recent_databases_are_opened_by_number(serve: SiteMaker, remembered: Recent, folder: Path) -> None:
    note(remembered, folder / "games.pgn", folder / "names.pgn", folder / "gone.pgn")
    client = serve("games.pgn", recent=remembered)
    listed = client.ask("GET", "/api/home")["recent"]
    assert [(each["name"], each["missing"]) for each in listed] == [("gone.pgn", True), ("names.pgn", False)]
    opened = client.ask("POST", f"/api/recent/{listed[1]['recent']}/open", 201, json={})
    assert (opened["name"], opened["origin"]) == ("names.pgn", "argument")
    assert names(client) == ["gone.pgn"]
    assert Path(remembered.files()[0].path).name == "names.pgn"
    assert client.rows(opened["id"])
    refused = client.ask("POST", f"/api/recent/{listed[0]['recent']}/open", 422, json={})
    assert "gone.pgn" in refused["error"]["sentence"]
    client.ask("DELETE", f"/api/sources/{opened['id']}", 204)
    again = client.ask("POST", f"/api/recent/{listed[1]['recent']}/open", 201, json={})
    assert again["id"] != opened["id"]


def test_a_page_cannot_open_anything_else(serve: SiteMaker, remembered: Recent, folder: Path) -> None:
    note(remembered, folder / "names.pgn")
    client = serve("games.pgn", recent=remembered)
    for number in ("0", "2", "-1", "99999999"):
        client.ask("POST", f"/api/recent/{number}/open", 404, json={})
    for number in ("names.pgn", "%2Fetc%2Fpasswd", "1.5"):
        assert client.request("POST", f"/api/recent/{number}/open", json={}).status_code in {404, 422}
    client.ask("POST", "/api/recent/1/open", 201, json={"path": str(folder / "games.tabiya")})
    assert {source["name"] for source in client.ask("GET", "/api/sources")["sources"]} == {"games.pgn", "names.pgn"}


def test_a_path_that_became_a_folder_or_a_pattern_opens_nothing(
    serve: SiteMaker, remembered: Recent, folder: Path
) -> None:
    (folder / "were.pgn").mkdir()
    (folder / "were.pgn" / "secret.pgn").write_text("1. e4 *", "utf-8")
    note(remembered, folder / "were.pgn", folder / "*.pgn")
    client = serve("games.pgn", recent=remembered)
    for each in client.ask("GET", "/api/home")["recent"]:
        client.ask("POST", f"/api/recent/{each['recent']}/open", 422, json={})
    assert len(client.ask("GET", "/api/sources")["sources"]) == 1


def test_databases_are_forgotten(serve: SiteMaker, remembered: Recent, folder: Path) -> None:
    note(remembered, folder / "names.pgn", folder / "small.bin", folder / "small.ctg")
    client = serve("games.pgn", recent=remembered)
    first = client.ask("GET", "/api/home")["recent"][0]
    client.ask("DELETE", f"/api/recent/{first['recent']}", 204)
    assert names(client) == ["small.bin", "names.pgn"]
    client.ask("DELETE", f"/api/recent/{first['recent']}", 404)
    client.ask("DELETE", "/api/recent", 204)
    assert remembered.files() == []


def test_without_permission_there_is_no_list(serve: SiteMaker) -> None:
    client = serve("games.pgn")
    assert client.ask("GET", "/api")["recent"] is False
    assert client.ask("GET", "/api/home") == {"recent": []}
    client.ask("POST", "/api/recent/1/open", 403, json={})
    client.ask("DELETE", "/api/recent/1", 403)
    client.ask("DELETE", "/api/recent", 403)


def test_only_named_files_are_remembered_with_their_counts(
    serve: SiteMaker, remembered: Recent, folder: Path, tmp_path: Path
) -> None:
    client = serve("games.pgn", "small.bin", recent=remembered, root=folder)
    client.ask("GET", "/api/sources")
    client.site.remember([str(folder / "games.pgn"), str(folder / "small.bin"), str(folder), str(tmp_path / "none")])
    assert [Path(each.path).name for each in remembered.files()] == ["small.bin", "games.pgn"]
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    client.put(f"/api/uploads/{upload}/x.pgn", content=b"1. e4 *", headers={"content-type": "application/octet-stream"})
    client.ask("POST", f"/api/uploads/{upload}/open", 201, json={})
    client.listed("s1")
    client.site.close()
    assert [each.records for each in remembered.files()] == [None, 40]
    assert len(remembered.files()) == 2


def test_other_machines_never_see_the_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    seen: list[Any] = []

    def run(site: Any, listener: Any, **_: Any) -> None:
        listener.close()
        seen.append(site.recent)

    monkeypatch.setattr("tabiya.web.server.run", run)
    for host, recent in (("127.0.0.1", True), ("0.0.0.0", True), ("127.0.0.1", False)):
        tabiya.serve(folder / "games.pgn", host=host, port=0, recent=recent, browser=False)
    assert [each is not None for each in seen] == [True, False, False]
    assert len(seen[0].files()) == 1


def made(client: Client, source: str, status: int = 201) -> Any:
    job = client.ask("POST", f"/api/sources/{source}/library", status, json={})
    while status == 201 and job["state"] == "running":
        job = client.ask("GET", f"/api/conversions/{job['job']}?wait=500")
    return job


def test_a_library_is_made_beside_a_database(serve: SiteMaker, remembered: Recent, folder: Path) -> None:
    client = serve("names.pgn", "games.pgn", "small.bin", write=True, recent=remembered)
    sources = {each["name"]: each for each in client.ask("GET", "/api/sources")["sources"]}
    assert [sources[name]["library"] for name in ("names.pgn", "games.pgn", "small.bin")] == [True, False, False]
    job = made(client, "s1")
    assert (job["state"], job["error"]) == ("done", None)
    assert "download" not in job
    with tabiya.open(folder / "names.tabiya") as library, tabiya.open(folder / "names.pgn") as database:
        assert len(library) == len(database)
    assert client.ask("GET", f"/api/sources/{job['made']}")["name"] == "names.tabiya"
    assert Path(remembered.files()[0].path).name == "names.tabiya"
    client.ask("DELETE", f"/api/conversions/{job['job']}", 204)
    assert (folder / "names.tabiya").exists(), "only the job is removed"
    assert "exists already" in made(client, "s1", 409)["error"]["sentence"]


def test_nothing_is_replaced_and_nothing_written_without_permission(serve: SiteMaker, folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert "--write" in made(serve("names.pgn"), "s1", 403)["error"]["sentence"]
    client = serve("games.pgn", "small.bin", "games.tabiya", write=True)
    made(client, "s1", 409)
    made(client, "s2", 422)
    made(client, "s3", 422)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_a_cancelled_library_leaves_nothing(serve: SiteMaker, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = serve("names.pgn", write=True)
    before = {*folder.rglob("*")}
    from tabiya.web.conversions import Conversion

    note_progress = Conversion._note

    def cancelled(job: Conversion, progress: Any) -> None:
        job.cancel()
        note_progress(job, progress)

    monkeypatch.setattr(Conversion, "_note", cancelled)
    job = made(client, "s1")
    assert job["state"] == "cancelled"
    assert {*folder.rglob("*")} == before


def test_a_file_that_is_gone_is_an_error(remembered: Recent, tmp_path: Path) -> None:

    sources = Sources()
    with pytest.raises(TabiyaError):
        sources.open_path(tmp_path / "none.pgn")
    sources.close()
