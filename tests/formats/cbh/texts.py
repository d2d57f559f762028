"""Guiding texts for the tests: blobs cut out of real bases by hand, and texts at random."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

from tabiya.game.record import GuidingText
from tests import strategies

SAMPLE_BASES = ("cbh/text/text", "cbh/hedgehog/Hedgehog", "cbh/cbhlib_test/cbhlib_test")


def blobs(stem: Path) -> Iterator[tuple[int, bytes]]:
    """The number and the blob of every text of a base, found without any code of tabiya."""
    headers, data = stem.with_suffix(".cbh").read_bytes(), stem.with_suffix(".cbg").read_bytes()
    for number in range(1, len(headers) // 46):
        header = headers[46 * number : 46 * number + 46]
        if header[0] & 2:
            offset = int.from_bytes(header[1:5], "big")
            yield number, data[offset : offset + int.from_bytes(data[offset + 1 : offset + 4], "big")]


@st.composite
def guiding_texts(draw: st.DrawFn) -> tuple[GuidingText, ...]:
    """The texts of one record, in the form that decoding gives them."""
    version = draw(st.sampled_from([1, 2, 3]))
    found = []
    for lang in draw(st.lists(st.integers(0, 9), unique=True, max_size=4)):
        body = draw(st.binary(max_size=40))
        formatting = draw(st.none() | st.binary(min_size=1 if body else 0, max_size=9))
        title = draw(strategies.texts)
        if body or formatting is not None or title:
            found.append(GuidingText(lang, title, version, body, formatting))
    return tuple(sorted(found, key=lambda text: not text.body and text.formatting is None))
