"""Identity of a single game apart from its moves: its URL and its start time, as whole columns.

Two games with different identities are different games, however similar their moves and players are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game.tag_values import Date, parse_date
from tabiya.maintenance.tag_columns import tag_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.positions.name_table import NameTable

DAY: Final = 86_400
NO_MOMENT: Final = -1

_GAME_URL: Final = (
    r"(?i)^\s*(?:https?://)?(?:www\.|[a-z]{2}\.)?(?:"
    r"lichess\.org/(?P<lichess>[a-z0-9]{8})(?:[a-z0-9]{4})?(?:[/#?].*)?$"
    r"|chess\.com/(?:[a-z]+/)*(?:live|daily|game)[/#?](?:(?:g|a|id)=)?(?P<chess>[0-9]+)"
    r"|(?P<host>[a-z0-9.-]+)(?::[0-9]+)?/\S*?(?:game|gid)[^0-9\s]*(?P<game>[0-9][0-9a-z-]*))"
)
_LICHESS_PAGES: Final = pa.array(["analysis", "insights", "practice", "streamer", "training"])
"""Paths of Lichess that are as long as a game id."""
_SERVER: Final = "server"
"""The host of all game servers: a game cannot have been played on two of them."""
_FICS_NUMBER: Final = "FICSGamesDBGameNo"
_COPY: Final = r"(?i)^\s*(?:https?://)?lichess\.org/(?:study|broadcast)/"
"""A copy of a game; its time is that of the copy."""
_COPY_TAGS: Final = ("ChapterURL", "BroadcastURL")
_TIME: Final = (
    r"^\s*(?P<hours>[01]?[0-9]|2[0-3]):(?P<minutes>[0-5][0-9]):(?P<seconds>[0-5][0-9])(?:\.[0-9]*)?"
    r"\s*(?:Z|UTC|GMT)?\s*$"
)


def links_of(records: pa.RecordBatch, numbers: NameTable) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return for each record a number for the host of its URL, and one for its id there; -1 without a URL.

    A URL counts if it names a game: one of Lichess, Chess.com or FICS, or any with ``game`` or ``gid`` and a number.
    Different ids are different games only on the same host, because two collections may contain the same game.
    """
    fics = pc.binary_join_element_wise(_FICS_NUMBER, tag_texts(records, _FICS_NUMBER), " ")
    found = [_link(tag_texts(records, "Link")), _link_of_sites(records["site"])]
    found.append((pc.if_else(pc.is_valid(fics), _SERVER, None), fics))
    hosts, ids = (pc.coalesce(*(link[part] for link in found)) for part in (0, 1))
    return numbers.ids_of(hosts.dictionary_encode()), numbers.ids_of(ids.dictionary_encode())


def moments_of(records: pa.RecordBatch) -> NDArray[np.int64]:
    """Return the UTC start time of each game, in seconds since a fixed day; NO_MOMENT if unknown.

    A value below DAY is a time of day without a date.
    """
    parts = pc.extract_regex(tag_texts(records, "UTCTime"), _TIME)
    if parts.null_count == len(parts):
        return np.full(len(records), NO_MOMENT, np.int64)
    hours, minutes, seconds = (_integers(parts.field(place)) for place in range(3))
    moments = _days(tag_texts(records, "UTCDate")) * DAY + hours * 3600 + minutes * 60 + seconds
    sites = records["site"]
    copies = pc.fill_null(pc.take(pc.match_substring_regex(sites.dictionary, _COPY), sites.indices), fill_value=False)
    for name in _COPY_TAGS:
        copies = pc.or_(copies, pc.is_valid(tag_texts(records, name)))
    known = pc.and_(pc.is_valid(parts), pc.invert(copies)).to_numpy(zero_copy_only=False)
    return np.where(known, moments, NO_MOMENT)


def day_numbers(year: NDArray[np.int64], month: NDArray[np.int64], day: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of days since a fixed day, in the Gregorian calendar; years begin in March here."""
    year = year - (month < 3)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day


def _link_of_sites(sites: pa.DictionaryArray) -> tuple[pa.Array, pa.Array]:
    hosts, ids = _link(sites.dictionary)
    return hosts.take(sites.indices), ids.take(sites.indices)


def _link(urls: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return the host and the id of each URL, both null if it names no game."""
    parts = pc.extract_regex(urls, _GAME_URL)
    lichess, chess, host, game = (_not_empty(parts.field(place), parts) for place in range(4))
    lichess = pc.if_else(pc.is_in(lichess, _LICHESS_PAGES), None, lichess)
    servers = [pc.binary_join_element_wise(*each, " ") for each in (("lichess", lichess), ("chess.com", chess))]
    server = pc.coalesce(*servers)
    hosts = pc.coalesce(pc.if_else(pc.is_valid(server), _SERVER, None), pc.ascii_lower(host))
    return hosts, pc.coalesce(server, game)


def _not_empty(texts: pa.Array, parts: pa.StructArray) -> pa.Array:
    """Return a group of a regular expression, null where it did not match."""
    matched = pc.and_(pc.is_valid(parts), pc.not_equal(texts, ""))
    return pc.if_else(pc.fill_null(matched, fill_value=False), texts, None)


def _integers(texts: pa.Array) -> NDArray[np.int64]:
    digits = pc.if_else(pc.equal(pc.fill_null(texts, ""), ""), "0", texts)
    integers: NDArray[np.int64] = pc.cast(digits, pa.int64()).to_numpy(zero_copy_only=False)
    return integers


def _days(texts: pa.Array) -> NDArray[np.int64]:
    """Return dates as numbers of days; 0 where a part is missing."""
    coded = texts.dictionary_encode()
    dates = [*(parse_date(text) or Date() for text in coded.dictionary.to_pylist()), Date()]
    parts = np.array([(date.year or 0, date.month or 0, date.day or 0) for date in dates], np.int64)
    numbers = np.where(parts.all(axis=1), day_numbers(*parts.T), 0)
    found: NDArray[np.int64] = numbers[pc.fill_null(coded.indices, len(dates) - 1).to_numpy(zero_copy_only=False)]
    return found
