"""The description of a format: one frozen object, from which everything generic follows.

Importing a description must be cheap, because pyarrow alone takes half of the start-up time of the command line. So
``Lazy`` names the reader, the writer and other functions, which are imported on first use.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol, TypeAlias

from tabiya.formats.description import HEAD_BYTES, Description, Lazy, Match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tabiya.formats.capabilities import Keeps
    from tabiya.formats.conversion import GameProblem
    from tabiya.formats.database import Database
    from tabiya.formats.editor import DatabaseEditor
    from tabiya.formats.progress import Progress
    from tabiya.formats.tools import Compacted, Copied, Extracted, Merged
    from tabiya.formats.url import Url
    from tabiya.formats.writer import Writer

__all__ = ["APPEND", "ENCODING", "HEAD_BYTES", "PASSWORD", "Format", "Lazy", "Match", "Option", "Place"]
__all__ += ["Profile"]

Place: TypeAlias = "Path | BinaryIO"
"""Where a database is: a path, or a binary stream for formats with ``streams``."""


class Opener(Protocol):
    """Opens a database; without ``streams`` the place is always a path.

    Options are keyword-only and spelled out, never ``**options``: error messages list their names.
    """

    def __call__(self, place: Place, /) -> Database: ...


class Creator(Protocol):
    """Creates a writer; besides ``overwrite`` and ``strict`` it may take keyword-only options, spelled out."""

    def __call__(self, place: Place, /, *, overwrite: bool = False, strict: bool = False) -> Writer: ...


class UrlOpener(Protocol):
    """Opens a database on a server."""

    def __call__(self, url: Url, /) -> Database: ...


class UrlCreator(Protocol):
    """Creates a writer into a database on a server."""

    def __call__(self, url: Url, /, *, overwrite: bool = False, strict: bool = False) -> Writer: ...


class Checker(Protocol):
    """Yields everything that is wrong with an open database of the format; see ``tools.check``."""

    def __call__(
        self, database: Any, /, *, threads: int = 1, progress: Callable[[Progress], None] | None = None
    ) -> Iterator[GameProblem]: ...


class Compacter(Protocol):
    """Writes a database anew; see ``tools.compact``."""

    def __call__(self, path: Path, /, *, keep_deleted: bool = False, threads: int = 1) -> Compacted: ...


class Copier(Protocol):
    """Copies all files of a database; see ``tools.copy``."""

    def __call__(self, path: Path, target: Path, /, *, overwrite: bool = False) -> Copied: ...


class Editing(Protocol):
    """Opens a database for changes in place; see ``tools.edit``."""

    def __call__(self, path: Path, /) -> DatabaseEditor: ...


class Rebuilder(Protocol):
    """Makes everything anew that stands beside the games of a database; see ``tools.rebuild``."""

    def __call__(
        self, path: Path, /, *, threads: int = 1, progress: Callable[[Progress], None] | None = None
    ) -> int: ...


class Merger(Protocol):
    """Makes one segment of all those of a database; see ``tools.merge_segments``."""

    def __call__(self, path: Path, /) -> Merged: ...


class Packer(Protocol):
    """Packs a database into an archive; see ``tools.pack``."""

    def __call__(
        self, path: Path, target: Path, /, *, overwrite: bool = False, password: str | None = None
    ) -> list[str]: ...


class Extractor(Protocol):
    """Unpacks an archive, or lists what it holds; see ``tools.extract``."""

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
    """A way of writing a format that keeps less than its usual one; chosen with ``profile=name``."""

    name: str
    title: str
    keeps: Keeps


@dataclass(frozen=True, slots=True)
class Option:
    """What a reader or writer can be told besides. The command line has it, too: ``shift_dates`` is ``--shift-dates``.

    An option of the same name is the same in every format that has it.
    """

    name: str
    """That of the keyword in Python."""
    help: str
    """One sentence, the same in the help of the command line and in the documentation."""
    type: type[str | int] = str
    """``str``, ``int``, or ``bool`` for what is only switched on."""
    metavar: str = "NAME"
    """What stands for the value in the help."""
    command_line: bool = True
    """Whether commands offer it as it is. They ask for passwords, and have another ``--strict``."""
    on: bool = False
    """Whether what is ``bool`` is on unless it is switched off, ``positions=False`` or ``--no-positions``."""


APPEND: Final = Option("append", "Add to the target if it exists.", bool)
ENCODING: Final = Option("encoding", "Encoding of 8-bit text that does not declare it, such as cp1251.")
PASSWORD: Final = Option("password", "The password of an encrypted archive or of a server.", command_line=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Format(Description):
    """What tabiya knows about a format.

    The head that ``sniff`` sees is empty for a folder and for a path that does not exist (the stem of a base of many
    files, perhaps); the path is None for a stream.
    """

    keeps: Keeps
    open: Opener
    create: Creator | None = None
    """None for formats that are only read."""
    profiles: tuple[Profile, ...] = ()
    read_options: tuple[Option, ...] = ()
    """The keywords of ``open`` and ``open_url``."""
    write_options: tuple[Option, ...] = ()
    """The keywords of ``create`` and ``create_url``, but for ``overwrite`` and ``strict``, which all have."""
    problems: Mapping[int, str] = field(default_factory=dict, hash=False)
    """By code of a problem that only this format has: what is wrong. Codes are unique; see ``game.problems``."""
    hint: Callable[[int, str], str] | None = None
    """Returns what may help with a problem, by its code and text, as the end of its sentence; often empty."""
    left_out: Mapping[int, str] = field(default_factory=dict, hash=False)
    """By code of a problem after which something of the source is in no record: what. Conversions count it as lost."""
    streams: bool = False
    """Reads from and writes to streams (standard input, file objects), not only paths."""
    schemes: tuple[str, ...] = ()
    """URLs of these schemes, lower case, are databases of this format on a server: ``mysql``."""
    open_url: UrlOpener | None = None
    create_url: UrlCreator | None = None
    encrypted_suffixes: tuple[str, ...] = ()
    """Those of the suffixes whose files have a password: nothing else may tell."""
    main: Callable[[Path], Path] | None = None
    """Of formats with several files: returns the one that stands for all, given any of them or their folder."""
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
        """Whether the format stores details that no other knows: extras whose keys begin with its name."""
        return any(key.startswith(f"{self.name}.") for key in self.keeps.extras)

    @property
    def claims(self) -> set[str]:
        """What no other format may have: also schemes of URLs, and the codes of problems."""
        schemes, codes = (f"{each}://" for each in self.schemes), (f"problem {code}" for code in self.problems)
        return {self.name, *self.suffixes, *schemes, *codes}

    def __str__(self) -> str:
        places = [*self.suffixes, *(f"{scheme}://" for scheme in self.schemes)]
        return f"{self.name} ({' '.join(places)})" if places else self.name
