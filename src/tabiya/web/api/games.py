"""Games: one of a database, as PGN, and conversions of PGN and of games edited on a page."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import quote

from starlette.responses import Response

from tabiya.evaluations import Thresholds
from tabiya.evaluations import game_report as report_of
from tabiya.formats import FORMATS, create, edit
from tabiya.formats import open as open_database
from tabiya.formats.guiding_texts import guiding_texts_of
from tabiya.formats.losses import LossReport
from tabiya.game import Game, RecordKind
from tabiya.game.exchange import game_of_values, game_values
from tabiya.game.guiding_blocks import text_blocks
from tabiya.web.request import ApiError, Call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.formats.database import Database
    from tabiya.web.answers.games import ApiGame, GameReport, Games, Pgn, Saved
    from tabiya.web.site import Site
    from tabiya.web.source import Source

_MOST_GAMES: Final = 50
_LONGEST_PGN: Final = 1 << 20


def show_game(site: Site, call: Call) -> ApiGame:
    """Return a record with everything that is in it."""
    source = site.sources.get(call.path["source"])
    with source.listed_database() as (opened, listed_database):
        game = _game(listed_database.database, call.place("number"))
        values = game_answer(game, source)
        return {**values, "source": source.id, "generation": opened.generation, "records": listed_database.count}


def _game(database: Database, number: int) -> Game:
    if number < 1 or database.count_up_to(number) < number:
        last = f"the last is {len(database):,}" if len(database) else "the database is empty"
        raise ApiError(404, f"There is no record {number:,}: {last}.")
    return database[number - 1]


def game_answer(game: Game, source: Source | None = None) -> ApiGame:
    """Return a record for JSON, with everything that is in it."""
    values = game_values(game)
    if game.number is None:  # a game that is in no database
        del values["number"]
    values["title"] = _title(game)
    for node in values.get("nodes", ()):
        for medium in node.get("media", ()):
            _add_address(medium, source)
    if game.kind is RecordKind.TEXT:
        values["texts"] = [
            {"language": each.code, "title": each.title, "blocks": _blocks(text_blocks(each.text), source)}
            for each in guiding_texts_of(game)
        ]
    return cast("ApiGame", values)


def _title(game: Game) -> str:
    if game.kind is RecordKind.TEXT:
        return next((each.title for each in guiding_texts_of(game) if each.title), "Text")
    return " – ".join(game.tags.get(name) or "?" for name in ("White", "Black"))


def _blocks(blocks: list[dict[str, Any]], source: Source | None) -> list[dict[str, Any]]:
    for block in blocks:
        _add_address(block, source)
    return blocks


def _add_address(medium: dict[str, Any], source: Source | None) -> None:
    """Add the address of a picture, sound or video; media on other web servers are not loaded."""
    file = medium.pop("file", None)
    if file and source is not None and "://" not in file and not file.startswith(("data:", "//")):
        medium["url"] = f"/api/sources/{source.id}/media/{quote(file)}"


def game_report(site: Site, call: Call) -> GameReport:
    """Return the accuracy, losses and judgements of a game with evaluations."""
    source = site.sources.get(call.path["source"])
    judge = call.text("judge")
    thresholds = Thresholds() if judge is None else Thresholds.parse(judge)
    with source.listed_database() as (_, listed_database):
        report = report_of(_game(listed_database.database, call.place("number")), thresholds)
    if report is None:
        raise ApiError(404, "The game has no evaluated moves.")
    return cast("GameReport", report.as_dict())


def game_pgn(site: Site, call: Call) -> Response:
    """Send a game as PGN."""
    source = site.sources.get(call.path["source"])
    number = call.place("number")
    with source.listed_database() as (_, listed_database):
        text = _pgn(_game(listed_database.database, number), call.text("profile"), call.text("dialect"))[0]
    return _download(text, f"{Path(source.path.name).stem}-{number}.pgn")


def plain_pgn(source: Source, number: int) -> Response:
    """Send a game as PGN for any program."""
    with source.listed_database() as (_, listed_database):
        text = _pgn(_game(listed_database.database, number), "plain", None)[0]
    return Response(text.encode("utf-8", "replace"), media_type="application/x-chess-pgn")


def _download(text: str, name: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(
        text.encode("utf-8", "replace"),
        media_type="application/x-chess-pgn; charset=utf-8",
        headers={"content-disposition": disposition},
    )


def _pgn(game: Game, profile: str | None, dialect: str | None) -> tuple[str, LossReport]:
    """Return a game as PGN, and what is lost."""
    import io  # noqa: PLC0415

    file = io.BytesIO()
    options: dict[str, Any] = {"profile": profile or "lossless", **({} if dialect is None else {"dialect": dialect})}
    with create(file, format="pgn", formats=FORMATS, **options) as writer:
        writer.write(game)
    return file.getvalue().decode("utf-8", "replace"), writer.losses


# Trees that pages have edited.


def pgn_of_tree(site: Site, call: Call) -> Pgn:
    """Return an edited game as PGN."""
    game = edited_game(site, call)
    text, losses = _pgn(game, call.member("profile"), call.member("dialect"))
    return {"pgn": text, "losses": [str(loss) for loss in losses]}


def check_tree(site: Site, call: Call) -> ApiGame:
    """Return an edited game as it would be shown: with positions, and moves in standard notation."""
    return game_answer(edited_game(site, call))


def tree_report(site: Site, call: Call) -> GameReport | None:
    """Return the report of an edited game; nothing if it has no evaluated moves."""
    report = report_of(edited_game(site, call))
    return None if report is None else cast("GameReport", report.as_dict())


def tree_of_pgn(_site: Site, call: Call) -> Games:
    """Return the games of a text."""
    import io  # noqa: PLC0415

    text = call.member("pgn", str, "")
    if len(text) > _LONGEST_PGN:
        raise ApiError(413, "The text is longer than a megabyte; save it as a file and drop that onto the page.")
    with open_database(io.BytesIO(text.encode("utf-8", "replace")), format="pgn") as database:
        games = [game_answer(game) for game in database[:_MOST_GAMES]]
    if not games:
        raise ApiError(422, "The text holds no game.")
    return {"games": games}


def edited_game(site: Site, call: Call) -> Game:
    """Return the game that the body of a request describes."""
    return game_of_values(call.member("game", dict), _base(site, call))


def _base(site: Site, call: Call) -> Game | None:
    """Return the record that an edited game came from, for data that only its format has.

    None if its file has changed since the page read it: another game may have its number now.
    """
    base = call.member("base", dict)
    if base is None:
        return None
    name, number = base.get("source"), base.get("number")
    if not isinstance(name, str) or isinstance(number, bool) or not isinstance(number, int):
        raise ApiError(422, "“base” names a source and the number of a record.")
    with site.sources.get(name).listed_database() as (opened, listed_database):
        return _game(listed_database.database, number) if base.get("generation") in (None, opened.generation) else None


# Saving.


def append_game(site: Site, call: Call) -> Saved:
    """Append an edited game to the database."""
    source = site.sources.get(call.path["source"])
    base = _base(site, call)
    with changing(site, source, call, "append") as database:
        game = game_of_values(call.member("game", dict), base)
        game.deleted = False
        number = len(database) + 1
        with create(source.path, format=source.format.name, append=True) as writer:
            writer.write(game)
    return saved(source, number, writer.losses, writer.remarks)


def replace_game(site: Site, call: Call) -> Saved:
    """Replace a record by an edited game."""
    source = site.sources.get(call.path["source"])
    number = call.place("number")
    with changing(site, source, call, "replace") as database, edit(source.path, format=source.format.name) as editor:
        check_seen(source, call)  # the editor detects later changes by other programs
        base = _game(database, number)
        if base.kind is not RecordKind.GAME:
            raise ApiError(422, f"Record {number:,} is a text: a game cannot replace it.")
        game = game_of_values(call.member("game", dict), base)
        editor.replace(number, game)
    return saved(source, number, editor.losses, editor.remarks)


@contextmanager
def changing(site: Site, source: Source, call: Call, what: Any) -> Iterator[Database]:
    """Check that a source may be changed, and has not changed since the page read it."""
    if not site.write:
        raise ApiError(403, "Databases cannot be changed: start tabiya serve with --write.")
    if not source.can(what):
        action = "have games added" if what == "append" else "have games replaced"
        raise ApiError(
            403, f"{source.path.name} cannot {action} here ({source.format.name}); download the game as PGN."
        )
    with source.writing:
        with source.listed_database() as (_, listed_database):
            check_seen(source, call)
            source.checked_path()
            yield listed_database.database
        source.retire()


def check_seen(source: Source, call: Call) -> None:
    """Raise an error if a source has changed since the page read it."""
    seen = call.headers.get("if-match", "").strip('"') or call.member("generation", str)
    if not seen:
        raise ApiError(428, "The generation that the page has seen is missing.")
    with source.using() as opened:
        if opened.generation != seen:
            raise ApiError(
                409,
                f"{source.path.name} has been changed meanwhile, so nothing was saved: load the game again, "
                "or download yours as PGN.",
            )


def saved(source: Source, number: int, losses: LossReport, remarks: tuple[str, ...]) -> Saved:
    """Return where a game was saved, and what was lost."""
    with source.using() as opened:
        return {
            "source": source.id,
            "number": number,
            "generation": opened.generation,
            "losses": [str(loss) for loss in losses],
            "remarks": [*remarks],
        }
