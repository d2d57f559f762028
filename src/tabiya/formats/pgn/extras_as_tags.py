"""Data that PGN cannot represent, as tags: kinds of records, deletion marks, and details of other formats.

``[RecordKind "text"]`` is a guiding text, ``[RecordKind "opaque"]`` a game that could not be decoded, ``[Deleted "1"]``
marks a deleted record. An extra ``cbh.tournament_category`` is the tag ``[CbhTournamentCategory "…"]``; a value that is
not a line of text is written as ``base64:…``. Works on whole columns: no Python object per tag, except for values in
base64.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.chess import Position
from tabiya.errors import FormatError
from tabiya.formats.pgn import PGN
from tabiya.formats.pgn.read_kernel import begins_with_any
from tabiya.formats.registry import OWNERS_OF_EXTRAS
from tabiya.game import GameBatch
from tabiya.game.annotations.escapes import format_base64, parse_base64
from tabiya.game.lists import filtered, joined, members, owners, spliced
from tabiya.game.record import RAW_ANNOTATIONS, RecordKind
from tabiya.game.schema import EXTRA, TAG
from tabiya.game.tag_values import parse_variant
from tabiya.game.view import strings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Rows = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_KINDS: Final = {"text": RecordKind.TEXT, "opaque": RecordKind.OPAQUE}
_KIND_TAG, _DELETED_TAG, _DELETED = "RecordKind", "Deleted", "1"
_FORMATS: Final = tuple(name for name in OWNERS_OF_EXTRAS if name != PGN.name)
_FOREIGN: Final = tuple(f"{name}." for name in _FORMATS)
_WORD: Final = re.compile(r"[A-Z][a-z0-9]*|_[0-9][a-z0-9]*")
_TAG_NAME: Final = re.compile(f"({'|'.join(name.title() for name in _FORMATS)})((?:{_WORD.pattern})+)")
_SIGNS: Final = b"".join(word.encode()[:3] for word in (_KIND_TAG, _DELETED_TAG, *map(str.title, _FORMATS)))
"""The first three letters of each tag with a special meaning."""
_RULES: Final = b"VarFEN"
"""The first three letters of tags that determine how a game is read."""
_BASE64: Final = "base64:"
_BASE64_SIGN: Final = b"bas"
_BLANK, _DELETE = 0x20, 0x7F
_NO_LINE: Final = r"[\x00-\x1f\x7f]|^base64:"


def _tag_name(key: str) -> str | None:
    """Return the tag of an extra, or None if no tag could be read back as this key."""
    format_name, _, rest = key.partition(".")
    words = (f"_{word}" if word[:1].isdigit() else word.capitalize() for word in rest.split("_"))
    name = format_name.title() + "".join(words)
    return name if _key(name) == key else None


def _key(name: str) -> str | None:
    """Return the key of the extra that a tag represents, or None if it is an ordinary tag."""
    found = _TAG_NAME.fullmatch(name)
    if found is None:
        return None
    words = (word.strip("_").lower() for word in _WORD.findall(found[2]))
    return f"{found[1].lower()}.{'_'.join(words)}"


# --- writing ---------------------------------------------------------------------------------------------------------


def to_tags(batch: GameBatch) -> tuple[GameBatch, list[int]]:
    """Return the batch as PGN can store it: only games, and movetext of unknown variants.

    Also return a row for each extra of another format that no tag can represent, because of its key.
    """
    records = batch.record_batch
    rows: list[Rows] = []
    tags: list[pa.Array] = []
    kinds = records.column("kind").to_numpy()
    extras, offsets = members(records.column("extras"))
    keys, owner = _Keys.of(extras.field("key")), owners(offsets)
    undecoded = kinds == RecordKind.OPAQUE
    undecoded[owner[keys.having("pgn.movetext".__eq__)]] = False
    for name, value, concerned in (
        (_KIND_TAG, "text", kinds == RecordKind.TEXT),
        (_KIND_TAG, "opaque", undecoded),
        (_DELETED_TAG, _DELETED, _numpy(records.column("deleted"))),
    ):
        rows.append(np.flatnonzero(concerned))
        tags.append(_tags(pa.array([name] * len(rows[-1])), pa.array([value] * len(rows[-1]))))
    foreign, names = keys.translated(_tag_name)
    unnamed = owner[keys.having(lambda key: key.startswith(_FOREIGN)) & ~foreign].tolist()
    if foreign.any():
        rows.append(owner[foreign])
        tags.append(_tags(names, _lines(extras.field("value").filter(pa.array(foreign)))))
    if not sum(map(len, rows)):
        return batch, unnamed
    records = _replaced(records, "tags", joined(records.column("tags"), pa.concat_arrays(tags), np.concatenate(rows)))
    without_texts = np.where(kinds == RecordKind.TEXT, RecordKind.GAME, kinds).astype(np.uint8)
    records = _replaced(records, "kind", pa.array(without_texts))
    kept_raw = np.zeros(len(kinds), np.bool_)
    kept_raw[owner[keys.having(lambda key: key.endswith(RAW_ANNOTATIONS)) & foreign]] = True
    return GameBatch(_without_annotations(records, kept_raw & undecoded)), unnamed


def _without_annotations(records: pa.RecordBatch, concerned: Mask) -> pa.RecordBatch:
    """Remove annotations without a move, which PGN cannot store; their bytes may be in a tag."""
    rows = np.flatnonzero(concerned).tolist()
    if not rows:
        return records
    return _replaced(records, "annotations", spliced(records.column("annotations"), rows, [[] for _ in rows]))


def _tags(names: pa.Array, values: pa.Array) -> pa.StructArray:
    return pa.StructArray.from_arrays([names.cast(pa.string()), values.cast(pa.string())], fields=list(TAG))


def _lines(values: pa.BinaryArray) -> pa.StringArray:
    """Return bytes as values of tags."""
    ends, letters = strings_of(values)
    own = letters[ends[0] : ends[-1]]
    if not (own < _BLANK).any() and not (own == _DELETE).any() and not begins_with_any(ends, letters, _BASE64_SIGN):
        try:
            return values.cast(pa.string())
        except pa.ArrowInvalid:
            pass  # some are not UTF-8
    return pa.array([_line(value) for value in values.to_pylist()], pa.string())


def _line(value: bytes) -> str:
    try:
        line = value.decode()
        if not re.search(_NO_LINE, line):
            return line
    except UnicodeDecodeError:
        pass
    return _BASE64 + format_base64(value)


def without_false_rules(batch: GameBatch) -> tuple[GameBatch, list[int]]:
    """Return the batch without tags that would make a game opaque, and a row for each of them.

    PGN can store an unknown variant or an invalid FEN only if the moves are text.
    """
    records = batch.record_batch
    tags, offsets = members(records.column("tags"))
    if not begins_with_any(*strings_of(tags.field("name")), _RULES):
        return batch, []
    owner = owners(offsets)
    decisive = _numpy(pc.is_in(tags.field("name"), pa.array(["Variant", "FEN"])))
    decisive &= records.column("kind").to_numpy()[owner] != RecordKind.OPAQUE
    false = [place for place in np.flatnonzero(decisive).tolist() if not _makes_sense(**tags[place].as_py())]
    if not false:
        return batch, []
    kept = np.ones(len(owner), dtype=np.bool_)
    kept[false] = False
    return GameBatch(_replaced(records, "tags", filtered(records.column("tags"), kept))), owner[false].tolist()


def _makes_sense(name: str, value: str) -> bool:
    if name == "Variant":
        return parse_variant(value) is not None
    try:
        Position.from_fen(value)
    except FormatError:
        return False
    return True


# --- reading ---------------------------------------------------------------------------------------------------------


def from_tags(batch: GameBatch) -> GameBatch:
    """Return the batch as it was before ``to_tags``."""
    records = batch.record_batch
    tags, offsets = members(records.column("tags"))
    names = tags.field("name")
    if not begins_with_any(*strings_of(names), _SIGNS):
        return batch  # as in nearly all cases
    values, owner = tags.field("value"), owners(offsets)
    foreign, keys = _Keys.of(names).translated(_key)
    marks = _numpy(pc.is_in(names, pa.array([_KIND_TAG, _DELETED_TAG])))
    if not foreign.any() and not marks.any():
        return batch
    if marks.any():
        records, understood = _marked(records, np.flatnonzero(marks), names, values, owner)
        marks[:] = False
        marks[understood] = True
    data, sound = _bytes(values.filter(pa.array(foreign)))
    places = np.flatnonzero(foreign)
    foreign[places[~sound]] = False
    extras = pa.StructArray.from_arrays([keys.filter(pa.array(sound)), data], fields=list(EXTRA))
    records = _replaced(records, "extras", joined(records.column("extras"), extras, owner[foreign]))
    return GameBatch(_replaced(records, "tags", filtered(records.column("tags"), ~(foreign | marks))))


def _marked(
    records: pa.RecordBatch, places: Rows, names: pa.Array, values: pa.Array, owner: Rows
) -> tuple[pa.RecordBatch, list[int]]:
    """Return the records with kinds and deletion marks from their tags, and which of these tags were valid."""
    kinds = records.column("kind").to_numpy().copy()
    deleted = _numpy(records.column("deleted")).copy()
    understood = []
    for place in places.tolist():
        row, value = int(owner[place]), values[place].as_py()
        if names[place].as_py() == _DELETED_TAG and value == _DELETED and not deleted[row]:
            deleted[row] = True
        elif names[place].as_py() == _KIND_TAG and value in _KINDS and kinds[row] in (RecordKind.GAME, _KINDS[value]):
            kinds[row] = _KINDS[value]
        else:
            continue
        understood.append(place)
    records = _replaced(records, "kind", pa.array(kinds))
    return _replaced(records, "deleted", pa.array(deleted)), understood


def _bytes(values: pa.StringArray) -> tuple[pa.BinaryArray, Mask]:
    """Return the bytes of tag values, and which values are valid; only the bytes of these are returned."""
    coded = np.flatnonzero(_numpy(pc.starts_with(values, _BASE64)))
    sound = np.ones(len(values), dtype=np.bool_)
    data = values.cast(pa.binary())
    if not len(coded):
        return data, sound
    decoded: list[bytes | None] = data.to_pylist()
    for place in coded.tolist():
        try:
            decoded[place] = parse_base64(values[place].as_py().removeprefix(_BASE64))
        except FormatError:
            sound[place] = False
    return pa.array(decoded, pa.binary()).filter(pa.array(sound)), sound


@dataclass(frozen=True, slots=True)
class _Keys:
    """Many keys or names, of which few are distinct."""

    different: list[str]
    places: NDArray[np.int32]
    """For each its index among the distinct ones."""

    @classmethod
    def of(cls, keys: pa.StringArray) -> _Keys:
        encoded = keys.dictionary_encode()
        return cls(encoded.dictionary.to_pylist(), encoded.indices.to_numpy())

    def having(self, condition: Callable[[str], bool]) -> Mask:
        """Return which meet a condition."""
        found: Mask = np.array([*map(condition, self.different), False])[self.places]
        return found

    def translated(self, translate: Callable[[str], str | None]) -> tuple[Mask, pa.StringArray]:
        """Return which have a translation, and their translations."""
        translations = pa.array([*map(translate, self.different), None], pa.string())
        known = _numpy(translations.is_valid())[self.places]
        return known, translations.take(pa.array(self.places[known]))


def _replaced(records: pa.RecordBatch, name: str, column: pa.Array) -> pa.RecordBatch:
    place = records.schema.get_field_index(name)
    return records.set_column(place, records.schema.field(place), column)


def _numpy(values: pa.Array) -> NDArray[Any]:
    array: NDArray[Any] = values.to_numpy(zero_copy_only=False)
    return array
