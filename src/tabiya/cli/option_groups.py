"""Parameters of commands that stand for many options: conditions, and the options of formats.

``sources`` becomes the databases to read as one; ``where`` an option per condition of ``RecordFilter`` and selection by
number, ``conditions`` and ``headers`` only the conditions, as a ``RecordFilter`` or by name; ``query`` one option per
word of the search vocabulary; ``changing`` the options of commands that change many records, including conditions;
``reading`` and ``writing`` become the options that the formats describe (``Format.read_options``, ``write_options``),
so that a new format has its options without a change here; ``checking`` those for reading of formats that can be
checked.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from tabiya.cli.change_options import CHANGING, Changing
from tabiya.cli.options import SOURCES, Sources
from tabiya.cli.position_options import QUERY_OPTIONS, query_of
from tabiya.cli.quick_command import titled
from tabiya.cli.record_options import BY_NUMBER, CONDITIONS, choice_of, conditions_of
from tabiya.formats.registry import FORMATS, options

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from tabiya.formats import Format

Options = dict[str, Any]
"""Options for a format, by their names in Python."""

_TARGET: Final = "to_"
"""Prefix of an option for the target that has the same name as one for the source."""
_OFF: Final = "no_"
"""Prefix of an option that switches off."""


def _typer_options(
    kind: Literal["reading", "writing"], formats: Iterable[Format] = FORMATS.built_in, *, taken: Container[str] = ()
) -> dict[str, Any]:
    """Return the options of these formats as typer parameters, by name."""
    found = {}
    for option, owners in options(kind, formats).items():
        if option.command_line:
            name = f"{_TARGET}{option.name}" if option.name in taken else option.name
            metavar = None if option.type is bool else option.metavar
            text = f"{option.help.removesuffix('.')} ({', '.join(owners)})."
            name = f"{_OFF}{name}" if option.on else name
            switch = typer.Option(f"--{name.replace('_', '-')}", help=text, metavar=metavar)
            found[name] = Annotated[option.type | None, switch]
    return found


_READING: Final = titled("Options of source formats", _typer_options("reading"))
_CHECKING: Final = titled(
    "Options of source formats",
    _typer_options("reading", [each for each in FORMATS.built_in if each.check is not None]),
)
_WRITING: Final = titled("Options of target formats", _typer_options("writing", taken=_READING))


def _for_writing(given: Options) -> Options:
    text = {name.removeprefix(_TARGET): value for name, value in given.items()}
    return {name.removeprefix(_OFF): not value if name.startswith(_OFF) else value for name, value in text.items()}


_EXPANSIONS: Final[dict[str, tuple[dict[str, Any], Callable[[Options], Any]]]] = {
    "sources": (SOURCES, Sources.given),
    "query": (QUERY_OPTIONS, query_of),
    "where": (CONDITIONS | BY_NUMBER, choice_of),
    "conditions": (CONDITIONS, conditions_of),
    "headers": (CONDITIONS, dict),
    "changing": (CHANGING, Changing.given),
    "reading": (_READING, dict),
    "checking": (_CHECKING, dict),
    "writing": (_WRITING, _for_writing),
}
"""By parameter: the options it stands for, and a function for the given ones."""


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with these parameters replaced by their options."""
    for name in _EXPANSIONS:
        # These types are not needed at run time, and resolving them would load pyarrow for every --help.
        command.__annotations__.pop(name, None)
    signature = inspect.signature(command, eval_str=True)
    short = [name for name in signature.parameters if name in _EXPANSIONS]

    @functools.wraps(command)
    def called(**arguments: Any) -> None:
        for name in short:
            names, make = _EXPANSIONS[name]
            given = {each: value for each in names if (value := arguments.pop(each)) is not None}
            arguments[name] = make(given)
        command(**arguments)

    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.name in short:
            parameters += [
                parameter.replace(name=name, default=None, annotation=option)
                for name, option in _EXPANSIONS[parameter.name][0].items()
            ]
        else:
            parameters.append(parameter)
    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by typer
    return called
