"""Common properties of all texts of a game, as tags, so that the texts can be plain comments.

``[TextLanguage "GER"]``: texts without a language are in this one. ``[TextBlanks "exact"]``: one blank after ``{`` and
one before ``}`` are layout, and all other blanks are content; without the tag none of them is. Both are written only if
needed, and are removed from the tags when a game is read. Works on whole columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import FormatError
from tabiya.formats.pgn.read_kernel import begins_with_any
from tabiya.game import GameBatch
from tabiya.game.annotations import TEXT_AFTER, TEXT_BEFORE
from tabiya.game.annotations.escapes import parse_language
from tabiya.game.lists import filtered, joined, members, owners, with_field
from tabiya.game.nations import nation_code
from tabiya.game.schema import TAG
from tabiya.game.view import strings_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_LANGUAGE: Final = "TextLanguage"
_BLANKS, _EXACT = "TextBlanks", "exact"
_SIGN: Final = b"Tex"
_BLANK: Final = 0x20


# --- writing ---------------------------------------------------------------------------------------------------------


def to_text_tags(batch: GameBatch) -> GameBatch:
    """Return the batch with these tags, and without languages that the tag states."""
    records = batch.record_batch
    annotations, offsets = members(records.column("annotations"))
    kinds = annotations.field("kind").to_numpy()
    texts = np.flatnonzero((kinds == TEXT_AFTER) | (kinds == TEXT_BEFORE))
    if not len(texts):
        return batch
    owner = owners(offsets)[texts]
    languages = annotations.field("lang").to_numpy()
    language = _only_language(languages[texts], owner, len(batch))
    language[_rows_with(records, _LANGUAGE)] = 0
    spaced = np.zeros(len(batch), np.bool_)
    spaced[owner[_spaced(annotations.field("data"), texts)]] = True
    spaced[_rows_with(records, _BLANKS)] = False
    if not language.any() and not spaced.any():
        return batch
    rows = np.flatnonzero(language), np.flatnonzero(spaced)
    names = [_LANGUAGE] * len(rows[0]) + [_BLANKS] * len(rows[1])
    values = [nation_code(number) for number in language[rows[0]].tolist()] + [_EXACT] * len(rows[1])
    more = pa.StructArray.from_arrays([pa.array(names, pa.string()), pa.array(values, pa.string())], fields=list(TAG))
    records = _replaced(records, "tags", joined(records.column("tags"), more, np.concatenate(rows)))
    # Original bytes contain the language again, and are compared with the comment.
    moved = texts[(language[owner] > 0) & annotations.field("raw").is_null().to_numpy(zero_copy_only=False)[texts]]
    return GameBatch(_with_languages(records, moved, 0))


def _only_language(languages: NDArray[np.uint8], owner: Rows, records: int) -> NDArray[np.uint8]:
    """Return for each record the language of all of its texts, 0 if they have several or none."""
    lowest, highest = np.full(records, 255, languages.dtype), np.zeros(records, languages.dtype)
    np.minimum.at(lowest, owner, languages)
    np.maximum.at(highest, owner, languages)
    only: NDArray[np.uint8] = np.where(lowest == highest, highest, 0)
    return only


def _spaced(data: pa.BinaryArray, texts: Rows) -> Mask:
    """Return which of the texts begin or end with a blank."""
    ends, letters = strings_of(data)
    begins, stops = ends[texts], ends[texts + 1]
    given = np.flatnonzero(stops > begins)
    spaced = np.zeros(len(texts), np.bool_)
    spaced[given] = (letters[begins[given]] == _BLANK) | (letters[stops[given] - 1] == _BLANK)
    return spaced


def _rows_with(records: pa.RecordBatch, name: str) -> Rows:
    """Return the records that have a tag of this name."""
    tags, offsets = members(records.column("tags"))
    if not begins_with_any(*strings_of(tags.field("name")), _SIGN):
        return np.empty(0, np.int64)
    found: Rows = owners(offsets)[pc.equal(tags.field("name"), name).to_numpy(zero_copy_only=False)]
    return found


# --- reading ---------------------------------------------------------------------------------------------------------


def from_text_tags(batch: GameBatch) -> GameBatch:
    """Return the batch as it was before ``to_text_tags``; kernels have read the blanks according to the tag."""
    records = batch.record_batch
    tags, offsets = members(records.column("tags"))
    if not begins_with_any(*strings_of(tags.field("name")), _SIGN):
        return batch  # as in nearly all cases
    names = tags.field("name")
    kept = ~pc.equal(names, _BLANKS).to_numpy(zero_copy_only=False)
    language = np.zeros(len(batch), np.uint8)
    owner = owners(offsets)
    for place in np.flatnonzero(pc.equal(names, _LANGUAGE).to_numpy(zero_copy_only=False)).tolist():
        number = _language(tags.field("value")[place].as_py())
        if number and not language[owner[place]]:
            language[owner[place]] = number
            kept[place] = False
    if kept.all():
        return batch
    records = _replaced(records, "tags", filtered(records.column("tags"), kept))
    annotations, offsets = members(records.column("annotations"))
    kinds, languages = annotations.field("kind").to_numpy(), annotations.field("lang").to_numpy()
    here = language[owners(offsets)]
    silent = ((kinds == TEXT_AFTER) | (kinds == TEXT_BEFORE)) & (languages == 0) & (here > 0)
    return GameBatch(_with_languages(records, np.flatnonzero(silent), here[silent]))


def _language(code: str) -> int:
    try:
        return parse_language(code)
    except FormatError:
        return 0


def _with_languages(records: pa.RecordBatch, places: Rows, languages: NDArray[np.uint8] | int) -> pa.RecordBatch:
    """Return the records with other languages of some annotations."""
    column = records.column("annotations")
    changed = members(column)[0].field("lang").to_numpy().copy()
    changed[places] = languages
    return _replaced(records, "annotations", with_field(column, "lang", pa.array(changed)))


def _replaced(records: pa.RecordBatch, name: str, column: pa.Array) -> pa.RecordBatch:
    place = records.schema.get_field_index(name)
    return records.set_column(place, records.schema.field(place), column)
