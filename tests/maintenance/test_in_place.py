"""Changes of many records in place: one transaction in every format, the same for any number of threads."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tabiya
from tabiya.errors import LossError, TabiyaError, UsageError
from tabiya.files.scratch import ScratchFile
from tabiya.game import Annotation, Game, GameBatch, GuidingText, RecordKind, difference
from tabiya.maintenance.rewriting import Changed, ChangeReport, rewrite
from tests.faults import CrashError, Mode, failing
from tests.formats.suite import contents, make_batches_tiny
from tests.thread_order import finish_backwards

EDITABLE = (".pgn", ".pgn.gz", ".tabiya", ".si4", ".si5", ".cbh")
COUNT = 25
LINES = (["e4", "e5", "Nf3"], ["d4", "d5", "c4", "e6"], ["c4"], ["e4", "c5", "Nf3", "d6", "d4"])
posix = pytest.mark.skipif(os.name == "nt", reason="processes of POSIX")


def games() -> list[Game]:
    made = []
    for number in range(COUNT):
        game = Game({"White": f"White {number % 5}", "Black": f"Black {number % 3}", "Result": "1-0", "ECO": "A00"})
        node = game.root
        for move in LINES[number % len(LINES)]:
            node = node.add(move)
        if number % 3 == 0:
            node.annotations.append(Annotation(0x02, b"a comment " * (1 + number % 7)))
        game.deleted = number % 6 == 5
        made.append(game)
    return made


def replacement() -> Game:
    game = Game({"White": "Somebody", "Black": "Else", "Result": "0-1", "Event": "Another event"})
    game.root.add_line(["d4", "f5"])
    return game


def tag(base: Path, **told: Any) -> ChangeReport:
    return tabiya.set_tags(base, {"Event": "Other"}, **told)


def names(base: Path, **told: Any) -> ChangeReport:
    return tabiya.correct_names(base, {"White 1": "Black 2", "White 3": "A name that is new"}, **told)


def classify(base: Path, **told: Any) -> ChangeReport:
    report = tabiya.classify(base, facts=("eco",), **told)
    assert report.agreement.compared + report.agreement.unnamed == COUNT, "each game counts once"
    return report.changes


def edit(base: Path, **told: Any) -> ChangeReport:
    return tabiya.replace_game(base, 7, replacement(), **told)


COMMANDS: dict[str, Callable[..., ChangeReport]] = {each.__name__: each for each in (tag, names, classify, edit)}


@pytest.fixture(params=EDITABLE)
def base(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of many batches, and nothing else in its folder."""
    make_batches_tiny(monkeypatch)
    for name in ("library.editing._AT_ONCE", "scid.editing.WINDOW", "scid.writer.WINDOW"):
        monkeypatch.setattr(f"tabiya.formats.{name}", 4)
    path = tmp_path / "original" / f"base{request.param}"
    path.parent.mkdir()
    with tabiya.create(path) as writer:
        writer.write(games())
    return path


def fresh(base: Path, name: str = "copy") -> Path:
    """Return a copy of the database in a folder of its own."""
    folder = base.parent.parent / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base.parent, folder)
    return folder / base.name


def read(path: Path) -> list[Game]:
    with tabiya.open(path) as database:
        return list(database)


@pytest.mark.parametrize("name", COMMANDS)
def test_any_number_of_threads(base: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change = COMMANDS[name]
    new = base.parent.parent / f"new{base.name}"
    expected = change(base, target=new)
    alone = fresh(base, "alone")
    report = change(alone, in_place=True)
    assert (report.changed, report.what) == (expected.changed, expected.what)
    assert report.changed > 0
    assert [difference(a, b) for a, b in zip(read(alone), read(new), strict=True)] == [[]] * COUNT
    finish_backwards(monkeypatch)
    for threads in (2, 8):
        path = fresh(base)
        dry = change(path, in_place=True, dry_run=True, threads=threads)
        assert contents(path.parent) == contents(base.parent)
        done = change(path, in_place=True, threads=threads)
        assert (done.as_dict(), dry.as_dict()["losses"]) == (report.as_dict(), report.as_dict()["losses"])
        assert contents(path.parent) == contents(alone.parent)


class Stop(Exception):  # noqa: N818 - it stands for anything
    """Something that happens to a program."""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("error", [Stop, KeyboardInterrupt, TabiyaError])
def test_an_error_in_a_later_batch(base: Path, error: type[BaseException], threads: int) -> None:
    before, seen = contents(base.parent), 0

    def change(batch: GameBatch, _: Any) -> Changed:
        nonlocal seen
        seen += len(batch)
        if seen > COUNT + 15:  # all are looked at before the first is changed
            raise error("stop")
        return Changed(batch, np.ones(len(batch), np.bool_))

    with pytest.raises(error):
        rewrite(base, change, in_place=True, threads=threads)
    assert seen > COUNT + 15
    assert contents(base.parent) == before


def test_a_caught_error_commits_nothing(base: Path) -> None:
    before = contents(base.parent)

    def batches() -> Iterator[GameBatch]:
        with tabiya.open(base) as database:
            yield from database.excerpt("1-10").batches()
        raise Stop

    with tabiya.edit(base) as editor:
        editor.delete([1])
        with pytest.raises(Stop):
            editor.replace_all(batches())
        for action in (lambda: editor.delete([2]), editor.commit, lambda: editor.replace(1, replacement())):
            with pytest.raises(UsageError, match="closed"):
                action()
    assert contents(base.parent) == before


def test_no_room_for_temporary_files(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, written = contents(base.parent), []
    for module in ("library.editing", "scid.editing", "new_bodies", "pgn.editing"):
        monkeypatch.setattr(f"tabiya.formats.{module}._IN_MEMORY", 0)
    write = ScratchFile._write

    def full(file: ScratchFile, *arguments: Any) -> int:
        written.append(arguments)
        if len(written) > 6:
            raise TabiyaError("there is no space for temporary files (no space left on device)")
        return write(file, *arguments)

    monkeypatch.setattr(ScratchFile, "_write", full)
    with pytest.raises(TabiyaError, match="no space"):
        tag(base, in_place=True)
    assert contents(base.parent) == before
    monkeypatch.setattr(ScratchFile, "_write", write)
    assert tag(base, in_place=True).changed == COUNT
    assert {game.tags["Event"] for game in read(base)} == {"Other"}


@posix
@pytest.mark.parametrize("mode", [Mode.CRASH, Mode.BROKEN])
def test_the_end_at_any_step(base: Path, mode: Mode) -> None:
    """The process ends, or the disk does, at steps of the change: all games are the old ones, or all the new ones."""
    path = fresh(base)
    with failing(None) as disk:
        tag(path, in_place=True)
    outcomes = []
    for step in range(1, disk.done + 1, 1 + disk.done // 4):
        path = fresh(base)
        child = os.fork()
        if not child:
            try:
                with failing(step, mode):
                    tag(path, in_place=True)
            except (CrashError, TabiyaError):
                os._exit(9)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        outcomes.append({game.tags.get("Event") for game in read(path)})
        assert outcomes[-1] in ({None}, {"Other"}), step
        tag(path, in_place=True)
        assert {game.tags.get("Event") for game in read(path)} == {"Other"}
    assert {None} in outcomes


@posix
def test_a_kill_at_any_time(base: Path) -> None:
    begin = time.monotonic()
    tag(fresh(base), in_place=True)
    seconds = time.monotonic() - begin
    choose = random.Random(base.suffix)
    for _ in range(4):
        path = fresh(base)
        child = os.fork()
        if not child:
            tag(path, in_place=True)
            os._exit(0)
        time.sleep(seconds * choose.uniform(0.3, 1.1))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert {game.tags.get("Event") for game in read(path)} in ({None}, {"Other"})


def test_a_record_that_cannot_be_written(base: Path) -> None:
    """The error names it, however large the batch; nothing is changed."""
    before = contents(base.parent)
    text = Game()
    text.kind, text.texts = RecordKind.TEXT, [GuidingText(lang=42, title="T", format=1, body=b"x")]
    with tabiya.open(base) as database:
        batch = database.read(0, COUNT)
    records = batch.record_batch
    new = GameBatch.concat([batch[:19], GameBatch.from_games([text]).numbered(20), batch[20:]])
    if base.suffix.startswith(".si"):
        with pytest.raises(LossError, match="guiding") as caught, tabiya.edit(base) as editor:
            editor.replace_all([new])
        assert caught.value.game == 20
        assert contents(base.parent) == before
    with pytest.raises(UsageError, match="there is no"), tabiya.edit(base) as editor:
        editor.replace_all([batch, GameBatch(records.set_column(0, records.schema.field(0), pa.array([99] * COUNT)))])
    assert contents(base.parent) == before


def test_strict(base: Path) -> None:
    """A loss in a late record refuses the change of all; without ``strict`` it is counted."""
    if base.suffix == ".tabiya":
        pytest.skip("a library loses nothing")
    before, long = contents(base.parent), "two\nlines" if ".pgn" in base.suffixes else "x" * 300
    numbers = np.arange(1, COUNT + 1)
    for dry_run in (True, False):
        with pytest.raises(LossError) as caught:
            tabiya.set_tags(base, {"Event": long}, numbers=numbers[20:], in_place=True, strict=True, dry_run=dry_run)
        assert caught.value.game == 21
        assert contents(base.parent) == before
    dry = tabiya.set_tags(base, {"Event": long}, in_place=True, dry_run=True, threads=2)
    assert dry.losses
    assert contents(base.parent) == before
    assert tabiya.set_tags(base, {"Event": long}, in_place=True).losses == dry.losses


def test_changes_one_after_the_other(base: Path) -> None:
    """Batches, single games, marks and names: the last one counts."""
    with tabiya.open(base) as database:
        batch = database.read(0, COUNT)
    with tabiya.edit(base) as editor:
        editor.undelete([6])
        editor.replace_all([batch[10:20], batch[:10]], threads=2)
        editor.replace(3, replacement())
        editor.replace_all([batch[2:5]])
        editor.replace(4, replacement())
        editor.undelete([12])
        editor.delete([1])
    expected = games()
    expected[3] = replacement()
    for number, deleted in ((1, True), (12, False)):
        expected[number - 1].deleted = deleted
    assert [difference(a, b) for a, b in zip(read(base), expected, strict=True)] == [[]] * COUNT


@pytest.mark.parametrize("order", ["name first", "game first"])
def test_names_and_games_in_order(base: Path, order: str) -> None:
    """A name that changes before a game comes is not the one that it brings; one that changes later is."""
    if base.suffix == ".tabiya" or ".pgn" in base.suffixes:
        pytest.skip("its games alone have names")
    field = "last" if base.suffix == ".cbh" else "name"
    game = Game({"White": "White 0", "Black": "Black 1"})
    with tabiya.edit(base) as editor:
        if order == "game first":
            editor.replace(2, game)
        editor.edit("players", 0, **{field: "Changed"})
        if order == "name first":
            editor.replace(2, game)
    whites = [game.tags["White"] for game in read(base)]
    assert whites[0] == whites[5] == "Changed"
    assert whites[1] == ("Changed" if order == "game first" else "White 0")
    assert not list(tabiya.check(base))
