"""Write tables of games or positions to files."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import check_threads
from tabiya.files.targets import open_target
from tabiya.formats.open_and_create import opened, path_of
from tabiya.formats.operations.conversion import refuse_same
from tabiya.formats.progress import Progress
from tabiya.tables.streaming import Plan
from tabiya.tables.table_files import TABLE_FORMATS, table_format_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.formats.progress import Watcher

_PLAYERS: Final = ("white", "white_elo", "black", "black_elo", "result", "date", "eco", "event", "site", "round")
USUAL_COLUMNS: Final = {
    "games": ("number", *_PLAYERS, "ply_count", "san"),
    "positions": ("number", "ply", "key", "fen", "san"),
}
"""Default columns of a table, by what its rows are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReport:
    """The result of writing a table."""

    format: str
    rows: int
    records: int
    """Records read."""
    columns: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return asdict(self) | {"columns": list(self.columns)}


def write_table(
    source: Locations | Database,
    target: Location,
    columns: Sequence[str] | str | None = None,
    *,
    rows: str = "games",
    format: str | None = None,
    threads: int = 1,
    overwrite: bool = False,
    spreadsheet: bool = False,
    progress: Watcher = None,
    source_options: Mapping[str, Any] | None = None,
) -> TableReport:
    """Write selected columns of a database as a table for other programs, Parquet or CSV.

    A table is for analysis, not for storage: it cannot be converted back into games, and ``tabiya.open`` rejects it.
    The target appears only when it is complete. Memory does not grow with the number of games.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        target: a path, or a binary file object.
        columns: what ``Database.to_arrow`` takes; by default ``USUAL_COLUMNS``.
        rows: ``games``, or ``positions`` for a row per position of their main lines.
        format: ``parquet``, ``csv`` or ``tsv``, instead of choosing it by the suffix.
        threads: number of threads that read and compute; the rows do not depend on it.
        overwrite: replace an existing target.
        spreadsheet: for CSV that a spreadsheet will open: put an apostrophe before texts that it would interpret as
            formulas (those that begin with =, +, -, @, a tab or a line break), and replace control characters.
        progress: called after every piece that was written.
        source_options: options for reading.

    Raises:
        UsageError: A column or the format is unknown, the target exists, or it is also the source.
    """
    check_threads(threads)
    path = path_of(target)
    chosen = table_format_of(path, format)
    plan = Plan(USUAL_COLUMNS.get(rows) if columns is None else columns, rows=rows)
    options = {"spreadsheet": True} if spreadsheet else {}
    if spreadsheet and chosen == "parquet":
        raise UsageError("Parquet has no formulas: the protection for spreadsheets is for csv and tsv", path=path)
    if path is None and not hasattr(target, "write"):
        raise UsageError(f"expected a path or a file object, not {target!r}")
    written = records = 0
    with ExitStack() as stack:
        database = stack.enter_context(opened(source, **(source_options or {})))
        refuse_same(database, path)
        place = open_target(path if path is not None else cast("BinaryIO", target), overwrite=overwrite)
        stack.callback(place.discard)
        with errors_of(path):
            file = TABLE_FORMATS[chosen](place.stream, plan.schema, rows, **options)
        stack.callback(file.discard)
        for count, piece in plan.pieces(database, threads):
            with errors_of(path):
                file.add(piece)
            written += len(piece)
            records += count
            if progress is not None:
                progress(Progress(records, database.progress))
        with errors_of(path):
            file.finish()
            place.commit()
    return TableReport(format=chosen, rows=written, records=records, columns=tuple(plan.schema.names))
