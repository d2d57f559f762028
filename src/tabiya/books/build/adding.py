"""Adding up rows with DuckDB: sorting and grouping happen outside memory where they have to."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from tabiya.books.build.rows import NO_MOVE, Mode
from tabiya.errors import TabiyaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import Self

    from tabiya.books.build.options import BuildOptions

__all__ = ["Adding"]

_COUNTS: Final = """
    count(*) filter (outcome < 4) games,
    count(*) filter (outcome = 1) wins,
    count(*) filter (outcome = 2) losses,
    count(*) filter (outcome = 3) draws"""

_RATINGS: Final = """
    sum(rating) filter (outcome < 4) rating_sum,
    count(*) filter (outcome < 4 and rating > 0) rated,
    sum(opponent) filter (outcome < 4) opponents_sum,
    count(*) filter (outcome < 4 and opponent > 0) opponents_rated"""

_SUMS: Final = {
    Mode.KEY: f"create temp table sums as select key, move, {_COUNTS} from rows group by key, move",
    Mode.LINE: f"""
        create temp table sums as
        select key, move, any_value(following) following, any_value(place & 255) ply, {_COUNTS}
        from rows group by key, move""",
    # Most positions occur once. It pays to find out which do before anything else is added up: see ``positions``.
    Mode.FRAME: "create temp table sums as from rows",
}
_BLOCK_ROWS: Final = 100_000


class Adding:
    """Takes rows once, and answers with sums. A context manager: its temporary folder goes with it."""

    def __init__(self, mode: Mode, options: BuildOptions, threads: int) -> None:
        import duckdb  # noqa: PLC0415 - slow

        self._mode = mode
        self._folder = tempfile.TemporaryDirectory(prefix="tabiya-book-")
        self._errors: tuple[type[Exception], ...] = (duckdb.Error,)
        self._connection = duckdb.connect(
            config={
                "memory_limit": f"{options.memory_megabytes}MB",
                "threads": threads,
                "temp_directory": self._folder.name,
                "preserve_insertion_order": False,
            }
        )
        self._failure: BaseException | None = None
        self._connection.execute("set enable_progress_bar = false")  # it would go to standard output

    @property
    def folder(self) -> str:
        """A folder for whatever else does not belong into memory."""
        return self._folder.name

    def take(self, schema: pa.Schema, rows: Iterable[pa.RecordBatch]) -> None:
        """Add up all rows by key and move."""
        reader = pa.RecordBatchReader.from_batches(schema, self._watched(rows))
        self._connection.register("rows", reader)
        self._run(_SUMS[self._mode])
        self._connection.unregister("rows")

    def moves_by_key(self, min_games: int) -> Iterator[pa.RecordBatch]:
        """Moves with their numbers in order of keys (rows by key)."""
        return self._read(
            f"select key, move, games, wins, draws from sums where games >= {min_games:d} order by key, move"
        )

    def moves_by_line(self, min_games: int) -> pa.Table:
        """Moves in order of plies, the most frequent ones first (rows by line)."""
        query = f"select * from sums where games >= {min_games:d} order by ply, games desc, key, move"
        return pa.Table.from_batches(self._read(query), self._schema(query))

    def positions(self, min_games: int) -> Iterator[pa.RecordBatch]:
        """Positions with their numbers, moves and first places (rows by frame).

        Moves stay if they lead to a position that stays; the most frequent ones come first.
        """
        numbers = ("games", "wins", "losses", "draws", "rating_sum", "rated", "opponents_sum", "opponents_rated")
        totals = ", ".join(f"sum({name})::bigint {name}" for name in numbers)
        self._run(f"""
            create temp table often as
            select key from sums group by key having count(*) filter (outcome < 4) >= {min_games:d}""")
        self._run(f"""
            create temp table moves as
            select key, move, any_value(following) following, min(place) place, {_COUNTS}, {_RATINGS}
            from sums where key in (from often) group by key, move""")
        return self._read(f"""
            select kept.*, linked.moves from (
                select key, min(place) place, {totals} from moves group by key
            ) kept left join (
                select key, list(move order by games desc, move) moves from moves
                where move <> {NO_MOVE:d} and following in (from often) group by key
            ) linked using (key) order by place""")

    def _run(self, query: str) -> None:
        try:
            self._connection.execute(query)
        except self._errors as error:
            raise self._explained(error) from error

    def _read(self, query: str) -> Iterator[pa.RecordBatch]:
        try:
            yield from self._connection.sql(query).to_arrow_reader(_BLOCK_ROWS)
        except self._errors as error:
            raise self._explained(error) from error

    def _schema(self, query: str) -> pa.Schema:
        return self._connection.sql(f"{query} limit 0").to_arrow_table().schema

    def _watched(self, rows: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """DuckDB turns any error of a reader into its own; the real one is kept."""
        try:
            yield from rows
        except BaseException as error:
            self._failure = error
            raise

    def _explained(self, error: Exception) -> BaseException:
        if self._failure is not None:
            return self._failure
        first_line = str(error).partition("\n")[0]
        return TabiyaError(f"the games could not be added up: {first_line}")

    def close(self) -> None:
        """Remove everything."""
        self._connection.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def as_numpy(batch: pa.RecordBatch | pa.Table) -> dict[str, Any]:
    """The columns of a table as arrays; lists are left out."""
    return {
        name: batch[name].to_numpy(zero_copy_only=False)
        if isinstance(batch, pa.RecordBatch)
        else batch[name].to_numpy()
        for name in batch.schema.names
        if not pa.types.is_list(batch.schema.field(name).type)
    }
