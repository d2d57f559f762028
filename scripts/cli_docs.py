"""Renews the reference of commands in docs/cli.md from the program itself: ``python scripts/cli_docs.py``."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import typer.main

from tabiya.cli.app import app

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
BEGIN, END = "<!-- made by scripts/cli_docs.py: begin -->\n", "<!-- end -->\n"
EXAMPLE = "Example:"


@cache
def commands() -> dict[str, Any]:
    """The commands by name, as typer sees them; those of a group have two words."""
    group: Any = typer.main.get_command(app)
    found: dict[str, Any] = {}
    for name, command in sorted(group.commands.items()):
        members = getattr(command, "commands", None)
        found |= {f"{name} {each}": members[each] for each in sorted(members)} if members else {name: command}
    return found


def parameters(command: Any) -> dict[str, str]:
    """Arguments and options of a command as users write them, with their help."""
    found = {}
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            found[parameter.metavar or parameter.name.upper()] = parameter.help
        else:
            metavar = "" if parameter.is_flag else f" {parameter.metavar or 'VALUE'}"
            found[parameter.opts[-1] + metavar] = parameter.help
    return found


def section(name: str, command: Any) -> Iterator[str]:
    """The lines about one command."""
    described = parameters(command)
    arguments = [each for each in described if not each.startswith("-")]
    text, _, examples = (inspect.getdoc(command.callback) or "").partition(f"{EXAMPLE}\n")
    yield from (f"### tabiya {name}", "", text.strip(), "")
    yield from ("```sh", *(line.strip() for line in examples.splitlines()), "```", "")
    yield from (f"| `tabiya {' '.join([name, *arguments, '[OPTIONS]'])}` | |", "|---|---|")
    yield from (f"| `{each}` | {_cell(text)} |" for each, text in described.items())
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def reference() -> str:
    """All sections."""
    return "\n".join(line for name, command in commands().items() for line in section(name, command)).rstrip() + "\n"


def renewed(page: str) -> str:
    """The page with its reference as it should be."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{reference()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
