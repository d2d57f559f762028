"""A public name is written once, in the stub of its package, and works for everybody who asks for it."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tabiya

SOURCE = Path(__file__).parent.parent / "src"
PACKAGES = sorted(".".join(path.parent.relative_to(SOURCE).parts) for path in SOURCE.rglob("__init__.pyi"))


@pytest.mark.parametrize("package", PACKAGES)
def test_what_the_stub_promises_is_there(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__file__ is not None
    stub = Path(f"{module.__file__}i").read_text("utf-8")
    promised = re.findall(r"^from \S+ import \w+ as (\w+)|^(\w+):", stub, re.MULTILINE)
    assert vars(module)["__all__"] == sorted(alias or declared for alias, declared in promised)
    for name in vars(module)["__all__"]:
        assert getattr(module, name) is not None
        assert name in dir(module)
    assert len(stub.splitlines()) <= len(promised) + 5, "a name is written once"
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'checkmate'"):
        module.checkmate  # noqa: B018


@pytest.mark.parametrize("name", ["books.Book", "chess.Position", "errors.FormatError", "formats.FORMATS", "game.Game"])
def test_rooms_are_there_without_being_imported(name: str) -> None:
    """As type checkers say; in a process of its own, because other tests have imported them."""
    code = f"import tabiya; tabiya.{name}; assert 'formats' in dir(tabiya)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_completion_offers_nothing_else() -> None:
    offered = {name for name in dir(tabiya) if not name.startswith("__")}
    rooms = {
        "analysis",
        "books",
        "chess",
        "errors",
        "evaluations",
        "formats",
        "game",
        "maintenance",
        "mcp",
        "notebook",
        "search",
        "tables",
        "web",
    }
    assert offered == {*vars(tabiya)["__all__"], *rooms} - {"__version__"}


def test_all_names_at_once() -> None:
    names: dict[str, object] = {}
    exec("from tabiya import *", names)
    assert names.keys() >= set(vars(tabiya)["__all__"])
    assert names["open"] is tabiya.open
