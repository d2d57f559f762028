"""Writes the man pages of tabiya from the descriptions of its commands: ``python -m scripts.man_pages build/man``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import tabiya
from tabiya.cli.reference import Command, Parameter, commands

CODES = {
    "0": "Success.",
    "1": "Finished, but data was lost, or the input has problems; of diff: the databases differ.",
    "2": "Wrong usage.",
    "3": "The input cannot be used, or data would be lost under --strict.",
    "130": "Ended by Ctrl-C.",
}


def escaped(text: str) -> str:
    """The text for roff: no hyphenation of options, no requests by accident, ASCII quotes."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").splitlines()
    return "\n".join(f"\\&{line}" if line.startswith((".", "\\(aq")) else line for line in lines)


def heading(name: str) -> str:
    """The first line of a page."""
    return f'.TH "{name.upper()}" "1" "" "tabiya {tabiya.__version__}" "tabiya"'


def section(title: str) -> str:
    """The line before a section."""
    return f'.SH "{title.upper()}"'


def definition(parameter: Parameter) -> Iterable[str]:
    """The lines about an argument or option."""
    names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in parameter.names)
    value = "" if not parameter.is_option or parameter.metavar is None else f" \\fI{escaped(parameter.metavar)}\\fR"
    return ".TP", names + value, escaped(parameter.help)


def page(command: Command) -> str:
    """The page of one command."""
    name = f"tabiya-{command.name.replace(' ', '-')}"
    arguments = [each for each in command.parameters if not each.is_option]
    options = [each for each in command.parameters if each.is_option]
    lines = [heading(name), section("Name"), f"{escaped(name)} \\- {escaped(command.summary)}"]
    lines += [section("Synopsis"), f"\\fBtabiya {escaped(command.name)}\\fR"]
    lines += [f"\\fI{escaped(each.names[0])}\\fR" for each in arguments] + ["[\\fIOPTIONS\\fR]"]
    lines += [section("Description"), "\n.PP\n".join(escaped(each) for each in command.text.split("\n\n"))]
    if arguments:
        lines += [section("Arguments"), *(line for each in arguments for line in definition(each))]
    for title, members in groupby(sorted(options, key=lambda each: each.section), key=lambda each: each.section):
        lines += [section(title or "Options"), *(line for each in members for line in definition(each))]
    lines += [section("Examples"), ".nf", *(escaped(line) for line in command.examples), ".fi"]
    lines += [section("See also"), "\\fBtabiya\\fR(1)"]
    return "\n".join(lines) + "\n"


def first_page(described: list[Command]) -> str:
    """The page of the program."""
    text = "read, convert, search and write chess databases and opening books"
    lines = [heading("tabiya"), section("Name"), f"tabiya \\- {text}"]
    lines += [section("Synopsis"), "\\fBtabiya\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]", section("Commands")]
    for command in described:
        lines += [".TP", f"\\fBtabiya\\-{escaped(command.name.replace(' ', '-'))}\\fR(1)", escaped(command.summary)]
    lines += [section("Exit status"), *(line for code, text in CODES.items() for line in (".TP", code, escaped(text)))]
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """All pages by the names of their files."""
    described = commands()
    found = {f"tabiya-{command.name.replace(' ', '-')}.1": page(command) for command in described}
    return {"tabiya.1": first_page(described), **found}


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, "utf-8")
