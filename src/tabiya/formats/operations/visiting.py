"""Reading a database with visitors, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import watched_batches
from tabiya.game import GameVisitor, RecordKind
from tabiya.game.visitor import enter, leave, visit_body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import GameBatch

Answer = TypeVar("Answer")


def visit(
    source: Locations | Database,
    visitor: Callable[[], GameVisitor[Answer]],
    *,
    threads: int = 1,
    progress: Watcher = None,
    **options: Any,
) -> Iterator[Answer]:
    """Show every game of a database to a visitor of its own, and yield their results.

    Reads one batch at a time. The moves of a game become objects only if its visitor wants them: one that returns SKIP
    from ``end_headers`` reads tags several times as fast. Guiding texts are left out.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        visitor: called without arguments for each game: usually a subclass of ``GameVisitor``.
        threads: number of threads that read; the visitors are called in this thread, in the order of the games.
        progress: called while records are read.
        options: of ``tabiya.open``, such as ``encoding``.

    Raises:
        FormatError: A game has moves that cannot be read; ``handle_error`` of the visitor may prevent this.
    """
    with opened(source, **options) as database:
        for batch in watched_batches(database, threads, progress):
            if _may_skip(visitor):
                yield from _by_tags(batch, visitor)
            else:
                for game in batch.games():
                    if game.kind is not RecordKind.TEXT:
                        yield game.accept(visitor())


def _may_skip(visitor: Callable[[], GameVisitor[Any]]) -> bool:
    """Return whether a visitor may leave out the moves of some games."""
    if not (isinstance(visitor, type) and issubclass(visitor, GameVisitor)):
        return True
    return any(getattr(visitor, name) is not getattr(GameVisitor, name) for name in ("begin_game", "end_headers"))


def _by_tags(batch: GameBatch, visitor: Callable[[], GameVisitor[Answer]]) -> Iterator[Answer]:
    """Show the tags of each game first, and its moves only if they are wanted."""
    kinds = batch.record_batch["kind"].to_pylist()
    for kind, (tags, game) in zip(kinds, batch.by_tags(), strict=True):
        if kind != RecordKind.TEXT:
            visiting = visitor()
            if enter(tags, visiting):
                visit_body(game(), visiting)
            yield leave(visiting)
