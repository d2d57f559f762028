"""``tabiya show``: one record as text, JSON, a picture of the board, or with all its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Json, open_database
from tabiya.cli.output import plain, print_json
from tabiya.errors import UsageError
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.formats import Database
    from tabiya.game import Game, GameBatch, Node


@expanded
def show(
    *,
    sources: Sources,
    number: Annotated[
        int,
        typer.Argument(metavar="N", min=1, help="Number of the record, from 1, among those that meet all conditions."),
    ],
    ply: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Board after this many half-moves (0: the start; default: the end)."),
    ] = None,
    svg: Annotated[
        str | None, typer.Option(metavar="OUT", help="Write a picture of the board to a file; - is standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the picture if it exists.")] = False,
    dump: Annotated[
        bool, typer.Option("--dump", help="Show the record as it is stored: tokens, payloads, extras, problems.")
    ] = False,
    pgn: Annotated[bool, typer.Option("--pgn", help="Show the record as PGN.")] = False,
    reading: Options,
    json: Json = False,
    where: Choice,
) -> None:
    """Show one record: its tags, moves and board.

    Moves come with variations, texts and symbols; other annotations are listed after them.

    Example:
        tabiya show games.pgn 7
        tabiya show games.pgn 7 --ply 24 --svg board.svg
        tabiya show games.pgn 7 --dump
        tabiya show twic/ 1234 --pgn
    """
    if dump + json + pgn + (svg is not None) > 1:
        raise UsageError("--dump, --json, --pgn and --svg cannot be combined")
    with open_database(sources, where=where, **reading) as database:
        batch = _record(database, number)
        origin = database.origin(batch.record_batch["number"][0].as_py()) if database.has_origins else None
    if dump:
        from tabiya.cli.record_dump import dump_lines  # noqa: PLC0415 - needs pyarrow

        print(*map(plain, dump_lines(batch)), sep="\n")
        return
    game = batch[0]
    if pgn:
        print(game.to_pgn(), end="")
        return
    if origin is not None:
        game.source, game.source_number = origin
    node = _node(game, ply)
    if svg is not None:
        _write_svg(node, svg, overwrite=force)
    elif json:
        from tabiya.cli.game_display import game_as_dict  # noqa: PLC0415 - needs pyarrow

        print_json(game_as_dict(game, node))
    else:
        from tabiya.cli.game_display import game_lines  # noqa: PLC0415 - needs pyarrow

        print(*map(plain, game_lines(game, node)), sep="\n")
        if origin is not None:
            print(plain(f"record {origin.number} of {origin.source}"))


def _record(database: Database, number: int) -> GameBatch:
    """Return the record with this number, as a batch of one."""
    if database.path is not None:
        batch = database.read(number - 1, number)
        if len(batch):
            return batch
        raise UsageError(f"there is no record {number}: the last is {len(database)}", path=database.path)
    passed = 0
    for batch in database.batches():  # a stream can be read only once
        if number <= passed + len(batch):
            return batch[number - 1 - passed : number - passed]
        passed += len(batch)
    raise UsageError(f"there is no record {number}: the last is {passed}")


def _node(game: Game, ply: int | None) -> Node:
    """Return the node of the main line after this many half-moves."""
    end = game.end()
    if ply is None:
        return end
    if ply > end.ply:
        raise UsageError(f"game {game.number} has {end.ply} half-moves, so there is no ply {ply}")
    return next(node for node in (game.root, *game.mainline()) if node.ply == ply)


def _write_svg(node: Node, target: str, *, overwrite: bool) -> None:
    picture = node.position.svg(last_move=node.move)
    if target == "-":
        print(picture)
        return
    from tabiya.files.targets import open_target  # noqa: PLC0415 - rarely needed

    place = open_target(local_path(target), overwrite=overwrite)
    try:
        place.stream.write(picture.encode())
        place.commit()
    finally:
        place.discard()
