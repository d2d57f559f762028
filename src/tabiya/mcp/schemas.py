"""JSON schemas of the results of tools: those of the HTTP API, each complete in itself."""

from __future__ import annotations

import json
from typing import Any, Final

from tabiya.web.schemas import components

_COMPONENTS: Final = "#/components/schemas/"
_DEFINITIONS: Final = "#/$defs/"


def result_schema(shape: type) -> dict[str, Any]:
    """Return the schema of an answer of the HTTP API, with the schemas that it refers to."""
    known = components()
    root = known[shape.__name__]
    needed: dict[str, Any] = {}
    waiting = _references(root)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = known[name]
            waiting += _references(known[name])
    schema = {**root, "$defs": needed} if needed else root
    found: dict[str, Any] = json.loads(json.dumps(schema).replace(_COMPONENTS, _DEFINITIONS))
    return found


def hoisted(schema: dict[str, Any]) -> dict[str, Any]:
    """Move definitions from the items of lists, where references do not find them, to the top."""
    found: dict[str, Any] = {}
    for member in schema["properties"].values():
        found |= member.get("items", {}).pop("$defs", {})
    return {**schema, "$defs": found} if found else schema


def _references(schema: Any) -> list[str]:
    """Return the names that a schema refers to."""
    text = json.dumps(schema)
    return [part.partition('"')[0] for part in text.split(f'"$ref": "{_COMPONENTS}')[1:]]


def object_schema(description: str, **members: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with these members, all required."""
    return {"type": "object", "description": description, "properties": members, "required": [*members]}
