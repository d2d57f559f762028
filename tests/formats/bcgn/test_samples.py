"""Real files: those of the reference program byte for byte, and PGN that comes back with all its tags."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.formats import LossReport
from tabiya.game import RecordKind
from tabiya.game.tags import tag_content
from tabiya.game.tape import main_line
from tabiya.game.tree import fold_tree

Samples = Callable[[str], Path]

WRITTEN_BY_THE_REFERENCE = [
    *(f"vectors_{kind}c{level}" for kind in ("", "h_") for level in range(3)),
    *(f"extra_tags_c{level}" for level in range(3)),
]
PGN = ("pgn/annotated", "pgn/edge", "pgn/twic-small.pgn", "bcgn/vectors.pgn")
MOST_BYTES = 3_000_000


def written(records: tabiya.Database, **options: object) -> tuple[bytes, LossReport]:
    stream = io.BytesIO()
    with tabiya.create(stream, format="bcgn", **options) as writer:
        writer.write(records)
    return stream.getvalue(), writer.losses


@pytest.mark.parametrize("name", WRITTEN_BY_THE_REFERENCE)
def test_files_of_the_reference_come_back_byte_for_byte(name: str, samples: Samples) -> None:
    path = samples(f"bcgn/{name}.bcgn")
    with tabiya.open(path) as database:
        details, count = database.details(), len(database)
        data, losses = written(database, level=int(name[-1]), headerless="_h_" in name)
        assert [problem for game in database for problem in game.problems] == []
        assert [game.number for game in database] == list(range(1, len(database) + 1))
    assert data == path.read_bytes()
    assert not losses
    assert details["level"] == int(name[-1])
    assert details["flags"] == ("headerless" if "_h_" in name else "none")
    assert details["bytes per game"] == round((len(data) - 32) / count, 1)


@pytest.mark.parametrize("headerless", [False, True])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_pgn_becomes_what_the_reference_makes_of_it(level: int, headerless: bool, samples: Samples) -> None:
    with tabiya.open(samples("bcgn/vectors.pgn")) as database:
        data, losses = written(database, level=level, headerless=headerless, reference=True)
    assert data == samples(f"bcgn/vectors_{'h_' if headerless else ''}c{level}.bcgn").read_bytes()
    assert losses.get("tags") is not None
    if not headerless:
        spellings = losses.get("bcgn-spellings")
        assert spellings is not None
        assert spellings.first_game == 3  # Round "1.7", which is 87 there


def files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.pgn")) if path.is_dir() else [path]


def check_pgn(path: Path, tmp_path: Path, level: int) -> int:
    """PGN to BCGN to PGN: every game that is not reported left out has all its tags and its main line."""
    there, back = tmp_path / "there.bcgn", tmp_path / "back.pgn"
    report = tabiya.convert(path, there, overwrite=True, level=level)
    tabiya.convert(there, back, overwrite=True)
    with tabiya.open(path) as old, tabiya.open(back) as new:
        games = [game for game in old if game.kind is RecordKind.GAME and not game.root.position.chess960]
        assert len(games) == report.written == len(new), path
        exact = report.losses.get("bcgn-texts") is None
        for before, after in zip(games, new, strict=True):
            if exact:
                assert tag_content(after.tags) == tag_content(before.tags), f"{path} game {before.number}"
            moves = main_line(fold_tree(before.root)[0])
            kept = moves[: moves.index(0)] if level and 0 in moves else moves
            assert main_line(fold_tree(after.root)[0]) == kept, f"{path} game {before.number}"
    return report.written


@pytest.mark.parametrize("name", PGN)
def test_pgn_keeps_all_tags(name: str, samples: Samples, tmp_path: Path) -> None:
    count = 0
    for number, path in enumerate(files(samples(name))):
        if path.stat().st_size <= MOST_BYTES:
            count += check_pgn(path, tmp_path, number % 3)
    assert count > 5
