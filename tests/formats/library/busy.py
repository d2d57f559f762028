"""A process for test_concurrency: reads a library again and again while others write, or writes it while others read.

By hand: ``python -m tests.formats.library.busy run FOLDER READERS WRITERS CHANGES``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import tabiya
from tabiya.errors import UsageError
from tabiya.search import ExactPosition
from tests.formats.corpus import batch_of, tape

START = 40
"""Games of the library to begin with. Each begins with 1. e4, and none is ever deleted."""
LEAST_ROUNDS = 3
BUSY = "is being written by another program"


def make(path: Path) -> None:
    with tabiya.create(path) as writer:
        writer.write(batch_of([{"moves": tape("e2e4 e7e5")}] * START))


def read(path: Path, done: Path) -> int:
    """Read until the writers are done; every answer is that of one state of the library."""
    rounds = least = 0
    while rounds < LEAST_ROUNDS or not done.exists():
        with tabiya.open(path) as library:
            records = len(library)
            assert records >= least, f"{records} records after {least}"
            least = records
            for found in (
                library.search(ExactPosition("e4")).count(),  # read first when writers may have removed the files
                sum(len(batch) for batch in library.batches()),
                library.search(player="a").count() + records,
                tabiya.summarize(library).games,
            ):
                assert found == records, f"{found} of {records}"
        rounds += 1
    return rounds


def write(path: Path, changes: int) -> int:
    """Change the library so many times; return how many games were added."""
    added = 0
    (game,) = batch_of([{"moves": tape("e2e4 c7c5")}]).games()
    for step in range(changes):
        while True:
            try:
                if step % 4 == 0:
                    tabiya.compact(path)
                elif step % 4 == 1:
                    with tabiya.edit(path) as editor:
                        editor.replace(1 + step % START, game)
                elif step % 4 == 2:
                    tabiya.merge_segments(path)
                else:
                    with tabiya.create(path, append=True) as writer:
                        writer.write([game])
                    added += 1
                break
            except UsageError as error:
                if BUSY not in str(error):
                    raise
                time.sleep(0.005)
    return added


def run(folder: Path, readers: int, writers: int, changes: int) -> tuple[int, int]:
    """Let processes work on one library; return how often it was read, and how many games were added."""
    path, done = folder / "x.tabiya", folder / "done"
    make(path)

    def start(*words: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.formats.library.busy", *map(str, words)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    reading = [start("read", path, done) for _ in range(readers)]
    writing = [start("write", path, changes) for _ in range(writers)]
    ended = [each.communicate() for each in writing]
    done.touch()
    ended += [each.communicate() for each in reading]
    failed = [
        (process.returncode, err)
        for process, (_, err) in zip(writing + reading, ended, strict=True)
        if process.returncode
    ]
    assert not failed, "\n".join(f"exit code {code}: {err}" for code, err in failed)
    numbers = [int(out) for out, _ in ended]
    with tabiya.open(path) as library:
        assert len(library) == START + sum(numbers[:writers])
        assert [str(each) for each in tabiya.check(library)] == []
    return sum(numbers[writers:]), sum(numbers[:writers])


if __name__ == "__main__":
    _, role, place, *more = sys.argv
    if role == "read":
        print(read(Path(place), Path(more[0])))
    elif role == "write":
        print(write(Path(place), int(more[0])))
    else:
        print(*run(Path(place), *map(int, more)))
