"""What the records of ``.cbh`` and ``.cbj`` say that no column and no usual tag holds: their extras, both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.formats.cbh.files import tags_and_extras
from tabiya.formats.cbh.files.cbh import KNOWN_FLAGS, Mark
from tabiya.formats.cbh.files.codes import (
    CHESS960_ECO,
    ECO_CODES,
    ECO_SHIFT,
    ECO_SUB_MASK,
    MOST_ECO_SUB,
    RESULTS,
    USUAL_RATING_TYPE,
    is_canonical_date,
)
from tabiya.formats.cbh.files.layout import Value
from tabiya.formats.cbh.files.tags_and_extras import (
    Carrier,
    Table,
    digits,
    hexadecimal_texts,
    parse_hexadecimal,
    parse_number,
)
from tabiya.game.annotations import TextEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CBJ_CARRIERS", "GAME_CARRIERS", "MARKS", "TEXT_CARRIERS", "eco_places", "usual_rating_types"]

_ALL_FLAGS: Final = 0xFFFFFFFF
_MARKS: Final = 0xFF & ~(Mark.TEXT | Mark.DELETED)


def eco_places(codes: NDArray[Any]) -> NDArray[np.int32]:
    """Where each code stands in ``ECO_CODES``; -1 if it is no opening."""
    places = (codes >> ECO_SHIFT).astype(np.int32) - 1
    sound = (places >= 0) & (places < len(ECO_CODES)) & ((codes & ECO_SUB_MASK) <= MOST_ECO_SUB)
    return np.where(sound, places, np.int32(-1))


def usual_rating_types(elos: NDArray[Any]) -> NDArray[np.uint8]:
    """The rating types that need not be told: FIDE for a player with a rating, else nothing."""
    types = np.frombuffer(bytes(len(USUAL_RATING_TYPE)) + USUAL_RATING_TYPE, np.uint8).reshape(2, -1)
    found: NDArray[np.uint8] = types[(elos != 0).astype(np.intp)]
    return found


def _field(key: str, name: str, texts: Callable[[Table], pa.Array], most: int | None = None) -> Carrier:
    """A number with a rule of its own about where it is told, and perhaps with a limit."""

    def values(text: str, _: TextEncoding) -> dict[str, Value]:
        number = parse_number(text)
        return {} if number is None or (most is not None and number > most) else {name: number}

    return Carrier(key, texts, values)


def _odd_marks(table: Table) -> pa.Array:
    marks = table["marks"] & np.uint8(_MARKS)
    return digits(marks, keep=marks != Mark.USED)


def _odd_dates(table: Table) -> pa.Array:
    return digits(table["date"], keep=~is_canonical_date(table["date"]))


def _odd_results(table: Table) -> pa.Array:
    return digits(table["result"], keep=table["result"] >= len(RESULTS))


def _sub_codes(table: Table) -> pa.Array:
    codes = table["eco"]
    subs = codes & np.uint16(ECO_SUB_MASK)
    return digits(subs, keep=(subs != 0) & (eco_places(codes) >= 0))


def _chess960_numbers(table: Table) -> pa.Array:
    codes = table["eco"].astype(np.int32)
    return digits(codes - CHESS960_ECO, keep=codes >= CHESS960_ECO)


def _odd_ecos(table: Table) -> pa.Array:
    codes = table["eco"]
    return digits(codes, keep=(codes != 0) & (codes < CHESS960_ECO) & (eco_places(codes) < 0))


MARKS: Final = _field("cbh.marks", "marks", _odd_marks)
"""Bits of the first byte other than text and deleted, where they are not as usual."""

GAME_CARRIERS: Final = (
    MARKS,
    _field("cbh.date", "date", _odd_dates),
    _field("cbh.result", "result", _odd_results),
    tags_and_extras.number("cbh.line_evaluation", "line_evaluation"),
    _field("cbh.eco_sub", "eco_sub", _sub_codes, MOST_ECO_SUB),
    _field("cbh.chess960_number", "chess960_number", _chess960_numbers, 0xFFFF - CHESS960_ECO),
    _field("cbh.eco", "eco", _odd_ecos),
    tags_and_extras.number("cbh.medals", "medals"),
    tags_and_extras.number("cbh.flags", "flags", mask=_ALL_FLAGS & ~KNOWN_FLAGS),
)
"""How the record of a game travels, besides the columns of a batch.

Flags and magnitudes that follow from moves and annotations, and the number of moves, are made anew by a writer.
``eco_sub`` and ``chess960_number`` are no fields but parts of ``eco``, which ``headers`` puts together.
"""

TEXT_CARRIERS: Final = (
    MARKS,
    tags_and_extras.number("cbh.flags", "flags"),
    tags_and_extras.number("cbh.text_unknown_5", "unknown_5"),
    tags_and_extras.hexadecimal("cbh.text_unknown_22", "unknown_22"),
)
"""How the record of a guiding text travels, besides the columns of a batch."""


def _materials(table: Table) -> pa.Array:
    if "material_2" not in table:
        return tags_and_extras.nothing(table)
    both = table["material_1"].astype(np.uint64) << np.uint64(32) | table["material_2"]
    keep = both != 0
    if not keep.any():
        return tags_and_extras.nothing(table)
    different, places = np.unique(both[keep], return_inverse=True)
    found = np.full(len(both), -1)
    found[keep] = places
    texts = [f"{value >> 32} {value & 0xFFFFFFFF}" for value in different.tolist()]
    return pa.array(texts, pa.string()).take(pa.array(found, mask=found < 0))


def _material_values(text: str, _: TextEncoding) -> dict[str, Value]:
    numbers = [parse_number(word) for word in text.split(" ")]
    match numbers:
        case [int(first), int(second)]:
            return {"material_1": first, "material_2": second}
        case _:
            return {}


def _rating_type(side: str) -> Carrier:
    name = f"{side}_rating_type"

    def texts(table: Table) -> pa.Array:
        if name not in table:
            return tags_and_extras.nothing(table)
        given = np.ascontiguousarray(table[name])
        # Sixteen bytes are two numbers: comparing these is many times faster than asking every byte.
        halves, usual = (values.view(np.uint64) for values in (given, usual_rating_types(table[f"{side}_elo"])))
        odd = (halves[:, 0] != usual[:, 0]) | (halves[:, 1] != usual[:, 1])
        return hexadecimal_texts(given, odd)

    def values(text: str, _: TextEncoding) -> dict[str, Value]:
        data = parse_hexadecimal(text)
        return {} if data is None else {name: data}

    return Carrier(f"cbh.{name}", texts, values)


CBJ_CARRIERS: Final = (
    _rating_type("white"),
    _rating_type("black"),
    Carrier("cbh.material", _materials, _material_values),
    tags_and_extras.number("cbh.unknown_70", "unknown_70"),
    tags_and_extras.number("cbh.unknown_74", "unknown_74"),
    tags_and_extras.number("cbh.version", "version", default=1),
    tags_and_extras.number("cbh.created", "created"),
    tags_and_extras.hexadecimal("cbh.endgames", "endgames"),
    tags_and_extras.number("cbh.saved", "saved"),
    tags_and_extras.hexadecimal("cbh.header_rest", "rest"),
)
"""How the record of ``.cbj`` travels, besides teams, tag and media. Offsets and checksum are made anew by a writer."""
