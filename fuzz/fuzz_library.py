"""Fuzzes libraries: any of their files may have changed, with the manifest that would go with it or not.

Only ``TabiyaError`` may escape, and what is answered is in range. The first byte of an input chooses the file, the
second says whether it is cut off, whether checksums are known, and what is asked; then come changes of single bytes,
each its place (two bytes) and its value. Python reads manifests and decides what to trust, so it is instrumented, too.
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

import tabiya
from tabiya.errors import TabiyaError

with atheris.instrument_imports(include=["tabiya.formats.library", "tabiya.positions.index"]):
    import tabiya.formats.library.database
    import tabiya.formats.library.rebuilding
from tabiya.search import Check, ExactPosition, Material

EXAMPLES = Path(__file__).parent.parent / "examples" / "classics.pgn"
FOLDER = Path(tempfile.mkdtemp(prefix="tabiya-fuzz-"))
LIBRARY, SOUND = FOLDER / "x.tabiya", FOLDER / "sound.tabiya"
CUT, TRUSTED = 1, 2
RECORDS = 8
REBUILT_ONE_IN = 64


def make() -> list[str]:
    """A library of two segments, one of them with a changed record."""
    tabiya.convert(EXAMPLES, SOUND, variations=True)
    with tabiya.edit(SOUND) as editor:
        editor.delete([7])
    shutil.copytree(SOUND, LIBRARY)
    return sorted(path.name for path in SOUND.iterdir())


def changed(content: bytes, changes: bytes, *, cut: bool) -> bytes:
    found = bytearray(content)
    for begin in range(0, len(changes) - 2, 3):
        low, high, value = changes[begin : begin + 3]
        found[(low | high << 8) % len(found)] = value
    return bytes(found[: (changes[0] | changes[1] << 8) % len(found)] if cut and len(changes) > 1 else found)


def trust(name: str, size: int) -> None:
    """Make a manifest that says of a file what is so now, and has no checksums."""
    told: dict[str, Any] = json.loads((SOUND / "manifest.json").read_bytes())
    for segment in told["segments"]:
        for kind, file in segment["files"].items():
            file.pop("crc32", None)
            if name.startswith(f"{kind}-{segment['number']}."):
                file["bytes"] = size
    (LIBRARY / "manifest.json").write_text(json.dumps(told))


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
    content = changed((SOUND / name).read_bytes(), data[2:], cut=bool(switches & CUT))
    (LIBRARY / name).write_bytes(content)
    if switches & TRUSTED and name != "manifest.json":
        trust(name, len(content))
    with suppress(TabiyaError):
        ask(switches >> 2)
    if direct.thoroughly(data, REBUILT_ONE_IN):
        with suppress(TabiyaError):
            assert tabiya.rebuild(LIBRARY) <= RECORDS
            ask(switches >> 2)
        shutil.rmtree(LIBRARY)
        shutil.copytree(SOUND, LIBRARY)
    for each in (name, "manifest.json"):
        shutil.copyfile(SOUND / each, LIBRARY / each)


NAMES = make()


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
