"""From a batch to what a base stores: game data, entries of an index, names. In any thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.formats.comment_fallback import with_words
from tabiya.formats.losses import Loss, LossReport
from tabiya.formats.scid.codes import DELETED, MOST_ECO, NAMELESS_RATING, RESULTS, count_codes, flags_of
from tabiya.formats.scid.database import decode_blobs, with_index
from tabiya.formats.scid.games.encode_kernel import write_games
from tabiya.formats.scid.header_columns import index_tags
from tabiya.formats.scid.index_file import ENTRY, LONGEST_NAME, SI5, Generation
from tabiya.formats.scid.messages import LOSSES, REFUSALS
from tabiya.formats.scid.name_file import KINDS, ROLES
from tabiya.formats.scid.rich import put_into_words
from tabiya.formats.scid.section_tags import section_tags
from tabiya.formats.scid.stored_lines import line_tree
from tabiya.game import GameBatch
from tabiya.game.annotations import NAGS, SYMBOLS
from tabiya.game.annotations.vocabulary import command_table, language_codes, place_table
from tabiya.game.lists import members, owners
from tabiya.game.tree import fold_tree
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.game import Game

_UNUSED_ECO_CODES: Final = range(MOST_ECO + 1, 1 << 16)
_UNUSED_RESULT_CODES: Final = (range(RESULTS, 16), range(0))
"""Invalid codes that an index can store: that of si4 for results, that of si5 none."""
_RICH: Final = 1
_CHESS960: Final = 7
"""The status of a game with castling rights that only si5 can store."""
_DERIVED: Final = ("plies", "comments", "variations", "nags", "flags", "material", "line", "chess960", "pawn_count")
_COUNTS: Final = ("comments", "variations", "nags")
_LOST_NAGS, _LOST_TAGS, _CHANGED, _REFUSED, _COLUMNS = 9, 10, 11, 12, 13


@dataclass(frozen=True, slots=True)
class EncodedGames:
    """The stored form of some games."""

    data: bytes
    ends: NDArray[np.int64]
    """Where the data of each game begins, and the end of the last one."""
    entries: Any
    """Without offsets, lengths and ids."""
    names: dict[str, tuple[list[bytes], NDArray[np.int64]]]
    """By role: distinct names, and the index of each game's name."""

    def __len__(self) -> int:
        return len(self.entries)


def encode_batch(batch: GameBatch, generation: Generation) -> tuple[EncodedGames, LossReport]:
    """Return the games of a batch, without those that Scid cannot store, and what is lost."""
    records = batch.record_batch
    numbers = records.column("number").to_numpy()
    entries = np.zeros(len(batch), ENTRY)
    tags, nameless = section_tags(records, entries, generation)
    place = records.schema.get_field_index("tags")
    written = write_batch(GameBatch(records.set_column(place, records.schema.field(place), tags)))
    if generation is not SI5:
        written.status[(written.status == 0) & (written.derived[:, _DERIVED.index("chess960")] == 1)] = _CHESS960
    _keep_blobs(records, written)
    losses = LOSSES.of("scid-tags", numbers[nameless])
    losses += _losses(written, numbers)
    kept = np.flatnonzero(written.status == 0)
    nowhere = _fill(entries, written, records, generation)
    losses += [
        LOSSES.line("scid-extras", 1, numbers[row], filter(None, [key]))
        for row, key in nowhere
        if written.status[row] == 0
    ]
    losses += [
        LOSSES.line("scid-tags", 1, numbers[row], filter(None, [name]))
        for row, name in _missing_tags(records, entries, written)
    ]
    names, cut = {}, LossReport()
    for role in ROLES:
        names[role], lost = _names(records.column(role).take(pa.array(kept)), numbers[kept])
        cut += lost
    pieces = [written.piece(row) for row in kept.tolist()] if written.replaced or len(kept) < len(batch) else None
    data = written.data if pieces is None else b"".join(pieces)
    lengths = np.diff(written.ends) if pieces is None else np.array([len(piece) for piece in pieces], np.int64)
    ends = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return EncodedGames(data, ends, entries[kept], names), LossReport.of(losses) + cut


def derived_entries(batch: GameBatch, generation: Generation) -> tuple[Any, NDArray[np.bool_]]:
    """Return entries with the values derived from games, and for which games these are reliable."""
    records = batch.record_batch
    entries = np.zeros(len(batch), ENTRY)
    tags, _ = section_tags(records, entries, generation)
    place = records.schema.get_field_index("tags")
    written = write_batch(GameBatch(records.set_column(place, records.schema.field(place), tags)))
    _fill(entries, written, records, generation)
    extras, offsets = members(records.column("extras"))
    sound = written.status == 0
    sound[owners(offsets)[pc.equal(extras.field("key"), "scid.blob").to_numpy(zero_copy_only=False)]] = False
    return entries, sound


def _fill(entries: Any, written: Written, records: pa.RecordBatch, generation: Generation) -> list[tuple[int, str]]:
    """Set the values derived from the games, and those that only Scid has, in the entries.

    Returns:
        Rows and keys of the extras that cannot be stored.
    """
    for column, name in enumerate(_DERIVED):
        values = written.derived[:, column]
        entries[name] = count_codes(values) if name in _COUNTS else values
    entries["pawns"] = written.pawns
    entries["flags"] |= np.where(records.column("deleted").to_numpy(zero_copy_only=False), DELETED, 0).astype(np.uint32)
    extras, offsets = members(records.column("extras"))
    own = pc.starts_with(extras.field("key"), "scid.").to_numpy(zero_copy_only=False)
    extras_of_row = zip(owners(offsets)[own].tolist(), extras.filter(pa.array(own)).to_pylist(), strict=True)
    return [(row, each["key"]) for row, each in extras_of_row if not _fill_extra(entries[row], generation, **each)]


def _fill_extra(entry: Any, generation: Generation, key: str, value: bytes) -> bool:
    """Set the value of an extra in an entry; False if it cannot be stored completely."""
    text = value.decode("latin-1")
    if key == "scid.flags":
        flags = flags_of(text)
        entry["flags"] |= flags
        return all(map(flags_of, text))
    if key in ("scid.white_rating_type", "scid.black_rating_type"):
        side = key.removeprefix("scid.").partition("_")[0]
        fits = text == str(NAMELESS_RATING) and entry[f"{side}_elo"] > 0 and entry[f"{side}_type"] == 0
        if fits:
            entry[f"{side}_type"] = NAMELESS_RATING
        return bool(fits)
    if key in ("scid.eco", "scid.result"):
        name = key.removeprefix("scid.")
        codes = _UNUSED_ECO_CODES if name == "eco" else _UNUSED_RESULT_CODES[generation is SI5]
        fits = entry[name] == 0 and text in map(str, codes)
        if fits:
            entry[name] = int(text)
        return bool(fits)
    return key == "scid.blob"


def _names(
    column: pa.DictionaryArray, numbers: NDArray[np.int64]
) -> tuple[tuple[list[bytes], NDArray[np.int64]], LossReport]:
    """Return distinct names and the index of each game's name; a game without a name has an empty one."""
    texts = [text.encode() for text in column.dictionary.to_pylist()]
    places = column.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False).astype(np.int64)
    long = [place for place, text in enumerate(texts) if len(text) > LONGEST_NAME]
    lost = []
    for place in long:
        texts[place] = texts[place][:LONGEST_NAME].decode(errors="ignore").encode()
        lost += LOSSES.of("scid-names", numbers[places == place])
    return ([*texts, b""], places), LossReport.of(lost)


# --- game data -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Written:
    """The data of the games of a batch."""

    data: bytes
    ends: NDArray[np.int64]
    status: NDArray[np.uint8]
    places: NDArray[np.int32]
    derived: NDArray[np.int32]
    pawns: NDArray[np.uint8]
    replaced: dict[int, bytes]
    """Games whose data was produced in another way."""
    unlike: list[int]
    """Damaged games whose stored bytes no longer match."""
    verbatim: list[int]
    """Damaged games that are written as they were stored."""

    def piece(self, row: int) -> bytes:
        """Return the data of one game."""
        return self.replaced.get(row, self.data[self.ends[row] : self.ends[row + 1]])


def write_batch(batch: GameBatch) -> Written:
    """Return the data of all games, including those whose annotations only Python can write."""
    written = _write(batch, loose=False)
    rich = np.flatnonzero(written.status == _RICH)
    if len(rich):
        _write_rich(batch, rich, written)
    return written


def _write(batch: GameBatch, *, loose: bool) -> Written:
    count = len(batch)
    ends, status, places = np.zeros(count + 1, np.int64), np.zeros(count, np.uint8), np.zeros(count, np.int32)
    derived, pawns = np.zeros((count, _COLUMNS), np.int32), np.zeros((count, 8), np.uint8)
    data = write_games(
        view_of(batch),
        loose,
        command_table(),
        place_table(),
        language_codes(),
        line_tree(),
        ends,
        status,
        places,
        derived,
        pawns,
    )
    variants = batch.record_batch.column("variant").to_numpy()
    derived[:, _CHANGED] |= (derived[:, _DERIVED.index("chess960")] == 1) & (variants == 0)
    return Written(data, ends, status, places, derived, pawns, {}, [], [])


def _write_rich(batch: GameBatch, rows: NDArray[np.int64], written: Written) -> None:
    """Render annotations as text: single ones, or all together; then check whether it is read back unchanged."""
    part = GameBatch(batch.record_batch.take(pa.array(rows)))
    words = _write(with_words(part), loose=False)
    for i in np.flatnonzero(words.status == 0).tolist():
        _replace(written, int(rows[i]), words, i)
    rest = np.flatnonzero(words.status)
    if not len(rest):
        return
    rows = rows[rest]
    games = list(GameBatch(part.record_batch.take(pa.array(rest))))
    expected = [_content(game) for game in games]
    for game in games:
        put_into_words(game)
    words = _write(GameBatch.from_games(games), loose=True)
    found = list(_decoded([words.piece(i) for i in range(len(games))]))
    for i, row in enumerate(rows.tolist()):
        _replace(written, row, words, i)
        if words.status[i]:
            continue
        ignored = (SYMBOLS, NAGS) if words.derived[i, _LOST_NAGS] else ()
        written.derived[row, _CHANGED] = _without(_content(found[i]), ignored) != _without(expected[i], ignored)


def _replace(written: Written, row: int, words: Written, index: int) -> None:
    """Take a game from a second attempt."""
    written.status[row], written.places[row] = words.status[index], words.places[index]
    written.derived[row], written.pawns[row] = words.derived[index], words.pawns[index]
    if not words.status[index]:
        written.replaced[row] = words.piece(index)


def _decoded(pieces: list[bytes]) -> GameBatch:
    lengths = np.array([len(piece) for piece in pieces], np.int64)
    begins = np.cumsum(lengths) - lengths
    return decode_blobs(np.frombuffer(b"".join(pieces), np.uint8), begins, lengths)[0]


def _content(game: Game) -> tuple[Any, list[Any]]:
    tape, annotations = fold_tree(game.root)
    return tape, sorted(annotations, key=lambda pair: (pair[0], pair[1].kind))


def _without(content: tuple[Any, list[Any]], kinds: tuple[int, ...]) -> tuple[Any, list[Any]]:
    return content[0], [pair for pair in content[1] if pair[1].kind not in kinds]


def _keep_blobs(records: pa.RecordBatch, written: Written) -> None:
    """Write damaged games as they were stored, if they still match."""
    extras, offsets = members(records.column("extras"))
    rows = owners(offsets)
    for at in np.flatnonzero(pc.equal(extras.field("key"), "scid.blob").to_numpy(zero_copy_only=False)).tolist():
        row, blob = int(rows[at]), extras.field("value")[at].as_py()
        stored = _decoded([blob]).record_batch
        here = records.slice(row, 1)
        same = (stored.column(name).to_pylist() == here.column(name).to_pylist() for name in ("moves", "annotations"))
        if all(same) and len(stored.column("extras")[0]):  # it is still damaged
            written.replaced[row] = blob
            written.verbatim.append(row)
            written.status[row] = 0
        else:
            written.unlike.append(row)


def _missing_tags(records: pa.RecordBatch, entries: Any, written: Written) -> Iterator[tuple[int, str]]:
    """Yield rows and names of the tags that neither the index nor the stored data of a damaged game contains."""
    for row in written.verbatim:
        expected = records.slice(row, 1)
        entry = entries[row : row + 1].copy()
        names: list[list[str]] = [[] for _ in KINDS]
        for role, kind in ROLES.items():
            entry[role] = len(names[kind])
            names[kind].append(expected.column(role)[0].as_py() or "")
        data = np.frombuffer(written.replaced[row], np.uint8)
        begins, lengths = np.zeros(1, np.int64), np.array([len(data)], np.int64)
        decoded, flags = decode_blobs(data, begins, lengths, index=index_tags(entry))
        stored = with_index(decoded, flags, entry, [pa.array(each, pa.string()) for each in names])
        stored_tags, expected_tags = (each[0].tags for each in (stored, GameBatch(expected)))
        for name in sorted({*stored_tags, *expected_tags}):
            if stored_tags.get_all(name) != expected_tags.get_all(name):
                yield row, name


# --- losses ----------------------------------------------------------------------------------------------------------


def _losses(written: Written, numbers: NDArray[np.int64]) -> list[Loss]:
    losses = LOSSES.of("scid-damage", numbers[written.unlike])
    for row in np.flatnonzero(written.status).tolist():
        status, place = int(written.status[row]), int(written.places[row])
        if status == _CHESS960:
            losses.append(Loss("chess960-games", "Chess960 games, left out", 1, int(numbers[row]), rank=3))
            continue
        reason = REFUSALS[status]
        example = f"{reason} (token {place} of its moves)" if status == 2 else reason
        losses.append(LOSSES.line("scid-game", 1, numbers[row], [example]))
    good = written.status == 0
    for what, column in (
        ("scid-nags", _LOST_NAGS),
        ("scid-tags", _LOST_TAGS),
        ("scid-place", _CHANGED),
        ("scid-start", _REFUSED),
    ):
        losses += LOSSES.of(what, np.repeat(numbers, np.where(good, written.derived[:, column], 0)))
    return losses
