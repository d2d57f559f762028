"""The list of formats, and what is derived from it: problem descriptions, extras that other formats keep, options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from tabiya.formats.bcgn import BCGN
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.archive.format import CBV
from tabiya.formats.cbh2 import CBH2
from tabiya.formats.collection.format import COLLECTION
from tabiya.formats.collection.zip_format import ZIP
from tabiya.formats.description import Formats
from tabiya.formats.epd import EPD
from tabiya.formats.jose import JOSE
from tabiya.formats.library import LIBRARY
from tabiya.formats.parquet import PARQUET
from tabiya.formats.pgn import PGN
from tabiya.formats.scid import SCID4, SCID5
from tabiya.game import problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.formats.capabilities import Names
    from tabiya.formats.format import Format, Option

FORMATS: Final = Formats(PGN, CBH, CBH2, CBV, SCID4, SCID5, BCGN, EPD, JOSE, PARQUET, LIBRARY, group="tabiya.formats")
"""All known formats. Everything that depends on formats is derived from this list: options and help of the command
line, problem descriptions, the documentation, the tests over all pairs."""

OWNERS_OF_EXTRAS: Final = tuple(sorted(each.name for each in FORMATS.built_in if each.has_extras))
"""Names of the built-in formats that have extras of their own, which PGN stores as tags."""


def _describing() -> tuple[Format, ...]:
    return (*FORMATS.loaded, COLLECTION, ZIP)


def sentences() -> dict[int, str]:
    """Return the description of each problem code."""
    return problems.SENTENCES | {code: text for each in _describing() for code, text in each.problems.items()}


def left_out() -> dict[int, str]:
    """Return, by problem code, what the reader omitted from the source, even as bytes.

    Such a problem is a loss in every conversion. All other problems are repairs, or report what the source itself
    lacks.
    """
    return {code: text for each in _describing() for code, text in each.left_out.items()}


def sentence(code: int, text: str) -> str:
    """Return the text of a problem for display: its description, and the text it is about."""
    own = (each.problems[code] for each in _describing() if code in each.problems)
    words = problems.SENTENCES.get(code) or next(own, None)
    if words is None:
        return text or f"problem {code}"
    hint = "".join(each.hint(code, text) for each in _describing() if each.hint is not None)
    return f"{words}: {text}{hint}" if text else f"{words}{hint}"


def kept_extras(extras: Names) -> Names:
    """Return the key prefixes that ``Keeps.extras`` stands for, with ``*.`` expanded to every format."""
    if extras == "all" or "*." not in extras:
        return extras
    own = {key.partition(".")[0] for key in extras}
    return extras - {"*."} | {f"{name}." for name in OWNERS_OF_EXTRAS if name not in own}


def options(
    kind: Literal["reading", "writing"], formats: Iterable[Format] = FORMATS.built_in
) -> dict[Option, tuple[str, ...]]:
    """Return the options of readers, or of writers, each with the names of the formats that have it."""
    found: dict[Option, tuple[str, ...]] = {}
    for each in formats:
        for option in each.read_options if kind == "reading" else each.write_options:
            found[option] = (*found.get(option, ()), each.name)
    return found
