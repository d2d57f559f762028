"""The description of a format: one frozen object that everything generic is derived from.

Importing a description must be cheap, because pyarrow alone takes half of the start-up time of the command line. So the
reader, the writer and other functions are ``Lazy``: they are imported on first use.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol, TypeAlias

from tabiya.formats.description import HEAD_BYTES as HEAD_BYTES
from tabiya.formats.description import Description
from tabiya.formats.description import Lazy as Lazy
from tabiya.formats.description import Match as Match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tabiya.formats.capabilities import Keeps
    from tabiya.formats.database import Database
    from tabiya.formats.editor import DatabaseEditor
    from tabiya.formats.operations.conversion import GameProblem
    from tabiya.formats.operations.whole_database import Compacted, Copied, Extracted, Merged
    from tabiya.formats.progress import Progress
    from tabiya.formats.url import Url
    from tabiya.formats.writer import Writer
    from tabiya.game import GameBatch

Place: TypeAlias = "Path | BinaryIO"
"""Location of a database: a path, or a binary stream for formats with ``streams``."""


class Opener(Protocol):
    """Opens a database; without ``streams`` the place is always a path.

    Options are keyword-only and listed in the signature, never ``**options``: error messages list their names.
    """

    def __call__(self, place: Place, /) -> Database: ...


class Creator(Protocol):
    """Creates a writer; besides ``overwrite`` and ``strict`` it may take keyword-only options, all in the signature."""

    def __call__(self, place: Place, /, *, overwrite: bool = False, strict: bool = False) -> Writer: ...


class UrlOpener(Protocol):
    """Opens a database on a server."""

    def __call__(self, url: Url, /) -> Database: ...


class UrlCreator(Protocol):
    """Creates a writer into a database on a server."""

    def __call__(self, url: Url, /, *, overwrite: bool = False, strict: bool = False) -> Writer: ...


class Checker(Protocol):
    """Yields all problems of an open database of the format; see ``tools.check``."""

    def __call__(
        self, database: Any, /, *, threads: int = 1, progress: Callable[[Progress], None] | None = None
    ) -> Iterator[GameProblem]: ...


class Census(Protocol):
    """Counts facts about the bytes of a database while its records are read; see ``Verification.report``."""

    def add(self, batch: GameBatch) -> None: ...
    def facts(self) -> dict[str, Any]: ...


class CensusMaker(Protocol):
    """Returns a census of a database; None if it has none, for example for a part of one."""

    def __call__(self, database: Any, /) -> Census | None: ...


class Compacter(Protocol):
    """Rewrites a database; see ``tools.compact``."""

    def __call__(self, path: Path, /, *, keep_deleted: bool = False, threads: int = 1) -> Compacted: ...


class Copier(Protocol):
    """Copies all files of a database; see ``tools.copy``."""

    def __call__(self, path: Path, target: Path, /, *, overwrite: bool = False) -> Copied: ...


class Editing(Protocol):
    """Opens a database for changes in place; see ``tools.edit``."""

    def __call__(self, path: Path, /) -> DatabaseEditor: ...


class Rebuilder(Protocol):
    """Rebuilds everything that is stored beside the games of a database; see ``tools.rebuild``."""

    def __call__(
        self, path: Path, /, *, threads: int = 1, progress: Callable[[Progress], None] | None = None
    ) -> int: ...


class Merger(Protocol):
    """Merges all segments of a database into one; see ``tools.merge_segments``."""

    def __call__(self, path: Path, /) -> Merged: ...


class Packer(Protocol):
    """Packs a database into an archive; see ``tools.pack``."""

    def __call__(
        self, path: Path, target: Path, /, *, overwrite: bool = False, password: str | None = None
    ) -> list[str]: ...


class Extractor(Protocol):
    """Unpacks an archive, or lists its contents; see ``tools.extract``."""

    def __call__(
        self,
        path: Path,
        folder: Path | None,
        /,
        *,
        overwrite: bool = False,
        password: str | None = None,
        limit: int | None = None,
    ) -> Extracted: ...


@dataclass(frozen=True, slots=True)
class Profile:
    """A way of writing a format that stores less than the default; selected with ``profile=name``."""

    name: str
    title: str
    keeps: Keeps


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a reader or writer. The command line has it too: ``shift_dates`` is ``--shift-dates``.

    An option has the same meaning in every format that has it.
    """

    name: str
    """Name of the keyword in Python."""
    help: str
    """One sentence, used in the help of the command line and in the documentation."""
    type: type[str | int] = str
    """``str``, ``int``, or ``bool`` for a switch."""
    metavar: str = "NAME"
    """Placeholder for the value in the help."""
    command_line: bool = True
    """Whether commands offer it unchanged. They prompt for passwords, and have a ``--strict`` of their own."""
    on: bool = False
    """Whether a ``bool`` is on by default and can be switched off: ``positions=False`` or ``--no-positions``."""


APPEND: Final = Option("append", "Add to the target if it exists.", bool)
ENCODING: Final = Option("encoding", "Encoding of 8-bit text without a declared encoding, such as cp1251.")
PASSWORD: Final = Option("password", "The password of an encrypted archive or of a server.", command_line=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Format(Description):
    """Description of a database format.

    ``sniff`` receives no bytes for a folder and for a path that does not exist (it may be the stem of a base with
    several files); the path is None for a stream.
    """

    keeps: Keeps
    open: Opener
    create: Creator | None = None
    """None for read-only formats."""
    read_only: str = ""
    """Why it is read-only, for the error: a clause."""
    profiles: tuple[Profile, ...] = ()
    read_options: tuple[Option, ...] = ()
    """Keywords of ``open`` and ``open_url``."""
    write_options: tuple[Option, ...] = ()
    """Keywords of ``create`` and ``create_url``, except ``overwrite`` and ``strict``, which all formats have."""
    problems: Mapping[int, str] = field(default_factory=dict, hash=False)
    """Problems that only this format has: description by code. Codes are unique; see ``game.problems``."""
    hint: Callable[[int, str], str] | None = None
    """Returns a remedy for a problem, by its code and text, as the end of its sentence; often empty."""
    left_out: Mapping[int, str] = field(default_factory=dict, hash=False)
    """Problems that mean that part of the source is in no record: the part by code. Conversions count it as lost."""
    streams: bool = False
    """Whether it reads from and writes to streams (standard input, file objects), not only paths."""
    schemes: tuple[str, ...] = ()
    """URLs of these schemes, lower case, are databases of this format on a server: ``mysql``."""
    open_url: UrlOpener | None = None
    create_url: UrlCreator | None = None
    encrypted_suffixes: tuple[str, ...] = ()
    """The suffixes whose files are encrypted; the content may not show it."""
    main: Callable[[Path], Path] | None = None
    """For formats with several files: returns the main file, given any of the files or their folder."""
    census: CensusMaker | None = None
    """For the report of a verification: facts without contents of games, for those who improve the reader."""
    check: Checker | None = None
    compact: Compacter | None = None
    copy: Copier | None = None
    edit: Editing | None = None
    merge: Merger | None = None
    rebuild: Rebuilder | None = None
    pack: Packer | None = None
    """Packs a database into an archive of this format."""
    extract: Extractor | None = None

    @property
    def has_extras(self) -> bool:
        """Whether the format stores details that no other format has: extras whose keys begin with its name."""
        return any(key.startswith(f"{self.name}.") for key in self.keeps.extras)

    @property
    def claims(self) -> set[str]:
        """Identifiers that must be unique among formats: also URL schemes and problem codes."""
        schemes, codes = (f"{each}://" for each in self.schemes), (f"problem {code}" for code in self.problems)
        return {self.name, *self.suffixes, *schemes, *codes}

    def __str__(self) -> str:
        places = [*self.suffixes, *(f"{scheme}://" for scheme in self.schemes)]
        return f"{self.name} ({' '.join(places)})" if places else self.name
