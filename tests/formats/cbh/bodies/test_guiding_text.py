from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chessbase.body_columns import DecodedText
from tabiya.errors import UnsupportedError
from tabiya.formats.cbh.bodies.guiding_text import (
    DAMAGED,
    ORIGINAL,
    TITLES,
    UNKNOWN_VERSION,
    decode_guiding_text,
    encode_guiding_text,
)
from tabiya.game.annotations import parse_comment
from tabiya.game.annotations.encoding import CP1251, CP1252, UTF8, TextEncoding
from tabiya.game.annotations.guiding import format_guiding_text
from tabiya.game.record import Extra, GuidingText, Problem
from tests.formats.cbh.texts import SAMPLE_BASES, blobs, guiding_texts

VECTORS = {
    "version 1, formatting": (
        "80 000024 0100 0100 0000 0500 5469746c65 01 0100 0000 0400 54657874 0300 010203",
        (GuidingText(0, "Title", 1, b"Text", b"\1\2\3"),),
    ),
    "version 1, title and body of different languages": (
        "80 00001d 0100 0100 0100 0200 4765 01 0100 0000 0200 456e 0000",
        (GuidingText(0, "", 1, b"En"), GuidingText(1, "Ge", 1, b"")),
    ),
    "version 2, long lengths": (
        "80 000027 0200 0100 0000 0500 5469746c65 01 0100 0000 04000000 54657874 02000000 0102",
        (GuidingText(0, "Title", 2, b"Text", b"\1\2"),),
    ),
    "version 3, two languages": (
        "80 000034 0300 0200 0000 0200 456e 0100 0200 4765 01 0200"
        "0000 04000000 3c703e31 00000000 0100 04000000 3c703e32 00000000",
        (GuidingText(0, "En", 3, b"<p>1"), GuidingText(1, "Ge", 3, b"<p>2")),
    ),
    "no titles": ("80 000017 0300 0000 01 0100 0700 02000000 6869 00000000", (GuidingText(7, "", 3, b"hi"),)),
    "an empty body is still a body": (
        "80 000015 0300 0000 01 0100 0000 00000000 00000000",
        (GuidingText(0, "", 3, b"", b""),),
    ),
    "nothing at all": ("80 00000b 0300 0000 01 0000", ()),
}


def blob_of(digits: str) -> bytes:
    """A vector; its size is checked here, so that a wrong vector does not pass for a damaged one."""
    blob = bytes.fromhex(digits)
    return blob[:1] + len(blob).to_bytes(3, "big") + blob[4:]


@pytest.mark.parametrize(("digits", "texts"), VECTORS.values(), ids=VECTORS)
def test_vectors(digits: str, texts: tuple[GuidingText, ...]) -> None:
    blob = blob_of(digits)
    if texts:
        assert decode_guiding_text(blob) == DecodedText(texts)
    assert encode_guiding_text(texts) == blob


@pytest.mark.parametrize("name", SAMPLE_BASES)
@pytest.mark.parametrize("encoding", [UTF8, CP1251, CP1252], ids=lambda encoding: encoding.page)
def test_every_sample_comes_back_bit_by_bit(name: str, encoding: TextEncoding, samples: Callable[[str], Path]) -> None:
    stem = samples(f"{name}.cbh").with_suffix("")
    for number, blob in blobs(stem):
        decoded = decode_guiding_text(blob, encoding)
        assert decoded.problems == ()
        assert decoded.texts, number
        assert {extra.key for extra in decoded.extras} <= {TITLES}
        assert encode_guiding_text(decoded.texts, decoded.extras, encoding) == blob
        for other in (UTF8, CP1252):  # written to a base of another encoding the titles at least read the same
            again = encode_guiding_text(decoded.texts, decoded.extras, other)
            assert decode_guiding_text(again, other).texts == decoded.texts


@pytest.mark.parametrize("name", SAMPLE_BASES)
def test_every_sample_travels_through_a_comment_of_pgn(name: str, samples: Callable[[str], Path]) -> None:
    for _, blob in blobs(samples(f"{name}.cbh").with_suffix("")):
        texts = decode_guiding_text(blob, CP1251).texts
        comment = " ".join(format_guiding_text(text) for text in texts)
        assert parse_comment(comment).texts == texts


@given(guiding_texts())
def test_any_texts_travel_through_a_comment_of_pgn(texts: tuple[GuidingText, ...]) -> None:
    assert parse_comment("".join(format_guiding_text(text) for text in texts)).texts == texts


def test_what_samples_hold(samples: Callable[[str], Path]) -> None:
    texts = {number: decode_guiding_text(blob) for number, blob in blobs(samples("cbh/text/text.cbh").with_suffix(""))}
    assert list(texts) == [1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert all(text.extras == () for text in texts.values())
    first = texts[1].texts[0]
    assert (first.lang, first.title, first.format, first.formatting) == (0, "My first text", 3, None)
    assert b"Simple text in English" in first.body
    titles = [text.title for text in texts[7].texts]
    assert titles == ["Staunton", "German title", "Fra title", "Esp title", "Ita title", "Ned title", "", ""]
    assert [text.lang for text in texts[7].texts] == list(range(8))


def test_old_samples_keep_their_formatting(samples: Callable[[str], Path]) -> None:
    stem = samples("cbh/hedgehog/Hedgehog.cbh").with_suffix("")
    found = [decode_guiding_text(blob, CP1251) for _, blob in blobs(stem)]
    assert len(found) == 27
    assert all(each.extras == () for each in found), "the base is Cyrillic, so its titles need no help"
    body, title = found[1].texts
    assert (body.lang, body.format, title.lang, title.title) == (0, 1, 1, "Содержание")
    assert body.body.decode("cp1251").startswith("СОДЕРЖАНИЕ\r")
    assert body.formatting is not None
    assert len(body.formatting) == 5530


@given(guiding_texts(), st.sampled_from([UTF8, CP1251, CP1252]))
def test_any_texts_come_back(texts: tuple[GuidingText, ...], encoding: TextEncoding) -> None:
    blob = encode_guiding_text(texts, encoding=encoding)
    decoded = decode_guiding_text(blob, encoding)
    assert decoded.texts == texts
    assert decoded.problems == ()
    assert encode_guiding_text(decoded.texts, decoded.extras, encoding) == blob


ODD = {
    "titles out of order": (
        "80 000000 0300 0200 0100 0100 47 0000 0100 45 01 0200 0000 01000000 65 00000000 0100 01000000 67 00000000"
    ),
    "an empty title": "80 000000 0300 0100 0000 0000 01 0100 0000 01000000 65 00000000",
    "two titles of one language": "80 000000 0300 0200 0000 0100 41 0000 0100 42 01 0100 0000 01000000 65 00000000",
    "the byte between is 0": "80 000000 0300 0100 0000 0100 41 00 0100 0000 01000000 65 00000000",
    "8-bit titles in a base of UTF-8": "80 000000 0300 0100 0000 0100 e4 01 0100 0000 01000000 65 00000000",
    "another first byte": "81 000000 0300 0100 0000 0100 41 01 0100 0000 01000000 65 00000000",
}


@pytest.mark.parametrize("digits", ODD.values(), ids=ODD)
def test_odd_but_sound(digits: str) -> None:
    blob = blob_of(digits)
    decoded = decode_guiding_text(blob)
    assert decoded.problems == ()
    assert len(decoded.extras) <= 1
    assert encode_guiding_text(decoded.texts, decoded.extras) == blob
    assert encode_guiding_text(decoded.texts, decoded.extras, CP1252) == blob


def test_an_edited_text_is_not_overruled_by_its_extras() -> None:
    decoded = decode_guiding_text(blob_of(ODD["8-bit titles in a base of UTF-8"]))
    assert decoded.texts[0].title == "ä"
    edited = (GuidingText(0, "ö", 3, b"new"),)
    assert decode_guiding_text(encode_guiding_text(edited, decoded.extras)).texts == edited
    same_title = (GuidingText(0, "ä", 3, b"new"),)
    blob = encode_guiding_text(same_title, decoded.extras)
    assert b"\xe4" in blob
    assert decode_guiding_text(blob).texts == same_title


@pytest.mark.parametrize("value", [b"", b"cp1252", b"no page\0\0", b"\xff\0\0", b"utf-8\0", b"utf-8\0\xff\xff"])
@pytest.mark.parametrize("key", [TITLES, ORIGINAL])
def test_extras_that_make_no_sense_are_passed_over(key: str, value: bytes) -> None:
    texts = (GuidingText(0, "Title", 3, b"body"),)
    assert encode_guiding_text(texts, [Extra(key, value)]) == encode_guiding_text(texts)


def problems(found: Iterable[Problem]) -> list[tuple[int, int | None, str]]:
    return [(problem.code, problem.offset, problem.text) for problem in found]


def test_truncation_keeps_what_is_there() -> None:
    blob = blob_of(VECTORS["version 3, two languages"][0])
    texts = VECTORS["version 3, two languages"][1]
    for size in range(len(blob)):
        decoded = decode_guiding_text(blob[:size])
        assert [problem.code for problem in decoded.problems] == [DAMAGED]
        assert [each.key for each in decoded.extras] == [ORIGINAL]
        assert decoded.extras[0].value == b"utf-8\0" + blob[:size]
        again = encode_guiding_text(decoded.texts, decoded.extras)
        assert decode_guiding_text(again).texts == decoded.texts
        if size >= 4:
            assert again[4:] == blob[4:size]
    assert decode_guiding_text(blob[:-1]).texts == (texts[0], GuidingText(1, "Ge", 3, b""))


@pytest.mark.parametrize(
    ("digits", "expected"),
    [
        ("80 000000 0400 0000", (UNKNOWN_VERSION, 4, "4")),
        ("80 000000 0000", (UNKNOWN_VERSION, 4, "0")),
        ("80 000000 0300 0000 01 0000 0000", (DAMAGED, 11, "2 bytes are left after the text")),
        ("80 000000 0300 ffff 0000 0100 41", (DAMAGED, 13, "a title is truncated")),
        ("80 000000 0300 0000 01 ffff 0000 ffffffff", (DAMAGED, 17, "a body is truncated")),
    ],
)
def test_damage(digits: str, expected: tuple[int, int, str]) -> None:
    blob = blob_of(digits)
    decoded = decode_guiding_text(blob)
    assert problems(decoded.problems) == [expected]
    assert encode_guiding_text(decoded.texts, decoded.extras) == blob


@given(st.binary(max_size=60) | st.binary(max_size=60).map(lambda rest: blob_of("80000000" + "0300" + rest.hex())))
def test_any_bytes_are_kept(blob: bytes) -> None:
    decoded = decode_guiding_text(blob)
    again = encode_guiding_text(decoded.texts, decoded.extras)
    if not decoded.problems:
        assert again == blob
    elif len(blob) >= 4:
        assert again == blob[:1] + len(blob).to_bytes(3, "big") + blob[4:]


@pytest.mark.parametrize(
    "texts",
    [
        [GuidingText(0, "x" * 65536, 3, b"")],
        [GuidingText(0, "", 1, b"x" * 65536)],
        [GuidingText(0, "", 3, b"x" * (1 << 24))],
        [GuidingText(0, "", 4, b"x")],
        [GuidingText(0, "", 1, b"x"), GuidingText(1, "", 3, b"x")],
        [GuidingText(65536, "", 3, b"x")],
        [GuidingText(65536, "x", 3, b"")],
    ],
    ids=["title", "body", "blob", "version", "mixture", "language", "language of a title"],
)
def test_what_does_not_fit(texts: list[GuidingText]) -> None:
    with pytest.raises(UnsupportedError):
        encode_guiding_text(texts)


def test_as_many_titles_as_can_be_counted() -> None:
    titles = [GuidingText(number % 100, "x", 3, b"") for number in range(65535)]
    assert len(decode_guiding_text(encode_guiding_text(titles)).texts) == 65535
    with pytest.raises(UnsupportedError, match="65536 texts"):
        encode_guiding_text([*titles, titles[0]])
