"""The words of annotation texts in the form that kernels take: commands and languages."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from tabiya.game.nations import nation_code, nations

if TYPE_CHECKING:
    from tabiya.game.annotations.value import Value

_CODE_BYTES: Final = 4
_BY_HEART: Final = frozenset(
    {"cal", "clk", "clkb", "clkw", "csl", "emt", "error", "eval", "game", "late", "post", "pre"}
)
"""Commands that kernels know by name."""


class Meaning(IntEnum):
    """How kernels handle a command."""

    RARE = 1
    """Leave the comment to Python."""
    VERBATIM = 2
    """Leave the command in the text: it has no meaning here."""
    VALUE = 9
    """Read the value, whose form kernels know."""


class Form(IntEnum):
    """The spelling of the arguments of a command, for ``forms_kernel``."""

    NONE = 0
    BASE64 = 1
    BYTE = 2
    LONG = 3
    WORD = 4
    WORDS = 5
    PROFILE = 6
    STRINGS = 7
    ANY_KIND = 8


_FORMS: Final = {
    "cba": Form.ANY_KIND,
    "crit": Form.WORD,
    "evp": Form.PROFILE,
    "mdl": Form.LONG,
    "medal": Form.WORDS,
    "pawnstruct": Form.BYTE,
    "vst": Form.LONG,
    "weblink": Form.STRINGS,
}
"""All except those in base64, which their classes declare."""


def spelling_table(words: Mapping[str, int]) -> bytes:
    """Return length, value and letters of each word."""
    return b"".join(bytes((len(word), value)) + word for word, value in ((k.encode(), v) for k, v in words.items()))


@cache
def language_table() -> bytes:
    """Return the codes of languages and their numbers."""
    return spelling_table({nation_code(number): number for number in nations()})


@cache
def language_codes() -> bytes:
    """Return the code of every number from 0 to 255, four bytes each: the inverse of ``language_table``."""
    return b"".join(nation_code(number).encode().ljust(_CODE_BYTES, b"\0") for number in range(256))


@cache
def place_table() -> bytes:
    """Return, for every kind from 0 to 255, the ``Place`` of its command in a comment."""
    from tabiya.game.annotations.registry import KINDS  # noqa: PLC0415 - takes time
    from tabiya.game.annotations.value import Value  # noqa: PLC0415

    return bytes(KINDS.get(kind, Value).place for kind in range(256))


@cache
def command_table() -> bytes:
    """Return the commands in comments that kernels do not know by name, in the format of ``commands.pxd``.

    Kernels read values with a form and leave those without to Python; some commands have no meaning. A kind's own
    command comes before those of other programs for it.
    """
    from tabiya.game.annotations.comments import SPECIAL_COMMANDS, VERBATIM_COMMANDS  # noqa: PLC0415 - takes time
    from tabiya.game.annotations.marks import MEDALS, PHASES  # noqa: PLC0415
    from tabiya.game.annotations.registry import COMMANDS, KINDS  # noqa: PLC0415

    words = {
        "cba": bytes(kind not in KINDS or KINDS[kind].in_base64() for kind in range(256)),
        "crit": spelling_table({word: phase for phase, word in PHASES.items()}),
        "medal": spelling_table({word: bit for bit, word in enumerate(MEDALS)}),
    }
    entries = [_entry(name, Meaning.VERBATIM) for name in VERBATIM_COMMANDS]
    for name in {*COMMANDS, *SPECIAL_COMMANDS} - _BY_HEART:
        cls = COMMANDS[name][0][0] if name in COMMANDS else None
        own = cls is not None and cls.command == name
        form = Form.BASE64 if cls is not None and own and cls.in_base64() else _FORMS.get(name, Form.NONE)
        entries.append(_entry(name, Meaning.VALUE if form else Meaning.RARE, form, cls, words.get(name, b""), own=own))
    return b"".join(entry for _, _, entry in sorted(entries))


def _entry(
    name: str,
    meaning: Meaning,
    form: Form = Form.NONE,
    cls: type[Value] | None = None,
    words: bytes = b"",
    *,
    own: bool = False,
) -> tuple[bool, str, bytes]:
    """Return an entry with its sort key."""
    head = struct.pack("<BBBBH", len(name), meaning, form, 0 if cls is None else cls.kind, len(words))
    return not own, name, head + name.encode() + words
