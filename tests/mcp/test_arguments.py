"""Arguments of tools: what fits their schema is taken, everything else is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from tabiya.errors import UsageError
from tabiya.mcp.arguments import Argument, checked_arguments, input_schema

ARGUMENTS = (
    Argument(name="text", help="A text.", required=True),
    Argument(name="side", help="A side.", choices=("white", "black"), default="white"),
    Argument(name="count", help="How many.", kind="integer", least=0, most=9, default=3),
    Argument(name="seconds", help="How long.", kind="number", least=0.1, most=10),
    Argument(name="flag", help="Whether.", kind="boolean"),
    Argument(name="more", help="More.", kind="object", members=("a", "b")),
)


def test_defaults() -> None:
    values = checked_arguments(ARGUMENTS, {"text": "x", "count": None})
    assert values == {"text": "x", "side": "white", "count": 3, "seconds": None, "flag": None, "more": None}


def test_what_fits_is_taken() -> None:
    given = {"text": "é", "side": "black", "count": 0, "seconds": 10, "flag": False, "more": {"b": [1]}}
    assert checked_arguments(ARGUMENTS, given) == given


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "the argument “text” is missing"),
        ({"text": None}, "the argument “text” is missing"),
        ({"text": "x", "tex": 1}, "there is no argument “tex”; known: text, side, count, seconds, flag, more"),
        ({"text": 5}, "“text” must be a text, not “5”"),
        ({"text": "x" * 20_001}, "“text” has more than 20,000 characters"),
        ({"text": "x", "side": "red"}, "“side” must be white or black, not “red”"),
        ({"text": "x", "count": True}, "“count” must be a whole number, not “True”"),
        ({"text": "x", "count": 1.0}, "“count” must be a whole number, not “1.0”"),
        ({"text": "x", "count": 10}, "“count” must be from 0 to 9, not “10”"),
        ({"text": "x", "count": -(10**60)}, f"“count” must be from 0 to 9, not “-1{'0' * 38}…”"),
        ({"text": "x", "seconds": float("nan")}, "“seconds” must be from 0.1 to 10, not “nan”"),
        ({"text": "x", "flag": 1}, "“flag” must be true or false, not “1”"),
        ({"text": "x", "more": []}, "“more” must be an object, not “[]”"),
        ({"text": "x", "more": {"c": 1}}, "“more” has no member “c”; known: a, b"),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        checked_arguments(ARGUMENTS, given)
    assert refused.value.message == sentence


def test_the_schema() -> None:
    schema = input_schema(ARGUMENTS)
    assert schema["required"] == ["text"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["count"] == {
        "type": "integer",
        "description": "How many.",
        "default": 3,
        "minimum": 0,
        "maximum": 9,
    }
    assert schema["properties"]["side"]["enum"] == ["white", "black"]
