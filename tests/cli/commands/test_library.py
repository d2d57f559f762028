from __future__ import annotations

import json
from pathlib import Path

import tabiya
from tests.cli.conftest import Run
from tests.formats.suite import contents


def test_a_library_from_the_command_line(run: Run, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    run("convert", games, path, "--variations", code=1)
    for _ in range(2):
        assert "was added before" in run("convert", games, path, "--append", code=1).stderr
    assert list(path.glob("variations-*"))
    assert "sources" in run("info", path).stdout
    assert "1 record deleted" in run("delete", path, 2).stderr
    assert "2 segments before, 1 segment now" in run("library", "merge", path).stderr
    with tabiya.open(path) as library:
        assert [game.number for game in library if game.deleted] == [2]
    run("undelete", path, 2)
    before = contents(path)
    for source, target in ((games, path), (path, games)):
        assert "give one of them" in run("convert", source, target, "--append", "--force", code=2).stderr
    assert contents(path) == before
    assert "games added later must match" in run("convert", games, path, "--append", "--no-positions", code=2).stderr


def test_without_positions(run: Run, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    run("convert", games, path, "--no-positions", code=1)
    assert not list(path.glob("positions-*"))
    assert "\n  positions" not in run("info", path).stdout


def test_check(run: Run, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    run("convert", games, path, code=1)
    found = len(json.loads(run("library", "check", path, "--json", code=1).stdout))
    assert f"{found} problem" in run("check", path, code=1).stderr
    (file,) = path.glob("tapes-*")
    file.write_bytes(file.read_bytes()[::-1])
    assert f"the bytes of {file.name} have changed" in run("library", "check", path, code=1).stdout
    output = run("search", path, "--mate", "--count", code=3).stderr
    assert f'{file.name}: has changed since it was written; "tabiya library rebuild" builds it again' in output
    assert "everything except the games was rebuilt, for 3 records" in run("library", "rebuild", path).stderr
    (file,) = path.glob("tapes-*")
    assert len(json.loads(run("library", "check", path, "--json", code=1).stdout)) == found
    file.unlink()
    assert f"lacks {file.name}" in run("library", "check", path, code=3).stderr
    assert "nothing to check" in run("library", "check", tmp_path, code=2).stderr
    assert "no such file" in run("library", "merge", tmp_path / "nowhere", code=3).stderr
