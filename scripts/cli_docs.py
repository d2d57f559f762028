"""Renews the reference of commands in docs/cli.md from the program itself: ``python scripts/cli_docs.py``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tabiya.cli.reference import Command, Parameter, commands

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
BEGIN, END = "<!-- made by scripts/cli_docs.py: begin -->\n", "<!-- end -->\n"


def section(command: Command) -> Iterator[str]:
    """The lines about one command."""
    arguments = [each.names[0] for each in command.parameters if not each.is_option]
    yield from (f"### tabiya {command.name}", "", command.text, "")
    yield from ("```sh", *command.examples, "```", "")
    yield from (f"| `tabiya {' '.join([command.name, *arguments, '[OPTIONS]'])}` | |", "|---|---|")
    yield from (f"| `{value_of(each)}` | {_cell(each.help)} |" for each in command.parameters)
    yield ""


def value_of(parameter: Parameter) -> str:
    """An argument, or an option with its value, as users write them."""
    with_value = parameter.is_option and parameter.metavar is not None
    return f"{parameter.names[-1]} {parameter.metavar}" if with_value else parameter.names[-1]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def reference() -> str:
    """All sections."""
    return "\n".join(line for command in commands() for line in section(command)).rstrip() + "\n"


def renewed(page: str) -> str:
    """The page with its reference as it should be."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{reference()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
