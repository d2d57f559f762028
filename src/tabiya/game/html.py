"""A game as HTML for notebooks: a board with the last position, tags and moves. Static, without scripts.

``tabiya.notebook`` has the form that one can step through.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import TabiyaError
from tabiya.game.annotations.graphics import COLOR_WORDS
from tabiya.game.html_tables import FAINT, with_board
from tabiya.game.movetext import Span, SpanKind, spans
from tabiya.game.record import RecordKind
from tabiya.lazy import borrowed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.game.game import Game
    from tabiya.game.node import Node

_MOST_SPANS: Final = 10_000
"""Limit for games with a hundred thousand moves."""
MARK_COLOURS: Final = {"green": "#15781b", "red": "#c62828", "blue": "#1d5fb4", "yellow": "#e08e00"}
"""Colours of arrows and marked squares, by the words of ``game_values``."""
OTHER_MARK: Final = "#777777"
_SHOWN_TAGS: Final = ("Event", "Site", "Round", "Date")
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
    return with_board(_board(game.end(), board_size), body)


def node_html(node: Node, *, board_size: int = 320) -> str:
    """Return the position after a move, with its arrows and marked squares, the move and its texts."""
    label = "" if node.move is None else repr(node).strip("<>").removeprefix("Node ")
    texts = "".join(f"<div>{escape(text)}</div>" for text in (node.text_before, node.text) if text)
    return with_board(_board(node, board_size), f"<div><b>{escape(label)}</b>{texts}</div>")


def widget(shown: Game | Node) -> Any:
    """Return the widget that a notebook shows instead; empty where there is none."""
    return borrowed("notebook.display.mimebundle")(shown)


def tags_to_show(game: Game) -> str:
    """Return event, site, round and date in one line, as far as known."""
    texts = ((game.tags.get(name) or "").replace(".??", "").replace("????", "") for name in _SHOWN_TAGS)
    return " · ".join(text for text in texts if text.strip("?-"))


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


def _board(node: Node, size: int) -> str:
    """Return the position after a move, or nothing if it cannot be reached."""
    if node.game.kind is not RecordKind.GAME:
        return ""
    try:
        squares: dict[int, str] = {mark.square: _paint(mark.color) for mark in node.squares}
        arrows: dict[tuple[int, int], str] = {(mark.source, mark.target): _paint(mark.color) for mark in node.arrows}
        picture = node.position.svg(size=size, last_move=node.move, squares=squares, arrows=arrows)
    except TabiyaError:
        return ""
    return f"<div>{picture}</div>"


def _paint(color: int) -> str:
    return MARK_COLOURS.get(COLOR_WORDS.get(color, ""), OTHER_MARK)


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
