"""Commands that read plain arguments without Pydantic, which typer would import and use for every option."""

from __future__ import annotations

import re
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup

_DIGITS: Final = re.compile(r"[0-9]{1,18}")
_UNREAD: Final = object()


class _Quick:
    """Reads missing values, texts and whole numbers itself; leaves all others to typer.

    Typer creates a Pydantic adapter for each parameter, given or not, which takes longer than many commands. Versions
    of typer without these adapters have parameters without a ``type_descriptor``, and read all values themselves.
    """

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, including that of ``--help``."""
        parameters = super().get_params(ctx)  # type: ignore[misc]  # a command has it
        for parameter in parameters:
            if hasattr(parameter, "type_descriptor") and "process_value" not in vars(parameter):
                _read_quickly(parameter)
        return parameters


class QuickCommand(_Quick, TyperCommand):
    """A command."""


class QuickGroup(_Quick, TyperGroup):
    """A group of commands."""


def _read_quickly(parameter: Any) -> None:
    slowly = parameter.process_value

    def process_value(context: Any, value: Any) -> Any:
        found = _read(parameter, value)
        if found is _UNREAD or (parameter.required and parameter.value_is_missing(found)):
            return slowly(context, value)
        return found if parameter.callback is None else parameter.callback(context, parameter, found)

    parameter.process_value = process_value


def _read(parameter: Any, value: Any) -> Any:
    """Return the value of a parameter as typer would; ``_UNREAD`` if that is not trivial."""
    kind, several = parameter.type_descriptor.annotation, parameter.multiple or parameter.nargs == -1
    if value is None:
        return () if several else None
    if kind in (str, int) and type(value) is kind and not several:  # numbers at this point are defaults
        return value
    if kind == list[str] and isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value):
        return list(value)
    if kind is int and isinstance(value, str) and _DIGITS.fullmatch(value):
        limits = parameter.type_descriptor.parameter_info
        number = int(value)
        if (limits.min is None or limits.min <= number) and (limits.max is None or number <= limits.max):
            return number
    return _UNREAD
