"""Records what users can call: ``python -m scripts.interface`` writes ``tests/data/interface-0.1.txt`` for the version.

One line per public name, option, exit code and member of a JSON document: packages and their names, parameters of
functions and of the methods of classes, commands with their options. ``tests/test_interface.py`` compares the recorded
lines with those of the sources: what is gone or incompatible fails; what is new may appear. A release records its own
file, see docs/stability.md.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import tabiya
from scripts.json_schemas import schemas
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.reference import commands

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tabiya"
FOLDER = ROOT / "tests" / "data"
RECORDED = "interface-{}.txt"


def packages() -> list[str]:
    """Packages with public names: those with a stub."""
    found = (path.parent.relative_to(SOURCE.parent) for path in SOURCE.rglob("__init__.pyi"))
    return sorted(".".join(path.parts) for path in found)


def interface() -> list[str]:
    """All lines, sorted."""
    return sorted({*python_lines(), *command_lines(), *document_lines()})


def python_lines() -> Iterator[str]:
    """The public names of all packages, with their parameters."""
    for package in packages():
        module = import_module(package)
        for name in vars(module)["__all__"]:
            yield from lines_of(f"{package}.{name}", getattr(module, name))


def lines_of(place: str, value: Any) -> Iterator[str]:
    """A line for a name, lines for its parameters and members."""
    yield f"name {place}"
    if inspect.isclass(value):
        if not issubclass(value, Enum):  # their signature is Python's, and differs between its versions
            yield from parameters(place, value)
        for name in dir(value):
            if not name.startswith("_") and not is_inherited_from_elsewhere(value, name):
                member = getattr(value, name, None)
                yield f"name {place}.{name}"
                if inspect.isroutine(member):
                    yield from parameters(f"{place}.{name}", member)
    elif inspect.isroutine(value):
        yield from parameters(place, value)


def is_inherited_from_elsewhere(value: type, name: str) -> bool:
    """Whether a member comes from a class of Python, such as ``int``: its names differ between versions of Python."""
    home = next((each for each in value.__mro__ if name in vars(each)), value)
    return not home.__module__.startswith("tabiya")


def parameters(place: str, value: Any) -> Iterator[str]:
    """A line per parameter: its kind, and whether it must be given."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # built into Python, or without a signature
        return
    position = 0
    for parameter in signature.parameters.values():
        if parameter.name in {"self", "cls"} or parameter.name.startswith("_"):
            continue
        needed = "required" if parameter.default is parameter.empty else "optional"
        match parameter.kind:
            case parameter.VAR_POSITIONAL | parameter.VAR_KEYWORD:
                yield f"parameter {place}({'*' * (1 + (parameter.kind is parameter.VAR_KEYWORD))})"
            case parameter.KEYWORD_ONLY:
                yield f"parameter {place}({parameter.name}=) {needed}"
            case _:
                yield f"parameter {place}({parameter.name}, place {position}) {needed}"
                position += 1


def command_lines() -> Iterator[str]:
    """Commands, their arguments and options, and the exit codes."""
    for command in commands():
        yield f"command {command.name}"
        for parameter in command.parameters:
            for name in parameter.names:
                if parameter.is_option:
                    yield f"option {command.name} {name}{' VALUE' if parameter.metavar else ''}"
                else:
                    yield f"argument {command.name} {name}"
            yield from (f"choice {command.name} {parameter.names[0]} {choice}" for choice in parameter.choices)
    for code in ExitCode:
        yield f"exit code {code.name} {int(code)}"


def document_lines() -> Iterator[str]:
    """The documents that commands print as JSON, and the members of all objects in them with their types."""
    for document, schema in schemas().items():
        yield f"document {document} {kind(schema)}"
        for name, inner in schema["$defs"].items():
            for member, described in inner.get("properties", {}).items():
                presence = "always" if member in inner.get("required", ()) else "sometimes"
                yield f"member {name}.{member} {presence} {kind(described)}"


def kind(schema: dict[str, Any]) -> str:
    """The type of a value in words."""
    match schema:
        case {"$ref": where}:
            return str(where).rpartition("/")[2]
        case {"anyOf": choices}:
            return " or ".join(map(kind, choices))
        case {"type": "array", "items": items}:
            return f"array of {kind(items)}"
        case {"type": "object", "additionalProperties": values}:
            return f"object of {kind(values)}"
    return str(schema.get("type", "anything"))


def incompatible(recorded: list[str], current: list[str]) -> list[str]:
    """What callers of a release would miss: lines that are gone, and parameters that did not have to be given before.

    A parameter that was required may become optional; a new one must be optional.
    """
    there, before = set(current), set(recorded)
    gone = {line for line in before - there if line.removesuffix(" required") not in {kept(each) for each in there}}
    callables = {place(line) for line in before if line.startswith("name ")}
    added = {
        line for line in there - before if line.startswith("parameter ") and line.endswith(" required")
        and place(line) in callables
    }  # fmt: skip
    return sorted([f"gone: {line}" for line in gone] + [f"now required: {line}" for line in added])


def kept(line: str) -> str:
    """A line without what may become weaker."""
    return re.sub(r" (required|optional)$", "", line)


def place(line: str) -> str:
    """The name that a line is about."""
    return line.partition(" ")[2].partition("(")[0]


def recorded_file(version: str) -> Path:
    """The file of a release, named after the first two numbers of its version."""
    return FOLDER / RECORDED.format(".".join(version.split(".")[:2]))


def main() -> None:
    """Record the interface of this version."""
    path = recorded_file(tabiya.__version__)
    path.write_text("".join(f"{line}\n" for line in interface()), "utf-8")
    print(path)


if __name__ == "__main__":
    main()
