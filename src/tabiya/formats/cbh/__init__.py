"""ChessBase databases: a ``.cbh`` file and its companions, one module per kind of file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.chessbase.tag_order import TAG_ORDER
from tabiya.files.journals import journal_of
from tabiya.formats.capabilities import Keeps, SymbolSupport
from tabiya.formats.cbh.messages import LEFT_OUT, SENTENCES
from tabiya.formats.format import APPEND, ENCODING, Format, Lazy, Match, Option

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CBH"]

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
            *("Annotator", "Variant", "FEN"),  # SetUp follows from FEN; any other value cannot be stored
            *TAG_ORDER,
        }
    ),
    results=frozenset(range(1, 9)),
    deleted=True,
    guiding_texts=True,
    opaque=True,
    extras=frozenset({"cbh."}),
)

WRITE_OPTIONS: Final = (
    Option("encoding", "The code page of names and texts in the target, such as cp1251."),
    Option("title", "The title of the target, as ChessBase shows it.", metavar="TEXT"),
)
"""Options for writing a new base, also in an archive."""


def _sniff(head: bytes, path: Path | None) -> Match:
    # .cbh files have no magic number, but their first six bytes are almost unambiguous; see cbh.looks_like_header.
    if (
        len(head) >= 46
        and head[:2] == b"\0\0"
        and head[2] in b"\x24\x2c"
        and head[3:5] == b"\0\x2e"
        and any(head[6:10])
    ):
        return Match.CERTAIN
    if path is None:
        return Match.NO
    try:
        return Match.LIKELY if _has_main_file(path) or has_journal(path) else Match.NO
    except OSError:
        return Match.NO


def has_journal(path: Path) -> bool:
    """Return whether there is a change of the base that was decided but not finished; see ``files.recovery``."""
    return journal_of(path.parent, path.stem).is_file()


def _has_main_file(path: Path) -> bool:
    """Return whether there is a .cbh beside, below or at the path."""
    from tabiya.errors import TabiyaError  # noqa: PLC0415 - only here
    from tabiya.files.companion_files import main_files_in  # noqa: PLC0415 - imported on use
    from tabiya.formats.cbh.files.base_files import KNOWN_SUFFIXES, MAIN, main_file  # noqa: PLC0415 - imported on use

    if path.is_dir():
        return len(main_files_in(path, (MAIN,))) == 1  # several are a collection
    if path.exists() and (path.suffix.lower() == MAIN or path.suffix.lower() not in KNOWN_SUFFIXES):
        return False  # its own content is better evidence
    if not path.parent.is_dir():
        return False
    try:
        return main_file(path).is_file()
    except TabiyaError:
        # A file that only ChessBase has: opening reports what is missing.
        return path.is_file() and path.suffix.lower().startswith(".cb")


CBH: Final = Format(
    name="cbh",
    title="ChessBase",
    suffixes=(".cbh",),
    keeps=KEEPS,
    sniff=_sniff,
    open=Lazy("tabiya.formats.cbh.database:CbhDatabase"),
    create=Lazy("tabiya.formats.cbh.writer:CbhWriter"),
    read_options=(ENCODING,),
    write_options=(APPEND, *WRITE_OPTIONS),
    problems=SENTENCES,
    left_out=LEFT_OUT,
    main=Lazy("tabiya.formats.cbh.files.base_files:main_file"),
    check=Lazy("tabiya.formats.cbh.checking:check_base"),
    compact=Lazy("tabiya.formats.cbh.compaction:compact"),
    copy=Lazy("tabiya.formats.cbh.compaction:copy_base"),
    edit=Lazy("tabiya.formats.cbh.editing:BaseEditor"),
)
