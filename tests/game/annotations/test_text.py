from __future__ import annotations

import pytest
from hypothesis import given

from tabiya.errors import FormatError
from tabiya.game.annotations import SYMBOLS, TEXT_AFTER, TEXT_BEFORE, Annotation, Side, decode_text, encode_text
from tabiya.game.annotations.text import join_texts, set_text
from tests.strategies import texts


@given(texts)
def test_texts(text: str) -> None:
    assert decode_text(encode_text(text)) == text


def test_the_side_chooses_the_kind() -> None:
    assert encode_text("ж") == Annotation(TEXT_AFTER, b"\xd0\xb6")
    assert encode_text("x", Side.BEFORE, 42) == Annotation(TEXT_BEFORE, b"x", 42, side=Side.BEFORE)
    assert encode_text("x", Side.LATE) == Annotation(TEXT_AFTER, b"x", side=Side.LATE)


def test_half_a_character_is_no_text() -> None:
    with pytest.raises(FormatError, match="no UTF-8 form"):
        encode_text("a\ud800b")


def test_other_bytes_are_shown_somehow() -> None:
    assert decode_text(Annotation(TEXT_AFTER, b"caf\xe9")) == "caf\ufffd"


def test_setting_replaces_all_texts_of_the_kind_in_place() -> None:
    symbols, before = Annotation(SYMBOLS, b"\x01"), encode_text("b", Side.BEFORE)
    annotations = [before, encode_text("one"), symbols, encode_text("zwei", lang=53)]
    assert join_texts(annotations, TEXT_AFTER) == "one zwei"
    set_text(annotations, "new", Side.AFTER)
    assert annotations == [before, encode_text("new"), symbols]
    set_text(annotations, "", Side.BEFORE)
    assert annotations == [encode_text("new"), symbols]
    set_text(annotations, "again", Side.BEFORE)
    assert annotations == [encode_text("new"), symbols, encode_text("again", Side.BEFORE)]
