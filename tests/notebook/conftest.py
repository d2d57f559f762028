"""The widget in a real browser, with a model that notes what is saved to Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

NOTEBOOK = ROOT / "src" / "tabiya" / "notebook"
PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>{css}</style>
<body style="margin: 0; font: 14px sans-serif; {look}"><div id="one"></div><div id="two"></div></body>"""
MODEL = """([state, place]) => {
    const heard = [];
    const model = {
        saved: [],
        get: (name) => state[name],
        set(name, value) {
            state[name] = value;
            heard.filter(([event]) => event === `change:${name}`).forEach(([, changed]) => changed());
        },
        save_changes() { this.saved.push({current: state.current, flipped: state.flipped}); },
        on: (event, changed) => heard.push([event, changed]),
        off(event, changed) {
            heard.splice(heard.findIndex((each) => each[0] === event && each[1] === changed), 1);
        },
        heard,
    };
    (window.models ??= {})[place] = model;
    model.end = window.widget.render({model, el: document.getElementById(place)});
}"""
LOOKS = {"light": "color: #222; background: #fff", "dark": "color: #ddd; background: #111"}


@dataclass
class Stage:
    """A page with widgets on it."""

    page: Page
    faults: list[str] = field(default_factory=list)

    def refuse(self, dialog: Dialog) -> None:
        self.faults.append(dialog.message)
        dialog.dismiss()

    def show(self, state: dict[str, Any], place: str = "one") -> None:
        self.page.evaluate(MODEL, [state, place])

    def saved(self, place: str = "one") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate(f"models.{place}.saved")
        return found


@pytest.fixture
def stage(chromium_browser: Browser) -> Iterator[Callable[..., Stage]]:
    """A new page; errors and requests to anywhere fail the test."""
    context = chromium_browser.new_context(viewport={"width": 1000, "height": 700})
    opened: list[Stage] = []

    def new(look: str = "light", script: str = "") -> Stage:
        page = context.new_page()
        stage = Stage(page)
        page.on("pageerror", lambda error: stage.faults.append(str(error)))
        page.on("dialog", stage.refuse)
        page.on("request", lambda request: stage.faults.append(request.url))
        page.set_content(PAGE.format(css=(NOTEBOOK / "viewer.css").read_text("utf-8"), look=LOOKS[look]))
        script = script or (NOTEBOOK / "viewer.js").read_text("utf-8")
        page.add_script_tag(content=script.replace("export default", "window.widget ="))
        opened.append(stage)
        return stage

    yield new
    faults = [fault for stage in opened for fault in stage.faults]
    context.close()
    assert faults == []


def state_of(viewer: Any) -> dict[str, Any]:
    """What the page gets of a widget."""
    names = ("current", "flipped", "size", "_facts", "_drawing")
    state: dict[str, Any] = json.loads(json.dumps({name: getattr(viewer, name) for name in names}))
    return state
