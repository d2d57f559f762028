"""Options of engines: what the engine declares, and the values that it accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args

from tabiya.errors import UsageError, shortened

OptionType = Literal["check", "spin", "combo", "button", "string"]
OptionValue = bool | int | str | None

_OPTION: Final = re.compile(
    rf"option\s+name\s+(?P<name>\S.*?)\s+type\s+(?P<type>{'|'.join(get_args(OptionType))})(?:\s+(?P<rest>.*))?"
)
_DECLARED: Final = {"check": "default", "spin": "default|min|max", "combo": "default|var", "string": "default"}
_WORDS: Final = {kind: re.compile(rf"(?:^|(?<=\s))({words})(?=\s|$)") for kind, words in _DECLARED.items()}
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_EMPTY: Final = "<empty>"
_BOOLEANS: Final = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False}
_BOOLEANS["0"] = False
_LONGEST_VALUE: Final = 4096
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option of an engine."""

    name: str
    type: OptionType
    """``check`` is true or false, ``spin`` a number, ``combo`` one of several texts, ``button`` an action."""
    default: OptionValue = None
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()
    """The values of a ``combo``."""

    @classmethod
    def parse(cls, line: str) -> EngineOption | None:
        """Return the option that a line ``option name … type …`` declares; None if the line is not valid."""
        found = _OPTION.fullmatch(line.strip())
        if found is None:
            return None
        kind: OptionType = found["type"]  # type: ignore[assignment]  # the pattern allows no other
        values = _values(kind, found["rest"] or "")
        default = values["default"][0] if "default" in values else None
        least, most = _integer(values.get("min", [])), _integer(values.get("max", []))
        return cls(found["name"], kind, _default(kind, default), least, most, tuple(values.get("var", ())))

    def checked(self, value: OptionValue) -> str | None:
        """Return a value as the engine expects it; None for a button.

        Raises:
            UsageError: The value is not valid for this option.
        """
        if self.type == "button":
            if value not in (None, True):
                raise self._refused(value, "is a button and has no value")
            return None
        if self.type == "check":
            chosen = _BOOLEANS.get(str(value).lower())
            if chosen is None:
                raise self._refused(value, "is true or false")
            return "true" if chosen else "false"
        if self.type == "spin":
            return str(self._number(value))
        return self._text(value)

    def _number(self, value: OptionValue) -> int:
        if type(value) is not int and not (isinstance(value, str) and _INTEGER.fullmatch(value)):
            raise self._refused(value, "is a number")
        number = int(value)
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            raise self._refused(value, f"is a number from {self.min} to {self.max}")
        return number

    def _text(self, value: OptionValue) -> str:
        if not isinstance(value, str):
            raise self._refused(value, "is a text")
        if _CONTROL.search(value) or len(value) > _LONGEST_VALUE:
            raise self._refused(value, f"is one line of at most {_LONGEST_VALUE} characters")
        if self.type == "string":
            return value or _EMPTY
        same = next((choice for choice in self.choices if choice.lower() == value.lower()), None)
        if same is None:
            raise self._refused(value, f"is one of {', '.join(self.choices)}")
        return same

    def _refused(self, value: OptionValue, rule: str) -> UsageError:
        return UsageError(f"the engine's option {self.name} {rule}, not {shortened(repr(value))}")


def _values(kind: OptionType, rest: str) -> dict[str, list[str]]:
    """Return what follows each word of a declaration. Words in a second place are part of a text."""
    values: dict[str, list[str]] = {}
    if kind == "button":
        return values
    parts = _WORDS[kind].split(rest, 1 if kind == "string" else 0)
    last: list[str] = []
    for word, value in zip(parts[1::2], parts[2::2], strict=True):
        if word in values and word != "var":
            last[-1] = f"{last[-1]} {word} {value.strip()}".strip()
        else:
            last = values.setdefault(word, [])
            last.append(value.strip())
    return values


def _integer(texts: list[str]) -> int | None:
    return int(texts[0]) if texts and _INTEGER.fullmatch(texts[0]) else None


def _default(kind: OptionType, text: str | None) -> OptionValue:
    if text is None or kind == "button":
        return None
    if kind == "check":
        return _BOOLEANS.get(text.lower())
    if kind == "spin":
        return _integer([text])
    return "" if text == _EMPTY else text
