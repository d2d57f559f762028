"""What a reader leaves out is a loss, in whatever format: it is counted, and a strict conversion does not happen."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

import tabiya
from tabiya.errors import LossError
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.losses import MAX_EXAMPLES
from tabiya.formats.pgn import source
from tabiya.formats.registry import left_out, sentences
from tests.formats.corpus import batch_of, tape
from tests.formats.memory_format import BARE, FULL

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LEFT_OUT, SENTENCES = left_out(), sentences()

GAME = '[Event "{n}"]\n\n1. e4 e5 2. Nf3 *\n\n'


def too_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(source, "LONGEST_GAME", 1 << 16)
    monkeypatch.setattr(source, "CHUNK_BYTES", 1 << 12)
    monkeypatch.setattr(source, "_BLOCK_BYTES", 1 << 12)
    path = folder / "long.pgn"
    path.write_text(GAME.format(n=1) + '[Event "long"]\n\n1. e4 {' + "x " * 100_000 + "} *\n\n" + GAME.format(n=3))
    return path


def damaged_gzip(folder: Path, _: pytest.MonkeyPatch) -> Path:
    path = folder / "cut.pgn.gz"
    path.write_bytes(gzip.compress("".join(GAME.format(n=n) for n in range(1000)).encode())[:-400])
    return path


def damaged_archive(folder: Path, _: pytest.MonkeyPatch) -> Path:
    path = folder / "damaged.cbv"
    with tabiya.create(path) as writer:
        writer.write([batch_of([{"moves": tape("e2e4 e7e5")}])])
    data = bytearray(path.read_bytes())
    with Archive(path) as archive:
        member = next(member for member in archive.members if member.name.lower().endswith(".cbg"))
    data[member.offset + member.packed - 1] ^= 0x10
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("target", ["a.pgn", "a.bcgn", "a.cbh"])
@pytest.mark.parametrize(
    ("make", "code", "game"), [(too_long, 4, 2), (damaged_gzip, 5, None), (damaged_archive, 142, 0)]
)
class TestConversion:
    def test_it_is_in_the_report(
        self,
        make: Callable[[Path, pytest.MonkeyPatch], Path],
        code: int,
        game: int | None,
        target: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        report = tabiya.convert(make(tmp_path, monkeypatch), tmp_path / target)
        loss = report.losses.get("left-out")
        assert loss is not None
        assert (loss.count, loss.examples) == (1, (LEFT_OUT[code],))
        assert game is None or loss.first_game == game
        assert str(report.losses).splitlines()[1].startswith("parts of the source that could not be read")

    def test_nothing_is_written_if_strict(
        self,
        make: Callable[[Path, pytest.MonkeyPatch], Path],
        code: int,
        game: int | None,
        target: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path = make(tmp_path, monkeypatch)
        before = sorted(tmp_path.iterdir())
        with pytest.raises(LossError, match=LEFT_OUT[code]):
            tabiya.convert(path, tmp_path / target, strict=True)
        assert sorted(tmp_path.iterdir()) == before


def test_a_database_handed_to_a_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        tabiya.open(damaged_archive(tmp_path, monkeypatch)) as database,
        tabiya.create(tmp_path / "a.full", format=FULL) as writer,
    ):
        writer.write(database)
    assert writer.losses.get("left-out") is not None


def test_records_of_any_format_and_batches_of_any_size(tmp_path: Path) -> None:
    cut = [{"code": code, "offset": None, "text": ""} for code in LEFT_OUT]
    batch = batch_of([{"problems": [{"code": 1, "offset": 0, "text": ""}]}, {}, {"problems": cut}, {"problems": cut}])
    reports = []
    for name, batches in (("a", [batch]), ("b", [batch.slice(n, 1) for n in range(len(batch))])):
        with tabiya.create(tmp_path / f"{name}.full", format=FULL) as writer:
            writer.write(batches)
        reports.append(writer.losses)
    assert reports[0] == reports[1]
    (loss,) = reports[0]
    assert (loss.count, loss.first_game) == (2 * len(LEFT_OUT), 3)
    assert loss.examples == tuple(LEFT_OUT.values())[:MAX_EXAMPLES]


def test_of_some_batches_nothing_is_written(tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "a.bare", format=BARE) as writer:
        for rows in ([{"kind": 1}, {"kind": 2}], [{}, {"kind": 1}], [{"kind": 2}]):
            writer.write(batch_of(rows))
    assert writer.written == 1


def test_a_problem_that_is_a_repair_is_no_loss(tmp_path: Path) -> None:
    repairs = [{"code": code, "offset": 0, "text": ""} for code in SENTENCES if code not in LEFT_OUT]
    with tabiya.create(tmp_path / "a.full", format=FULL, strict=True) as writer:
        writer.write(batch_of([{"problems": repairs}]))
    assert not writer.losses


def test_sentences_that_say_so() -> None:
    assert {code for code, sentence in SENTENCES.items() if "left out" in sentence} <= LEFT_OUT.keys()
    assert LEFT_OUT.keys() <= SENTENCES.keys()
