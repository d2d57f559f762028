"""Rating types of 14 bytes, and the form that the same type has in a classic base, where it has one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.binary import Field as PlainField
from tabiya.binary import Layout
from tabiya.chessbase.field_codecs import Codec, nothing
from tabiya.chessbase.rating_types import RATING_TYPE as CLASSIC

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tabiya.chessbase.header_fields import Field, Table

_LISTS: Final = "1 to 3 FIDE, 4 ICCF, 5 to 8 ChessBase, 10 to 13 chess.com, 14 to 17 Lichess, 100 national"

RATING_TYPE: Final = Layout(
    "2cbh rating type",
    "<",
    PlainField(0, "i16", "kind", "bits 0-2: 1 international, 2 national, 3 server; from bit 3 on the pace"),
    PlainField(2, "i16", "list", _LISTS),
    PlainField(4, "i16", "nation", "196 for servers"),
    PlainField(6, "8s", "name"),
)
USUAL: Final = bytes.fromhex("0100010000004649444500000000")
"""International, normal, FIDE: the usual type for players with a rating."""

_KINDS: Final = ("", "international", "national", "server")
_PACES: Final = ("normal", "bullet", "blitz", "rapid", "correspondence", "rapid")
_RAPID: Final = 3
_CORRESPONDENCE: Final = 4
_CLASSIC_PACES: Final = {0: 0, 2: 1, _RAPID: 2, _CORRESPONDENCE: 3}
"""Numbers of the paces in classic bases."""
_FIDE_LISTS: Final = {0: 1, 2: 2, _RAPID: 3}
_ICCF_LIST, _NATIONAL_LIST = 4, 100


@dataclass(frozen=True, slots=True)
class RatingType:
    """The origin of a rating, and its time control."""

    kind: str
    """``international``, ``national``, ``server``, or empty if unspecified."""
    pace: str
    list: int
    nation: int
    name: str

    @classmethod
    def decode(cls, data: bytes) -> RatingType:
        """Return the meaning of the 14 bytes, as far as known."""
        record = RATING_TYPE.decode(data)
        kind, pace = record["kind"] & 7, record["kind"] >> 3
        return cls(
            _KINDS[kind] if kind < len(_KINDS) else "",
            _PACES[pace] if kind and 0 <= pace < len(_PACES) else "",
            record["list"],
            record["nation"],
            record["name"].partition(b"\0")[0].decode("latin-1"),
        )


@cache
def classic_form(data: bytes) -> bytes | None:
    """Return the bytes of the type in a classic base; None if these cannot express all of it."""
    record = RATING_TYPE.decode(data)
    kind, pace = record["kind"] & 7, _CLASSIC_PACES.get(record["kind"] >> 3)
    name, _, rest = record["name"].partition(b"\0")
    if pace is None or not 0 <= record["nation"] < 256 or rest.strip(b"\0"):
        return None
    if kind == 1:
        fide = name == b"FIDE" and record["list"] == _FIDE_LISTS.get(record["kind"] >> 3)
        iccf = name == b"ICCF" and record["list"] == _ICCF_LIST
        return _classic(kind, 0, pace + 1, record["nation"], name) if fide or iccf else None
    if kind == 2 and record["list"] == _NATIONAL_LIST:
        return _classic(kind, pace, _NATIONAL_LIST, record["nation"], name)
    return None


def _classic(kind: int, national: int, international: int, nation: int, name: bytes) -> bytes:
    fields = {"kind": kind, "national_pace": national, "international_pace": international}
    return CLASSIC.encode(fields | {"nation": nation, "name": name})


def _texts(form: Callable[[bytes], str | None]) -> Codec:
    """Return a codec of types that are not the usual ones, as texts."""

    def texts(table: Table, field: Field) -> pa.Array:
        given = np.ascontiguousarray(table[field.name])
        elos = table[field.name.replace("rating_type", "elo")]
        odd = _unusual(given, elos)
        if not odd.any():
            return nothing(table)
        different, places = np.unique(given[odd], axis=0, return_inverse=True)
        found = np.full(len(given), -1)
        found[odd] = places.reshape(-1)
        known = pa.array([form(row.tobytes()) for row in different], pa.string())
        return known.take(pa.array(found, mask=found < 0))

    return Codec(texts)


def _unusual(given: NDArray[np.uint8], elos: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which types are not the usual ones: FIDE for a player with a rating, else none."""
    words = given.view(np.uint16)
    usual = np.frombuffer(USUAL, np.uint16)
    found: NDArray[np.bool_] = np.zeros(len(given), np.bool_)
    rated = elos != 0
    for column in range(words.shape[1]):
        found |= words[:, column] != np.where(rated, usual[column], np.uint16(0))
    return found


def _classic_text(data: bytes) -> str | None:
    form = classic_form(data) if any(data) else b""
    return None if form is None else form.rstrip(b"\0").hex()


CLASSIC_RATING_TYPE: Final = _texts(_classic_text)
"""The type in the form of classic bases, if that can express it."""
OTHER_RATING_TYPE: Final = _texts(lambda data: data.hex() if _classic_text(data) is None else None)
