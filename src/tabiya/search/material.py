"""Conditions on material: the pieces of each side, on any squares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tabiya.errors import UsageError
from tabiya.search.boards import Count
from tabiya.search.conditions import AllOf, Condition, Instruction, Operation
from tabiya.search.pieces import ALL_SQUARES

_PIECES: Final = "KQRBNP"
_MOST: Final = 64
_QUANTIFIED: Final = re.compile(r"([KQRBNP])(\+|\*|\?|\{(\d{1,2})(,(\d{1,2})?)?\})?")
_QUANTITIES: Final = {"+": (1, _MOST), "*": (0, _MOST), "?": (0, 1)}
_LIGHT: Final = 0x55AA55AA55AA55AA


@dataclass(frozen=True)
class Material(Condition):
    """Exactly these pieces, White's first: ``KRPPKRP``; a ``v`` may separate the sides, ``KRPP v KRP``.

    A letter may be followed by ``?`` (zero or one), ``+`` (one or more), ``*`` (any number), ``{2}`` or ``{1,3}``:
    ``KRP{1,2}KRP*`` are rook endings with one or two white pawns.
    """

    text: str

    def __post_init__(self) -> None:
        self._sides  # noqa: B018 - evaluated to validate it

    @cached_property
    def _sides(self) -> tuple[dict[str, tuple[int, int]], ...]:
        """For White and Black, by piece: minimum and maximum."""
        text = re.sub(r"\s*v\s*|\s+", "", self.text)
        found = re.fullmatch(r"(K[^K]*)(K[^K]*)", text)
        if found is None:
            raise UsageError(
                f"the material {self.text!r} cannot be read: give the pieces of White, then those of Black, "
                "each beginning with the king, as KRPKR"
            )
        return tuple(self._side(side) for side in found.groups())

    def _side(self, side: str) -> dict[str, tuple[int, int]]:
        counts = dict.fromkeys(_PIECES, (0, 0))
        end = 0
        for found in _QUANTIFIED.finditer(side):
            if found.start() != end:
                break
            end = found.end()
            piece, sign, low, range_, high = found.groups()
            if sign is None:
                least = most = 1
            elif low is None:
                least, most = _QUANTITIES[sign]
            else:
                least = int(low)
                most = least if range_ is None else int(high) if high else _MOST
            if least > most:
                raise UsageError(f"the material {self.text!r} requires at least {least} and at most {most} at once")
            counts[piece] = (counts[piece][0] + least, min(counts[piece][1] + most, _MOST))
        if end != len(side):
            raise UsageError(f"the material {self.text!r} cannot be read at {side[end:]!r}")
        if counts["K"] != (1, 1):
            raise UsageError(f"the material {self.text!r} does not give each side one king")
        return counts

    def _plainer(self) -> Condition:
        parts: list[Condition] = []
        for side, any_piece, case in zip(self._sides, "Aa", (str.upper, str.lower), strict=True):
            totals = [sum(bounds) for bounds in zip(*side.values(), strict=True)]
            parts.append(Count(any_piece, min(totals[0], _MOST), min(totals[1], _MOST)))
            parts += [Count(case(piece), *bounds) for piece, bounds in side.items() if piece != "K"]
        return AllOf(tuple(parts))


@dataclass(frozen=True)
class Imbalance(Condition):
    """The difference in material, all else being equal: ``PPvN``, ``Qv``, ``BBvBN`` (which is ``BvN``).

    White's surplus is before the ``v``, Black's after it.
    """

    text: str

    def __post_init__(self) -> None:
        self._surplus  # noqa: B018 - evaluated to validate it

    @cached_property
    def _surplus(self) -> dict[str, int]:
        found = re.fullmatch(r"([QRBNP]*)\s*v\s*([QRBNP]*)", self.text.strip())
        if found is None:
            raise UsageError(
                f"the imbalance {self.text!r} cannot be read: give White's extra pieces, a v, "
                "and Black's extra pieces, as PPvN"
            )
        return {piece: found[1].count(piece) - found[2].count(piece) for piece in "PNBRQ"}

    def _plainer(self) -> Condition:
        types = " PNBRQ"
        return AllOf(
            tuple(
                Instruction(Operation.SURPLUS, kind=types.index(piece), low=surplus, high=surplus)
                for piece, surplus in sorted(self._surplus.items(), key=lambda item: not item[1])
            )
        )


@dataclass(frozen=True, slots=True)
class OppositeBishops(Condition):
    """Each side has one bishop, on squares of different colours; ``only``: and no other pieces."""

    only: bool = False
    """Whether only kings and pawns are allowed besides."""

    def _plainer(self) -> Condition:
        light = Instruction(Operation.COUNT, pieces=1 << 3, squares=_LIGHT, low=1, high=1)
        dark = Instruction(Operation.COUNT, pieces=1 << 3, squares=ALL_SQUARES & ~_LIGHT, low=1, high=1)
        other_light, other_dark = (each.turned(colors=True, files=True) for each in (light, dark))
        bishops = Count("B", 1, 1) & Count("b", 1, 1) & ((light & other_dark) | (dark & other_light))
        return bishops & Count("QRNqrn", 0, 0) if self.only else bishops
