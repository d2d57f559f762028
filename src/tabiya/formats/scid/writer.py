"""A Scid database being written: game data and index as they come, names at the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Final

import numpy as np

from tabiya.errors import UnsupportedError, UsageError
from tabiya.files.file_bytes import gathered
from tabiya.files.file_errors import errors_of
from tabiya.files.transaction import refuse_existing
from tabiya.formats.loss_counting import fit
from tabiya.formats.scid import SCID4, SCID5
from tabiya.formats.scid.base_files import target_of
from tabiya.formats.scid.base_transaction import change_base
from tabiya.formats.scid.batch_encoding import EncodedGames, encode_batch
from tabiya.formats.scid.database import ScidDatabase
from tabiya.formats.scid.index_file import HEADER, SI3, SI4, SI5, Generation, encode_entries
from tabiya.formats.scid.name_file import KINDS, ROLES, encode_names
from tabiya.formats.writer import Encoded, Writer

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.files.transaction import Transaction
    from tabiya.formats.database import Database
    from tabiya.formats.format import Format
    from tabiya.game import GameBatch, RecordKind

BLOCK: Final = 131_072
"""Block size of the game data; no game crosses a block border."""
_PADDING: Final = bytes(BLOCK)
WINDOW: Final = 65536
"""Number of entries read at a time."""
_DESCRIPTION, _FLAG_NAME = 107, 8
"""Maximum lengths in si4."""


def check_writable(generation: Generation, path: Path) -> None:
    """Raise an error for a base of a read-only generation."""
    if generation is SI3:
        raise UnsupportedError("si3 is only read; convert the database to si4 or si5", path=path)


class BaseBuilder:
    """The files of a base being built."""

    def __init__(self, transaction: Transaction, generation: Generation) -> None:
        self.generation = generation
        self.about: dict[str, str] = {"type": "0", "autoload": "1"}
        self.count = 0
        self._transaction = transaction
        self._games: BinaryIO = transaction.open(generation.games)
        self._index: BinaryIO = transaction.open(generation.index)
        self._index.write(bytes(generation.header_size))
        self._size = 0
        self._names: tuple[list[bytes], ...] = ([], [], [], [])
        self._ids: tuple[dict[bytes, int], ...] = ({}, {}, {}, {})
        """By name; of equal names, which only a damaged base has, the first."""
        self._uses = [np.zeros(0, np.int64) for _ in KINDS]

    def follow(self, base: ScidDatabase) -> None:
        """Copy the descriptive data of a base."""
        self.about = {key: text for key, text in base.about.items() if text}

    def take_over(self, base: ScidDatabase) -> None:
        """Copy the game data and the names of a base, byte by byte, but not its index."""
        self.follow(base)
        self._games.writelines(base.file(self.generation.games).chunks())
        self._size = len(base.file(self.generation.games))
        for known, ids, names in zip(self._names, self._ids, base.names.lists, strict=True):
            known.extend(names.bytes_of())
            ids.update(zip(reversed(known), range(len(known) - 1, -1, -1), strict=True))

    def entries_of(self, base: ScidDatabase, start: int) -> Any:
        """Return a window of entries of the copied base; those that refer to no name get an empty one."""
        entries = base.entries(start, start + WINDOW)
        for role, kind in ROLES.items():
            nameless = entries[role] >= len(base.names.lists[kind])
            if nameless.any():
                entries[role][nameless] = self.identify(kind, [b""], np.zeros(1, np.int64))[0]
        return entries

    def continue_from(self, base: ScidDatabase) -> None:
        """Copy everything from a base."""
        self.take_over(base)
        for start in range(0, len(base), WINDOW):
            self.add_entries(self.entries_of(base, start))

    def add(self, games: EncodedGames) -> None:
        """Add games."""
        self.add_entries(self.resolve(games))

    def resolve(self, games: EncodedGames) -> Any:
        """Write the data of games, and return their entries with offsets and ids."""
        entries = games.entries
        lengths = np.diff(games.ends)
        entries["length"] = lengths
        entries["offset"] = self._place(games.data, games.ends, lengths)
        self._refer(entries, games.names)
        return entries

    def copy(self, base: ScidDatabase, entries: Any, lists: list[list[bytes]]) -> None:
        """Add games of another base with their stored data.

        ``lists`` contains its names, followed for each kind by one for games that refer to none of them.
        """
        data, begins = gathered(
            base.file(base.generation.games), entries["offset"].astype(np.int64), entries["length"].astype(np.int64)
        )
        view, lengths = memoryview(data.tobytes()), entries["length"].astype(np.int64)
        pieces = [view[begin:end] for begin, end in zip(begins.tolist(), (begins + lengths).tolist(), strict=True)]
        ends = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        entries["offset"] = self._place(b"".join(pieces), ends, lengths)
        names = {
            role: (lists[kind], np.minimum(entries[role].astype(np.int64), len(lists[kind]) - 1))
            for role, kind in ROLES.items()
        }
        self._refer(entries, names)
        self.add_entries(entries)

    def _refer(self, entries: Any, names: dict[str, tuple[list[bytes], NDArray[np.int64]]]) -> None:
        """Set the ids of names in entries: by role, distinct names and the index of each game's name."""
        entries["white"], entries["black"] = self._players(*names["white"], *names["black"])
        for role in ("event", "site", "round"):
            entries[role] = self.identify(ROLES[role], *names[role])

    def add_entries(self, entries: Any) -> None:
        """Add entries whose games and names are already stored."""
        self.count += len(entries)
        if self.count > self.generation.most_games:
            raise UnsupportedError(self._too_many(f"{self.generation.most_games:,} games"))
        for role, kind in ROLES.items():
            uses = np.bincount(entries[role].astype(np.int64), minlength=len(self._uses[kind]))
            uses[: len(self._uses[kind])] += self._uses[kind]
            self._uses[kind] = uses
        self._index.write(encode_entries(self.generation, entries))

    def _too_many(self, what: str) -> str:
        more = "; si5 can hold more" if self.generation is not SI5 else ""
        return f"a database of this kind cannot hold more than {what}{more}"

    def _place(self, data: bytes, ends: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        """Write game data, and return where each game begins; one that does not fit into a block begins the next."""
        offsets = np.empty(len(lengths), np.int64)
        begin, view = 0, memoryview(data)
        while begin < len(lengths):
            space = BLOCK - self._size % BLOCK
            end = int(np.searchsorted(ends, ends[begin] + space, side="right")) - 1
            if end <= begin and lengths[begin]:
                self._games.write(_PADDING[:space])
                self._size += space
                continue
            end = max(end, begin + 1)
            offsets[begin:end] = self._size + ends[begin:end] - ends[begin]
            self._games.write(view[ends[begin] : ends[end]])
            self._size += int(ends[end] - ends[begin])
            begin = end
        if self._size > self.generation.most_data:
            raise UnsupportedError(self._too_many(f"{self.generation.most_data >> 30:,} GB of game data"))
        return offsets

    def _players(
        self, white: list[bytes], whites: NDArray[np.int64], black: list[bytes], blacks: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the ids of both players; names get theirs in the order of the games, White first."""
        places = np.empty(2 * len(whites), np.int64)
        places[0::2], places[1::2] = whites, blacks + len(white)
        ids = self.identify(0, [*white, *black], places)
        return ids[0::2], ids[1::2]

    def identify(self, kind: int, names: list[bytes], places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the ids of names; new ones get theirs in the order of first use."""
        ids, known = self._ids[kind], self._names[kind]
        used, first = np.unique(places, return_index=True)
        numbers = np.zeros(len(names), np.int64)
        for place in used[np.argsort(first)].tolist():
            numbers[place] = ids.setdefault(names[place], len(known))
            if numbers[place] == len(known):
                known.append(names[place])
        if len(known) > self.generation.most_names[kind]:
            raise UnsupportedError(self._too_many(f"{self.generation.most_names[kind]:,} different {KINDS[kind]}"))
        return numbers[places]

    def rename(self, kind: int, changes: dict[int, bytes]) -> NDArray[np.int64]:
        """Rename some ids, and return the new id of each: every name is stored only once."""
        names, ids = self._names[kind], self._ids[kind]
        numbers = np.arange(len(names))
        for number, name in changes.items():
            there = ids.get(name)
            if there is not None and there != number:
                numbers[number] = there
                continue
            if ids.get(names[number]) == number:
                del ids[names[number]]
            names[number] = name
            ids[name] = number
        return numbers

    def finish(self) -> tuple[str, ...]:
        """Write names and header; afterwards the files are complete.

        Returns:
            Sentences about data that the header cannot store.
        """
        for kind, known in enumerate(self._names):
            self._uses[kind] = np.pad(self._uses[kind], (0, len(known) - len(self._uses[kind])))
        info = {key: text.encode() for key, text in self.about.items() if text != _DEFAULTS.get(key, "")}
        names = encode_names(self.generation, self._names, tuple(self._uses), info)
        self._transaction.open(self.generation.names).write(names)
        if self.generation is SI5:
            return ()
        flags = b"".join(_cut(self.about.get(f"flag{n}", ""), _FLAG_NAME).ljust(9, b"\0") for n in range(1, 7))
        header = {
            "type": _number(self.about.get("type", ""), 0),
            "games": self.count,
            "autoload": _number(self.about.get("autoload", ""), 1),
            "description": _cut(self.about.get("description", ""), _DESCRIPTION),
            "flag_names": flags,
        }
        self._index.seek(0)
        self._index.write(HEADER.encode({"magic": HEADER["magic"].default, "version": 400, **header}))
        limits = {"description": ("the description", _DESCRIPTION)}
        limits |= {f"flag{n}": (f"the name of flag {n}", _FLAG_NAME) for n in range(1, 7)}
        return tuple(
            f"{what} was cut to at most {longest} bytes: si4 cannot hold more"
            for key, (what, longest) in limits.items()
            if len(self.about.get(key, "").encode()) > longest
        )


_DEFAULTS: Final = {"type": "0", "autoload": "1"}


def _cut(text: str, longest: int) -> bytes:
    return text.encode()[:longest].decode(errors="ignore").encode()


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else default


def _check_description(text: str | None, generation: Generation) -> None:
    """Raise an error for a description that a base would not store exactly."""
    size = len((text or "").encode())
    if "\0" in (text or ""):
        raise UsageError("a description cannot hold the character 0")
    if generation is not SI5 and size > _DESCRIPTION:
        raise UsageError(f"the description of a base of si4 has at most {_DESCRIPTION} bytes, and this one has {size}")


class Scid4Writer(Writer):
    """Write a Scid base: si4, or si5 if the target has its suffix.

    ``append`` adds to a base; its files are copied first, so that the base is replaced in one step.
    """

    _described: ClassVar[Format] = SCID4
    _usual: ClassVar[Generation] = SI4

    def __init__(
        self,
        place: Path,
        *,
        overwrite: bool = False,
        strict: bool = False,
        append: bool = False,
        description: str | None = None,
    ) -> None:
        with errors_of(place):
            generation, paths = target_of(place, self._usual)
            check_writable(generation, place)
            index = paths[generation.index]
            for path in () if append else reversed(paths.values()):
                refuse_existing(path, overwrite=overwrite)
            _check_description(description, generation)
            self._transaction = change_base(generation, paths, overwrite=overwrite or append)
        super().__init__(index, self._described, strict=strict)
        self._description = description
        self._appends = append and any(path.exists() for path in paths.values())
        try:
            self._builder = BaseBuilder(self._transaction, generation)
            if self._appends:
                with ScidDatabase(index) as base:
                    self._builder.continue_from(base)
        except BaseException:
            self._transaction.discard()
            raise

    def _is_same_kind(self, database: Database) -> bool:
        return isinstance(database, ScidDatabase)

    def _follow(self, database: Database) -> None:
        if isinstance(database, ScidDatabase) and not self._appends:
            self._builder.follow(database)

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - records are independent
        # Chess960 games are rejected one by one: si4 can store those without castling rights.
        fitting, losses = fit(batch, replace(self._keeps, chess960=True))
        if not len(fitting):
            return Encoded(None, 0, losses)
        games, more = encode_batch(fitting, self._builder.generation)
        return Encoded(games, len(games), losses + more)

    def _put(self, content: EncodedGames) -> None:
        self._builder.add(content)

    def _commit(self) -> None:
        if self._description is not None:
            self._builder.about["description"] = self._description
        self._remarks = self._builder.finish()
        self._transaction.commit()

    def _discard(self) -> None:
        self._transaction.discard()


class Scid5Writer(Scid4Writer):
    """Write a Scid base: si5, or si4 if the target has its suffix."""

    _described = SCID5
    _usual = SI5
