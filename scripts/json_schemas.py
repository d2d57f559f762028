"""Writes ``docs/schemas/v1/*.json``, the schemas of the JSON that commands print: ``python -m scripts.json_schemas``.

They are made from the types in ``src/tabiya/cli/documents.py``; ``tests/cli/test_documents.py`` compares the files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tabiya.cli import documents
from tabiya.web.answers import explorer, games
from tabiya.web.schemas import Schemas

FOLDER = Path(__file__).parent.parent / "docs" / "schemas" / f"v{documents.VERSION}"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLACE = "#/$defs/"


def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each document, with those of the types that it uses."""
    known = Schemas((documents, explorer, games), PLACE)
    types = known.components()
    found = {}
    for name, shape in documents.DOCUMENTS.items():
        schema = known.schema_of(shape)
        used: dict[str, Any] = {}
        waiting = referred(schema)
        while waiting:
            each = waiting.pop()
            if each not in used:
                used[each] = types[each]
                waiting |= referred(types[each])
        title = "A line on standard error with --json" if name == "stderr" else f"tabiya {name} --json"
        found[name] = {"$schema": DIALECT, "title": title, **schema, "$defs": dict(sorted(used.items()))}
    return found


def referred(schema: dict[str, Any]) -> set[str]:
    """The names of the types that a schema refers to directly."""
    found = set()
    waiting: list[Any] = [schema]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            if isinstance(place := each.get("$ref"), str):
                found.add(place.removeprefix(PLACE))
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return found


def files() -> dict[Path, str]:
    """The files, by path."""
    return {FOLDER / f"{name}.json": f"{json.dumps(schema, indent=2)}\n" for name, schema in schemas().items()}


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in files().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
