"""Games through the columns of jose's tables: what is not reported lost comes back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.formats.jose import JOSE
from tabiya.formats.jose.batch_to_rows import rows_of_batch
from tabiya.formats.jose.characters import decode_characters, encode_characters, length_of
from tabiya.formats.jose.evaluations import (
    add_evaluations,
    chances_of,
    decode_evaluations,
    encode_evaluations,
    evaluation_of,
    take_evaluations,
)
from tabiya.formats.jose.rows_to_batch import batch_of_rows
from tabiya.formats.loss_counting import fit
from tabiya.game import Annotation, Game, GameBatch, Result, Tags, difference
from tabiya.game.annotations.evaluations import Evaluation
from tests.formats.corpus import batch_of, note, rows_of, tape
from tests.strategies import games, texts


@given(games(), st.booleans())
def test_what_is_not_lost_comes_back(game: Game, evaluations: bool) -> None:
    batch = GameBatch.from_games([game])
    fitting, losses = fit(batch, JOSE.keeps)
    rows, more = rows_of_batch(fitting, evaluations=evaluations)
    found = batch_of_rows(rows)
    found.record_batch.validate(full=True)
    if not (losses or more):
        assert [difference(a, b) for a, b in zip(batch, found, strict=True)] == [[]]


@settings(max_examples=25)
@given(st.lists(games(tags=st.just(Tags({"Result": "*"}))), min_size=2, max_size=3))
def test_rows_do_not_depend_on_their_neighbours(written: list[Game]) -> None:
    together, _ = rows_of_batch(GameBatch.from_games(written))
    alone = [row for game in written for row in rows_of_batch(GameBatch.from_games([game]))[0]]
    assert together == alone
    both, single = batch_of_rows(together), [batch_of_rows([row]) for row in alone]
    assert [{**row, "number": 1} for row in rows_of(both)] == [row for batch in single for row in rows_of(batch)]


@given(texts)
def test_characters(text: str) -> None:
    stored = encode_characters(text)
    assert decode_characters(stored) == text
    assert max(stored, default=0) < 0xF0
    assert length_of(text) == len(text.encode("utf-16-le")) // 2


def test_evaluations_that_are_not_extreme_are_exact() -> None:
    values = [None, *range(-864, 865)]
    blob = encode_evaluations(values)
    assert blob is not None
    assert decode_evaluations(blob) == values
    assert encode_evaluations([None, None]) is None
    assert decode_evaluations(encode_evaluations([-865]) or b"") != [-865]  # here the steps become too coarse


@given(st.integers(-32768, 32767), st.integers(-32768, 32767))
def test_any_chances(win: int, draw: int) -> None:
    value = evaluation_of(win, draw)
    if value is not None:
        assert -2000 <= value <= 2000
        assert all(0 <= chance <= 32767 for chance in chances_of(value))


def test_chances_of_jose_are_kept() -> None:
    blob = bytes.fromhex("199940008000800019994001")
    row = batch_of([{"moves": tape("e2e4 e7e5 ( c7c5 )"), "result": Result.DRAW}])
    (stored,), _ = rows_of_batch(row)
    batch = batch_of_rows([stored._replace(evaluations=blob)])
    assert [(note["move"], note["kind"]) for note in rows_of(batch)[0]["annotations"]] == [(0, 0x21), (2, 0x21)]
    (again,), losses = rows_of_batch(batch)
    assert not losses
    assert again.evaluations == blob
    assert again.comments is None
    game = batch[0]
    game.root.children[0].annotations = [Evaluation(99).annotation()]
    (edited,), _ = rows_of_batch(GameBatch.from_games([game]))
    assert edited.evaluations is not None
    assert decode_evaluations(edited.evaluations)[0] == 99


def test_too_few_evaluations() -> None:
    (stored,), _ = rows_of_batch(batch_of([{"moves": tape("e2e4 e7e5")}]))
    (game,) = batch_of_rows([stored._replace(evaluations=b"\x40\x00\x20\x00\x01")])
    assert [problem.code for problem in game.problems] == [166]
    assert game.root.children[0].annotations[0].kind == Evaluation.kind


def test_mates_and_depths_are_told_in_comments() -> None:
    game = Game(Tags({"Result": "*"}))
    game.root.add("e4").annotations = [Evaluation(3, 1, 20).annotation()]
    (row,), losses = rows_of_batch(GameBatch.from_games([game]))
    assert not losses
    assert row.comments == b"[%eval #3/20]\0"
    assert row.evaluations == bytes.fromhex("7fff0000")
    assert list(batch_of_rows([row])) == [game]


def test_info_of_others() -> None:
    (row,), _ = rows_of_batch(batch_of([{"moves": tape("e2e4"), "result": 0}]))
    info = b"Foo=1;bare;WhiteTitle=IM;White=X;White=Y;Foo=2;SetUp=1;;=x"
    (game,) = batch_of_rows([row._replace(info=info, white_title=b"GM", white=b"Z", event_date=20010101)])
    assert game.tags.items() == [
        ("Result", "*"),
        *(("Foo", "1"), ("Info", "bare"), ("WhiteTitle", "IM"), ("White", "X"), ("White", "Y"), ("Foo", "2")),
        *(("SetUp", "1"), ("Info", "=x"), ("EventDate", "2001.01.01")),
    ]


def test_results_of_row_and_moves() -> None:
    (row,), _ = rows_of_batch(batch_of([{"moves": tape("e2e4"), "result": Result.WHITE_WINS}]))
    (game,) = batch_of_rows([row._replace(result=0)])
    assert game.result is Result.BLACK_WINS
    assert [problem.code for problem in game.problems] == [164]
    (game,) = batch_of_rows([row._replace(result=-1)])
    assert game.result is Result.WHITE_WINS


def test_flags_of_the_user() -> None:
    batch = batch_of([{"result": 0, "extras": [{"key": "jose.user_flags", "value": b"48"}]}])
    (row,), losses = rows_of_batch(batch)
    assert not losses
    assert row.attributes == 48
    assert rows_of(batch_of_rows([row]))[0]["extras"] == [{"key": "jose.user_flags", "value": b"48"}]


def test_annotations_without_a_value() -> None:
    game = Game(Tags({"Result": "*"}))
    game.root.add("e4").annotations = [Annotation(Evaluation.kind, b"odd")]
    (row,), losses = rows_of_batch(GameBatch.from_games([game]))
    assert not losses
    assert list(batch_of_rows([row])) == [game]


@pytest.mark.parametrize("tags", [{}, {"Variant": "Standard"}, {"Variant": "Chess960"}, {"Variant": "Crazyhouse"}])
@pytest.mark.parametrize("start", ["1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"])
def test_a_variant_is_what_the_game_says_and_not_what_its_castling_rights_look_like(
    start: str, tags: dict[str, str]
) -> None:
    game = Game(Tags({"Result": "*", "FEN": start, **tags}))
    game.root.add("O-O-O" if game.variant else "Kf2")
    rows, losses = rows_of_batch(GameBatch.from_games([game]))
    assert not losses
    assert [difference(game, found) for found in batch_of_rows(rows)] == [[]]


def test_an_empty_variant_is_told() -> None:
    start = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"
    game = Game(Tags({"Result": "*", "FEN": start, "Variant": ""}))
    rows, losses = rows_of_batch(GameBatch.from_games([game]))
    assert [loss.examples for loss in losses] == [("Variant",)]
    assert batch_of_rows(rows)[0].variant == 0


def test_evaluations_of_the_whole_game_or_of_no_move_stay_where_they_are() -> None:
    """Beside a stored column, too: it has values for moves only."""
    blob = encode_evaluations([None, 31])
    stray = [note(move, Evaluation.kind, Evaluation(31).annotation().data) for move in (-1, 2)]
    batch = batch_of([{"moves": tape("e2e4 e7e5"), "annotations": stray, "extras": [("jose.eval", blob)]}])
    left, blobs = take_evaluations(batch)
    assert (rows_of(left), blobs) == (rows_of(batch), {})
    both = add_evaluations(batch, [blob])
    assert [each["move"] for each in rows_of(both)[0]["annotations"]] == [-1, 1, 2]
    left, blobs = take_evaluations(both)
    assert [each["move"] for each in rows_of(left)[0]["annotations"]] == [-1, 2]
    assert blobs == {0: blob}
