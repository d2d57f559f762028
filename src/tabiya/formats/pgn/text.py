"""One game as text: the implementation of ``Game.to_pgn`` and ``Game.from_pgn``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tabiya.errors import FormatError
from tabiya.formats.pgn.database import PgnDatabase
from tabiya.formats.pgn.writer import PgnWriter

if TYPE_CHECKING:
    from tabiya.game import Game


def format_pgn(
    game: Game, *, profile: str, layout: str, dialect: str | None, writer_class: type[PgnWriter] = PgnWriter
) -> str:
    """Return the game as a complete PGN file."""
    file = io.BytesIO()
    with writer_class(file, profile=profile, layout=layout, dialect=dialect) as writer:
        writer.write(game)
    return file.getvalue().decode("utf-8", "surrogateescape")


def parse_pgn(text: str, *, language: str, strict: bool) -> Game:
    """Return the only game of a text."""
    with PgnDatabase(io.BytesIO(text.encode("utf-8", "surrogateescape")), language=language, strict=strict) as games:
        if len(games) != 1:
            raise FormatError(f"the text holds {len(games) or 'no'} games, not one; tabiya.open reads files of many")
        return games[0]
