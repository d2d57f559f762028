from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tabiya.formats.sources import Found
from tabiya.web import root_walk
from tabiya.web.root_walk import RootWalk
from tests.web.conftest import Client, SiteMaker


def names(client: Client) -> set[str]:
    return {source["path"] for source in client.ask("GET", "/api/sources")["sources"]}


def test_a_huge_folder_is_not_waited_for(
    serve: SiteMaker, folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies in the folders that were looked through is known, and can be opened, while others are still walked."""
    go_on = Event()
    walk = root_walk.walk_sources

    def slow(*told: Any, **more: Any) -> Iterator[Found]:
        for found in walk(*told, **more):
            yield found
            assert go_on.wait(60)

    (folder / "deep").mkdir()
    (folder / "deep" / "more.pgn").write_text("1. e4 *\n")
    monkeypatch.setattr(root_walk, "walk_sources", slow)
    monkeypatch.setattr(root_walk, "_PATIENCE", 0.02)
    client = serve(root=folder)
    while "games.pgn" not in names(client):
        pass
    (source,) = [each for each in client.ask("GET", "/api/sources")["sources"] if each["path"] == "games.pgn"]
    assert client.ask("GET", f"/api/sources/{source['id']}/games/1")["title"]
    assert "deep/more.pgn" not in names(client)
    go_on.set()
    while "deep/more.pgn" not in names(client):
        pass


@pytest.mark.parametrize(("again", "walks"), [(0.0, 3), (1000.0, 1)])
def test_a_folder_is_walked_again_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: float, walks: int
) -> None:
    monkeypatch.setattr(root_walk, "_LOOK_AGAIN", again)
    monkeypatch.setattr(root_walk, "_REST", 0)
    seen = []
    walk = RootWalk(tmp_path, lambda found: bool(seen.append(found)) or True)
    for _ in range(3):
        walk.look()
        assert walk._ended.wait(60)
    assert len(seen) == walks


def test_the_longer_it_took_the_longer_it_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 100))  # each look at the clock is 100 seconds later
    monkeypatch.setattr(root_walk.time, "monotonic", lambda: float(next(clock)))
    walk = RootWalk(tmp_path, lambda _: True)
    walk.look()
    assert walk._ended.wait(60)
    assert walk._next - walk._began > 900


def test_no_more_is_walked_than_there_is_room_for_or_after_the_end(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    seen = []
    full = RootWalk(tmp_path, lambda found: bool(seen.append(found)))
    full.look()
    assert full._ended.wait(60)
    assert len(seen) == 1
    closed = RootWalk(tmp_path, lambda found: bool(seen.append(found)))
    closed.close()
    closed.look()
    assert len(seen) == 1


def test_a_root_that_is_gone_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(root_walk, "_LOOK_AGAIN", 0.0)
    monkeypatch.setattr(root_walk, "_REST", 0)
    seen = []
    walk = RootWalk(tmp_path / "gone", lambda found: bool(seen.append(found)) or True)
    walk.look()
    assert walk._ended.wait(60)
    assert seen == []
    (tmp_path / "gone").mkdir()
    walk.look()
    assert walk._ended.wait(60)
    assert seen == [Found()]
