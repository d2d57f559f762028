"""Results of searches and of the explorer in notebooks."""

from __future__ import annotations

import io
import re

import tabiya
from tabiya.search import ExactPosition
from tests.conftest import ROOT
from tests.game.test_html import EVIL, check

CLASSICS = ROOT / "examples" / "classics.pgn"
EVIL_PGN = EVIL.replace('"', '\\"')


def rows(html: str) -> list[list[str]]:
    body = re.findall(r"<tbody>(.*?)</tbody>", html)
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for table in body for row in re.findall(r"<tr>(.*?)</tr>", table)]


def test_found_games_with_their_positions() -> None:
    with tabiya.open(CLASSICS) as games:
        found = games.search(ExactPosition("1. e4 e5"))
        html = found._repr_html_()
        seen = check(html)
        assert [int(row[0]) for row in rows(html)] == [match.number for match in found]
    assert html.count("<svg") == 4
    assert "4 games found in" in seen.text
    assert seen.text.count("1...e5") == 8  # in the table and below the boards


def test_games_found_by_their_tags_have_no_positions() -> None:
    with tabiya.open(CLASSICS) as games:
        html = games.search(player="Tartakower")._repr_html_()
        assert "2 games found in" in check(html).text
        assert "<svg" not in html
        assert "Position after" not in html
        assert "0 games found" in games.search(player="nobody")._repr_html_()


def test_only_the_first_games_are_shown() -> None:
    text = "".join(f'[White "{EVIL_PGN}"]\n\n{place + 1}. e4 *\n\n' for place in range(30))
    with tabiya.open(io.BytesIO(text.encode())) as games:
        seen = check(games.search(ExactPosition("1. e4"))._repr_html_())
        assert "more than 10 games found" in seen.text
        assert seen.text.count(EVIL) == 10
        assert "count()" in seen.text


def test_an_exploration() -> None:
    with tabiya.open(CLASSICS) as games:
        found = games.explore("e4")
        html = found._repr_html_()
        check(html)
        shown = rows(html)
        assert [row[0] for row in shown[: len(found.moves)]] == [move.san for move in found.moves]
        assert "King&#x27;s Pawn Game" in html
        assert "Latest games" in html
        nothing = games.explore("a4 a5 Ra3")._repr_html_()
    assert "0 games" in check(nothing).text


def test_an_exploration_escapes_names() -> None:
    text = f'[White "{EVIL_PGN}"]\n[Event "{EVIL_PGN}"]\n\n1. e4 *\n'
    with tabiya.open(io.BytesIO(text.encode())) as games:
        assert EVIL in check(games.explore()._repr_html_()).text
