"""What ``make soak`` tries again and again: every round raises an error where a promise is broken.

A round takes a source of chance, so that its seed repeats it, and an empty folder, which is kept with a finding.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final

import tabiya
from tabiya.errors import TabiyaError
from tabiya.formats import FORMATS, Format
from tests.changes import CHANGES, files_after
from tests.formats.corpus import corpus
from tests.formats.suite import contents
from tests.power_loss import Kept
from tests.test_power_loss import recorded
from tests.test_transactions import Trial

Round = Callable[[random.Random, Path], object]

_LARGEST: Final = 8 << 20
"""Bytes of a file to take games from: of a larger one, a round would spend its time on reading."""
_MOST_GAMES: Final = 40
_ALONE: Final = 5
"""How many games that differ are converted alone, to see what was reported of each."""
_WRITABLE: Final = [form for form in FORMATS.built_in if form.create is not None]

_GONE: Final = "The record is gone."

_NAMED: Final = {
    r"The moves differ": {"variations", "null-moves"},
    _GONE: {"opaque-records", "guiding-texts", "chess960-games", "setup-games"},
    r"Only the (first|second) is marked": {"deleted-marks"},
    r"Guiding text|Only the (first|second) has guiding": {"guiding-texts"},
    r"Tag Result": {"results", "tags"},
    r"Tag |The order of other tags": {"tags"},
    r"Details that only": {"extras"},
    r".*: (text|symbols|unreadable|annotation)": {"texts-after", "texts-before", "languages", "sides", "original-bytes"}
    | {"symbols", "variations", "null-moves"},
}
"""Beginnings of sentences about a difference, and the losses of any format that may be the reason."""
_GENERAL: Final = frozenset[str]().union(*_NAMED.values())


def explains(losses: set[str], sentence: str) -> bool:
    """Whether a report names a loss that may be the reason of a difference; losses of one format explain anything."""
    named = next((found for beginning, found in _NAMED.items() if re.match(beginning, sentence)), set())
    return bool(losses & named) or bool(losses - _GENERAL)


class Conversions:
    """Games from A to B and back to A: what differs must have been reported as lost.

    Args:
        folders: where the games are looked for, in all files; games with every feature are added.
        place: a folder for these.
        stack: closes the databases.
    """

    def __init__(self, folders: list[Path], place: Path, stack: ExitStack) -> None:
        with tabiya.create(place / "corpus.tabiya") as writer:
            writer.write(corpus())
        folders = [*folders, place]
        found = sorted(path for folder in folders for path in folder.rglob("*") if _has_games(path))
        self._paths = found
        self._stack = stack
        self._open = cache(self._opened)

    def _opened(self, path: Path) -> tabiya.Database | None:
        try:
            return self._stack.enter_context(tabiya.open(path))
        except TabiyaError:  # hostile samples, books, tables
            return None

    def _source(self, chance: random.Random) -> tuple[Path, tabiya.Database]:
        while True:
            path = chance.choice(self._paths)
            database = self._open(path)
            if database is not None and len(database):
                return path, database

    def __call__(self, chance: random.Random, folder: Path) -> None:
        """Convert some games of a source."""
        path, database = self._source(chance)
        a, b = chance.choice(_WRITABLE), chance.choice(_WRITABLE)
        chosen = database.excerpt(sample=chance.randint(1, _MOST_GAMES), seed=chance.getrandbits(32))
        threads = chance.choice((1, 2, 4))
        (folder / "made").mkdir()
        made = folder / "made" / f"x{a.suffixes[0]}"
        if not tabiya.convert(chosen, made, target_format=a).written:
            return
        story = f"{path} as {a.name}, to {b.name} and back"
        there, losses = _there_and_back(made, a, b, folder / "all", threads)
        _same_bytes(made, a, b, folder, threads)
        comparison = tabiya.Comparison(made, there)
        for place, each in enumerate(comparison):
            if place == _ALONE:
                break
            if each.a is None:
                raise AssertionError(f"{story}: record {each.b} is new")
            sentences, reported = _alone(made, a, b, folder / f"alone {each.a}", each.a)
            unexplained = [sentence for sentence in sentences if not explains(reported, sentence)]
            assert not unexplained, f"{story}: record {each.a}: {unexplained}; reported: {reported or 'nothing'}"
            assert sentences or losses, f"{story}: record {each.a} differs only beside others: {each.differences}"


def _has_games(path: Path) -> bool:
    suffixes = {suffix for form in FORMATS.built_in for suffix in form.suffixes}
    if path.suffix == ".tabiya":
        return True
    return path.is_file() and path.suffix.lower() in suffixes and path.stat().st_size <= _LARGEST


def _there_and_back(made: Path, a: Format, b: Format, folder: Path, threads: int) -> tuple[Path, set[str]]:
    folder.mkdir()
    between, back = folder / f"between{b.suffixes[0]}", folder / f"back{a.suffixes[0]}"
    reports = [
        tabiya.convert(made, between, source_format=a, target_format=b, threads=threads),
        tabiya.convert(between, back, source_format=b, target_format=a, threads=threads),
    ]
    return back, {loss.what for report in reports for loss in report.losses}


def _alone(made: Path, a: Format, b: Format, folder: Path, number: int) -> tuple[list[str], set[str]]:
    """What differs if one record is converted alone, and what is reported of it."""
    folder.mkdir()
    one = folder / f"one{a.suffixes[0]}"
    with tabiya.open(made, format=a) as database:
        lost = {loss.what for loss in tabiya.convert(database.excerpt([number]), one, target_format=a).losses}
    if lost:
        return [], lost
    back, losses = _there_and_back(one, a, b, folder / "both", 1)
    found = [sentence for each in tabiya.Comparison(one, back) for sentence in each.differences or (_GONE,)]
    return found, losses


def _same_bytes(made: Path, a: Format, b: Format, folder: Path, threads: int) -> None:
    """The bytes do not depend on the number of threads."""
    found = []
    for number in (1, threads + 1):
        (folder / "bytes").mkdir()
        tabiya.convert(made, folder / "bytes" / f"x{b.suffixes[0]}", source_format=a, target_format=b, threads=number)
        found.append(contents(folder / "bytes"))
        shutil.rmtree(folder / "bytes")
    differ = [name for name in {**found[0], **found[1]} if found[0].get(name) != found[1].get(name)]
    assert not differ, f"{a.name} to {b.name}: {differ} depend on the number of threads"


class Kills:
    """Changes that are killed at any time: the old files are there, or the new ones."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._trial = cache(self._prepared)

    def _prepared(self, name: str) -> Trial:
        folder = self._folder / str([*CHANGES].index(name))
        folder.mkdir()
        return Trial(folder, name)

    def __call__(self, chance: random.Random, folder: Path) -> None:
        """Kill a change."""
        name = chance.choice([*CHANGES])
        trial = self._trial(name)
        delay = trial.seconds * chance.uniform(0, 1.2)
        left, was_killed = trial.killed_after(delay)
        shutil.copytree(left, folder / "after the kill")
        assert trial.outcome(left) == "new" or was_killed, f"{name}: not killed, but the old files are there"


class PowerLosses:
    """Changes during which the power fails: the old files are there, or the new ones; after the end the new ones."""

    def __init__(self, folder: Path) -> None:
        (folder / "changes").mkdir()
        self._changed = recorded(folder / "changes", folder / "calls", CHANGES)

    def __call__(self, chance: random.Random, folder: Path) -> None:
        """Let the power fail during a change."""
        name = chance.choice([*CHANGES])
        changed = self._changed[name]
        moment = chance.choice([*changed.loss.moments()])
        kept = chance.choice([*Kept])
        changed.loss.restore(folder / "disk", moment, kept, chance)
        shutil.copytree(folder / "disk", folder / "after the loss")
        found = files_after(folder / "disk", CHANGES[name])
        has_ended = moment == len(changed.loss.steps)
        allowed = (changed.new,) if has_ended else (changed.old, changed.new)
        assert found in allowed, f"{name}: after step {moment} of {len(changed.loss.steps)}, kept: {kept.value}"
