"""Writes the page of long tables of the formats, from the code: ``python -m scripts.format_tables``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tabiya.books.ctg.codes import CODES, HASH_TABLE
from tabiya.formats.cbh.bodies.move_tables import DECODE
from tabiya.formats.scid.stored_lines import STORED_LINES
from tabiya.game.annotations.quoted_moves import ENCODE
from tabiya.game.nations import nations

PAGE = Path(__file__).parent.parent / "docs" / "formats" / "tables.md"
HEAD = """\
# Tables of the formats

Tables that are too long for the pages of their formats. `python -m scripts.format_tables` writes this page; \
a test compares it with the code.
"""


def block(lines: Sequence[str]) -> str:
    """Return a block of code."""
    return "\n".join(["```text", *lines, "```", ""])


def hexadecimal(table: bytes) -> str:
    """Return 256 bytes in lines of 32."""
    return block([table[at : at + 32].hex() for at in range(0, len(table), 32)])


def columns(entries: Sequence[str], count: int) -> str:
    """Return entries in columns, downward."""
    rows = -(-len(entries) // count)
    width = max(len(entry) for entry in entries) + 2
    return block(["".join(each.ljust(width) for each in entries[row::rows]).rstrip() for row in range(rows)])


def sections() -> Iterator[str]:
    """Yield the parts of the page."""
    yield HEAD
    yield (
        "## Moves of `.cbg`\n\nFor each [mode](cbh-moves.md#modes) the table `DEC`: the number for each byte from 00. "
        "It is a permutation, so its inverse encodes.\n"
    )
    for mode, table in DECODE.items():
        yield f"Mode {mode}:\n\n{hexadecimal(table)}"
    decode = bytes(ENCODE.index(byte) for byte in range(256))
    yield (
        "## Moves of quotations\n\nThe same table for the moves inside a [quotation](../annotations.md#the-kinds): two "
        "bytes per move as in the [simple coder](cbh-moves.md#the-simple-coder), shifted *before*; bit 14 is set in a "
        f"last null move, `4000`, and in no other.\n\n{hexadecimal(decode)}"
    )
    yield (
        "## Moves of `.ctg`\n\nThe byte for each [number of a move](ctg.md#moves) from 0 to 234, then the 21 bytes "
        f"that are no move.\n\n{hexadecimal(CODES)}"
    )
    yield "## The hash of `.ctg`\n\nThe 64 numbers of the table of dbm, from entry 0 on.\n"
    yield block([" ".join(f"{each:08x}" for each in HASH_TABLE[at : at + 8]) for at in range(0, 64, 8)])
    yield (
        "## Nations of ChessBase\n\nThey also number the languages of texts in annotations of `.cba`: 42 is English, "
        "53 German.\n"
    )
    yield columns([f"{number:3} {code} {name}" for number, (code, name) in sorted(nations().items())], 3)
    yield (
        "## Stored lines of Scid\n\nThe index has the number of the longest of these lines that a game begins with; a "
        "reader needs none of them. Castling is written as a move of the king.\n"
    )
    yield columns([f"{number:3} {line}" for number, line in enumerate(STORED_LINES, 1)], 1)


def page() -> str:
    """Return the page."""
    return "\n".join(sections())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
