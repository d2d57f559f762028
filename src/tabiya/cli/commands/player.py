"""``tabiya player``: the openings of a player, and how to prepare for them."""

from __future__ import annotations

from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.commands.explore import numbered, shares
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database
from tabiya.cli.output import count, note, plain, print_json
from tabiya.cli.progress import progress_bar
from tabiya.errors import UsageError
from tabiya.formats.url import url_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabiya.cli.options import Sources
    from tabiya.search import PlayedOpening, PlayedPart, PlayerPlay, PlayerView, Preparation, Score, TreeMove

_TITLE = "   games    won  drawn   lost   score  perf."
_MOST_NAMES: Final = 8


@expanded
def player(
    *,
    sources: Sources,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The player: part of the name, or /expression/.")],
    prepare: Annotated[
        str | None,
        typer.Option(metavar="PGN", help="A repertoire: show what the player plays in each of its lines."),
    ] = None,
    color: Annotated[
        str | None,
        typer.Option("--as", metavar="COLOR", help="Colour of the repertoire, white or black (default: detected)."),
    ] = None,
    openings: Annotated[int, typer.Option(min=0, metavar="N", help="Number of openings to show for each colour.")] = 10,
    opponents: Annotated[int, typer.Option(min=0, metavar="N", help="Number of opponents to show.")] = 10,
    depth: Annotated[
        int, typer.Option(min=0, max=100, metavar="N", help="Number of half-moves to show of the lines played.")
    ] = 8,
    min_share: Annotated[
        float,
        typer.Option(
            min=0, max=100, metavar="PERCENT", help="Omit lines in a smaller share of the games with a colour."
        ),
    ] = 10,
    headers: Options,
    threads: options.Threads = None,
    json: options.Json = False,
    reading: Options,
) -> None:
    """Show what a player plays with White and Black, and the results.

    All players whose name contains NAME count, and the report begins with the names found. Openings are those of the
    last position of a game that has a name. Games with evaluations also show accuracy and mistakes, by the formulas of
    Lichess; all games show the results by the phase in which they ended, and by the least time that the player had
    left. Moves are the most frequent lines, up to the point where games diverge.
    --prepare shows what the player plays in the lines of your own repertoire, and to which of these moves the
    repertoire has no answer.

    --player is the opponent here.

    Example:
        tabiya player games.pgn "carlsen, m" --since 2020
        tabiya player games.pgn twic/ caruana --time-control classical --json
        tabiya player games.pgn caruana --prepare my-white-repertoire.pgn
    """
    sources, name = _in_order(sources, name)
    if color is not None and prepare is None:
        raise UsageError("--as is the colour of a repertoire: give one with --prepare")
    with (
        open_database(sources, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        arguments = {"threads": threads or all_cores(), "progress": progress, **headers}
        if prepare is not None:
            report = tabiya.prepare(database, name, prepare, color=color, **arguments)
            lines = _preparation(report)
        else:
            arguments |= {"opponents": opponents, "depth": depth, "min_share": min_share / 100}
            view = tabiya.player(database, name, **arguments)
            lines = _view(view, openings)
    if json:
        print_json(report.to_dict() if prepare is not None else view.to_dict())
    else:
        print(*(plain(line) for line in lines), sep="\n")


def _in_order(sources: Sources, name: str) -> tuple[Sources, str]:
    """Return the sources and the name, also for ``NAME FILE...``, which was the order in 0.1."""
    first, *files = sources.paths or (None,)
    if first is None or not _is_there(name) or _is_there(first):
        return sources, name
    note("the name of the player comes last now: tabiya player FILE... NAME")
    return replace(sources, paths=(*files, name)), first


def _is_there(argument: str) -> bool:
    """Return whether an argument can be read: a file, a folder, a pattern that files match, a URL, -."""
    if argument == "-" or url_of(argument) is not None or Path(argument).exists():
        return True
    return bool(glob(argument))  # noqa: PTH207 - which may begin with a slash


def _view(view: PlayerView, openings: int) -> Iterator[str]:
    yield _names(view.names)
    if view.highest_rating is not None:
        yield f"rated {view.lowest_rating} to {view.highest_rating}"
    yield from ("", _TITLE)
    for title, score in (("all games", view.total), ("White", view.white), ("Black", view.black)):
        yield f"{_score(score)}  {title}"
    for title, played in (("White", view.white_openings), ("Black", view.black_openings)):
        if played and openings:
            yield from ("", f"Openings with {title}")
            for opening in played[:openings]:
                yield from _opening(opening)
    for title, moves in (("White", view.white_moves), ("Black", view.black_moves)):
        if moves:
            yield from ("", f"Moves with {title}", *_tree(moves))
    if view.play is not None:
        yield from _play(view.play)
    for title, scores in (("Years", view.years), ("Opponents", view.opponents)):
        if scores:
            yield from ("", title, *(f"{_score(score)}  {what}" for what, score in scores.items()))


def _play(play: PlayerPlay) -> Iterator[str]:
    if play.games:
        per_game = (f"{play.per_game(name):.2f} {name}" for name in ("inaccuracies", "mistakes", "blunders"))
        yield from ("", f"Play in {count(play.games, 'evaluated game')}")
        yield f"accuracy {play.play.accuracy:.1f} %, centipawn loss {play.play.centipawn_loss:.0f}"
        yield f"per game {', '.join(per_game)}"
    for title, parts in (("Games that ended in the", play.phases), ("Least time on the clock", play.clocks)):
        if parts:
            yield from ("", title, *(f"{_score(part.score)}  {name}{_quality(part)}" for name, part in parts.items()))


def _quality(part: PlayedPart) -> str:
    """Return the accuracy and the blunders of the moves in a phase, or with this time."""
    play = part.play
    if not play.moves:
        return ""
    return f" (moves: accuracy {play.accuracy:.1f} %, {100 * play.blunders / play.moves:.1f} % blunders)"


def _names(names: Sequence[str]) -> str:
    """Return the names found; of many only the first ones, because the text searched for is then too short."""
    more = len(names) - _MOST_NAMES
    return " / ".join([*names[:_MOST_NAMES], *([f"and {count(more, 'other')}"] if more > 0 else [])])


def _opening(opening: PlayedOpening) -> Iterator[str]:
    yield f"{_score(opening)}  {opening.eco:<3} {opening.name}"
    yield from (f"{_score(each)}  {each.eco:<3}   {each.name}" for each in opening.variations)


def _tree(moves: Sequence[TreeMove]) -> Iterator[str]:
    """Yield a line for every branch: moves up to where games diverge."""
    waiting = [(0, move) for move in reversed(moves)]
    while waiting:
        indent, move = waiting.pop()
        line = [move]
        while len(line[-1].replies) == 1 and line[-1].replies[0].games == move.games:
            line.append(line[-1].replies[0])
        yield f"{_score(move)}  {'  ' * indent}{_moves(line)}"
        waiting += [(indent + 1, reply) for reply in reversed(line[-1].replies)]


def _moves(line: Sequence[TreeMove]) -> str:
    """Return moves with their numbers: ``1.e4 e5 2.Nf3``, ``2...Nc6 3.Bb5``."""
    texts = [f"{move.ply // 2 + 1}.{move.san}" if move.ply % 2 == 0 else move.san for move in line]
    black_first = f"{line[0].ply // 2 + 1}..." if line[0].ply % 2 else ""
    return black_first + " ".join(texts)


def _score(score: Score) -> str:
    results = "".join(f"{each:>7,}" for each in (score.wins, score.draws, score.losses))
    share = "" if score.share is None else f"{score.share:.1%}"
    performance = "" if score.performance is None else score.performance
    return f"{score.games:>8,}{results}{share:>8}{performance:>7}"


def _preparation(report: Preparation) -> Iterator[str]:
    yield _names(report.names)
    side = "Black" if report.color == "white" else "White"
    yield (
        f"{count(report.games, 'game')} with {side}; "
        f"{len(report.lines):,} of {count(report.positions, 'position')} of the repertoire reached"
    )
    for line in report.lines:
        name = "" if line.opening is None else f"  ({line.opening.name})"
        yield from ("", f"{numbered(line.moves) or 'start position'}{name}: {count(line.games, 'game')}")
        for reply in line.replies:
            missing = "(the line ends)" if line.ends or reply.covered else "NOT IN THE REPERTOIRE"
            cells = f"  {reply.san:<8}{reply.games:>6,}  {reply.games / line.games:>6.1%}  {shares(reply)}"
            yield f"{cells}  {' '.join(reply.answers) or missing}"
