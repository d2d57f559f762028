"""Splitting: all records, each in its file, with names that are safe and nobody's."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import LossError, UsageError
from tabiya.formats import Progress
from tabiya.game import Game
from tabiya.maintenance import splitting
from tabiya.maintenance.file_names import NameTemplate, safe_name
from tabiya.maintenance.splitting import parse_size
from tests.conftest import ROOT
from tests.formats.suite import make_batches_tiny

CLASSICS = ROOT / "examples" / "classics.pgn"


def games_in(path: Path) -> list[Game]:
    with tabiya.open(path) as database:
        return list(database)


def test_by_a_field(tmp_path: Path) -> None:
    report = tabiya.split(CLASSICS, str(tmp_path / "events" / "{event}.pgn"), by="event")
    assert [(file.path.name, file.records) for file in report.files] == [
        ("Casual game.pgn", 3),
        ("Consultation game.pgn", 1),
        ("Hastings.pgn", 1),
        ("New York.pgn", 1),
        ("Study.pgn", 2),
    ]
    assert (report.read, report.written, report.clean) == (8, 8, True)
    expected: dict[str, list[Game]] = {}
    for game in games_in(CLASSICS):
        expected.setdefault(game.tags["Event"], []).append(game)
    assert {file.path.stem: games_in(file.path) for file in report.files} == expected


@pytest.mark.parametrize("games", [1, 3, 8, 100])
def test_by_games(games: int, tmp_path: Path) -> None:
    collected: list[Progress] = []
    report = tabiya.split(CLASSICS, str(tmp_path / "{n:2}.pgn"), games=games, progress=collected.append)
    assert [file.records for file in report.files] == [min(games, 8 - begin) for begin in range(0, 8, games)]
    assert report.files[0].path.name == "01.pgn"
    assert [game for file in report.files for game in games_in(file.path)] == games_in(CLASSICS)
    assert collected[-1] == Progress(8, 1.0)


@pytest.mark.parametrize("size", [1, 1500, "2k", "1GB"])
def test_by_size(size: int | str, tmp_path: Path) -> None:
    report = tabiya.split(CLASSICS, str(tmp_path / "{n}.pgn"), size=size)
    assert [game for file in report.files for game in games_in(file.path)] == games_in(CLASSICS)
    sizes = [file.path.stat().st_size for file in report.files]
    assert all(each >= parse_size(size) for each in sizes[:-1])
    for file, found in zip(report.files, sizes, strict=True):
        last = len(games_in(file.path)[-1].to_pgn().encode())
        assert found - 2 * last <= parse_size(size) or file.records == 1


def test_runs_on_disk_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tabiya.split(CLASSICS, str(tmp_path / "a-{white}-{year}.pgn"), by="white,year")
    monkeypatch.setattr("tabiya.maintenance.sorting.USUAL_MEMORY", 1)
    tabiya.split(CLASSICS, str(tmp_path / "b-{white}-{year}.pgn"), by=["white", "year"])
    for path in tmp_path.glob("a-*"):
        assert path.read_bytes() == path.with_name(f"b{path.name[1:]}").read_bytes()


def test_values_that_make_the_same_name(tmp_path: Path) -> None:
    events = ["A/B", "A\\B", "a_b", "../../x", "?", "", "CON", "x" * 500, ".", "Ä", "A\u0308"]
    source = tmp_path / "all.pgn"
    with tabiya.create(source) as writer:
        writer.write(Game.from_pgn(f'[Event "{event}"]\n\n1. e4 *'.replace("\\", "\\\\")) for event in events)
    report = tabiya.split(source, str(tmp_path / "out" / "{event}.pgn"), by="event")
    assert report.written == len(events)
    assert all(file.path.parent == tmp_path / "out" for file in report.files)
    assert len({file.path.name.casefold() for file in report.files}) == len(report.files)
    assert {"A_B.pgn", "A_B (2).pgn", "a_b (3).pgn", "_CON.pgn"} <= {file.path.name for file in report.files}


@given(st.text(max_size=300))
def test_names_are_safe(text: str) -> None:
    name = safe_name(text)
    assert name
    assert not re.search(r'[\x00-\x1f<>:"/\\|?*]', name)
    assert name not in {".", ".."}
    assert not name.endswith((".", " "))
    assert len(os.fsencode(name)) <= 124
    assert safe_name(name) == name


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "Hastings.pgn").write_text("mine")
    with pytest.raises(UsageError, match=r"Hastings\.pgn: already exists"):
        tabiya.split(CLASSICS, str(tmp_path / "{event}.pgn"), by="event")
    assert [path.name for path in tmp_path.iterdir()] == ["Hastings.pgn"]
    assert (tmp_path / "Hastings.pgn").read_text() == "mine"
    tabiya.split(CLASSICS, str(tmp_path / "{event}.pgn"), by="event", overwrite=True)
    assert len(games_in(tmp_path / "Hastings.pgn")) == 1


def test_the_source_is_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "1.pgn"
    source.write_bytes(CLASSICS.read_bytes())
    with pytest.raises(UsageError, match="is also the source"):
        tabiya.split(source, str(tmp_path / "{n}.pgn"), games=2, overwrite=True)
    assert source.read_bytes() == CLASSICS.read_bytes()


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "_MOST_FILES", 3)
    with pytest.raises(UsageError, match="more than 3 files; split by a field"):
        tabiya.split(CLASSICS, str(tmp_path / "{event}.pgn"), by="event")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="more than 3 files"):
        tabiya.split(CLASSICS, str(tmp_path / "{n}.pgn"), games=1)


def test_strict_stops_at_a_loss(tmp_path: Path) -> None:
    with pytest.raises(LossError):
        tabiya.split(CLASSICS, str(tmp_path / "{n}.bcgn"), games=8, strict=True)
    assert list(tmp_path.iterdir()) == []
    report = tabiya.split(CLASSICS, str(tmp_path / "{n}.bcgn"), games=8)
    assert not report.clean
    assert report.as_dict()["losses"]


def test_formats_of_several_files(tmp_path: Path) -> None:
    report = tabiya.split(CLASSICS, str(tmp_path / "{n}.cbh"), games=4)
    assert [len(games_in(file.path)) for file in report.files] == [4, 4]
    with pytest.raises(UsageError, match="cbh has several files and cannot be split by size"):
        tabiya.split(CLASSICS, str(tmp_path / "x{n}.cbh"), size="1MB")


@pytest.mark.parametrize(
    ("template", "told", "sentence"),
    [
        ("{event}.pgn", {}, "choose how to split"),
        ("{event}.pgn", {"by": "event", "games": 3}, "choose how to split"),
        ("x.pgn", {"by": "event"}, "'x.pgn' would be the name of several files: it needs {event} or {n}"),
        ("{white}.pgn", {"by": "event"}, "has a {white}, which is unknown; known: {n}, {event}"),
        ("{n.__class__}.pgn", {"games": 1}, "has a {n.__class__}, which is unknown; known: {n}"),
        ("x.pgn", {"games": 1}, "it needs {n}"),
        ("{n}.pgn", {"games": 0}, "a file has one game at least"),
        ("{n}.pgn", {"size": "much"}, "'much' is not a size such as 500k or 10MB"),
        ("{n}.pgn", {"size": "0"}, "'0' is not a size"),
        ("{n}.pgn", {"by": "x"}, "'x' is not a field to sort or split by"),
    ],
)
def test_what_makes_no_sense_is_said(template: str, told: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=re.escape(sentence)):
        tabiya.split(CLASSICS, template, **told)


def test_sizes() -> None:
    assert [parse_size(text) for text in ("1", "2k", "3 MB", "1.5G", 7)] == [1, 2048, 3 << 20, 3 << 29, 7]


def test_names_count_with_digits() -> None:
    names = NameTemplate("a{n:03}-{n}.pgn")
    assert str(names.name(7, {})) == "a007-7.pgn"


@pytest.mark.parametrize("suffix", [".pgn", ".cbh", ".tabiya", ".si5"])
@pytest.mark.parametrize("how", [{"games": 2}, {"by": "white"}], ids=str)
def test_an_interruption_leaves_nothing_in_the_way(
    tmp_path: Path, suffix: str, how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_batches_tiny(monkeypatch)
    source = tmp_path / "all.pgn"
    source.write_bytes(CLASSICS.read_bytes() * 10)
    seen: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        seen.append(progress)
        if progress.fraction is not None and progress.fraction > (0.6 if "by" in how else 0.3):
            raise KeyboardInterrupt

    template = "{white}" if "by" in how else "{n}"
    games = {"games": 15} if "games" in how else how
    out = str(tmp_path / "out" / "deep" / f"{template}{suffix}")
    with pytest.raises(KeyboardInterrupt):
        tabiya.split(source, out, progress=interrupt, **games)
    assert [path.name for path in tmp_path.iterdir()] == ["all.pgn"]
    report = tabiya.split(source, out, **games)
    assert report.written == report.read == 80
    assert all(file.path.exists() and ".tabiya-" not in str(file.path) for file in report.files)
    assert sum(len(games_in(file.path)) for file in report.files) == 80


def test_errors_name_the_file_that_was_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise tabiya.TabiyaError("the disk is full", path=next(tmp_path.glob(".tabiya-*")) / "new" / "1.pgn")

    monkeypatch.setattr(tabiya.formats.Writer, "write", fail)
    with pytest.raises(tabiya.TabiyaError) as caught:
        tabiya.split(CLASSICS, str(tmp_path / "{n}.pgn"), games=3)
    assert caught.value.path == str(tmp_path / "1.pgn")
