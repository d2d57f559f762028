"""tabiya opens any chess database and carries games between formats without losing anything.

    import tabiya

    with tabiya.open("games.pgn") as games:
        print(len(games), games[0])
    print(tabiya.convert("games.pgn", "games.bcgn").losses)

Everything is imported on first use, so that ``import tabiya`` itself costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.errors import CorruptError, FormatError, LossError, TabiyaError, UnsupportedError, UsageError
from tabiya.lazy import loader

if TYPE_CHECKING:
    from tabiya.books import Book, build_book, convert_book, create_book, edit_book, open_book
    from tabiya.chess import Color, Move, Position, Square
    from tabiya.formats import (
        ConversionReport,
        Database,
        LossReport,
        Writer,
        convert,
        create,
        open,  # noqa: A004 - tabiya.open is the name that users expect
    )
    from tabiya.game import Date, Game, GameBatch, Node, RecordFilter, Result

    __version__: str

__all__ = [
    "Book",
    "Color",
    "ConversionReport",
    "CorruptError",
    "Database",
    "Date",
    "FormatError",
    "Game",
    "GameBatch",
    "LossError",
    "LossReport",
    "Move",
    "Node",
    "Position",
    "RecordFilter",
    "Result",
    "Square",
    "TabiyaError",
    "UnsupportedError",
    "UsageError",
    "Writer",
    "__version__",
    "build_book",
    "convert",
    "convert_book",
    "create",
    "create_book",
    "edit_book",
    "open",
    "open_book",
]

_HOMES = {
    "Book": "books",
    "Color": "chess",
    "ConversionReport": "formats",
    "Database": "formats",
    "Date": "game",
    "Game": "game",
    "GameBatch": "game",
    "LossReport": "formats",
    "Move": "chess",
    "Node": "game",
    "Position": "chess",
    "RecordFilter": "game",
    "Result": "game",
    "Square": "chess",
    "Writer": "formats",
    "build_book": "books",
    "convert": "formats",
    "convert_book": "books",
    "create": "formats",
    "create_book": "books",
    "edit_book": "books",
    "open": "formats",
    "open_book": "books",
}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow

    try:
        return version(__name__)
    except PackageNotFoundError:  # running from a source tree that is not installed
        return "unknown"


if not TYPE_CHECKING:  # type checkers see the imports above, and no name that is not there

    def __getattr__(name: str) -> object:
        if name != "__version__":
            return loader(__name__, _HOMES)(name)
        globals()[name] = value = _version()
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
