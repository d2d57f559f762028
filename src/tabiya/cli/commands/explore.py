"""``tabiya explore``: the moves played in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Sources, Threads, all_cores, open_database
from tabiya.cli.output import count, plain, print_json
from tabiya.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.search import Counts, Exploration, GameReference

_RESULTS = {1: "1-0", 2: "0-1", 3: "1/2"}
_TITLE = "move       games   share   White   draw  Black   rating  perf.  years"


@expanded
def explore(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A database, folder, pattern or ZIP; - is standard input."),
    ],
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="MOVES", help="The moves that lead to the position: e4 c5 Nf3.")
    ] = None,
    *,
    fen: Annotated[
        str | None, typer.Option(metavar="FEN", help="The position, or the one from which the moves are played.")
    ] = None,
    most_moves: Annotated[
        int, typer.Option("--moves", min=0, metavar="N", help="Number of moves to show, the most frequent ones.")
    ] = 12,
    top_games: Annotated[
        int, typer.Option(min=0, metavar="N", help="Number of games to show, those with the highest ratings.")
    ] = 4,
    recent_games: Annotated[
        int, typer.Option(min=0, metavar="N", help="Number of games to show, the latest ones.")
    ] = 4,
    move_orders: Annotated[
        int,
        typer.Option("--orders", min=0, metavar="N", help="Number of move orders to show that lead to the position."),
    ] = 0,
    any_castling: Annotated[bool, typer.Option("--any-castling", help="Ignore castling rights.")] = False,
    chess960: Annotated[bool, typer.Option("--chess960", help="Count games of Chess960, too.")] = False,
    headers: Options,
    also: Annotated[
        list[str] | None, typer.Option("--also", metavar="FILE", help="Another database to count. Repeatable.")
    ] = None,
    recursive: options.Recursive = False,
    threads: Threads = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON in the shape of the Lichess explorer.")] = False,
    reading: Options,
) -> None:
    """Show the moves played in a position, and their results.

    A game counts if it reaches the position in its main line, by any order of moves, and meets every condition. A
    library answers at once; in any other database all games are read.

    Ratings are the average of both players; "perf." is the performance of the side that plays the move.

    Example:
        tabiya explore games.pgn
        tabiya explore games.pgn e4 c5 --min-elo 2500 --since 2020
        tabiya explore "twic/*.pgn" d4 --also old.cbh
        tabiya explore games.pgn --fen "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1" --player carlsen --json
    """
    sources = Sources((file, *(also or ())), recursive)
    with (
        open_database(sources, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        answer = tabiya.explore(
            database,
            moves or (),
            fen=fen,
            most_moves=most_moves,
            top_games=top_games,
            recent_games=recent_games,
            move_orders=move_orders,
            any_castling=any_castling,
            chess960=chess960,
            threads=threads or all_cores(),
            progress=progress,
            **headers,
        )
    if json:
        print_json(answer.to_dict())
    else:
        print(*(plain(line) for line in _lines(answer)), sep="\n")


def _lines(answer: Exploration) -> Iterator[str]:
    if answer.opening is not None:
        yield str(answer.opening)
    rating = f", average rating {answer.average_rating}" if answer.average_rating is not None else ""
    yield f"{count(answer.games, 'game')}{': ' if answer.games else ''}{_outcome(answer)}{rating}"
    if answer.moves:
        yield from ("", _TITLE)
    for move in answer.moves:
        opening = "" if move.opening is None else move.opening.name
        cells = f"{move.san:<8}{move.games:>8,}  {move.games / answer.games:>6.1%}  {shares(move)}"
        ratings = f"{_number(move.average_rating)}  {_number(move.performance)}"
        yield f"{cells}  {ratings}  {_years(move):<9}  {opening}".rstrip()
    if answer.ended:
        yield f"{'(end)':<8}{answer.ended:>8,}  {answer.ended / answer.games:>6.1%}"
    for title, games in (("Highest ratings", answer.top_games), ("Latest", answer.recent_games)):
        if games:
            yield from ("", title, *(game_line(game, _san(answer, game.move)) for game in games))
    if answer.move_orders:
        yield from ("", "Reached by")
        yield from (f"{order.games:>8,}  {numbered(order.moves)}" for order in answer.move_orders)


def _outcome(counts: Counts) -> str:
    parts = {"White won": counts.white, "drawn": counts.draws, "Black won": counts.black}
    return ", ".join(f"{what} {number / counts.games:.1%}" for what, number in parts.items()) if counts.games else ""


def shares(counts: Counts) -> str:
    """Return the percentages of White wins, draws and Black wins, in three columns."""
    parts = (counts.white, counts.draws, counts.black)
    return " ".join(f"{part / counts.games:>6.1%}" if counts.games else " " * 6 for part in parts)


def _number(value: int | None) -> str:
    return f"{'' if value is None else value:>5}"


def _years(counts: Counts) -> str:
    first, last = counts.first_year, counts.last_year
    return "" if first is None else str(first) if first == last else f"{first}-{last}"


def _san(answer: Exploration, move: int) -> str:
    return answer.position.san(move) if move >= 0 else ""


def game_line(game: GameReference, move: str = "") -> str:
    """Return a game as one line."""
    players = (
        f"{name or '?'}{'' if rating is None else f' ({rating})'}"
        for name, rating in ((game.white, game.white_rating), (game.black, game.black_rating))
    )
    year, month, day = game.date // 10_000, game.date // 100 % 100, game.date % 100
    date = "-".join(f"{part:02}" for part in (year, month, day) if part) if year else "?"
    row = f"{game.number:>8}  {date:<10}  {_RESULTS.get(game.result, '*'):<4} {' - '.join(players)}"
    return f"{row}  {move}".rstrip()


def numbered(moves: tuple[str, ...]) -> str:
    """Return moves with their numbers: ``1.e4 c5 2.Nf3``."""
    return " ".join(f"{ply // 2 + 1}.{san}" if ply % 2 == 0 else san for ply, san in enumerate(moves))
