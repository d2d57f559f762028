"""The formats of databases: one package each, all with the same face.

Importing this package is cheap; readers, writers and pyarrow are imported when they are used.
"""

from __future__ import annotations

from tabiya.formats.bcgn import BCGN
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.archive.format import CBV
from tabiya.formats.jose import JOSE
from tabiya.formats.library import LIBRARY
from tabiya.formats.parquet import PARQUET
from tabiya.formats.pgn import PGN
from tabiya.formats.scid import SCID4, SCID5
from tabiya.lazy import public_names

FORMATS = (PGN, CBH, CBV, SCID4, SCID5, BCGN, JOSE, PARQUET, LIBRARY)
"""Every format that tabiya knows. Whatever depends on formats follows from this list: options and help of the command
line, sentences about problems, the documentation, the tests over all pairs."""

__getattr__, __dir__, __all__ = public_names(__name__)
