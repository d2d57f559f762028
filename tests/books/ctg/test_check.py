"""Damaged books: the check names what is wrong, repair saves the rest, and nothing but errors of tabiya escapes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabiya.books.ctg import CTG
from tabiya.books.ctg.bulk_writing import write_book
from tabiya.books.ctg.check import _SENTENCES
from tabiya.books.ctg.losses import KINDS
from tabiya.books.ctg.position import signature_of
from tabiya.books.ctg.record import PositionRecord, columns_of_records
from tabiya.books.open_and_create import open_book
from tabiya.chess import Position
from tabiya.errors import TabiyaError, UsageError
from tests.books.ctg.corpus import random_book
from tests.books.ctg.oracle import Files
from tests.conftest import ROOT

START = signature_of(Position())
Bytes = dict[str, bytearray]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Files:
    path = tmp_path_factory.mktemp("sound") / "book.ctg"
    write_book(path, [columns_of_records(random_book(5, 80, 20).values())])
    return Files.of(path)


def written(files: Bytes, folder: Path) -> Path:
    for suffix, data in files.items():
        (folder / f"book{suffix}").write_bytes(data)
    return folder / "book.ctg"


def place_of(files: Bytes, signature: bytes) -> int:
    return files[".ctg"].index(signature)


def moves_at(files: Bytes) -> int:
    """Where the list of moves of the start position begins."""
    return place_of(files, START) + len(START)


def statistics_at(files: Bytes) -> int:
    return moves_at(files) + files[".ctg"][moves_at(files)]


def cut(files: Bytes) -> None:
    del files[".ctg"][-3500:]


def count_too_large(files: Bytes) -> None:
    files[".ctg"][4096:4098] = b"\xff\xff"


def count_too_small(files: Bytes) -> None:
    files[".ctg"][4096:4098] = b"\0\x01"


def used_too_large(files: Bytes) -> None:
    files[".ctg"][4098:4100] = b"\xff\xff"


def no_length(files: Bytes) -> None:
    files[".ctg"][place_of(files, START)] &= 0xE0


def even_list(files: Bytes) -> None:
    files[".ctg"][moves_at(files)] += 1


def swapped_pages(files: Bytes) -> None:
    data = files[".ctg"]
    data[4096:8192], data[8192:12288] = data[8192:12288], data[4096:8192]


def standing_twice(files: Bytes) -> None:
    """Put the first record of a page that has room for it behind its last one again."""
    data = files[".ctg"]
    for page in range(4096, len(data), 4096):
        count, used = struct.unpack(">HH", data[page : page + 4])
        first = page + 4
        length = data[first] & 31
        size = length + data[first + length] + 33
        if count and used + size <= 4096:
            data[page + used : page + used + size] = data[first : first + size]
            data[page:first] = struct.pack(">HH", count + 1, used + size)
            return
    raise AssertionError("all pages are full")


def change_move(code: int) -> Callable[[Bytes], None]:
    def change(files: Bytes) -> None:
        files[".ctg"][moves_at(files) + 1] = code

    return change


def repeated_move(files: Bytes) -> None:
    place = moves_at(files)
    files[".ctg"][place + 3] = files[".ctg"][place + 1]


def more_results(files: Bytes) -> None:
    files[".ctg"][statistics_at(files) + 3] = 0xFF


def bad_position(files: Bytes) -> None:
    """The white king of the start position becomes a queen: the bits 100000 of e1 become 100010."""
    place = place_of(files, START)
    board = "".join(f"{byte:08b}" for byte in START)
    king = board.index("100000", 8)
    changed = board[: king + 4] + "1" + board[king + 5 :]
    files[".ctg"][place : place + len(START)] = int(changed, 2).to_bytes(len(START))


def number_in_header(offset: int) -> Callable[[Bytes], None]:
    def change(files: Bytes) -> None:
        files[".ctg"][offset] ^= 1

    return change


def orphan_in_bitmap(files: Bytes) -> None:
    files[".ctb"] += b"\0" * 3 + b"\x80"


def page_in_split_node(files: Bytes) -> None:
    files[".cto"][16:20] = b"\0\0\0\0"


def same_page_twice(files: Bytes) -> None:
    slots = struct.unpack(f">{(len(files['.cto']) - 16) // 4}i", files[".cto"][16:])
    one, other = [node for node, page in enumerate(slots) if page >= 0][:2]
    files[".cto"][16 + 4 * one : 20 + 4 * one] = files[".cto"][16 + 4 * other : 20 + 4 * other]


DAMAGE = [
    (cut, {"size", "page", "count"}),
    (count_too_large, {"page"}),
    (count_too_small, {"page", "count", "child"}),
    (used_too_large, {"page"}),
    (no_length, {"page", "count"}),
    (even_list, {"page", "count"}),
    (swapped_pages, {"placement"}),
    (standing_twice, {"twice", "count"}),
    (change_move(0x1F), {"code"}),
    (change_move(0x59), {"code"}),
    (change_move(0x05), {"illegal"}),
    (change_move(0x8A), {"illegal"}),
    (repeated_move, {"repeated"}),
    (more_results, {"results"}),
    (bad_position, {"position", "placement"}),
    (number_in_header(19), {"pages"}),
    (number_in_header(27), {"count"}),
    (number_in_header(31), {"games"}),
    (number_in_header(0x403), {"schema"}),
    (orphan_in_bitmap, {"bitmap"}),
    (page_in_split_node, {"slots"}),
    (same_page_twice, {"slots", "placement"}),
]
REPAIRED = {"size", "page", "count", "placement", "twice", "position", "pages", "games", "schema", "bitmap", "slots"}
"""What is never wrong with a book after repair. Lists of moves are kept, though what they led to may be lost."""


@pytest.mark.parametrize(
    ("damage", "expected"), DAMAGE, ids=[f"{damage.__name__}-{n}" for n, (damage, _) in enumerate(DAMAGE)]
)
def test_damage_is_named_and_the_rest_is_saved(
    damage: Callable[[Bytes], None], expected: set[str], sound: Files, tmp_path: Path
) -> None:
    files = {f".{name}": bytearray(data) for name, data in sound._asdict().items()}
    damage(files)
    path = written(files, tmp_path)
    found = {problem.what for problem in CTG.check(path)}
    assert expected <= found
    losses = CTG.repair(path, tmp_path / "new.ctg")
    assert not REPAIRED & {problem.what for problem in CTG.check(tmp_path / "new.ctg")}
    kept = {record[: record[0] & 31] for _, record in Files.of(tmp_path / "new.ctg").all_records()}
    original = {record[: record[0] & 31] for _, record in sound.all_records()}
    assert kept <= original
    if "page" not in expected and "position" not in expected:
        assert kept == original
    elif damage is not count_too_large:
        assert losses, "what could not be read is in the report"
    assert len(kept) > len(original) * 0.9


@pytest.mark.parametrize(("suffix", "size"), [(".ctb", 1 << 19), (".cto", 1 << 24)])
def test_a_huge_directory_is_not_unfolded(suffix: str, size: int, sound: Files, tmp_path: Path) -> None:
    files = {f".{name}": bytearray(data) for name, data in sound._asdict().items()}
    if suffix == ".cto":
        files[suffix][4:8] = size.to_bytes(4)
    files[suffix] += b"\xff" * size
    found = [problem.text for problem in CTG.check(written(files, tmp_path)) if problem.what == "directory"]
    assert len(found) == 1
    assert "far too large" in found[0]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (change_move(0x1F), "the byte 0x1f is not the code of a move"),
        (change_move(0x59), "the byte 0x59 means a move of a piece that is not there"),
        (change_move(0x05), "the byte 0x05 means a move that is not legal"),
        (more_results, "a position has more results than games"),
    ],
)
def test_problems_say_where(damage: Callable[[Bytes], None], sentence: str, sound: Files, tmp_path: Path) -> None:
    files = {f".{name}": bytearray(data) for name, data in sound._asdict().items()}
    damage(files)
    (problem,) = CTG.check(written(files, tmp_path))
    assert str(problem) == f"book.ctg, offset {place_of(files, START)}: {sentence}"


def test_missing_directory_is_a_problem_and_comes_back(sound: Files, tmp_path: Path) -> None:
    path = written({".ctg": bytearray(sound.ctg)}, tmp_path)
    assert [problem.what for problem in CTG.check(path)] == ["directory"]
    assert not CTG.repair(path, tmp_path / "new.ctg")
    assert Files.of(tmp_path / "new.ctg") == sound


def test_what_is_lost_is_named(sound: Files, tmp_path: Path) -> None:
    files = {f".{name}": bytearray(data) for name, data in sound._asdict().items()}
    no_length(files)
    bad_position(files) if START in files[".ctg"] else None
    losses = CTG.repair(written(files, tmp_path), tmp_path / "new.ctg")
    page = next(loss for loss in losses if loss.what == "pages")
    assert page.count == 1
    assert "an empty position" in page.examples[0]


def test_a_book_is_not_repaired_into_itself(sound: Files, tmp_path: Path) -> None:
    path = written({f".{name}": bytearray(data) for name, data in sound._asdict().items()}, tmp_path)
    with pytest.raises(UsageError):
        CTG.repair(path, path, overwrite=True)
    with pytest.raises(UsageError):
        CTG.repair(path, path)
    assert Files.of(path) == sound


def test_every_name_is_documented() -> None:
    page = (ROOT / "docs" / "formats" / "ctg.md").read_text("utf-8")
    found = {what for what, _ in _SENTENCES.values()} | REPAIRED | {"directory"}
    lost = {what for what, _ in KINDS} | {"symbols", "crowded", "pages"}
    assert [what for what in sorted(found | lost) if f"`{what}`" not in page] == []


def small_book(folder: Path) -> Files:
    start = Position()
    records = [
        PositionRecord.of(start, {start.parse_san(san): 0 for san in ("e4", "d4")}, games=2, wins=2),
        *(PositionRecord.of(start.play(san), games=1, losses=1) for san in ("e4", "d4")),
    ]
    write_book(folder / "small.ctg", [columns_of_records(records)], overwrite=True)
    return Files.of(folder / "small.ctg")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage(data: st.DataObject, tmp_path: Path) -> None:
    """Bytes changed, cut and added anywhere: only TabiyaError escapes, and what repair writes is a book."""
    files = {f".{name}": bytearray(part) for name, part in small_book(tmp_path)._asdict().items()}
    for _ in range(data.draw(st.integers(1, 6))):
        part = files[data.draw(st.sampled_from([".ctg", ".ctg", ".ctb", ".cto"]))]
        records = [(place, place + 300) for place in (4096, 8192) if place < len(part)]
        begin, end = data.draw(st.sampled_from([(0, len(part)), *records]))
        place = data.draw(st.integers(begin, max(begin, min(end, len(part)) - 1)))
        new = data.draw(st.one_of(st.binary(min_size=1, max_size=4), st.sampled_from([b"\xff\xff", b"\0\0\0\0"])))
        action = data.draw(st.sampled_from(["change", "change", "change", "cut", "add"]))
        if action == "change":
            part[place : place + len(new)] = new
        elif action == "cut":
            del part[place:]
        else:
            part[place:place] = new
    path = written(files, tmp_path)
    target = tmp_path / "new.ctg"
    try:
        with open_book(path, format="ctg") as book:
            for position in (Position(), Position().play("e4"), Position().play("d4")):
                book.probe(position, transpositions=True)
            assert len(list(book.positions())) <= len(book)
        list(CTG.check(path))
        CTG.repair(path, target, overwrite=True)
    except TabiyaError:
        return
    assert not REPAIRED - {"position"} & {problem.what for problem in CTG.check(target)}
