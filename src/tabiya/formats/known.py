"""What follows from all formats together: sentences about problems, whose extras travel, what they can be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from tabiya.formats import FORMATS
from tabiya.formats.collection_format import COLLECTION
from tabiya.formats.zip_format import ZIP
from tabiya.game import problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.formats.capabilities import Names
    from tabiya.formats.format import Format, Option

__all__ = ["LEFT_OUT", "OWNERS_OF_EXTRAS", "SENTENCES", "kept_extras", "options", "sentence"]

_TELLING: Final = (*FORMATS, COLLECTION, ZIP)

SENTENCES: Final = problems.SENTENCES | {code: text for each in _TELLING for code, text in each.problems.items()}
"""By code of a problem: what is wrong."""

LEFT_OUT: Final = {code: text for each in _TELLING for code, text in each.left_out.items()}
"""By code of a problem: what the reader did not take over of that which stands in the source, not even as bytes.

Such a problem is a loss of every conversion. All others are repairs, or tell of what the source itself does not have.
"""

OWNERS_OF_EXTRAS: Final = tuple(sorted(each.name for each in FORMATS if each.has_extras))
"""The names of the formats that have extras of their own."""


def sentence(code: int, text: str) -> str:
    """Return a problem for people: what it is, and the text it is about."""
    words = SENTENCES.get(code)
    if words is None:
        return text or f"problem {code}"
    hint = "".join(each.hint(code, text) for each in _TELLING if each.hint is not None)
    return f"{words}: {text}{hint}" if text else f"{words}{hint}"


def kept_extras(extras: Names) -> Names:
    """Return the beginnings of keys that ``Keeps.extras`` stands for, with those of every format written out."""
    if extras == "all" or "*." not in extras:
        return extras
    own = {key.partition(".")[0] for key in extras}
    return extras - {"*."} | {f"{name}." for name in OWNERS_OF_EXTRAS if name not in own}


def options(kind: Literal["reading", "writing"], formats: Iterable[Format] = FORMATS) -> dict[Option, tuple[str, ...]]:
    """Return what readers, or writers, can be told besides, each with the names of the formats that know it."""
    found: dict[Option, tuple[str, ...]] = {}
    for each in formats:
        for option in each.read_options if kind == "reading" else each.write_options:
            found[option] = (*found.get(option, ()), each.name)
    return found
