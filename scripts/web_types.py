"""Writes ``web/src/api/types.ts`` from the schemas of the API: ``python -m scripts.web_types``.

With ``check`` nothing is written; the exit code is 1 if the file differs. Run by ``make lint`` and by a test.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabiya.web.schemas import components

TYPES = Path(__file__).parent.parent / "web" / "src" / "api" / "types.ts"
HEAD = "/** The answers of the server. Made by scripts/web_types.py from src/tabiya/web/answers: do not edit. */\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def type_of(schema: dict[str, Any]) -> str:
    """Return a schema as a TypeScript type."""
    match schema:
        case {"$ref": place}:
            return str(place).rpartition("/")[2]
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": choices}:
            return " | ".join(dict.fromkeys(map(type_of, choices)))
        case {"type": "array", "prefixItems": members}:
            return f"[{', '.join(map(type_of, members))}]"
        case {"type": "array", "items": items}:
            one = type_of(items)
            return f"({one})[]" if "|" in one else f"{one}[]"
        case {"type": "object", "additionalProperties": values}:
            return f"Record<string, {type_of(values)}>"
        case {"type": kind}:
            return PLAIN[kind]
    return "unknown"


def lines_of(name: str, schema: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of one type."""
    yield ""
    if "description" in schema:
        yield f"/** {schema['description'].replace('``', '`')} */"
    if "properties" not in schema:
        yield f"export type {name} = {type_of(schema)};"
        return
    yield f"export interface {name} {{"
    for member, described in schema["properties"].items():
        if "description" in described:
            yield f"  /** {described['description']} */"
        yield f"  {member}{'' if member in schema.get('required', ()) else '?'}: {type_of(described)};"
    yield "}"


def types() -> str:
    """Return the whole file."""
    return HEAD + "".join(f"{line}\n" for name, schema in components().items() for line in lines_of(name, schema))


def main() -> None:
    """Write the file, or compare it."""
    if "check" not in sys.argv[1:]:
        TYPES.write_text(types(), "utf-8")
    elif TYPES.read_text("utf-8") != types():
        sys.exit(f"{TYPES.name} is not what the answers of the API are: run python -m scripts.web_types")


if __name__ == "__main__":
    main()
