"""Commands that read plain arguments without Pydantic, which typer would import and use for every option."""

from __future__ import annotations

import re
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup

from tabiya.cli.preferences import defaults_of, without_unneeded

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
    """A command; the user's settings are the defaults of its options."""

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        """Parse the arguments."""
        words = ([] if parent is None or parent.parent is None else [parent.info_name]) + [info_name]
        defaults = extra["default_map"] = defaults_of(" ".join(words), self.params)
        context = super().make_context(info_name, args, parent, **extra)
        context.params = without_unneeded(context.params, defaults)
        return context

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the help of arguments and options, in sections: the arguments, the command's own options, the rest."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            if (lines := parameter.get_help_record(ctx)) is not None:
                argument = parameter.param_type_name == "argument"
                title = "Arguments" if argument else getattr(parameter, "rich_help_panel", None) or "Options"
                sections.setdefault(title, []).append(lines)
        _write_sections(formatter, sections)


class QuickGroup(_Quick, TyperGroup):
    """A group of commands."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as in click
        """Write the names of the commands and the beginning of their help, in sections."""
        sections: dict[str, list[tuple[str, str]]] = {}
        width = formatter.width - 6 - max(len(name) for name in self.commands)
        for name, command in self.commands.items():
            title = getattr(command, "rich_help_panel", None) or "Commands"
            sections.setdefault(title, []).append((name, command.get_short_help_str(width)))
        _write_sections(formatter, sections)


def _write_sections(formatter: Any, sections: dict[str, list[tuple[str, str]]]) -> None:
    """Write definition lists with titles; empty ones are left out."""
    for title, lines in sections.items():
        if lines:
            with formatter.section(title):
                formatter.write_dl(lines)


def titled(title: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options, which the help shows in a section of this title."""
    for option in options.values():
        (about,) = option.__metadata__
        if about.rich_help_panel is None:
            about.rich_help_panel = title
    return options


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
