"""The documentation speaks of everything that the package offers."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import tabiya
import tabiya.books
from scripts.cli_docs import PAGE, renewed, value_of
from tabiya.cli.reference import Command, commands, program

ROOT = Path(__file__).parent.parent
NAMES: list[str] = vars(tabiya)["__all__"]
CODE = re.compile(r"^(?P<fence>```|~~~).*?^(?P=fence)|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def code_in(page: str) -> str:
    """The code of a page, blocks and inline: only there is a name such as ``open`` not just an English word."""
    return "\n".join(match.group() for match in CODE.finditer(page))


def test_every_public_name_is_documented() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    documented = {word for page in pages for word in re.findall(r"\w+", code_in(page.read_text("utf-8")))}
    assert set(NAMES) - documented == set(), "neither README.md nor docs/ show them in code"


def test_every_public_name_explains_itself() -> None:
    assert NAMES
    assert [name for name in NAMES if callable(value := getattr(tabiya, name)) and not value.__doc__] == []


RETURNS: dict[str, type] = {
    "open": tabiya.Database,
    "edit": tabiya.DatabaseEditor,
    "open_book": tabiya.Book,
    "edit_book": tabiya.books.BookEditor,
}
API_PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
CALLS: dict[str, str] = dict(re.findall(r"^\| `tabiya ([a-z ]+)` \| `(.*)` \|$", API_PAGE, re.MULTILINE))
"""By command: the call that does the same."""
WITHOUT_CALL = {"completion"}
"""Commands that are about the command line itself."""


def test_every_command_has_its_call() -> None:
    assert CALLS.keys() | WITHOUT_CALL == program().keys()


@pytest.mark.parametrize("command", CALLS)
def test_the_call_of_a_command_is_public(command: str) -> None:
    """Every name in it, from ``tabiya`` on; and the arguments fit."""
    value: object = tabiya
    for name, arguments in re.findall(r"(\w+)(?:\(([^)]*)\))?", CALLS[command].removeprefix("tabiya.")):
        assert name in (NAMES if value is tabiya else dir(value))
        function = getattr(value, name)
        assert arguments or name in {"FORMATS", "headers"}
        if arguments:
            given = ast.parse(f"f({arguments})", mode="eval").body
            assert isinstance(given, ast.Call)
            bound = [None] if inspect.isfunction(function) and value is not tabiya else []
            bound += [None] * len(given.args)
            inspect.signature(function).bind(*bound, **{keyword.arg or "": None for keyword in given.keywords})
        value = RETURNS.get(name) if value is tabiya else tabiya.Database


@pytest.fixture(scope="module")
def cli_page() -> str:
    return PAGE.read_text("utf-8")


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.name)
def test_every_command_and_option_is_documented(command: Command, cli_page: str) -> None:
    section = re.search(rf"^### tabiya {command.name}$.*?(?=^##|\Z)", cli_page, re.MULTILINE | re.DOTALL)
    assert section, f"docs/cli.md does not speak of tabiya {command.name}"
    code = code_in(section.group())
    assert f"tabiya {command.name} " in code, "there is no example"
    assert [each for each in command.parameters if f"`{value_of(each)}`" not in code or not each.help] == []


def test_the_reference_of_commands_is_up_to_date(cli_page: str) -> None:
    assert cli_page == renewed(cli_page), "run: python scripts/cli_docs.py"


def test_prose_does_not_count_as_documentation() -> None:
    page = "Please open the door.\n\n```python\ntabiya.convert(a, b)\n```\n\nThen `Game` it.\n"
    assert "convert" in code_in(page)
    assert "Game" in code_in(page)
    assert "open" not in code_in(page)
