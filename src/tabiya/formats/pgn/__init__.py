"""Portable Game Notation: the format that all chess programs support."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import APPEND, ENCODING, Format, Lazy, Match, Option, Profile
from tabiya.formats.pgn.messages import LEFT_OUT, SENTENCES
from tabiya.game.annotations.dialects import Dialect

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PGN", "keeps_of"]

_PLAIN_RESULTS: Final = frozenset(range(4))
_OWN_EXTRAS: Final = frozenset({"pgn.escape", "pgn.movetext", "pgn.termination"})
_COMMON_KINDS: Final = frozenset({0x04, 0x05, 0x07, 0x16, 0x17, 0x21})

LOSSLESS: Final = replace(Keeps.everything(), extras=_OWN_EXTRAS | {"*."})  # extras of other formats travel as tags
PLAIN: Final = replace(
    LOSSLESS,
    languages=False,
    annotations=_COMMON_KINDS,
    results=_PLAIN_RESULTS,
    deleted=False,
    guiding_texts=False,
    extras=_OWN_EXTRAS,
)

_MORE_OF_DIALECTS: Final = {Dialect.CHESSBASE: frozenset({0x09, 0x22, 0x26})}
"""Kinds of annotation that only one program reads."""


def keeps_of(dialect: Dialect) -> Keeps:
    """Return what the plain profile keeps in the dialect of one program."""
    return replace(PLAIN, annotations=_COMMON_KINDS | _MORE_OF_DIALECTS.get(dialect, frozenset()))


_PACKED: Final = (b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0")
_SUFFIXES: Final = (".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2", ".pgn.xz")
_TAG: Final = re.compile(rb'(?:\s|%[^\n]*\n|;[^\n]*\n)*\[\s*\w+\s*"')
_LATER_TAG: Final = re.compile(rb'^\[\w+ "', re.MULTILINE)
_MOVES: Final = re.compile(rb"(?:\s|\{[^}]*\})*(?:1\s*\.|[a-hKQRBN]\S{1,6}\s)")
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")


def _sniff(head: bytes, path: Path | None) -> Match:
    if head.startswith(_PACKED):
        named = path is not None and path.name.lower().endswith(_SUFFIXES)
        return Match.LIKELY if named else Match.MAYBE
    if head.startswith(_UTF16):
        return Match.LIKELY if b"[" in head[:64] else Match.MAYBE
    text = head.removeprefix(_BYTE_ORDER_MARK)
    if _TAG.match(text):
        return Match.CERTAIN
    if _LATER_TAG.search(text) and b"\0" not in text:
        return Match.LIKELY
    return Match.MAYBE if _MOVES.match(text) else Match.NO


_CONTROLS: Final = bytes({*range(32), 127} - {*b"\t\n\r\f\v\x1a\x1b"})
_MOST_CONTROLS: Final = 0.05
"""Random and compressed bytes have twice as many; texts in any 8-bit encoding have hardly any."""


def _rules_out(head: bytes) -> bool:
    """Return whether bytes are not text at all; a file with a tag among them is read anyway."""
    if head.startswith((*_PACKED, *_UTF16)) or _LATER_TAG.search(head):
        return False
    return len(head) - len(head.translate(None, _CONTROLS)) > _MOST_CONTROLS * len(head)


PGN: Final = Format(
    name="pgn",
    title="Portable Game Notation",
    suffixes=_SUFFIXES,
    keeps=LOSSLESS,
    sniff=_sniff,
    rules_out=_rules_out,
    open=Lazy("tabiya.formats.pgn.database:PgnDatabase"),
    create=Lazy("tabiya.formats.pgn.writer:PgnWriter"),
    edit=Lazy("tabiya.formats.pgn.editing:PgnEditor"),
    profiles=(Profile("plain", "only what other programs read", PLAIN),),
    read_options=(
        ENCODING,
        Option("language", "Language of the piece letters, such as de or fr.", metavar="CODE"),
        Option("strict", "Raise an error at the first problem.", bool, command_line=False),
    ),
    write_options=(
        APPEND,
        Option("profile", "Profile of the target: lossless or plain."),
        Option("layout", "Layout of the text: export or lines."),
        Option("dialect", "Spelling of values in plain PGN: lichess (the default), chessbase or scid."),
    ),
    problems=SENTENCES,
    hint=Lazy("tabiya.formats.pgn.spellings:language_hint"),
    left_out=LEFT_OUT,
    streams=True,
)
