"""The conversion matrix: what each format keeps, as a table for the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.formats.capabilities import SymbolSupport
from tabiya.formats.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabiya.formats.capabilities import Keeps
    from tabiya.formats.format import Format

_SYMBOL_TEXTS = {SymbolSupport.NONE: "no", SymbolSupport.SLOTS: "3 per move", SymbolSupport.ALL: "yes"}


def _yes(kept: object) -> str:
    if isinstance(kept, frozenset):
        return "some" if kept else "no"
    return "yes" if kept else "no"


def _text(keeps: Keeps) -> str:
    sides = [side for side, kept in (("before", keeps.text_before), ("after", keeps.text_after)) if kept]
    places = "/".join(sides) or "no"
    return f"{places}, languages" if sides and keeps.languages else places


_COLUMNS: dict[str, Callable[[Keeps], str]] = {
    "variations": lambda keeps: _yes(keeps.variations),
    "NAGs": lambda keeps: _SYMBOL_TEXTS[keeps.symbols],
    "text": _text,
    "rich annotations": lambda keeps: _yes(keeps.annotations),
    "tags": lambda keeps: "all" if keeps.tags == "all" else _yes(keeps.tags),
    "set-up positions": lambda keeps: _yes(keeps.setups),
    "Chess960": lambda keeps: _yes(keeps.chess960),
    "null moves": lambda keeps: _yes(keeps.null_moves),
    "guiding texts": lambda keeps: _yes(keeps.guiding_texts),
    "deletion marks": lambda keeps: _yes(keeps.deleted),
}


def markdown_matrix(formats: Sequence[Format] = FORMATS) -> str:
    """Return a table in Markdown with a line for every format and for every profile of it."""
    lines = [f"| | {' | '.join(_COLUMNS)} |", "|---" * (len(_COLUMNS) + 1) + "|"]
    for format in formats:
        rows = [(format.title, format.keeps)]
        rows += [(f"{format.title} ({profile.title})", profile.keeps) for profile in format.profiles]
        lines += [f"| {title} | {' | '.join(cell(keeps) for cell in _COLUMNS.values())} |" for title, keeps in rows]
    return "\n".join(lines) + "\n"
