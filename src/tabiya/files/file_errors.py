"""Converts exceptions of the operating system and of decoders into errors of tabiya."""

from __future__ import annotations

import struct
import zlib
from contextlib import contextmanager
from os import fspath
from typing import TYPE_CHECKING

from tabiya.errors import CorruptError, MissingFileError, TabiyaError, redacted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

_DAMAGE = (struct.error, zlib.error, EOFError, UnicodeError)


@contextmanager
def errors_of(path: str | PathLike[str] | None, *damage: type[Exception]) -> Iterator[None]:
    """Convert exceptions to ``TabiyaError``: a missing file to ``MissingFileError``, damaged bytes to ``CorruptError``.

    Errors of tabiya without a path get this one. ``damage`` names further exceptions that mean damaged bytes, such as
    those of a decompressor. Any other exception is a bug in tabiya and is not converted, so that it gets noticed.
    """
    try:
        yield
    except TabiyaError as error:
        if error.path is None and path is not None:
            error.path = fspath(path)
        raise
    except OSError as error:
        kind = MissingFileError if isinstance(error, FileNotFoundError) else TabiyaError
        kind = CorruptError if isinstance(error, damage) else kind
        place = error.filename if path is None and isinstance(error.filename, str) else path
        # A traceback would show the file name of the cause, and with it a password.
        raise kind(sentence_of(error), path=place) from (error if redacted(str(error)) == str(error) else None)
    except Exception as error:
        if isinstance(error, _DAMAGE + damage):
            raise CorruptError(f"damaged: {str(error) or type(error).__name__}", path=path) from error
        raise


def sentence_of(error: OSError) -> str:
    """Return the message of the operating system, as the end of a sentence."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, IsADirectoryError):
        return "is a folder"
    if isinstance(error, NotADirectoryError):
        return "part of the path is a file, not a folder"
    if error.strerror is None:
        return str(error) or type(error).__name__
    return error.strerror[:1].lower() + error.strerror[1:]
