"""JSON schemas of the answers, made from their types."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from tabiya.web.answers import engines, explorer, games, reports, server

_MODULES: Final = (server, games, explorer, engines, reports)
_PLAIN: Final[dict[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_NAMES: Final = {
    shape: name
    for module in _MODULES
    for name, shape in vars(module).items()
    if not name.startswith("_") and (is_typeddict(shape) or get_origin(shape) is Literal)
}
"""Names of types that others refer to."""


@cache
def components() -> dict[str, Any]:
    """Return the schemas of all types that have a name."""
    return {name: _object(shape) if is_typeddict(shape) else _unnamed(shape) for shape, name in _NAMES.items()}


def schema_of(shape: Any) -> dict[str, Any]:
    """Return the schema of a type: a reference if it has a name."""
    if shape in _NAMES:
        return {"$ref": f"#/components/schemas/{_NAMES[shape]}"}
    return _unnamed(shape)


def _unnamed(shape: Any) -> dict[str, Any]:
    origin, arguments = get_origin(shape), get_args(shape)
    if shape in _PLAIN:
        return {"type": _PLAIN[shape]}
    if shape is Any:
        return {}
    if origin is Annotated:
        return {**schema_of(arguments[0]), "description": arguments[1]}
    if origin is Literal:
        return {"type": "string", "enum": [*arguments]}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(each) for each in arguments]}
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is tuple:
        prefix = [schema_of(each) for each in arguments]
        return {"type": "array", "prefixItems": prefix, "minItems": len(prefix), "maxItems": len(prefix)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    raise TypeError(f"{shape} has no schema")


def _object(shape: Any) -> dict[str, Any]:
    hints = get_type_hints(shape, include_extras=True)
    members = {name: _member(hint) for name, hint in hints.items()}
    required = [name for name, hint in hints.items() if get_origin(hint) is not NotRequired]
    answer: dict[str, Any] = {"type": "object", "properties": members}
    if required:
        answer["required"] = required
    return answer if shape.__doc__ is None else {**answer, "description": shape.__doc__}


def _member(hint: Any) -> dict[str, Any]:
    return schema_of(get_args(hint)[0] if get_origin(hint) is NotRequired else hint)
