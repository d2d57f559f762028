"""What a game is: tags, a tree of moves, annotations; and batches of games. Knows no bytes of a file.

Names are imported when they are first used: pyarrow, which batches need, is a large part of start-up time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.lazy import loader

if TYPE_CHECKING:
    from tabiya.game.annotations import Annotation, Side
    from tabiya.game.batch import GameBatch
    from tabiya.game.differences import difference
    from tabiya.game.filters import RecordFilter
    from tabiya.game.game import Game
    from tabiya.game.node import Node
    from tabiya.game.record import Extra, GuidingText, Problem, RecordKind, Result, Variant
    from tabiya.game.schema import RECORD_SCHEMA
    from tabiya.game.tag_values import Date
    from tabiya.game.tags import Tags

__all__ = [
    "RECORD_SCHEMA",
    "Annotation",
    "Date",
    "Extra",
    "Game",
    "GameBatch",
    "GuidingText",
    "Node",
    "Problem",
    "RecordFilter",
    "RecordKind",
    "Result",
    "Side",
    "Tags",
    "Variant",
    "difference",
]

_HOMES = {
    "RECORD_SCHEMA": "schema",
    "Annotation": "annotations",
    "Date": "tag_values",
    "Extra": "record",
    "Game": "game",
    "GameBatch": "batch",
    "GuidingText": "record",
    "Node": "node",
    "Problem": "record",
    "RecordFilter": "filters",
    "RecordKind": "record",
    "Result": "record",
    "Side": "annotations",
    "Tags": "tags",
    "Variant": "record",
    "difference": "differences",
}


if not TYPE_CHECKING:  # type checkers see the imports above, and no name that is not there
    __getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
