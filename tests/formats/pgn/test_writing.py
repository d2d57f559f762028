"""What the PGN writer puts on paper, and that it is read back as it was."""

from __future__ import annotations

import bz2
import gzip
import io
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import pyarrow as pa
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import CorruptError
from tabiya.game import Game, GameBatch, difference
from tests import strategies
from tests.formats import corpus
from tests.formats.pgn.reading import batch_of, line, read, read_one, write

ANNOTATED = (
    '[White "A \\"q\\" \\\\"]\n[Event "E"]\n[Result "1-0"]\n[Opening "x"]\n\n'
    "{ Before it all. } 1. e4 $1 $14 { after } e5 (1... c5 { a } 2. Nf3 (2. Nc3) 2... d6) ({ b } 1... e6) "
    "2. Nf3 Nc6 3. Bb5 -- 4. O-O { a rather long comment that has to be broken somewhere because it does not fit "
    "into one line of eighty letters } 1-0\n"
)


def test_export_format() -> None:
    text, losses = write([read_one(ANNOTATED)])
    assert not losses
    assert text.decode() == (
        '[Event "E"]\n[White "A \\"q\\" \\\\"]\n[Result "1-0"]\n[Opening "x"]\n\n'
        "{ Before it all. } 1. e4 $1 $14 { after } 1... e5 (1... c5 { a } 2. Nf3 (2.\n"
        "Nc3) 2... d6) ({ b } 1... e6) 2. Nf3 Nc6 3. Bb5 -- 4. O-O { a rather long\n"
        "comment that has to be broken somewhere because it does not fit into one line\n"
        "of eighty letters } 1-0\n\n"
    )


def test_lines_stay_below_eighty_columns() -> None:
    text, _ = write(read(ANNOTATED * 3))
    assert max(map(len, text.decode().splitlines())) <= 79


def test_one_line_per_game() -> None:
    text, _ = write([read_one(ANNOTATED)], layout="lines")
    _, moves = text.decode().strip().split("\n\n")
    assert "\n" not in moves
    assert difference(read_one(ANNOTATED), read_one(text)) == []


@pytest.mark.parametrize("before", ["", "{ c } ", "$1 "])
def test_games_without_tags_stay_apart(before: str) -> None:
    games = [read_one(f"{before}1. e4 *"), read_one(f"{before}1. d4 1-0"), read_one("{ nothing } *"), read_one("*")]
    text, _ = write(games)
    assert len(read(text)) == len(games)


def test_no_tag_is_invented() -> None:
    text, _ = write([read_one("1. e4 *")])
    assert text == b"1. e4 *\n\n"


def test_plain_is_read_by_python_chess_without_errors() -> None:
    game = read_one("1. e4 { [%pre:GER vor] ok } e5 2. Ke5 what (( 1-0")
    text, losses = write([game], profile="plain")
    assert {loss.what for loss in losses} >= {"pgn-place"}
    theirs = chess.pgn.read_game(io.StringIO(text.decode()))
    assert theirs is not None
    assert theirs.errors == []
    assert theirs.end().board().fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/")


@pytest.mark.parametrize(
    ("suffix", "unpack"),
    [
        (".gz", gzip.decompress),
        (".bz2", bz2.decompress),
        (".zst", zstandard.ZstdDecompressor().decompress),
        ("", bytes),
    ],
)
def test_packed(tmp_path: Path, suffix: str, unpack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"x.pgn{suffix}"
    with tabiya.create(path) as writer:
        writer.write(read(ANNOTATED * 5))
    assert unpack(path.read_bytes()) == write(read(ANNOTATED * 5))[0]
    assert [difference(game, read_one(ANNOTATED)) for game in tabiya.open(path)] == [[]] * 5


def test_text_to_batch_to_text_to_batch_is_the_identity() -> None:
    first = batch_of((ANNOTATED * 7).encode())
    again = batch_of(write(first)[0])
    assert again.record_batch.equals(first.record_batch)


@given(st.lists(strategies.games(), min_size=1, max_size=3))
def test_what_is_not_reported_lost_comes_back(games: list[Game]) -> None:
    text, losses = write(games)
    found = read(text)
    if not losses:
        assert [difference(a, b) for a, b in zip(games, found, strict=True)] == [[]] * len(games)
    else:
        assert len(found) == len(games)


@given(st.lists(strategies.texts, min_size=1, max_size=4), st.sampled_from(["export", "lines"]))
def test_any_text_comes_back(texts: list[str], layout: str) -> None:
    game = Game()
    node = game.root
    for san, text in zip(["e4", "e5", "Nf3", "Nc6"], texts, strict=False):
        node = node.add(san)
        node.text_before = text
        node.text = text[::-1]
    game.root.children[0].add_variation("d4").text = texts[0]
    written, losses = write([game], layout=layout)
    assert not losses
    assert difference(game, read_one(written)) == []


@pytest.mark.parametrize("tag", ["Variant", "FEN"])
@pytest.mark.parametrize("profile", ["lossless", "plain"])
def test_a_game_does_not_become_opaque_by_a_tag(tag: str, profile: str) -> None:
    game = Game()
    game.root.add("e4")
    batch = GameBatch.from_games([game, game])
    tags = [[{"name": tag, "value": "Crazyhouse"}], []]
    records = batch.record_batch
    place = records.schema.get_field_index("tags")
    odd = records.set_column(place, records.schema.field(place), pa.array(tags, records.schema.field(place).type))
    text, losses = write(GameBatch(odd), profile=profile)
    assert {loss.what: loss.count for loss in losses} == {"pgn-rules": 1}
    assert [(found.kind.name, line(found)) for found in read(text)] == [("GAME", "e4")] * 2


@pytest.mark.parametrize(("move", "side"), [(-2, 0), (1, 0), (0, 3)])
def test_annotations_on_places_that_are_not_there_are_refused(move: int, side: int) -> None:
    records = corpus.batch_of([{"moves": corpus.tape("e2e4"), "annotations": [corpus.note(move, 2, b"a", side=side)]}])
    with (
        pytest.raises(CorruptError, match="hangs on a move, or a side of one, that is not there") as caught,
        tabiya.create(io.BytesIO(), format="pgn") as writer,
    ):
        writer.write(records)
    assert caught.value.game == 1


@pytest.mark.parametrize(
    ("note", "lossless", "plain"),
    [
        (corpus.note(0, 257, b"Zz9", side=2, raw=b"\1"), {"pgn-exact": 1}, {"annotation-0x101": 1}),
        (corpus.note(0, 257, b"Zz9", side=2), {}, {"annotation-0x101": 1}),
        (corpus.note(0, 3, b"\x01", raw=b"\x01\x00"), {}, {"pgn-exact": 1}),
        (corpus.note(0, 2, b"text", raw=b"\0\0other"), {"pgn-exact": 1}, {"pgn-exact": 1}),
        (corpus.note(0, 0x21, b"\x32\0\0\0\0\0", raw=b"0.5"), {}, {}),
    ],
)
def test_original_bytes_that_have_no_place_are_named(
    note: dict[str, object], lossless: dict[str, int], plain: dict[str, int]
) -> None:
    records = corpus.batch_of([{}, {"moves": corpus.tape("e2e4"), "annotations": [note]}])
    for profile, dialect, expected in (
        ("lossless", None, lossless),
        ("plain", "lichess", plain),
        ("plain", "chessbase", plain),
    ):
        with tabiya.create(io.BytesIO(), format="pgn", profile=profile, dialect=dialect) as writer:
            writer.write(records.slice(1))
        found = {loss.what: loss.count for loss in writer.losses}
        assert {what: found.get(what, 0) for what in expected} == expected
        assert ("pgn-exact" in found) == ("pgn-exact" in expected)
        assert all(loss.first_game == 2 for loss in writer.losses)
