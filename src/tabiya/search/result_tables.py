"""Results of searches and of the explorer as HTML for notebooks."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from tabiya.evaluations.reporting import move_text
from tabiya.game.html_tables import (
    Column,
    beside,
    cut,
    diagram,
    header_columns,
    header_rows,
    html_table,
    results_bar,
    with_board,
)
from tabiya.game.tag_values import RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.game import Node
    from tabiya.search.explorer_results import Exploration
    from tabiya.search.finding import Match
    from tabiya.search.tally import GameReference

_PREVIEW: Final = 10
_BOARDS: Final = 4
_BOARD_SIZE: Final = 150
_MOST_MOVES: Final = 15
_MOVES: Final = (
    Column("Move"),
    Column("Games", "right"),
    Column("Share", "right"),
    Column("Results"),
    Column("Elo", "right"),
    Column("Performance", "right"),
    Column("Latest", "right"),
    Column("Opening"),
)
_GAMES: Final = (
    Column("№", "right"),
    Column("White"),
    Column("Elo", "right"),
    Column("Black"),
    Column("Elo", "right"),
    Column("Result", "center"),
    Column("Year", "right"),
    Column("Event"),
)


def matches_html(matches: Iterable[Match], source: str, *, positions: bool) -> str:
    """Return the first games that were found, and with ``positions`` what was found in them."""
    first = list(islice(matches, _PREVIEW + 1))
    more, first = len(first) > _PREVIEW, first[:_PREVIEW]
    nodes = [match.node if positions else None for match in first]
    rows = [
        [*next(header_rows(match.record.record_batch)), None if node is None else _place(node)]
        for match, node in zip(first, nodes, strict=True)
    ]
    title = f"{'more than ' * more}{len(rows):,} game{'' if len(rows) == 1 else 's'} found in {source}"
    note = "… and more: count() counts them, database() returns all" if more else ""
    table = html_table(title, header_columns(Column("Position after")), rows, note=note)
    boards = [
        diagram(node.position, size=_BOARD_SIZE, last_move=node.move, caption=f"{match.number:,}: {_place(node)}")
        for match, node in zip(first[:_BOARDS], nodes, strict=False)
        if node is not None
    ]
    return table + beside(*boards) if boards else table


def _place(node: Node) -> str:
    """Return the last move before a position."""
    return "the start" if node.move is None else move_text(node)


def exploration_html(found: Exploration) -> str:
    """Return a position, the moves played in it, and the best and the latest games."""
    rows = [
        [
            move.san,
            f"{move.games:,}",
            f"{100 * move.games / found.games:.0f} %" if found.games else "",
            results_bar(move.white, move.draws, move.black),
            move.average_rating,
            move.performance,
            move.last_year,
            None if move.opening is None else cut(f"{move.opening.eco} {move.opening.name}"),
        ]
        for move in found.moves[:_MOST_MOVES]
    ]
    name = "" if found.opening is None else f"{found.opening.eco} {found.opening.name}"
    hidden = len(found.moves) - len(rows)
    title = f"{found.games:,} game{'' if found.games == 1 else 's'}"
    moves = html_table(title, _MOVES, rows, note=f"… {hidden:,} more moves" if hidden > 0 else "")
    rated = [game for game in found.top_games if game.white_rating or game.black_rating]
    games = "".join(
        html_table(caption, _GAMES, map(_game, listed))
        for caption, listed in (("Highest ratings", rated), ("Latest games", found.recent_games))
        if listed
    )
    return with_board(diagram(found.position, caption=name), moves) + games


def _game(game: GameReference) -> list[str | int | None]:
    result = next((text for code, text in RESULTS.items() if code == game.result), None)
    ratings = game.white_rating, game.black_rating
    white, black = cut(game.white or "?"), cut(game.black or "?")
    year = game.date // 10_000 or None
    return [game.number, white, ratings[0], black, ratings[1], result, year, cut(game.event or "")]
