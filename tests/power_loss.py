"""What may be on the disk after a loss of power.

A file system keeps what was flushed. Of all else it may have kept anything: of the contents of files any writes, in
whole or in part; of the names in folders the changes up to some moment, as file systems with a journal do.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from pathlib import Path

from tests.disk_trace import Cut, Flush, Names, Node, Step, Trace, Write, cut, write

SECTOR = 512
"""A disk writes a sector or does not."""


class Kept(Enum):
    """What the disk has kept of all that was not flushed."""

    EVERYTHING = "everything"
    NOTHING = "nothing"
    NAMES = "names"
    CONTENTS = "contents"
    SOME = "some"
    ANY = "any"
    """Some, and names in any order, as file systems without a journal do."""


class PowerLoss:
    """The states that a loss of power can leave of a change of one folder.

    Args:
        trace: what happened in this folder and in others.
        root: the folder.
        steps: the part of the trace that is the change.
    """

    def __init__(self, trace: Trace, root: Node, steps: Sequence[Step]) -> None:
        self.steps = steps
        self._trace = trace
        self._root = root

    def moments(self) -> Iterator[int]:
        """Numbers of steps after which something else may be left than after more of them: a flush narrows it down."""
        for number, (step, following) in enumerate(zip(self.steps, [*self.steps[1:], None], strict=True), 1):
            if following is None or isinstance(following, Flush) or isinstance(step, Flush | Names):
                yield number

    def restore(self, target: Path, moment: int, kept: Kept, chance: random.Random) -> None:
        """Make the folder as it may be if the power fails after so many steps."""
        done = self.steps[:moment]
        flushed = {step.node: number for number, step in enumerate(done) if isinstance(step, Flush)}
        names = [number for number, step in enumerate(done) if isinstance(step, Names)]
        sure = {number for number in names if number < flushed.get(_folder_of(done[number]), -1)}
        after = [number for number in names if number > max(sure, default=-1)]
        kept_names = {
            Kept.EVERYTHING: lambda: {*names},
            Kept.NAMES: lambda: {*names},
            Kept.SOME: lambda: {*names} - {*after[chance.randint(0, len(after)) :]},
            Kept.ANY: lambda: sure | {number for number in names if chance.random() < 0.5},
        }.get(kept, lambda: {*names} - {*after})()
        keep_contents: Callable[[], bool] = {
            Kept.EVERYTHING: lambda: True,
            Kept.CONTENTS: lambda: True,
            Kept.SOME: lambda: chance.random() < 0.5,
            Kept.ANY: lambda: chance.random() < 0.5,
        }.get(kept, lambda: False)
        contents: dict[Node, bytearray] = {}
        entries = {node: dict(found) for node, found in self._trace.entries.items()}
        for number, step in enumerate(done):
            match step:
                case Names(changes):
                    if number in kept_names:
                        _rename(entries, changes)
                case Write(node, place, data):
                    content = contents.setdefault(node, bytearray(self._trace.contents.get(node, b"")))
                    if number < flushed.get(node, -1) or keep_contents():
                        write(content, place, data)
                    elif (
                        kept is Kept.SOME and chance.random() < 0.5
                    ):  # a part: nobody promises that it begins at the beginning
                        part = chance.randrange(len(data) + 1) // SECTOR * SECTOR
                        write(content, place, data[:part]) if chance.random() < 0.5 else write(
                            content, place + part, data[part:]
                        )
                case Cut(node, length):
                    content = contents.setdefault(node, bytearray(self._trace.contents.get(node, b"")))
                    if number < flushed.get(node, -1) or keep_contents():
                        cut(content, length)
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        folders = [(target, self._root)]
        for path, folder in folders:
            for name, node in entries.get(folder, {}).items():
                if node.entries is not None:
                    (path / name).mkdir()
                    folders.append((path / name, node))
                else:
                    (path / name).write_bytes(contents.get(node, self._trace.contents.get(node, b"")))


def _folder_of(step: Step) -> Node:
    """The folder that must be flushed for a change of names to last: that of the new name."""
    assert isinstance(step, Names)
    return step.changes[-1][0]


def _rename(entries: dict[Node, dict[str, Node]], changes: tuple[tuple[Node, str, Node, bool], ...]) -> None:
    for folder, name, node, appears in changes:
        if appears:
            entries.setdefault(folder, {})[name] = node
        else:
            entries.setdefault(folder, {}).pop(name, None)
