"""EPD: a position per line, with operations such as ``bm`` (best move) and ``id``; the form of test suites."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.epd.messages import SENTENCES
from tabiya.formats.format import APPEND, ENCODING, Format, Lazy, Match

if TYPE_CHECKING:
    from pathlib import Path

KEEPS: Final = Keeps(
    null_moves=True,
    setups=True,
    chess960=True,
    text_after=True,
    text_before=True,
    sides=True,
    annotations=frozenset({0x21}),
    tags=frozenset({"Event", "ECO"}),
    opaque=True,
    extras=frozenset({"epd."}),
)

_RANK: Final = rb"[1-8pnbrqkPNBRQK]+"
_POSITION: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*"
    + rb"/".join([_RANK] * 8)
    + rb"[ \t]+[wb][ \t]+(?:-|[A-HKQa-hkq]{1,4})[ \t]+(?:-|[a-h][36])[\s;]"
)


def _sniff(head: bytes, path: Path | None) -> Match:  # noqa: ARG001 - the content is sufficient
    return Match.LIKELY if _POSITION.match(head + b"\n") else Match.NO


EPD: Final = Format(
    name="epd",
    title="EPD",
    suffixes=(".epd",),
    keeps=KEEPS,
    sniff=_sniff,
    open=Lazy("tabiya.formats.epd.database:EpdDatabase"),
    create=Lazy("tabiya.formats.epd.writer:EpdWriter"),
    streams=True,
    read_options=(ENCODING,),
    write_options=(APPEND,),
    problems=SENTENCES,
)
