"""A game as HTML for notebooks: a board with the last position, tags and moves. Static, without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from tabiya.errors import TabiyaError
from tabiya.game.html_tables import FAINT, beside
from tabiya.game.movetext import Span, SpanKind, spans
from tabiya.game.record import RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.game.game import Game

_MOST_SPANS: Final = 10_000
"""Limit for games with a hundred thousand moves."""
_HIDDEN_TAGS: Final = frozenset({"SetUp"})
_STYLES: Final = {
    SpanKind.TEXT: "font-style: italic",
    SpanKind.UNREADABLE: "text-decoration: underline wavy",
    SpanKind.OPEN: FAINT,
    SpanKind.CLOSE: FAINT,
}
_VARIATION_STYLE: Final = FAINT
_MAIN_STYLE: Final = "font-weight: bold"
_GLUED_BEFORE: Final = (SpanKind.CLOSE, SpanKind.NAG)
_GLUED_AFTER: Final = (SpanKind.OPEN, SpanKind.NUMBER)


def game_html(game: Game, *, board_size: int = 320) -> str:
    """Return the HTML view of a game; every text of the game is escaped."""
    parts = [_heading(game), _tags(game)]
    if game.kind is RecordKind.GAME:
        parts.append(f'<p style="line-height: 1.5">{_moves(spans(game))}</p>')
    elif game.kind is RecordKind.TEXT:
        parts += [f"<p>{escape(text.title)}</p>" for text in game.texts]
    body = f'<div style="max-width: 40em">{"".join(parts)}</div>'
    board = _board(game, board_size)
    return beside(board, body)


def _heading(game: Game) -> str:
    if game.kind is RecordKind.TEXT:
        return "<h4>Text</h4>"
    players = f"{game.tags.get('White', '?')} – {game.tags.get('Black', '?')}"
    return f"<h4>{escape(players)} &nbsp; {escape(game.tags.get('Result') or '')}</h4>"


def _tags(game: Game) -> str:
    rows = (
        f'<tr><th style="text-align: left">{escape(name)}</th><td style="text-align: left">{escape(text)}</td></tr>'
        for name, text in game.tags.items()
        if name not in _HIDDEN_TAGS
    )
    return f"<details><summary>Tags</summary><table>{''.join(rows)}</table></details>"


def _board(game: Game, size: int) -> str:
    """Return the position at the end of the main line, or nothing if it cannot be reached."""
    if game.kind is not RecordKind.GAME:
        return ""
    end = game.end()
    try:
        return f"<div>{end.position.svg(size=size, last_move=end.move)}</div>"
    except TabiyaError:
        return ""


def _moves(pieces: Iterable[Span]) -> str:
    html: list[str] = []
    previous: SpanKind | None = None
    for count, span in enumerate(pieces):
        if count == _MOST_SPANS:
            html.append(" …")
            break
        if previous is not None and span.kind not in _GLUED_BEFORE and previous not in _GLUED_AFTER:
            html.append(" ")
        html.append(_span_html(span))
        previous = span.kind
    return "".join(html)


def _span_html(span: Span) -> str:
    style = _STYLES.get(span.kind) or (_VARIATION_STYLE if span.depth else _MAIN_STYLE)
    return f'<span style="{style}">{escape(span.text)}</span>'
