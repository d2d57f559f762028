"""Tables as HTML for notebooks: every text is escaped; no scripts, and no colours that need a light background.

Text and borders take the colours of the page around them, so a table is readable on light and on dark backgrounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tabiya.chess.svg import board_svg
from tabiya.game.tag_texts import COLUMN_TEXTS, LISTED_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from tabiya.chess import Move, Position

_LINE: Final = "border-bottom: 1px solid rgba(128, 128, 128, .35)"
FAINT: Final = "opacity: .7"
"""The style of what is less important."""
_SHARES: Final = (("White", "#f4f1ec", "#222"), ("draws", "#7a7a7a", "#fff"), ("Black", "#2b2b2b", "#fff"))
"""Background and text of the parts of a bar; its border separates them from any page."""
_NARROWEST: Final = 14
"""Parts of a bar below this percentage are too narrow for a number."""


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Cell: TypeAlias = "str | int | float | Markup | None"


@dataclass(frozen=True, slots=True)
class Column:
    """The title of a column, and the side on which its texts begin."""

    title: str
    align: Literal["left", "right", "center"] = "left"


def html_table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[Cell]], *, note: str = "") -> str:
    """Return a table; columns without any content are left out, and ``note`` is a line below."""
    rows = list(rows)
    shown = [place for place in range(len(columns)) if not rows or any(row[place] not in (None, "") for row in rows)]
    styles = [f"text-align: {column.align}; padding: 3px 9px; white-space: nowrap" for column in columns]
    head = "".join(f'<th style="{styles[place]}; {_LINE}">{escape(columns[place].title)}</th>' for place in shown)
    cells = ("".join(f'<td style="{styles[place]}">{_content(row[place])}</td>' for place in shown) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    below = f'<div style="{FAINT}; padding: 3px 9px">{escape(note)}</div>' if note else ""
    title = f'<caption style="text-align: left; padding: 3px 9px; font-weight: bold">{escape(caption)}</caption>'
    return (
        f'<div style="overflow-x: auto"><table style="border-collapse: collapse">{title}'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>"
    )


def _content(cell: Cell) -> str:
    if isinstance(cell, Markup):
        return cell
    return "" if cell is None else escape(str(cell))


def results_bar(white: int, draws: int, black: int) -> Markup:
    """Return the shares of won, drawn and lost games as a bar; empty without results."""
    total = white + draws + black
    if not total:
        return Markup("")
    parts = "".join(
        f'<span title="{name}: {count:,}" style="width: {100 * count / total:.2f}%; background: {paint}; color: {ink};'
        f' overflow: hidden">{_percentage(100 * count / total)}</span>'
        for (name, paint, ink), count in zip(_SHARES, (white, draws, black), strict=True)
        if count
    )
    return Markup(
        '<span style="display: inline-flex; width: 180px; height: 1.5em; line-height: 1.5em; font-size: 85%;'
        f' text-align: center; border: 1px solid #808080; border-radius: 3px; overflow: hidden">{parts}</span>'
    )


def _percentage(share: float) -> str:
    return f"{share:.0f} %" if share >= _NARROWEST else ""


def beside(*parts: str) -> str:
    """Return pieces of HTML side by side, below each other where the page is narrow."""
    return _row("".join(f"<div>{part}</div>" for part in parts if part))


def with_board(board: str, rest: str) -> str:
    """Return a board and what belongs to it, which takes the space that is left; it scrolls where it is too wide."""
    left = f'<div style="flex: none">{board}</div>' if board else ""
    return _row(f'{left}<div style="flex: 1 1 24em; min-width: 0">{rest}</div>')


def _row(cells: str) -> str:
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1.5em; align-items: flex-start; margin: .5em 0">'
        f"{cells}</div>"
    )


def diagram(position: Position, *, size: float = 240, last_move: Move | None = None, caption: str = "") -> str:
    """Return a board, with a line of text below it."""
    text = f'<div style="{FAINT}; max-width: {size}px">{escape(caption)}</div>' if caption else ""
    return f"<div>{board_svg(position, size=size, last_move=last_move)}{text}</div>"


_HEADERS: Final = {
    "number": Column("№", "right"),
    "white": Column("White"),
    "white_elo": Column("Elo", "right"),
    "black": Column("Black"),
    "black_elo": Column("Elo", "right"),
    "result": Column("Result", "center"),
    "event": Column("Event"),
    "round": Column("Round", "right"),
    "date": Column("Date"),
    "eco": Column("ECO"),
}
_LONGEST: Final = 40
_SHORT_RESULTS: Final = {"1/2-1/2": "½-½", "1-0": "1-0", "0-1": "0-1"}
_RECORDS: Final = ("", "text", "not decoded")
"""By ``RecordKind``, what is said of records that are not games."""


def header_columns(*more: Column) -> list[Column]:
    """Return the columns of a list of games, and further ones."""
    return [*_HEADERS.values(), *more]


def header_rows(headers: pa.RecordBatch) -> Iterator[list[Cell]]:
    """Yield the rows of a list of games, in the columns of ``header_columns``."""
    texts = [
        (headers["number"] if name == "number" else COLUMN_TEXTS[LISTED_TAGS[name]](headers)).to_pylist()
        for name in _HEADERS
    ]
    kinds, deleted = headers["kind"].to_pylist(), headers["deleted"].to_pylist()
    for kind, is_deleted, *row in zip(kinds, deleted, *texts, strict=True):
        cells = dict(zip(_HEADERS, row, strict=True))
        if cells["date"] is not None:
            cells["date"] = cells["date"].replace(".??", "")
        cells["result"] = _SHORT_RESULTS.get(cells["result"], cells["result"])
        remarks = [remark for remark in (_RECORDS[kind], "deleted" * is_deleted) if remark]
        if remarks:
            cells["white"] = f"{cells['white'] or ''} ({', '.join(remarks)})".strip()
        yield [None if cell == "?" else cut(cell) if isinstance(cell, str) else cell for cell in cells.values()]


def cut(text: str) -> str:
    """Return a text, shortened to what a table shows."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
