"""The lock and the journal of a change; faults at every step of it are tried in ``test_faults``."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.errors import CorruptError, TabiyaError, UsageError
from tabiya.files.temporary import machine_mark
from tabiya.formats.cbh import has_journal
from tabiya.formats.cbh.archive import packing
from tabiya.formats.cbh.archive.packing import pack
from tabiya.formats.cbh.compaction import copy_base
from tabiya.formats.cbh.files.base_files import BaseFiles
from tabiya.game import Game
from tests.faults import CrashError, Mode, failing

ROOT = Path(__file__).parents[4]
OLD = [Game({"White": "Old", "Result": "1-0"}) for _ in range(3)]
NEW = [Game({"White": "New", "Event": "E", "Result": "0-1"}) for _ in range(5)]


def overwrite(path: Path) -> None:
    with tabiya.create(path, overwrite=True) as writer:
        writer.write(NEW)


def create(path: Path) -> None:
    with tabiya.create(path) as writer:
        writer.write(OLD)


def names(path: Path) -> list[str]:
    with tabiya.open(path) as base:
        assert base.problems == ()
        return [game.tags["White"] for game in base]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "x.cbh"
    create(path)
    code = (
        f"import tabiya, time; w = tabiya.create({str(path)!r}, overwrite=True); print('x', flush=True); time.sleep(99)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(UsageError, match="another program"):
            overwrite(path)
        assert names(path) == ["Old"] * 3  # reading is possible all the time
        process.kill()
    overwrite(path)
    assert names(path) == ["New"] * 5


@pytest.mark.parametrize(
    "journal",
    [
        b"",
        b"{}",
        b"[1]",
        json.dumps({"new": [], "gone": ["../other.cbh"]}).encode(),
        json.dumps({"new": [], "gone": ["other.cbh"]}).encode(),
        json.dumps({"new": [], "gone": ["x.cbh"]}).encode(),
        json.dumps({"new": [[f".tabiya-other-01234567-{'0' * 16}.cbh.tmp", "x.cbh"]], "gone": []}).encode(),
        json.dumps({"new": [], "gone": [], "folders": [[".tabiya-x.tmp", "x.html", ".tabiya-\0.tmp"]]}).encode(),
        b"[" * 200_000,
        json.dumps({"new": [[".tabiya-x.tmp", "other.cbh"]], "gone": []}).encode(),
        json.dumps({"new": [["/etc/passwd", "x.cbh"]], "gone": []}).encode(),
        json.dumps({"new": [], "gone": [], "folders": [[".tabiya-x.tmp", "other.html", ".tabiya-y.tmp"]]}).encode(),
        json.dumps({"new": [], "gone": [], "folders": [[".tabiya-x.tmp", "x.html", "../y.tmp"]]}).encode(),
        json.dumps({"new": [], "gone": [], "folders": [[".tabiya-x.tmp", "x.cbh", ".tabiya-y.tmp"]]}).encode(),
    ],
)
def test_a_journal_touches_only_its_own_base(tmp_path: Path, journal: bytes) -> None:
    create(tmp_path / "x.cbh")
    create(tmp_path / "other.cbh")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / ".x.tabiya-journal").write_bytes(journal)
    with pytest.raises(CorruptError, match="journal"):
        tabiya.open(tmp_path / "x.cbh")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".tabiya-journal"} == before


def test_what_killed_writers_have_left_goes(tmp_path: Path) -> None:
    """But not what a living one needs, nor what other machines have left."""
    create(tmp_path / "x.cbh")
    create(tmp_path / "x-1.cbh")
    before = {path.name for path in tmp_path.iterdir()}
    token = f"{machine_mark()}0123456789abcde"
    for name in (f".tabiya-{token}0.tmp", f".tabiya-{token}1.tmp", ".x.tabiya-lock"):
        (tmp_path / name).write_bytes(b"left")
    (tmp_path / f".tabiya-{token}2.tmp" / "old" / "below").mkdir(parents=True)
    other = f".tabiya-00000000-{token[9:]}0.tmp"  # of a machine whose locks may not be seen here
    kept = {f".tabiya-x-{token}0.txt.tmp", other}
    for name in kept:
        (tmp_path / name).write_bytes(b"of others")
    with tabiya.create(tmp_path / "x.cbh", append=True) as writer:
        writer.write(NEW)
        alive = {path.name for path in tmp_path.iterdir()} - before - kept
        assert len(alive) > 4
        assert names(tmp_path / "x.cbh") == ["Old"] * 3
        assert {path.name for path in tmp_path.iterdir()} == before | kept | alive
    assert {path.name for path in tmp_path.iterdir()} == before | kept


def test_journals_of_earlier_versions(tmp_path: Path) -> None:
    """They put the name of the base into the names of temporary files, and old folders beside them."""
    for folder, content in (("", OLD), ("new", NEW)):
        (tmp_path / folder).mkdir(exist_ok=True)
        with tabiya.create(tmp_path / folder / "x.cbh") as writer:
            writer.write(content)
        (tmp_path / folder / "x.html").mkdir()
        (tmp_path / folder / "x.html" / "a.jpg").write_text(f"picture of {folder}")
    (tmp_path / "x.cit").write_bytes(b"booster")
    token = f"{machine_mark()}0123456789abcdef"
    journal: dict[str, Any] = {"new": [], "gone": ["x.cit"], "folders": []}
    for path in sorted((tmp_path / "new").iterdir(), key=lambda path: path.suffix == ".cbh"):
        temporary = f".tabiya-x-{token}{path.suffix}.tmp"
        path.rename(tmp_path / temporary)
        if path.suffix == ".html":
            journal["folders"].append([temporary, path.name, f".tabiya-x-{token}-aside.html.tmp"])
        else:
            journal["new"].append([temporary, path.name])
    (tmp_path / "new").rmdir()
    (tmp_path / ".x.tabiya-journal").write_text(json.dumps(journal))
    assert names(tmp_path / "x.cbh") == ["New"] * 5
    assert (tmp_path / "x.html" / "a.jpg").read_text() == "picture of new"
    assert not [path for path in tmp_path.iterdir() if path.stem != "x"]
    assert not (tmp_path / "x.cit").exists()


def test_a_base_whose_name_goes_on_is_another(tmp_path: Path) -> None:
    """Whoever opens ``x`` takes nothing away from those who write ``x-1``."""
    create(tmp_path / "x.cbh")
    with tabiya.create(tmp_path / "x-1.cbh") as writer:
        writer.write(NEW)
        assert names(tmp_path / "x.cbh") == ["Old"] * 3
        overwrite(tmp_path / "x.cbh")
    assert names(tmp_path / "x-1.cbh") == ["New"] * 5


def test_a_folder_for_reading_only_keeps_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create(tmp_path / "x.cbh")
    left = tmp_path / f".tabiya-x-{machine_mark()}0123456789abcdef.cbg.tmp"
    left.write_bytes(b"left")

    def refuse(*_: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "unlink", refuse)
    assert names(tmp_path / "x.cbh") == ["Old"] * 3
    assert left.exists()


def test_an_interrupted_change_is_finished_however_the_base_is_named(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "x", tmp_path / "X.CBH", tmp_path / "x.cbg"):
        create_anew(tmp_path / "x.cbh")
        with failing(None) as disk:
            overwrite(tmp_path / "x.cbh")
        create_anew(tmp_path / "x.cbh")
        with failing(disk.decided + 4, Mode.CRASH), pytest.raises(CrashError):
            overwrite(tmp_path / "x.cbh")
        assert has_journal(tmp_path / "x.cbh")
        assert names(place) == ["New"] * 5


def test_a_change_that_cannot_be_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the old and the new files together no base can be made, so it is said why there is none."""
    path = tmp_path / "x.cbh"
    create(path)
    with failing(None) as disk:
        overwrite(path)
    with failing(disk.decided + 4, Mode.CRASH), pytest.raises(CrashError):
        create_anew(path)

    def refuse(*_: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(TabiyaError, match="an interrupted change of the base cannot be finished: read-only"):
            tabiya.open(path)
    assert names(path) == ["Old"] * 3


def test_a_file_is_not_taken_for_a_folder(tmp_path: Path) -> None:
    for name in ("x", "y"):
        create(tmp_path / f"{name}.cbh")
    (tmp_path / "x.html").mkdir()
    (tmp_path / "y.html").write_bytes(b"not a folder")
    before = {path.name for path in tmp_path.iterdir()}
    with pytest.raises(UsageError, match="cannot be replaced"):
        copy_base(tmp_path / "x.cbh", tmp_path / "y.cbh", overwrite=True)
    assert {path.name for path in tmp_path.iterdir()} == before


def test_readers_see_one_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a writer finishes: before the files are opened, in between, or afterwards."""
    path = tmp_path / "x.cbh"
    create(path)
    with tabiya.open(path) as base:
        overwrite(path)
        assert [each.tags["White"] for each in base] == ["Old"] * 3
    create(tmp_path / "y.cbh")
    real, writers = BaseFiles._open, iter([overwrite, create_anew])

    def opened(files: BaseFiles, suffix: str) -> None:
        real(files, suffix)
        if suffix == ".cbg" and (writer := next(writers, None)) is not None:
            writer(files.main)

    monkeypatch.setattr(BaseFiles, "_open", opened)
    assert names(tmp_path / "y.cbh") == ["Old"] * 3
    assert next(writers, None) is None


def create_anew(path: Path) -> None:
    with tabiya.create(path, overwrite=True) as writer:
        writer.write(OLD)


class TestPacking:
    def test_an_interrupted_change_is_finished_first(self, tmp_path: Path) -> None:
        path = tmp_path / "x.cbh"
        create(path)
        with failing(None) as disk:
            overwrite(path)
        create_anew(path)
        with failing(disk.decided + 4, Mode.CRASH), pytest.raises(CrashError):
            overwrite(path)
        assert has_journal(path)
        pack(path, tmp_path / "x.cbv")
        assert names(tmp_path / "x.cbv") == ["New"] * 5

    def test_a_change_meanwhile_is_noticed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "x.cbh"
        create(path)
        real, writers = packing._put, iter([overwrite])

        def put(*arguments: Any) -> bytes:
            if (writer := next(writers, None)) is not None:
                writer(path)
            return real(*arguments)

        monkeypatch.setattr(packing, "_put", put)
        with pytest.raises(UsageError, match="try again"):
            pack(path, tmp_path / "x.cbv")
        assert not (tmp_path / "x.cbv").exists()
        pack(path, tmp_path / "x.cbv")
        assert names(tmp_path / "x.cbv") == ["New"] * 5
