"""What is written comes back, and what cannot be is told: limits, refusals, appending."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.chess import Move, Square
from tabiya.errors import CorruptError, LossError, TabiyaError, UsageError
from tabiya.formats import LossReport
from tabiya.formats.bcgn import BCGN
from tabiya.game import Game, GameBatch, difference
from tests.formats.bcgn.oracle import bare_entry, entry, file_header
from tests.formats.corpus import batch_of, corpus, tape
from tests.strategies import records

SHUFFLE = [
    Move.of(Square.G1, Square.F3),
    Move.of(Square.G8, Square.F6),
    Move.of(Square.F3, Square.G1),
    Move.of(Square.F6, Square.G8),
]
LEVELS = (0, 1, 2)


def written(records: Any, **options: Any) -> tuple[bytes, LossReport]:
    stream = io.BytesIO()
    with tabiya.create(stream, format="bcgn", **options) as writer:
        writer.write(records)
    return stream.getvalue(), writer.losses


def read(data: bytes) -> list[Game]:
    with tabiya.open(io.BytesIO(data)) as database:
        return list(database)


def lost(report: LossReport) -> dict[str, int]:
    return {loss.what: loss.count for loss in report}


@settings(max_examples=150)
@given(records(), st.sampled_from(LEVELS))
def test_what_is_not_reported_lost_comes_back(game: Game, level: int) -> None:
    data, losses = written(game, level=level)
    found = read(data)
    if not losses:
        assert len(found) == 1
        assert difference(game, found[0]) == []
    assert [problem for each in found for problem in each.problems] == []
    again, more = written(GameBatch.from_games(found), level=level)
    assert not more
    assert again == data


@settings(max_examples=50)
@given(records(), st.sampled_from(LEVELS))
def test_the_same_without_headers_and_as_the_reference(game: Game, level: int) -> None:
    for options in ({"headerless": True}, {"reference": True}):
        data, losses = written(game, level=level, **options)
        found = read(data)
        if not losses:
            assert difference(game, found[0]) == []
        assert len(found) <= 1


class TestBytes:
    def test_a_game(self) -> None:
        batch = batch_of(
            [{"white": "A", "black": "B", "round": "1.7", "eco": "C20", "result": 3, "moves": tape("e2e4 e7e5")}]
        )
        data, losses = written(batch)
        moves = bytes.fromhex("4343")
        names = ("A", "B", "", "")
        assert data == file_header() + entry(
            moves, result=3, round_number=1, eco=b"C\x14", names=names, tags=[("Round", "1.7")]
        )
        assert not losses
        data, _ = written(batch, reference=True)
        assert data == file_header() + entry(moves, result=3, round_number=87, eco=b"C\x14", names=names)
        data, _ = written(batch, headerless=True)
        assert data == file_header(headerless=True) + bare_entry(moves, result=3)

    @pytest.mark.parametrize(
        ("row", "expected"),
        [
            ({}, entry(tags=[("Result", "")])),
            ({"result": 0}, entry()),
            ({"result": 5}, entry(result=1, tags=[("Result", "+:-")])),
            ({"result": 8}, entry(tags=[("Result", "0-0")])),
            ({"result": 0, "eco": "B97/04"}, entry(eco=b"B\x61", tags=[("ECO", "B97/04")])),
            ({"result": 0, "round": "?"}, entry(tags=[("Round", "?")])),
            ({"result": 0, "round": "65535"}, entry(round_number=65535)),
            ({"result": 0, "round": "65536"}, entry(tags=[("Round", "65536")])),
            ({"result": 0, "white": ""}, entry(tags=[("White", "")])),
            ({"result": 0, "annotator": "Me"}, entry(tags=[("Annotator", "Me")])),
            ({"result": 0, "white_elo": 0}, entry(tags=[("WhiteElo", "0")])),
        ],
    )
    def test_fields_and_tags(self, row: dict[str, Any], expected: bytes) -> None:
        data, losses = written(batch_of([row]))
        assert data == file_header() + expected
        assert not losses

    def test_missing_codes_of_the_reference(self) -> None:
        data, losses = written(batch_of([{"result": 0, "round": "-"}]), reference=True)
        assert data == file_header() + entry(round_number=65533, eco=b"A\0")
        assert lost(losses) == {"bcgn-spellings": 2}

    def test_null_moves(self) -> None:
        batch = batch_of([{"result": 0, "moves": tape("d2d4 0000 c2c4 0000")}])
        data, losses = written(batch, level=0)
        assert data == file_header(0) + entry(bytes.fromhex("0b6c 0000 0a68 0000"), 4)
        assert not losses
        for level in (1, 2):
            data, losses = written(batch, level=level)
            assert lost(losses) == {"null-moves": 2}
            assert [str(node.move) for node in read(data)[0].root.mainline()] == ["d2d4"]


class TestLimits:
    def test_long_texts_are_cut_between_characters(self) -> None:
        data, losses = written(batch_of([{"white": "é" * 200, "event": "x" * 300, "result": 0}]))
        assert lost(losses) == {"bcgn-texts": 2}
        (game,) = read(data)
        assert game.tags["White"] == "é" * 127
        assert game.tags["Event"] == "x" * 255
        data, _ = written(batch_of([{"white": "é" * 200, "result": 0}]), reference=True)
        assert "é".encode() * 127 + b"\xc3" in data

    def test_many_tags(self) -> None:
        tags = [{"name": f"T{i}", "value": ""} for i in range(300)]
        data, losses = written(batch_of([{"result": 0, "tags": tags}]))
        assert lost(losses) == {"bcgn-tags": 45}
        assert len(read(data)[0].tags) == 256

    @pytest.mark.parametrize(
        ("row", "what"),
        [
            ({"moves": SHUFFLE * 4096}, "bcgn-plies"),
            (
                {"moves": SHUFFLE * 4000, "tags": [{"name": f"{i:0255}", "value": "x" * 255} for i in range(255)]},
                "bcgn-length",
            ),
            ({"start": "k7/8/8/8/1Q5Q/RRRRRRRR/RRRRRRR1/7K w - - 0 1", "moves": tape("h4h8")}, "bcgn-index"),
            ({"start": "k7/8/8/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/K7 w - - 0 1"}, "bcgn-men"),
            ({"start": "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w DFdf - 0 1"}, "bcgn-rules"),
            ({"start": "nonsense"}, "bcgn-positions"),
            ({"moves": tape("e2e5")}, "bcgn-moves"),
            ({"moves": [0x8001]}, "bcgn-moves"),
            ({"variant": 1, "start": "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1"}, "chess960-games"),
        ],
    )
    def test_records_that_do_not_fit_are_left_out(self, row: dict[str, Any], what: str) -> None:
        good = {"white": "A", "result": 0}
        stream = io.BytesIO()
        with tabiya.create(stream, format="bcgn") as writer:
            writer.write(batch_of([good, {"result": 0, **row}, good]))
        assert writer.losses.get(what) is not None
        assert writer.losses.get(what).first_game == 2  # type: ignore[union-attr]
        assert writer.written == 2
        assert [game.tags["White"] for game in read(stream.getvalue())] == ["A", "A"]
        with pytest.raises(LossError, match="left out"):
            written(batch_of([good, {"result": 0, **row}]), strict=True)

    def test_the_longest_games_fit(self) -> None:
        moves = (SHUFFLE * 4096)[:16383]
        for level in LEVELS:
            data, losses = written(batch_of([{"result": 0, "moves": moves}]), level=level)
            assert not losses
            assert len(list(read(data)[0].root.mainline())) == 16383

    def test_dates_out_of_range(self) -> None:
        """They are tags."""
        data, losses = written(batch_of([{"result": 0, "year": 2020, "month": 13}]))
        assert not losses
        assert b"2020.13.??" in data

    def test_what_has_no_place_without_tags(self) -> None:
        row = {"start": "4k3/8/8/8/8/8/4P3/4K3 w - - 3 7", "moves": []}
        for options in ({"headerless": True}, {"reference": True}):
            _, losses = written(batch_of([row]), **options)
            assert losses.get("bcgn-starts") is not None
            assert losses.get("bcgn-results") is not None


STARTS = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1")


@pytest.mark.parametrize(
    ("start", "tag", "kept_by_reference"),
    [
        (None, False, True),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False, False),
        (STARTS[0], False, True),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 3 7", True, False),
    ],
)
def test_start_positions_are_packed_and_a_tag_says_what_does_not_fit(
    start: str | None, tag: bool, kept_by_reference: bool
) -> None:
    row = {"result": 0, "white": "w", "black": "b", "event": "e", "site": "s", "round": "1", "eco": "A00"}
    data, losses = written(batch_of([row | {"start": start}]))
    assert not losses
    assert data[32 + 18] == 2 * (start is not None) + tag
    assert (b"FEN" in data) == tag
    data, losses = written(batch_of([row | {"start": start}]), reference=True)
    assert (losses.get("bcgn-starts") is None) == kept_by_reference
    assert b"FEN" not in data


class TestStartsBesides:
    """Texts of tags that were no start position, together with one: the second would not be read as such again."""

    @pytest.mark.parametrize(
        "row",
        [
            {"start": "4k3/8/8/8/8/8/4P3/4K3 w - - 3 7"},
            {"start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7"},
            {"start": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "tags": [("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")]},
            {"start": "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"},
        ],
    )
    def test_it_is_named(self, row: dict[str, Any]) -> None:
        extras = [("bcgn.fen", b"4k3/8/8/8/8/8/3P4/4K3 w - - 9 9"), ("bcgn.fen", b"other")]
        data, losses = written(batch_of([{"result": 0, "extras": extras, **row}]))
        assert lost(losses) == {"bcgn-starts": 2}
        assert read(data) == list(batch_of([{"result": 0, **row}]).games())

    @pytest.mark.parametrize("start", [None, *STARTS])
    @pytest.mark.parametrize("listed", [[], [0], [1], [0, 1], [1, 0], [2], [0, 2]])
    def test_a_listed_one_comes_back_behind_itself_only(self, start: str | None, listed: list[int]) -> None:
        tags = [("FEN", (*STARTS, "x")[place]) for place in listed]
        row = {"result": 0, "start": start, "tags": tags}
        data, losses = written(batch_of([row]))
        lossless = not tags or tags[0][1] == start
        assert lost(losses) == ({} if lossless else {"bcgn-starts": 1})
        assert (read(data) == list(batch_of([row]).games())) == lossless


class TestAppending:
    def test_it_grows(self, tmp_path: Path) -> None:
        path = tmp_path / "games.bcgn"
        for _ in range(3):  # the first time there is no file
            with tabiya.create(path, append=True, level=2) as writer:
                writer.write(corpus())
        whole, _ = written([corpus()] * 3, level=2)
        assert path.read_bytes() == whole
        with tabiya.create(path, append=True) as writer:  # level and flags are those of the file
            writer.write(corpus())
        assert path.read_bytes() == written([corpus()] * 4, level=2)[0]

    @pytest.mark.parametrize("options", [{"level": 1}, {"headerless": True}])
    def test_other_levels_and_flags_are_refused(self, options: dict[str, Any], tmp_path: Path) -> None:
        path = tmp_path / "games.bcgn"
        with tabiya.create(path, level=0) as writer:
            writer.write(corpus())
        before = path.read_bytes()
        with pytest.raises(UsageError, match="it has level 0, with headers"):
            tabiya.create(path, append=True, **options)
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]

    def test_damaged_files_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "games.bcgn"
        path.write_bytes(written(corpus())[0][:-1])
        with pytest.raises(CorruptError, match="nothing can be appended"):
            tabiya.create(path, append=True)
        path.write_bytes(b"something else")
        with pytest.raises(TabiyaError, match="is not a BCGN file"):
            tabiya.create(path, append=True)

    def test_nothing_happens_before_the_commit(self, tmp_path: Path) -> None:
        path = tmp_path / "games.bcgn"
        with tabiya.create(path) as writer:
            writer.write(corpus())
        before = path.read_bytes()
        writer = tabiya.create(path, append=True)
        writer.write(corpus())
        assert path.read_bytes() == before
        writer.close()
        assert path.read_bytes() == before

    def test_streams_cannot_grow(self) -> None:
        with pytest.raises(UsageError, match="not a stream"):
            tabiya.create(io.BytesIO(), format="bcgn", append=True)


def test_options() -> None:
    with pytest.raises(UsageError, match="the compression level must be 0, 1 or 2, not 7"):
        tabiya.create(io.BytesIO(), format="bcgn", level=7)
    with pytest.raises(UsageError, match="bcgn has no option 'profile' here"):
        tabiya.create(io.BytesIO(), format="bcgn", profile="plain")
    assert BCGN.keeps.null_moves is False
    assert tabiya.create(io.BytesIO(), format="bcgn", level=0).keeps.null_moves is True
