from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.formats import FORMATS
from tabiya.formats.collection.sources import FoundDatabases, find_sources, walk_sources
from tests.systems import needs_links

NAMES = st.sampled_from(["a.pgn", "b.pgn", "notes.txt", ".hidden.pgn", "c.bcgn"])
FOLDERS = st.lists(st.sampled_from(["x", "y", ".git", "z"]), max_size=3).map(lambda parts: Path(*parts))


def found_by_walking(folder: Path, **told: Path) -> FoundDatabases:
    whole = FoundDatabases()
    for found in walk_sources(folder, formats=FORMATS, **told):
        whole.sources += found.sources
        whole.skipped += found.skipped
    return whole


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.sets(st.tuples(FOLDERS, NAMES), min_size=1, max_size=12))
def test_folder_by_folder_is_all_at_once(tmp_path: Path, files: set[tuple[Path, str]]) -> None:
    root = tmp_path / "root"
    shutil.rmtree(root, ignore_errors=True)
    for folder, name in files | {(Path(), "always.pgn")}:
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / name).write_text("nothing" if name.endswith(".txt") else "1. e4 *\n")
    assert found_by_walking(root) == find_sources([root], format=None, formats=FORMATS, recursive=True)


def test_what_is_known_comes_before_the_end(tmp_path: Path) -> None:
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "deep" / "deeper"):
        (folder / "games.pgn").write_text("1. e4 *\n")
    walk = walk_sources(tmp_path, formats=FORMATS)
    assert [source.path for source in next(walk).sources] == [tmp_path / "games.pgn"]
    (tmp_path / "deep" / "late.pgn").write_text("1. d4 *\n")
    assert [source.path for source in next(walk).sources] == [tmp_path / "deep" / "late.pgn"]
    assert [source.path for source in next(walk).sources] == [tmp_path / "deep" / "deeper" / "games.pgn"]
    assert next(walk, None) is None


def test_a_folder_that_is_a_database_or_holds_none_or_is_missing(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text("1. e4 *\n")
    tabiya.convert(tmp_path / "games.pgn", tmp_path / "games.tabiya")
    assert [source.path for source in found_by_walking(tmp_path / "games.tabiya").sources] == [
        tmp_path / "games.tabiya"
    ]
    (tmp_path / "empty").mkdir()
    assert found_by_walking(tmp_path / "empty") == FoundDatabases()
    with pytest.raises(FileNotFoundError):
        found_by_walking(tmp_path / "missing")


@needs_links
def test_links_out_of_the_folder_are_not_walked(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret.pgn").write_text("1. e4 *\n")
    (inside / "folder").symlink_to(outside)
    (inside / "back").symlink_to(inside)
    assert found_by_walking(inside, within=inside) == FoundDatabases()
    assert len(found_by_walking(inside).sources) == 1
