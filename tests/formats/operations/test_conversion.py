from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import tabiya
from tabiya.errors import FormatError, LossError, TabiyaError, UsageError
from tabiya.formats import Progress
from tests.formats.corpus import batch_of, corpus, cut, long_corpus
from tests.formats.memory_format import BARE, FULL, SOME
from tests.formats.suite import contents
from tests.systems import needs_links

FORMATS = (FULL, SOME, BARE)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.full"
    with tabiya.create(path, format=FULL) as writer:
        writer.write(cut(corpus(), 3))
    return path


def convert(source: Any, target: Any, **options: Any) -> tabiya.ConversionReport:
    return tabiya.convert(source, target, formats=FORMATS, **options)


def test_the_report(source: Path, tmp_path: Path) -> None:
    report = convert(source, tmp_path / "a.bare")
    assert (report.source_format, report.target_format) == ("full", "bare")
    assert (report.read, report.written, report.deleted) == (11, 7, 1)
    assert str(report.losses.get("variations")) == "4 variations (first in game 2)"
    assert report.problems == 3
    assert [str(problem) for problem in report.first_problems] == [
        "game 9, offset 1234: a variant that tabiya does not know",
        "game 10: illegal move Ke9",
        "game 10, offset 99: and more",
    ]
    assert not report.clean
    parsed = json.loads(json.dumps(report.as_dict()))
    assert parsed.pop("losses")["variations"]["count"] == 4
    assert parsed.pop("first_problems")[0] == {
        "game": 9,
        "offset": 1234,
        "code": report.first_problems[0].problem.code,
        "text": report.first_problems[0].problem.text,
        "sentence": "a variant that tabiya does not know",
    }
    assert parsed == {
        "source_format": "full",
        "target_format": "bare",
        "path": str(tmp_path / "a.bare"),
        "read": 11,
        "written": 7,
        "deleted": 1,
        "problems": 3,
        "remarks": [],
        "unfinished": [],
    }


def test_a_clean_report(tmp_path: Path, source: Path) -> None:
    report = convert(source, tmp_path / "a.full", where=pc.field("number") < 9)
    assert report.clean
    assert report.written == 8


def test_the_problems_of_many_games_are_not_all_kept(tmp_path: Path) -> None:
    problems = [{"code": 1, "offset": i, "text": "x"} for i in range(7)]
    with tabiya.create(tmp_path / "a.full", formats=FORMATS) as writer:
        writer.write(cut(batch_of([{"problems": problems}] * 30), 4))
    report = convert(tmp_path / "a.full", tmp_path / "b.full")
    assert report.problems == 210
    assert [each.game for each in report.first_problems] == [1] * 7 + [2] * 7 + [3] * 6


@pytest.mark.parametrize(
    "where",
    [
        pc.field("white") == "Broken",
        (pc.field("result") == 1) & (pc.field("number") > 5),
        lambda records: pc.equal(records["white"].dictionary_decode(), "Broken"),
    ],
)
def test_choosing(source: Path, tmp_path: Path, where: Any) -> None:
    report = convert(source, tmp_path / "a.bare", where=where)
    assert (report.read, report.written, report.deleted, report.problems) == (1, 1, 0, 2)
    assert str(report.losses.get("annotation-0x101")) == "1 unreadable moves (first in game 10)"
    with tabiya.open(tmp_path / "a.bare", formats=FORMATS) as database:
        assert [game.tags["White"] for game in database] == ["Broken"]
        assert [game.number for game in database] == [1]


@pytest.mark.parametrize("where", [pc.field("colour") == 1, pc.field("white") > 7, lambda records: pa.array([True])])
def test_a_choice_that_cannot_be_made(source: Path, tmp_path: Path, where: Any) -> None:
    before = contents(tmp_path)
    with pytest.raises(UsageError, match="these records cannot be selected"):
        convert(source, tmp_path / "a.full", where=where)
    assert contents(tmp_path) == before


def test_progress(tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "a.full", formats=FORMATS) as writer:
        writer.write(cut(long_corpus(), 100))
    for threads in (1, 4):
        seen: list[Progress] = []
        convert(tmp_path / "a.full", tmp_path / "b.full", progress=seen.append, threads=threads, overwrite=True)
        assert [progress.records for progress in seen] == [100, 200, 300, 400, 500, 600, 700]
        assert seen[-1].fraction == pytest.approx(1, abs=0.01)


def test_strict(source: Path, tmp_path: Path) -> None:
    before = contents(tmp_path)
    with pytest.raises(LossError, match=r"4 variations \(first in game 2\)") as caught:
        convert(source, tmp_path / "a.bare", strict=True)
    assert caught.value.path == str(tmp_path / "a.bare")
    assert contents(tmp_path) == before


def test_the_source_is_never_the_target(source: Path, tmp_path: Path) -> None:
    before = contents(tmp_path)
    (tmp_path / "folder").mkdir()
    for same in (source, tmp_path / "folder" / ".." / "source.full", os.path.relpath(source)):
        with pytest.raises(UsageError, match="is also the source"):
            convert(source, same, overwrite=True)
    assert contents(tmp_path) == before


@needs_links
def test_a_link_to_the_source_is_never_the_target(source: Path, tmp_path: Path) -> None:
    before = contents(tmp_path)
    (tmp_path / "link.full").symlink_to(source)
    with pytest.raises(UsageError, match="is also the source"):
        convert(source, tmp_path / "link.full", overwrite=True)
    (tmp_path / "link.full").unlink()
    assert contents(tmp_path) == before


def test_existing_targets(source: Path, tmp_path: Path) -> None:
    (tmp_path / "a.full").write_bytes(b"precious")
    with pytest.raises(UsageError, match="already exists"):
        convert(source, tmp_path / "a.full")
    assert (tmp_path / "a.full").read_bytes() == b"precious"
    assert convert(source, tmp_path / "a.full", overwrite=True).written == 11


def test_formats_and_options(source: Path, tmp_path: Path) -> None:
    report = convert(source, tmp_path / "a", source_format="full", target_format=FULL, keeps=BARE.keeps)
    assert report.written == 7
    with pytest.raises(FormatError, match="no known format has this suffix"):
        convert(source, tmp_path / "b")
    with pytest.raises(UsageError, match="no option 'colour'"):
        convert(source, tmp_path / "b.full", colour="red")
    with pytest.raises(UsageError, match="no option 'encoding'"):
        convert(source, tmp_path / "b.full", source_options={"encoding": "cp1252"})
    with pytest.raises(UsageError, match="threads"):
        convert(source, tmp_path / "b.full", threads=0)
    assert {path.name for path in tmp_path.iterdir()} == {"source.full", "a"}


def test_an_open_database_stays_open(source: Path, tmp_path: Path) -> None:
    with tabiya.open(source, formats=FORMATS) as database:
        convert(database, tmp_path / "a.full")
        assert len(database) == 11


def test_a_damaged_source_leaves_the_target_alone(source: Path, tmp_path: Path) -> None:
    source.write_bytes(source.read_bytes()[:-40])
    before = contents(tmp_path)
    for threads in (1, 3):
        with pytest.raises(TabiyaError) as caught:
            convert(source, tmp_path / "a.full", threads=threads)
        assert caught.value.path == str(source)
    assert contents(tmp_path) == before


def test_an_interrupt_leaves_the_target_alone(source: Path, tmp_path: Path) -> None:
    before = contents(tmp_path)

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    for threads in (1, 3):
        with pytest.raises(KeyboardInterrupt):
            convert(source, tmp_path / "a.full", threads=threads, progress=interrupt)
    assert contents(tmp_path) == before
