"""The program as a whole: its commands, and their handling of errors, Ctrl-C and broken pipes."""

from __future__ import annotations

import inspect
import re
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

import tabiya
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.hints import parser_sentence
from tabiya.cli.output import complain, stderr_for
from tabiya.cli.quick_command import QuickCommand, QuickGroup
from tabiya.cli.streams import STANDARD_OUTPUT, prepare_streams, silence
from tabiya.errors import TabiyaError, UsageError, presentable
from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    app: typer.Typer


class _Group(QuickGroup):
    """Turns the errors of any command into a sentence and an exit code."""

    def main(self, args: Any = None, *others: Any, **options: Any) -> Any:
        with stderr_for(list(sys.argv[1:] if args is None else args)):
            return super().main(args, *others, **options)

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _reported():  # --help and --version are handled here
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with _reported():
            return super().invoke(ctx)


@contextmanager
def _reported() -> Iterator[None]:
    try:
        # System errors that the library did not expect become sentences, too: a full temporary folder, for example.
        with errors_of(None):
            try:
                yield
            finally:
                sys.stdout.flush()  # detects a broken pipe; at the end of the process it would be too late
    except TabiyaError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            silence(sys.stdout)
            raise typer.Exit(ExitCode.BROKEN_PIPE) from error
        code = complain(error)
        if error.path == STANDARD_OUTPUT:
            silence(sys.stdout)
        raise typer.Exit(code) from error
    except KeyboardInterrupt as error:
        raise typer.Exit(complain("interrupted", ExitCode.INTERRUPTED)) from error
    except Exception as error:
        refusal = _refused(error)
        if refusal is None:
            raise
        raise typer.Exit(refusal) from error


def _refused(error: Any) -> ExitCode | None:
    """Report arguments that the parser rejects. Its classes are not public, and differ between versions of typer."""
    if not hasattr(error, "format_message") or type(error).__name__ == "NoArgsIsHelpError":
        return None
    option = None if (parameter := getattr(error, "param", None)) is None else parameter.metavar or parameter.name
    if parameter is not None and parameter.param_type_name == "option":
        option = parameter.opts[0]
    sentence = parser_sentence(presentable(error.format_message()), presentable(error.message), option)
    if (context := getattr(error, "ctx", None)) is None:
        return complain(UsageError(sentence))
    see = f'see "{context.command_path} --help"'
    return complain(UsageError(f"{sentence}{' ' if sentence.endswith('?') else '; '}{see}"), usage=context.get_usage())


_SECTIONS: Final = {
    "Look at games": {
        "info": "info.info",
        "list": "list.list_records",
        "show": "show.show",
        "texts": "texts.texts",
        "serve": "serve.serve",
        "mcp": "mcp.mcp",
        "formats": "formats.formats",
    },
    "Convert and compare": {
        "convert": "convert.convert",
        "diff": "diff.diff",
        "verify": "verify.verify",
        "table": "table.table",
        "extract": "archive.extract",
        "pack": "archive.pack",
    },
    "Search": {
        "search": "search.search",
        "explore": "explore.explore",
        "player": "player.player",
        "novelties": "novelties.novelties",
        "crosstable": "crosstable.crosstable",
    },
    "Analyse": {
        "analyse": "analyse.analyse",
        "report": "report.report",
        "puzzles": "puzzles.puzzles",
    },
    "Clean up collections": {
        "dedupe": "dedupe.dedupe",
        "names": "names.names",
        "classify": "classify.classify",
        "tag": "tag.tag",
        "edit": "edit.edit",
        "sort": "sort.sort",
        "split": "split.split",
        "merge": "merge.merge",
    },
    "Maintain databases": {
        "check": "base.check",
        "compact": "base.compact",
        "copy": "base.copy",
        "delete": "base.delete",
        "undelete": "base.undelete",
        "library": "library.COMMANDS",
    },
    "Opening books": {"book": "book.COMMANDS"},
    "This program": {"completion": "completion.completion"},
}
"""The functions of the commands, by module of ``cli.commands`` and name, in the sections of the help."""

_COMMANDS: Final = {name: place for members in _SECTIONS.values() for name, place in members.items()}
"""The same without sections. Only the called one is imported."""

_GROUPS: Final = {
    "book": "Show, build, convert, merge, compare, check and repair opening books.",
    "library": "Check, rebuild and merge libraries.",
}
"""Commands that are groups of commands, with their help."""


def _imported(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(f"tabiya.cli.commands.{module}"), attribute)


def _help_of(command: Callable[..., None]) -> str:
    r"""Return the docstring of a command, with its example unchanged: \b disables wrapping in typer."""
    return re.sub(r"^(?=Examples?:$)", "\b\n", inspect.getdoc(command) or "", flags=re.MULTILINE)


def _add(target: typer.Typer, name: str, command: Callable[..., None], section: str | None = None) -> None:
    target.command(name, cls=QuickCommand, help=_help_of(command), rich_help_panel=section)(command)


def _program(names: Iterable[str], *, listed_only: bool = False) -> typer.Typer:
    """Return the program with these commands and groups of commands; ``listed_only``: without their parameters."""
    program = typer.Typer(
        name="tabiya",
        cls=_Group,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # rich alone takes 0.1 s
    )
    program.callback()(_tabiya)
    for name in names:
        found, section = _imported(_COMMANDS[name]), next(title for title in _SECTIONS if name in _SECTIONS[title])
        if name not in _GROUPS:
            _add(program, name, _without_parameters(found) if listed_only else found, section)
            continue
        group = typer.Typer(cls=QuickGroup, no_args_is_help=True, rich_markup_mode=None)
        for member, command in () if listed_only else found.items():
            _add(group, member, command)
        program.add_typer(group, name=name, help=_GROUPS[name], rich_help_panel=section)
    return program


def _without_parameters(command: Callable[..., None]) -> Callable[[], None]:
    """Return a command with the same help; for all commands together, typer needs 50 ms to read their parameters."""

    def listed() -> None:
        """Do nothing: the help of the program calls no command."""

    listed.__doc__ = command.__doc__
    return listed


def __getattr__(name: str) -> typer.Typer:
    """Return ``app``, the program with all commands, for the documentation and tests."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = program = _program(_COMMANDS)
    return program


def _show_version(context: typer.Context, requested: bool) -> None:  # noqa: FBT001 - called by typer
    if not requested:
        return
    print(f"tabiya {tabiya.__version__}")
    if context.params.get("verbose"):
        from tabiya.cli.environment import environment  # noqa: PLC0415 - rarely needed

        width = max(map(len, described := environment()))
        for name, text in described.items():
            print(f"{name:<{width}}  {text}")
    raise typer.Exit


def _tabiya(
    *,
    verbose: Annotated[
        bool, typer.Option("--verbose", is_eager=True, help="With --version: show what a report of a fault needs.")
    ] = False,
    # Not eager: its callback needs the option above, wherever that stands.
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Read any chess database, and convert games between formats without loss."""


def run() -> None:
    """Run the program with the arguments of the process."""
    prepare_streams()
    _requested(sys.argv[1:])(prog_name="tabiya")


def _requested(arguments: list[str]) -> typer.Typer:
    """Return as much of the program as these arguments need."""
    if arguments and arguments[0] in _COMMANDS:
        return _program(arguments[:1])
    if arguments == ["--version"]:
        return _program(())
    return _program(_COMMANDS, listed_only=arguments in ([], ["--help"], ["-h"]))
