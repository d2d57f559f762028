"""Pack a base into an archive: all its files and media folders, in the order of ChessBase."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.errors import UnsupportedError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.safe_names import safe_parts
from tabiya.files.transaction import AtomicFile
from tabiya.formats.cbh.archive.cbv import BLOCK_BYTES, BLOCK_HEAD, ENTRY, HEAD, NAME_ENCODING
from tabiya.formats.cbh.archive.encryption import encrypt_stream, key_of
from tabiya.formats.cbh.archive.format import CBV, is_encrypted
from tabiya.formats.cbh.archive.pack_kernel import pack_block
from tabiya.formats.cbh.archive.unpack_kernel import checksum
from tabiya.formats.cbh.files.base_files import MAIN, MEDIA_FOLDERS, SUFFIXES, files_of, folders_of, main_file
from tabiya.formats.cbh.files.opening import open_files, settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

_MOST_MEMBERS: Final = 0xFFFF
_MOST_BYTES: Final = 0xFFFFFFFF
"""Above this size the content of the short fields of an entry is unknown."""


def files_of_base(base: Path) -> list[tuple[str, Path]]:
    """Return the files of a base (given by a file, stem or folder), with their names in an archive.

    Raises:
        UsageError: The base does not exist.
    """
    with errors_of(base):
        main = main_file(base)
        if not main.is_file():
            raise UsageError("is not a ChessBase database: there is no .cbh file", path=base)
        files = files_of(main.parent, main.stem) | {MAIN: main}
        folders = folders_of(main.parent, main.stem)
        media = [path for suffix in MEDIA_FOLDERS if suffix in folders for path in _files(folders[suffix])]
        found = [(main.name, main)]
        found += [("\\".join(path.relative_to(main.parent).parts), path) for path in media]
        found += [(files[suffix].name, files[suffix]) for suffix in SUFFIXES[1:] if suffix in files]
    return found


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files in a media folder and its subfolders, by name ignoring case; folder links are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort(key=str.casefold)
        yield from (Path(place, name) for name in sorted(names, key=str.casefold) if Path(place, name).is_file())


def check_name(target: Path) -> None:
    """Raise an error for an unsuitable archive name.

    Raises:
        UsageError: It ends with anything but ``.cbv`` or ``.cbz``.
    """
    if CBV.suffix_of(target) is None:
        raise UsageError(
            f"a ChessBase archive must end with .cbv, or with .cbz if it is encrypted, for example {target.stem}.cbv",
            path=target,
        )


def check_password(target: Path, password: str | None) -> None:
    """Raise an error if password and archive name do not match.

    Raises:
        UsageError: There is a password without ``.cbz`` or the reverse, or the password is invalid.
    """
    if is_encrypted(target.name) is not (password is not None):
        raise UsageError("an encrypted archive needs both a password and a name ending with .cbz", path=target)
    if password is not None:
        key_of(password)


def pack(
    base: Path,
    target: Path,
    *,
    overwrite: bool = False,
    password: str | None = None,
    modified: datetime | None = None,
) -> list[str]:
    """Pack a base into an archive, encrypted if there is a password; return the names of its members.

    The archive appears when it is complete. Its content depends only on the files and their times of last change, or on
    the time given for all of them.

    Raises:
        UsageError: The base does not exist, was changed in the meantime, or the target exists.
        UnsupportedError: The base is too large for an archive, or a name is too long.
    """
    if password is not None:
        key_of(password)
    with errors_of(base):
        files = files_of_base(settled(base))
        opened = open_files(files[0][1])
    try:
        return pack_files(
            files,
            target,
            overwrite=overwrite,
            password=password,
            modified=modified,
            unchanged=opened.are_of_one_base,
        )
    finally:
        opened.close()


def pack_archive(path: Path, target: Path, /, *, overwrite: bool = False, password: str | None = None) -> list[str]:
    """Pack a base into an archive whose name requires or excludes a password; see ``pack``."""
    check_name(target)
    check_password(target, password)
    return pack(path, target, overwrite=overwrite, password=password)


def pack_files(
    files: Sequence[tuple[str, Path]],
    target: Path,
    *,
    overwrite: bool = False,
    password: str | None = None,
    modified: datetime | None = None,
    unchanged: Callable[[], bool] = lambda: True,
) -> list[str]:
    """Pack any files under these names; raise an error if they were changed while being read."""
    if len(files) > _MOST_MEMBERS:
        raise UnsupportedError(f"an archive holds at most {_MOST_MEMBERS:,} files, not {len(files):,}", path=target)
    names = [encode_name(name) for name, _ in files]
    with AtomicFile(target, overwrite=overwrite) as output:
        with errors_of(target):
            stream = output.stream
            stream.write(bytes(HEAD.size + len(files) * ENTRY.size))
            entries = [_put(stream, name, path, modified) for name, (_, path) in zip(names, files, strict=True)]
            stream.seek(0)
            stream.write(b"".join([HEAD.encode({"members": len(files)}), *entries]))
            if password is not None:
                encrypt_stream(stream, password)

        def check() -> None:
            if not unchanged():
                raise UsageError("not written: the base was changed while it was packed; try again", path=target)

        output.commit(check=check)
    return [name for name, _ in files]


def encode_name(name: str) -> bytes:
    """Return a name as the bytes of its field, which keeps one NUL.

    Raises:
        UnsupportedError: The name is too long.
    """
    data = name.replace("/", "\\").encode(NAME_ENCODING, "replace")
    if data.decode(NAME_ENCODING) != name.replace("/", "\\") or len(data) >= ENTRY["name"].size:
        raise UnsupportedError(f"an archive cannot hold the name {name!r}: it is too long, or not in Western letters")
    if safe_parts(name) is None:
        raise UnsupportedError(f"an archive cannot hold the name {name!r}")
    return data


def _put(stream: BinaryIO, name: bytes, path: Path, modified: datetime | None) -> bytes:
    """Write the blocks of a file and return its entry."""
    offset, size = stream.tell(), 0
    with errors_of(path), path.open("rb") as file:
        changed = modified or datetime.fromtimestamp(path.stat().st_mtime)
        while content := file.read(BLOCK_BYTES):
            block = pack_block(content)
            stream.write(BLOCK_HEAD.encode({"length": len(block), "checksum": checksum(block)}) + block)
            size += len(content)
    packed = stream.tell() - offset
    if max(offset + packed, size) > _MOST_BYTES:
        raise UnsupportedError("is too large for an archive: 4 GB is the limit", path=path)
    return ENTRY.encode(
        {
            "name": name,
            "date": int(f"{changed:%Y%m%d}"),
            "time": int(f"{changed:%H%M%S}{changed.microsecond // 10_000:02}"),
            **dict.fromkeys(("offset", "short_offset"), offset),
            **dict.fromkeys(("packed", "short_packed"), packed),
            **dict.fromkeys(("size", "short_size"), size),
        }
    )
