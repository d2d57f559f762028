"""What is in the bundle of the page: how much, whose, and under which licence."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from tests.chromium import do_without
from tests.conftest import ROOT
from tests.web.browser.conftest import PAGE

LARGEST_BUNDLE = 250_000
"""Bytes of everything that a browser may load, packed, without fonts."""
LARGEST_FONTS = 200_000
"""Fonts are packed already; a browser loads only those whose letters the page shows."""
FREE = {"MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "0BSD"}
FONT = "@fontsource-variable/inter"
BUNDLED = {"@preact/signals", "@preact/signals-core", "cm-chessboard", "preact"}
"""Every package whose code is in the bundle. A new one is a decision: small, free, and worth it."""
TOOLS = FREE | {"Apache-2.0", "MPL-2.0", "BlueOak-1.0.0", "CC0-1.0", "Unlicense", "Python-2.0"}
"""Licences of what builds and tests the page but is not in it."""


@pytest.fixture(autouse=True)
def built() -> None:
    if not PAGE.exists():
        do_without("the page is not built (make web)")


def test_the_bundle_is_small() -> None:
    sizes = {
        path.name: len(gzip.compress(path.read_bytes(), 9))
        for path in PAGE.parent.rglob("*")
        if path.suffix in {".js", ".css", ".html", ".svg", ".pgn"}
    }
    assert sizes
    assert sum(sizes.values()) < LARGEST_BUNDLE, sizes


def test_the_page_brings_its_font() -> None:
    """Inter for the alphabets of the page; nothing else is larger than the code."""
    sizes = {path.name: path.stat().st_size for path in PAGE.parent.rglob("*.woff2")}
    alphabets = ("latin", "latin-ext", "cyrillic", "cyrillic-ext")
    assert sorted(re.sub(r"-wght-normal.*", "", name) for name in sizes) == sorted(
        f"inter-{each}" for each in alphabets
    )
    assert sum(sizes.values()) < LARGEST_FONTS, sizes
    known = {".woff2", ".js", ".css", ".html", ".svg", ".json", ".pgn"}
    assert {path.suffix for path in PAGE.parent.rglob("*") if path.is_file()} <= known


def test_everything_in_the_bundle_is_free() -> None:
    report = json.loads((PAGE.parent / "assets" / "licenses.json").read_text("utf-8"))
    licences = {entry["name"]: entry["identifier"] for entry in report}
    assert licences == dict.fromkeys(BUNDLED, "MIT") | {FONT: "OFL-1.1"}
    granted = {"MIT": "Permission is hereby granted", "OFL-1.1": "SIL OPEN FONT LICENSE Version 1.1"}
    assert all(granted[entry["identifier"]] in entry["text"] for entry in report)


def test_licences_are_those_of_the_lock() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    licences = {name.removeprefix("node_modules/"): entry.get("license") for name, entry in lock.items() if name}
    run_time = {name for name, entry in lock.items() if name and not entry.get("dev") and not entry.get("optional")}
    assert {name.removeprefix("node_modules/") for name in run_time} == BUNDLED | {FONT}
    assert {licences[name] for name in BUNDLED} <= FREE
    assert licences[FONT] == "OFL-1.1"
    assert {name: licence for name, licence in licences.items() if licence not in TOOLS} == {FONT: "OFL-1.1"}


def test_the_pieces_are_our_own() -> None:
    """The sprites that come with cm-chessboard may not be sold: none of their outlines is in the page."""
    script = "".join(path.read_text("utf-8") for path in PAGE.parent.rglob("*.js"))
    kings = {
        "classic": "M18.7 4h2.6v2.5h2.7v2.6h-2.7",
        "modern": "M18.6 3.8h2.8v2.6h2.6v2.8",
        "book": "M19.2 3.6h1.6v2.4h2.5v1.6",
    }
    assert [name for name, outline in kings.items() if outline not in script] == []
    for sprite in (ROOT / "web" / "node_modules" / "cm-chessboard" / "assets" / "pieces").glob("*.svg"):
        for outline in re.findall(r'd="([^"]{40,})"', sprite.read_text("utf-8")):
            assert outline[:40] not in script


def test_the_page_loads_nothing_from_elsewhere() -> None:
    """Addresses in the bundle are names of namespaces and of projects, nothing that a browser would ask for."""
    harmless = re.compile(r"http://www\.w3\.org/|https://github\.com/|https://shaack\.com|http://$")
    for path in PAGE.parent.rglob("*"):
        if path.suffix in {".js", ".css", ".html"}:
            text = path.read_text("utf-8")
            addresses = re.findall(r"https?://[^\s\"'`)\\]*", text)
            assert [address for address in addresses if not harmless.match(address)] == [], path.name
            assert "innerHTML" not in text or path.suffix == ".js"


def test_the_document_runs_nothing_inline() -> None:
    html = PAGE.read_text("utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", html) == []
