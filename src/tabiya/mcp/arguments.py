"""Arguments of tools: their JSON schema, and values that are checked against it with errors in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LONGEST_TEXT: Final = 20_000
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
}
_NAMES: Final = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument of a tool."""

    name: str
    help: str
    kind: Literal["string", "integer", "number", "boolean", "object"] = "string"
    default: Any = None
    required: bool = False
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    """The names that an object may contain."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        schema: dict[str, Any] = {"type": self.kind, "description": self.help}
        if self.default is not None:
            schema["default"] = self.default
        if self.least is not None:
            schema["minimum"] = self.least
        if self.most is not None:
            schema["maximum"] = self.most
        if self.choices:
            schema["enum"] = [*self.choices]
        return schema

    def _is_within(self, value: float) -> bool:
        return self.least is None or self.most is None or self.least <= value <= self.most

    def checked(self, value: Any) -> Any:
        """Return a value if it fits.

        Raises:
            UsageError: It does not.
        """
        is_flag = isinstance(value, bool) and self.kind != "boolean"
        if is_flag or not isinstance(value, _TYPES[self.kind]):
            raise UsageError(f"“{self.name}” must be {_NAMES[self.kind]}, not {_shown(value)}")
        if isinstance(value, str) and len(value) > _LONGEST_TEXT:
            raise UsageError(f"“{self.name}” has more than {_LONGEST_TEXT:,} characters")
        if isinstance(value, str) and self.choices and value not in self.choices:
            raise UsageError(f"“{self.name}” must be {' or '.join(self.choices)}, not {_shown(value)}")
        if isinstance(value, (int, float)) and not self._is_within(value):
            raise UsageError(f"“{self.name}” must be from {self.least} to {self.most}, not {_shown(value)}")
        if isinstance(value, dict) and (unknown := [name for name in value if name not in self.members]):
            raise UsageError(f"“{self.name}” has no member {_shown(unknown[0])}; known: {', '.join(self.members)}")
        return value


def input_schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Return the JSON schema of all arguments of a tool."""
    return {
        "type": "object",
        "properties": {each.name: each.schema() for each in arguments},
        "required": [each.name for each in arguments if each.required],
        "additionalProperties": False,
    }


def checked_arguments(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of all arguments; those that are not given have their defaults.

    Raises:
        UsageError: One is missing, unknown, or does not fit.
    """
    known = {each.name: each for each in arguments}
    if unknown := [name for name in given if name not in known]:
        raise UsageError(f"there is no argument {_shown(unknown[0])}; known: {', '.join(known) or 'none'}")
    values = {}
    for name, argument in known.items():
        value = given.get(name)
        if value is None:
            if argument.required:
                raise UsageError(f"the argument “{name}” is missing")
            values[name] = argument.default
        else:
            values[name] = argument.checked(value)
    return values


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return f"“{text[:40]}…”" if len(text) > 40 else f"“{text}”"
