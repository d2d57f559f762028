"""Which tags of a batch go into the index, and which into game data. By whole columns; only unusual ones one by one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.formats.scid.codes import RATING_TYPES, encode_eco
from tabiya.formats.scid.header_columns import NO_DATE, date_text
from tabiya.formats.scid.index_file import SI5, Generation, event_date_fits
from tabiya.game.lists import filtered, joined, members, owners, with_field
from tabiya.game.schema import TAG
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]
    Mask = NDArray[np.bool_]

MOST_RATING: Final = 4000
_MOST_YEAR: Final = 2047
_DATE: Final = re.compile(r"(\d{4}|\?{4})\.(\d\d|\?\?)\.(\d\d|\?\?)", re.ASCII)
_RATING: Final = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)
_RATING_TAGS: Final = {
    f"{side}{kind}": (side, number) for side in ("White", "Black") for number, kind in enumerate(RATING_TYPES) if number
}
_NAME_TAGS: Final = {"White": "white", "Black": "black", "Event": "event", "Site": "site", "Round": "round"}


def section_tags(records: pa.RecordBatch, entries: Any, generation: Generation) -> tuple[pa.ListArray, Rows]:
    """Set dates, ratings, ECO codes and results of an index, and return the tags that remain for game data.

    Also return a record for each tag that has no name and cannot be stored.

    A tag that states that there is no date or result is empty; the event date in its old form, unless it comes first,
    has no name.
    """
    tags = _Tags(records, entries, generation)
    return tags.section(), tags.nameless


class _Tags:
    def __init__(self, records: pa.RecordBatch, entries: Any, generation: Generation) -> None:
        self._records = records
        self._entries = entries
        self._generation = generation
        column = records.column("tags")
        self._column = column
        self._values, offsets = members(column)
        self._offsets = offsets
        self._owner = owners(offsets)
        self._names = self._values.field("name")
        # An empty date or result among the tags of a game states that it has none.
        empty = (self._is("Date") | self._is("Result")) & self._is("", "value")
        self._kept = ~self._is("") & ~empty
        self.nameless = self._owner[~self._kept]
        """A record for each tag without a name, or with a value that has another meaning; it cannot be stored."""
        self._more: list[tuple[Rows, str, list[str]]] = []

    def section(self) -> pa.ListArray:
        self._fill_dates()
        self._fill_results()
        self._fill_ratings()
        self._fill_eco()
        self._fill_names()
        self._fill_variants()
        front = self._take_ratings()
        column = self._place_event_dates(front)
        column = filtered(column, self._kept)
        for rows, name, texts in self._more:
            if len(rows):
                named = pa.array([name]).take(pa.array(np.zeros(len(rows), np.int32)))
                more = pa.StructArray.from_arrays([named, pa.array(texts, pa.string())], fields=list(TAG))
                column = joined(column, more, rows)
        return column

    def _listed(self, name: str) -> Mask:
        """Return which records have a tag of this name among the others."""
        found = np.zeros(len(self._records), np.bool_)
        if len(self._names):
            found[self._owner[self._is(name)]] = True
        return found

    def _is(self, text: str, field: str = "name") -> Mask:
        mask: Mask = pc.equal(self._values.field(field), text).to_numpy(zero_copy_only=False).astype(np.bool_)
        return mask

    def _numbers(self, name: str) -> Rows:
        column = self._records.column(name)
        numbers: Rows = column.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        return numbers

    def _valid(self, name: str) -> Mask:
        mask: Mask = self._records.column(name).is_valid().to_numpy(zero_copy_only=False)
        return mask

    def _add(self, name: str, mask: Mask, texts: list[str] | None = None) -> None:
        rows = np.flatnonzero(mask)
        self._more.append((rows, name, [""] * len(rows) if texts is None else texts))

    # Tags stored in the index.

    def _fill_dates(self) -> None:
        year, month, day = (self._numbers(name) for name in ("year", "month", "day"))
        late = (year > _MOST_YEAR) | (month > 12) | (day > 31)
        dates = np.where(late, 0, year << 9 | month << 5 | day)
        self._entries["date"] = dates
        listed = self._listed("Date")
        if listed.any():
            places = np.flatnonzero(self._is("Date"))
            alone = np.bincount(self._owner[places], minlength=len(self._records)) == 1
            texts = self._values.field("value").take(pa.array(places))
            unknown = pc.equal(texts, NO_DATE).to_numpy(zero_copy_only=False)
            drop = unknown & (alone & (dates == 0) & ~late)[self._owner[places]]
            self._kept[places[drop]] = False
        self._add("Date", (dates == 0) & ~late & ~listed)
        tall = np.flatnonzero(late & ~listed)
        parts = [[part or None for part in (int(year[row]), int(month[row]), int(day[row]))] for row in tall]
        self._more.append((tall, "Date", [str(COLUMN_TAGS["Date"].format(*each)) for each in parts]))

    def _fill_results(self) -> None:
        results = self._records.column("result").fill_null(0).to_numpy(zero_copy_only=False)
        self._entries["result"] = np.where(results < 4, results, 0)
        self._add("Result", ~self._valid("result") & ~self._listed("Result"))

    def _fill_ratings(self) -> None:
        for side, tag in (("white", "WhiteElo"), ("black", "BlackElo")):
            elo = self._numbers(f"{side}_elo")
            fits = (elo > 0) & (elo <= MOST_RATING)
            self._entries[f"{side}_elo"] = np.where(fits, elo, 0)
            unusual = self._valid(f"{side}_elo") & ~fits & ~self._listed(tag)
            self._add(tag, unusual, [str(number) for number in elo[unusual].tolist()])

    def _fill_eco(self) -> None:
        column = self._records.column("eco")
        texts = column.dictionary.to_pylist()
        codes = np.array([*(encode_eco(text) for text in texts), 0], np.uint16)
        places = column.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
        self._entries["eco"] = codes[places]
        unusual = (self._entries["eco"] == 0) & (places < len(texts)) & ~self._listed("ECO")
        self._add("ECO", unusual, [texts[place] for place in places[unusual].tolist()])

    def _fill_names(self) -> None:
        for tag, name in _NAME_TAGS.items():
            column = self._records.column(name)
            texts = column.dictionary
            empty = pc.equal(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False).astype(np.bool_)
            if empty.any():
                places = column.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
                self._add(tag, np.append(empty, np.False_)[places] & ~self._listed(tag))

    def _fill_variants(self) -> None:
        tag = COLUMN_TAGS["Variant"]
        unusual = (self._records.column("variant").to_numpy() == 1) & ~self._listed("Variant")
        self._add("Variant", unusual, [str(tag.format(1))] * int(unusual.sum()))

    # Tags stored in the index if they come first.

    def _take_ratings(self) -> Rows:
        """Move ratings of other kinds to the index; return how many tags of each record were moved."""
        front = np.zeros(len(self._records), np.int64)
        is_rating = pc.is_in(self._names, pa.array(list(_RATING_TAGS))).to_numpy(zero_copy_only=False)
        for row in np.unique(self._owner[is_rating]).tolist():
            front[row] = self._take_rating(row)
        return front

    def _take_rating(self, row: int) -> int:
        places = range(int(self._offsets[row]), int(self._offsets[row + 1]))
        tags = [(place, self._names[place].as_py()) for place in places]
        other_tags = [(place, name) for place, name in tags if name not in COLUMN_TAGS]
        given = {name for _, name in tags}
        taken = 0
        for side in ("White", "Black"):
            column = f"{side.lower()}_elo"
            if self._records.column(column)[row].is_valid or f"{side}Elo" in given:
                continue
            found = next(
                ((place, name) for place, name in other_tags if _RATING_TAGS.get(name, ("",))[0] == side), None
            )
            if found is None:
                continue
            place, name = found
            text = self._values.field("value")[place].as_py()
            if _RATING.fullmatch(text) and int(text) <= MOST_RATING:
                self._entries[column][row] = int(text)
                self._entries[f"{side.lower()}_type"][row] = _RATING_TAGS[name][1]
                alone = sum(other == name for _, other in other_tags) == 1
                if alone and place == other_tags[taken][0]:
                    self._kept[place] = False
                    taken += 1
        return taken

    def _place_event_dates(self, front: Rows) -> pa.ListArray:
        places = np.flatnonzero(self._is("EventDate"))
        if not len(places):
            return self._column
        rows = self._owner[places]
        texts = self._values.field("value").take(pa.array(places)).dictionary_encode()
        codes = np.array([_event_date(text) for text in texts.dictionary.to_pylist()], np.int64)
        dates = codes[texts.indices.to_numpy(zero_copy_only=False)]
        alone = np.bincount(rows, minlength=len(self._records))[rows] == 1
        fits = (dates > 0) & alone
        if self._generation is not SI5:
            fits &= event_date_fits(dates, self._entries["date"][rows])
        self._entries["event_date"][rows[fits]] = dates[fits]
        other_tags = ~pc.is_in(self._names, pa.array(list(COLUMN_TAGS))).to_numpy(zero_copy_only=False)
        before = np.concatenate(([0], np.cumsum(other_tags)))
        first = before[places] - before[self._offsets[rows]] == front[rows]
        self._kept[places[fits & first]] = False
        moved = fits & ~first
        if not moved.any():
            return self._column
        mask = np.zeros(len(self._names), np.bool_)
        mask[places[moved]] = True
        spelled = pa.array([f"{code:06x}" for code in codes.tolist()]).take(texts.indices.filter(pa.array(moved)))
        column = with_field(self._column, "name", pc.if_else(pa.array(mask), "", self._names))
        return with_field(column, "value", pc.replace_with_mask(self._values.field("value"), pa.array(mask), spelled))


def _event_date(text: str) -> int:
    """Return the code of a date, 0 if it has none."""
    match = _DATE.fullmatch(text)
    if match is None:
        return 0
    year, month, day = (0 if "?" in part else int(part) for part in match.groups())
    code = year << 9 | month << 5 | day
    return code if 0 < year <= _MOST_YEAR and month <= 12 and day <= 31 and date_text(code) == text else 0
