"""Names that are loaded when they are first asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["borrowed", "loader"]


def loader(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of a package: ``homes`` says which of its modules a name stands in."""

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


def borrowed(name: str) -> Any:
    """A function of a higher room, ``formats.pgn.text.format_pgn``, behind a method that people look for lower down.

    A game knows no files, yet ``game.to_pgn()`` is what everybody tries first. Such methods do nothing but call what
    they borrow; ``tests/test_layers.py`` lists all of them.
    """
    module, _, function = f"tabiya.{name}".rpartition(".")
    return getattr(import_module(module), function)
