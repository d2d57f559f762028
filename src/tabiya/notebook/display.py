"""``tabiya.viewer``, and what a notebook gets from a game that is the last value of a cell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tabiya.chess import Position
from tabiya.errors import UnsupportedError, UsageError
from tabiya.game import Game, Node

if TYPE_CHECKING:
    from tabiya.notebook.widget import GameViewer


def viewer(shown: Game | Node | Position | str, *, size: int = 400, flipped: bool = False) -> GameViewer:
    """Return a widget with a board and the notation of a game, to step through; ``pip install 'tabiya[notebook]'``.

    Keys work when the widget has been clicked: arrows, Home and End step, Shift and an arrow choose an alternative, f
    turns the board. ``viewer(game).node`` is the move that is shown.

    Args:
        shown: a game, shown from its start; a node, shown in its game; a position or a FEN.
        size: the side of the board in pixels, from 100 to 2000.
        flipped: Black at the bottom.

    Raises:
        UnsupportedError: anywidget is not installed.
        FormatError: a FEN is invalid.
    """
    try:
        from tabiya.notebook.widget import GameViewer  # noqa: PLC0415 - optional
    except ImportError as error:
        raise UnsupportedError(
            "stepping through games in a notebook needs anywidget; install it with: pip install 'tabiya[notebook]'"
        ) from error
    if not 100 <= size <= 2000:
        raise UsageError(f"the board of a viewer has a side of 100 to 2000 pixels, not {size!r}")
    if isinstance(shown, Game):
        return GameViewer(shown, size=size, flipped=flipped)
    if isinstance(shown, Node):
        return GameViewer(shown.game, node=shown, size=size, flipped=flipped)
    if isinstance(shown, (Position, str)):
        return GameViewer(Game(start=shown), size=size, flipped=flipped)
    raise UsageError(f"a viewer shows a game, a node, a position or a FEN, not {shown!r}")


def mimebundle(shown: Game | Node) -> Any:
    """Return the widget for a notebook; nothing where there is none, so that the static HTML is shown."""
    if not _in_notebook():
        return {}
    try:
        return viewer(shown)._repr_mimebundle_()
    except UnsupportedError:
        return {}


def _in_notebook() -> bool:
    """Return whether the code runs in a kernel, with a page in front of it: a widget in a terminal shows nothing."""
    interactive = sys.modules.get("IPython")
    shell = None if interactive is None else interactive.get_ipython()
    return getattr(shell, "kernel", None) is not None
