from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tabiya.formats import Progress, summarize
from tabiya.game import Date
from tests.formats.corpus import corpus, cut, long_corpus
from tests.formats.memory_format import FULL


def summary_of(path: Path, records: int, batch: tabiya.GameBatch) -> tabiya.formats.Summary:
    with tabiya.create(path, format=FULL, overwrite=True) as writer:
        writer.write(cut(batch, records))
    with tabiya.open(path, format=FULL) as database:
        return summarize(database)


def test_counts(tmp_path: Path) -> None:
    summary = summary_of(tmp_path / "a.full", 2, corpus())
    assert (summary.records, summary.games, summary.texts, summary.opaque, summary.deleted) == (11, 9, 1, 1, 1)
    assert (summary.players, summary.events) == (12, 2)
    assert (summary.first_date, summary.last_date) == (Date(1858), Date(2023, 1, 5))
    assert (summary.lowest_elo, summary.highest_elo) == (1, 2801)
    assert summary.results == {"*": 1, "1-0": 2, "0-1": 1, "1/2-1/2": 1, "line": 1, "+:-": 1}
    assert (summary.annotated, summary.with_variations) == (3, 2)
    assert (summary.with_problems, summary.problems) == (2, 3)
    assert summary.bytes == (tmp_path / "a.full").stat().st_size
    assert json.loads(json.dumps(summary.as_dict()))["first_date"] == "1858.??.??"


@pytest.mark.parametrize("records", [1, 100])
def test_batches_make_no_difference(tmp_path: Path, records: int) -> None:
    whole = summary_of(tmp_path / "a.full", 1000, long_corpus())
    parts = summary_of(tmp_path / "a.full", records, long_corpus())
    parts.bytes = whole.bytes
    assert parts == whole


def test_progress(tmp_path: Path) -> None:
    summary_of(tmp_path / "a.full", 3, corpus())
    seen: list[Progress] = []
    with tabiya.open(tmp_path / "a.full", format=FULL) as database:
        summarize(database, progress=seen.append)
    assert [each.records for each in seen] == [3, 6, 9, 11]
