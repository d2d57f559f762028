"""Moves that need no analysis, because a book or a database contains them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.analysis.game_plan import Known
from tabiya.books import open_book
from tabiya.books.open_and_create import names_a_book
from tabiya.formats.open_and_create import opened
from tabiya.formats.url import local_path
from tabiya.game.replay import keys_after_moves

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from numpy.typing import NDArray

    from tabiya.chess import Position

_MOST_MOVES: Final = 60
"""Moves of each game of a database that count."""
_FEW_KEYS: Final = 1 << 20


@contextmanager
def known_openings(path: str | PathLike[str] | None, *, threads: int = 1) -> Iterator[Known | None]:
    """Yield what a book, or all games of a database, know of openings; None without a path."""
    if path is None:
        yield None
    elif names_a_book(local_path(path)):
        with open_book(path) as book:
            yield Known(lambda before, move, _after: any(entry.move == move for entry in book.probe(before)))
    else:
        keys = _keys_of(path, threads)
        yield Known(lambda _before, _move, after: _contains(keys, after))


def _keys_of(path: str | PathLike[str], threads: int) -> NDArray[np.uint64]:
    """Return the keys of the positions in the openings of a database, ascending; variations count, too."""
    keys = np.empty(0, np.uint64)
    waiting: list[NDArray[np.uint64]] = []
    with opened(path) as database:
        for batch in database.batches(threads=threads):
            waiting.append(np.unique(keys_after_moves(batch, _MOST_MOVES)))
            if sum(map(len, waiting)) > len(keys) + _FEW_KEYS:
                keys, waiting = np.unique(np.concatenate([keys, *waiting])), []
    return np.unique(np.concatenate([keys, *waiting]))


def _contains(keys: NDArray[np.uint64], position: Position) -> bool:
    place = int(np.searchsorted(keys, np.uint64(position.key)))
    return place < len(keys) and int(keys[place]) == position.key
