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
    from tabiya.books import Book, open_book
    from tabiya.chess import Move, Position, Square
    from tabiya.formats import (
        ConversionReport,
        Database,
        LossReport,
        Writer,
        convert,
        create,
        open,  # noqa: A004 - tabiya.open is the name that users expect
    )
    from tabiya.game import Game, GameBatch

    __version__: str

__all__ = [
    "Book",
    "ConversionReport",
    "CorruptError",
    "Database",
    "FormatError",
    "Game",
    "GameBatch",
    "LossError",
    "LossReport",
    "Move",
    "Position",
    "Square",
    "TabiyaError",
    "UnsupportedError",
    "UsageError",
    "Writer",
    "__version__",
    "convert",
    "create",
    "open",
    "open_book",
]

_HOMES = {
    "Book": "books",
    "ConversionReport": "formats",
    "Database": "formats",
    "Game": "game",
    "GameBatch": "game",
    "LossReport": "formats",
    "Move": "chess",
    "Position": "chess",
    "Square": "chess",
    "Writer": "formats",
    "convert": "formats",
    "create": "formats",
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
