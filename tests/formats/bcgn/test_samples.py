"""Real files: those of the reference program byte for byte, and PGN that comes back with all its tags."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.formats import HEADER_SCHEMA, LossReport
from tabiya.game.record import RecordKind, Variant
from tabiya.game.tags import COLUMN_TAGS
from tabiya.game.tape import main_line

Samples = Callable[[str], Path]

WRITTEN_BY_THE_REFERENCE = [
    *(f"vectors_{kind}c{level}" for kind in ("", "h_") for level in range(3)),
    *(f"extra_tags_c{level}" for level in range(3)),
]
PGN = ("pgn/annotated", "pgn/edge", "pgn/twic-small.pgn", "bcgn/vectors.pgn")
COMPARED = [name for name in HEADER_SCHEMA.names if name not in ("number", "deleted")] + ["moves"]
TYPED_TAGS = {*COLUMN_TAGS, "SetUp"}
MOST_BYTES = 300_000  # of one file in a folder


def written(records: tabiya.Database, **options: Any) -> tuple[bytes, LossReport]:
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


def rows_of(place: Path | io.BytesIO) -> list[dict[str, Any]]:
    """Tags and moves of all records. The order of tags that have columns is no content."""
    with tabiya.open(place, format="pgn") as database:
        rows = [row for batch in database.batches() for row in batch.record_batch.select(COMPARED).to_pylist()]
    for row in rows:
        row["tags"].sort(key=lambda tag: tag["name"] if tag["name"] in TYPED_TAGS else "")
        row["moves"] = main_line(row["moves"])
    return rows


def has_a_place(row: dict[str, Any]) -> bool:
    """One of the samples is a record: the longest possible game, of 17,697 plies."""
    return row["kind"] == RecordKind.GAME and row["variant"] == Variant.STANDARD and len(row["moves"]) <= 16383


def is_too_long(row: dict[str, Any]) -> bool:
    """Whether a text or the number of tags is beyond the limits; that such tags are reported is tested elsewhere."""
    texts = [*row.values(), *(text for tag in row["tags"] for text in tag.values())]
    return len(row["tags"]) > 250 or any(isinstance(text, str) and len(text.encode()) > 255 for text in texts)


def check_pgn(path: Path, level: int) -> int:
    """PGN to BCGN to PGN: every game that has a place comes back with all its tags and its main line."""
    there, back = io.BytesIO(), io.BytesIO()
    report = tabiya.convert(path, there, target_format="bcgn", level=level)
    tabiya.convert(io.BytesIO(there.getvalue()), back, target_format="pgn")
    before, after = [row for row in rows_of(path) if has_a_place(row)], rows_of(io.BytesIO(back.getvalue()))
    assert len(before) == len(after) == report.written, path
    for old, new in zip(before, after, strict=True):
        if level and 0 in old["moves"]:
            del old["moves"][old["moves"].index(0) :]
        if is_too_long(old):
            assert new["moves"] == old["moves"]
        else:
            assert new == old, path
    return report.written


@pytest.mark.parametrize("name", PGN)
def test_pgn_keeps_all_tags(name: str, samples: Samples) -> None:
    count = 0
    for number, path in enumerate(files(samples(name))):
        if path == samples(name) or path.stat().st_size <= MOST_BYTES:
            count += check_pgn(path, number % 3)
    assert count > 5
