"""Layouts: a table covers its record, and bytes and values lead to each other, one by one and many at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.binary import Field, Layout
from tabiya.errors import FormatError

KINDS = ("u8", "u16", "u24", "u32", "u64", "i8", "i16", "i32", "i64", "f64", "0s", "1s", "5s", "16s")
MIXED = Layout(
    "mixture",
    ">",
    Field(0, "u8", "kind", "1 old | 2 new", 2),
    Field(1, "u24", "id"),
    Field(4, "i16", "change", "", -1),
    Field(6, "4s", "name", "ends at a NUL", b"?"),
)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """A table of any fields."""
    fields: list[Field] = []
    for number, kind in enumerate(draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=8))):
        offset = fields[-1].offset + fields[-1].size if fields else 0
        fields.append(Field(offset, kind, f"field_{number}"))
    return Layout("any", draw(st.sampled_from("<>")), *fields)


def records_of(layout: Layout, data: st.DataObject, count: int) -> bytes:
    """Any records, but with doubles that are numbers: the payload of a NaN need not survive."""
    raw = bytearray(data.draw(st.binary(min_size=count * layout.size, max_size=count * layout.size)))
    for field in layout.fields:
        if field.kind == "f64":
            for begin in range(field.offset, len(raw), layout.size):
                raw[begin] = raw[begin + 7] = 0x40
    return bytes(raw)


@given(layouts(), st.data())
def test_bytes_to_values_and_back(layout: Layout, data: st.DataObject) -> None:
    record = records_of(layout, data, 1)
    values = layout.decode(record)
    assert list(values) == [field.name for field in layout.fields]
    assert layout.encode(values) == record
    assert layout.read(b"..." + record + b".", 3) == values
    assert all(layout.fits(name, value) for name, value in values.items())


@given(layouts(), st.data(), st.integers(0, 3))
def test_many_records_are_as_one(layout: Layout, data: st.DataObject, count: int) -> None:
    raw = records_of(layout, data, count)
    records = layout.view(b"???" + raw, 3)
    assert len(records) == (count if layout.size else 0)
    copied = layout.new(len(records))
    for field in layout.fields:
        column = layout.column(records, field.name)
        singles = [layout.decode(record.tobytes())[field.name] for record in records]
        assert [each.tobytes() if field.is_bytes else each for each in column] == singles
        layout.put(copied, field.name, column)
    assert copied.tobytes() == raw


def test_values() -> None:
    data = bytes.fromhex("01 00002a fffe 61620000")
    assert MIXED.decode(data) == {"kind": 1, "id": 42, "change": -2, "name": b"ab\0\0"}
    assert MIXED.encode({"kind": 1, "id": 42, "change": -2, "name": b"ab"}) == data
    little = Layout("little", "<", *MIXED.fields)
    assert little.decode(data) == {"kind": 1, "id": 0x2A0000, "change": -257, "name": b"ab\0\0"}


def test_in_short() -> None:
    short = Layout.of("mixture", ">", "u8 kind=2", "u24 id", "i16 change=-1", "4s name mark")
    assert [(each.offset, each.kind, each.name, each.default) for each in short.fields] == [
        (0, "u8", "kind", 2),
        (1, "u24", "id", 0),
        (4, "i16", "change", -1),
        (6, "4s", "name", 0),
        (10, "4s", "mark", 0),
    ]


def test_defaults() -> None:
    assert MIXED.encode({}) == bytes.fromhex("02 000000 ffff 3f000000")
    assert MIXED.new(2).tobytes() == MIXED.encode({}) * 2


def test_shorter_and_longer_records() -> None:
    short, long = MIXED.cut(5), MIXED.cut(12)
    assert short.decode(bytes(5)) == {"kind": 0, "id": 0, "rest": b"\0"}
    assert long.decode(bytes(10) + b"xy")["rest"] == b"xy"
    records = short.view(b"\1\0\0\7.")
    assert MIXED.column(records, "id").tolist() == [7]
    assert MIXED.column(records, "change").tolist() == [-1]
    assert MIXED.column(records, "name").tolist() == [[0x3F, 0, 0, 0]]
    assert MIXED.cut(10) is MIXED


def test_tables_must_cover() -> None:
    with pytest.raises(ValueError, match="lies at 2, not at 1"):
        Layout("x", ">", Field(0, "u8", "a"), Field(2, "u8", "b"))
    with pytest.raises(ValueError, match="twice"):
        Layout("x", ">", Field(0, "u8", "a"), Field(1, "u8", "a"))
    for kind in ("word", "u7", "i24", "f32"):
        with pytest.raises(ValueError, match="kind"):
            Layout("x", ">", Field(0, kind, "a"))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"kind": 256}, "256 does not fit into kind of mixture"),
        ({"kind": -1}, "-1 does not fit into kind"),
        ({"id": 1 << 24}, "16777216 does not fit into id"),
        ({"change": 1 << 15}, "32768 does not fit into change"),
        ({"name": b"12345"}, "5 bytes do not fit into name"),
        ({"name": 5}, "5 does not fit into name"),
        ({"kind": b"x"}, "1 bytes do not fit into kind"),
        ({"elo": 1}, "no field 'elo'"),
    ],
)
def test_what_does_not_fit_is_refused(record: dict[str, int | bytes], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        MIXED.encode(record)


def test_records_of_another_size_are_refused() -> None:
    with pytest.raises(FormatError, match="10 bytes, not 9"):
        MIXED.decode(bytes(9))
    with pytest.raises(FormatError, match="10 bytes, not 4"):
        MIXED.read(bytes(10), 6)


def test_markdown() -> None:
    assert MIXED.markdown().split("\n")[:3] == [
        "| offset | kind | field | meaning |",
        "|---:|---|---|---|",
        "| 0 | u8 | `kind` | 1 old &#124; 2 new |",
    ]
