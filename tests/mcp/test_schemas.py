"""Schemas of results are complete: every reference leads to a definition in the same schema."""

from __future__ import annotations

from typing import Any

import pytest

from tabiya.mcp.tools import TOOLS, Tool


def references(schema: Any) -> list[str]:
    found, waiting = [], [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            found += [part["$ref"]] if "$ref" in part else []
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return found


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_reference_is_defined(tool: Tool) -> None:
    schema = tool.result()
    assert schema["type"] == "object"
    for reference in references(schema):
        assert reference.startswith("#/$defs/")
        assert reference.removeprefix("#/$defs/") in schema["$defs"]


def test_names_and_helps() -> None:
    assert len({tool.name for tool in TOOLS}) == len(TOOLS)
    for tool in TOOLS:
        assert tool.help.endswith(".")
        for argument in tool.arguments:
            assert argument.help.endswith((".", "”", "lists."))
