"""The order of a list of games: by any displayed column. Records without a value come last in both directions."""

from __future__ import annotations

import re
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import UsageError
from tabiya.game.filter_texts import without_accents
from tabiya.game.record import Result
from tabiya.positions.game_facts import NO_ECO, NO_RATING, NO_RESULT, OTHER_ECO
from tabiya.search.catalogue import UNKNOWN_BODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tabiya.search.catalogue import Catalogue

_LAST: Final = np.uint32(0xFFFF_FFFF)
_MOST_BYTES: Final = 64 << 20
"""Maximum size of the cached orders and keys of a database: 4 MB each for a million games."""
_RESULT_RANKS: Final = np.full(256, _LAST)
for _rank, _result in enumerate((Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)):
    _RESULT_RANKS[_result] = _rank


class Orders:
    """The orders of the records of one database, each computed once and cached for a while."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._kept: OrderedDict[tuple[str, str, bool], NDArray[Any]] = OrderedDict()
        """Keys and orders, by kind, column and direction; most recently used last."""
        self._lock = Lock()

    def whole(self, column: str, *, descending: bool) -> NDArray[np.int32]:
        """Return the places of all records in order."""
        with self._lock:
            places: NDArray[np.int32] = self._remembered("order", column, descending, self._sorted)
        return places

    def of(self, places: NDArray[np.int32], column: str, *, descending: bool) -> NDArray[np.int64]:
        """Return the order of some records, as indices into ``places``."""
        with self._lock:
            keys = self._remembered("keys", column, descending, self._made)
        return np.argsort(keys[places], kind="stable")

    def _remembered(self, kind: str, column: str, descending: bool, make: Callable[[str, bool], Any]) -> Any:  # noqa: FBT001
        key = kind, column, descending
        if key not in self._kept:
            self._kept[key] = make(column, descending)
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and sum(each.nbytes for each in self._kept.values()) > _MOST_BYTES:
            self._kept.popitem(last=False)
        return self._kept[key]

    def _sorted(self, column: str, descending: bool) -> NDArray[np.int32]:  # noqa: FBT001
        keys = self._remembered("keys", column, descending, self._made)
        return np.argsort(keys, kind="stable").astype(np.int32)

    def _made(self, column: str, descending: bool) -> NDArray[np.uint32]:  # noqa: FBT001
        """Return a number per record that grows with the value; ties keep the order of the database."""
        keys = SORTABLE[column](self._catalogue)
        if not descending:
            return keys
        known = keys != _LAST
        turned: NDArray[np.uint32] = np.where(known, (keys[known].max(initial=0) - keys).astype(np.uint32), _LAST)
        return turned


def checked_column(column: object) -> str:
    """Return the name of a column by which lists can be sorted."""
    if not isinstance(column, str) or column not in SORTABLE:
        raise UsageError(f"lists cannot be sorted by {column!r}; known: {', '.join(SORTABLE)}")
    return column


def _numbers(field: str, missing: int) -> Callable[[Catalogue], NDArray[np.uint32]]:
    def keys(catalogue: Catalogue) -> NDArray[np.uint32]:
        values = catalogue.column(field)
        return np.where(values == missing, _LAST, values.astype(np.uint32))

    return keys


def _names(field: str, key: Callable[[str], Any] | None = None) -> Callable[[Catalogue], NDArray[np.uint32]]:
    def keys(catalogue: Catalogue) -> NDArray[np.uint32]:
        numbers = catalogue.column(field)
        used = np.unique(numbers)
        texts = [catalogue.names.name_of(number) or "" for number in used.tolist()]
        plain = without_accents(pa.array(texts, pa.string())).to_pylist()
        spelled = [(key or str)(text) for text in plain]
        ranks = np.full(len(used), _LAST)
        order = sorted(range(len(used)), key=lambda place: (spelled[place], texts[place]))
        rank, before = -1, None
        for place in order:
            if texts[place]:
                rank += spelled[place] != before
                before = spelled[place]
                ranks[place] = rank
        return ranks[np.searchsorted(used, numbers)]

    return keys


def _natural(text: str) -> list[tuple[int, str]]:
    """Return a sort key for rounds: 9 comes before 10, and 2.1 before 2.10."""
    return [(int(part[:9]), "") if part.isdigit() else (-1, part) for part in re.findall(r"[0-9]+|[^0-9]+", text)]


def _codes(catalogue: Catalogue) -> NDArray[np.uint32]:
    """Return the order of ECO codes; as texts if some of them have a letter at the end, ``B90a``."""
    values = catalogue.column("eco")
    return (_names("eco_text") if (values == OTHER_ECO).any() else _numbers("eco", NO_ECO))(catalogue)


def _plies(catalogue: Catalogue) -> NDArray[np.uint32]:
    catalogue.know(["plies"])
    unknown = catalogue.column("flags") & UNKNOWN_BODY != 0
    return np.where(unknown, _LAST, catalogue.column("plies").astype(np.uint32))


def _results(catalogue: Catalogue) -> NDArray[np.uint32]:
    found: NDArray[np.uint32] = _RESULT_RANKS[np.minimum(catalogue.column("result"), NO_RESULT)]
    return found


SORTABLE: Final[dict[str, Callable[[Catalogue], NDArray[np.uint32]]]] = {
    "number": lambda catalogue: np.arange(len(catalogue), dtype=np.uint32),
    "white": _names("white"),
    "white_elo": _numbers("white_elo", NO_RATING),
    "black": _names("black"),
    "black_elo": _numbers("black_elo", NO_RATING),
    "result": _results,
    "date": _numbers("date", 0),
    "eco": _codes,
    "plies": _plies,
    "event": _names("event"),
    "site": _names("site"),
    "round": _names("round", _natural),
    "annotator": _names("annotator"),
}
"""By column: a function that returns a number per record that grows with the value; the maximum means no value."""
