"""Rows of a list of games as values by name, from the catalogue if it is complete, else from the database."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.formats.guiding_texts import guiding_texts_of
from tabiya.game.record import RecordKind, Variant
from tabiya.game.tag_texts import COLUMN_TEXTS, LISTED_TAGS
from tabiya.game.tag_values import RESULTS, format_variant
from tabiya.positions.game_facts import NO_ECO, NO_RATING, OTHER_ECO, Flag, facts_of
from tabiya.positions.name_table import NameTable
from tabiya.search.catalogue import LISTED, NOT_HERE, TEXT, UNKNOWN_BODY
from tabiya.search.finding import move_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.database import Database
    from tabiya.game import GameBatch
    from tabiya.search.catalogue import Catalogue

_RATINGS: Final = ("white_elo", "black_elo")
_TEXTS: Final = {name: tag for name, tag in LISTED_TAGS.items() if name not in _RATINGS}
_GAME, _DELETED, _SET_UP = (int(flag) for flag in (Flag.GAME, Flag.DELETED, Flag.SET_UP))
_FEATURES: Final = {int(Flag.VARIATIONS): "variations", int(Flag.ANNOTATIONS): "annotations", _SET_UP: "setup"}
_RESULTS: Final = {int(result): text for result, text in RESULTS.items()}
_VARIANTS: Final = {int(variant): format_variant(variant) for variant in Variant}
_Facts: Any = namedtuple("_Facts", LISTED.names or ())  # type: ignore[misc]  # noqa: PYI024 - fields of rows
_EMPTY: Final[dict[str, Any]] = {"plies": None, "has": []}
_MUST: Final = "must be read"
_MAY: Final = "may be read"
_FEW: Final = 4
"""Rows are read from the database only if they are in at most this many ranges, or if there is no other way."""


def list_rows(
    database: Database, catalogue: Catalogue, places: NDArray[np.int64], plies: NDArray[np.int32] | None = None
) -> list[dict[str, Any]]:
    """Return the rows of a list for the records at some places, in this order, each once; ``plies``: the matches.

    For a library, rows that are far apart lack round and annotator, which only its records contain.
    """
    if not len(places):
        return []
    known = places < len(catalogue)
    rows: list[dict[str, Any] | None] = [None] * len(places)
    for place, facts in zip(np.flatnonzero(known).tolist(), catalogue.take(places[known]).tolist(), strict=True):
        rows[place] = _row(int(places[place]), _Facts._make(facts), catalogue.names)
    near = int((np.abs(np.diff(places)) > 1).sum()) < _FEW
    unread = [place for place, row in enumerate(rows) if row is None or row.pop(_MUST) or (row.pop(_MAY) and near)]
    whole = near and any(row is None or row["plies"] is None for row in map(rows.__getitem__, unread))
    for place, row in _read(database, places, unread, whole=whole).items():
        rows[place] = _EMPTY | (rows[place] or {}) | row
    listed = [row for row in rows if row is not None]
    for place, row in enumerate(listed):
        row.pop(_MAY, None)
        if plies is not None:
            row["ply"] = int(plies[place])
            row["move"] = move_text(row.get("start"), row["ply"])
    return listed


def _row(place: int, facts: Any, names: NameTable) -> dict[str, Any]:
    flags = facts.flags
    game = flags & _GAME != 0
    row: dict[str, Any] = {
        "number": place + 1,
        "kind": "game" if game else "text" if flags & TEXT else "opaque",
        "deleted": flags & _DELETED != 0,
        "white": _name(names, facts.white),
        "white_elo": None if facts.white_elo == NO_RATING else facts.white_elo,
        "black": _name(names, facts.black),
        "black_elo": None if facts.black_elo == NO_RATING else facts.black_elo,
        "result": _RESULTS.get(facts.result),
        "date": _date(facts.date),
        "eco": _code(facts.eco) if facts.eco_text == NOT_HERE else _name(names, facts.eco_text),
        "event": _name(names, facts.event),
        "site": _name(names, facts.site),
        "round": _name(names, facts.round),
        "annotator": _name(names, facts.annotator),
        "variant": _VARIANTS.get(facts.variant),
        "plies": None if flags & UNKNOWN_BODY or not game else facts.plies,
        "has": _features(flags),
    }
    row[_MUST] = not game or flags & _SET_UP != 0 or (facts.eco_text == NOT_HERE and facts.eco == OTHER_ECO)
    row[_MAY] = facts.round == NOT_HERE or flags & UNKNOWN_BODY != 0
    return row


def _name(names: NameTable, number: int) -> str | None:
    return names.name_of(number) if number >= 0 else None


def _code(code: int) -> str | None:
    return None if code in (NO_ECO, OTHER_ECO) else f"{'ABCDE'[code // 100 % 5]}{code % 100:02}"


def _date(date: int) -> str | None:
    if not date:
        return None
    parts = (date // 10_000, 4), (date // 100 % 100, 2), (date % 100, 2)
    return ".".join(f"{part:0{width}}" if part else "?" * width for part, width in parts)


def _read(
    database: Database, places: NDArray[np.int64], unread: list[int], *, whole: bool
) -> dict[int, dict[str, Any]]:
    """Return values of records that only the database has, by their place in the list; ``whole`` with their moves."""
    if not unread:
        return {}
    ascending = sorted(unread, key=lambda place: int(places[place]))
    batch = database.take(places[ascending]) if whole else None
    headers = database.take_headers(places[ascending]) if batch is None else batch.record_batch
    columns = {name: COLUMN_TEXTS[tag](headers).to_pylist() for name, tag in _TEXTS.items()}
    columns |= {name: headers[name].to_pylist() for name in (*_RATINGS, "deleted")}
    kinds = [RecordKind(kind) for kind in headers["kind"].to_pylist()]
    columns["kind"] = [kind.name.lower() for kind in kinds]
    if batch is not None:
        columns |= _of_bodies(batch, kinds)
    found = {}
    for index, place in enumerate(ascending):
        row = {name: values[index] for name, values in columns.items()}
        row["number"] = int(places[place]) + 1
        if kinds[index] is RecordKind.TEXT:
            row["title"] = _title(database, int(places[place]))
        found[place] = row
    return found


def _of_bodies(batch: GameBatch, kinds: list[RecordKind]) -> dict[str, list[Any]]:
    facts = facts_of(batch, NameTable())
    games = [kind is RecordKind.GAME for kind in kinds]
    return {
        "plies": [plies if game else None for plies, game in zip(facts["plies"].tolist(), games, strict=True)],
        "has": [_features(flags) for flags in facts["flags"].tolist()],
    }


def _features(flags: int) -> list[str]:
    return [name for flag, name in _FEATURES.items() if flags & flag]


def _title(database: Database, place: int) -> str:
    texts = guiding_texts_of(database[place])
    return texts[0].title if texts else ""
