"""2CBH databases of ChessBase 17 and later: a ``.2cbh`` file and its companions. Read only.

Made from published facts about the format; ``docs/formats/2cbh.md`` has them all, with their certainty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.chessbase.tag_order import TAG_ORDER
from tabiya.formats.capabilities import Keeps, SymbolSupport
from tabiya.formats.cbh2.messages import LEFT_OUT, SENTENCES
from tabiya.formats.format import ENCODING, Format, Lazy, Match

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CBH2"]

_MAIN: Final = ".2cbh"
_RECORD: Final = 192

KEEPS: Final = Keeps(
    variations=True,
    null_moves=True,
    setups=True,
    chess960=True,
    symbols=SymbolSupport.SLOTS,
    text_after=True,
    text_before=True,
    languages=True,
    annotations=frozenset(range(256)),
    original_bytes=True,
    tags=frozenset(
        {
            *("Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO"),
            *("Annotator", "Variant", "FEN", "Board", "WhiteFideId", "BlackFideId"),
            *TAG_ORDER,
        }
    ),
    results=frozenset(range(1, 9)),
    deleted=True,
    guiding_texts=True,
    opaque=True,
    extras=frozenset({"2cbh.", "cbh."}),
)


def _sniff(head: bytes, path: Path | None) -> Match:
    # Eight zeros, a version, the size of a record: no other format begins like this.
    if len(head) >= _RECORD and head[:8] == bytes(8) and head[10:12] == b"\xc0\0" and head[8] and head[9] == 0:
        return Match.CERTAIN
    if path is None:
        return Match.NO
    try:
        return Match.LIKELY if _has_main_file(path) else Match.NO
    except (OSError, ValueError):
        return Match.NO


def _has_main_file(path: Path) -> bool:
    """Return whether there is a .2cbh beside or below the path, which is a companion, a stem, or a folder."""
    from tabiya.files.companion_files import companions, main_files_in  # noqa: PLC0415 - imported on use
    from tabiya.formats.cbh2.base_files import COMMON, OWN_SUFFIXES  # noqa: PLC0415 - imported on use

    if path.is_dir():
        return len(main_files_in(path, (_MAIN,))) == 1
    suffix = path.suffix.lower()
    if suffix in OWN_SUFFIXES and suffix != _MAIN and path.is_file():
        return True  # opening reports what is missing
    if suffix in COMMON and path.is_file():
        return _MAIN in companions(path.parent, path.stem, (_MAIN,))
    if path.exists() or not path.parent.is_dir():
        return False
    return _MAIN in companions(path.parent, path.name, (_MAIN,))


CBH2: Final = Format(
    name="2cbh",
    title="ChessBase 2CBH",
    suffixes=(_MAIN,),
    keeps=KEEPS,
    sniff=_sniff,
    open=Lazy("tabiya.formats.cbh2.database:Cbh2Database"),
    read_only="what ChessBase requires of such files is not fully known; write a .cbh database, which it converts",
    read_options=(ENCODING,),
    problems=SENTENCES,
    left_out=LEFT_OUT,
    census=Lazy("tabiya.formats.cbh2.census:census"),
    main=Lazy("tabiya.formats.cbh2.base_files:main_file"),
)
