"""Search trees: the order of every sample, and balance for any number of entities."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.chessbase.header_fields import Table
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.entities.search_trees import balanced_tree, key_order, sort_key
from tabiya.formats.cbh.reading.header_window import ENTITY_KINDS
from tabiya.formats.cbh.writing.entity_tables import EntityTable
from tests.formats.cbh import plain_cbh
from tests.formats.cbh.writing.test_writer import BASES

KINDS = {kind.suffix: kind for kind in ENTITY_KINDS}


def written(table: EntityTable) -> bytes:
    stream = io.BytesIO()
    table.write(stream)
    return stream.getvalue()


@pytest.mark.parametrize("name", ["World-ch", *BASES])
def test_chessbase_keeps_this_order(samples: Callable[[str], Path], name: str) -> None:
    """A walk through the trees that ChessBase has made meets the keys in ascending order."""
    base = tabiya.open(samples(f"cbh/{name}"))
    assert isinstance(base, CbhDatabase)
    with base:
        for suffix, file in base.entity_files.items():
            left, right = file.table["left"].tolist(), file.table["right"].tolist()
            order: list[int] = []
            waiting: list[int] = []
            number = int(file.header["root"]) if len(file) else -1
            while waiting or number != -1:
                while number != -1:
                    waiting.append(number)
                    number = left[number]
                order.append(waiting.pop())
                number = right[order[-1]]
            assert len(order) == len(file) - int(file.deleted.sum())
            keys = [row.tobytes() for row in sort_key(suffix, file.table)[order]]
            assert keys == sorted(keys), suffix


@pytest.mark.parametrize("count", [*range(40), 255, 256, 1000])
def test_trees_are_balanced(count: int) -> None:
    order = np.random.default_rng(count).permutation(count)
    nodes = balanced_tree(order, count)
    met: list[int] = []

    def height(number: int) -> int:
        if number == -1:
            return 0
        left = height(int(nodes.left[number]))
        met.append(number)
        right = height(int(nodes.right[number]))
        assert nodes.balance[number] == right - left
        return 1 + max(left, right)

    assert not count or height(nodes.root) == count.bit_length()
    assert met == order.tolist()


@given(
    st.sampled_from([".cbp", ".cbt", ".cbc", ".cbs", ".cbe"]),
    st.lists(st.binary(min_size=58, max_size=58), max_size=30),
)
def test_any_entities(suffix: str, contents: list[bytes]) -> None:
    """Also hostile bytes give a file that the plain decoder accepts."""
    kind = KINDS[suffix]
    size = kind.layout.size - 17
    table = EntityTable(kind)
    ids = table.intern([(content[:size].ljust(size, b"\0"), b"") for content in contents])
    table.count(np.array(ids, np.int64), np.arange(1, len(ids) + 1))
    found = plain_cbh.read_entities(suffix, written(table))
    assert len(found) == len({content[:size] for content in contents})
    assert [data[:size] if data else b"" for data in found] == [table.content(number) for number in range(len(table))]


@given(st.lists(st.binary(min_size=1, max_size=3), max_size=30), st.sets(st.integers(0, 29)))
def test_deleted_entities_are_chained_and_used_again(names: list[bytes], kept: set[int]) -> None:
    kind = KINDS[".cbc"]
    table = EntityTable(kind)
    size = kind.layout.size - 17
    ids = table.intern([(name.ljust(size, b"\0"), b"") for name in names])
    used = np.array([number for number in ids if number in kept], np.int64)
    table.count(used, np.arange(1, len(used) + 1))
    table.drop_unused()
    found = plain_cbh.read_entities(".cbc", written(table))
    assert {number for number, data in enumerate(found) if data} == set(used.tolist())


@pytest.mark.parametrize(
    ("suffix", "field", "wanted"),
    [
        (".cbc", "name", [b"\xe4", b"", b"Z", b"a\xff", b"a", b"ab"]),
        (".cbp", "last", [b"", b"Z", b"a", b"ab", b"a\xff", b"\xe4"]),
    ],
)
def test_signed_and_unsigned_letters(suffix: str, field: str, wanted: list[bytes]) -> None:
    layout = KINDS[suffix].layout
    names = sorted(wanted)
    records = np.frombuffer(b"".join(layout.encode({field: name}) for name in names), layout.dtype)
    assert [names[place] for place in key_order(suffix, lambda: [Table(layout, records)], len(names))] == wanted
