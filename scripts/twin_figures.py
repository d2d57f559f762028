"""Renews the figures about duplicates in docs/how-to/clean.md: ``python -m scripts.twin_figures``."""

from __future__ import annotations

from pathlib import Path

import tabiya
from tests.conftest import sample_path
from tests.maintenance.labelled_twins import KINDS, Figures, before, collected, figures, invented

PAGE = Path(__file__).parent.parent / "docs" / "how-to" / "clean.md"
SAMPLE_NAMES = (
    *("pgn/lichess-2025-05.pgn", "pgn/twic-small.pgn"),
    "pgn/annotated/lichess-chesscom/Allan-Cao__games.pgn",
    "pgn/annotated/lichess-chesscom/Abhyuday-06__chess_com_games.pgn",
    "pgn/annotated/lichess-chesscom/Abhyuday-06__lichess_games.pgn",
)
HEAD = "| pairs made of | twins | found (recall) | other games | taken for twins | precision | precision before |"


def sample_games() -> list[tabiya.Game]:
    """Every third game of the samples."""
    return list(collected(sample_path(name) for name in SAMPLE_NAMES))[::3]


def invented_line() -> str:
    """The figures of games with random moves, which need no samples."""
    return _line("games with random moves", list(invented(10 * len(KINDS))))


def sample_line() -> str:
    """The figures of real games."""
    return _line("games of Lichess, Chess.com and TWIC", sample_games())


def _line(what: str, games: list[tabiya.Game]) -> str:
    return line_of(what, figures(games), before(games))


def line_of(what: str, now: Figures, then: Figures) -> str:
    """A line of the table."""
    found = f"{now.found.total()} ({now.recall:.1%})"
    wrong = now.wrong.total() + now.unrelated
    cells = (found, now.different.total(), wrong, f"{now.precision:.1%}", f"{then.precision:.1%}")
    return f"| {' | '.join(map(str, (what, now.twins.total(), *cells)))} |"


def renewed(page: str) -> str:
    """Return the page with the table as it is now."""
    begin = page.index(HEAD)
    end = page.index("\n\n", begin)
    lines = (HEAD, f"|{'---|' * (HEAD.count('|') - 1)}", invented_line(), sample_line())
    return page[:begin] + "\n".join(lines) + page[end:]


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text()))
