"""The options that only some formats have, and what info tells of a format of its own."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_levels_there_and_back(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.bcgn"
    result = run("convert", games, target, "--level", "2", code=1)
    assert result.stderr.startswith(f"3 records written to {target} (pgn to bcgn)\n")
    lines = run("info", target).stdout.splitlines()
    assert "  level           2" in lines
    assert "  flags           none" in lines
    assert any(line.startswith("  bytes per game  ") for line in lines)
    assert any(line.startswith("  bits per move   ") for line in lines)
    run("convert", target, tmp_path / "back.pgn")


def test_headerless(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.bcgn"
    run("convert", games, target, "--headerless", code=1)
    (info,) = json.loads(run("info", target, "--json").stdout)
    assert info["details"]["flags"] == "headerless"
    assert info["details"]["level"] == 1


def test_append(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.bcgn"
    for _ in range(2):
        run("convert", games, target, "--append", code=1)
    assert "  records         6 (6 games)" in run("info", target).stdout
    assert "has level 1" in run("convert", games, target, "--append", "--level", "0", code=2).stderr


def test_formats_without_such_an_option_say_so(run: Run, games: Path, tmp_path: Path) -> None:
    for option in (["--level", "1"], ["--headerless"], ["--reference"]):
        result = run("convert", games, tmp_path / "copy.pgn", *option, code=2)
        assert f"pgn has no option {option[0][2:]!r} here" in result.stderr
    assert not (tmp_path / "copy.pgn").exists()
