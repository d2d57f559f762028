"""jose: its binary game text, its database on a MySQL or MariaDB server, and its archives."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import PASSWORD, Format, Lazy, Match, Option
from tabiya.formats.jose.messages import LEFT_OUT, SENTENCES

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.formats.jose.codec import GameText, decode_game_text, encode_game_text

__all__ = ["JOSE", "GameText", "decode_game_text", "encode_game_text"]

KEEPS: Final = replace(
    Keeps.everything(),
    results=frozenset(range(4)),
    guiding_texts=False,
    opaque=False,
    extras=frozenset({"jose."}),
)
_TABLE: Final = b"IO_Game"
_FIRST_MEMBER: Final = b"MetaInfo."
_TAR_NAME: Final = slice(0, 100)
_TAR_TYPE: Final = slice(156, 157)
_TAR_MAGIC: Final = slice(257, 262)
_TAR_BLOCK: Final = 512
_ZIP_MAGIC: Final = b"PK\x03\x04"
_ZIP_HEADER: Final = 30
_TABLE_SUFFIXES: Final = (".frm", ".myi", ".myd")


def _sniff(head: bytes, path: Path | None) -> Match:
    if path is not None and _is_table(head, path):
        return Match.CERTAIN
    named = path is not None and path.suffix.lower() == ".jose"
    if head.startswith((b"\x1f\x8b", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6", b"h7", b"h8", b"h9", b"Rar!")):
        return _sniff_packed(head) if head.startswith(b"\x1f\x8b") else Match.LIKELY if named else Match.NO
    if head[_TAR_MAGIC] == b"ustar":
        if head[_TAR_TYPE] == b"5":
            head = head[_TAR_BLOCK:]  # the folder that was packed
        name = head[_TAR_NAME].partition(b"\0")[0]
    elif head.startswith(_ZIP_MAGIC):
        name, rest = _zip_member(head)
        if name.endswith(b"/"):
            name, _ = _zip_member(rest)
    else:
        return Match.NO
    folder, _, table = name.removeprefix(b"./").rpartition(b"/")
    return Match.CERTAIN if b"/" not in folder and table.startswith((_FIRST_MEMBER, b"IO_")) else Match.NO


def _zip_member(head: bytes) -> tuple[bytes, bytes]:
    """Return the name of a member, and the bytes after its header."""
    length, more = (int.from_bytes(head[at : at + 2], "little") for at in (26, 28))
    return head[_ZIP_HEADER : _ZIP_HEADER + length], head[_ZIP_HEADER + length + more :]


def _is_table(head: bytes, path: Path) -> bool:
    """Return whether this is a folder of tables, or one of them."""
    if head and path.suffix.lower() not in _TABLE_SUFFIXES:
        return False
    from tabiya.formats.jose.container import folder_of  # noqa: PLC0415 - for folders and tables only

    return folder_of(path) is not None


def _sniff_packed(head: bytes) -> Match:
    import zlib  # noqa: PLC0415 - for packed files only

    try:
        inside = zlib.decompressobj(31).decompress(head, 2 * _TAR_BLOCK)
    except zlib.error:
        return Match.NO
    return Match.NO if inside.startswith(b"\x1f\x8b") else _sniff(inside, None)


JOSE: Final = Format(
    name="jose",
    title="jose",
    suffixes=(".jose",),
    keeps=KEEPS,
    sniff=_sniff,
    open=Lazy("tabiya.formats.jose.folder:open_tables"),
    create=Lazy("tabiya.formats.jose.archive_writer:ArchiveWriter"),
    streams=True,
    schemes=("mysql", "mariadb"),
    open_url=Lazy("tabiya.formats.jose.database:ServedDatabase"),
    create_url=Lazy("tabiya.formats.jose.writer:ServedWriter"),
    read_options=(
        Option("collection", "Read only the games of this collection."),
        Option("shift_dates", "Add a day to all dates of the source, for old archives.", bool),
        PASSWORD,
    ),
    write_options=(
        Option("collection", "Put the games into this collection of the target."),
        Option("create", "Create the database and its tables on a server if they are missing.", bool),
        PASSWORD,
    ),
    problems=SENTENCES,
    left_out=LEFT_OUT,
)

if not TYPE_CHECKING:  # the codec imports pyarrow

    def __getattr__(name: str) -> object:
        if name not in ("GameText", "decode_game_text", "encode_game_text"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(f"{__name__}.codec"), name)
        return value
