"""Everything that several threads do together gives the same result in whatever order they finish.

All of it goes through ``ordered_map``, ``Background`` or the pool of ``IndexBuilder``, as the first test makes sure.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.books import BOOK_FORMATS, BuildOptions
from tabiya.files.parallel import ordered_map
from tests.formats.suite import WRITABLE, contents, make_batches_tiny, name_of
from tests.maintenance.test_in_place import games
from tests.thread_order import BackwardsPool, finish_backwards

POOLS = {"files/parallel.py", "positions/index/building.py"}
THREADS = 8
CLASSICS = "examples/classics.pgn"
BOOKS = [each for each in BOOK_FORMATS if each.name in ("polyglot", "abk", "ctg")]


def test_who_makes_pools() -> None:
    source = Path(tabiya.__file__).parent
    pools = re.compile(r"ThreadPoolExecutor|ProcessPoolExecutor|as_completed|multiprocessing")
    found = {path.relative_to(source).as_posix() for path in source.rglob("*.py") if pools.search(path.read_text())}
    assert found == POOLS


def test_tasks_finish_backwards() -> None:
    """The tests below are about something."""
    finished: list[int] = []

    def work(item: int) -> int:
        finished.append(item)
        return item

    assert list(ordered_map(work, range(20), 2)) == list(range(20))
    assert finished != list(range(20))
    with BackwardsPool(1) as alone:
        assert [task.result() for task in [alone.submit(abs, -each) for each in range(3)]] == [0, 1, 2]


@pytest.fixture(autouse=True)
def _tiny_batches_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many tiny batches, and pools that finish backwards."""
    make_batches_tiny(monkeypatch)
    for name in ("positions.index.building._TASK_ROWS", "search.narrowing._STRETCH", "tables.streaming._MOST_TOKENS"):
        monkeypatch.setattr(f"tabiya.{name}", 8)
    finish_backwards(monkeypatch)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PGN with twins and names that are alike, and beside it a library of the same games, in tiny segments."""
    made = games()
    for place, game in enumerate(made):
        game.tags["Event"], game.tags["Round"] = f"Event {place % 4}", str(place)
        game.tags["Date"], game.tags["WhiteElo"] = f"20{20 - place % 20:02}.01.01", str(2000 + 70 * place % 300)
        game.tags["White"] = ("Carlsen, Magnus", "Carlsen,Magnus", "Carlsen, M", "Anand, V")[place % 4]
    path = tmp_path_factory.mktemp("source") / "source.pgn"
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_batches_tiny(monkeypatch)
        with tabiya.create(path) as writer:
            writer.write([*made, *made[::-1]])
        tabiya.convert(path, path.with_suffix(".tabiya"))
    return path


def rows(database: Any) -> list[Any]:
    return [batch.record_batch.to_pylist() for batch in database]


def plain(value: Any) -> Any:
    """Return what a report consists of."""
    return json.loads(json.dumps(value.as_dict(), default=str)) if hasattr(value, "as_dict") else str(value)


Work = Callable[[Path, int, Path], Any]


def _opened(path: Path, work: Callable[[tabiya.Database], Any]) -> Any:
    with tabiya.open(path) as database:
        return work(database)


def _tagged_in_place(path: Path, threads: int, copy: Path) -> Any:
    tabiya.convert(path, copy)
    return tabiya.set_tags(copy, {"Source": "x"}, in_place=True, threads=threads)


ANSWERS: dict[str, Work] = {
    "batches": lambda path, n, _: _opened(path, lambda base: rows(base.batches(threads=n))),
    "headers": lambda path, n, _: _opened(path, lambda base: [*map(str, base.headers(threads=n))]),
    "summary": lambda path, n, _: repr(tabiya.summarize(path, threads=n)),
    "verify": lambda path, n, _: repr([*tabiya.Verification(path, threads=n)]),
    "diff": lambda path, n, _: repr([*tabiya.Comparison(path, CLASSICS, threads=n)]),
    "duplicates": lambda path, n, _: repr([*tabiya.find_duplicates(path, threads=n)]),
    "names": lambda path, n, _: repr(tabiya.find_similar_names(path, threads=n)),
    "search": lambda path, n, _: [(match.number, match.ply) for match in tabiya.search(path, min_elo=2100, threads=n)],
    "explore": lambda path, n, _: plain(tabiya.explore(path, "e4", threads=n)),
    "player": lambda path, n, _: plain(tabiya.player(path, "carlsen", threads=n)),
    "prepare": lambda path, n, _: plain(tabiya.prepare(path, "carlsen", CLASSICS, color="black", threads=n)),
    "crosstable": lambda path, n, _: plain(tabiya.tournament(path, event="Event 1", together=True, threads=n)),
    "arrow": lambda path, n, _: _opened(
        path, lambda base: base.to_arrow(["number", "san", "tag:Round"], threads=n).read_all().to_pylist()
    ),
    "positions": lambda path, n, _: _opened(
        path, lambda base: base.to_arrow(rows="positions", threads=n).read_all().to_pylist()
    ),
    "classify": lambda path, n, _: tabiya.classify(path, threads=n).as_dict(),
    "sort": lambda path, n, folder: tabiya.sort(path, folder / "x.pgn", by="date,-white_elo", threads=n),
    "split": lambda path, n, folder: tabiya.split(path, str(folder / "{event}.pgn"), by="event", threads=n),
    "dedupe": lambda path, n, folder: tabiya.dedupe(path, folder / "x.pgn", threads=n),
    "merge": lambda path, n, folder: tabiya.merge([path, path], folder / "x.si5", dedupe="exact", threads=n),
    "table": lambda path, n, folder: tabiya.write_table(path, folder / "x.csv", threads=n),
    "tag in place": lambda path, n, folder: _tagged_in_place(path, n, folder / f"x{path.suffix}"),
}
"""What commands answer, or write into a folder."""


def outcome(work: Work, path: Path, threads: int, folder: Path) -> tuple[Any, dict[str, bytes]]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    answer = work(path, threads, folder)
    return answer if isinstance(answer, (str, list, dict)) else plain(answer), contents(folder)


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("suffix", [".pgn", ".tabiya"])
def test_answers(source: Path, tmp_path: Path, name: str, suffix: str) -> None:
    path = source.with_suffix(suffix)
    alone = outcome(ANSWERS[name], path, 1, tmp_path / "out")
    assert outcome(ANSWERS[name], path, THREADS, tmp_path / "out") == alone


@pytest.mark.parametrize("format", WRITABLE, ids=name_of)
def test_every_format(source: Path, tmp_path: Path, format: Any) -> None:
    """Written by several threads, and read by several again."""

    def convert(path: Path, threads: int, folder: Path) -> Any:
        target = folder / f"x{format.suffixes[0]}"
        report = tabiya.convert(path, target, target_format=format, threads=threads)
        with tabiya.open(target, format=format) as database:
            return report.losses.as_dict() | {"read": rows(database.batches(threads=threads))}

    assert outcome(convert, source, THREADS, tmp_path / "out") == outcome(convert, source, 1, tmp_path / "out")


@pytest.mark.parametrize("format", BOOKS, ids=lambda it: it.name)
def test_books(source: Path, tmp_path: Path, format: Any) -> None:
    def build(path: Path, threads: int, folder: Path) -> Any:
        target = folder / f"x{format.suffixes[0]}"
        return tabiya.build_book(path, target, format=format, options=BuildOptions(min_games=1), threads=threads)

    assert outcome(build, source, THREADS, tmp_path / "out") == outcome(build, source, 1, tmp_path / "out")


def test_a_library_with_variations_that_grows(source: Path, tmp_path: Path) -> None:
    def grow(path: Path, threads: int, folder: Path) -> Any:
        target = folder / "x.tabiya"
        tabiya.convert(path, target, variations=True, threads=threads)
        tabiya.convert(CLASSICS, target, append=True, threads=threads)
        tabiya.rebuild(target, threads=threads)
        return []

    assert outcome(grow, source, THREADS, tmp_path / "out") == outcome(grow, source, 1, tmp_path / "out")
