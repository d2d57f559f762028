"""Every annotation of every sample base: payload, value, text and back, byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tabiya.chess import Color
from tabiya.game.annotations import (
    CP1252,
    KINDS,
    Annotation,
    Raw,
    Symbols,
    TextAfter,
    TextBefore,
    TextEncoding,
    decode_payload,
    detect_encoding,
    encode_nags,
    encode_payload,
    format_comment,
    movetext_nags,
    parse_comment,
    typed,
)

if TYPE_CHECKING:
    import pytest

_RECORD = 46
_BLOB_HEADER = 14
_GUIDING_TEXT = 2
_TEXTS = (TextAfter.kind, TextBefore.kind)

BASES = {
    "cbh/World-ch/World-ch": ("cp1252", 44534),
    "cbh/hedgehog/Hedgehog": ("cp1251", 15889),
    "cbh/cbmplayertest/cbmplayertest": ("utf-8", 33),
    "cbh/cbhlib_test/cbhlib_test": ("utf-8", 29),
    "cbh/veryold/Mate2": ("utf-8", 15),
    "cbh/test-annotations/test-annotations": ("utf-8", 11),
    "cbh/text/text": ("utf-8", 0),
    "cbh/twic1134/twic1134": ("utf-8", 0),
    "cbh/cb12/cb12": ("utf-8", 0),
    "cbh/small/small": ("utf-8", 0),
    "cbh/cbh_test/cbh_test": ("utf-8", 0),
    "cbh/cbh_cbj_test/cbh_cbj_test": ("utf-8", 0),
    "cbh/shorter_cbj_test/shorter_cbj_test": ("utf-8", 0),
}
"""The encoding found and the number of annotations."""

PER_KIND = {
    0x02: 24494,
    0x03: 27680,
    0x04: 527,
    0x05: 1031,
    0x07: 830,
    0x09: 20,
    0x13: 12,
    0x14: 8,
    0x15: 2,
    0x18: 169,
    0x22: 648,
    0x23: 161,
    0x24: 1,
    0x25: 102,
    0x26: 6,
    0x82: 4820,
}
WITH_RAW = {0x02: 124, 0x03: 139, 0x13: 12, 0x82: 13}
"""UTF-8 texts in a base of cp1252, NAGs in foreign slots, and quotations. All 0x26 have depths and go through %cba."""

_Stored = tuple[int, int, int, bytes]


def _number(data: bytes, place: int, size: int) -> int:
    return int.from_bytes(data[place : place + size], "big")


def blobs(base: Path) -> Iterator[tuple[int, int, bytes]]:
    """The number, the offset and the whole .cba of each game that has annotations."""
    headers, stored = base.with_suffix(".cbh").read_bytes(), base.with_suffix(".cba").read_bytes()
    for game in range(1, len(headers) // _RECORD):
        record = headers[_RECORD * game : _RECORD * (game + 1)]
        offset = _number(record, 5, 4)
        if offset and not record[0] & _GUIDING_TEXT:
            yield game, offset, stored


def annotations_of(base: Path) -> Iterator[_Stored]:
    """Game, position, kind and payload."""
    for game, offset, stored in blobs(base):
        count, end = _number(stored, offset + 7, 3) - 1, offset + _number(stored, offset + 10, 4)
        place = offset + _BLOB_HEADER
        while place < end:
            size = _number(stored, place + 4, 2)
            yield game, _number(stored, place, 3), stored[place + 3], stored[place + 6 : place + size]
            place += size
            count -= 1
        assert (place, count) == (end, 0)


def read_back(annotation: Annotation, mover: Color, encoding: TextEncoding) -> tuple[str, Annotation]:
    """The text form, NAGs left out, and what a reader makes of it."""
    text = format_comment([annotation], mover=mover, side=annotation.side, encoding=encoding).text
    nags = movetext_nags(annotation)
    before = encode_nags(nags) if nags else None
    comment = parse_comment(text, mover=mover, side=annotation.side, encoding=encoding, nags=before)
    assert comment.problems == ()
    found = [*([comment.nags or before] if before else []), *comment.annotations]
    assert len(found) == 1
    assert found[0] is not None
    return text, found[0]


def test_every_annotation_survives(samples: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    kinds: Counter[int] = Counter()
    raws: Counter[int] = Counter()
    unnamed: Counter[int] = Counter()
    for name, (page, count) in BASES.items():
        stored = list(annotations_of(samples(f"{name}.cbh")))
        assert len(stored) == count, name
        encoding = detect_encoding(payload[2:] for _, _, kind, payload in stored if kind in _TEXTS)
        assert encoding == TextEncoding(page), name
        for game, position, kind, payload in stored:
            annotation = decode_payload(kind, payload, encoding)
            value = typed(annotation, encoding)
            where = (name, game, position, kind, payload)
            assert not isinstance(value, Raw), where
            assert encode_payload(annotation, encoding) == payload, where
            if annotation.raw is None:
                # A training question may be the only text in a base, and then tells nothing of its encoding.
                assert any(typed(annotation, page).encode(page) == payload for page in (encoding, CP1252)), where
            text, found = read_back(annotation, Color(position % 2), encoding)
            assert found == annotation, where
            assert encode_payload(found, encoding) == payload, where
            kinds[kind] += 1
            raws[kind] += "[%raw " in text
            unnamed[kind] += "[%cba " in text
    total, with_raw = kinds.total(), raws.total()
    with capsys.disabled():
        print(
            f"\n{total} annotations, {with_raw} with %raw ({100 * with_raw / total:.2f} %), {unnamed.total()} as %cba"
        )
        for kind in sorted(kinds):
            print(f"  {kind:02X} {KINDS[kind].__name__:20}{kinds[kind]:7}{raws[kind]:6}")
    assert kinds == PER_KIND
    assert +raws == WITH_RAW
    assert +unnamed == {0x26: 6}
    assert 50 * with_raw < total


def test_all_bases_are_in_the_list(samples: Callable[[str], Path]) -> None:
    root = samples("cbh").parent
    found = {
        path.relative_to(root).with_suffix("").as_posix()
        for path in root.glob("cbh/*/*.cbh")
        if path.with_suffix(".cba").exists()
    }
    assert found == set(BASES)


def test_whole_positions_share_a_comment(samples: Callable[[str], Path]) -> None:
    """All annotations of one move in one comment, as a file has them; order counts within a kind."""
    encoding = TextEncoding("cp1252")
    moves: dict[tuple[int, int], list[Annotation]] = {}
    for game, position, kind, payload in annotations_of(samples("cbh/World-ch/World-ch.cbh")):
        moves.setdefault((game, position), []).append(decode_payload(kind, payload, encoding))
    several = [found for found in moves.values() if len(found) > 1]
    assert len(several) > 5000
    for stored in several:
        symbols = [a for a in stored if a.kind == Symbols.kind]
        before = encode_nags(movetext_nags(symbols[0])) if symbols else None
        comment = parse_comment(format_comment(stored, encoding=encoding).text, encoding=encoding, nags=before)
        found = [*comment.annotations, *([comment.nags or before] if before else [])]
        assert sorted(filter(None, found), key=lambda a: a.kind) == sorted(stored, key=lambda a: a.kind)
        assert comment.problems == ()
