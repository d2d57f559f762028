"""The tags of a game, and the typed columns of a batch for common tags.

A column represents a tag only if formatting it returns exactly the text that was read. Otherwise (``2023.1.5``, Elo
``-``, a tag given twice) the text is in the list of other tags as well. So the rule for reading a batch is: **the texts
in that list are all texts of their name; the column is then only a value to search by.** If a column is null and the
list has no such tag, the tag is missing.

The order of tags with columns is not content, the order of all others is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import UsageError
from tabiya.game.fields import FIELDS, TAGS
from tabiya.game.record import Result, Variant
from tabiya.game.tag_values import (
    Date,
    format_elo,
    format_result,
    format_variant,
    parse_date,
    parse_elo,
    parse_result,
    parse_variant,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Tags:
    """Names and texts in their order. A name may occur more than once; most methods use its first occurrence.

    Otherwise like a dictionary: ``tags["White"]``, ``tags.get("ECO")``, ``"FEN" in tags``, ``del tags["ECO"]``. Finding
    a name is O(number of tags).
    """

    __slots__ = ("_pairs",)

    def __init__(self, tags: Tags | Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        self._pairs: list[tuple[str, str]] = []
        try:
            for name, value in tags.items() if isinstance(tags, (Tags, Mapping)) else tags:
                self.add(name, value)
        except (TypeError, ValueError) as error:
            raise UsageError(f"tags are a dictionary, or pairs of name and text, not {tags!r}") from error

    def __getitem__(self, name: str) -> str:
        for known, value in self._pairs:
            if known == name:
                return value
        raise KeyError(name)

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the first text of a name."""
        return next((value for known, value in self._pairs if known == name), default)

    def get_all(self, name: str) -> list[str]:
        """Return every text of a name, in order."""
        return [value for known, value in self._pairs if known == name]

    def __setitem__(self, name: str, value: str) -> None:
        """Set the only text of a name, in the place of its first; a new name is appended."""
        place = next((i for i, (known, _) in enumerate(self._pairs) if known == name), len(self._pairs))
        kept = [pair for pair in self._pairs[place:] if pair[0] != name]
        self._pairs[place:] = [_pair(name, value), *kept]

    def add(self, name: str, value: str) -> None:
        """Append a tag, even if its name already exists."""
        self._pairs.append(_pair(name, value))

    def __delitem__(self, name: str) -> None:
        """Remove every tag of this name."""
        if name not in self:
            raise KeyError(name)
        self.discard(name)

    def discard(self, name: str) -> None:
        """Remove every tag of this name, if there are any."""
        self._pairs = [pair for pair in self._pairs if pair[0] != name]

    def update(self, tags: Tags | Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        """Set each of these tags."""
        for name, value in Tags(tags).items():
            self[name] = value

    def __contains__(self, name: object) -> bool:
        return any(known == name for known, _ in self._pairs)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def keys(self) -> list[str]:
        """Return the names in order, including repeated ones."""
        return [name for name, _ in self._pairs]

    def values(self) -> list[str]:
        """Return the texts in order."""
        return [value for _, value in self._pairs]

    def items(self) -> list[tuple[str, str]]:
        """Return names and texts in order."""
        return list(self._pairs)

    def copy(self) -> Tags:
        """Return a copy with the same tags."""
        return Tags(self)

    def __eq__(self, other: object) -> bool:
        return self._pairs == other._pairs if isinstance(other, Tags) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # tags are mutable

    def __repr__(self) -> str:
        return f"Tags({self._pairs!r})"


def _pair(name: object, value: object) -> tuple[str, str]:
    if not isinstance(name, str) or not isinstance(value, str):
        raise UsageError(f"tags are text, not {name!r}: {value!r}")
    return name, value


@dataclass(frozen=True, slots=True)
class ColumnTag:
    """A tag with its own columns; ``parse`` and ``format`` take and return one value per column."""

    name: str
    columns: tuple[str, ...]
    parse: Callable[[str], tuple[Any, ...]]
    format: Callable[..., str | None]


def _parse_date_columns(text: str) -> tuple[int | None, int | None, int | None]:
    date = parse_date(text) or Date()
    return date.year, date.month, date.day


def _format_date_columns(year: int | None, month: int | None, day: int | None) -> str | None:
    date = Date(year, month, day)
    return str(date) if date != Date() else None


_ELO: Final = (lambda text: (parse_elo(text),), lambda elo: None if elo is None else format_elo(elo))
_TEXT: Final = (lambda text: (text,), lambda text: text)
_VALUES: Final[dict[str, tuple[Callable[[str], tuple[Any, ...]], Callable[..., str | None]]]] = {
    "Date": (_parse_date_columns, _format_date_columns),
    "Result": (
        lambda text: (parse_result(text),),
        lambda result: None if result is None else format_result(Result(result)),
    ),
    "WhiteElo": _ELO,
    "BlackElo": _ELO,
    "Variant": (
        lambda text: (parse_variant(text) or Variant.STANDARD,),
        lambda variant: format_variant(Variant(variant)),
    ),
}
"""Conversions of texts of tags to values of columns, and back, if these are not the texts themselves."""

COLUMN_TAGS: Final[dict[str, ColumnTag]] = {
    name: ColumnTag(name, columns, *_VALUES.get(name, _TEXT))
    for name in TAGS
    if (columns := tuple(field.name for field in FIELDS if field.tag == name))
}
"""The tags with their own columns, in the order of display. ``SetUp`` follows from ``FEN``."""

_NO_TAGS: Final[dict[str, Any]] = {
    field.name: None if field.missing is not None else Variant.STANDARD for field in FIELDS if field.tag
}


def tag_content(tags: Tags) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    """Return the compared content of tags: the texts of those with columns, and the others in their order.

    A ``FEN`` implies ``SetUp "1"``, which is therefore ignored.
    """
    texts: dict[str, list[str]] = {}
    other_tags = []
    for name, text in tags.items():
        if name in COLUMN_TAGS or name == "SetUp":
            texts.setdefault(name, []).append(text)
        else:
            other_tags.append((name, text))
    if "FEN" in texts:
        texts.setdefault("SetUp", ["1"])
    return texts, other_tags


def fold_tags(tags: Tags) -> dict[str, Any]:
    """Return the columns of a row of a batch for these tags: the typed ones by name, and ``tags`` as pairs.

    Of a repeated name the column contains the first. ``SetUp "1"`` beside a ``FEN`` is not stored: it is implied.
    """
    row = dict(_NO_TAGS)
    texts, _ = tag_content(tags)
    exact = set()
    if texts.pop("SetUp", None) == ["1"] and "FEN" in texts:
        exact.add("SetUp")
    for name, found in texts.items():
        tag = COLUMN_TAGS[name]
        values = tag.parse(found[0])
        row.update(zip(tag.columns, values, strict=True))
        if len(found) == 1 and tag.format(*values) == found[0]:
            exact.add(name)
    row["tags"] = [(name, text) for name, text in tags.items() if name not in exact]
    return row


def unfold_tags(row: Mapping[str, Any]) -> Tags:
    """Return the tags of a row of a batch; the inverse of ``fold_tags`` up to the order of tags with columns."""
    tags = Tags()
    listed = {name for name, _ in row["tags"]}
    for name, tag in COLUMN_TAGS.items():
        if name == "FEN" and row["start"] is not None and "SetUp" not in listed:
            tags.add("SetUp", "1")
        text = None if name in listed else tag.format(*(row[column] for column in tag.columns))
        if text is not None:
            tags.add(name, text)
    for name, text in row["tags"]:
        tags.add(name, text)
    return tags
