"""BCGN: a compact binary format for main lines and tags, built on the move index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.formats.bcgn.messages import SENTENCES
from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import APPEND, ENCODING, Format, Lazy, Match, Option

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BCGN"]

_MAGIC: Final = b"BCGN"
_RESULTS: Final = frozenset(range(4))
_FIELDS: Final = frozenset({"Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "ECO"})
_EXTRAS: Final = frozenset({"bcgn.date", "bcgn.eco", "bcgn.fen", "bcgn.flags", "bcgn.header_rest"})


def keeps_of(*, level: int = 1, headerless: bool = False, reference: bool = False) -> Keeps:
    """Return what these options preserve: null moves only at level 0, tags only with headers."""
    if headerless or reference:
        tags = frozenset[str]() if headerless else _FIELDS
        extras = frozenset({"bcgn.flags"}) if headerless and not reference else frozenset[str]()
        return Keeps(setups=True, null_moves=level == 0, tags=tags, results=_RESULTS, extras=extras)
    return Keeps(setups=True, null_moves=level == 0, tags="all", results="all", extras=_EXTRAS)


def _sniff(head: bytes, path: Path | None) -> Match:  # noqa: ARG001 - the content is sufficient
    return Match.CERTAIN if head.startswith(_MAGIC) else Match.NO


BCGN: Final = Format(
    name="bcgn",
    title="BCGN",
    suffixes=(".bcgn",),
    keeps=keeps_of(),
    sniff=_sniff,
    open=Lazy("tabiya.formats.bcgn.database:BcgnDatabase"),
    create=Lazy("tabiya.formats.bcgn.writer:BcgnWriter"),
    streams=True,
    read_options=(ENCODING,),
    write_options=(
        Option("level", "Compression level: 0, 1 or 2.", int, "N"),
        Option("headerless", "Omit all tags.", bool),
        Option("reference", "Write the same bytes as the format's own program.", bool),
        APPEND,
    ),
    problems=SENTENCES,
)
