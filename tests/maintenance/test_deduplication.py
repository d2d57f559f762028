"""What is done about duplicates: left out, set aside, marked, or nothing at all."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

import tabiya
from tabiya.errors import FormatError, TabiyaError, UsageError
from tabiya.maintenance import remove_records, reviewed_numbers

GAME = '[White "{white}"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 {note} 1-0\n\n'


def game(white: str, note: str = "") -> str:
    return GAME.format(white=white, note=note)


@pytest.fixture
def twice(tmp_path: Path) -> Path:
    path = tmp_path / "twice.pgn"
    path.write_text(game("A") + game("C") + game("A", "{Good!}") + game("A") + game("D"))
    return path


def whites(path: Path) -> list[str | None]:
    with tabiya.open(path) as database:
        return [each.tags.get("White") for each in database if not each.deleted]


def test_nothing_happens_by_itself(twice: Path) -> None:
    before = twice.read_bytes()
    report = tabiya.dedupe(twice)
    assert report.duplicates is not None
    assert report.duplicates.numbers.tolist() == [1, 4]
    assert (report.removed, report.written, report.set_aside, report.marked) == (2, None, None, ())
    assert [*twice.parent.iterdir()] == [twice]
    assert twice.read_bytes() == before


def test_left_out_and_set_aside(twice: Path, tmp_path: Path) -> None:
    rest, twins = tmp_path / "rest.pgn", tmp_path / "twins.pgn"
    report = tabiya.dedupe(twice, rest, twins=twins, threads=2)
    assert whites(rest) == ["C", "A", "D"]
    assert "Good!" in rest.read_text()
    assert whites(twins) == ["A", "A"]
    assert report.clean
    assert report.as_dict()["written"]["written"] == 3
    assert report.as_dict()["set_aside"]["written"] == 2


@pytest.mark.parametrize("suffix", [".cbh", ".tabiya", ".pgn"])
def test_marked(twice: Path, tmp_path: Path, suffix: str) -> None:
    base = tmp_path / f"base{suffix}"
    tabiya.convert(twice, base)
    assert tabiya.dedupe(base, mark=True, dry_run=True).removed == 2
    assert len(whites(base)) == 5
    report = tabiya.dedupe(base, mark=True)
    assert report.marked == (str(base),)
    assert whites(base) == ["C", "A", "D"]
    assert tabiya.dedupe(base, mark=True).removed == 0


def test_marked_where_they_come_from(twice: Path, tmp_path: Path) -> None:
    bases = [tmp_path / "one.tabiya", tmp_path / "two.cbh"]
    for base in bases:
        tabiya.convert(twice, base)
    report = tabiya.dedupe(bases, mark=True)
    assert report.removed == 7
    assert [whites(base) for base in bases] == [["C", "A", "D"], []]


def test_formats_without_marks(twice: Path, tmp_path: Path) -> None:
    tabiya.convert(twice, tmp_path / "twice.bcgn")
    with pytest.raises(UsageError, match="cannot edit"):
        tabiya.dedupe([tmp_path / "twice.bcgn"], mark=True, match="exact")


def test_a_dry_run_writes_nothing(twice: Path, tmp_path: Path) -> None:
    report = tabiya.dedupe(twice, tmp_path / "rest.pgn", twins=tmp_path / "twins.pgn", dry_run=True)
    assert report.removed == 2
    assert [*tmp_path.iterdir()] == [twice]


def test_targets_that_are_in_the_way(twice: Path, tmp_path: Path) -> None:
    rest = tmp_path / "rest.pgn"
    with pytest.raises(UsageError, match="two names"):
        tabiya.dedupe(twice, rest, twins=rest)
    rest.write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        tabiya.dedupe(twice, rest)
    with pytest.raises(UsageError, match="already exists"):
        tabiya.dedupe(twice, twins=rest)
    with pytest.raises(UsageError, match="also the source"):
        tabiya.dedupe(twice, twice, overwrite=True)
    assert rest.read_text() == "mine"
    tabiya.dedupe(twice, rest, overwrite=True)
    assert whites(rest) == ["C", "A", "D"]


def test_a_stream_is_read_once(twice: Path, tmp_path: Path) -> None:
    with twice.open("rb") as stream, pytest.raises(UsageError, match="stream"):
        tabiya.dedupe(stream, tmp_path / "rest.pgn")
    with twice.open("rb") as stream:
        assert tabiya.dedupe(stream).removed == 2


def test_a_choice_of_records(twice: Path, tmp_path: Path) -> None:
    with tabiya.open(twice) as database:
        report = tabiya.dedupe(database.excerpt("2-4"), tmp_path / "rest.pgn")
    assert report.duplicates is not None
    assert report.duplicates.numbers.tolist() == [4]
    assert whites(tmp_path / "rest.pgn") == ["C", "A"]


def test_a_reviewed_report(twice: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text("group,role,number\n1,kept,3\n1,twin,4\n1,no,1\n", "utf-8-sig")
    numbers = reviewed_numbers(path)
    assert numbers == [4]
    assert remove_records(twice, numbers, tmp_path / "rest.pgn").removed == 1
    assert whites(tmp_path / "rest.pgn") == ["A", "C", "A", "D"]


@pytest.mark.parametrize(
    ("rows", "match"),
    [("1,twin,4,C,B", "record 4 is not C - B here"), ("1,twin,4,A,C", "4"), ("1,twin,6,A,B", "no record 6 here")],
)
def test_a_report_of_other_games(twice: Path, tmp_path: Path, rows: str, match: str) -> None:
    path = tmp_path / "report.csv"
    path.write_text(f"group,role,number,white,black\n1,twin,1,A,B\n{rows}\n")
    with tabiya.open(twice) as database, pytest.raises(FormatError, match=match):
        reviewed_numbers(path, database)
    path.write_text("group,role,number,white,black\n1,twin,1,A,B\n1,kept,3,A,B\n1,twin,4,A,B\n")
    with tabiya.open(twice) as database:
        assert reviewed_numbers(path, database) == [1, 4]


def test_twins_are_not_set_aside_if_the_rest_is_refused(twice: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="also the source"):
        tabiya.dedupe(twice, twice, twins=tmp_path / "twins.pgn", overwrite=True)
    assert [*tmp_path.iterdir()] == [twice]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_report_that_a_spreadsheet_has_saved(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "report.csv"
    path.write_text("group,role,number\r\n1,kept,3\r\n1,twin,4\r\n".replace(",", delimiter), "utf-8-sig")
    assert reviewed_numbers(path) == [4]


def test_nothing_is_marked_in_an_archive(twice: Path, tmp_path: Path) -> None:
    packed = tmp_path / "twice.zip"
    with ZipFile(packed, "w") as archive:
        archive.write(twice, "twice.pgn")
    with pytest.raises(UsageError, match="in an archive or on a server"):
        tabiya.dedupe(packed, mark=True)


@pytest.mark.parametrize("number", ["0", "-4", "9" * 20])
def test_numbers_that_no_record_has(tmp_path: Path, number: str) -> None:
    path = tmp_path / "report.csv"
    path.write_text(f"role,number\ntwin,{number}\n")
    with pytest.raises(FormatError, match="line 2"):
        reviewed_numbers(path)


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "role,number\ntwin,x\n", "role,number\ntwin\n"])
def test_no_report_at_all(text: str, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"report|line 2"):
        reviewed_numbers(path)


def test_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(TabiyaError):
        reviewed_numbers(tmp_path / "report.csv")
    (tmp_path / "report.csv").write_bytes(b"role,number\n\xff\xfe,1\n")
    with pytest.raises(TabiyaError):
        reviewed_numbers(tmp_path / "report.csv")
