"""Texts of annotations: the kernel does what ``TextEncoding`` does, in both directions, for any bytes and any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.formats.cbh.bodies.columns import write_bodies
from tabiya.game import Annotation, Game, GameBatch
from tabiya.game.annotations import TEXT_AFTER, TextEncoding, decode_payload, encode_payload
from tests.formats.cbh.bodies.test_cbg_random import POP, hide
from tests.formats.cbh.plain_coder import encode_annotations
from tests.formats.cbh.stored import batch_of, blob

PAGES = ("utf-8", "cp1252", "cp1251", "cp1250")

_PIECES = (
    b"Nf3 ",
    b"\xa2",
    b"\xa4f3",
    b"\xa7",
    b"x\xa3x",
    b"\x9e",
    b" \x9e ",
    b"\x9ea",
    b"\xc3\xa9",
    b"\xe9",
    b"\xee\x80\xa4",
    b"\xee\x80\x85",
    b"\xe2\x99\x94",
    b"\xe2\x96\xa6",
    b"\xd1\x88\xd0\xb0",
    b"\xf8\xe0\xf5",
    b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80",
    b"\x00",
    b"\x81",
    b"\r\n",
)
stored_texts = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=6).map(b"".join),
    st.binary(max_size=12),
    st.text(max_size=8).map(lambda text: text.encode(errors="ignore")),
)
letters = st.sampled_from(["a", "é", "ш", "♔", "♘f3", "▦", "\ue024", "\ue005", "½", "Ã©", "¤f", "\x81", "ž", "😀", " "])
texts = st.one_of(
    st.lists(letters, max_size=6).map("".join), st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
)

GAME = hide([POP])


@settings(max_examples=300)
@given(
    payload=st.tuples(st.sampled_from([b"\0\0", b"\0*", b"\1\0"]), stored_texts).map(b"".join),
    page=st.sampled_from(PAGES),
)
def test_reading(payload: bytes, page: str) -> None:
    encoding = TextEncoding(page)
    found = blob(GAME, encode_annotations(1, [(-1, TEXT_AFTER, payload)]), encoding=encoding).annotations[0].as_py()[0]
    expected = decode_payload(TEXT_AFTER, payload, encoding)
    assert (found["data"], found["lang"], found["raw"]) == (expected.data, expected.lang, expected.raw)


@settings(max_examples=300)
@given(text=texts, lang=st.sampled_from([0, 42]), page=st.sampled_from(PAGES))
def test_writing(text: str, lang: int, page: str) -> None:
    encoding = TextEncoding(page)
    game = Game()
    game.annotations.append(Annotation(TEXT_AFTER, text.encode(), lang))
    written = write_bodies(GameBatch.from_games([game]), encoding=encoding)
    payload = encode_payload(game.annotations[0], encoding)
    assert bytes(written.annotations) == encode_annotations(1, [(-1, TEXT_AFTER, payload)])


@settings(max_examples=100)
@given(data=stored_texts, raw=st.none() | stored_texts, page=st.sampled_from(PAGES))
def test_former_bytes_are_used_if_they_fit(data: bytes, raw: bytes | None, page: str) -> None:
    """Whatever stands in the columns, the text that is written is the text that is read."""
    encoding = TextEncoding(page)
    text = encoding.decode(data).encode()
    game = Game()
    game.annotations.append(Annotation(TEXT_AFTER, text, 0, raw))
    written = write_bodies(GameBatch.from_games([game]), encoding=encoding)
    found = blob(GAME, bytes(written.annotations), encoding=encoding).annotations[0].as_py()[0]
    fits = raw is not None and decode_payload(TEXT_AFTER, raw, encoding).data == text and raw[1:2] in (b"", b"\0")
    assert found["data"] == encoding.decode(text).encode()
    assert bool(written.losses) == (raw is not None and not fits)


@pytest.mark.parametrize(
    ("payload", "data", "raw"), [("01", "01", None), ("0100", "01", "0100"), ("000e", "000e", None)]
)
def test_symbols(payload: str, data: str, raw: str | None) -> None:
    bodies = blob(GAME, encode_annotations(1, [(-1, 3, bytes.fromhex(payload))]))
    found = bodies.annotations[0].as_py()[0]
    assert found["data"] == bytes.fromhex(data)
    assert found["raw"] == (None if raw is None else bytes.fromhex(raw))
    for odd in (b"", b"\0\0", b"\1\0\0\0"):
        found = blob(GAME, encode_annotations(1, [(-1, 3, odd)])).annotations[0].as_py()[0]
        assert (found["data"], found["raw"]) == (odd, None)
    assert bytes(write_bodies(batch_of(bodies)).annotations) == encode_annotations(1, [(-1, 3, bytes.fromhex(payload))])
