"""NAGs: the numbers of ``!``, ``?`` and the other symbols of annotators.

A list of NAGs is one annotation. If its members fit ChessBase's three slots in their order it is SYMBOLS, one byte per
slot, without zero bytes at the end; any other list is NAGS, two bytes (little-endian) per member.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from typing import Final, overload

from tabiya.errors import FormatError
from tabiya.game.annotations.annotation import NAGS, SYMBOLS, Annotation, replace

SLOTS: Final[tuple[frozenset[int], ...]] = (
    frozenset({1, 2, 3, 4, 5, 6, 8, 22}),
    frozenset({10, 11, *range(13, 20), 32, 36, 40, 44, 132, 138, 146}),
    frozenset(range(140, 146)),
)
"""The values of each slot: a comment on the move, an evaluation of the position, a prefix."""

GLYPHS: Final[dict[int, str]] = {
    1: "!",
    2: "?",
    3: "!!",
    4: "??",
    5: "!?",
    6: "?!",
    7: "□",
    8: "□",
    10: "=",
    11: "=",
    13: "∞",
    14: "⩲",
    15: "⩱",
    16: "±",
    17: "∓",
    18: "+−",
    19: "−+",
    22: "⨀",
    23: "⨀",
    32: "⟳",
    33: "⟳",
    36: "↑",
    37: "↑",
    40: "→",
    41: "→",
    44: "=∞",
    45: "=∞",
    132: "⇆",
    133: "⇆",
    138: "⊕",
    139: "⊕",
    140: "∆",
    141: "∇",
    142: "⌓",
    143: "≤",
    145: "RR",
    146: "N",
}
"""Printed symbols of NAGs, as in the Informator: ``↑`` is the initiative and ``→`` the attack."""


def encode_nags(nags: Sequence[int]) -> Annotation:
    """Return a list of NAGs (0 … 65535) as one annotation. The list must not be empty."""
    slots = bytearray()
    for nag in nags:
        slot = next((i for i, members in enumerate(SLOTS) if nag in members), -1)
        if slot < len(slots):
            return _encode_list(nags)
        slots += bytes(slot - len(slots))
        slots.append(nag)
    return Annotation(SYMBOLS, bytes(slots))


def _encode_list(nags: Sequence[int]) -> Annotation:
    try:
        return Annotation(NAGS, struct.pack(f"<{len(nags)}H", *nags))
    except struct.error as error:
        raise FormatError(f"a NAG must be a number from 0 to 65535: {list(nags)}") from error


def decode_nags(annotation: Annotation) -> list[int]:
    """Return the NAGs of an annotation of kind SYMBOLS or NAGS, in order; an odd last byte of NAGS is ignored."""
    data = annotation.data
    if annotation.kind == SYMBOLS:
        return [nag for nag in data if nag]
    return [nag for (nag,) in struct.iter_unpack("<H", data[: len(data) & ~1])]


def format_nag(nag: int) -> str:
    """Return the printed symbol of a NAG, or ``$n`` if it has none."""
    return GLYPHS.get(nag, f"${nag}")


def parse_nag(text: str) -> int:
    """Return the NAG of a printed symbol (``!?``), of ``$14`` or of ``14``; if two share a symbol, White's.

    Raises:
        FormatError: The text is not a NAG.
    """
    nag = next((nag for nag, sign in GLYPHS.items() if sign == text), None)
    if nag is not None:
        return nag
    number = text.removeprefix("$")
    if not (number.isascii() and number.isdigit() and len(number) <= len("65535")):
        raise FormatError(f"{text!r} is not a sign for a move: give ! ? !! ?? !? ?!, another printed sign, or $n")
    return int(number)


class NagList(MutableSequence[int]):
    """The NAGs of a move as a list that writes through to its annotations.

    It keeps order and repeats and equals any list with the same members. Every change stores all of them in one
    annotation. Every method decodes the annotations once, unlike the defaults of ``MutableSequence``.
    """

    __slots__ = ("_annotations",)

    def __init__(self, annotations: list[Annotation]) -> None:
        self._annotations = annotations

    def _read(self) -> list[int]:
        return [nag for a in self._annotations if a.kind in (SYMBOLS, NAGS) for nag in decode_nags(a)]

    def _write(self, nags: list[int]) -> None:
        replace(self._annotations, (SYMBOLS, NAGS), [encode_nags(nags)] if nags else [])

    def __len__(self) -> int:
        return len(self._read())

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        return self._read()[index]

    @overload
    def __setitem__(self, index: int, value: int) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Iterable[int]) -> None: ...
    def __setitem__(self, index: int | slice, value: int | Iterable[int]) -> None:
        nags = self._read()
        nags[index] = value  # type: ignore[index, assignment]  # the overloads pair them
        self._write(nags)

    def __delitem__(self, index: int | slice) -> None:
        nags = self._read()
        del nags[index]
        self._write(nags)

    def insert(self, index: int, value: int) -> None:
        """Insert a NAG before the one at ``index``."""
        nags = self._read()
        nags.insert(index, value)
        self._write(nags)

    def __iter__(self) -> Iterator[int]:
        return iter(self._read())

    def __reversed__(self) -> Iterator[int]:
        return reversed(self._read())

    def index(self, value: int, start: int = 0, stop: int | None = None) -> int:
        """Return the index of the first occurrence of a NAG."""
        nags = self._read()
        return nags.index(value, start, len(nags) if stop is None else stop)

    def extend(self, values: Iterable[int]) -> None:
        """Append NAGs."""
        self._write([*self._read(), *values])

    def clear(self) -> None:
        """Remove all NAGs."""
        self._write([])

    def reverse(self) -> None:
        """Reverse their order."""
        self._write(self._read()[::-1])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (NagList, list, tuple)):
            return self._read() == list(other)
        return NotImplemented

    def __repr__(self) -> str:
        return repr(self._read())
