from __future__ import annotations

import json
from itertools import permutations

from tabiya.formats import Loss, LossReport

TAGS = Loss("tags", "tags", 3, 7, ("A", "B"), rank=5)
MORE_TAGS = Loss("tags", "tags", 2, 4, ("B", "C", "D", "E", "F", "G"), rank=5)
LINES = Loss("variations", "variations", 1, 9, rank=1)


def test_empty() -> None:
    report = LossReport()
    assert not report
    assert list(report) == []
    assert str(report) == report.summary() == "nothing was lost"
    assert report.as_dict() == {}
    assert report + report == report


def test_reports_add_up() -> None:
    report = LossReport.of([TAGS]) + LossReport.of([LINES]) + LossReport.of([MORE_TAGS])
    assert report
    assert [loss.what for loss in report] == ["variations", "tags"]
    assert report.get("tags") == Loss("tags", "tags", 5, 4, ("A", "B", "C", "D", "E"), rank=5)
    assert report.get("medals") is None


def test_the_sum_does_not_depend_on_grouping() -> None:
    parts = [LossReport.of([loss]) for loss in (TAGS, LINES, MORE_TAGS)]
    a, b, c = parts
    assert (a + b) + c == a + (b + c) == LossReport.of([TAGS, LINES, MORE_TAGS])
    for x, y, z in permutations(parts):
        total = x + y + z
        assert [(loss.what, loss.count, loss.first_game) for loss in total] == [("variations", 1, 9), ("tags", 5, 4)]


def test_text() -> None:
    report = LossReport.of([TAGS, LINES])
    assert str(report).splitlines() == [
        "lost             count  first game",
        "variations           1           9",
        "tags (A, B)          3           7",
    ]
    assert report.summary() == "1 variations (first in game 9), 3 tags (A, B) (first in game 7)"


def test_json() -> None:
    report = LossReport.of([TAGS, LINES])
    assert json.loads(json.dumps(report.as_dict())) == {
        "variations": {"text": "variations", "count": 1, "first_game": 9, "examples": []},
        "tags": {"text": "tags", "count": 3, "first_game": 7, "examples": ["A", "B"]},
    }
