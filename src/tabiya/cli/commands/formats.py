"""``tabiya formats``: the formats that tabiya reads and writes, and what each one keeps."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tabiya import formats as library
from tabiya.cli.options import Json
from tabiya.cli.output import note, print_json
from tabiya.formats.matrix import markdown_matrix
from tabiya.formats.registry import kept_extras

if TYPE_CHECKING:
    from tabiya.formats import Format, Keeps


def formats(*, json: Json = False) -> None:
    """Show the supported formats, and what each of them keeps.

    The loss report of a conversion lists everything that the target format does not keep.

    Example:
        tabiya formats
    """
    if json:
        print_json([_described(format) for format in library.FORMATS])
        return
    for sentence in library.FORMATS.refused:
        note(sentence)
    for format in library.FORMATS:
        abilities = "read, write" if format.create is not None else "read"
        places = [*format.suffixes, *(f"{scheme}://" for scheme in format.schemes)]
        print(f"{format.name:<8} {format.title} ({' '.join(places)}): {abilities}")
    print()
    print(_aligned(markdown_matrix(library.FORMATS)))


def _aligned(table: str) -> str:
    """Return a Markdown table with columns of equal width."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    head, _, *body = rows
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    rows = [head, ["-" * width for width in widths], *body]
    return "\n".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _described(format: Format) -> dict[str, Any]:
    return {
        "name": format.name,
        "title": format.title,
        "suffixes": list(format.suffixes),
        "schemes": list(format.schemes),
        "writes": format.create is not None,
        "streams": format.streams,
        "keeps": _kept(format.keeps),
        "profiles": [
            {"name": profile.name, "title": profile.title, "keeps": _kept(profile.keeps)} for profile in format.profiles
        ],
    }


def _kept(keeps: Keeps) -> dict[str, Any]:
    values = {field.name: getattr(keeps, field.name) for field in fields(keeps)}
    values["extras"] = kept_extras(keeps.extras)
    lists = {name: sorted(value) for name, value in values.items() if isinstance(value, frozenset)}
    return {**values, **lists, "symbols": keeps.symbols.name.lower()}
