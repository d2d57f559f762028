"""The notebook of the documentation runs in a kernel of Jupyter, and shows what it should."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.chromium import expect, require
from tests.conftest import ROOT
from tests.game.test_html import check
from tests.notebook.conftest import Stage

GALLERY = ROOT / "docs" / "examples" / "gallery.ipynb"
WIDGET = "application/vnd.jupyter.widget-view+json"
STATES = "application/vnd.jupyter.widget-state+json"

# The libraries of Jupyter warn about each other.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def executed() -> Any:
    require("anywidget", "ipykernel", "nbclient", "nbformat")
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(GALLERY, as_version=4)
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(GALLERY.parent)}})
    return client.execute()


@pytest.fixture(scope="module")
def outputs(executed: Any) -> dict[str, dict[str, str]]:
    """By name of the cell, what it shows; every cell shows one thing at most."""
    shown = {cell.id: cell.outputs for cell in executed.cells if cell.cell_type == "code"}
    assert all(len(found) <= 1 for found in shown.values())
    return {name: found[0]["data"] for name, found in shown.items() if found}


def test_the_notebook_is_stored_without_outputs() -> None:
    require("nbformat")
    import nbformat

    notebook = nbformat.read(GALLERY, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    assert notebook.metadata.keys() == {"kernelspec", "language_info"}


TABLES = {
    "database": "classics.pgn: Portable Game Notation, 8 records",
    "search": "3 games found in",
    "explorer": "4 games",
    "book": "1 move in the book",
    "tournament": "Club championship",
}


@pytest.mark.parametrize("cell", TABLES)
def test_tables(outputs: dict[str, dict[str, str]], cell: str) -> None:
    assert TABLES[cell] in check(outputs[cell]["text/html"]).text


def test_the_report_and_the_position(outputs: dict[str, dict[str, str]]) -> None:
    assert "accuracy" in check(outputs["report"]["text/html"]).text
    assert outputs["position"]["image/svg+xml"].startswith("<svg")
    assert outputs["node"]["text/plain"].startswith("(<Node 22.Qf6+>")


def model_of(executed: Any, output: dict[str, Any]) -> dict[str, Any]:
    state: dict[str, Any] = executed.metadata.widgets[STATES]["state"][output[WIDGET]["model_id"]]["state"]
    return state


@pytest.mark.parametrize("cell", ["game", "viewer", "evaluated"])
def test_widgets_have_a_static_form(outputs: dict[str, dict[str, str]], cell: str) -> None:
    assert WIDGET in outputs[cell]
    assert "<svg" in outputs[cell]["text/html"]


@pytest.mark.parametrize(("cell", "label"), [("game", "Start"), ("viewer", "22.Qf6+"), ("evaluated", "Start")])
def test_what_the_kernel_sends_is_drawn(
    executed: Any, outputs: dict[str, Any], stage: Callable[..., Stage], cell: str, label: str
) -> None:
    """The script and the state come from the kernel, as a notebook gets them."""
    state = model_of(executed, outputs[cell])
    new = stage(script=state["_esm"])
    new.show(state)
    expect(new.page.locator("#one .status")).to_have_text(label)
    new.page.locator("#one .tabiya-viewer").press("Home")
    assert new.page.locator("#one .board > g").count() == 32
    assert new.page.locator("#one .graph").count() == (cell == "evaluated")
