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
    …``) is there already.
    """
    module = sys.modules[package]
    spec: Any = module.__spec__
    found = _PUBLIC.findall(spec.loader.get_data(f"{spec.origin}i").decode())
    homes = {name: home for home, name, _ in found if name}
    names = sorted(name or declared for _, name, declared in found)

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(module, name, value)
        return value

    return load, lambda: sorted({*vars(module), *names}), names


def borrowed(name: str) -> Any:
    """Return a function of a higher room, ``formats.pgn.text.format_pgn``, for a method that users expect lower down.

    A game knows no files, yet ``game.to_pgn()`` is what everybody tries first. Such methods do nothing but call what
    they borrow; ``tests/test_layers.py`` lists all of them.
    """
    module, _, function = f"tabiya.{name}".rpartition(".")
    return getattr(import_module(module), function)
