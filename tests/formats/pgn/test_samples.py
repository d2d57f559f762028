"""Real files: whatever is read, written and read again is the same; and python-chess reads the same moves."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

import tabiya
from tabiya.game import GameBatch, difference
from tests.formats.pgn.reading import batch_of, line, write

ROOT = Path(__file__).parents[3]
FOLDERS = ("pgn/annotated", "pgn/edge", "jose", "pgn/twic-small.pgn")
COMPARED = ("number", "problems")


def files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.pgn")) if path.is_dir() else [path]


def check_round_trip(path: Path) -> int:
    """Reads, writes and reads a file; the number of its records."""
    first = batch_of(path.read_bytes())
    text, losses = write(first)
    assert not losses, path
    again = batch_of(text)
    assert len(first) == len(again), path
    # Unfolding games is slow; equal columns are equal games.
    if not content(first).equals(content(again)):
        for old, new in zip(first.games(), again.games(), strict=True):
            assert difference(old, new) == [], f"{path} game {old.number}"
    return len(first)


def content(batch: GameBatch) -> Any:
    return batch.record_batch.drop_columns(list(COMPARED))


@pytest.mark.parametrize("folder", FOLDERS)
def test_round_trip(samples: Callable[[str], Path], folder: str) -> None:
    records = sum(check_round_trip(path) for path in files(samples(folder)))
    assert records > 0


@pytest.mark.parametrize("path", files(ROOT / "examples"), ids=lambda path: path.name)
def test_round_trip_of_our_own(path: Path) -> None:
    assert check_round_trip(path) > 0


def test_moves_are_those_of_python_chess(samples: Callable[[str], Path]) -> None:
    text = samples("pgn/twic-small.pgn").read_text("latin-1")
    stream = io.StringIO(text)
    games = list(tabiya.open(samples("pgn/twic-small.pgn")))[:300]
    for game in games:
        theirs = chess.pgn.read_game(stream)
        assert theirs is not None
        assert line(game).split() == [node.san() for node in theirs.mainline()]


def test_damage_is_named(samples: Callable[[str], Path]) -> None:
    """In a folder of damaged files nearly every one has something to say."""
    problems = {
        path.name: sum(len(game.problems) for game in tabiya.open(path, format="pgn"))
        for path in files(samples("pgn/annotated/dirty"))
        if path.stat().st_size < 100_000
    }
    assert sum(count > 0 for count in problems.values()) > 80  # 94 of 524 when this was written
