"""The formats of databases: one package each, all with the same face.

Importing this package is cheap; readers, writers and pyarrow are imported when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.formats.bcgn import BCGN
from tabiya.formats.capabilities import Keeps, SymbolRoom
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.archive.format import CBV
from tabiya.formats.format import Format, Match, Profile
from tabiya.formats.jose import JOSE
from tabiya.formats.pgn import PGN
from tabiya.lazy import loader

if TYPE_CHECKING:
    from tabiya.formats.choose import create, open  # noqa: A004 - tabiya.open is the name that users expect
    from tabiya.formats.comparison import Comparison, RecordDifference
    from tabiya.formats.conversion import ConversionReport, convert
    from tabiya.formats.database import HEADER_SCHEMA, Database
    from tabiya.formats.losses import Loss, LossReport
    from tabiya.formats.progress import Progress
    from tabiya.formats.summary import Summary, summarize
    from tabiya.formats.verification import Verification
    from tabiya.formats.writer import Writer

__all__ = [
    "FORMATS",
    "HEADER_SCHEMA",
    "Comparison",
    "ConversionReport",
    "Database",
    "Format",
    "Keeps",
    "Loss",
    "LossReport",
    "Match",
    "Profile",
    "Progress",
    "RecordDifference",
    "Summary",
    "SymbolRoom",
    "Verification",
    "Writer",
    "convert",
    "create",
    "open",
    "summarize",
]

FORMATS: tuple[Format, ...] = (PGN, CBH, CBV, BCGN, JOSE)
"""Every format that tabiya knows. The documentation and the tests over all pairs of formats follow from this list."""

_HOMES = {
    "Comparison": "comparison",
    "ConversionReport": "conversion",
    "Database": "database",
    "HEADER_SCHEMA": "database",
    "Loss": "losses",
    "LossReport": "losses",
    "Progress": "progress",
    "RecordDifference": "comparison",
    "Summary": "summary",
    "Verification": "verification",
    "Writer": "writer",
    "convert": "conversion",
    "create": "choose",
    "open": "choose",
    "summarize": "summary",
}

if not TYPE_CHECKING:  # type checkers see the imports above, and no name that is not there
    __getattr__ = loader(__name__, _HOMES)
