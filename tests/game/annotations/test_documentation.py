"""docs/annotations.md knows every kind, its fields and its command, and its examples are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabiya.game.annotations import VALUES, Value, parse_comment, typed

PAGE = (Path(__file__).parents[3] / "docs" / "annotations.md").read_text("utf-8")
ROWS = {
    cells[1].strip("` "): cells
    for cells in (
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in PAGE.splitlines()
        if line.startswith("| 0x")
    )
}


def test_the_page_lists_the_registry() -> None:
    assert list(ROWS) == [cls.__name__ for cls in VALUES]


@pytest.mark.parametrize("cls", VALUES, ids=lambda cls: cls.__name__)
def test_rows(cls: type[Value]) -> None:
    kind, _, fields, _, text, example = ROWS[cls.__name__]
    assert int(kind, 16) == cls.kind
    assert re.findall(r"`(\w+)`", fields) == list(cls.__match_args__)
    if not cls.in_movetext:
        assert f"`%{cls.command or 'cba'}`" in text
    example = example.strip("`").replace(r"\|", "|")
    if cls.in_movetext:
        value: object = cls.parse(example)
        assert cls.parse(example).format() == example
    else:
        (annotation,) = parse_comment(example).annotations
        value = typed(annotation)
    assert type(value) is cls


@pytest.mark.parametrize("cls", VALUES, ids=lambda cls: cls.__name__)
def test_other_commands_are_named(cls: type[Value]) -> None:
    for command in cls.other_commands:
        assert f"%{command}" in PAGE


def test_the_code_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    namespace: dict[str, object] = {}
    exec(code, namespace)
    assert namespace["comment"]
