"""Compares answers with the OpenAPI description, strictly: members that are not described are errors too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tabiya.web.description import openapi

KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}
KEYS = {"$ref", "description", "type", "enum", "anyOf", "items", "prefixItems", "minItems", "maxItems"} | {
    *("properties", "required", "additionalProperties")
}
"""What a schema may contain here; the comparison knows all of them."""


def content_schema(method: str, path: str, status: int) -> dict[str, Any] | None:
    """The schema of an answer; None if the description does not know the place or if it is not JSON."""
    for place, operations in openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(place)), path) and method.lower() in operations:
            responses = operations[method.lower()]["responses"]
            found = responses.get(str(status), responses["default"])
            schema: dict[str, Any] | None = found.get("content", {}).get("application/json", {}).get("schema")
            return schema
    return None


def differences(value: Any, schema: dict[str, Any], place: str = "answer") -> Iterator[str]:
    """How a value differs from a schema."""
    assert schema.keys() <= KEYS, schema.keys() - KEYS
    if "$ref" in schema:
        yield from differences(value, openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]], place)
        return
    if "anyOf" in schema:
        found = [[*differences(value, each, place)] for each in schema["anyOf"]]
        if all(found):
            yield from max(found, key=len)
        return
    kinds = KINDS.get(schema.get("type", ""), (object,))
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds and object not in kinds):
        yield f"{place}: {value!r} is not {schema['type']}"
    elif value not in schema.get("enum", [value]):
        yield f"{place}: {value!r} is none of {schema['enum']}"
    elif "properties" in schema or "additionalProperties" in schema:
        yield from _members(value, schema, place)
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{place}: {len(value)} items"
        for index, each in enumerate(value):
            inner = schema["prefixItems"][index] if "prefixItems" in schema else schema["items"]
            yield from differences(each, inner, f"{place}[{index}]")


def _members(value: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{place}.{name} is missing"
    for name, member in value.items():
        described = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
        if described is None:
            yield f"{place}.{name} is not described"
        else:
            yield from differences(member, described, f"{place}.{name}")
