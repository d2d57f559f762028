"""Names that are loaded on first use."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_PUBLIC: Final = re.compile(r"^from (\S+) import (\w+) as \2\b|^(\w+):", re.MULTILINE)


def public_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the ``__getattr__``, ``__dir__`` and ``__all__`` of a package, from the stub beside its ``__init__.py``.

    Each public name is written once, where type checkers and editors look for it: ``from tabiya.books.book import Book
    as Book``. Its module is imported when the name is first used. A name that the stub only declares (``FORMATS: …``)
    must already exist. Packages that names are imported from are available too: after ``import tabiya``,
    ``tabiya.formats.FORMATS`` works, as type checkers assume.
    """
    module = sys.modules[package]
    spec: Any = module.__spec__
    stub = f"{spec.origin.rpartition('.')[0]}.pyi"  # the module may be compiled, as in the program of make app
    found = _PUBLIC.findall(spec.loader.get_data(stub).decode())
    homes = {name: home for home, name, _ in found if name}
    names = sorted(name or declared for _, name, declared in found)
    parts = {home.removeprefix(f"{package}.").partition(".")[0] for home in homes.values() if f"{package}." in home}

    def load(name: str) -> Any:
        if homes.get(name) == f"{package}.{name}":
            value = import_module(homes[name])  # a package with the name of its main function is also the function
        elif name in homes:
            value = getattr(import_module(homes[name]), name)
        elif name in parts:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(module, name, value)
        return value

    def listed() -> list[str]:
        inner = {name for name in vars(module) if name.startswith("__")}  # the other names are internal to the package
        return sorted({*names, *parts, *inner})

    return load, listed, names


def borrowed(name: str) -> Any:
    """Return a function of a higher package, ``formats.pgn.text.format_pgn``, for a method of a lower one.

    A game knows nothing of files, but users expect ``game.to_pgn()``. Such methods only call the function that they
    borrow. ``tests/test_layers.py`` lists all of them.
    """
    module, _, function = f"tabiya.{name}".rpartition(".")
    return getattr(import_module(module), function)
