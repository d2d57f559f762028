"""``tabiya book``: the commands for opening books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.cli.commands.book.build import build
from tabiya.cli.commands.book.check import check, repair
from tabiya.cli.commands.book.convert import convert, merge
from tabiya.cli.commands.book.diff import diff
from tabiya.cli.commands.book.edit import edit
from tabiya.cli.commands.book.show import show

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["COMMANDS"]

COMMANDS: dict[str, Callable[..., None]] = {
    "build": build,
    "check": check,
    "convert": convert,
    "diff": diff,
    "edit": edit,
    "merge": merge,
    "repair": repair,
    "show": show,
}
"""Commands by name."""
