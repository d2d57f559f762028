from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.formats.cbh.bodies.guiding_text import decode_guiding_text
from tabiya.game import GuidingText
from tabiya.game.annotations.encoding import CP1252
from tabiya.game.annotations.quotation import Quotation
from tabiya.game.guiding_view import guiding_page, guiding_plain
from tests.formats.cbh.texts import blobs


def formatting(*objects: tuple[int, int, bytes]) -> bytes:
    """The part of the formatting that is understood: kind, place and payload of objects."""
    parts = [struct.pack("<HHH", 300, len(objects), 0)]
    parts += [struct.pack("<HHH", kind, place, len(payload)) + payload for kind, place, payload in objects]
    return b"".join(parts)


def string(text: str) -> bytes:
    return struct.pack("<H", len(text)) + text.encode("cp1252")


def test_html() -> None:
    page = "<html><body><p>Gr\u00fc\u00dfe</p><img src='x.html\\a.jpg'></body></html>"
    text = GuidingText(0, "Title", 3, page.encode())
    assert text.html() == page
    assert text.plain() == "Grüße\n\n[picture a.jpg]"
    assert text.media() == ["x.html/a.jpg"]


def test_html_in_a_code_page() -> None:
    assert GuidingText(0, "", 3, b"<p>Gr\xfc\xdfe").plain() == "Grüße"


def test_old_texts() -> None:
    body = b"Heading\r\rA <picture>: \x04.\r\x04\r\x04 \x04 \x04\r\x04tail\r"
    places = [place + 1 for place, byte in enumerate(body) if byte == 4]
    objects = [
        (0x06, places[0], string("3")),
        (0x17, places[0], string("3") + string("old name.bmp")),
        (0x11, places[1], b"\x20" * 10),
        (0x1A, places[2], string("description") + string("A - B")),
        (0x19, places[3], string("Chapter 2") + bytes(8)),
        (0x77, places[4], b"?"),
        (0x0F, places[5], b"\x0a\0"),
    ]
    text = GuidingText(0, "Old & new", 1, body, formatting(*objects) + b"fonts")
    assert text.plain().split("\n") == [
        *("Heading", "", "A <picture>: [picture old name.bmp]."),
        *("[diagram]", "[game A - B] [text Chapter 2] [object]", "-" * 20, "tail"),
    ]
    assert text.media() == ["3.bmp"]
    page = text.html()
    assert "<title>Old &amp; new</title>" in page
    assert '<p>A &lt;picture&gt;: <img src="3.bmp" alt="old name.bmp">.</p>' in page
    assert "<hr>tail" in page


@pytest.mark.parametrize("version", [1, 2])
def test_marks_without_formatting(version: int) -> None:
    assert GuidingText(0, "", version, b"a\4b\r\nc").plain() == "a[object]b\nc"


def test_a_code_page_can_be_given() -> None:
    text = GuidingText(0, "", 1, bytes.fromhex("cff0e8e2e5f2"))
    assert text.plain() == "Привет"
    assert guiding_plain(text, CP1252) == "Ïðèâåò"


@given(st.integers(1, 3), st.binary(max_size=40), st.none() | st.binary(max_size=40))
def test_any_text_can_be_shown(version: int, body: bytes, extra: bytes | None) -> None:
    text = GuidingText(0, "t", version, body, extra)
    assert isinstance(text.plain(), str)
    assert isinstance(text.html(), str)
    assert all(isinstance(name, str) for name in text.media())


@given(st.sampled_from((0x02, 0x05, 0x09, 0x11, 0x19, 0x1A)), st.binary(max_size=120))
def test_damaged_objects_are_words(kind: int, payload: bytes) -> None:
    text = GuidingText(0, "t", 1, b"a\4b", formatting((kind, 2, payload)))
    assert guiding_page(text).count("<p>") == 1


def test_objects_in_the_form_of_format_3() -> None:
    board = bytes.fromhex("00000000" * 4 + "10000009" + "00000000" * 3)
    game = Quotation(white="Alpha,Ann", black="Beta", event="Open & free").encode()
    objects = [
        (0x11, 1, struct.pack("<H", len(board)) + board),
        (0x1A, 2, struct.pack("<H", len(game)) + game + string("A - B")),
        (0x19, 3, string("Chapter 2, end") + bytes(8)),
        (0x09, 4, struct.pack("<H", len(board)) + b"\x70" + board[1:]),
    ]
    page = guiding_page(GuidingText(0, "", 1, b"\4\4\4\4", formatting(*objects)))
    assert '<img alt="fen:4k3/8/8/8/8/8/8/4K3 w - - 0 1;">' in page
    assert '<a href="javascript:CBLink(tag_game,Alpha,Ann,Beta,,Open &amp; free,)">A - B</a>' in page
    assert '<a href="javascript:CBLink(tag_text,Chapter 2, end,,,0)">Chapter 2, end</a>' in page
    assert "<i>[diagram]</i>" in page


def test_samples(samples: Callable[[str], Path]) -> None:
    texts = {
        number: decode_guiding_text(blob).texts[0]
        for number, blob in blobs(samples("cbh/text/text.cbh").with_suffix(""))
    }
    assert texts[1].plain() == "Simple text in English"
    assert texts[3].plain() == "Some text\n\nBold italics underline"
    assert texts[4].plain() == "Text\n\nPosition\n\n[diagram 8/4k3/8/4PK2/8/8/8/8 w - - 0 1]"
    assert texts[7].media() == ["text.html/JaquesCookStaunton.jpg"]
    assert texts[10].plain() == "Magnus Carlsen\n\nSveriges Schackförbunds hemsida <https://schack.se>"


def test_objects_of_old_samples(samples: Callable[[str], Path]) -> None:
    """Every byte 4 of all texts has an object that is known, but for one."""
    stem = samples("cbh/hedgehog/Hedgehog.cbh").with_suffix("")
    texts = [decode_guiding_text(blob).texts[0] for _, blob in blobs(stem)]
    shown = [text.plain() for text in texts]
    assert sum(text.count("[object]") for text in shown) == 1
    assert sum(text.count("[diagram]") for text in shown) == 204
    assert sum(text.count("[game ") for text in shown) == 204
    assert sum(text.count("[text ") for text in shown) == 76
    # The header of the base says that 9 is the number of the next picture.
    assert sorted(name for text in texts for name in text.media()) == [
        f"{number}.bmp" for number in (0, 1, 2, 3, 4, 5, 6, 8)
    ]
    assert "[game К. Опоченский - Ф. Земиш]" in shown[3]
