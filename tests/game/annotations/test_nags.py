from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.cli.game_display import game_as_dict, game_lines
from tabiya.errors import FormatError
from tabiya.formats.pgn.spellings import SIGNS
from tabiya.game import Game
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, Annotation, NagList, decode_nags, encode_nags, format_nag
from tabiya.game.annotations import nags as nags_module
from tabiya.game.annotations.nags import GLYPHS, SLOTS
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


def test_all_signs() -> None:
    """Those of the Informator; of a pair of NAGs, one for each side, both have the same."""
    alike = {"□": (7, 8), "=": (10, 11), "⨀": (22, 23), "⟳": (32, 33), "↑": (36, 37), "→": (40, 41), "=∞": (44, 45)}
    alike |= {"⇆": (132, 133), "⊕": (138, 139)}
    single = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓"}
    single |= {18: "+−", 19: "−+", 140: "∆", 141: "∇", 142: "⌓", 143: "≤", 145: "RR", 146: "N"}
    assert single | {nag: sign for sign, nags in alike.items() for nag in nags} == GLYPHS
    assert [format_nag(nag) for nag in (1, 36, 9, 0, 300)] == ["!", "↑", "$9", "$0", "$300"]


def test_signs_are_read_as_they_are_printed() -> None:
    printed = {sign for sign in GLYPHS.values() if not set(sign) <= set("!?")}  # which the kernel reads itself
    assert {sign: GLYPHS[SIGNS[sign]] for sign in printed} == {sign: sign for sign in printed}


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


@given(nag_lists, nag_lists)
def test_a_nag_list_does_what_lists_do(nags: list[int], more: list[int]) -> None:
    annotations = [encode_nags(nags)] if nags else []
    found, expected = NagList(annotations), list(nags)
    assert (list(found), list(reversed(found))) == (expected, expected[::-1])
    for nag in {*nags, *more}:
        assert (nag in found, found.count(nag)) == (nag in expected, expected.count(nag))
        if nag in expected:
            assert found.index(nag) == expected.index(nag)
        else:
            with pytest.raises(ValueError, match="not in list"):
                found.index(nag)
    found.extend(more)
    expected.extend(more)
    assert found == expected
    found.reverse()
    assert found == expected[::-1]
    found.clear()
    assert annotations == []


def test_nags_are_decoded_once_per_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once per NAG: of thousands on a move, each was found by decoding them all."""
    game = Game()
    node = game.root.add("e4")
    node.nags = [1] * 1000
    calls = 0

    def counted(annotation: Annotation) -> list[int]:
        nonlocal calls
        calls += 1
        return decode_nags(annotation)

    monkeypatch.setattr(nags_module, "decode_nags", counted)
    uses: list[Callable[[], object]] = [
        lambda: str(game),
        lambda: list(node.nags),
        lambda: list(reversed(node.nags)),
        lambda: 2 in node.nags,
        lambda: node.nags.count(2),
        lambda: node.nags.index(1, 999),
        lambda: node.nags.extend([1] * 1000),
        lambda: node.nags.reverse(),
        lambda: node.nags.remove(1),
        lambda: node.nags == [1],
        lambda: list(game_lines(game, node)),
        lambda: game_as_dict(game, node),
        lambda: node.nags.clear(),
    ]
    for use in uses:
        calls = 0
        use()
        assert calls <= 4, use
    assert node.annotations == []
