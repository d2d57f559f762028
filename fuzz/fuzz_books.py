"""Fuzzes Polyglot and Arena books.

The first byte chooses the format, the rest is the book: for Polyglot the whole file, for Arena the records behind a
header, since 25,200 bytes of header would keep the fuzzer busy with nothing. Whatever the bytes, they are read, probed
and checked; what was read can be repaired, and the repaired book has no faults but numbers that make no sense. The
doors of the kernels are used directly for every input; one in eight also goes through files.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

import atheris
import direct

from tabiya.books import check_book, open_book, repair_book
from tabiya.books.abk.book import read_tree
from tabiya.books.abk.records import Header
from tabiya.books.polyglot.search_kernel import find, lower_bound, scan
from tabiya.chess import Position
from tabiya.errors import TabiyaError

FOLDER: Final = Path(tempfile.mkdtemp(prefix="tabiya-fuzz-"))
HEADER: Final = Header().encode()
FILES_ONE_IN: Final = 8
HARMLESS: Final = {"empty", "illegal", "priority", "counts"}
"""What repairing leaves: it does not judge numbers, and cannot judge moves of unknown positions."""


def check_search(data: bytes) -> None:
    """The kernels that search stay within the records."""
    keys, unsorted, first = scan(data)
    records = len(data) // 16
    assert 0 <= keys <= records
    assert (unsorted == 0) == (first == -1)
    for key in (0, int.from_bytes(data[:8], "big"), (1 << 64) - 1):
        assert 0 <= lower_bound(data, key) <= records
        assert len(find(data, key)) % 16 == 0


def check_tree(data: bytes) -> None:
    """Every record is visited at most once, and parents stand before their children."""
    tree = read_tree(data)
    places = tree.places.tolist()
    assert len(set(places)) == len(places)
    assert all(parent < place for place, parent in enumerate(tree.parents.tolist()))


def check_files(data: bytes, suffix: str) -> None:
    """Read, probe, check, repair, and check again."""
    path, repaired = FOLDER / f"x{suffix}", FOLDER / f"y{suffix}"
    path.write_bytes(data)
    try:
        with open_book(path, format="abk" if suffix == ".abk" else "polyglot") as book:
            for position in book.positions():
                book.probe(position, transpositions=position == Position())
        list(check_book(path))
        repair_book(path, repaired, overwrite=True)
    except TabiyaError:
        return
    assert {problem.what for problem in check_book(repaired)} <= HARMLESS


def fuzz(data: bytes) -> None:
    if not data or data[0] % 2:
        book, suffix = data[1:], ".bin"
        check_search(book)
    else:
        book, suffix = HEADER + data[1:], ".abk"
        check_tree(book)
    if direct.thoroughly(data, FILES_ONE_IN):
        check_files(book, suffix)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
