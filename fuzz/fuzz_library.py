"""Fuzzes libraries: any of their files may have changed, with the manifest that would go with it or not.

Only ``TabiyaError`` may escape, and what is answered is in range. The first byte of an input chooses the file, the
second says whether it is cut off, whether checksums are known, and what is asked; then come changes of single bytes,
each its place (two bytes) and its value. Every input is read by the layer that the file belongs to; only some of them
are searched, or the library is rebuilt. Python reads manifests and decides what to trust, so it is instrumented, too.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import atheris
import direct
import numpy as np

import tabiya
from tabiya.errors import TabiyaError

with atheris.instrument_imports(include=["tabiya.formats.library", "tabiya.positions.index"]):
    import tabiya.formats.library.rebuilding
    from tabiya.formats.library.database import LibraryDatabase
    from tabiya.formats.library.manifest import kind_of
    from tabiya.formats.library.segment import LibrarySegment
from tabiya.search import Check, ExactPosition, Material

EXAMPLES = Path(__file__).parent.parent / "examples" / "classics.pgn"
FOLDER = Path(tempfile.mkdtemp(prefix="tabiya-fuzz-"))
LIBRARY, SOUND = FOLDER / "x.tabiya", FOLDER / "sound.tabiya"
CUT, TRUSTED = 1, 2
RECORDS = 8
ASKED_ONE_IN, REBUILT_ONE_IN = 32, 1024
KEYS = ExactPosition("e4").keys()


def make() -> dict[str, bytes]:
    """A library of two segments, one of them with a changed record: its files."""
    tabiya.convert(EXAMPLES, SOUND, variations=True)
    with tabiya.edit(SOUND) as editor:
        editor.delete([7])
    shutil.copytree(SOUND, LIBRARY)
    return {path.name: path.read_bytes() for path in sorted(SOUND.iterdir())}


def changed(content: bytes, changes: bytes, *, cut: bool) -> bytes:
    found = bytearray(content)
    for begin in range(0, len(changes) - 2, 3):
        low, high, value = changes[begin : begin + 3]
        found[(low | high << 8) % len(found)] = value
    return bytes(found[: (changes[0] | changes[1] << 8) % len(found)] if cut and len(changes) > 1 else found)


def trust(name: str, size: int) -> None:
    """Make a manifest that says of a file what is so now, and has no checksums."""
    told: dict[str, Any] = json.loads(FILES["manifest.json"])
    for segment in told["segments"]:
        for kind, file in segment["files"].items():
            file.pop("crc32", None)
            if name.startswith(f"{kind}-{segment['number']}."):
                file["bytes"] = size
    (LIBRARY / "manifest.json").write_text(json.dumps(told))


def read_records(segment: LibrarySegment) -> None:
    for kind in ("batch", "headers", "origins"):
        segment.read(np.arange(segment.games.starts[-1]), kind)


def read_positions(segment: LibrarySegment) -> None:
    for key in KEYS:
        rows = segment.find(key)
        assert not len(rows.games) or 0 <= rows.games.min() <= rows.games.max() < segment.end
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


def read(kind: str) -> None:
    with LibraryDatabase(LIBRARY) as library:
        for segment in library.library.segments:
            LAYERS[kind](segment)


QUESTIONS: list[Callable[[tabiya.Database], int]] = [
    lambda library: sum(len(batch) for batch in library.batches()),
    lambda library: library.search(ExactPosition("e4"), player="a").count(),
    lambda library: library.search(ExactPosition("e4"), variations=True).count(),
    lambda library: library.search(Material("KRPKR") | Check()).count(),
    lambda library: len(library.explore("e4", move_orders=2).to_dict()["topGames"]),
    lambda library: len(library.player("/./").names),
]


def ask(question: int) -> None:
    with tabiya.open(LIBRARY, format="library") as library:
        assert 0 <= QUESTIONS[question % len(QUESTIONS)](library) <= 2 * len(library)


def fuzz(data: bytes) -> None:
    if len(data) < 2:
        return
    name, switches = NAMES[data[0] % len(NAMES)], data[1]
    content = changed(FILES[name], data[2:], cut=bool(switches & CUT))
    (LIBRARY / name).write_bytes(content)
    if switches & TRUSTED and name != "manifest.json":
        trust(name, len(content))
    with suppress(TabiyaError):
        read(kind_of(name))
    if direct.thoroughly(data, ASKED_ONE_IN):
        with suppress(TabiyaError):
            ask(switches >> 2)
    if direct.thoroughly(data, REBUILT_ONE_IN):
        with suppress(TabiyaError):
            assert tabiya.rebuild(LIBRARY) <= RECORDS
            ask(switches >> 2)
        shutil.rmtree(LIBRARY)
        shutil.copytree(SOUND, LIBRARY)
    for each in (name, "manifest.json"):
        (LIBRARY / each).write_bytes(FILES[each])


FILES = make()
NAMES = list(FILES)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
