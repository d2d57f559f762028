"""Fields to tags and extras and back: what a record says is said again by the record made of it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabiya.binary import Layout
from tabiya.chessbase.field_codecs import parse_number
from tabiya.chessbase.header_fields import Carrier, HeaderLayout, Table, parse_fields
from tabiya.chessbase.player_names import join_name, split_name
from tabiya.chessbase.rating_types import RatingType
from tabiya.chessbase.strings import decode_field, encode_field
from tabiya.chessbase.tournament_types import parse_type, type_text
from tabiya.formats.cbh.entities import cbc, cbe, cbl, cbs, cbt, cbtt
from tabiya.game.annotations import CP1251, CP1252, UTF8, TextEncoding

Kind = tuple[HeaderLayout, int, tuple[Carrier, ...]]
"""A layout, the size of its record in some version, and how it travels."""

KINDS: list[Kind] = [
    (cbt.LAYOUT, cbt.LAYOUT.size, cbt.LAYOUT.carriers()),
    (cbs.LAYOUT, cbs.LAYOUT.size, cbs.LAYOUT.carriers()),
    (cbe.LAYOUT, cbe.LAYOUT.size, cbe.LAYOUT.carriers("white")),
    (cbl.LAYOUT, cbl.LAYOUT.size, cbl.LAYOUT.carriers()),
    *((cbtt.RECORD, size, cbtt.RECORD.carriers()) for size in cbtt.VERSION_SIZES.values()),
]
encodings = st.sampled_from([UTF8, CP1252, CP1251])


def plain_bytes(layout: Layout, data: st.DataObject) -> bytes:
    """A record with random bytes, but with texts that have room for a NUL."""
    record = bytearray(data.draw(st.binary(min_size=layout.size, max_size=layout.size)))
    for field in layout.fields:
        if field.is_bytes and field.size >= 16:
            record[field.offset + field.size - 1] = 0
    return bytes(record)


def carried(kind: Kind, record: bytes, encoding: TextEncoding) -> dict[str, str]:
    """The texts of one record by key."""
    layout, size, carriers = kind
    table = Table(layout, layout.cut(size).view(record), encoding)
    texts = {carrier.key: carrier.texts(table)[0].as_py() for carrier in carriers}
    return {key: text for key, text in texts.items() if text is not None}


@given(st.sampled_from(KINDS), encodings, st.data())
def test_what_travels_arrives(kind: Kind, encoding: TextEncoding, data: st.DataObject) -> None:
    layout, size, carriers = kind
    texts = carried(kind, plain_bytes(layout.cut(size), data), encoding)
    fields = parse_fields(carriers, texts, encoding)
    again = carried(kind, layout.cut(size).encode(fields), encoding)
    if any(len(encoding.encode_name(text)) > 15 for text in texts.values()):
        return  # a text that is longer in UTF-8 may have been cut
    assert again == texts


@given(
    st.sampled_from(sorted(cbtt.VERSION_SIZES.values())),
    st.lists(st.floats(), min_size=2, max_size=2),
    st.binary(max_size=max(cbtt.VERSION_SIZES.values())),
)
@example(65, [float("nan"), 0.0], b"")
@example(65, [0.0, float("-inf")], b"")
@example(61, [-0.0, 1e-310], b"")
def test_nothing_of_the_details_of_a_tournament_stays_behind(size: int, place: list[float], rest: bytes) -> None:
    """A record without texts arrives bit by bit, whatever stands in it."""
    layout = cbtt.RECORD.cut(size)
    usual = layout.encode({"latitude": place[0], "longitude": place[1]})
    record = usual[: max(0, size - len(rest))] + rest[:size]
    texts = carried((cbtt.RECORD, size, cbtt.RECORD.carriers()), record, UTF8)
    assert layout.encode(parse_fields(cbtt.RECORD.carriers(), texts, UTF8)).hex() == record.hex()


@given(st.sampled_from(KINDS), st.text())
def test_nonsense_is_passed_over(kind: Kind, text: str) -> None:
    for carrier in kind[2]:
        fields = parse_fields([carrier], {carrier.key: text}, UTF8)
        assert all(isinstance(value, (int, float, bytes)) for value in fields.values())


def test_tournament_types() -> None:
    assert type_text(6 | 0x40) == "k.o. (rapid)"
    assert type_text(4) == "swiss"
    assert type_text(0x20) == "(blitz)"
    assert type_text(0) is None
    assert type_text(9) is None
    assert type_text(0x60) is None
    assert {parse_type(text) for code in range(256) if (text := type_text(code))} == {
        code for code in range(256) if type_text(code)
    }


@given(st.text(max_size=8), st.text(max_size=8))
def test_names_of_players(last: str, first: str) -> None:
    name = join_name(last, first)
    misleading = "," in last or first.startswith(" ")
    assert split_name(name, first if misleading else None) == (last, first)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Carlsen, Magnus", ("Carlsen", "Magnus")),
        ("Carlsen,M", ("Carlsen", "M")),
        ("Carlsen", ("Carlsen", "")),
        ("Van, Den, Berg", ("Van", "Den, Berg")),
        (", Nameless", ("", "Nameless")),
    ],
)
def test_splitting_names(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts


def test_rating_types() -> None:
    assert RatingType.decode(bytes.fromhex("000100010046494445")) == RatingType("international", "normal", 0, b"FIDE")
    assert RatingType.decode(bytes.fromhex("001a019086")) == RatingType("national", "blitz", 134, b"")
    assert RatingType.decode(bytes(16)) == RatingType("", "", 0, b"")


@given(st.text(), st.integers(2, 50), encodings)
def test_texts_are_cut_at_a_letter(text: str, width: int, encoding: TextEncoding) -> None:
    text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    data = encode_field(text, width, encoding)
    assert len(data) < width
    assert text.startswith(decode_field(data.ljust(width, b"\0"), encoding))


def test_a_letter_that_the_field_has_cut() -> None:
    assert decode_field("ЖуковАлександрович".encode()[:29] + b"\0", CP1252) == "ЖуковАлександр"
    assert decode_field("José".encode("cp1252"), CP1252) == "José"
    assert decode_field(b"abc\0\xff\xfe", UTF8) == "abc"


def test_numbers() -> None:
    assert parse_number("18446744073709551615") == (1 << 64) - 1
    assert [parse_number(text) for text in ("18446744073709551616", "-1", "", "1.5", "٣")] == [None] * 5


def test_the_annotator_has_nothing_but_a_name() -> None:
    assert [field.name for field in cbc.LAYOUT.fields][3:] == ["name", "games", "first_game"]
