"""A position as an SVG image without fonts, scripts or external resources. The outlines of the pieces are tabiya's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot, inf
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from tabiya.chess.basics import Move, Square
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.chess.position import Position

_UNIT = 40
"""Side of a square in the picture's own units."""
_LIGHT, _DARK, _MOVED, _COORDINATES = "#f0d9b5", "#b58863", "#ccd26a", "#5b4636"
_COLOURS = {"w": ("#ffffff", "#222222"), "b": ("#333333", "#000000")}
_DETAIL = {"w": "#222222", "b": "#dddddd"}

# Outlines on a square of 40 x 40, and the lines drawn inside them.
_PIECES: dict[str, tuple[str, str]] = {
    "p": (
        "M20 8a5 5 0 0 1 3.4 8.7c3 1.6 3.4 4.3 1.8 6.1c.6 4 2.6 6.4 4.8 8.2v3.5h-20v-3.5"
        "c2.2-1.8 4.2-4.2 4.8-8.2c-1.6-1.8-1.2-4.5 1.8-6.1A5 5 0 0 1 20 8z",
        "",
    ),
    "r": ("M9 7h5v3h3.5V7h5v3H26V7h5v7l-3 3v10l2 3v4.5H10V30l2-3V17l-3-3z", "M12 17h16M12 27h16"),
    "n": (
        "M17 7l2 3c8 1 12.5 8 12.5 24.5h-19c0-5 2-8 5.5-11.5c-3 .5-5 1.5-6.5 4l-3.5-2c0-6 3-8 5-13z",
        "M17.5 14.5v.5M23 15c3 4 4.5 9 4.5 16",
    ),
    "b": (
        "M20 5a2.5 2.5 0 0 1 1.8 4.2c4 3.3 6.2 6.8 6.2 10.3c0 2.5-1.3 4.5-3.5 6l1 4"
        "c3 .3 5.5.5 7.5 2v3H7v-3c2-1.5 4.5-1.7 7.5-2l1-4c-2.2-1.5-3.5-3.5-3.5-6c0-3.5 2.2-7 6.2-10.3"
        "A2.5 2.5 0 0 1 20 5z",
        "M20 13v8M16.5 17h7M15.5 25.5h9",
    ),
    "q": (
        "M6 11a2.3 2.3 0 1 1 2.5 2.3l4 7.7l1.5-10.5a2.3 2.3 0 1 1 2.6-.5L20 19l3.4-9"
        "a2.3 2.3 0 1 1 2.6.5L27.5 21l4-7.7A2.3 2.3 0 1 1 34 11l-4 17l1 6.5H9l1-6.5z",
        "M10.5 25.5h19M10 30h20",
    ),
    "k": (
        "M18.7 4h2.6v2.5h2.7v2.6h-2.7v4c1.5-1.5 3.7-2.3 5.7-2.3c4 0 7 2.8 7 6.3c0 4-2.5 6.5-4.5 10.4l1 7H9.5"
        "l1-7C8.5 23.6 6 21.1 6 17.1c0-3.5 3-6.3 7-6.3c2 0 4.2.8 5.7 2.3v-4H16V6.5h2.7z",
        "M20 14v12M10.5 27.5h19M10.2 31h19.6",
    ),
}


def _paint(colour: str) -> str:
    """Return a colour as the value of an attribute, in quotes."""
    if not isinstance(colour, str):
        raise UsageError(f"a colour must be CSS text such as 'red' or '#c00', not {colour!r}")
    return quoteattr(colour)


def _corner(square: int, *, flipped: bool) -> tuple[int, int]:
    """Return the upper left corner of a square."""
    file, rank = square & 7, square >> 3
    return (7 - file if flipped else file) * _UNIT, (rank if flipped else 7 - rank) * _UNIT


def _ground(moved: set[int], marked: Mapping[int, str], *, flipped: bool) -> Iterator[str]:
    for square in range(64):
        x, y = _corner(square, flipped=flipped)
        colour = _MOVED if square in moved else (_DARK, _LIGHT)[(square ^ square >> 3) & 1]
        yield f'<rect x="{x}" y="{y}" width="{_UNIT}" height="{_UNIT}" fill="{colour}"/>'
        if square in marked:
            yield (
                f'<rect x="{x}" y="{y}" width="{_UNIT}" height="{_UNIT}" fill={_paint(marked[square])}'
                ' fill-opacity="0.6"/>'
            )


def _coordinates(*, flipped: bool) -> Iterator[str]:
    for index in range(8):
        file, rank = ("abcdefgh"[7 - index], index + 1) if flipped else ("abcdefgh"[index], 8 - index)
        yield f'<text x="{index * _UNIT + _UNIT - 3}" y="{8 * _UNIT - 3}" text-anchor="end">{file}</text>'
        yield f'<text x="2" y="{index * _UNIT + 9}">{rank}</text>'


def _drawing(side: str, piece: str) -> str:
    """Return a piece on a square at the origin, its colour ``w`` or ``b``."""
    fill, stroke = _COLOURS[side]
    outline, detail = _PIECES[piece]
    lines = f'<path d="{detail}" fill="none" stroke="{_DETAIL[side]}"/>' if detail else ""
    return f'<path d="{outline}" fill="{fill}" stroke="{stroke}"/>{lines}'


def _pieces(position: Position, *, flipped: bool) -> Iterator[str]:
    for square in range(64):
        piece = position.piece_at(square)
        if piece is None:
            continue
        x, y = _corner(square, flipped=flipped)
        drawing = _drawing("w" if piece.isupper() else "b", piece.lower())
        yield f'<g transform="translate({x} {y})">{drawing}</g>'


def piece_sprite() -> str:
    """Return the twelve pieces as a sprite, ``wk`` to ``bp``, each on a square of 40 x 40, for the web page."""
    pen = 'stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round"'
    pieces = (f'<g id="{side}{piece}" {pen}>{_drawing(side, piece)}</g>' for side in _COLOURS for piece in _PIECES)
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{"".join(pieces)}</defs></svg>\n'


def board_colours() -> dict[str, str]:
    """Return the colours of the squares, of the last move and of the coordinates, for programs that draw boards."""
    return {"light": _LIGHT, "dark": _DARK, "moved": _MOVED, "coordinates": _COORDINATES}


def _arrow(source: int, target: int, colour: str, *, flipped: bool) -> str:
    """Return an arrow from the centre of one square to the centre of another."""
    x1, y1, x2, y2 = (value + _UNIT / 2 for square in (source, target) for value in _corner(square, flipped=flipped))
    length = hypot(x2 - x1, y2 - y1) or 1
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    neck_x, neck_y = x2 - 14 * dx, y2 - 14 * dy
    head = " ".join(
        f"{x:.1f},{y:.1f}"
        for x, y in ((x2, y2), (neck_x + 8 * dy, neck_y - 8 * dx), (neck_x - 8 * dy, neck_y + 8 * dx))
    )
    paint = _paint(colour)
    return (
        f'<g opacity="0.75"><line x1="{x1:.1f}" y1="{y1:.1f}" x2="{neck_x:.1f}" y2="{neck_y:.1f}" stroke={paint}'
        f' stroke-width="6"/><polygon points="{head}" fill={paint} stroke="none"/></g>'
    )


def board_svg(
    position: Position,
    *,
    size: float = 360,
    flipped: bool = False,
    last_move: Move | int | None = None,
    squares: Mapping[int, str] | None = None,
    arrows: Mapping[tuple[int, int], str] | None = None,
) -> str:
    """Return the board as an SVG document of ``size`` pixels; ``flipped`` puts Black at the bottom."""
    if type(size) not in {int, float} or not 0 < size < inf:
        raise UsageError(f"the size of a board must be a positive number of pixels, not {size!r}")
    moved = set() if last_move is None or not last_move else {last_move & 63, last_move >> 6 & 63}
    marked = {int(Square(square)): colour for square, colour in (squares or {}).items()}
    side = 8 * _UNIT
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{size}" height="{size}">',
            *_ground(moved, marked, flipped=flipped),
            f'<g font-family="sans-serif" font-size="9" fill="{_COORDINATES}">',
            *_coordinates(flipped=flipped),
            '</g><g stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round">',
            *_pieces(position, flipped=flipped),
            "</g>",
            *(_arrow(Square(a), Square(b), colour, flipped=flipped) for (a, b), colour in (arrows or {}).items()),
            "</svg>",
        ]
    )
