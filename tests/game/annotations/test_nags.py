from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import FormatError
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, Annotation, NagList, decode_nags, encode_nags, format_nag
from tabiya.game.annotations.nags import SLOTS
from tests.strategies import nag_lists


@pytest.mark.parametrize(
    ("nags", "kind", "data"),
    [
        ([1], SYMBOLS, "01"),
        ([22], SYMBOLS, "16"),
        ([14], SYMBOLS, "00 0e"),
        ([146], SYMBOLS, "00 92"),
        ([140], SYMBOLS, "00 00 8c"),
        ([1, 14], SYMBOLS, "01 0e"),
        ([3, 18, 142], SYMBOLS, "03 12 8e"),
        ([5, 145], SYMBOLS, "05 00 91"),
        ([14, 1], NAGS, "0e 00 01 00"),
        ([1, 1], NAGS, "01 00 01 00"),
        ([1, 2], NAGS, "01 00 02 00"),
        ([7], NAGS, "07 00"),
        ([0], NAGS, "00 00"),
        ([12], NAGS, "0c 00"),
        ([1, 255], NAGS, "01 00 ff 00"),
        ([0xFFFF, 256], NAGS, "ff ff 00 01"),
    ],
)
def test_lists(nags: list[int], kind: int, data: str) -> None:
    annotation = encode_nags(nags)
    assert (annotation.kind, annotation.data.hex(" ")) == (kind, data)
    assert decode_nags(annotation) == nags


@given(nag_lists)
def test_order_and_repeats_survive(nags: list[int]) -> None:
    assert decode_nags(encode_nags(nags)) == nags


def test_slots_share_no_nag() -> None:
    assert sum(map(len, SLOTS)) == len(frozenset().union(*SLOTS))


@pytest.mark.parametrize("nags", [[-1], [65536], [1, 70000]])
def test_numbers_out_of_range(nags: list[int]) -> None:
    with pytest.raises(FormatError, match="0 to 65535"):
        encode_nags(nags)


@given(st.sampled_from([SYMBOLS, NAGS]), st.binary(max_size=9))
def test_any_payload_can_be_read(kind: int, data: bytes) -> None:
    assert all(0 <= nag <= 0xFFFF for nag in decode_nags(Annotation(kind, data)))


def test_a_nag_in_a_foreign_slot_is_read() -> None:
    assert decode_nags(Annotation(SYMBOLS, b"\x00\x08")) == [8]


def test_signs() -> None:
    assert [format_nag(nag) for nag in (1, 6, 16, 12345)] == ["!", "?!", "±", "$12345"]


def test_the_list_writes_through() -> None:
    text = Annotation(TEXT_AFTER, b"x")
    annotations = [encode_nags([1]), text, encode_nags([14])]
    nags = NagList(annotations)
    assert nags == [1, 14]
    assert nags == (1, 14)
    assert nags == NagList(annotations)
    assert nags != [14, 1]
    assert nags != "!"
    nags.append(1)
    assert annotations == [encode_nags([1, 14, 1]), text]
    nags[1] = 15
    del nags[0]
    assert list(nags) == nags[:] == [15, 1]
    nags[:] = [4]
    nags.insert(0, 3)
    assert repr(nags) == "[3, 4]"
    assert len(nags) == 2
    nags.clear()
    assert annotations == [text]
