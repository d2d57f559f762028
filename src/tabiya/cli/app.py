"""The program as a whole: its commands, and what every one of them does about errors, Ctrl-C and broken pipes."""

from __future__ import annotations

import inspect
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

import tabiya
from tabiya.cli.archive import extract, pack
from tabiya.cli.base import check, compact, copy, delete, undelete
from tabiya.cli.book import COMMANDS as BOOK_COMMANDS
from tabiya.cli.classify import classify
from tabiya.cli.convert import convert
from tabiya.cli.crosstable import crosstable
from tabiya.cli.dedupe import dedupe
from tabiya.cli.diff import diff
from tabiya.cli.edit import edit
from tabiya.cli.explore import explore
from tabiya.cli.formats import formats
from tabiya.cli.info import info
from tabiya.cli.library import COMMANDS as LIBRARY_COMMANDS
from tabiya.cli.list import list_records
from tabiya.cli.merge import merge
from tabiya.cli.names import names
from tabiya.cli.output import Code, code_of, complain
from tabiya.cli.player import player
from tabiya.cli.search import search
from tabiya.cli.serve import serve
from tabiya.cli.show import show
from tabiya.cli.sort import sort
from tabiya.cli.split import split
from tabiya.cli.streams import STANDARD_OUTPUT, prepare_streams, silence
from tabiya.cli.table import table
from tabiya.cli.tag import tag
from tabiya.cli.texts import texts
from tabiya.cli.verify import verify
from tabiya.errors import TabiyaError, redacted
from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["app", "run"]


class _Group(TyperGroup):
    """Turns what goes wrong in any command into a sentence and an exit code."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _told():  # --help and --version are dealt with here
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with _told():
            return super().invoke(ctx)


@contextmanager
def _told() -> Iterator[None]:
    try:
        # Errors of the system that the library did not expect are sentences, too: a full temporary folder, say.
        with errors_of(None):
            try:
                with _discreet():
                    yield
            finally:
                sys.stdout.flush()  # here it is noticed that nobody reads on, at the end of the process it is not
    except TabiyaError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            silence(sys.stdout)
            raise typer.Exit(Code.BROKEN_PIPE) from error
        complain(error)
        if error.path == STANDARD_OUTPUT:
            silence(sys.stdout)
        raise typer.Exit(code_of(error)) from error
    except KeyboardInterrupt as error:
        complain("interrupted")
        raise typer.Exit(Code.INTERRUPTED) from error


@contextmanager
def _discreet() -> Iterator[None]:
    """Hide passwords in what typer says about invalid arguments, which it quotes."""
    try:
        yield
    except Exception as error:
        if isinstance(message := getattr(error, "message", None), str):
            error.message = redacted(message)  # type: ignore[attr-defined]  # no class of typer's is public for it
        raise


app = typer.Typer(
    name="tabiya",
    cls=_Group,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich alone takes 0.1 s
)


def _help_of(command: Callable[..., None]) -> str:
    r"""Return the docstring of a command, with its example kept as it stands: \b is how typer is told not to wrap."""
    return re.sub(r"^(?=Examples?:$)", "\b\n", inspect.getdoc(command) or "", flags=re.MULTILINE)


_COMMANDS: dict[str, Callable[..., None]] = {
    "check": check,
    "classify": classify,
    "compact": compact,
    "convert": convert,
    "copy": copy,
    "crosstable": crosstable,
    "dedupe": dedupe,
    "delete": delete,
    "diff": diff,
    "edit": edit,
    "explore": explore,
    "extract": extract,
    "formats": formats,
    "info": info,
    "list": list_records,
    "merge": merge,
    "names": names,
    "pack": pack,
    "player": player,
    "search": search,
    "serve": serve,
    "show": show,
    "sort": sort,
    "split": split,
    "table": table,
    "tag": tag,
    "texts": texts,
    "undelete": undelete,
    "verify": verify,
}
for _name, _command in _COMMANDS.items():
    app.command(_name, help=_help_of(_command))(_command)

_GROUPS: dict[str, tuple[dict[str, Callable[..., None]], str]] = {
    "book": (BOOK_COMMANDS, "Show, build, convert, merge, compare, check and repair opening books."),
    "library": (LIBRARY_COMMANDS, "Check libraries, and merge what was added to them."),
}
for _group, (_members, _help) in _GROUPS.items():
    _typer = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    for _name, _command in _members.items():
        _typer.command(_name, help=_help_of(_command))(_command)
    app.add_typer(_typer, name=_group, help=_help)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - called by typer
    if wanted:
        print(f"tabiya {tabiya.__version__}")
        raise typer.Exit


@app.callback()
def _tabiya(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Open any chess database, and carry games between formats without losing anything."""


def run() -> None:
    """Run the program with the arguments of the process."""
    prepare_streams()
    app(prog_name="tabiya")
