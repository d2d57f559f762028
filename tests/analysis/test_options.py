"""Options as engines declare them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.analysis import EngineOption
from tabiya.errors import UsageError


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("option name Hash type spin default 16 min 1 max 33554432", EngineOption("Hash", "spin", 16, 1, 33554432)),
        ("option name Ponder type check default false", EngineOption("Ponder", "check", False)),
        ("option name Clear Hash type button", EngineOption("Clear Hash", "button")),
        ("option  name  A b  type  string  default  <empty>", EngineOption("A b", "string", "")),
        ("option name Path type string default C:\\var min x", EngineOption("Path", "string", "C:\\var min x")),
        ("option name S type string default a default b", EngineOption("S", "string", "a default b")),
        (
            "option name Style type combo default Very Solid var Very Solid var Wild default",
            EngineOption("Style", "combo", "Very Solid", None, None, ("Very Solid", "Wild default")),
        ),
        ("option name type type check default on", EngineOption("type", "check", True)),
        ("option name X type spin default a min b max 99999999999999999999", EngineOption("X", "spin")),
        ("option name X type spin max 3", EngineOption("X", "spin", None, None, 3)),
    ],
)
def test_declarations(line: str, expected: EngineOption) -> None:
    assert EngineOption.parse(line) == expected


@pytest.mark.parametrize(
    "line", ["", "option", "option name X", "option name X type float", "options name X type check", "id name X"]
)
def test_other_lines_declare_nothing(line: str) -> None:
    assert EngineOption.parse(line) is None


@given(st.text(max_size=60), st.sampled_from(["check", "spin", "combo", "button", "string"]), st.text(max_size=60))
def test_no_declaration_raises_an_error(name: str, kind: str, rest: str) -> None:
    option = EngineOption.parse(f"option name {name} type {kind} {rest}")
    if option is not None:
        for value in (None, True, 5, rest):
            try:
                result = option.checked(value)
            except UsageError:
                continue
            assert result is None or "\n" not in result


def test_values_without_bounds() -> None:
    assert EngineOption("X", "spin").checked("-7") == "-7"
    assert EngineOption("X", "check").checked("ON") == "true"
    assert EngineOption("X", "string").checked("") == "<empty>"
    assert EngineOption("X", "combo", None, None, None, ("One",)).checked("one") == "One"
