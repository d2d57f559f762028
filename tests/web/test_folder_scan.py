from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tabiya.formats.collection.sources import FoundDatabases, walk_sources
from tabiya.web import folder_scan
from tabiya.web.folder_scan import FolderScan
from tests.web.conftest import Client, SiteMaker


def names(client: Client) -> set[str]:
    return {source["path"] for source in client.ask("GET", "/api/sources")["sources"]}


def noting(seen: list[FoundDatabases], *, more: bool = True) -> Callable[[FoundDatabases], bool]:
    def take(found: FoundDatabases) -> bool:
        seen.append(found)
        return more

    return take


def test_a_huge_folder_is_not_waited_for(
    serve: SiteMaker, folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies in the folders that were looked through is known, and can be opened, while others are still walked."""
    go_on = Event()
    walk = walk_sources

    def slow(*told: Any, **more: Any) -> Iterator[FoundDatabases]:
        for found in walk(*told, **more):
            yield found
            assert go_on.wait(60)

    (folder / "deep").mkdir()
    (folder / "deep" / "more.pgn").write_text("1. e4 *\n")
    monkeypatch.setattr(folder_scan, "walk_sources", slow)
    monkeypatch.setattr(folder_scan, "_PATIENCE", 0.02)
    client = serve(root=folder)
    while "games.pgn" not in names(client):
        pass
    (source,) = [each for each in client.ask("GET", "/api/sources")["sources"] if each["path"] == "games.pgn"]
    assert client.ask("GET", f"/api/sources/{source['id']}/games/1")["title"]
    assert "deep/more.pgn" not in names(client)
    assert client.ask("GET", "/api/sources")["looking"]
    go_on.set()
    while client.ask("GET", "/api/sources")["looking"]:
        pass
    assert "deep/more.pgn" in names(client)


@pytest.mark.parametrize(("again", "walks"), [(0.0, 3), (1000.0, 1)])
def test_a_folder_is_walked_again_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: float, walks: int
) -> None:
    monkeypatch.setattr(folder_scan, "_LOOK_AGAIN", again)
    monkeypatch.setattr(folder_scan, "_REST", 0)
    seen: list[FoundDatabases] = []
    walk = FolderScan(tmp_path, noting(seen))
    for _ in range(3):
        walk.look()
        assert walk._ended.wait(60)
    assert len(seen) == walks


def test_the_longer_it_took_the_longer_it_rests(tmp_path: Path) -> None:
    now = [0.0]
    seen: list[FoundDatabases] = []

    def take(found: FoundDatabases) -> bool:
        now[0] += 100
        seen.append(found)
        return True

    walk = FolderScan(tmp_path, take, clock=lambda: now[0])
    for later in (0, 1000, 1100, 1101):
        now[0] = max(now[0], float(later))
        walk.look()
        assert walk._ended.wait(60)
        assert len(seen) == (1 if later < 1100 else 2)


def test_no_more_is_walked_than_there_is_room_for_or_after_the_end(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    seen: list[FoundDatabases] = []
    full = FolderScan(tmp_path, noting(seen, more=False))
    full.look()
    assert full._ended.wait(60)
    assert len(seen) == 1
    closed = FolderScan(tmp_path, noting(seen, more=False))
    closed.close()
    closed.look()
    assert len(seen) == 1


def test_a_root_that_is_gone_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_scan, "_LOOK_AGAIN", 0.0)
    monkeypatch.setattr(folder_scan, "_REST", 0)
    seen: list[FoundDatabases] = []
    walk = FolderScan(tmp_path / "gone", noting(seen))
    walk.look()
    assert walk._ended.wait(60)
    assert seen == []
    (tmp_path / "gone").mkdir()
    walk.look()
    assert walk._ended.wait(60)
    assert seen == [FoundDatabases()]
