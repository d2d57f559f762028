"""Size limits for queries from outside, checked before they are parsed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tabiya.errors import UsageError, shortened
from tabiya.search.conditions import MOST_CONDITIONS

_LONGEST_TEXT: Final = 20_000
"""Characters; the moves of the longest games need fewer."""


def check_size(query: Any) -> None:
    """Reject a query with too many values, or with a text that is too long, as early as possible.

    Raises:
        UsageError: The query is too large.
    """
    count = 0
    waiting = [iter((query,))]
    while waiting:
        for value in waiting[-1]:
            count += 1
            if count > MOST_CONDITIONS:
                raise UsageError(f"a query has at most {MOST_CONDITIONS:,} values: split the search")
            if isinstance(value, str):
                if len(value) > _LONGEST_TEXT:
                    what = f"a text of a query has at most {_LONGEST_TEXT:,} characters"
                    raise UsageError(f"{what}, not {len(value):,}: {shortened(value, 60)!r}")
            elif isinstance(value, (Mapping, list, tuple)):
                members: Iterable[Any] = value.values() if isinstance(value, Mapping) else value
                waiting.append(iter(members))
                break
        else:
            waiting.pop()
