"""The list of formats, and what follows from all of them: sentences about problems, extras that travel, options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from tabiya.formats.bcgn import BCGN
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.archive.format import CBV
from tabiya.formats.collection_format import COLLECTION
from tabiya.formats.description import Formats
from tabiya.formats.jose import JOSE
from tabiya.formats.library import LIBRARY
from tabiya.formats.parquet import PARQUET
from tabiya.formats.pgn import PGN
from tabiya.formats.scid import SCID4, SCID5
from tabiya.formats.zip_format import ZIP
from tabiya.game import problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.formats.capabilities import Names
    from tabiya.formats.format import Format, Option

__all__ = ["FORMATS", "OWNERS_OF_EXTRAS", "kept_extras", "left_out", "options", "sentence", "sentences"]

FORMATS: Final = Formats(PGN, CBH, CBV, SCID4, SCID5, BCGN, JOSE, PARQUET, LIBRARY, group="tabiya.formats")
"""Every format that tabiya knows. Everything that depends on formats follows from this list: options and help of the
command line, sentences about problems, the documentation, the tests over all pairs."""

OWNERS_OF_EXTRAS: Final = tuple(sorted(each.name for each in FORMATS.built_in if each.has_extras))
"""The names of the built-in formats that have extras of their own, which PGN keeps as tags."""


def _describing() -> tuple[Format, ...]:
    return (*FORMATS.loaded, COLLECTION, ZIP)


def sentences() -> dict[int, str]:
    """Return what is wrong, by the code of a problem."""
    return problems.SENTENCES | {code: text for each in _describing() for code, text in each.problems.items()}


def left_out() -> dict[int, str]:
    """Return what the reader did not take over from the source, not even as bytes, by the code of a problem.

    Such a problem is a loss of every conversion. All others are repairs, or report what the source itself lacks.
    """
    return {code: text for each in _describing() for code, text in each.left_out.items()}


def sentence(code: int, text: str) -> str:
    """Return a problem for people: what it is, and the text it is about."""
    own = (each.problems[code] for each in _describing() if code in each.problems)
    words = problems.SENTENCES.get(code) or next(own, None)
    if words is None:
        return text or f"problem {code}"
    hint = "".join(each.hint(code, text) for each in _describing() if each.hint is not None)
    return f"{words}: {text}{hint}" if text else f"{words}{hint}"


def kept_extras(extras: Names) -> Names:
    """Return the beginnings of keys that ``Keeps.extras`` stands for, with those of every format written out."""
    if extras == "all" or "*." not in extras:
        return extras
    own = {key.partition(".")[0] for key in extras}
    return extras - {"*."} | {f"{name}." for name in OWNERS_OF_EXTRAS if name not in own}


def options(
    kind: Literal["reading", "writing"], formats: Iterable[Format] = FORMATS.built_in
) -> dict[Option, tuple[str, ...]]:
    """Return what readers, or writers, can be told besides, each with the names of the formats that know it."""
    found: dict[Option, tuple[str, ...]] = {}
    for each in formats:
        for option in each.read_options if kind == "reading" else each.write_options:
            found[option] = (*found.get(option, ()), each.name)
    return found
