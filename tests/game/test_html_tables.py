from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Position
from tabiya.formats.database import HEADER_SCHEMA
from tabiya.game import Game, GameBatch, RecordKind
from tabiya.game.html_tables import (
    Cell,
    Column,
    Markup,
    beside,
    diagram,
    header_columns,
    header_rows,
    html_table,
    results_bar,
)
from tests.game.test_html import EVIL, check


def titles(html: str) -> list[str]:
    return re.findall(r"<th [^>]*>(.*?)</th>", html)


def test_a_table() -> None:
    rows: list[list[Cell]] = [["a", 1, Markup("<b>x</b>")], [EVIL, None, None]]
    html = html_table(EVIL, [Column("Left"), Column("Number", "right"), Column(EVIL)], rows, note=EVIL)
    seen = check(html)
    assert {"table", "caption", "thead", "tbody", "b"} <= seen.seen
    assert seen.text.count(EVIL) == 4  # caption, title, cell, note
    assert "text-align: right" in html


def test_columns_without_content_are_left_out() -> None:
    columns = [Column("A"), Column("B"), Column("C")]
    assert titles(html_table("t", columns, [["x", None, ""], ["y", "", None]])) == ["A"]
    assert titles(html_table("t", columns, [["x", 0, ""]])) == ["A", "B"]
    assert titles(html_table("t", columns, [])) == ["A", "B", "C"]


@given(st.tuples(*[st.integers(0, 10**9)] * 3))
def test_bars(counts: tuple[int, int, int]) -> None:
    bar = results_bar(*counts)
    check(bar)
    widths = [float(width) for width in re.findall(r"width: ([\d.]+)%", bar)]
    assert len(widths) == sum(count > 0 for count in counts)
    assert not widths or abs(sum(widths) - 100) < 0.1


def test_a_bar_names_its_parts() -> None:
    assert re.findall(r'title="([^"]*)"', results_bar(2000, 0, 5)) == ["White: 2,000", "Black: 5"]
    assert results_bar(0, 0, 0) == ""


def test_text_and_boards_fit_any_background() -> None:
    """No colour of text or background, except in bars and boards, which have both."""
    html = html_table("t", [Column("A")], [["x"]], note="n")
    assert re.findall(r"(?<!-)color:|background", html) == []


def rows_of(games: list[Game]) -> list[list[object]]:
    return [list(row) for row in header_rows(GameBatch.from_games(games).record_batch.select(HEADER_SCHEMA.names))]


def test_headers_of_games() -> None:
    tags = {"White": "Tal, M", "Black": "x" * 100, "Result": "1/2-1/2", "Date": "1960.??.??", "Round": "?"}
    (row,) = rows_of([Game(tags | {"WhiteElo": "2700", "ECO": "B90"})])
    by_title = dict(zip((f"{column.title}{place}" for place, column in enumerate(header_columns())), row, strict=True))
    assert by_title == {
        "№0": 1,
        "White1": "Tal, M",
        "Elo2": "2700",
        "Black3": "x" * 39 + "…",
        "Elo4": None,
        "Result5": "½-½",
        "Event6": None,
        "Round7": None,
        "Date8": "1960",
        "ECO9": "B90",
    }


@pytest.mark.parametrize(
    ("kind", "deleted", "shown"),
    [
        (RecordKind.GAME, True, "Tal (deleted)"),
        (RecordKind.OPAQUE, False, "Tal (not decoded)"),
        (RecordKind.TEXT, True, "Tal (text, deleted)"),
    ],
)
def test_other_records_are_marked(kind: RecordKind, deleted: bool, shown: str) -> None:
    game = Game({"White": "Tal"})
    game.kind, game.deleted = kind, deleted
    assert rows_of([game])[0][1] == shown


def test_boards_side_by_side() -> None:
    seen = check(beside(diagram(Position(), caption=EVIL), "", "<p>x</p>"))
    assert "svg" in seen.seen
    assert EVIL in seen.text
