from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Run

Samples = Callable[[str], Path]


def test_list_and_extract(run: Run, samples: Samples, tmp_path: Path) -> None:
    archive = samples("cbh/cbv/small.cbv")
    lines = run("extract", archive).stdout.splitlines()
    assert len(lines) == 12
    assert lines[0].split() == ["46", "2016-08-06", "15:18", "small.cbh"]
    result = run("extract", archive, tmp_path / "out")
    assert "12 files unpacked" in result.stderr
    assert (tmp_path / "out" / "small.ini").read_bytes() == samples("cbh/small/small.ini").read_bytes()
    assert "already exists" in run("extract", archive, tmp_path / "out", code=2).stderr
    run("extract", archive, tmp_path / "out", "--force")


def test_json(run: Run, samples: Samples) -> None:
    found = json.loads(run("extract", samples("cbh/cbv/small.cbv"), "--json").stdout)
    assert found[0] == {"name": "small.cbh", "size": 46, "packed": 51, "modified": "2016-08-06T15:18:07.120000"}


def test_passwords(run: Run, samples: Samples, tmp_path: Path) -> None:
    archive = samples("cbh/cbv/small.cbz")
    assert "give its password" in run("extract", archive, tmp_path / "out", code=2).stderr
    assert "password is wrong" in run("extract", archive, tmp_path / "out", "--password", "x", code=2).stderr
    run("extract", archive, tmp_path / "out", "--password", "password")
    assert len(list((tmp_path / "out").iterdir())) == 12


def test_a_limit(run: Run, samples: Samples, tmp_path: Path) -> None:
    assert (
        "claims to hold" in run("extract", samples("cbh/cbv/twic1134.cbv"), tmp_path / "x", "--limit", 1, code=3).stderr
    )
    run("extract", samples("cbh/cbv/twic1134.cbv"), tmp_path / "x", "--limit", 2)


def test_no_archive(run: Run, games: Path) -> None:
    assert "not a ChessBase archive" in run("extract", games, code=3).stderr


def test_pack(run: Run, samples: Samples, tmp_path: Path) -> None:
    base = samples("cbh/text/text.cbh")
    assert "19 files packed" in run("pack", base, tmp_path / "text.cbv").stderr
    assert "already exists" in run("pack", base, tmp_path / "text.cbv", code=2).stderr
    run("pack", base, tmp_path / "text.cbv", "--force")
    run("pack", base, tmp_path / "text.cbz", "--password", "secret")
    assert "encrypted" in run("pack", base, tmp_path / "other.cbz", code=2).stderr
    assert "encrypted" in run("pack", base, tmp_path / "other.cbv", "--password", "x", code=2).stderr
    assert "is not a ChessBase database" in run("pack", tmp_path / "none.cbh", tmp_path / "none.cbv", code=2).stderr
    assert "for example text.cbv" in run("pack", base, tmp_path / "text.zip", code=2).stderr
    assert not (tmp_path / "text.zip").exists()
    for archive in ("text.cbv", "text.cbz"):
        listed = run("list", tmp_path / archive, "--password", "secret").stdout
        assert listed == run("list", base).stdout
    assert run("diff", base, tmp_path / "text.cbz", "--password", "secret").exit_code == 0


def test_convert_into_an_archive(run: Run, games: Path, tmp_path: Path) -> None:
    archive, secret = tmp_path / "games.cbv", tmp_path / "games.cbz"
    assert "to cbv" in run("convert", games, archive, code=1).stderr  # tags that a base has no place for
    assert "already exists" in run("convert", games, archive, code=2).stderr
    output = run("convert", games, archive, "--append", code=2).stderr
    assert "an archive cannot be appended to" in output
    assert "tabiya extract" in output
    run("convert", games, archive, "--force", code=1)
    assert "password" in run("convert", games, secret, code=2).stderr
    refused = run("convert", games, tmp_path / "plain.cbv", "--password", "secret", code=2).stderr
    assert "--password applies to encrypted archives" in refused
    run("convert", games, secret, "--password", "secret", code=1)
    run("convert", secret, tmp_path / "again.cbz", "--password", "secret")
    listed = run("list", archive).stdout
    assert listed.count("\n") == run("list", games).stdout.count("\n")
    assert run("list", tmp_path / "again.cbz", "--password", "secret").stdout == listed
