"""The words of annotation texts in the form that kernels take them: commands and languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from tabiya.game.nations import nation_code, nations

__all__ = ["command_table", "language_codes", "language_table", "spelling_table"]

_CODE_BYTES: Final = 4
_IN_KERNEL: Final = frozenset(
    {"cal", "clk", "clkb", "clkw", "csl", "emt", "error", "eval", "game", "late", "post", "pre"}
)
_RARE, _VERBATIM = 1, 2


def spelling_table(words: Mapping[str, int]) -> bytes:
    """Length, value and letters of each word."""
    return b"".join(bytes((len(word), value)) + word for word, value in ((k.encode(), v) for k, v in words.items()))


@cache
def language_table() -> bytes:
    """Codes of languages and their numbers."""
    return spelling_table({nation_code(number): number for number in nations()})


@cache
def language_codes() -> bytes:
    """The code of every number from 0 to 255, four bytes each: the inverse of ``language_table`` for the writer."""
    return b"".join(nation_code(number).encode().ljust(_CODE_BYTES, b"\0") for number in range(256))


@cache
def command_table() -> bytes:
    """The commands in comments that kernels do not read: those to be kept for Python, and those that mean nothing."""
    from tabiya.game.annotations.comments import SPECIAL_COMMANDS, VERBATIM_COMMANDS  # noqa: PLC0415 - costs a little
    from tabiya.game.annotations.registry import COMMANDS  # noqa: PLC0415

    rare = sorted({*COMMANDS, *SPECIAL_COMMANDS} - _IN_KERNEL)
    return spelling_table({**dict.fromkeys(rare, _RARE), **dict.fromkeys(sorted(VERBATIM_COMMANDS), _VERBATIM)})
