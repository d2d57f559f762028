"""The files of a growing base: pieces of batches get their offsets, numbers and ids here, in order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np

from tabiya.chessbase.record_marks import is_text
from tabiya.errors import UnsupportedError
from tabiya.formats.cbh.bodies.blobs import PROLOG
from tabiya.formats.cbh.files import cbj, cbm, flags
from tabiya.formats.cbh.files.base_files import MAIN
from tabiya.formats.cbh.files.cbh import GAME, HEADER
from tabiya.formats.cbh.files.cbj import NO_ID
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.files.ini import DESCRIPTION, format_ini
from tabiya.formats.cbh.reading.header_window import ENTITY_KINDS
from tabiya.formats.cbh.writing.entity_ids import EntityAssigner
from tabiya.formats.cbh.writing.entity_tables import EntityTable
from tabiya.game.annotations import TextEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.binary import Records
    from tabiya.formats.cbh.writing.base_transaction import BaseTransaction
    from tabiya.formats.cbh.writing.batch_encoding import EncodedBatch

MOST_BYTES: Final = 0x7FFFFFFF
"""ChessBase's own numbers for sizes are signed with 32 bits."""
MOST_RECORDS: Final = 0xFFFFFF
"""Annotations store the number of their game in 24 bits."""


def check_size(suffix: str, size: int, path: Path) -> None:
    """Raise an error for a file that ChessBase could not use, before it is written."""
    if size > MOST_BYTES:
        raise UnsupportedError(
            f"the {suffix} file would be larger than 2 GB, more than a ChessBase database can hold; "
            "write the games into several databases",
            path=path,
        )


def count_media(header: dict[str, Any], pieces: EncodedBatch) -> None:
    """Advance the next numbers of sounds, pictures and videos past those used by these records."""
    for name, used in zip(("next_sound", "next_picture", "next_video"), pieces.media, strict=True):
        header[name] = max(int(header[name]), used + 1 if used else 0)


class BaseBuilder:
    """A base being built in temporary files."""

    def __init__(
        self,
        change: BaseTransaction,
        encoding: TextEncoding,
        title: str,
        *,
        text_encoding: TextEncoding | None = None,
    ) -> None:
        self.encoding = encoding
        self.text_encoding = text_encoding or encoding
        """The encoding of comments and titles, which in an old base may differ from that of names."""
        self.kept: frozenset[str] = frozenset()
        """Suffixes of files that remain unchanged."""
        self.has_flags = False
        """Whether there is a .flags file even if it marks no game."""
        self.count = 0
        self.entities = EntityAssigner({kind.suffix: EntityTable(kind, change.main.parent) for kind in ENTITY_KINDS})
        self.header: dict[str, Any] = dict(HEADER.decode(HEADER.encode({})))
        self.prolog_sizes = {".cbg": PROLOG.size, ".cba": PROLOG.size}
        self.wasted = {".cbg": 0, ".cba": 0}
        self.manifests = bytearray()
        self.top_games: list[NDArray[np.uint8]] = []
        self._transaction = change
        self.ini = format_ini({DESCRIPTION: {"Type": "0", "Title": title, "Usage": "1"}}, encoding)
        self._streams: dict[str, BinaryIO] = {suffix: change.open(suffix) for suffix in (MAIN, ".cbg", ".cba", ".cbj")}
        self._streams[MAIN].write(HEADER.encode({}))
        self._streams[".cbj"].write(cbj.HEADER.encode({}))
        self.sizes = {suffix: self._streams[suffix].write(PROLOG.encode({})) for suffix in (".cbg", ".cba")}

    def stream(self, suffix: str) -> BinaryIO:
        """Return the file of a suffix that is appended to: .cbh, .cbg, .cba or .cbj."""
        return self._streams[suffix]

    # Appending.

    def add(self, pieces: EncodedBatch) -> None:
        """Append the records of a batch."""
        path = self._transaction.main
        if self.count + len(pieces) > MOST_RECORDS:
            raise UnsupportedError(f"a ChessBase database holds at most {MOST_RECORDS:,} records", path=path)
        numbers = np.arange(self.count + 1, self.count + 1 + len(pieces), dtype=np.int64)
        self.entities.assign(pieces, numbers)
        games, extended = pieces.headers.games, pieces.headers.cbj
        texts = is_text(GAME.column(games, "marks"))
        for suffix, data, sizes in (
            (".cbg", pieces.moves, pieces.move_sizes),
            (".cba", [pieces.annotations], pieces.annotation_sizes),
        ):
            check_size(suffix, self.sizes[suffix] + int(sizes.sum()), path)
            places = self.sizes[suffix] + np.cumsum(sizes) - sizes
            self._put_offsets(games, extended, f"{suffix[1:]}_offset", np.where(sizes > 0, places, 0), texts)
            for part in data:
                self._streams[suffix].write(part)
            self.sizes[suffix] += int(sizes.sum())
        CBJ.put(extended, "media", self._add_manifests(pieces))
        CBJ.put(extended, "checksum", cbj.checksums(extended))
        self._streams[MAIN].write(games.tobytes())
        self._streams[".cbj"].write(extended.tobytes())
        self.top_games.append(pieces.top_games)
        count_media(self.header, pieces)
        self.count += len(pieces)

    def _put_offsets(
        self,
        games: Records,
        extended: Records,
        name: str,
        places: NDArray[np.int64],
        texts: NDArray[np.bool_],
    ) -> None:
        rows = slice(None) if name == "cbg_offset" else ~texts  # records of texts have another field there
        column = GAME.column(games, name)
        column[rows] = places[rows]
        GAME.put(games, name, column)
        CBJ.put(extended, name, places)

    def _add_manifests(self, pieces: EncodedBatch) -> NDArray[np.int64]:
        offsets = np.full(len(pieces), NO_ID, np.int64)
        for row, text in pieces.manifests.items():
            offsets[row] = cbm.HEADER.size + len(self.manifests) + cbm.RECORD_HEAD.size
            self.manifests += cbm.encode_manifest(text)
        return offsets

    # The end.

    def finish(self) -> None:
        """Write the data that is known only at the end."""
        again = 0 if self.header["generation"] == _OLD_GENERATION else self.count + 1
        self.header |= {"next_game": self.count + 1, "next_game_again": again}
        _overwrite(self._streams[MAIN], HEADER.encode(self.header))
        _overwrite(self._streams[".cbj"], cbj.HEADER.encode({"records": self.count}))
        for suffix, size in self.sizes.items():
            prolog = {
                "prolog_size": self.prolog_sizes[suffix],
                "file_size": size,
                "wasted": self.wasted[suffix],
                "file_size_64": size,
                "wasted_64": self.wasted[suffix],
            }
            _overwrite(self._streams[suffix], PROLOG.encode(prolog)[: self.prolog_sizes[suffix]])
        for suffix, table in self.entities.tables.items():
            table.write(self._transaction.open(suffix))
        self.entities.write_cbtt(self._transaction.open(".cbtt"))
        records = len(self.manifests) // cbm.RECORD_SIZE
        self._transaction.open(".cbm").write(cbm.HEADER.encode({"records": records}) + self.manifests)
        if ".ini" not in self.kept:
            self._transaction.open(".ini").write(self.ini)
        marks = np.concatenate([*self.top_games, np.zeros(0, np.uint8)])
        if self.has_flags or marks.any():
            self._transaction.open(".flags").write(flags.encode_top_games(marks))


_OLD_GENERATION: Final = 0x24


def _overwrite(stream: BinaryIO, head: bytes) -> None:
    stream.seek(0)
    stream.write(head)
