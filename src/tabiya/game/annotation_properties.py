"""The annotations of a move as common types: texts, NAGs, arrows, clocks, evaluations.

All of them are stored in one list of annotations, which the properties read and write.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeVar

from tabiya.chess import Color
from tabiya.errors import FormatError, UsageError
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE, Annotation, NagList, Side
from tabiya.game.annotations.annotation import replace
from tabiya.game.annotations.nags import parse_nag
from tabiya.game.annotations.text import join_texts, set_text

if TYPE_CHECKING:
    from tabiya.game.annotations import Arrow, ColoredSquare, Evaluation, Raw, TextEncoding, Value

_PLAIN_KINDS = (TEXT_AFTER, TEXT_BEFORE, SYMBOLS, NAGS)
_MOST_CLOCK = (2**32 - 1) // 100
_MOST_TIME = 256 * 3600 - 1

Kind = TypeVar("Kind", bound="Value")
Member = TypeVar("Member")


class Annotated:
    """An object with annotations. The classes of values are imported on first use."""

    __slots__ = ()

    annotations: list[Annotation]

    @property
    @abstractmethod
    def color(self) -> Color:
        """The side that made the move."""

    @property
    @abstractmethod
    def _encoding(self) -> str:
        """The code page of names in values, from the tag TextEncoding."""

    # Texts and NAGs.

    @property
    def text(self) -> str:
        """The texts after this move, in all languages, joined by blanks.

        Setting it replaces them by one text for all languages, or by none if it is empty.
        """
        return join_texts(self.annotations, TEXT_AFTER)

    @text.setter
    def text(self, text: str) -> None:
        set_text(self.annotations, text, Side.AFTER)

    @property
    def text_before(self) -> str:
        """The texts before this move, like ``text``."""
        return join_texts(self.annotations, TEXT_BEFORE)

    @text_before.setter
    def text_before(self, text: str) -> None:
        set_text(self.annotations, text, Side.BEFORE)

    @property
    def nags(self) -> NagList:
        """The NAGs of this move in order, repeats included; a list that can be changed or assigned.

        Symbols are accepted, too: ``node.nags = ["!", "⩲"]``, ``node.nags = "!?"``.
        """
        return NagList(self.annotations)

    @nags.setter
    def nags(self, nags: Iterable[int | str]) -> None:
        numbers = [parse_nag(nag) if isinstance(nag, str) else nag for nag in _listed(nags, "NAGs")]
        NagList(self.annotations)[:] = numbers

    # Values of any kind.

    @property
    def values(self) -> list[Value | Raw]:
        """All annotations except texts and NAGs as typed values; ``Raw`` for invalid payloads."""
        from tabiya.game.annotations import typed  # noqa: PLC0415 - see the class

        others = [a for a in self.annotations if a.kind not in _PLAIN_KINDS]
        if not others:  # most moves; to find the encoding takes longer
            return []
        encoding = self._text_encoding()
        return [typed(a, encoding) for a in others]

    def values_of(self, kind: type[Kind]) -> list[Kind]:
        """Return the values of one class: ``node.values_of(Medals)``."""
        return [value for value in self.values if isinstance(value, kind)]

    def set_values(self, kind: type[Kind], values: Iterable[Kind]) -> None:
        """Replace all values of a class by these; an empty iterable removes them."""
        encoding = self._text_encoding()
        chosen = _listed(values, "values")
        for value in chosen:
            if not isinstance(value, kind):
                name = kind.__name__
                raise UsageError(f"{value!r} is not a value of {name}; {name}.parse reads one from text")
        replace(self.annotations, (kind.kind,), [value.annotation(encoding=encoding) for value in chosen])

    def _text_encoding(self) -> TextEncoding:
        from tabiya.game.annotations import UTF8, TextEncoding  # noqa: PLC0415 - see the class

        try:
            return TextEncoding(self._encoding) if self._encoding else UTF8
        except FormatError:
            return UTF8

    # Frequently used values.

    @property
    def squares(self) -> tuple[ColoredSquare, ...]:
        """The coloured squares; can be assigned, also as texts: ``node.squares = ["Ge4", "Rf7"]``."""
        from tabiya.game.annotations import Squares  # noqa: PLC0415 - see the class

        return tuple(mark for value in self.values_of(Squares) for mark in value.squares)

    @squares.setter
    def squares(self, squares: Iterable[ColoredSquare | str]) -> None:
        from tabiya.game.annotations import Squares  # noqa: PLC0415 - see the class

        value = Squares.parse(",".join(map(str, _listed(squares, "squares"))))
        self.set_values(Squares, [value] if value.squares else [])

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """The arrows; can be assigned, also as texts: ``node.arrows = ["Ge2e4"]``."""
        from tabiya.game.annotations import Arrows  # noqa: PLC0415 - see the class

        return tuple(mark for value in self.values_of(Arrows) for mark in value.arrows)

    @arrows.setter
    def arrows(self, arrows: Iterable[Arrow | str]) -> None:
        from tabiya.game.annotations import Arrows  # noqa: PLC0415 - see the class

        value = Arrows.parse(",".join(map(str, _listed(arrows, "arrows"))))
        self.set_values(Arrows, [value] if value.arrows else [])

    @property
    def clock(self) -> float | None:
        """The clock of the side that made this move, in seconds; can also be set to ``"1:29:45"``."""
        from tabiya.game.annotations import BlackClock, WhiteClock  # noqa: PLC0415 - see the class

        found = self.values_of(BlackClock if self.color is Color.BLACK else WhiteClock)
        return found[0].seconds if found else None

    @clock.setter
    def clock(self, value: float | str | None) -> None:
        from tabiya.game.annotations import BlackClock, WhiteClock  # noqa: PLC0415 - see the class

        kind = BlackClock if self.color is Color.BLACK else WhiteClock
        if value is None:
            self.set_values(kind, [])
        else:
            self.set_values(kind, [kind.parse(value) if isinstance(value, str) else kind(_hundredths(value))])

    @property
    def time_spent(self) -> int | None:
        """The time spent on this move, in seconds."""
        from tabiya.game.annotations import TimeSpent  # noqa: PLC0415 - see the class

        found = self.values_of(TimeSpent)
        return found[0].total if found else None

    @time_spent.setter
    def time_spent(self, seconds: int | None) -> None:
        from tabiya.game.annotations import TimeSpent  # noqa: PLC0415 - see the class

        if seconds is None:
            self.set_values(TimeSpent, [])
            return
        if not isinstance(seconds, Integral) or not 0 <= seconds <= _MOST_TIME:
            raise UsageError(f"the time of a move must be from 0 to {_MOST_TIME} whole seconds, not {seconds!r}")
        seconds = int(seconds)
        self.set_values(TimeSpent, [TimeSpent(seconds // 3600, seconds // 60 % 60, seconds % 60)])

    @property
    def eval(self) -> Evaluation | None:
        """The first engine evaluation of the position after this move, from White's point of view.

        It can also be set to a number of pawns or a text: ``node.eval = 0.35``, ``node.eval = "#-3"``.
        """
        from tabiya.game.annotations import Evaluation  # noqa: PLC0415 - see the class

        found = self.values_of(Evaluation)
        return found[0] if found else None

    @eval.setter  # noqa: A003 - the usual name
    def eval(self, evaluation: Evaluation | float | str | None) -> None:
        from tabiya.game.annotations import Evaluation  # noqa: PLC0415 - see the class

        value: Any = evaluation
        if isinstance(value, Real) and not isinstance(value, bool):
            value = f"{float(value):.2f}"
        if isinstance(value, str):
            value = Evaluation.parse(value)
        self.set_values(Evaluation, [] if value is None else [value])


def _listed(members: Iterable[Member], what: str) -> list[Member]:
    """Return the members of a list; a text is one member, or several separated by commas."""
    if isinstance(members, str):
        return members.split(",")  # type: ignore[return-value]  # setters reject members of another type
    if not isinstance(members, Iterable):
        raise UsageError(f"{what} must be a list, not {members!r}")
    return list(members)


def _hundredths(seconds: float) -> int:
    if not isinstance(seconds, Real) or not 0 <= seconds <= _MOST_CLOCK:
        raise UsageError(f"a clock must be from 0 to {_MOST_CLOCK} seconds, not {seconds!r}")
    return round(100 * seconds)
