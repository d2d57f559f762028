from __future__ import annotations

import json
from pathlib import Path

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
    assert "exists already" in run("convert", games, target, code=2).stderr
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
    assert "exists already" in run("check", base, "--repair", tmp_path / "good.cbh", code=2).stderr


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


def test_copy(run: Run, base: Path, tmp_path: Path) -> None:
    assert "13 files copied" in run("copy", base, tmp_path / "z.cbh").stderr
    assert (tmp_path / "z.cbp").read_bytes() == base.with_suffix(".cbp").read_bytes()
    assert "exists already" in run("copy", base, tmp_path / "z.cbh", code=2).stderr
    run("copy", base, tmp_path / "z.cbh", "--force")
