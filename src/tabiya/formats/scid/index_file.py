"""The index of a base: a record per game, of 47 bytes in ``.si4``, 46 in ``.si3`` and 56 in ``.si5``.

All three contain the same data, packed into bits in different ways. ``decode_entries`` and ``encode_entries`` convert
many records to an array of ``ENTRY`` and back; no other code depends on the packing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.binary import Field, Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC: Final = b"Scid.si\0"
LONGEST_NAME: Final = 244
"""Scid exports `[Event "…"]` through 256 bytes, and crashes on a longer one; si4 itself could store 255."""

ENTRY: Final = np.dtype(
    [
        *((name, "u8") for name in ("offset",)),
        *((name, "u4") for name in ("length", "flags", "white", "black", "event", "site", "round")),
        *((name, "u4") for name in ("date", "event_date", "material")),
        *((name, "u2") for name in ("eco", "white_elo", "black_elo", "plies")),
        *((name, "u1") for name in ("white_type", "black_type", "result", "chess960")),
        *((name, "u1") for name in ("variations", "comments", "nags", "line", "pawn_count")),
        ("pawns", "u1", (8,)),
    ]
)
"""A game in the index. Numbers of variations, comments and NAGs are rounded codes."""

Entries = Any

HEADER: Final = Layout(
    "si4 header",
    ">",
    Field(0, "8s", "magic", "`Scid.si` and a zero", MAGIC),
    Field(8, "u16", "version", "400; 300 for si3", 400),
    Field(10, "u32", "type", "the kind of base, which chooses its icon"),
    Field(14, "u24", "games", "how many there are"),
    Field(17, "u24", "autoload", "the game to show on opening: 0 none, 1 the first, more than there are the last", 1),
    Field(20, "108s", "description", "padded with zeros, of which one is the last byte", b""),
    Field(128, "54s", "flag_names", "names of the custom flags 1 to 6, nine bytes each, padded with zeros", b""),
)
"""The header of si3 ends before the names of flags."""

SI4_RECORD: Final = Layout(
    "si4 record",
    ">",
    Field(0, "u32", "offset", "where the game data begins in `.sg4`"),
    Field(4, "u16", "length", "of the game data, low bits"),
    Field(6, "u8", "length_flags", "bit 7 bit 16 of the length, bits 0-5 custom flags 1-6; missing in si3"),
    Field(7, "u16", "flags", "bits 0-15"),
    Field(9, "u8", "player_high", "bits 4-7 bits 16-19 of White's id, bits 0-3 the same of Black's"),
    Field(10, "u16", "white", "id, low bits"),
    Field(12, "u16", "black", "id, low bits"),
    Field(14, "u8", "event_high", "bits 5-7 bits 16-18 of the event, 2-4 of the site, 0-1 bits 16-17 of the round"),
    Field(15, "u16", "event", "id, low bits"),
    Field(17, "u16", "site", "id, low bits"),
    Field(19, "u16", "round", "id, low bits"),
    Field(21, "u16", "counts", "bits 0-3 variations, 4-7 comments, 8-11 NAGs, 12-15 the result"),
    Field(23, "u16", "eco", "1 + 131 · (100 · letter + number) + extension, 0 for none"),
    Field(25, "u32", "dates", "bits 0-19 the date, bits 20-31 the event date, relative to it"),
    Field(29, "u16", "white_rating", "bits 0-11 the rating, 12-14 its kind"),
    Field(31, "u16", "black_rating", "the same"),
    Field(33, "u32", "position", "bits 0-23 the final material, 24-31 the stored line"),
    Field(37, "u8", "plies", "low bits"),
    Field(38, "u8", "plies_pawns", "bits 6-7 bits 8-9 of the plies, 0-5 the number of entries for home pawns"),
    Field(39, "8s", "pawns", "entries for home pawns, four bits each"),
)

SI5_RECORD: Final = Layout(
    "si5 record",
    "<",
    Field(0, "u32", "white", "bits 0-27 id, 28-31 comments"),
    Field(4, "u32", "black", "bits 0-27 id, 28-31 variations"),
    Field(8, "u32", "event", "bits 0-27 id, 28-31 NAGs"),
    Field(12, "u32", "site", "id"),
    Field(16, "u32", "round", "bits 0-30 id, 31 Chess960"),
    Field(20, "u32", "white_date", "bits 0-19 the date, 20-31 White's rating"),
    Field(24, "u32", "black_date", "bits 0-19 the event date, 20-31 Black's rating"),
    Field(28, "u32", "flags", "bits 0-21 flags, 22-31 plies"),
    Field(32, "u32", "length", "bits 0-14 bits 32-46 of the offset, 15-31 the length"),
    Field(36, "u32", "offset", "where the game data begins in `.sg5`, low bits"),
    Field(40, "u32", "position", "bits 0-23 the final material, 24-31 the stored line"),
    Field(44, "u32", "eco", "bits 0-15 ECO, 16-17 the result, 18-20 and 21-23 kinds of ratings, 24-31 home pawns"),
    Field(48, "8s", "pawns", "entries for home pawns, four bits each"),
)
_SI3_RECORD: Final = Layout(
    "si3 record",
    ">",
    *(
        Field(each.offset - (each.offset > 6), each.kind, each.name, each.meaning)
        for each in SI4_RECORD.fields
        if each.name != "length_flags"
    ),
)


@dataclass(frozen=True, slots=True)
class Generation:
    """Properties of a generation of the format."""

    number: int
    header_size: int
    record: Layout
    most_games: int
    most_names: tuple[int, int, int, int]
    """Maximum number of distinct players, events, sites and rounds."""
    most_data: int
    """Maximum size of the file with the game data, in bytes."""

    @property
    def index(self) -> str:
        """The suffix of the index; it identifies the base."""
        return f".si{self.number}"

    @property
    def names(self) -> str:
        """The suffix of the name file."""
        return f".sn{self.number}"

    @property
    def games(self) -> str:
        """The suffix of the file with the game data."""
        return f".sg{self.number}"

    @property
    def suffixes(self) -> tuple[str, str, str]:
        """All three, the index last: the base exists when the index does."""
        return self.games, self.names, self.index


_NAMES_4: Final = ((1 << 20) - 1, (1 << 19) - 1, (1 << 19) - 1, (1 << 18) - 1)
_NAMES_5: Final = (1 << 28, 1 << 28, 1 << 32, 1 << 31)
SI3: Final = Generation(3, 128, _SI3_RECORD, 16_777_214, _NAMES_4, 1 << 32)
SI4: Final = Generation(4, HEADER.size, SI4_RECORD, 16_777_214, _NAMES_4, 1 << 32)
SI5: Final = Generation(5, 0, SI5_RECORD, (1 << 32) - 2, _NAMES_5, 1 << 46)

_YEAR: Final = 9
_NO_EVENT: Final = 0x800
"""The event date of si4 for none, as Scid writes it."""


def decode_entries(generation: Generation, records: Any) -> Entries:
    """Return the values in the records of an index."""
    entries = np.zeros(len(records), ENTRY)
    (_decode_5 if generation is SI5 else _decode_4)(entries, generation.record, records)
    return entries


def encode_entries(generation: Generation, entries: Entries) -> bytes:
    """Return the records of an index; values must fit."""
    records = generation.record.new(len(entries))
    (_encode_5 if generation is SI5 else _encode_4)(entries, generation.record, records)
    return bytes(records.tobytes())


def _decode_4(entries: Entries, layout: Layout, records: Any) -> None:
    def column(name: str) -> NDArray[np.uint32]:
        return layout.column(records, name).astype(np.uint32)

    high = column("length_flags") if "length_flags" in layout else np.zeros(len(records), np.uint32)
    players, places, counts = column("player_high"), column("event_high"), column("counts")
    entries["offset"] = column("offset")
    entries["length"] = column("length") | (high >> 7) << 16
    entries["flags"] = column("flags") | (high & 0x3F) << 16
    entries["white"] = column("white") | (players >> 4) << 16
    entries["black"] = column("black") | (players & 15) << 16
    entries["event"] = column("event") | (places >> 5) << 16
    entries["site"] = column("site") | (places >> 2 & 7) << 16
    entries["round"] = column("round") | (places & 3) << 16
    for place, name in enumerate(("variations", "comments", "nags", "result")):
        entries[name] = counts >> 4 * place & 15
    entries["eco"] = column("eco")
    dates = column("dates")
    entries["date"] = dates & 0xFFFFF
    entries["event_date"] = _absolute(dates >> 20, dates & 0xFFFFF)
    for side in ("white", "black"):
        rating = column(f"{side}_rating")
        entries[f"{side}_elo"], entries[f"{side}_type"] = rating & 0xFFF, rating >> 12 & 7
    position, plies = column("position"), column("plies_pawns")
    entries["material"], entries["line"] = position & 0xFFFFFF, position >> 24
    entries["plies"] = column("plies") | (plies >> 6) << 8
    entries["pawn_count"] = plies & 0x3F
    entries["pawns"] = layout.column(records, "pawns")


def _encode_4(entries: Entries, layout: Layout, records: Any) -> None:
    def wide(name: str) -> NDArray[np.uint32]:
        values: NDArray[np.uint32] = entries[name].astype(np.uint32)
        return values

    put = layout.put
    put(records, "offset", entries["offset"])
    put(records, "length", wide("length") & 0xFFFF)
    put(records, "length_flags", (wide("length") >> 16) << 7 | wide("flags") >> 16)
    put(records, "flags", wide("flags") & 0xFFFF)
    put(records, "player_high", (wide("white") >> 16) << 4 | wide("black") >> 16)
    put(records, "event_high", (wide("event") >> 16) << 5 | (wide("site") >> 16) << 2 | wide("round") >> 16)
    for name in ("white", "black", "event", "site", "round"):
        put(records, name, wide(name) & 0xFFFF)
    counts = sum(wide(name) << 4 * place for place, name in enumerate(("variations", "comments", "nags", "result")))
    put(records, "counts", counts)  # type: ignore[arg-type]  # numpy's sum of arrays
    put(records, "eco", entries["eco"])
    put(records, "dates", wide("date") | _relative(wide("event_date"), wide("date")) << 20)
    put(records, "white_rating", wide("white_elo") | wide("white_type") << 12)
    put(records, "black_rating", wide("black_elo") | wide("black_type") << 12)
    put(records, "position", wide("material") | wide("line") << 24)
    put(records, "plies", wide("plies") & 0xFF)
    put(records, "plies_pawns", (wide("plies") >> 8) << 6 | wide("pawn_count"))
    put(records, "pawns", entries["pawns"])


def event_date_fits(event_date: NDArray[Any], date: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which event dates si4 can store: those less than four years from the date of the game."""
    years = (event_date >> _YEAR).astype(np.int64) - (date >> _YEAR).astype(np.int64)
    fits: NDArray[np.bool_] = (np.abs(years) <= 3) & (date >> _YEAR > 0)
    return fits


def _relative(event_date: NDArray[Any], date: NDArray[Any]) -> NDArray[np.uint32]:
    """Return event dates as si4 stores them: years counted from that of the game."""
    years = (event_date >> _YEAR).astype(np.int64) - (date >> _YEAR).astype(np.int64) + 4
    stored = np.where(event_date_fits(event_date, date) & (event_date > 0), years << _YEAR | event_date & 0x1FF, 0)
    nothing = (event_date == 0) & (date >> _YEAR == 0)
    return np.where(nothing, _NO_EVENT, stored).astype(np.uint32)


def _absolute(stored: NDArray[Any], date: NDArray[Any]) -> NDArray[np.uint32]:
    years = (date >> _YEAR).astype(np.int64) + (stored >> _YEAR).astype(np.int64) - 4
    known = (stored >> _YEAR > 0) & (date >> _YEAR > 0) & (years > 0)
    return np.where(known, years << _YEAR | stored & 0x1FF, 0).astype(np.uint32)


def _decode_5(entries: Entries, layout: Layout, records: Any) -> None:
    column = {each.name: layout.column(records, each.name) for each in layout.fields}
    for name, count in (("white", "comments"), ("black", "variations"), ("event", "nags")):
        entries[name], entries[count] = column[name] & 0xFFFFFFF, column[name] >> 28
    entries["site"] = column["site"]
    entries["round"], entries["chess960"] = column["round"] & 0x7FFFFFFF, column["round"] >> 31
    entries["date"], entries["white_elo"] = column["white_date"] & 0xFFFFF, column["white_date"] >> 20
    entries["event_date"], entries["black_elo"] = column["black_date"] & 0xFFFFF, column["black_date"] >> 20
    entries["flags"], entries["plies"] = column["flags"] & 0x3FFFFF, column["flags"] >> 22
    entries["length"] = column["length"] >> 15
    entries["offset"] = column["offset"] | (column["length"].astype(np.uint64) & np.uint64(0x7FFF)) << np.uint64(32)
    entries["material"], entries["line"] = column["position"] & 0xFFFFFF, column["position"] >> 24
    eco = column["eco"]
    entries["eco"], entries["result"] = eco & 0xFFFF, eco >> 16 & 3
    entries["black_type"], entries["white_type"], entries["pawn_count"] = eco >> 18 & 7, eco >> 21 & 7, eco >> 24
    entries["pawns"] = column["pawns"]


def _encode_5(entries: Entries, layout: Layout, records: Any) -> None:
    def wide(name: str) -> NDArray[np.uint32]:
        values: NDArray[np.uint32] = entries[name].astype(np.uint32)
        return values

    put = layout.put
    for name, count in (("white", "comments"), ("black", "variations"), ("event", "nags")):
        put(records, name, wide(name) | wide(count) << 28)
    put(records, "site", entries["site"])
    put(records, "round", wide("round") | wide("chess960") << 31)
    put(records, "white_date", wide("date") | wide("white_elo") << 20)
    put(records, "black_date", wide("event_date") | wide("black_elo") << 20)
    put(records, "flags", wide("flags") | wide("plies") << 22)
    put(records, "length", wide("length") << 15 | (entries["offset"] >> np.uint64(32)).astype(np.uint32))
    put(records, "offset", (entries["offset"] & np.uint64(0xFFFFFFFF)).astype(np.uint32))
    put(records, "position", wide("material") | wide("line") << 24)
    kinds = wide("black_type") << 18 | wide("white_type") << 21
    put(records, "eco", wide("eco") | wide("result") << 16 | kinds | wide("pawn_count") << 24)
    put(records, "pawns", entries["pawns"])
