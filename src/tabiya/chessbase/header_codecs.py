"""Codecs of parts of a game header: ECO codes and Chess960 numbers in one field, the material of the last position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.chessbase.codes import CHESS960_ECO, ECO_SUB_MASK, MOST_ECO_SUB, eco_places, is_invalid_eco
from tabiya.chessbase.field_codecs import Codec, digits, nothing, number_where, parse_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tabiya.binary import Value
    from tabiya.chessbase.header_fields import Field, Table


def _eco_part(
    name: str, most: int, parts_of: Callable[[NDArray[Any]], tuple[NDArray[Any], NDArray[np.bool_]]]
) -> Codec:
    """Return a codec of a part of the ECO code: ``parts_of`` returns the numbers, and where they are needed."""

    def texts(table: Table, field: Field) -> pa.Array:
        numbers, keep = parts_of(table[field.name])
        return digits(numbers, keep=keep)

    def value(text: str) -> dict[str, Value] | None:
        number = parse_number(text)
        return None if number is None or number > most else {name: number}

    return Codec(texts, value)


ECO_SUB: Final = _eco_part(
    "eco_sub", MOST_ECO_SUB, lambda ecos: (ecos & ECO_SUB_MASK, ((ecos & ECO_SUB_MASK) != 0) & (eco_places(ecos) >= 0))
)
_CHESS960_NUMBER: Final = _eco_part(
    "chess960_number", 0xFFFF - CHESS960_ECO, lambda ecos: (ecos - np.uint16(CHESS960_ECO), ecos >= CHESS960_ECO)
)
ECO_EXTRAS: Final = (("cbh.chess960_number", _CHESS960_NUMBER), ("cbh.eco", number_where(is_invalid_eco)))


def _materials(table: Table, _: Field) -> pa.Array:
    if "material_2" not in table:
        return nothing(table)
    both = table["material_1"].astype(np.uint64) << np.uint64(32) | table["material_2"]
    keep = both != 0
    if not keep.any():
        return nothing(table)
    different, places = np.unique(both[keep], return_inverse=True)
    found = np.full(len(both), -1)
    found[keep] = places
    texts = [f"{value >> 32} {value & 0xFFFFFFFF}" for value in different.tolist()]
    return pa.array(texts, pa.string()).take(pa.array(found, mask=found < 0))


def _parse_materials(text: str) -> dict[str, Value] | None:
    match [parse_number(word) for word in text.split(" ")]:
        case [int(first), int(second)]:
            return {"material_1": first, "material_2": second}
        case _:
            return None


MATERIALS: Final = Codec(_materials, _parse_materials)
"""Two fields, ``material_1`` and ``material_2``."""
