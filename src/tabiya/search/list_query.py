"""The query of a list of games: what a page or a program requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import UsageError
from tabiya.formats.runs import runs_of
from tabiya.game import RecordFilter
from tabiya.game.condition_words import CONDITION_WORDS
from tabiya.search.list_order import checked_column
from tabiya.search.query_parser import query_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabiya.search.query import Query

_TYPES: Final[dict[str, tuple[type, str]]] = {"number": (int, "a whole number"), "flag": (bool, "true or false")}


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The query of a list."""

    text: str = ""
    """Words for a ``QuickFilter``."""
    headers: Mapping[str, Any] = field(default_factory=dict)
    """Conditions of ``RecordFilter``."""
    position: Query | None = None
    """The condition on the positions of a game."""
    variations: bool = False
    records: str | None = None
    """Numbers, ``5,17-40,100-``."""
    sort_by: str | None = None
    descending: bool = False

    @classmethod
    def of(
        cls,
        *,
        text: str = "",
        headers: Mapping[str, Any] | None = None,
        position: Mapping[str, Any] | None = None,
        records: str | None = None,
        sort_by: str | None = None,
        descending: bool = False,
    ) -> ListQuery:
        """Return a query from keywords: ``position`` as ``query_of`` takes it, and ``in-variations``.

        Raises:
            UsageError: An argument is invalid.
        """
        words = {name.replace("_", "-"): value for name, value in (position or {}).items() if _is_given(value)}
        variations = bool(words.pop("in-variations", False))
        query = query_of(words) if words else None
        fields = {name.replace("-", "_"): value for name, value in (headers or {}).items() if _is_given(value)}
        for name, value in fields.items():
            _check_header(name, value)
        RecordFilter(**fields)
        if records is not None:
            runs_of(records)
        return cls(
            text,
            fields,
            None if query is None or (query.condition is None and query.side_of is None) else query,
            variations,
            records,
            None if sort_by is None else checked_column(sort_by),
            descending,
        )

    @property
    def everything(self) -> bool:
        """Whether all records match, in any order."""
        return not (self.text.strip() or self.headers or self.records) and self.position is None


def _is_given(value: object) -> bool:
    """Return whether a value of a form is given; 0 is."""
    return value is not None and value is not False and value not in ("", [])


def _check_header(name: str, value: object) -> None:
    word = CONDITION_WORDS.get(name)
    if word is None:
        raise UsageError(f"headers have no condition {name[:40]!r}; known: {', '.join(CONDITION_WORDS)}")
    texts = value if word.kind == "texts" and isinstance(value, list) else [value]
    kind, expected = _TYPES.get(word.kind, (str, "a text"))
    if not all(isinstance(each, kind) and isinstance(each, bool) is (kind is bool) for each in texts):
        raise UsageError(f"the condition {name!r} takes {expected}, not {str(value)[:40]!r}")
