"""Parquet: records in the columns of ``RECORD_SCHEMA``, as DuckDB, polars, pandas and Spark read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import Format, Match, file_at

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.formats.database import Database
    from tabiya.formats.format import Place
    from tabiya.formats.writer import Writer

__all__ = ["PARQUET"]

_MAGIC: Final = b"PAR1"


def _sniff(head: bytes, path: Path | None) -> Match:  # noqa: ARG001 - the name says nothing that the head does not
    return Match.LIKELY if head.startswith(_MAGIC) else Match.NO


def _open(place: Place, /) -> Database:
    from tabiya.formats.parquet.database import ParquetDatabase  # noqa: PLC0415 - costs pyarrow

    return ParquetDatabase(file_at(place))


def _create(place: Place, /, *, overwrite: bool = False, strict: bool = False) -> Writer:
    from tabiya.formats.parquet.writer import ParquetWriter  # noqa: PLC0415 - costs pyarrow

    return ParquetWriter(file_at(place), overwrite=overwrite, strict=strict)


PARQUET: Final = Format(
    name="parquet",
    title="Parquet",
    suffixes=(".parquet",),
    keeps=Keeps.everything(),
    sniff=_sniff,
    open=_open,
    create=_create,
)
