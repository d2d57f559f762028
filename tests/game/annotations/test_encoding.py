from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import FormatError
from tabiya.game.annotations import CP1251, CP1252, UTF8, TextEncoding, detect_encoding
from tabiya.game.annotations.encoding import show_signs
from tests.game.annotations.values import encodings, strings


@pytest.mark.parametrize(
    ("encoding", "data", "text"),
    [
        (UTF8, "für".encode(), "für"),
        (UTF8, b"f\xfcr", "für"),
        (CP1252, b"f\xfcr", "für"),
        (CP1251, "Привет".encode("cp1251"), "Привет"),
        (CP1252, "Привет".encode(), "Привет"),
        (CP1252, b"\xa4f3 \xa3xd5 \xa61e1 \xfc", "♘f3 ♕xd5 ♖1e1 ü"),
        (CP1252, b"5 \xa3 \xfc", "5 £ ü"),
        (CP1252, b"\xfc \x9e", "ü ▦"),
        (CP1252, b"\x9eena \xfc", "žena ü"),
        (UTF8, "\ue028f3 \ue005".encode(), "♘f3 ▦"),
        (CP1252, b"a\x8d\xfc", "a\x8dü"),
        (CP1252, b"da\xdf\x85 f\xfcr", "daß… für"),
        (CP1252, "„Größe“ ".encode() + b"\xfc", "„Größe“ ü"),
        (CP1252, b"\x82,\xd7\xa2e1", "‚,×♔e1"),
        (CP1252, b"", ""),
        (CP1252, b"a\x00b", "a\x00b"),
    ],
)
def test_texts(encoding: TextEncoding, data: bytes, text: str) -> None:
    assert encoding.decode(data) == text
    assert encoding.decode(encoding.encode(text)) == text


@pytest.mark.parametrize("data", [b"f\xfcr", b"\xa4f3 \xfc", b"\xfc \x9e", b"a\x8d\xfc", b"\xa7 \xa75", b"x"])
def test_what_is_stored_in_the_code_page_stays_there(data: bytes) -> None:
    assert CP1252.encode(CP1252.decode(data)) == data


@given(encodings, strings)
def test_what_is_written_is_read_again(encoding: TextEncoding, text: str) -> None:
    assert encoding.decode(encoding.encode(show_signs(text))) == show_signs(text)
    assert encoding.decode_name(encoding.encode_name(text)) == text


@given(encodings, st.binary(max_size=40))
def test_any_bytes_are_some_text(encoding: TextEncoding, data: bytes) -> None:
    text = encoding.decode(data)
    assert encoding.decode(encoding.encode(text)) == text
    name = encoding.decode_name(data)
    assert encoding.decode_name(encoding.encode_name(name)) == name


@given(st.binary(min_size=1, max_size=40).filter(lambda data: data.isascii()))
def test_ascii_is_the_same_everywhere(data: bytes) -> None:
    for encoding in (UTF8, CP1251, CP1252):
        assert encoding.encode(encoding.decode(data)) == data


@pytest.mark.parametrize(
    ("texts", "encoding"),
    [
        ([], UTF8),
        ([b"ascii", "für".encode()], UTF8),
        ([b"f\xfcr", "für".encode()], CP1252),
        (["Хороший ход".encode("cp1251"), b"f\xfcr", "Ёж".encode("cp1251")], CP1251),
        ([b"\xe0 la", b"\xf3 bien"], CP1252),
    ],
)
def test_detection(texts: list[bytes], encoding: TextEncoding) -> None:
    assert detect_encoding(texts) == encoding


@pytest.mark.parametrize("page", ["nonsense", "utf-16", "cp932", "base64", "cp037", ""])
def test_other_encodings_are_refused(page: str) -> None:
    with pytest.raises(FormatError, match="code page"):
        TextEncoding(page)


def test_names_of_code_pages_have_no_capitals() -> None:
    assert TextEncoding("UTF-8") == UTF8
    assert TextEncoding("CP1251") == CP1251
