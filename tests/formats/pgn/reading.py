"""What the tests of PGN share: texts in, games and texts out."""

from __future__ import annotations

import io
from typing import Any

import tabiya
from tabiya.game import Game, GameBatch
from tabiya.game.annotations import Annotation, Side


def read(text: str | bytes, **options: Any) -> list[Game]:
    data = text.encode() if isinstance(text, str) else text
    with tabiya.open(io.BytesIO(data), format="pgn", **options) as database:
        return list(database)


def read_one(text: str | bytes, **options: Any) -> Game:
    (game,) = read(text, **options)
    return game


def batch_of(data: bytes, **options: Any) -> GameBatch:
    with tabiya.open(io.BytesIO(data), format="pgn", **options) as database:
        return GameBatch.concat(database.batches())


def write(games: list[Game] | GameBatch, **options: Any) -> tuple[bytes, tabiya.LossReport]:
    stream = io.BytesIO()
    with tabiya.create(stream, format="pgn", **options) as writer:
        writer.write(games)
    return stream.getvalue(), writer.losses


def line(game: Game) -> str:
    """The main line in SAN."""
    return " ".join(node.san for node in game.mainline())


def notes(annotations: list[Annotation]) -> list[tuple[str, str]]:
    """Side and content of annotations: ``[("after", "text"), …]``."""
    return [(Side(note.side).name.lower(), note.data.decode()) for note in annotations]


def codes(game: Game) -> list[int]:
    return [problem.code for problem in game.problems]
