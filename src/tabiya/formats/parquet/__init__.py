"""Parquet: records in the columns of ``RECORD_SCHEMA``, readable by DuckDB, polars, pandas and Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import Format, Lazy, Match

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PARQUET"]

_MAGIC: Final = b"PAR1"


def _sniff(head: bytes, path: Path | None) -> Match:  # noqa: ARG001 - the content is sufficient
    return Match.LIKELY if head.startswith(_MAGIC) else Match.NO


PARQUET: Final = Format(
    name="parquet",
    title="Parquet",
    suffixes=(".parquet",),
    keeps=Keeps.everything(),
    sniff=_sniff,
    open=Lazy("tabiya.formats.parquet.database:ParquetDatabase"),
    create=Lazy("tabiya.formats.parquet.writer:ParquetWriter"),
)
