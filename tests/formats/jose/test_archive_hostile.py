"""Archives of jose that are damaged, or made to do harm."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import CorruptError, TabiyaError
from tabiya.formats.jose.myisam import Table, pack_block
from tests.conftest import ROOT
from tests.formats.corpus import corpus
from tests.formats.jose.test_archive import CONTAINERS, members, read, tar_of, write

DATA = ROOT / "tests" / "data" / "jose"


class TestHostile:
    def archive(self, tmp_path: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
        write(tmp_path / "a.jose", corpus())
        files = members(tmp_path / "a.jose")
        change(files)
        (tmp_path / "b.jose").write_bytes(gzip.compress(tar_of(files)))
        return tmp_path / "b.jose"

    @pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a\\b", "C:x", "x/IO_Game.MYD"])
    def test_names_that_leave_the_archive(self, tmp_path: Path, name: str) -> None:
        path = self.archive(tmp_path, lambda files: files.update({name: b""}))
        with pytest.raises(CorruptError, match="it has a member"):
            tabiya.open(path)

    def test_links(self, tmp_path: Path) -> None:
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w") as archive:
            member = tarfile.TarInfo("IO_Game.MYD")
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(member)
        (tmp_path / "a.jose").write_bytes(stream.getvalue())
        with pytest.raises(CorruptError, match="is not a plain file"):
            tabiya.open(tmp_path / "a.jose")

    @pytest.mark.parametrize("kind", ["tar in gzip", "zip"])
    def test_bombs(self, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tabiya.formats.jose.container._FREE_BYTES", 1 << 16)
        (tmp_path / "a.jose").write_bytes(CONTAINERS[kind]({"MetaInfo.MYD": bytes(4 << 20)}))
        with pytest.raises(CorruptError, match="unpacks to far more"):
            tabiya.open(tmp_path / "a.jose")

    @pytest.mark.parametrize(
        "kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_SPARSE]
    )
    def test_long_headers(self, tmp_path: Path, kind: bytes) -> None:
        """The library reads what stands behind these headers into memory, whatever its size."""
        member = tarfile.TarInfo("MetaInfo.MYD")
        member.type, member.size = kind, 8 << 30
        (tmp_path / "a.jose").write_bytes(gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 20)))
        with pytest.raises(CorruptError, match="is not a plain file"):
            tabiya.open(tmp_path / "a.jose", format="jose")

    def test_members_that_nobody_wants(self, tmp_path: Path) -> None:
        member = tarfile.TarInfo("junk")
        member.size = 8 << 30
        (tmp_path / "a.jose").write_bytes(gzip.compress(member.tobuf() + bytes(1 << 20)))
        with pytest.raises(CorruptError, match="unpacks to far more"):
            tabiya.open(tmp_path / "a.jose", format="jose")

    def test_members_with_long_names_of_another_tar(self, tmp_path: Path) -> None:
        """Other programs put times and owners into headers of their own: those are short."""
        write(tmp_path / "a.jose", corpus())
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, data in members(tmp_path / "a.jose").items():
                member = tarfile.TarInfo(name)
                member.size, member.pax_headers = len(data), {"comment": "größer"}
                archive.addfile(member, io.BytesIO(data))
        (tmp_path / "b.jose").write_bytes(stream.getvalue())
        assert read(tmp_path / "b.jose", format="jose") == read(tmp_path / "a.jose")

    def test_missing_tables(self, tmp_path: Path) -> None:
        path = self.archive(tmp_path, lambda files: files.pop("IO_Player.MYD"))
        with pytest.raises(CorruptError, match=r"IO_Player\.MYD is missing"):
            tabiya.open(path)

    def test_another_number_of_columns(self, tmp_path: Path) -> None:
        path = self.archive(tmp_path, lambda files: files.update({"IO_Game.MYI": files["IO_Player.MYI"]}))
        with pytest.raises(CorruptError, match="the 2 columns of table IO_Game do not match those of jose"):
            tabiya.open(path)

    def test_columns_of_another_kind(self, tmp_path: Path) -> None:
        """Damage of the index must not make a text of a number."""

        def change(files: dict[str, bytes]) -> None:
            header = int.from_bytes(files["IO_Opening.MYI"][6:8], "big")
            index = bytearray(files["IO_Opening.MYI"])
            table = Table.of("IO_Opening", bytes(index), b"")
            first = header - 7 * len(table.columns)
            assert index[first : first + 4] == b"\0\3\0\4"
            index[first + 1] = 1
            files["IO_Opening.MYI"] = bytes(index)

        with pytest.raises(CorruptError, match="the 5 columns of table IO_Opening do not match those of jose"):
            tabiya.open(self.archive(tmp_path, change))

    def test_numbers_that_are_null(self, tmp_path: Path) -> None:
        def change(files: dict[str, bytes]) -> None:
            table = Table.of("IO_Game", files["IO_Game.MYI"], files["IO_Game.MYD"])
            header = int.from_bytes(files["IO_Game.MYI"][6:8], "big")
            index = bytearray(files["IO_Game.MYI"])
            elo = table.columns[7]
            result = header - 7 * len(table.columns) + 7 * 4
            index[result + 4 : result + 7] = bytes((elo.null_bit, *elo.null_byte.to_bytes(2, "big")))
            files["IO_Game.MYI"] = bytes(index)

        games = read(self.archive(tmp_path, change))
        assert {problem.code for game in games if not game.tags.get("White") for problem in game.problems} == {169}

    def test_a_row_that_makes_no_sense(self, tmp_path: Path) -> None:
        def change(files: dict[str, bytes]) -> None:
            table = Table.of("IO_Game", files["IO_Game.MYI"], files["IO_Game.MYD"])
            second = list(table.places())[1]
            data = bytearray(files["IO_Game.MYD"])
            data[second + 1 : second + 3] = b"\0\1"
            data[second + 3] = (data[second + 3] + table.data[second + 2]) & 0xFF
            files["IO_Game.MYD"] = bytes(data)

        with tabiya.open(self.archive(tmp_path, change)) as database:
            games = list(database)
            assert games[0].tags["White"] == "Morphy, Paul"
            assert any(problem.code == 169 for game in games for problem in game.problems) or database.problems
            assert {problem.code for problem in database.problems} <= {167}

    def test_a_row_that_points_to_itself(self) -> None:
        files = members(DATA / "games.jose")
        loop = b"\5\0\x20\0\x01" + bytes(8) + b"x" + bytes(20)
        table = Table.of("IO_Game", files["IO_Game.MYI"], loop)
        with pytest.raises(CorruptError, match=r"has no end|is truncated"):
            table.row(0)

    def test_rows_that_share_a_long_chain(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Forty rows of a few bytes that lead to one part of 40 kB: what is read stays a multiple of the table."""
        monkeypatch.setattr("tabiya.formats.jose.myisam._FREE_BYTES", 0)
        files = members(DATA / "games.jose")
        whole = Table.of("IO_Game", files["IO_Game.MYI"], files["IO_Game.MYD"])
        values = list(whole.row(next(whole.places())))
        values[-1] = b"x" * 40_000
        packed = whole.pack(values)
        shared = b"\7" + len(packed[7:]).to_bytes(2) + packed[7:]
        head = b"\5" + len(packed).to_bytes(2) + (7).to_bytes(2) + (40 * 20).to_bytes(8) + packed[:7]
        alone = pack_block(whole.pack(whole.row(next(whole.places()))))
        table = Table.of("IO_Game", files["IO_Game.MYI"], head * 40 + shared + alone)
        for _ in range(2):  # whoever asks again gets the same
            places = list(table.places())
            assert places[:40] == list(range(0, 800, 20))
            assert table.row(places[-1]) == whole.row(next(whole.places()))
            sizes = []
            for place in places[:40]:
                try:
                    sizes.append(len(table.row(place)[-1]))
                except CorruptError as error:
                    assert "shares its parts with too many other rows" in str(error)
            assert sizes == [40_000] * 5

    def test_it_breaks_off(self, tmp_path: Path) -> None:
        write(tmp_path / "a.jose", corpus())
        data = (tmp_path / "a.jose").read_bytes()
        for size in range(0, len(data), 97):
            (tmp_path / "b.jose").write_bytes(data[:size])
            with pytest.raises(TabiyaError):
                tabiya.open(tmp_path / "b.jose", format="jose")
