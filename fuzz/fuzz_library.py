"""Fuzzes libraries whose files are valid in themselves, with values that no library has.

An input is a list of changes, eight bytes each: the file, the column, the row (two bytes), the value (four). Files are
decoded, changed and encoded again, and the manifest gets the sizes, hashes and checksums that go with them, so that
every change gets past the checksums to what reads the values. Some changes are of single bytes of a file, and some of
values of the manifest. Only ``TabiyaError`` may escape, and what is answered is in range. Every input is read by the
layers that its files belong to; some are searched as well, and of some the library is rebuilt.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import atheris
import direct
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import tabiya
from tabiya.cli import header_rows as rows
from tabiya.errors import TabiyaError

with atheris.instrument_imports(include=["tabiya.formats.library", "tabiya.positions.index"]):
    import tabiya.formats.library.rebuilding
    from tabiya.formats.library.database import LibraryDatabase
    from tabiya.formats.library.manifest import kind_of, sealed
    from tabiya.formats.library.segment import LibrarySegment
from tabiya.positions.game_facts import FACTS
from tabiya.positions.index import IndexWriter, PositionIndex
from tabiya.positions.index.layout import POSITIONS, VARIATIONS
from tabiya.search import Check, ExactPosition, Material

EXAMPLES = Path(__file__).parent.parent / "examples" / "classics.pgn"
FOLDER = Path(tempfile.mkdtemp(prefix="tabiya-fuzz-"))
LIBRARY, SOUND = FOLDER / "x.tabiya", FOLDER / "sound.tabiya"
RECORDS = 16
MOST_CHANGES = 16
ASKED_ONE_IN, REBUILT_ONE_IN = 16, 256
KEYS = ExactPosition("e4").keys()
FACT_NAMES = list(FACTS.names or ())
TEXTS = ("", "?", "a" * 70_000, "\0", "\u202e", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/K7 w - - 0 1", None)


class Change(NamedTuple):
    """A value to put somewhere; whatever is too large counts from the beginning again."""

    column: int
    row: int
    value: int

    @property
    def text(self) -> str | None:
        """A text instead."""
        return TEXTS[self.value % len(TEXTS)]


def make() -> dict[str, bytes]:
    """A library of two segments, one of them with a changed record: its files."""
    tabiya.convert(EXAMPLES, SOUND, variations=True)
    tabiya.convert(EXAMPLES, SOUND, append=True)  # fewer records would be merged with the changed one
    with tabiya.edit(SOUND) as editor:
        editor.delete([7])
    assert len(list(SOUND.glob("games-*"))) == 2
    shutil.copytree(SOUND, LIBRARY)
    return {path.name: path.read_bytes() for path in sorted(SOUND.iterdir())}


# How files are changed.


def encoded(records: pa.RecordBatch | pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, records.schema) as writer:
        writer.write(records)
    return bytes(sink.getvalue())


def put(values: np.ndarray[Any, Any], change: Change) -> None:
    """Put a number into an array of any shape and width."""
    flat = values.reshape(-1)
    if len(flat):
        data = struct.pack("<q", change.value - (1 << 31)) if change.column & 64 else struct.pack("<Q", change.value)
        flat[change.row % len(flat)] = np.frombuffer(data, flat.dtype, 1)[0]


def change_filter(content: bytes, changes: list[Change]) -> bytes:
    batch = pa.ipc.open_file(content).get_batch(0)
    facts = np.frombuffer(b"".join(batch["facts"].to_pylist()), FACTS).copy()
    numbers = batch["game"].to_numpy().copy() if "game" in batch.schema.names else None
    for change in changes:
        place = change.column % (len(FACT_NAMES) + 1)
        if place < len(FACT_NAMES):
            column = np.ascontiguousarray(facts[FACT_NAMES[place]])
            put(column, change)
            facts[FACT_NAMES[place]] = column
        elif numbers is not None:
            put(numbers, change)
    columns = [pa.array([row.tobytes() for row in facts], batch.schema.field(0).type)]
    columns += [] if numbers is None else [pa.array(numbers)]
    return encoded(pa.RecordBatch.from_arrays(columns, schema=batch.schema))


def change_tapes(content: bytes, changes: list[Change]) -> bytes:
    batch = pa.ipc.open_file(content).get_batch(0)
    moves, ends = (part.to_numpy().copy() for part in (batch["line"].values, batch["line"].offsets))
    starts, sound = batch["start"].to_pylist(), ends.tobytes()
    for change in changes:
        if change.column % 3 == 0:
            put(moves, change)
        elif change.column % 3 == 1:
            put(ends, change)
        else:
            starts[change.row % len(starts)] = change.text
    buffers, kind = [None, pa.py_buffer(sound)], batch.schema.field("line").type
    lines = pa.Array.from_buffers(kind, len(batch), buffers, children=[pa.array(moves)])
    content = encoded(pa.RecordBatch.from_arrays([lines, pa.array(starts, pa.string())], schema=batch.schema))
    return content.replace(sound, ends.tobytes(), 1)  # Arrow itself would refuse them


def change_fences(content: bytes, changes: list[Change]) -> bytes:
    table = pa.ipc.open_file(content).read_all().combine_chunks()
    columns = []
    for place, column in enumerate(table.columns):
        array = column.combine_chunks()
        flat = array.values if pa.types.is_fixed_size_list(array.type) else array
        values = flat.to_numpy().copy()
        for change in changes:
            if change.column % table.num_columns == place:
                put(values, change)
        columns.append(values if flat is array else pa.FixedSizeListArray.from_arrays(values, type=array.type))
    return encoded(pa.table(columns, schema=table.schema))


def change_table(content: bytes, changes: list[Change]) -> bytes:
    """Names, and games: any cell, or a member of a list in it, becomes another number or text."""
    table = pq.read_table(pa.BufferReader(content))
    for change in changes:
        place = change.column % table.num_columns
        field, column = table.schema.field(place), table.column(place).to_pylist()
        row = change.row % len(column) if column else 0
        if column:
            column[row] = changed_value(column[row], field.type, change)
            with suppress(pa.ArrowException, OverflowError):
                table = table.set_column(place, field, pa.array(column, field.type))
    sink = pa.BufferOutputStream()
    with suppress(pa.ArrowException):  # a gap where there must be none: such a file cannot be written
        pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
        return bytes(sink.getvalue())
    return content


def changed_value(value: Any, kind: pa.DataType, change: Change) -> Any:
    """Return another value in the place of one; of lists one member is changed, or they get shorter."""
    while pa.types.is_list(kind) or pa.types.is_struct(kind):
        if not value:
            return value
        place = change.row % len(value)
        if pa.types.is_struct(kind):
            name = kind.field(place).name
            return {**value, name: changed_value(value[name], kind.field(place).type, change)}
        if change.column & 128:
            return value[:place]
        return [*value[:place], changed_value(value[place], kind.value_type, change), *value[place + 1 :]]
    if pa.types.is_boolean(kind):
        return bool(change.value & 1)
    if pa.types.is_integer(kind):
        return change.value % (1 << (kind.bit_width - 1))
    return change.text.encode() if pa.types.is_binary(kind) and change.text else change.text


def change_index(segment: int, changes: list[Change]) -> dict[str, bytes]:
    """Write the rows of an index anew, in the order of their keys or not, with some that are wrong."""
    names = [f"{name}-{segment}{suffix}" for name, suffix in INDEX]
    files = [FOLDER / name for name in names]
    with PositionIndex(*(SOUND / name for name in names)) as index, IndexWriter(*files) as writer:
        for table in (POSITIONS, VARIATIONS):
            words = np.concatenate([np.empty((0, 2), np.uint64), *index.stretches(table)])
            for change in changes:
                column = words[:, change.column & 1].copy()
                put(column, change)
                words[:, change.column & 1] = column
            if changes[0].column & 2:
                words = words[np.lexsort((words[:, 1], words[:, 0].view(np.int64)))]
            writer.write(table, iter([words]))
        writer.commit()
    return {name: file.read_bytes() for name, file in zip(names, files, strict=True)}


def change_bytes(content: bytes, changes: list[Change]) -> bytes:
    found = bytearray(content)
    for change in changes:
        found[(change.row << 8 | change.column) % len(found)] = change.value & 0xFF
        if change.value >> 24 == 0xFF:
            del found[change.row % len(found) + 1 :]
    return bytes(found)


def change_manifest(told: Any, changes: list[Change]) -> None:
    """Change numbers, texts and switches anywhere."""
    for change in changes:
        places: list[tuple[Any, Any]] = []
        waiting = [told]
        while waiting:
            each = waiting.pop()
            for key, value in each.items() if isinstance(each, dict) else enumerate(each):
                if isinstance(value, (dict, list)):
                    waiting.append(value)
                places.append((each, key))
        holder, key = places[(change.row << 8 | change.column) % len(places)]
        other: list[Any] = [change.value, -change.value, change.value % 16, change.text, [], {}, change.value % 2 == 0]
        holder[key] = other[change.value % len(other)] if not isinstance(holder[key], (dict, list)) else holder[key]
        if change.value >> 24 == 0xFF:
            del holder[key]


INDEX = (("positions", ".parquet"), ("fences", ".arrow"), ("variations", ".parquet"))
DECODED: dict[str, Callable[[bytes, list[Change]], bytes]] = {
    "filter": change_filter,
    "tapes": change_tapes,
    "fences": change_fences,
    "names": change_table,
    "games": change_table,
}


def changed_files(data: bytes) -> tuple[dict[str, bytes], list[Change]]:
    """Return the files that an input changes, and its changes of the manifest."""
    asked: dict[tuple[str, bool], list[Change]] = {}
    manifest: list[Change] = []
    for begin in range(0, min(len(data) - 7, 8 * MOST_CHANGES), 8):
        file, *values = struct.unpack_from("<BBHI", data, begin)
        name = NAMES[file % len(NAMES)]
        if name == "manifest.json":
            manifest.append(Change(*values))
        else:
            asked.setdefault((name, file >= 192), []).append(Change(*values))
    found: dict[str, bytes] = {}
    for (name, raw), changes in sorted(asked.items()):
        kind = kind_of(name)
        if raw:
            found[name] = change_bytes(found.get(name, FILES[name]), changes)
        elif kind in DECODED:
            found[name] = DECODED[kind](FILES[name], changes)
        else:
            found |= change_index(int(name.split("-")[1].split(".")[0]), changes)
    return found, manifest


def manifest_of(files: dict[str, bytes], changes: list[Change]) -> bytes:
    """Return the manifest that goes with some files, with a few changes of its own."""
    told: Any = json.loads(FILES["manifest.json"])
    for segment in told["segments"]:
        for kind, stored in segment["files"].items():
            for name, content in files.items():
                if name.startswith(f"{kind}-{segment['number']}."):
                    stored.update(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
                    if "crc32" in stored:
                        stored["crc32"] = zlib.crc32(content)
    change_manifest(told, changes)
    return sealed(told)


# How they are read.


def read_records(segment: LibrarySegment) -> None:
    for kind in ("batch", "headers", "origins"):
        segment.read(np.arange(segment.games.starts[-1]), kind)


def read_positions(segment: LibrarySegment) -> None:
    for key in KEYS:
        found = segment.find(key)
        assert not len(found.games) or segment.first <= found.games.min() <= found.games.max() < segment.end
    if segment.has_positions:
        for _ in segment.index.stretches():
            pass


LAYERS: dict[str, Callable[[LibrarySegment], object]] = {
    "manifest.json": lambda segment: segment.hidden,
    "games": read_records,
    "names": LibrarySegment.names,
    "filter": lambda segment: (segment.numbers, segment.hidden, segment.facts, segment.cut_rows),
    "tapes": lambda segment: segment.lines,
    "fences": read_positions,
    "positions": read_positions,
    "variations": lambda segment: [segment.find_variations(key) for key in KEYS],
}
"""What reads the files of a kind."""


def read(kinds: set[str]) -> None:
    with LibraryDatabase(LIBRARY) as library:
        for segment in library.library.segments:
            for kind in sorted(kinds):
                with suppress(TabiyaError):
                    LAYERS[kind](segment)


QUESTIONS: list[Callable[[tabiya.Database], int]] = [
    lambda library: sum(len(batch) for batch in library.batches()),
    lambda library: sum(1 for _ in library),
    lambda library: sum(len(headers) for headers in library.headers()),
    lambda library: library.search(ExactPosition("e4"), player="a").count(),
    lambda library: library.search(ExactPosition("e4"), variations=True).count(),
    lambda library: library.search(Material("KRPKR") | Check()).count(),
    lambda library: len(library.explore("e4", move_orders=2).to_dict()["topGames"]),
    lambda library: len(library.player("/./").names),
    lambda library: tabiya.summarize(library).players // 2,
    lambda library: tabiya.convert(library, io.BytesIO(), target_format="pgn").written,
    lambda library: len(rows.csv_text(next(library.headers()), titles=False)) and 0,
    lambda library: sum(each.game is None for each in tabiya.check(library)) and 0,
]


def ask() -> None:
    with tabiya.open(LIBRARY, format="library") as library:
        for question in QUESTIONS:
            with suppress(TabiyaError):
                assert 0 <= question(library) <= 2 * len(library)


def fuzz(data: bytes) -> None:
    """One input."""
    files, changes = changed_files(data)
    written = {**files, "manifest.json": manifest_of(files, changes)}
    for name, content in written.items():
        (LIBRARY / name).write_bytes(content)
    with suppress(TabiyaError):
        read({kind_of(name) for name in written})
    if direct.thoroughly(data, ASKED_ONE_IN):
        with suppress(TabiyaError):
            ask()
    if direct.thoroughly(data, REBUILT_ONE_IN):
        with suppress(TabiyaError):
            assert tabiya.rebuild(LIBRARY) <= RECORDS
            ask()
        shutil.rmtree(LIBRARY)
        shutil.copytree(SOUND, LIBRARY)
    for name in written:
        (LIBRARY / name).write_bytes(FILES[name])


FILES = make()
NAMES = list(FILES)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
