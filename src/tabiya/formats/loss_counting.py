"""What a format cannot store of a batch, counted on the columns: no Python object per move or annotation."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.formats.capabilities import Keeps, SymbolSupport
from tabiya.formats.losses import MAX_EXAMPLES, Loss, LossKinds, LossReport
from tabiya.formats.registry import kept_extras, left_out
from tabiya.game import GameBatch
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE, Side
from tabiya.game.lists import members
from tabiya.game.lists import owners as member_owners
from tabiya.game.record import RecordKind, Variant
from tabiya.game.tag_values import RESULTS
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from tabiya.formats.capabilities import Names
    from tabiya.game.record import Problem

    Rows = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_NAMED_COLUMNS = {name: tag.columns for name, tag in COLUMN_TAGS.items() if name not in {"Result", "Variant", "FEN"}}
"""The columns that are counted as tags; the other three are counted by their values."""

_KINDS = LossKinds(
    {
        "left-out": "parts of the source that could not be read",
        "opaque-records": "undecoded records, left out",
        "guiding-texts": "guiding texts, left out",
        "chess960-games": "Chess960 games, left out",
        "setup-games": "games from a set-up position, left out",
        "deleted-marks": "deletion marks",
        "variations": "variations",
        "null-moves": "null moves, with the rest of their line",
        "symbols": "symbols (NAGs)",
        "texts-after": "texts after a move",
        "texts-before": "texts before a move",
        "languages": "languages of texts",
        "sides": "places of annotations (before the move, after its variations)",
        "original-bytes": "original bytes of texts and annotations",
        "results": "results",
        "tags": "tags",
        "extras": "details that only the source format has",
    },
    rank=0,
    step=1,
)
_ANNOTATION_RANK = len(_KINDS.texts)


def fit(batch: GameBatch, keeps: Keeps) -> tuple[GameBatch, LossReport]:
    """Return the records that a format can express, and what it loses of them and of the omitted ones.

    Only whole records are removed here; variations, texts and so on remain in the batch, and the writer skips them.
    """
    records = batch.record_batch
    cut = _cut_by_reader(records)
    if keeps == Keeps.everything() or len(batch) == 0:
        return batch, LossReport.of(cut)
    left_out, losses = _is_left_out(records, keeps)
    if left_out.any():
        records = records.filter(pa.array(~left_out))
        batch = GameBatch(records)
    losses += _Counter(records, keeps).losses()
    return batch, LossReport.of(cut + losses)


def losses_of_reader(problems: Iterable[Problem]) -> LossReport:
    """Return what a reader omitted, according to the problems of a database as a whole."""
    texts = left_out()
    words = [texts[problem.code] for problem in problems if problem.code in texts]
    return LossReport((_KINDS.line("left-out", len(words), 0, dict.fromkeys(words)),) if words else ())


def _cut_by_reader(records: pa.RecordBatch) -> list[Loss]:
    """Return the same according to the problems of records."""
    column = records["problems"]
    codes = column.flatten().field("code")
    if len(codes) == 0:
        return []  # as in nearly all cases
    texts = left_out()
    places = np.flatnonzero(_is_in(codes, frozenset(texts)))
    words = dict.fromkeys(texts[code] for code in codes.take(pa.array(places)).to_pylist())
    return _KINDS.of("left-out", _numpy(records["number"])[member_owners(members(column)[1])[places]], words)


def _is_left_out(records: pa.RecordBatch, keeps: Keeps) -> tuple[Mask, list[Loss]]:
    """Return the records that the format cannot express; each is counted for one reason only."""
    numbers, kinds, variants = (_numpy(records[name]) for name in ("number", "kind", "variant"))
    reasons: tuple[tuple[str, bool, Mask], ...] = (
        ("opaque-records", keeps.opaque, kinds == RecordKind.OPAQUE),
        ("guiding-texts", keeps.guiding_texts, kinds == RecordKind.TEXT),
        ("chess960-games", keeps.chess960, variants == Variant.CHESS960),
        ("setup-games", keeps.setups, _valid(records["start"])),
    )
    left_out = np.zeros(len(records), dtype=np.bool_)
    losses: list[Loss] = []
    for what, kept, concerned in reasons:
        if not kept:
            rows = np.flatnonzero(concerned & ~left_out)
            losses += _KINDS.of(what, numbers[rows])
            left_out |= concerned
    return left_out, losses


class _Counter:
    """Counts the losses inside the records of one batch."""

    def __init__(self, records: pa.RecordBatch, keeps: Keeps) -> None:
        self._records = records
        self._keeps = keeps
        self._numbers = _numpy(records["number"])

    def losses(self) -> list[Loss]:
        return [*self._of_records(), *self._of_moves(), *self._of_annotations(), *self._of_tags(), *self._of_extras()]

    def _of_records(self) -> Iterator[Loss]:
        keeps, records = self._keeps, self._records
        if not keeps.deleted:
            yield from self._loss("deleted-marks", np.flatnonzero(_numpy(records["deleted"])))
        if not keeps.guiding_texts:
            yield from self._loss("guiding-texts", member_owners(members(records["texts"])[1]))
        if keeps.results != "all":
            results = records["result"]
            lost = np.flatnonzero(_valid(results) & ~_is_in(results, keeps.results))
            values = dict.fromkeys(_numpy(results.take(pa.array(lost))).tolist())
            names = [RESULTS.get(value, str(value)) for value in values]
            yield from self._loss("results", lost, examples=names)

    def _of_moves(self) -> Iterator[Loss]:
        keeps = self._keeps
        if keeps.variations and keeps.null_moves:
            return
        tape, offsets = _numpy(self._records["moves"].flatten()), members(self._records["moves"])[1]
        # Owners are looked up only for the few tokens that count: tapes are the largest part of a batch.
        if not keeps.variations:
            yield from self._loss("variations", _owners_of(np.flatnonzero(tape == 0x8000), offsets))
        if not keeps.null_moves:
            null = np.flatnonzero(tape == 0)
            if not keeps.variations and len(null):
                null = null[_depths(tape, offsets)[null] == 0]
            yield from self._loss("null-moves", _owners_of(null, offsets))

    def _of_annotations(self) -> Iterator[Loss]:
        keeps, column = self._keeps, self._records["annotations"]
        annotations, owners = column.flatten(), member_owners(members(column)[1])
        if len(annotations) == 0:
            return
        kinds, sides, languages = (_numpy(annotations.field(name)) for name in ("kind", "side", "lang"))
        lost = np.zeros(len(kinds), dtype=np.bool_) if keeps.variations else self._in_variation(annotations, owners)
        texts = (kinds == TEXT_AFTER) | (kinds == TEXT_BEFORE)
        symbols = (kinds == SYMBOLS) | (kinds == NAGS)
        if not keeps.text_after:
            lost |= kinds == TEXT_AFTER
        if not keeps.text_before:
            lost |= kinds == TEXT_BEFORE
        if keeps.symbols < SymbolSupport.ALL:
            lost |= symbols if keeps.symbols == SymbolSupport.NONE else kinds == NAGS
        if keeps.annotations != "all":
            lost |= ~texts & ~symbols & ~np.isin(kinds, sorted(keeps.annotations))

        yield from self._loss("texts-after", owners[lost & (kinds == TEXT_AFTER)])
        yield from self._loss("texts-before", owners[lost & (kinds == TEXT_BEFORE)])
        count = _symbols(annotations, lost & (kinds == SYMBOLS), lost & (kinds == NAGS))
        yield from self._loss("symbols", owners[lost & symbols], count=count)
        for kind in np.unique(kinds[lost & ~texts & ~symbols]).tolist():
            yield from self._annotation_loss(kind, owners[lost & (kinds == kind)])
        if not keeps.languages:
            yield from self._loss("languages", owners[~lost & texts & (languages != 0)])
        if not keeps.sides:
            odd = (sides == Side.LATE) | ((sides == Side.BEFORE) & (kinds != TEXT_BEFORE))
            yield from self._loss("sides", owners[~lost & odd])
        if not keeps.original_bytes:
            yield from self._loss("original-bytes", owners[~lost & _valid(annotations.field("raw"))])

    def _in_variation(self, annotations: pa.StructArray, owners: Rows) -> Mask:
        """Return which annotations belong to a move of a variation; those of impossible moves belong to none."""
        tape, offsets = _numpy(self._records["moves"].flatten()), members(self._records["moves"])[1]
        depths = _depths(tape, offsets)[tape < 0x8000]
        first_moves = np.concatenate(([0], np.cumsum(tape < 0x8000)))[offsets]
        moves = _numpy(annotations.field("move")).astype(np.int64)
        places = first_moves[owners] + moves
        possible = (moves >= 0) & (places < first_moves[owners + 1])
        inside = np.zeros(len(owners), dtype=np.bool_)
        inside[possible] = depths[places[possible]] > 0
        return inside

    def _of_tags(self) -> Iterator[Loss]:
        keeps, column = self._keeps.tags, self._records["tags"]
        if keeps == "all":
            return
        names, owners = column.flatten().field("name"), member_owners(members(column)[1])
        lost = ~_is_in(names, keeps - COLUMN_TAGS.keys())
        rows = [owners[lost]]
        examples = []
        for name, columns in _NAMED_COLUMNS.items():
            if name not in keeps:
                given = np.logical_or.reduce([_valid(self._records[column]) for column in columns])
                given[owners[_numpy(pc.equal(names, name))]] = False  # an unusual spelling, counted above
                rows.append(np.flatnonzero(given))
                examples += [(int(row), name) for row in rows[-1][:1]]
        examples += _first_rows(names.filter(pa.array(lost)), owners[lost])
        ordered = dict.fromkeys(name for _, name in sorted(examples, key=itemgetter(0)))
        yield from self._loss("tags", np.concatenate(rows), examples=list(ordered))

    def _of_extras(self) -> Iterator[Loss]:
        keeps, column = kept_extras(self._keeps.extras), self._records["extras"]
        if keeps == "all":
            return
        keys, owners = column.flatten().field("key"), member_owners(members(column)[1])
        lost = ~_begins_with(keys, keeps)
        examples = [name for _, name in _first_rows(keys.filter(pa.array(lost)), owners[lost])]
        yield from self._loss("extras", owners[lost], examples=examples)

    def _loss(self, what: str, rows: Rows, *, count: int | None = None, examples: Sequence[str] = ()) -> list[Loss]:
        if count is None or not len(rows):
            return _KINDS.of(what, self._numbers[rows], examples)
        return [_KINDS.line(what, count, self._numbers[rows].min(), examples)]

    def _annotation_loss(self, kind: int, rows: Rows) -> list[Loss]:
        from tabiya.game.annotations import name_of_kind  # noqa: PLC0415 - loads every kind, and few files need it

        text = name_of_kind(kind) or f"annotations of kind 0x{kind:02X}"
        what = f"annotation-0x{kind:02x}"
        return [Loss(what, text, len(rows), int(self._numbers[rows].min()), rank=_ANNOTATION_RANK + kind)]


def _symbols(annotations: pa.StructArray, slots: Mask, lists: Mask) -> int:
    """Return the number of NAGs in annotations of kind 0x03 (a byte each, 0 for none) and 256 (two bytes each).

    An annotation without any still counts as one loss.
    """
    data = annotations.field("data")
    joined, ends = _joined(data.filter(pa.array(slots)))
    in_slots = np.diff(np.concatenate(([0], np.cumsum(joined != 0)))[ends])
    in_lists = _numpy(pc.binary_length(data.filter(pa.array(lists)))) // 2
    return int(np.maximum(in_slots, 1).sum() + np.maximum(in_lists, 1).sum())


def _depths(tape: NDArray[np.uint16], offsets: Rows) -> Rows:
    """Return the variation depth of each token, 0 for the main line."""
    steps = (tape == 0x8000).astype(np.int64) - (tape == 0x8001)
    running: Rows = np.concatenate(([0], np.cumsum(steps)))
    depths: Rows = running[1:] - np.repeat(running[offsets[:-1]], np.diff(offsets))
    return depths


def _first_rows(names: pa.Array, owners: Rows) -> list[tuple[int, str]]:
    """Return the first few distinct names, each with the row where it appears first."""
    encoded = names.dictionary_encode()
    known = encoded.dictionary.slice(0, MAX_EXAMPLES).to_pylist()
    _, places = np.unique(_numpy(encoded.indices), return_index=True)
    return [(int(owners[place]), name) for place, name in zip(places, known, strict=False)]


def _owners_of(places: Rows, offsets: Rows) -> Rows:
    """Return the rows that some items of a list column belong to; O(items · log rows)."""
    owners: Rows = np.searchsorted(offsets, places, side="right") - 1
    return owners


def _joined(values: pa.BinaryArray) -> tuple[NDArray[np.uint8], Rows]:
    """Return all values concatenated, and where they begin and end."""
    if len(values) == 0:
        return np.empty(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    _, offsets, data = values.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[values.offset : values.offset + len(values) + 1].astype(np.int64)
    joined = np.frombuffer(data or b"", dtype=np.uint8)[ends[0] : ends[-1]]
    return joined, ends - ends[0]


def _begins_with(keys: pa.StringArray, beginnings: Names) -> Mask:
    masks = [_numpy(pc.starts_with(keys, beginning)) for beginning in sorted(beginnings)]
    return np.logical_or.reduce(masks) if masks else np.zeros(len(keys), dtype=np.bool_)


def _is_in(values: pa.Array, selected: frozenset[Any]) -> Mask:
    mask: Mask = _numpy(pc.is_in(values, pa.array(sorted(selected), type=values.type)))
    return mask


def _valid(values: pa.Array) -> Mask:
    mask: Mask = _numpy(values.is_valid())
    return mask


def _numpy(values: pa.Array) -> NDArray[Any]:
    array: NDArray[Any] = values.to_numpy(zero_copy_only=False)
    return array
