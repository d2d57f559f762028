"""Columns of a batch from the bodies of records: moves, annotations and guiding texts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tabiya.chessbase.list_columns import lists_at
from tabiya.game.assemble import assemble
from tabiya.game.schema import EXTRA, PROBLEM, TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.game.columns_kernel import BatchBuilder
    from tabiya.game.record import Extra, GuidingText, Problem


@dataclass(frozen=True, slots=True)
class Bodies:
    """The columns from moves and annotations: one member per record, of the types of RECORD_SCHEMA.

    ``kind`` is TEXT for records that are not games, and OPAQUE for games whose moves cannot be decoded.
    """

    kind: pa.Array
    variant: pa.Array
    start: pa.Array
    moves: pa.Array
    annotations: pa.Array
    extras: pa.Array
    problems: pa.Array

    @classmethod
    def of(cls, builder: BatchBuilder) -> Bodies:
        """Return the columns that a kernel has filled."""
        columns = assemble(builder.finish()).record_batch
        return cls(*(columns.column(field.name) for field in fields(cls)))


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The content of a guiding text, as in a batch."""

    texts: tuple[GuidingText, ...] = ()
    extras: tuple[Extra, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Texts:
    """The column ``texts``, and the members that guiding texts add to ``extras`` and ``problems``."""

    texts: pa.Array
    extras: pa.Array
    problems: pa.Array

    @classmethod
    def of(cls, found: Sequence[DecodedText], rows: NDArray[np.int64], count: int) -> Texts:
        """Return the columns of ``count`` records, of which these rows are guiding texts."""
        texts = [[(t.lang, t.title, t.format, t.body, t.formatting) for t in each.texts] for each in found]
        extras = [[(extra.key, extra.value) for extra in each.extras] for each in found]
        problems = [[(p.code, p.offset, p.text) for p in each.problems] for each in found]
        return cls(
            lists_at(TEXT, rows, texts, count),
            lists_at(EXTRA, rows, extras, count),
            lists_at(PROBLEM, rows, problems, count),
        )
