"""The layouts of ChessBase: sizes and values are those of real files."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tabiya.binary import Layout
from tabiya.chessbase.rating_types import RATING_TYPE
from tabiya.formats.cbh.bodies import blobs
from tabiya.formats.cbh.entities import cbc, cbe, cbl, cbp, cbs, cbt, cbtt, entity_file
from tabiya.formats.cbh.files import cbb, cbgi, cbh, cbj, cbm, cit, flags

MODULES = (blobs, cbb, cbc, cbe, cbgi, cbh, cbj, cbl, cbm, cbp, cbs, cbt, cbtt, cit, entity_file, flags)
LAYOUTS = [
    *(value for module in MODULES for value in vars(module).values() if isinstance(value, Layout)),
    RATING_TYPE,
    *(cbj.RECORD.cut(size) for size in (*cbj.VERSION_SIZES.values(), 33, 130)),
    *(cbtt.RECORD.cut(size) for size in cbtt.VERSION_SIZES.values()),
]
layouts = st.sampled_from(LAYOUTS)


def test_sizes_are_those_of_the_files() -> None:
    sizes = {
        cbh.HEADER: 46,
        cbh.GAME: 46,
        cbh.TEXT: 46,
        cbj.HEADER: 32,
        cbj.RECORD: 120,
        blobs.PROLOG: 26,
        cbtt.HEADER: 32,
        cbtt.RECORD: 65,
        cbm.HEADER: 32,
        cbb.RECORD: 52,
        cbb.HEADER: 52,
        cit.BLOCK: 64,
        flags.HEADER: 12,
        entity_file.HEADER: 28,
        cbp.LAYOUT: 58 + 9,
        cbt.LAYOUT: 90 + 9,
        cbc.LAYOUT: 53 + 9,
        cbs.LAYOUT: 59 + 9,
        cbe.LAYOUT: 63 + 9,
        cbl.LAYOUT: 1608 + 9,
        RATING_TYPE: 16,
    }
    assert {layout.name: layout.size for layout in sizes} == {layout.name: size for layout, size in sizes.items()}


def nan_free(layout: Layout, data: bytes) -> bytes:
    """Bytes whose doubles are numbers: the payload of a NaN need not survive."""
    for field in layout.fields:
        if field.kind == "f64":
            data = data[: field.offset] + b"\x40" + data[field.offset + 1 :]
    return data


@given(layouts, st.data())
def test_bytes_to_values_and_back(layout: Layout, data: st.DataObject) -> None:
    record = nan_free(layout, data.draw(st.binary(min_size=layout.size, max_size=layout.size)))
    values = layout.decode(record)
    assert list(values) == [field.name for field in layout.fields]
    assert layout.encode(values) == record


@given(layouts, st.data())
def test_many_records_are_as_one(layout: Layout, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, 3))
    raw = b"".join(
        nan_free(layout, data.draw(st.binary(min_size=layout.size, max_size=layout.size))) for _ in range(count)
    )
    records = layout.view(b"???" + raw, 3)
    assert len(records) == count
    copied = layout.new(count)
    for field in layout.fields:
        column = layout.column(records, field.name)
        singles = [layout.decode(records[i].tobytes())[field.name] for i in range(count)]
        assert [each.tobytes() if field.is_bytes else each for each in column] == singles
        layout.put(copied, field.name, column)
    assert copied.tobytes() == raw


@given(layouts)
def test_defaults(layout: Layout) -> None:
    assert layout.new(2).tobytes() == layout.encode({}) * 2


def test_shorter_records_have_defaults() -> None:
    short = cbj.RECORD.cut(8)
    records = short.view(bytes.fromhex("00000001 ffffffff"))
    assert cbj.RECORD.column(records, "white_team").tolist() == [1]
    assert cbj.RECORD.column(records, "tag").tolist() == [-1]
    assert cbj.RECORD.column(records, "version").tolist() == [1]
    assert cbj.RECORD.column(records, "endgames").tolist() == [[0] * 20]


def test_a_game_of_a_real_base() -> None:
    """The first game of twic1134."""
    data = bytes.fromhex(
        "01 0000001a 00000000 000000 000001 000000 000000 000001 0fc"
        "0fa 02 00 02 00 0aee 0ac7 9100 0000 00000000 0000 2f"
    )
    record = cbh.GAME.decode(data)
    assert record["white_elo"] == 2798
    assert record["black_elo"] == 2759
    assert record["date"] == 2016 << 9 | 7 << 5 | 26
    assert record["result"] == 2
    assert record["moves"] == 47
    assert cbh.GAME.encode(record) == data


def test_checksum() -> None:
    records = cbj.RECORD.new(2)
    assert cbj.checksums(records).tolist() == [0xFFFE, 0xFFFE]
    cbj.RECORD.put(records, "material_1", np.array([0xFFFF, 3]))
    assert cbj.checksums(records).tolist() == [0xFFFD, 1]
