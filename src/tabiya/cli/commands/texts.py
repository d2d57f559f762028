"""``tabiya texts``: the guiding texts of a database, listed or written as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Json, open_database
from tabiya.cli.output import count, json_array, note, plain

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.game import Game


@expanded
def texts(
    *,
    sources: Sources,
    export: Annotated[str | None, typer.Option(metavar="DIR", help="Write the texts to a folder, as HTML.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    reading: Options,
    json: Json = False,
    where: Choice,
) -> None:
    """List the guiding texts of a database, or write them as HTML.

    A guiding text is a record that contains text instead of moves, possibly in several languages; "tabiya show" prints
    one. With --export each language of each text becomes a page; the pictures it uses are copied next to it, if they
    exist, and a page "index.html" links to all pages. The exit code is 1 if pictures are missing.

    Example:
        tabiya texts book.cbh
        tabiya texts book.cbh --export pages
        tabiya show book.cbh 3
    """
    from tabiya.formats.guiding_texts import export_texts, text_records  # noqa: PLC0415 - needs pyarrow

    with open_database(sources, where=where, **reading) as database:
        if export is not None:
            report = export_texts(database, export, overwrite=force)
            note(f"{count(report.pages, 'page')} and {count(report.media, 'file')} of media written to {export}")
            for name in report.missing:
                note(f"missing: {name}")
            if report.missing:
                raise typer.Exit(ExitCode.PROBLEMS)
        elif json:
            with json_array() as put:
                for record in text_records(database):
                    put(_as_dict(record))
        else:
            found = 0
            for found, record in enumerate(text_records(database), 1):  # noqa: B007 - counted
                print(_line(record))
            if not found:
                note(f"{database.name}: no texts found")


def _line(record: Game) -> str:
    from tabiya.formats.guiding_texts import guiding_texts_of  # noqa: PLC0415

    texts = guiding_texts_of(record)
    codes = ",".join(dict.fromkeys(each.code for each in texts))
    title = next((each.title for each in texts), "")
    media = len({name for each in texts for name in each.text.media()})
    mark = "d" if record.deleted else " "
    used = f" ({count(media, 'file')} of media)" if media else ""
    return f"{record.number:>8}{mark} {codes:<12} {plain(title)}{used}".rstrip()


def _as_dict(record: Game) -> dict[str, Any]:
    from tabiya.formats.guiding_texts import guiding_texts_of  # noqa: PLC0415

    return {
        "number": record.number,
        "deleted": record.deleted,
        "texts": [
            {
                "language": each.code,
                "title": each.text.title,
                "format": each.text.format,
                "text": each.text.plain(),
                "media": each.text.media(),
            }
            for each in guiding_texts_of(record)
        ],
        "problems": [each.sentence for each in record.problems],
    }
