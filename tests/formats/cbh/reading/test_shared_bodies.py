"""Records that share a body: they are read as long as that is little, and never without end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tabiya
from tabiya.chessbase import shared_bodies
from tabiya.errors import LossError
from tabiya.formats import convert
from tabiya.formats.cbh.bodies import columns as bodies
from tabiya.formats.cbh.bodies.blobs import annotation_sizes, move_sizes
from tabiya.formats.cbh.reading import code_page_detection
from tabiya.game.record import RecordKind

RECORD = 46
SHARED = range(4, 40)
"""The records, counted from 0, that have the body of the first of them."""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Commented games, those from the fifth on with the very same moves and comments, but for the last."""
    texts = [
        f'[Event "{number}"]\n[Result "1-0"]\n\n1. e4 {{comment {number}}} e5 2. Nf3 Nc6 1-0\n'
        for number in range(1, 42)
    ]
    (tmp_path / "x.pgn").write_text("\n".join(texts))
    convert(tmp_path / "x.pgn", tmp_path / "x.cbh")
    records = bytearray((tmp_path / "x.cbh").read_bytes())
    offsets = records[RECORD * 5 + 1 : RECORD * 5 + 9]
    for row in SHARED:
        records[RECORD * (row + 1) + 1 : RECORD * (row + 1) + 9] = offsets
    (tmp_path / "x.cbh").write_bytes(records)
    return tmp_path / "x.cbh"


def limit(monkeypatch: pytest.MonkeyPatch, *, free: int, ratio: int) -> None:
    monkeypatch.setattr(shared_bodies, "_FREE_BYTES", free)
    monkeypatch.setattr(shared_bodies, "_MOST_RATIO", ratio)


def refused(path: Path, suffix: str, threads: int = 1) -> list[int]:
    with tabiya.open(path) as database:
        return [
            number
            for batch in database.batches(threads=threads)
            for game in batch.games()
            if (number := game.number) and (115, suffix) in {(found.code, found.text) for found in game.problems}
        ]


def test_a_little_sharing_is_read(base: Path) -> None:
    with tabiya.open(base) as database:
        assert [game.kind for game in database] == [RecordKind.GAME] * 41
    assert refused(base, ".cbg") == refused(base, ".cba") == []


def test_beyond_the_limit_shared_bodies_are_not_read(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last game has a body of its own, and must not suffer for the others."""
    sizes = {suffix: base.with_suffix(suffix).stat().st_size for suffix in (".cbg", ".cba")}
    limit(monkeypatch, free=sizes[".cbg"] // 2, ratio=0)
    read = spied(monkeypatch)
    with tabiya.open(base) as database:
        games = [game for batch in database.batches() for game in batch.games()]
    assert read[".cbg"] <= sizes[".cbg"] // 2 + 100
    assert read[".cba"] <= sizes[".cba"] // 2 + 100
    opaque = [place for place, game in enumerate(games, 1) if game.kind is RecordKind.OPAQUE]
    assert opaque == list(range(opaque[0], 41))
    assert 5 < opaque[0] < 30
    assert opaque == refused(base, ".cbg") == refused(base, ".cbg", threads=3)
    last = games[-1]
    assert (last.kind, last.problems) == (RecordKind.GAME, [])
    assert {problem.sentence for game in games for problem in game.problems} == {
        "too many records share these moves, so they were not read again: .cbg",
        "too many records share these moves, so they were not read again: .cba",
    }
    with tabiya.open(base) as database:
        assert database[20].kind is RecordKind.GAME  # asked for by itself, a record is always read


def spied(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many bytes of bodies are decoded."""
    found = {".cbg": 0, ".cba": 0}
    real = bodies.read_bodies

    def read_bodies(moves: Any, annotations: Any, places: Any, comments: Any, *rest: Any, **more: Any) -> Any:
        found[".cbg"] += int(move_sizes(moves, np.asarray(places)).sum())
        found[".cba"] += int(annotation_sizes(annotations or b"", np.asarray(comments)).sum())
        return real(moves, annotations, places, comments, *rest, **more)

    monkeypatch.setattr("tabiya.formats.cbh.database.read_bodies", read_bodies)
    return found


def test_what_is_left_out_is_told(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, free=0, ratio=0)
    report = convert(base, tmp_path / "y.cbh")
    assert report.problems >= len(SHARED)
    assert [loss.count for loss in report.losses if loss.what == "cbh-left-out-6"] == [len(SHARED)]


def test_what_is_left_out_is_lost_in_formats_that_take_records_without_moves(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, free=0, ratio=0)
    loss = convert(base, tmp_path / "y.pgn").losses.get("left-out")
    assert loss is not None
    assert loss.examples == ("moves or annotations that too many records share",)
    assert loss.count >= len(SHARED)
    with pytest.raises(LossError, match="too many records share"):
        convert(base, tmp_path / "z.pgn", strict=True)


def test_headers_have_the_same_limit(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start positions stand in bodies: as many records as there are may say that they have one."""
    records = bytearray(base.read_bytes())
    for row in SHARED:
        records[RECORD * (row + 1) + 42] |= 1  # flags: a start position
    limit(monkeypatch, free=200, ratio=0)
    read = spied(monkeypatch)
    base.write_bytes(records)
    with tabiya.open(base) as database:
        assert sum(len(batch) for batch in database.headers()) == 41
    assert 0 < read[".cbg"] <= 200


def test_the_code_page_is_found_in_bounded_time(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_page_detection, "_MOST_IN_ALL", 100)
    seen: list[bytes] = []
    real = code_page_detection._comments

    def comments(blob: bytes) -> Iterator[bytes]:
        seen.append(blob)
        return real(blob)

    monkeypatch.setattr(code_page_detection, "_comments", comments)
    with tabiya.open(base) as database:
        assert database.text_encoding.page  # type: ignore[attr-defined]
    assert 0 < sum(map(len, seen)) <= 100
