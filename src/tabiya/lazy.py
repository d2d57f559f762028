"""Names that are loaded when they are first asked for."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["borrowed", "public_names"]

_PUBLIC: Final = re.compile(r"^from (\S+) import (\w+) as \2\b|^(\w+):", re.MULTILINE)


def public_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the ``__getattr__``, ``__dir__`` and ``__all__`` of a package, from the stub beside its ``__init__.py``.

    So a public name is written once, where type checkers and editors look for it: ``from tabiya.books.book import Book
    as Book``. Its module is imported when the name is first asked for. A name that the stub only declares (``FORMATS:
    …``) is there already. The modules of the package that names come from can be asked for as well: whoever has
    imported ``tabiya`` has ``tabiya.formats.FORMATS``, as type checkers believe.
    """
    module = sys.modules[package]
    spec: Any = module.__spec__
    found = _PUBLIC.findall(spec.loader.get_data(f"{spec.origin}i").decode())
    homes = {name: home for home, name, _ in found if name}
    names = sorted(name or declared for _, name, declared in found)
    parts = {home.removeprefix(f"{package}.").partition(".")[0] for home in homes.values() if f"{package}." in home}

    def load(name: str) -> Any:
        if homes.get(name) == f"{package}.{name}":
            value = import_module(homes[name])  # a room that is called like its main function is that, too
        elif name in homes:
            value = getattr(import_module(homes[name]), name)
        elif name in parts:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(module, name, value)
        return value

    def listed() -> list[str]:
        inner = {name for name in vars(module) if name.startswith("__")}  # others are tools of the package itself
        return sorted({*names, *parts, *inner})

    return load, listed, names


def borrowed(name: str) -> Any:
    """Return a function of a higher room, ``formats.pgn.text.format_pgn``, for a method that users expect lower down.

    A game knows no files, yet ``game.to_pgn()`` is what everybody tries first. Such methods do nothing but call what
    they borrow; ``tests/test_layers.py`` lists all of them.
    """
    module, _, function = f"tabiya.{name}".rpartition(".")
    return getattr(import_module(module), function)
