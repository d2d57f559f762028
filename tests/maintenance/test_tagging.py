"""Tags of many games, in new databases and in place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tabiya
from tabiya.errors import LossError, TabiyaError, UsageError
from tests.formats.suite import make_batches_tiny

PGN = '[Event "A"]\n[Site "Here"]\n\n1. e4 {Best by test.} *\n\n[Event "B"]\n\n1. d4 *\n\n[Event "A"]\n\n1. c4 *\n'


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    return path


def events(path: Path) -> list[str | None]:
    with tabiya.open(path) as database:
        return [game.tags.get("Event") for game in database]


def test_into_a_new_database(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.pgn"
    report = tabiya.set_tags(games, {"Event": "A", "Site": None, "Source": "me"}, target)
    assert (report.records, report.changed, report.what) == (3, 3, {"Event": 1, "Site": 1, "Source": 3})
    assert target.read_text().count('[Source "me"]') == 3
    assert "Here" not in target.read_text()
    assert "Best by test" in target.read_text()
    assert games.read_text("utf-8") == PGN


@pytest.mark.parametrize("suffix", [".cbh", ".tabiya", ".pgn"])
@pytest.mark.parametrize("tiny", [False, True])
def test_in_place(games: Path, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch, *, tiny: bool) -> None:
    if tiny:
        make_batches_tiny(monkeypatch)
    base = tmp_path / f"base{suffix}"
    tabiya.convert(games, base)
    assert tabiya.set_tags(base, {"Event": "C"}, in_place=True, dry_run=True).changed == 3
    assert events(base) == ["A", "B", "A"]
    report = tabiya.set_tags(base, {"Event": "C"}, numbers=np.array([1, 2]), in_place=True)
    assert (report.changed, events(base)) == (2, ["C", "C", "A"])
    with tabiya.open(base) as database:
        assert "Best by test" in database[0].to_pgn()
    assert tabiya.set_tags(base, {"Event": "C"}, numbers=np.array([1, 2]), in_place=True).changed == 0


def test_an_open_database(games: Path, tmp_path: Path) -> None:
    tabiya.convert(games, tmp_path / "base.tabiya")
    with tabiya.open(tmp_path / "base.tabiya") as database:
        tabiya.set_tags(database, {"Event": "C"}, in_place=True)
    assert events(tmp_path / "base.tabiya") == ["C", "C", "C"]


def test_nothing_happens_by_itself(games: Path) -> None:
    assert tabiya.set_tags(games, {"Event": "C"}).changed == 3
    assert games.read_text("utf-8") == PGN


def test_what_cannot_be_done(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.pgn"
    for tags in ({}, {"FEN": "8/8/8/8/8/8/8/8 w - - 0 1"}, {"My Tag": "x"}, {"A": "\ud800"}):
        with pytest.raises(UsageError):
            tabiya.set_tags(games, tags, target)
    with pytest.raises(UsageError, match="not both"):
        tabiya.set_tags(games, {"A": "x"}, target, in_place=True)
    tabiya.convert(games, tmp_path / "games.bcgn")
    with pytest.raises(UsageError, match="cannot edit"):
        tabiya.set_tags(tmp_path / "games.bcgn", {"A": "x"}, in_place=True)
    other = tmp_path / "other.pgn"
    other.write_text(PGN)
    with pytest.raises(UsageError, match="several databases"):
        tabiya.set_tags([games, other], {"A": "x"}, in_place=True)
    with pytest.raises(TabiyaError):
        tabiya.set_tags(tmp_path / "none.pgn", {"A": "x"}, target)
    assert not target.exists()


@pytest.mark.parametrize(
    ("tag", "right", "wrong"),
    [
        ("Date", ["2026.05.17", "2026.??.??", "????.??.??"], ["yesterday", ""]),
        ("Result", ["1-0", "*"], ["x", "2-0"]),
        ("WhiteElo", ["2500"], ["strong", "-"]),
    ],
)
def test_texts_that_are_more_than_texts(games: Path, tag: str, right: list[str], wrong: list[str]) -> None:
    for text in right:
        tabiya.set_tags(games, {tag: text})
    for text in wrong:
        with pytest.raises(UsageError, match=f"is not a valid {tag}, which is written"):
            tabiya.set_tags(games, {tag: text})


def test_losses_of_a_base_are_told(games: Path, tmp_path: Path) -> None:
    base = tmp_path / "base.cbh"
    tabiya.convert(games, base)
    report = tabiya.set_tags(base, {"Mood": "good"}, numbers=np.array([2]), in_place=True)
    assert report.losses
    assert report.as_dict()["losses"]
    with pytest.raises(LossError):
        tabiya.set_tags(base, {"Mood": "good"}, in_place=True, strict=True)
