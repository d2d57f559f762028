from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import tabiya
from tabiya.formats import Loss, LossReport
from tabiya.game import Game
from tests.formats.corpus import batch_of
from tests.formats.memory_format import BARE

if TYPE_CHECKING:
    import pytest

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
    assert report.get("tags") == Loss("tags", "tags", 5, 4, ("A", "B", "C", "D", "E", "F"), rank=5)
    assert [loss.title for loss in report] == ["variations", "tags (A, B, C, D, E, …)"]
    assert report.as_dict()["tags"]["examples"] == ["A", "B", "C", "D", "E"]
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
    assert str(LossReport.of([Loss("moves", "moves", 12345, 6)])).endswith("moves     12,345           6")
    assert report.summary() == "1 variations (first in game 9), 3 tags (A, B) (first in game 7)"


def test_json() -> None:
    report = LossReport.of([TAGS, LINES])
    assert json.loads(json.dumps(report.as_dict())) == {
        "variations": {"text": "variations", "count": 1, "first_game": 9, "examples": []},
        "tags": {"text": "tags", "count": 3, "first_game": 7, "examples": ["A", "B"]},
    }


def test_the_first_game_of_a_loss_is_right_in_every_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games without a number are counted as they are written, over groups, calls and batches between them."""
    monkeypatch.setattr("tabiya.formats.writer._GROUP_RECORDS", 3)
    plain = Game({"White": "A"})
    odd = Game({"White": "A"})
    odd.root.add("e4").text = "lost"
    for place in range(1, 13):
        games = [plain] * (place - 1) + [odd] + [plain, odd]
        for parts in ([games], [games[:2], games[2:]], games):
            with tabiya.create(tmp_path / "a.bare", format=BARE, overwrite=True) as writer:
                for part in parts:
                    writer.write(part)
            assert [loss.first_game for loss in writer.losses] == [place]
    with tabiya.create(tmp_path / "a.bare", format=BARE, overwrite=True) as writer:
        writer.write([plain, plain, batch_of([{}] * 4, first_number=3), plain, plain, plain, plain, odd])
    assert [loss.first_game for loss in writer.losses] == [11]
