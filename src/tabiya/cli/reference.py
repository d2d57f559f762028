"""All commands with their arguments and options, as plain values: for documentation, man pages and completion."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Final

from tabiya.books.open_and_create import BOOK_FORMATS
from tabiya.formats.registry import FORMATS

_EXAMPLE: Final = "Example:"
_FILES: Final = {
    *("ARCHIVE", "BASE", "BOOK", "BOOK...", "CSV", "DIR", "FILE", "FILE...", "FOLDER", "JSON", "LIBRARY", "LIST"),
    *("OUT", "PGN", "PROGRAM", "TABLE", "TARGET"),
}
"""Values that name files or folders."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument or an option."""

    names: tuple[str, ...]
    """``--output``, ``-o``; of an argument its metavar."""
    metavar: str | None
    """The value; None if there is none."""
    help: str
    section: str
    """Title of its section in the help; empty for arguments and for the own options of a command."""
    choices: tuple[str, ...]
    """All values, if they are known."""

    @property
    def is_option(self) -> bool:
        """Whether it is an option."""
        return self.names[0].startswith("-")

    @property
    def takes_files(self) -> bool:
        """Whether its value is the name of a file or folder."""
        return self.metavar in _FILES


@dataclass(frozen=True, slots=True)
class Command:
    """A command; those of a group have two words."""

    name: str
    text: str
    examples: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    @property
    def summary(self) -> str:
        """The first sentence."""
        return self.text.partition("\n\n")[0].replace("\n", " ")


def commands() -> list[Command]:
    """Return all commands in the order of their names."""
    return [_command(name, command) for name, command in program().items()]


def program() -> dict[str, Any]:
    """Return the commands by name, as typer sees them."""
    # They import this module, and the parser is slow to load.
    import typer.main  # noqa: PLC0415

    from tabiya.cli.app import app  # noqa: PLC0415

    group: Any = typer.main.get_command(app)
    found: dict[str, Any] = {}
    for name, command in sorted(group.commands.items()):
        members = getattr(command, "commands", None)
        found |= {f"{name} {each}": members[each] for each in sorted(members)} if members else {name: command}
    return found


def _command(name: str, command: Any) -> Command:
    text, _, examples = (inspect.getdoc(command.callback) or "").partition(f"{_EXAMPLE}\n")
    lines = tuple(line.strip() for line in examples.splitlines())
    return Command(name, text.strip(), lines, tuple(_parameter(each, name) for each in command.params))


def _parameter(parameter: Any, command: str) -> Parameter:
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
        return Parameter((name,), name, parameter.help or "", "", _choices(parameter))
    metavar = None if parameter.is_flag else parameter.metavar or "VALUE"
    choices = _formats(parameter.name, command) if metavar == "FORMAT" else _choices(parameter)
    return Parameter(tuple(parameter.opts), metavar, parameter.help, parameter.rich_help_panel or "", choices)


def _formats(option: str, command: str) -> tuple[str, ...]:
    """Return the formats that an option can name."""
    if option == "source_format":
        return tuple(each.name for each in FORMATS.built_in)
    if command == "table":
        from tabiya.tables.table_files import TABLE_FORMATS  # noqa: PLC0415 - needs pyarrow

        return tuple(TABLE_FORMATS)
    if command.startswith("book "):
        return tuple(each.name for each in BOOK_FORMATS)
    return tuple(each.name for each in FORMATS.built_in if each.create is not None)


def _choices(parameter: Any) -> tuple[str, ...]:
    """Return the values of an enumeration; versions of typer store them in different places."""
    kind = getattr(parameter, "type_descriptor", None) or parameter.type
    return tuple(str(getattr(each, "value", each)) for each in getattr(kind, "choices", None) or ())
