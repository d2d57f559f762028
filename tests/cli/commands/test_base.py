from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.game import Game
from tests.cli.conftest import Run


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "x.cbh"
    with tabiya.create(path) as writer:
        writer.write([Game({"White": name, "Result": "1-0"}) for name in "ABC"])
    return path


def whites(path: Path) -> list[str]:
    with tabiya.open(path) as games:
        return [game.tags["White"] for game in games if not game.deleted]


def test_convert_there_and_append(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "y.cbh"
    run("convert", games, target, code=1)
    assert "already exists" in run("convert", games, target, code=2).stderr
    run("convert", games, target, "--append", code=1)
    with tabiya.open(target) as found:
        assert len(found) == 6


def test_check_and_repair(run: Run, base: Path, tmp_path: Path) -> None:
    assert "3 records, 0 problems" in run("check", base).stderr
    data = base.with_suffix(".cbj").read_bytes()
    base.with_suffix(".cbj").write_bytes(data[:60] + b"\0\0" + data[62:])
    assert run("check", base, code=1).stdout == "game 1: a checksum is wrong: .cbj\n"
    found = json.loads(run("check", base, "--json", code=1).stdout)
    assert [(each["game"], each["code"]) for each in found] == [(1, 175)]
    assert run("check", base, "--limit", 0, code=1).stdout == ""
    run("check", base, "--repair", tmp_path / "good.cbh", code=1)
    run("check", tmp_path / "good.cbh")
    assert whites(tmp_path / "good.cbh") == ["A", "B", "C"]
    assert "already exists" in run("check", base, "--repair", tmp_path / "good.cbh", code=2).stderr


def test_check_is_for_chessbase(run: Run, games: Path) -> None:
    assert "tabiya verify" in run("check", games, code=2).stderr


def test_delete_undelete_compact(run: Run, base: Path) -> None:
    assert "2 records deleted" in run("delete", base, 1, 3).stderr
    run("undelete", base, 3)
    assert whites(base) == ["B", "C"]
    assert "no record 9" in run("delete", base, 9, code=2).stderr
    assert "1 record removed" in run("compact", base).stderr
    with tabiya.open(base) as games:
        assert len(games) == 2


def test_compact_keeps_what_is_deleted_if_asked(run: Run, base: Path) -> None:
    run("delete", base, 2)
    assert "0 records removed" in run("compact", base, "--keep-deleted").stderr
    assert whites(base) == ["A", "C"]
    with tabiya.open(base) as games:
        assert len(games) == 3


def test_check_limits_what_it_shows_not_what_it_counts(run: Run, base: Path) -> None:
    data = bytearray(base.with_suffix(".cbj").read_bytes())
    size = int.from_bytes(data[4:8], "little")
    for place in range(60, len(data), size):
        data[place] ^= 0xFF
    base.with_suffix(".cbj").write_bytes(data)
    whole = run("check", base, code=1)
    assert len(lines := whole.stdout.splitlines()) == 3
    for limit in range(5):
        shown = run("check", base, "--limit", limit, code=1)
        assert shown.stdout.splitlines() == lines[:limit]
        assert shown.stderr == whole.stderr == f"{base}: 3 records, 3 problems\n"
        assert len(json.loads(run("check", base, "--limit", limit, "--json", code=1).stdout)) == min(limit, 3)


def test_other_files_are_told(run: Run, base: Path, games: Path, tmp_path: Path) -> None:
    """What goes is named and counted; what tabiya cannot read stays, and may be outdated."""

    def make() -> None:
        for suffix in (".cit", ".cib", ".cko", ".pgi"):
            base.with_suffix(suffix).write_bytes(b"old")

    def told(command: str, *arguments: object, code: int = 0) -> None:
        make()
        lines = run(command, *arguments, code=code).stderr.splitlines()
        assert "2 files removed as outdated: x.cib, x.cit" in lines
        assert "2 files kept unread, perhaps outdated now: x.cko, x.pgi" in lines
        assert not base.with_suffix(".cit").exists()
        assert [base.with_suffix(suffix).read_bytes() for suffix in (".cko", ".pgi")] == [b"old"] * 2

    run("copy", base, tmp_path / "y.cbh")
    told("compact", base)
    told("convert", games, base, "--append", code=1)
    told("convert", games, base, "--force", code=1)
    told("check", tmp_path / "y.cbh", "--repair", base, "--force")
    told("copy", tmp_path / "y.cbh", base, "--force")
    make()
    for command in ("delete", "undelete"):
        assert len(run(command, base, 1).stderr.splitlines()) == 1
    assert base.with_suffix(".cit").exists()
    report = json.loads(run("convert", games, base, "--append", "--json", code=1).stdout)
    assert report["remarks"][0] == "2 files removed as outdated: x.cib, x.cit"


def test_places(run: Run, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders, and names in other letters."""
    folder = tmp_path / "folder"
    folder.mkdir()
    run("copy", base, folder)
    assert whites(folder / "x.cbh") == ["A", "B", "C"]
    monkeypatch.chdir(folder)
    assert "is also the source" in run("copy", "x.cbh", ".", code=2).stderr
    run("delete", ".", 1)
    run("copy", base, ".", "--force")
    run("pack", ".", "x.cbv")
    run("pack", folder, "y.cbv")
    assert "for example p.cbv" in run("pack", ".", "p.zip", code=2).stderr
    assert not (folder / "p.zip").exists()
    assert whites(folder / "x.cbv") == whites(folder / "y.cbv") == ["A", "B", "C"]
    run("delete", "X.CBH", 2)
    run("compact", ".")
    assert whites(folder / "X.CBH") == ["A", "C"]
    run("copy", base, "y")
    for command in (["pack", ".", "z.cbv"], ["compact", "."], ["copy", ".", "z"]):
        assert "several databases, choose one: x.cbh, y.cbh" in run(*command, code=2).stderr
    (tmp_path / "empty").mkdir()
    assert "no .cbh file" in run("pack", tmp_path / "empty", "z.cbv", code=3).stderr
    assert "is a folder" in run("convert", "x.cbh", tmp_path / "empty", "--to", "cbh", code=2).stderr


def test_errors_name_files_from_here_on(run: Run, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What changes a base knows its full name; whoever has typed a short one is told about that."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["tabiya", "delete", "x.cbh", "9"])
    assert run("delete", "x.cbh", 9, code=2).stderr == "tabiya: x.cbh: there is no record 9; the base has 3\n"
    monkeypatch.setattr("sys.argv", ["tabiya", "undelete", str(base), "9"])
    assert run("undelete", base, 9, code=2).stderr == f"tabiya: {base}: there is no record 9; the base has 3\n"


def test_letters_of_the_suffix(run: Run, games: Path, tmp_path: Path) -> None:
    """A base is found by the name that it was given, whatever the letters."""
    run("convert", games, tmp_path / "a.CBH", code=1)
    assert {path.suffix for path in tmp_path.glob("a.*")} >= {".CBH", ".CBG", ".INI"}
    (tmp_path / "b.cbh").write_bytes((tmp_path / "a.CBH").read_bytes())
    for suffix in (".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbe", ".cbl", ".cbj", ".cbtt", ".cbm", ".ini"):
        (tmp_path / f"b{suffix}").write_bytes((tmp_path / f"a{suffix.upper()}").read_bytes())
    listed = run("list", tmp_path / "a.CBH").stdout
    for name in ("a.cbh", "A.CBH", "a", "b.CBH", "B.cbh"):
        assert run("list", tmp_path / name).stdout == listed
    run("convert", games, tmp_path / "A.cbh", "--append", code=1)
    assert len(list(tmp_path.glob("[aA].*"))) == 13
    with tabiya.open(tmp_path / "a.CBH") as base:
        assert len(base) == 6


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_folder_for_reading_only(run: Run, base: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    real = os.open

    def refuse(path: Any, flags: int, *arguments: Any, **named: Any) -> int:
        if flags & os.O_CREAT and Path(path).parent == base.parent:
            raise OSError(number, os.strerror(number), path)
        return real(path, flags, *arguments, **named)

    monkeypatch.setattr(os, "open", refuse)
    for command in (["compact", base], ["delete", base, 1], ["convert", base, base.with_name("y.cbh")]):
        output = run(*command, code=3).stderr
        assert "cannot be changed, because its folder cannot be written to: " in output
        assert output.count("\n") == 1
    assert whites(base) == ["A", "B", "C"]


def test_a_base_by_another_name_is_not_changed(run: Run, base: Path) -> None:
    other = base.rename(base.with_name("x.old"))
    before = other.read_bytes()
    for command in (["compact", other], ["delete", other, 1]):
        assert "must end with .cbh" in run(*command, code=2).stderr
    assert (other.read_bytes(), base.exists()) == (before, False)


def test_copy(run: Run, base: Path, tmp_path: Path) -> None:
    assert "13 files copied" in run("copy", base, tmp_path / "z.cbh").stderr
    assert (tmp_path / "z.cbp").read_bytes() == base.with_suffix(".cbp").read_bytes()
    assert "already exists" in run("copy", base, tmp_path / "z.cbh", code=2).stderr
    run("copy", base, tmp_path / "z.cbh", "--force")
