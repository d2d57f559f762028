"""JSON schemas made from types: those of the answers, and of other documents."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
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

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

_PLAIN: Final[dict[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


class Schemas:
    """The schemas of the types in some modules; other types refer to these by name, below ``place``."""

    def __init__(self, modules: Iterable[ModuleType], place: str) -> None:
        self._place = place
        self._names = {
            shape: name
            for module in modules
            for name, shape in vars(module).items()
            if not name.startswith("_") and (is_typeddict(shape) or get_origin(shape) is Literal)
        }

    def components(self) -> dict[str, Any]:
        """Return the schemas of all types that have a name."""
        return {
            name: self._object(shape) if is_typeddict(shape) else self._unnamed(shape)
            for shape, name in self._names.items()
        }

    def schema_of(self, shape: Any) -> dict[str, Any]:
        """Return the schema of a type: a reference if it has a name."""
        if shape in self._names:
            return {"$ref": f"{self._place}{self._names[shape]}"}
        return self._unnamed(shape)

    def _unnamed(self, shape: Any) -> dict[str, Any]:
        origin, arguments = get_origin(shape), get_args(shape)
        if shape in _PLAIN:
            return {"type": _PLAIN[shape]}
        if shape is Any:
            return {}
        if origin is Annotated:
            return {**self.schema_of(arguments[0]), "description": arguments[1]}
        if origin is Literal:
            return {"type": "string", "enum": [*arguments]}
        if origin in (Union, UnionType):
            return {"anyOf": [self.schema_of(each) for each in arguments]}
        if origin is list:
            return {"type": "array", "items": self.schema_of(arguments[0])}
        if origin is tuple:
            prefix = [self.schema_of(each) for each in arguments]
            return {"type": "array", "prefixItems": prefix, "minItems": len(prefix), "maxItems": len(prefix)}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.schema_of(arguments[1])}
        raise TypeError(f"{shape} has no schema")

    def _object(self, shape: Any) -> dict[str, Any]:
        hints = get_type_hints(shape, include_extras=True)
        members = {name: self._member(hint) for name, hint in hints.items()}
        required = [name for name, hint in hints.items() if get_origin(hint) is not NotRequired]
        answer: dict[str, Any] = {"type": "object", "properties": members}
        if required:
            answer["required"] = required
        return answer if shape.__doc__ is None else {**answer, "description": shape.__doc__}

    def _member(self, hint: Any) -> dict[str, Any]:
        return self.schema_of(get_args(hint)[0] if get_origin(hint) is NotRequired else hint)


_ANSWERS: Final = Schemas((server, games, explorer, engines, reports), "#/components/schemas/")
components: Final = cache(_ANSWERS.components)
schema_of: Final = _ANSWERS.schema_of
