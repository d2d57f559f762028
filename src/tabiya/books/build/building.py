"""Building a book from the games of a database, in one stream with bounded memory."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from tabiya.books.build.options import BuildOptions
from tabiya.books.build.position_sums import PositionSums
from tabiya.books.build.sums_to_books import Played
from tabiya.books.build.tapes import Tapes
from tabiya.books.open_and_create import format_of_target, named_format
from tabiya.books.writer import lost
from tabiya.errors import LossError, TabiyaError, UnsupportedError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import check_threads
from tabiya.formats.database import Database
from tabiya.formats.losses import LossReport
from tabiya.formats.open_and_create import open as open_database
from tabiya.formats.progress import watched_batches
from tabiya.formats.url import local_path
from tabiya.positions.rows import Mode, RowSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabiya.books.book_format import BookFormat
    from tabiya.formats.progress import Watcher
    from tabiya.game import GameBatch
    from tabiya.game.where import Where

_MODES: Final = {"keys": Mode.KEY, "lines": Mode.LINE, "positions": Mode.FRAME}
"""How positions are distinguished during counting, by ``BookKeeps.places``."""
_DEFAULTS: Final = BuildOptions()
_MEGABYTE: Final = 1 << 20
_LEFT_OUT: Final = {
    "chess960": "Chess960 games, which books cannot hold",
    "setups": "games that do not begin with the standard position",
    "starts": "games with an invalid start position",
    "unplayable": "games that were used only up to an illegal move",
}
"""The messages for the counts in ``RowSource.left_out``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """Statistics about a built book."""

    format: str
    games: int
    """Games that were played."""
    rows: int
    """Positions in these games, up to the last counted ply."""
    positions: int
    """Positions in the book."""
    moves: int
    """Moves in the book."""
    losses: LossReport
    """Games and moves that are missing although the options include them."""
    rare: int = 0
    """Moves (CTG: positions) that were left out because they occur in fewer than ``min_games`` games."""
    min_games: int = 1
    counted: Literal["move", "position"] = "move"
    """What ``min_games`` applies to."""

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "format": self.format,
            "games": self.games,
            "game_positions": self.rows,
            "positions": self.positions,
            "moves": self.moves,
            "rare": self.rare,
            "min_games": self.min_games,
            "losses": self.losses.as_dict(),
        }


def build_book(
    source: str | PathLike[str] | Sequence[str | PathLike[str]] | Database | Iterable[GameBatch],
    target: str | PathLike[str],
    *,
    format: str | BookFormat | None = None,
    options: BuildOptions = _DEFAULTS,
    where: Where | None = None,
    threads: int = 1,
    overwrite: bool = False,
    strict: bool = False,
    progress: Watcher = None,
) -> BuildReport:
    """Build a book from games: the main lines of all games that are not marked as deleted.

    A game counts once per position, even if the position is repeated. The book is the same for any number of threads.

    Args:
        source: a database as ``tabiya.open`` takes it, several of them, an open one, or batches of games.
        target: the book to write.
        format: a book format or its name; by default it follows from the suffix.
        options: which part of the games is used.
        where: which games to take, as for ``tabiya.convert``.
        threads: number of threads that read, play and add up.
        overwrite: replace an existing book.
        strict: write nothing if a game or move that the options include would be lost.
        progress: called after every batch; for databases only.

    Raises:
        UsageError: The target exists, or an option is invalid.
        UnsupportedError: Books of this format are not built from games.
        LossError: See ``strict``.
    """
    path = local_path(target)
    chosen = format_of_target(path) if format is None else named_format(format)
    if chosen.build is None:
        raise UnsupportedError(f"{chosen.name} books cannot be built from games", path=path)
    with errors_of(path):
        chosen.refuse(path, overwrite=overwrite)  # before all games are played, not after
    mode = _MODES[chosen.keeps.places]
    with ExitStack() as stack:
        if isinstance(source, (str, PathLike)) or _are_paths(source):
            source = stack.enter_context(open_database(cast("str", source)))
        threads = check_threads(threads)
        games = (
            watched_batches(source, threads, progress) if isinstance(source, Database) else iter(cast("Any", source))
        )
        tapes = stack.enter_context(closing(Tapes(options.max_ply)))
        take_moves = tapes.add if mode is Mode.FRAME else None
        rows = RowSource(mode, options.max_ply, where=where, take_moves=take_moves)
        stack.enter_context(_memory_named(options))
        position_sums = stack.enter_context(PositionSums(mode, options.memory_megabytes * _MEGABYTE, threads))
        position_sums.take(rows.batches(games, threads))
        losses = LossReport.of(lost(what, _LEFT_OUT[what], count) for what, count in rows.left_out.items() if count)
        if strict and losses:
            raise LossError(f"nothing was written, because this would be lost: {losses.summary()}", path=path)
        with errors_of(path):
            played = Played(position_sums, tapes, rows.records)
            written = chosen.build(path, played, options, overwrite=overwrite, strict=strict)
    return BuildReport(
        format=chosen.name,
        games=rows.games,
        rows=rows.rows,
        positions=written.positions,
        moves=written.moves,
        losses=losses + written.losses,
        rare=position_sums.rare,
        min_games=options.min_games,
        counted="position" if chosen.keeps.places == "positions" else "move",
    )


def _are_paths(source: object) -> bool:
    return isinstance(source, (list, tuple)) and any(isinstance(each, (str, PathLike)) for each in source[:1])


@contextmanager
def _memory_named(options: BuildOptions) -> Iterator[None]:
    try:
        yield
    except MemoryError as error:
        raise TabiyaError(
            f"ran out of memory while counting games with a limit of {options.memory_megabytes} MB; "
            "lower memory_megabytes or max_ply, or raise min_games"
        ) from error
