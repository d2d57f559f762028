"""``tabiya novelties``: the first new position of games, compared with the games of a collection."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database
from tabiya.cli.output import count, json_array, plain
from tabiya.cli.progress import progress_bar
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.chess import Position
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.game.annotations import Evaluation
    from tabiya.search.new_positions import Novelty

_DEPTH = 16


@expanded
def novelties(
    *,
    sources: Sources,
    library: Annotated[
        str, typer.Option("--in", metavar="LIBRARY", help="The earlier games: a library, or another database.")
    ],
    engine: Annotated[
        str | None, typer.Option(metavar="PROGRAM", help="Evaluate the new positions with this UCI engine.")
    ] = None,
    engine_option: options.EngineOptions = None,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="N", help=f"Depth of the engine in half-moves ({_DEPTH}).")
    ] = None,
    limit: options.Limit = None,
    threads: options.Threads = None,
    json: options.Json = False,
    where: Choice,
    source_format: options.From = None,
    reading: Options,
    password: options.Password = None,
) -> None:
    """Show for each game the first position that no earlier game of a collection reached.

    Positions count by any order of moves. An earlier game is one with an earlier date; games on the same day do not
    count, so the games may be in the collection themselves. The command shows the new move, how many earlier games
    reached the position before it, and the latest of them.

    A library answers from its index; other databases are read into memory.

    Example:
        tabiya novelties candidates.pgn --in mega.tabiya
        tabiya novelties my-games.pgn --in mega.tabiya --engine stockfish --depth 20
    """
    if depth is not None and engine is None:
        raise UsageError("--depth is for an engine: name one with --engine")
    with (
        ExitStack() as opened,
        open_database(sources, format=source_format, where=where, limit=limit, password=password, **reading) as games,
        open_database(library) as earlier,
        progress_bar(sources.name) as progress,
    ):
        opinion = None
        if engine is not None:
            program = tabiya.Engine(engine, options=options.engine_options_of(engine_option or []))
            opinion = _opinion(opened.enter_context(program), depth or _DEPTH)
        found = tabiya.novelties(games, earlier, opinion=opinion, threads=threads or all_cores(), progress=progress)
        if json:
            with json_array() as put:
                for each in found:
                    put(each.to_dict())
        else:
            for each in found:
                print(*map(plain, _lines(each)), sep="\n")


def _opinion(engine: tabiya.Engine, depth: int) -> Callable[[Position], Evaluation]:
    return lambda position: engine.analyse(position, depth=depth).evaluation


def _lines(novelty: Novelty) -> list[str]:
    tags = novelty.game.tags
    players = " – ".join(tags.get(name) or "?" for name in ("White", "Black"))
    evaluation = "" if novelty.evaluation is None else f"  {novelty.evaluation.format()}"
    head = f"{novelty.game.number or 0:>8}  {novelty.move or 'nothing new':<14}{players}{evaluation}"
    return [head, f"{'':>10}{count(novelty.predecessors, 'earlier game')}{_latest(novelty)}"]


def _latest(novelty: Novelty) -> str:
    latest = novelty.latest
    if latest is None:
        return ""
    year = "" if latest.year is None else f", {latest.year}"
    return f", the latest number {latest.number}: {latest.white or '?'} – {latest.black or '?'}{year}"
