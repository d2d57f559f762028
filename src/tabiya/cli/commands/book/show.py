"""``tabiya book show``: the moves of a book in a position, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabiya import books
from tabiya.cli.commands.book.options import Book
from tabiya.cli.options import Json
from tabiya.cli.output import count, plain, print_json

if TYPE_CHECKING:
    from tabiya.books import Entry
    from tabiya.chess import Position

_BAR = 12


def show(
    book: Book,
    position: Annotated[
        list[str] | None,
        typer.Argument(metavar="[POSITION]...", help="A FEN, or moves such as e4 c5 (default: the start position)."),
    ] = None,
    *,
    transpositions: Annotated[
        bool, typer.Option("--transpositions", help="Also show moves that lead to positions of the book.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the moves of a book in a position.

    Results are those of the side to move: wins, draws, losses. The bar shows their shares. The weight determines how
    likely tabiya chooses the move; 0 means never.

    Example:
        tabiya book show book.ctg
        tabiya book show book.bin e4 c5 Nf3
        tabiya book show book.abk "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" --json
    """
    place = books.parse_line(" ".join(position or ()))
    with books.open_book(book) as opened:
        entries = opened.probe(place, transpositions=transpositions)
        size = len(opened)
        if json:
            print_json(
                {
                    "book": book,
                    "format": opened.format.name,
                    "fen": place.fen(),
                    "moves": [_as_dict(place, entry) for entry in entries],
                }
            )
            return
        print(plain(f"{book}: {opened.format.title}, {count(size, 'position')}"))
    print(place.fen())
    if not entries:
        print("not in the book")
        return
    print(*_table([_row(place, entry) for entry in entries]), sep="\n")


def _row(place: Position, entry: Entry) -> dict[str, str]:
    """Return the cells of a line; values that the book does not contain are empty."""
    score = entry.score
    return {
        "move": place.san(entry.move) + _sign(entry.nag),
        "games": _number(entry.games),
        "score": "" if score is None else f"{100 * score:.1f}%",
        "bar": _bar(entry),
        "+": _number(entry.wins),
        "=": _number(entry.draws),
        "-": _number(entry.losses),
        "Elo": "" if entry.rating is None else f"{entry.rating:.0f}",
        "perf": "" if entry.performance is None else f"{entry.performance:.0f}",
        "priority": _number(entry.priority),
        "weight": f"{entry.weight:,}",
        "marks": " ".join(_marks(entry)),
    }


def _sign(nag: int | None) -> str:
    """Return the sign of a NAG as printed after a move; a NAG without a sign is separated by a blank."""
    from tabiya.game.annotations import format_nag  # noqa: PLC0415 - not needed for --help

    if not nag:
        return ""
    sign = format_nag(nag)
    return f" {sign}" if sign.startswith("$") else sign


def _marks(entry: Entry) -> list[str]:
    marks = []
    if entry.recommendation is not None:
        marks += ["main"] if entry.recommendation & books.Recommendation.MAIN else []
        marks += ["avoid"] if entry.recommendation & books.Recommendation.AVOID else []
    if entry.comment:
        marks.append(_sign(entry.comment).strip())
    if entry.transposition:
        marks.append("transposition")
    return marks


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _bar(entry: Entry) -> str:
    """Return wins, draws and losses as parts of a bar."""
    if entry.score is None or entry.wins is None or entry.draws is None or entry.losses is None:
        return ""
    decided = entry.wins + entry.draws + entry.losses
    won = round(_BAR * entry.wins / decided)
    lost = min(_BAR - won, round(_BAR * entry.losses / decided))
    return "█" * won + "▒" * (_BAR - won - lost) + "░" * lost


def _table(rows: list[dict[str, str]]) -> list[str]:
    """Return columns of equal width; columns without content are omitted."""
    names = [name for name in rows[0] if any(row[name] for row in rows)]
    heads = {name: "" if name == "bar" else name for name in names}
    widths = {name: max(len(heads[name]), *(len(row[name]) for row in rows)) for name in names}
    columns = {"move", "bar", "marks"}
    return [
        "  ".join(
            f"{row[name]:<{widths[name]}}" if name in columns else f"{row[name]:>{widths[name]}}" for name in names
        ).rstrip()
        for row in [heads, *rows]
    ]


def _as_dict(place: Position, entry: Entry) -> dict[str, Any]:
    return {
        "san": place.san(entry.move),
        "uci": place.uci(entry.move),
        "weight": entry.weight,
        "games": entry.games,
        "wins": entry.wins,
        "draws": entry.draws,
        "losses": entry.losses,
        "score": entry.score,
        "rating": entry.rating,
        "performance": entry.performance,
        "nag": entry.nag,
        "recommendation": None if entry.recommendation is None else int(entry.recommendation),
        "comment": entry.comment,
        "priority": entry.priority,
        "learning": entry.learning,
        "transposition": entry.transposition,
    }
