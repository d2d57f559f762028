"""What can be done with a whole database, through the public calls and whatever the format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.errors import LossError, UsageError
from tests.formats.corpus import corpus
from tests.formats.memory_format import FULL


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "x.cbh"
    with tabiya.create(path) as writer:
        writer.write([tabiya.Game({"White": name, "Result": "1-0"}) for name in "ABC"])
    return path


def whites(path: str | Path) -> list[str]:
    with tabiya.open(path) as games:
        return [game.tags["White"] for game in games if not game.deleted]


def test_edit_check_compact_and_copy(base: Path, tmp_path: Path) -> None:
    with tabiya.edit(str(base)) as editor:
        editor.delete([1, 2])
        editor.undelete([2])
        editor.replace(3, tabiya.Game({"White": "D", "Result": "1-0"}))
        assert editor.path == base.resolve()
        assert not editor.losses
    assert whites(base) == ["B", "D"]
    assert list(tabiya.check(base, threads=2)) == []
    assert tabiya.copy(base, tmp_path / "y.cbh").names[:2] == ["y.cba", "y.cbc"]
    assert tabiya.compact(base).removed == 1
    with tabiya.open(base) as games:
        assert len(games) == 2
        assert list(tabiya.check(games)) == []
        assert len(games) == 2  # it is open still
    assert whites(tmp_path / "y.cbh") == ["B", "D"]
    with pytest.raises(UsageError, match="already exists"):
        tabiya.copy(base, tmp_path / "y.cbh")
    tabiya.copy(base, tmp_path / "y.cbh", overwrite=True)


def test_pack_and_extract(base: Path, tmp_path: Path) -> None:
    names = tabiya.pack(base, tmp_path / "x.cbv")
    listed = tabiya.extract(tmp_path / "x.cbv")
    assert [member.name for member in listed.members] == names
    assert (listed.files, listed.remarks) == ([], ())
    assert not (tmp_path / "out").exists()
    done = tabiya.extract(str(tmp_path / "x.cbv"), str(tmp_path / "out"))
    assert [path.name for path in done.files] == names
    assert [member.size for member in done.members] == [path.stat().st_size for path in done.files]
    assert whites(tmp_path / "out" / "x.cbh") == ["A", "B", "C"]
    tabiya.pack(base, tmp_path / "x.cbz", password="secret")
    assert len(tabiya.extract(tmp_path / "x.cbz", password="secret").members) == len(names)
    for target, password in (("y.zip", None), ("y.cbv", "secret"), ("y.cbz", None)):
        with pytest.raises(UsageError):
            tabiya.pack(base, tmp_path / target, password=password)
        assert not (tmp_path / target).exists()


def test_formats_that_cannot(base: Path, tmp_path: Path) -> None:
    pgn = tmp_path / "x.pgn"
    tabiya.convert(base, pgn)
    with pytest.raises(
        UsageError,
        match="nothing to check besides its games; use tabiya verify; formats that have more: cbh",
    ):
        list(tabiya.check(pgn))
    with pytest.raises(UsageError, match="pgn cannot compact; formats that can: cbh, scid, scid5, library"):
        tabiya.compact(pgn, format="pgn")
    with pytest.raises(UsageError, match="cbh cannot pack; formats that can: cbv"):
        tabiya.pack(base, tmp_path / "x.cbv", format="cbh")
    with pytest.raises(UsageError, match="full cannot edit; formats that can: none"):
        tabiya.edit(pgn, formats=[FULL], format="full")


def test_a_format_brings_its_own_tools(tmp_path: Path) -> None:
    def compact(path: Path, /, **options: object) -> Any:
        raise LossError(f"{sorted(options.items())}", path=path)

    able = replace(FULL, compact=compact)
    formats = (*tabiya.FORMATS, able)
    with tabiya.create(tmp_path / "a.full", format=able) as writer:
        writer.write(corpus())
    with pytest.raises(LossError, match=r"keep_deleted', True.*threads', 1"):
        tabiya.compact(tmp_path / "a.full", formats=formats, keep_deleted=True)


def test_what_reads_a_database_takes_its_path_as_well(base: Path, tmp_path: Path) -> None:
    assert tabiya.summarize(base).games == 3
    assert tabiya.summarize(str(base), threads=2).players == 3
    verification = tabiya.Verification(base)
    assert (list(verification), verification.games) == ([], 3)
    comparison = tabiya.Comparison(base, str(base))
    assert (list(comparison), comparison.compared) == ([], 3)
    assert list(tabiya.text_records(base)) == []
    assert tabiya.export_texts(base, tmp_path / "pages").pages == 0
    with tabiya.open(base) as games:
        assert (tabiya.summarize(games).games, list(tabiya.Verification(games))) == (3, [])
        assert (list(tabiya.Comparison(games, base)), list(tabiya.text_records(games))) == ([], [])
        assert len(games) == 3  # it is open still


def test_a_choice_of_records_is_not_checked(base: Path) -> None:
    with tabiya.open(base) as games, pytest.raises(UsageError, match="only a whole database can be checked"):
        next(iter(tabiya.check(games.filter(white="a"))))
