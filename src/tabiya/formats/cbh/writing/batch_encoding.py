"""A batch as the pieces of a ChessBase base: all work that does not depend on the final offsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.chessbase.codes import CHESS960_ECO
from tabiya.errors import TabiyaError
from tabiya.formats.cbh.bodies.columns import EncodedBodies, write_bodies
from tabiya.formats.cbh.bodies.guiding_text import ORIGINAL, TITLES, decode_guiding_text, encode_guiding_text
from tabiya.formats.cbh.files.cbh import GAME
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.messages import REFUSALS
from tabiya.formats.cbh.reading.keyed_members import EXTRA_KEYS, TAG_KEYS, Items
from tabiya.formats.cbh.writing.header_losses import Arrivals
from tabiya.formats.cbh.writing.header_records import Group, Headers, encode_headers
from tabiya.formats.losses import LossKinds, LossReport
from tabiya.game import GameBatch
from tabiya.game.annotations import Picture, Sound, Video
from tabiya.game.record import Extra, GuidingText, RecordKind, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.writing.entity_codec import Encoded, EntityCodec
    from tabiya.game.annotations import TextEncoding

_BAD_TEXT: Final = len(REFUSALS)
_LOSSES: Final = LossKinds(
    {
        "cbh-texts": "guiding texts whose order or empty parts change when read back",
        **{f"cbh-left-out-{code}": f"records left out, each because {words}" for code, words in enumerate(REFUSALS)},
        f"cbh-left-out-{_BAD_TEXT}": "guiding texts left out: they are too long, or of a kind that ChessBase does not"
        " have",
    },
    rank=500,
)
_MOST_MOVES: Final = 255
_MANIFEST: Final = b"FilesUsed"
_MOST_MANIFEST: Final = 1 << 20
_CHESS960_HEAD: Final = slice(38, 40)
"""Where a blob of Chess960 stores its start position number: after its header, 28 bytes of a position and six squares.
"""
_CHESS960_MODES: Final = (10, 11)


@dataclass(frozen=True, slots=True)
class EncodedBatch:
    """The pieces of a batch. The writer adds offsets, numbers and ids."""

    moves: Sequence[Any]
    """Consecutive bytes of ``.cbg``."""
    move_sizes: NDArray[np.int64]
    annotations: bytearray
    annotation_sizes: NDArray[np.int64]
    numbers: NDArray[np.int64]
    """The game number in the annotations of each record."""
    headers: Headers
    groups: tuple[tuple[Group, list[Encoded]], ...]
    manifests: dict[int, bytes]
    """Lists of media files by row."""
    top_games: NDArray[np.uint8]
    media: tuple[int, int, int]
    """The highest number used for a sound, a picture and a video."""

    def __len__(self) -> int:
        return len(self.move_sizes)


def encode_batch(
    batch: GameBatch, codecs: Sequence[EntityCodec], encoding: TextEncoding, text_encoding: TextEncoding
) -> tuple[EncodedBatch, LossReport]:
    """Return the pieces of the records that can be written, and what is lost."""
    records = batch.record_batch
    numbers = records["number"].to_numpy()
    first_number = int(numbers[0]) if len(numbers) else 1
    bodies = write_bodies(batch, first_number=first_number, encoding=text_encoding)
    texts = _guiding_texts(records, bodies, text_encoding)
    kept = np.flatnonzero(texts.failures == 0)
    losses = bodies.losses + _losses(texts, numbers)
    move_sizes, annotation_sizes = np.diff(bodies.move_ends), np.diff(bodies.annotation_ends)
    annotations = bytearray(bodies.annotations)
    if len(kept) < len(records):
        batch = GameBatch(records.take(pa.array(kept)))
        annotations = bytearray(b"".join(_blobs(bodies.annotations, bodies.annotation_ends, kept)))
    moves = _with_texts(bodies, texts.blobs, kept)
    for row, blob in texts.blobs.items():
        move_sizes[row] = len(blob)
    tags = Items.of(batch.record_batch["tags"], TAG_KEYS)
    details = Items.of(batch.record_batch["extras"], EXTRA_KEYS)
    headers = encode_headers(batch.record_batch, tags, details, encoding)
    groups = tuple((group, codec.encode(group)) for group, codec in zip(headers.groups, codecs, strict=True))
    extras = _BodyExtras(len(batch), details)
    own = np.zeros(len(batch), np.bool_)  # records of ChessBase have their own numbers, which are not recomputed
    own[details.rows[details.of_base]] = True
    _complete(headers, bodies.statistics[kept], batch.record_batch, own)
    pieces = EncodedBatch(
        moves,
        move_sizes[kept],
        annotations,
        annotation_sizes[kept],
        first_number + kept,
        headers,
        groups,
        extras.manifests(),
        extras.top_games(),
        _media_numbers(batch.record_batch, bodies.statistics[kept]),
    )
    _mark_chess960(pieces, batch.record_batch, own)
    arrivals = Arrivals(batch.record_batch, tags, details, headers, groups, extras.useless(pieces))
    return pieces, losses + LossReport.of(arrivals.losses())


# Bodies.


@dataclass(frozen=True, slots=True)
class _Texts:
    """The guiding texts of a batch."""

    blobs: dict[int, bytes]
    """Blobs by row."""
    changed: list[int]
    """Rows whose texts differ when they are read back."""
    failures: NDArray[np.uint8]
    """Reasons why records cannot be written, by row."""


def _guiding_texts(records: pa.RecordBatch, bodies: EncodedBodies, encoding: TextEncoding) -> _Texts:
    found = _Texts({}, [], bodies.statistics["failure"].copy())
    for row in np.flatnonzero(records["kind"].to_numpy() == RecordKind.TEXT).tolist():
        texts = [GuidingText(**text) for text in records["texts"][row].as_py()]
        extras = [Extra(**extra) for extra in records["extras"][row].as_py()]
        try:
            blob = encode_guiding_text(texts, extras, encoding)
        except TabiyaError:
            found.failures[row] = _BAD_TEXT
            continue
        found.blobs[row] = blob
        again = decode_guiding_text(blob, encoding)
        kept = [extra for extra in extras if extra.key in (TITLES, ORIGINAL)]
        if list(again.texts) != texts or (extras and list(again.extras) != kept):
            found.changed.append(row)
    return found


def _losses(texts: _Texts, numbers: NDArray[np.int64]) -> LossReport:
    losses = _LOSSES.of("cbh-texts", numbers[texts.changed])
    for code in np.unique(texts.failures[texts.failures != 0]).tolist():
        losses += _LOSSES.of(f"cbh-left-out-{code}", numbers[texts.failures == code])
    return LossReport.of(losses)


def _blobs(data: memoryview, ends: NDArray[np.int64], rows: NDArray[np.int64]) -> list[memoryview]:
    return [data[begin:end] for begin, end in zip(ends[rows].tolist(), ends[rows + 1].tolist(), strict=True)]


def _with_texts(bodies: EncodedBodies, texts: dict[int, bytes], kept: NDArray[np.int64]) -> list[Any]:
    """Return the blobs of games and guiding texts in record order; games that cannot be written have none."""
    parts: list[Any] = []
    begin = 0
    for row in sorted(texts):
        here = int(bodies.move_ends[row])
        parts += [bodies.moves[begin:here], texts[row]]
        begin = here
    return [*parts, bodies.moves[begin:]] if len(kept) else []


# Statistics of bodies in headers.


def _complete(headers: Headers, statistics: NDArray[np.void], records: pa.RecordBatch, own: NDArray[np.bool_]) -> None:
    """Set flags, magnitudes, number of moves; material and medals where the source has none."""
    games = headers.games
    is_game = records["kind"].to_numpy() != RecordKind.TEXT
    flags = GAME.column(games, "flags") | statistics["flags"]
    plies = statistics["plies"].astype(np.int64) + statistics["black_starts"]
    columns = {
        "flags": flags,
        "magnitudes": _magnitudes(statistics),
        "moves": np.minimum(_MOST_MOVES, (plies + 1) // 2),
        "medals": np.where(own, GAME.column(games, "medals"), statistics["medals"] & 0xFFFF),
    }
    texts = games[~is_game].copy()
    for name, values in columns.items():
        GAME.put(games, name, values)
    games[~is_game] = texts
    materials = np.stack([statistics["white_material"], statistics["black_material"]]).astype(np.uint32)
    for name, values in (("material_1", materials.max(axis=0)), ("material_2", materials.min(axis=0))):
        CBJ.put(headers.cbj, name, np.where(own, CBJ.column(headers.cbj, name), values))


def _magnitudes(statistics: NDArray[np.void]) -> NDArray[np.uint16]:
    """Return magnitudes of variations (two bits), texts, symbols and so on (one bit each)."""
    magnitudes = np.searchsorted(_VARIATIONS, statistics["variation_plies"], side="left").astype(np.uint16)
    for name, bit, least in _MANY:
        magnitudes |= (statistics[name] >= least).astype(np.uint16) << np.uint16(bit)
    return magnitudes


_VARIATIONS: Final = np.array([50, 300, 1000])
"""Upper limits of half-moves in variations for few, some and many."""
_MANY: Final = (
    ("text_bytes", 2, 201),
    ("symbols", 3, 10),
    ("squares", 4, 10),
    ("arrows", 5, 6),
    ("times", 7, 10),
    ("trainings", 9, 6),
)
"""The bit of a magnitude, and its minimum; for the last two, sources differ and no sample decides."""


def _mark_chess960(pieces: EncodedBatch, records: pa.RecordBatch, own: NDArray[np.bool_]) -> None:
    """Store Chess960 in place of the ECO code in a header; the number of the position is that of the blob."""
    rows = np.flatnonzero((records["variant"].to_numpy() == Variant.CHESS960) & ~own)
    if not len(rows):
        return
    games = pieces.headers.games
    codes = GAME.column(games, "eco").astype(np.int64)
    data = b"".join(pieces.moves)
    begins = np.cumsum(pieces.move_sizes) - pieces.move_sizes
    for row in rows.tolist():
        blob = data[begins[row] : begins[row] + pieces.move_sizes[row]]
        if codes[row] < CHESS960_ECO and len(blob) >= _CHESS960_HEAD.stop and blob[0] & 0x3F in _CHESS960_MODES:
            codes[row] = min(CHESS960_ECO + int.from_bytes(blob[_CHESS960_HEAD], "big"), 0xFFFF)
    GAME.put(games, "eco", codes)


_MEDIA_FLAGS: Final = 1 << 16 | 1 << 17 | 1 << 18


def _media_numbers(records: pa.RecordBatch, statistics: NDArray[np.void]) -> tuple[int, int, int]:
    """Return the highest numbers of embedded files; annotations refer to them in digits."""
    highest = {Sound.kind: 0, Picture.kind: 0, Video.kind: 0}
    for row in np.flatnonzero(statistics["flags"] & _MEDIA_FLAGS).tolist():
        for annotation in records["annotations"][row].as_py():
            kind, data = annotation["kind"], annotation["data"]
            if kind in highest and data.isdigit() and len(data) < 10:
                highest[kind] = max(highest[kind], int(data))
    return highest[Sound.kind], highest[Picture.kind], highest[Video.kind]


# Extras that are not fields.


class _BodyExtras:
    """Media lists, marks of top games, and kept bytes."""

    def __init__(self, count: int, extras: Items) -> None:
        self._count = count
        self._extras = extras

    def _of(self, key: str) -> dict[int, bytes]:
        """Return the first value under a key by row."""
        if key not in self._extras.known:
            return {}
        members = self._extras.first(key)
        return {row: self._extras.values[members[row]].as_py() for row in np.flatnonzero(members >= 0).tolist()}

    def manifests(self) -> dict[int, bytes]:
        """Return the valid lists of media files."""
        return {row: text for row, text in self._of("cbh.media").items() if _is_manifest(text)}

    def top_games(self) -> NDArray[np.uint8]:
        """Return the two bits of each record."""
        marks = np.zeros(self._count, np.uint8)
        for row, text in self._of("cbh.top_game").items():
            if text in _TOP_GAMES:
                marks[row] = int(text)
        return marks

    def useless(self, pieces: EncodedBatch) -> dict[str, NDArray[np.bool_]]:
        """Return, by key, the rows whose extra is not read back."""
        marks = {row for row, text in self._of("cbh.top_game").items() if text not in _TOP_GAMES}
        lists = {row for row, text in self._of("cbh.media").items() if not _is_manifest(text)}
        found = {"cbh.top_game": marks, "cbh.media": lists}
        for key, data, sizes in (
            ("cbh.blob", pieces.moves, pieces.move_sizes),
            ("cbh.annotations", [pieces.annotations], pieces.annotation_sizes),
        ):
            kept = self._of(key)
            if kept:
                found[key] = _replaced(kept, b"".join(data), sizes, 0 if key == "cbh.blob" else 3)
        masks = {}
        for key, rows in found.items():
            masks[key] = np.zeros(self._count, np.bool_)
            masks[key][sorted(rows)] = True
        return masks


_TOP_GAMES: Final = (b"1", b"2", b"3")


def _is_manifest(text: bytes) -> bool:
    return text.startswith(_MANIFEST) and b"\0" not in text and len(text) < _MOST_MANIFEST


def _replaced(kept: dict[int, bytes], data: bytes, sizes: NDArray[np.int64], begin: int) -> set[int]:
    """Return the rows whose kept bytes were not written; the first bytes may be a number that has changed."""
    ends = np.cumsum(sizes)
    return {row for row, blob in kept.items() if data[ends[row] - sizes[row] + begin : ends[row]] != blob[begin:]}
