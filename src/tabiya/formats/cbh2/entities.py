"""The kinds of entities: how their data are read, and how their fields are stored in a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.chessbase.field_codecs import (
    BIT,
    DATE,
    INVALID_DATE,
    NATION,
    QUALITY,
    TEXT,
    Codec,
    number,
    number_where,
    spelled,
)
from tabiya.chessbase.header_fields import Carrier, Field, HeaderLayout, Table
from tabiya.chessbase.player_names import full_names, misleading_first_names
from tabiya.chessbase.strings import by_value
from tabiya.chessbase.tournament_types import TournamentFlag, parse_type, type_text
from tabiya.formats.cbh2.lid_file import Contents, texts_at
from tabiya.game.annotations import TextEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAYER, TOURNAMENT, SOURCE, TEAM, TAG = 0, 1, 2, 4, 5
"""Numbers of the types; 3 is not used."""


@dataclass(frozen=True, slots=True)
class EntityTable(Table):
    """Some entities of a kind: their texts, the fixed fields behind these as records, and what is derived."""

    strings: Mapping[str, pa.Array] = field(default_factory=dict)
    damaged: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    unused: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))

    def __contains__(self, name: str) -> bool:
        return name in self.strings or Table.__contains__(self, name)

    def texts(self, name: str) -> pa.Array:
        """Return a text of all entities, null where empty."""
        return self.strings[name]


def _string(name: str, **told: Any) -> Field:
    """Return the description of a string, which has no fixed place."""
    return Field(0, "0s", name, **told)


@dataclass(frozen=True, slots=True)
class EntityKind:
    """A kind of entity."""

    type: int
    noun: str
    plural: str
    strings: tuple[str, ...]
    """The strings at the beginning of its data."""
    layout: HeaderLayout
    """The strings, and the fixed fields after them."""
    read: Callable[[EntityKind, Contents, TextEncoding], EntityTable]

    @cache  # noqa: B019 - kinds live as long as the program
    def columns(self, side: str) -> dict[str, Carrier]:
        """Return the fields that are columns of a batch."""
        return self.layout.columns(side)

    @cache  # noqa: B019
    def carriers(self, side: str) -> tuple[Carrier, ...]:
        """Return the tags and extras."""
        return self.layout.carriers(side)


def _read_strings(
    kind: EntityKind, contents: Contents, encoding: TextEncoding
) -> tuple[dict[str, pa.Array], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the strings, where the data after them begins, and which entities are damaged."""
    place = contents.begins.copy()
    damaged = contents.damaged.copy()
    found: dict[str, pa.Array] = {}
    for name in kind.strings:
        broken = damaged | contents.unused | (place + 4 > contents.ends)
        lengths = contents.numbers(place, "<i4")
        broken |= (lengths < 0) | (lengths > contents.ends - place - 4)
        damaged |= broken & ~contents.unused
        lengths = np.where(broken, 0, lengths)
        found[name] = texts_at(contents, np.where(broken, 0, place + 4), lengths, encoding)
        place = np.where(broken, contents.ends, place + 4 + lengths)
    return found, place, damaged


def _read_plain(kind: EntityKind, contents: Contents, encoding: TextEncoding) -> EntityTable:
    """Read entities with fixed fields after their strings."""
    strings, place, damaged = _read_strings(kind, contents, encoding)
    layout = kind.layout
    size = contents.ends - place
    whole = (size >= layout.size) & ~contents.unused & ~damaged
    damaged |= (size < layout.size) & ~contents.unused
    records = np.ascontiguousarray(contents.rows(place, layout.size)).view(layout.dtype).reshape(-1)
    records = np.where(whole, records, layout.new(1))
    strings["data"] = _whole_data(contents, (size > layout.size) & whole)
    return EntityTable(layout, records, encoding, strings=strings, damaged=damaged, unused=contents.unused)


def _whole_data(contents: Contents, odd: NDArray[np.bool_]) -> pa.Array:
    """Return the data of odd entities as hexadecimal digits, null for all others."""
    found: list[str | None] = [None] * len(contents)
    for row in np.flatnonzero(odd).tolist():
        found[row] = contents.data[contents.begins[row] : contents.ends[row]].tobytes().hex()
    return pa.array(found, pa.string())


# --- players ---------------------------------------------------------------------------------------------------------

_POSITIVE: Final = number_where(lambda values: values > 0)
_OTHER_CONSTANT: Final = number_where(lambda values: values != 8)

PLAYERS: Final = EntityKind(
    *(PLAYER, "player", "players", ("last", "first")),
    HeaderLayout(
        "2lid player",
        "<",
        _string("last", column="{side}", codec=Codec(full_names)),
        _string("first", extra="cbh.{side}_first", codec=Codec(misleading_first_names)),
        _string("data", extra="2cbh.{side}_data", codec=TEXT),
        Field(0, "u32", "unknown_0", extra="2cbh.{side}_unknown_0"),
        Field(4, "u32", "unknown_4", extra="2cbh.{side}_unknown_4"),
        Field(8, "i32", "chessbase_id", "-1 not looked up, 0 no match", -1, extra="2cbh.{side}_id", codec=_POSITIVE),
        Field(12, "u32", "unknown_12", "8", 8, extra="2cbh.{side}_unknown_12", codec=_OTHER_CONSTANT),
        Field(16, "i64", "fide_id", "-1 or 0 none", -1, tag="{Side}FideId", codec=_POSITIVE),
    ),
    _read_plain,
)


# --- tournaments -----------------------------------------------------------------------------------------------------

_HEAD: Final = 60
_MOST_TIE_BREAKS: Final = 10
_CLASSIC_TIE_BREAKS: Final = {
    0: 2,
    1: 10,
    2: 11,
    3: 12,
    4: 13,
    5: 14,
    11: 201,
    12: 202,
    13: 203,
    14: 204,
    16: 21,
    17: 22,
    18: 23,
    19: 200,
    21: 206,
}
"""The numbers that tie-breaks have in classic bases."""
_UNSPECIFIED: Final = b"\x01"


def _degrees(table: Table, field: Field) -> pa.Array:
    values = np.ascontiguousarray(table[field.name]).view(np.float32)
    return by_value(values, lambda value: str(np.float32(value)) if value and np.isfinite(value) else None)


def _odd_degrees(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which values are no numbers, or the negative zero."""
    floats = np.ascontiguousarray(values).view(np.float32)
    odd: NDArray[np.bool_] = ~np.isfinite(floats) | ((floats == 0) & (values != 0))
    return odd


def _today(table: Table, field: Field) -> pa.Array:
    nations = table[field.name]
    differs = (nations != table["nation"]) & (nations != 0)
    texts = NATION.texts(table, field)
    return pa.compute.if_else(pa.array(differs), texts, pa.scalar(None, pa.string()))


def _coordinate(offset: int, name: str, meaning: str) -> Field:
    odd = (f"2cbh.event_{name}", number_where(_odd_degrees))
    return Field(
        offset, "u32", name, meaning, extra=f"cbh.event_{name}", codec=Codec(_degrees), extras=(odd,), rank=_COORDINATES
    )


_ODD_END: Final = (("cbh.event_end_date", INVALID_DATE),)
# Extras that classic bases have are in their order there: those of .cbt, then those of .cbtt.
_COORDINATES, _TIE_BREAKS, _END_DATE = range(1, 4)
_TYPE: Final = spelled(type_text, parse_type)
_USUAL_21: Final = bytes(13) + b"\x07" + bytes(10) + b"\x07" + bytes(10) + b"\x07\0"

TOURNAMENTS: Final = EntityKind(
    *(TOURNAMENT, "tournament", "tournaments", ("place", "title")),
    HeaderLayout(
        "2lid tournament",
        "<",
        _string("place", column="site", codec=TEXT),
        _string("title", column="event", codec=TEXT),
        _string("data", extra="2cbh.event_data", codec=TEXT),
        _string("tie_breaks", extra="cbh.event_tie_breaks", codec=TEXT, rank=_TIE_BREAKS),
        _string("tie_breaks_used", extra="cbh.event_tie_breaks_used", codec=TEXT, rank=_TIE_BREAKS),
        _string("other_tie_breaks", extra="2cbh.event_tie_breaks", codec=TEXT),
        Field(0, "u32", "date", "as in .2cbh", tag="EventDate", extra="cbh.event_date", codec=DATE),
        Field(4, "u8", "type", "as in .cbt", tag="EventType", extra="cbh.event_type", codec=_TYPE),
        Field(5, "u8", "team", "bit 0: teams play", extra="cbh.event_team", codec=BIT),
        Field(6, "u8", "nation", "at the time", tag="EventCountry", codec=NATION),
        Field(7, "u8", "unknown_7", extra="2cbh.event_unknown_7"),
        Field(8, "u8", "category", tag="EventCategory"),
        Field(9, "u8", "flags", "as in .cbt", extra="cbh.event_flags", codec=number(display=TournamentFlag)),
        Field(10, "u8", "rounds", tag="EventRounds"),
        Field(11, "u8", "unknown_11", extra="2cbh.event_unknown_11"),
        _coordinate(12, "latitude", "degrees north, a number of 32 bits"),
        _coordinate(16, "longitude", "degrees east"),
        Field(20, "u8", "nation_today", extra="2cbh.event_nation_today", codec=Codec(_today)),
        Field(21, "37s", "unknown_21", "7 at 34, 45 and 56", _USUAL_21, extra="2cbh.event_unknown_21"),
        Field(58, "u16", "tie_break_count", "of two bytes each, which follow; then the last two fields"),
        Field(60, "u32", "end_date", extra="cbh.event_end", codec=DATE, extras=_ODD_END, rank=_END_DATE),
        Field(64, "44s", "unknown_end", "zeros", b"", extra="2cbh.event_unknown_end"),
    ),
    lambda kind, contents, encoding: _read_tournaments(kind, contents, encoding),
)


def _read_tournaments(kind: EntityKind, contents: Contents, encoding: TextEncoding) -> EntityTable:
    """Read tournaments: the tie-breaks are inside of the fixed fields."""
    strings, place, damaged = _read_strings(kind, contents, encoding)
    layout = kind.layout
    heads = contents.rows(place, _HEAD)
    counts = np.ascontiguousarray(heads[:, _HEAD - 2 :]).view("<u2").reshape(-1).astype(np.int64)
    tail = place + _HEAD + 2 * counts
    size = layout.size - _HEAD
    whole = (tail + size <= contents.ends) & ~contents.unused & ~damaged
    damaged |= ~whole & ~contents.unused
    tails = contents.rows(np.where(whole, tail, 0), size)
    records = np.ascontiguousarray(np.concatenate([heads, tails], axis=1)).view(layout.dtype).reshape(-1)
    records = np.where(whole, records, layout.new(1))
    strings["data"] = _whole_data(contents, whole & (tail + size != contents.ends))
    strings |= _tie_breaks(contents, np.where(whole, place + _HEAD, 0), np.where(whole, counts, 0))
    return EntityTable(layout, records, encoding, strings=strings, damaged=damaged, unused=contents.unused)


def _tie_breaks(contents: Contents, places: NDArray[np.int64], counts: NDArray[np.int64]) -> dict[str, pa.Array]:
    """Return tie-breaks as classic bases number them, or, if these do not have all of them, as numbers."""
    classic: list[str | None] = [None] * len(places)
    used: list[str | None] = [None] * len(places)
    other: list[str | None] = [None] * len(places)
    for row in np.flatnonzero(counts).tolist():
        count, begin = int(counts[row]), int(places[row])
        ids = contents.data[begin : begin + 2 * count].view("<u2").tolist()
        known = bytes(_CLASSIC_TIE_BREAKS[each] for each in ids if each in _CLASSIC_TIE_BREAKS)
        if len(known) == count <= _MOST_TIE_BREAKS:
            classic[row] = known.ljust(_MOST_TIE_BREAKS, _UNSPECIFIED).hex()
            used[row] = str(count)
        else:
            other[row] = " ".join(map(str, ids))
    lists = {"tie_breaks": classic, "tie_breaks_used": used, "other_tie_breaks": other}
    return {name: pa.array(texts, pa.string()) for name, texts in lists.items()}


# --- sources and teams -----------------------------------------------------------------------------------------------

SOURCES: Final = EntityKind(
    *(SOURCE, "source", "sources", ("title", "publisher")),
    HeaderLayout(
        "2lid source",
        "<",
        _string("title", tag="SourceTitle", codec=TEXT),
        _string("publisher", tag="Source", codec=TEXT),
        _string("data", extra="2cbh.source_data", codec=TEXT),
        Field(0, "u32", "publication", "date", tag="SourceDate", extra="cbh.source_date", codec=DATE),
        Field(
            4, "u32", "date", "of this version", tag="SourceVersionDate", extra="cbh.source_version_date", codec=DATE
        ),
        Field(8, "u16", "version", tag="SourceVersion"),
        Field(10, "u16", "quality", "0 not set, 1 high, 2 medium, 3 low", tag="SourceQuality", codec=QUALITY),
    ),
    _read_plain,
)

TEAMS: Final = EntityKind(
    *(TEAM, "team", "teams", ("title",)),
    HeaderLayout(
        "2lid team",
        "<",
        _string("title", tag="{Side}Team", codec=TEXT),
        _string("data", extra="2cbh.{side}_team_data", codec=TEXT),
        Field(0, "u8", "number", "of several teams of one club", extra="cbh.{side}_team_number"),
        Field(1, "u8", "season", "bit 0: the year is a season", extra="cbh.{side}_team_season", codec=BIT),
        Field(2, "u16", "year", extra="cbh.{side}_team_year"),
        Field(4, "u8", "nation", tag="{Side}TeamCountry", codec=NATION),
    ),
    _read_plain,
)


# --- titles ----------------------------------------------------------------------------------------------------------

LANGUAGES: Final = {
    42: "english",
    53: "german",
    49: "french",
    43: "spanish",
    70: "italian",
    103: "dutch",
    117: "slovenian",
}
"""The languages of titles by nation code, under the names they have in classic bases. What these call Slovenian is
Portuguese: the language has the same number in all other places."""


def title_places(data: bytes) -> tuple[list[tuple[int, int, int]], bool]:
    """Return language, begin and end of the titles of a tag, and whether the data are whole and have nothing else."""
    found: list[tuple[int, int, int]] = []
    place = 4
    count = int.from_bytes(data[:4], "little", signed=True)
    for _ in range(count):
        language, length = (int.from_bytes(data[place + i : place + i + 4], "little", signed=True) for i in (0, 4))
        begin = place + 8
        if not 0 <= length <= len(data) - begin:
            return found, False
        found.append((language, begin, begin + length))
        place = begin + length
    return found, place == len(data)


def _read_titles(kind: EntityKind, contents: Contents, encoding: TextEncoding) -> EntityTable:
    count = len(contents)
    strings: dict[str, list[str | None]] = {name: [None] * count for name in LANGUAGES.values()}
    odd = np.zeros(count, np.bool_)
    damaged = contents.damaged.copy()
    for row in np.flatnonzero(~contents.unused).tolist():
        data = contents.data[contents.begins[row] : contents.ends[row]].tobytes()
        places, whole = title_places(data)
        damaged[row] |= not whole
        languages = tuple(language for language, _, _ in places)
        odd[row] = len(set(languages)) != len(languages) or not set(languages) <= LANGUAGES.keys()
        for language, begin, end in places:
            if language in LANGUAGES and begin < end:
                strings[LANGUAGES[language]][row] = encoding.decode_name(data[begin:end])
    texts = {name: pa.array(column, pa.string()) for name, column in strings.items()}
    texts["data"] = _whole_data(contents, odd & ~damaged)
    records = kind.layout.new(count)
    return EntityTable(kind.layout, records, encoding, strings=texts, damaged=damaged, unused=contents.unused)


TAGS: Final = EntityKind(
    *(TAG, "game tag", "game tags", ()),
    HeaderLayout(
        "2lid tag",
        "<",
        *(_string(name, extra=f"cbh.tag_{name}", codec=TEXT) for name in LANGUAGES.values()),
        _string("data", extra="2cbh.tag_data", codec=TEXT),
    ),
    _read_titles,
)

KINDS: Final = (PLAYERS, TOURNAMENTS, SOURCES, TEAMS, TAGS)
