"""The report of a game as text and as HTML."""

from __future__ import annotations

from html import escape
from math import floor
from typing import TYPE_CHECKING, Final, NamedTuple

from tabiya.evaluations.judging import Judgement
from tabiya.evaluations.move_values import Phase
from tabiya.evaluations.reporting import SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.evaluations.reporting import GameReport, MoveReport, Performance

_ROWS: Final = (
    ("accuracy", "accuracy", "{:.1f} %", True),
    ("centipawn loss", "centipawn_loss", "{:.0f}", True),
    ("inaccuracies", "inaccuracies", "{}", False),
    ("mistakes", "mistakes", "{}", False),
    ("blunders", "blunders", "{}", False),
)
"""The rows of the table: title, field of ``Performance``, form, whether rows for the phases follow."""
_COLORS: Final = {"inaccuracy": "#56b4e9", "mistake": "#e69f00", "blunder": "#df5353"}
_WIDTH, _HEIGHT = 640, 160


class _Row(NamedTuple):
    """A row of the table of a report: a value for each side."""

    title: str
    white: str
    black: str
    is_phase: bool = False


def _rows(report: GameReport) -> Iterator[_Row]:
    """Yield the rows of the table of a report."""
    phases = [phase.name.lower() for phase in Phase]
    for title, name, form, by_phase in _ROWS:
        yield _Row(title, _cell(report.white, name, form), _cell(report.black, name, form))
        for phase in phases if by_phase else ():
            white, black = report.white.phases.get(phase), report.black.phases.get(phase)
            if white or black:
                yield _Row(f"in the {phase}", _cell(white, name, form), _cell(black, name, form), is_phase=True)


def _cell(side: Performance | None, name: str, form: str) -> str:
    value = None if side is None else getattr(side, name)
    return "–" if value is None else form.format(value)


def _remark(move: MoveReport) -> str:
    # Rounded down, so that no move seems to reach a threshold that it does not reach.
    lost = "" if move.lost is None or move.lost < 1 else f", {floor(move.lost)} points of win chances"
    return f"{move.before} → {move.evaluation}{lost}"


def _with_sign(move: MoveReport) -> str:
    return move.move + SIGNS[Judgement[move.judgement.upper()]]


def report_text(report: GameReport) -> str:
    """Return a report as lines: a title, a table, and the judged moves."""
    number = "" if report.game.number is None else f"{report.game.number:,}  "
    rows = [f"{'  ' * row.is_phase + row.title:<24}{row.white:>10}{row.black:>10}" for row in _rows(report)]
    moves = [f"{_with_sign(move):<14}{_remark(move)}" for move in report.judged]
    table = [f"{'':<24}{'White':>10}{'Black':>10}", *rows]
    return "\n".join([f"{number}{report.title}", "", *table, *([""] if moves else []), *moves])


def report_html(report: GameReport) -> str:
    """Return a report as an HTML section."""
    body = "".join(
        f'<tr class="{"phase" if row.is_phase else "game"}"><th>{row.title}</th>'
        f"<td>{escape(row.white)}</td><td>{escape(row.black)}</td></tr>"
        for row in _rows(report)
    )
    moves = "".join(
        f'<li class="{move.judgement}"><b>{escape(_with_sign(move))}</b> {escape(_remark(move))}</li>'
        for move in report.judged
    )
    return (
        f'<section class="report"><h2>{escape(report.title)}</h2>{_graph(report)}'
        f"<table><thead><tr><th></th><th>White</th><th>Black</th></tr></thead><tbody>{body}</tbody></table>"
        f"<ul>{moves}</ul></section>"
    )


def _graph(report: GameReport) -> str:
    """Return a picture of White's win chances after every move, with a dot for each judged move."""
    last = max(report.moves[-1].ply, 1)
    points = [(_WIDTH * move.ply / last, _HEIGHT * (1 - move.chances / 100)) for move in report.moves]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    area = f"{points[0][0]:.1f},{_HEIGHT} {line} {points[-1][0]:.1f},{_HEIGHT}"
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{_COLORS[move.judgement]}">'
        f"<title>{escape(_with_sign(move))} {escape(move.evaluation)}</title></circle>"
        for move, (x, y) in zip(report.moves, points, strict=True)
        if move.judgement
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="Win chances of White"><rect width="{_WIDTH}" height="{_HEIGHT}" fill="#403d39"/>'
        f'<polygon points="{area}" fill="#f0f0f0"/>'
        f'<line x1="0" y1="{_HEIGHT // 2}" x2="{_WIDTH}" y2="{_HEIGHT // 2}" stroke="#999" stroke-width="1"/>'
        f'<polyline points="{line}" fill="none" stroke="#d59120" stroke-width="1.5"/>{dots}</svg>'
    )


_STYLE: Final = (
    "body{font:16px/1.5 sans-serif;max-width:44em;margin:2em auto;padding:0 1em;color:#222}"
    "svg{max-width:100%;height:auto}table{border-collapse:collapse;margin:1em 0}"
    "th,td{padding:.1em 1em;text-align:right}tbody th{text-align:left;font-weight:normal}"
    "tr.phase{color:#666}tr.phase th{padding-left:2em}"
    "ul{list-style:none;padding:0}li::before{content:'● '}"
    + "".join(f"li.{name}::before{{color:{color}}}" for name, color in _COLORS.items())
)


def page_begin(title: str) -> str:
    """Return the beginning of a page for any number of reports; ``page_end`` closes it."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>"
    )


def page_end() -> str:
    """Return the end of a page."""
    return "</body></html>"
