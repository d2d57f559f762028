"""``tabiya edit``: edit one game as PGN in the user's editor."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import tabiya
from tabiya import formats
from tabiya.cli import options
from tabiya.cli.change_options import DryRun, print_losses
from tabiya.cli.hints import with_options
from tabiya.cli.options import all_cores
from tabiya.cli.output import name_of, note, plain
from tabiya.cli.reports import ReportFile, ReportTarget
from tabiya.errors import UsageError
from tabiya.files.command_lines import split_command
from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from tabiya.game import Game

_USUAL_EDITOR = "notepad" if os.name == "nt" else "vi"


def edit(
    base: Annotated[str, typer.Argument(metavar="FILE", help="The database.")],
    number: Annotated[int, typer.Argument(min=1, metavar="N", help="Number of the record.")],
    *,
    text: Annotated[
        str | None, typer.Option("--game", metavar="PGN", help="Read the game from this file; - is standard input.")
    ] = None,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="Language of the piece letters in the new text, such as de or fr.")
    ] = "en",
    source_format: options.From = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="TARGET", help="Write all records to this database, instead of in place."
        ),
    ] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Write the game even if it has problems, or something is lost.")
    ] = False,
    dry_run: DryRun = False,
    force: options.Force = False,
    threads: options.Threads = None,
    json: options.Json = False,
    report_file: ReportFile = None,
    password: options.Password = None,
) -> None:
    """Edit a game of a database as PGN, in your editor ($VISUAL or $EDITOR).

    PGN files, ChessBase databases, Scid databases and libraries are changed in place; for other formats, -o writes a
    new database. All other games of a PGN file remain byte for byte the same. Nothing is written if the game did not
    change. If the new text has problems, or the format cannot store all of it, this is shown, and nothing is written
    without --accept; your text is kept in a file.

    Example:
        tabiya edit MyBase.cbh 17
        tabiya edit MyBase.cbh 17 --game game.pgn
        tabiya edit games.pgn 17 --game game.pgn -o edited.pgn
    """
    report_target = ReportTarget(report_file, json=json, force=force, targets=[output], sources=[base])
    if text is None and source_format is not None and not _is_format(source_format):
        note("--from is the format of the database now; the file with the game is --game")
        text, source_format = source_format, None
    open_options: dict[str, Any] = options.given(password=options.password_of(base, password), format=source_format)
    with formats.open(base, **open_options) as database:
        if output is None and not dry_run and database.format.edit is None:
            formats.edit(base).close()  # which reports which formats can
        if database.count_up_to(number) < number:
            raise UsageError(f"there is no record {number}; there are {len(database):,}", path=base)
        old = database[number - 1]
        before = old.to_pgn()
        after = _edited(before, number) if text is None else _read(text)
        with _SavedText(after, save=text is None):
            new = old if after.strip() == before.strip() else tabiya.Game.from_pgn(after, language=language)
        if new == old:
            note(f"{name_of(base)}: nothing changed")
            report_target.put(tabiya.ChangeReport(records=1, changed=0, what={}).as_dict())
            return
        new.number = number
        for line in tabiya.game.difference(old, new) if dry_run and not json else ():
            print(plain(line))
        _check(new, after, accept=accept or dry_run, edited=text is None)
        with _SavedText(after, save=text is None):
            report = tabiya.replace_game(
                database,
                number,
                new,
                output,
                in_place=output is None,
                dry_run=dry_run,
                overwrite=force,
                strict=not (accept or dry_run),
                threads=threads or all_cores(),
            )
    report_target.put(report.as_dict())
    note(f"{name_of(base)}: game {number} {'would change; nothing was changed' if dry_run else 'changed'}")
    print_losses(report)


def _is_format(name: str) -> bool:
    return name.lower() in {each.name for each in formats.FORMATS}


def _check(game: Game, text: str, *, accept: bool, edited: bool) -> None:
    """Show the problems of a game; end the command unless they are accepted."""
    for problem in game.problems:
        note(with_options(formats.GameProblem(None, problem)))
    if game.problems and not accept:
        place = f"; your text is in {_keep(text)}: correct it there and use --game" if edited else ""
        raise UsageError(f"nothing was written, because of these problems; --accept writes it anyway{place}")


class _SavedText:
    """Keeps the user's text if it cannot be stored."""

    def __init__(self, text: str, *, save: bool) -> None:
        self._text = text
        self._save = save

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and self._save and self._text.strip():
            note(f"your text is in {_keep(self._text)}")


def _keep(text: str) -> str:
    with tempfile.NamedTemporaryFile(suffix=".pgn", prefix="tabiya-", delete=False) as file:
        file.write(text.encode("utf-8", "surrogateescape"))
    return file.name


def _edited(text: str, number: int) -> str:
    """Return the text as the user has edited it."""
    command = _editor()
    with tempfile.TemporaryDirectory(prefix="tabiya-") as folder:
        path = Path(folder) / f"game-{number}.pgn"
        path.write_text(text, "utf-8", errors="surrogateescape")
        try:
            done = subprocess.run([*command, str(path)], check=False)
        except OSError as error:
            raise UsageError(f"the editor {command[0]!r} cannot be run; set EDITOR, or use --game") from error
        after = path.read_text("utf-8-sig", errors="surrogateescape") if path.exists() else ""
        if done.returncode:
            with _SavedText(after, save=after != text):
                raise UsageError(f"the editor ended with code {done.returncode}; nothing was changed")
        return after


def _editor() -> list[str]:
    """Return the command of the user's editor."""
    named = (os.environ.get(name, "").strip() for name in ("VISUAL", "EDITOR"))
    command = next(filter(None, named), _USUAL_EDITOR)
    try:
        program, *arguments = split_command(command)
    except ValueError as error:
        raise UsageError(f"the editor {command!r} cannot be run: {error}; set EDITOR, or use --game") from error
    return [shutil.which(program) or program, *arguments]  # Windows finds no scripts such as code.cmd by their name


def _read(location: str) -> str:
    if location == "-":
        return sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape")
    with errors_of(location):
        return Path(location).read_text("utf-8-sig", errors="surrogateescape")
