"""Takes the pictures that the documentation shows, from the real programs: ``make screenshots``.

Pictures of the page, of a report, and of a terminal. Needs chromium, the built page, and Stockfish for the analysed
games. The pictures are WebP, encoded by the browser itself, 100 kB each at most. ``make screenshots ARGS=analyse``
takes only those whose names begin so.
"""

from __future__ import annotations

import base64
import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
SOURCES = (ROOT / "examples" / "classics.pgn", ROOT / "tests" / "data" / "ctg" / "small.ctg")
LARGEST = 100_000
QUALITY = 0.82
SETTLING_MS = 1_500

TO_WEBP = """async ([png, quality]) => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


@dataclass(frozen=True)
class Shot:
    """A picture of the page: where in it, what is pressed there, and on which screen."""

    name: str
    place: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (1440, 900)
    scheme: Literal["light", "dark"] = "light"
    clicks: tuple[str, ...] = ()
    """What is clicked in the end, as selectors of Playwright."""
    locale: str = "en"


SHOTS = (
    Shot("page", "games/s1/3/19"),
    Shot("page-annotate", "games/s1/1/35", keys=("x",), scheme="dark"),
    Shot("page-search", "search/s1/5/30"),
    Shot("page-phone", "board/s1/3/19", size=(390, 844)),
    Shot("page-settings", "games/s1/3/19", size=(1280, 720), scheme="dark", clicks=(".open-settings",)),
    Shot("page-german", "search/s1/5/30", size=(1280, 720), locale="de"),
)
ANALYSED = (Shot("analyse-page", "games/s1/1/36"),)
"""Of the analysed examples."""
ANALYSIS = "tabiya analyse examples/classics.pgn -o analysed.pgn --engine stockfish --depth 12"
REPORT = "tabiya report analysed.pgn --records 3"
"""Commands that run in a folder with the examples."""
TERMINAL = """<style>
    body {{ margin: 0; width: max-content }}
    pre {{ margin: 0; padding: 20px 26px; font: 15px/1.45 "DejaVu Sans Mono", monospace; color: #d6d9de;
        background: #1c1e22 }}
    b {{ color: #8fce73; font-weight: normal }}
</style><pre>{}</pre>"""


@contextmanager
def server(sources: Sequence[Path]) -> Iterator[str]:
    """Run ``tabiya serve`` and give its address, token included."""
    command = [sys.executable, "-m", "tabiya", "serve", *map(str, sources), "--write", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            address = next(
                (found for line in process.stdout if (found := re.search(r"http://\S+token=\S+", line))), None
            )
            if address is None:
                sys.exit("tabiya serve did not start")
            yield address[0]
        finally:
            process.terminate()


def take(browser: Browser, address: str, shot: Shot) -> bytes:
    """Return a picture as PNG."""
    viewport: ViewportSize = {"width": shot.size[0], "height": shot.size[1]}
    with browser.new_context(viewport=viewport, color_scheme=shot.scheme, locale=shot.locale) as context:
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(".header")
        page.goto(f"{address.partition('?')[0]}#/{shot.place}")
        page.wait_for_selector(".moves .move")
        for key in shot.keys:
            page.keyboard.press(key)
        for place in shot.clicks:
            page.click(place)
        page.wait_for_timeout(SETTLING_MS)
        return page.screenshot()


def page_shots(browser: Browser, sources: Sequence[Path], shots: Sequence[Shot]) -> Iterator[tuple[str, bytes]]:
    """Yield the names of pictures of the page, and these as PNG."""
    if shots:
        with server(sources) as address:
            for shot in shots:
                yield shot.name, take(browser, address, shot)


def output_of(command: str, folder: Path) -> str:
    """Return what a command of tabiya prints in a folder."""
    path = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games"  # where Debian has Stockfish
    words = [sys.executable, "-m", "tabiya", *shlex.split(command)[1:]]
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PATH": path, "XDG_CACHE_HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return done.stdout


def drawn(browser: Browser, page_text: str, *, width: int, height: int) -> bytes:
    """Return a page of text as PNG: its beginning, two pixels for each."""
    with browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=2) as context:
        page = context.new_page()
        page.set_content(page_text)
        return page.locator("pre").screenshot() if page.locator("pre").count() else page.screenshot()


def analysis_shots(browser: Browser, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield pictures of an analysis: in a terminal, as a report, and on the page."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    lines = [f"<b>$ {command}</b>\n{html.escape(output_of(command, folder))}" for command in (ANALYSIS, REPORT)]
    yield "analyse-terminal", drawn(browser, TERMINAL.format("\n".join(lines).rstrip()), width=1000, height=800)
    report = output_of("tabiya report analysed.pgn --records 1 --html", folder)
    yield "analyse-report", drawn(browser, report, width=800, height=760)
    yield from page_shots(browser, [folder / "analysed.pgn"], ANALYSED)


def packed(browser: Browser, png: bytes) -> bytes:
    """Return a picture as WebP."""
    with browser.new_context() as context:
        page = context.new_page()
        return base64.b64decode(page.evaluate(TO_WEBP, [base64.b64encode(png).decode(), QUALITY]))


def pictures(browser: Browser, wanted: str) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures whose names begin so, as PNG."""
    yield from page_shots(browser, SOURCES, [shot for shot in SHOTS if shot.name.startswith(wanted)])
    if "analyse".startswith(wanted):
        with tempfile.TemporaryDirectory() as folder:
            yield from analysis_shots(browser, Path(folder))


def main() -> None:
    """Take the pictures; one that is too large ends the script."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("make screenshots needs chromium")
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, png in pictures(browser, (sys.argv[1:] or [""])[0]):
            picture = packed(browser, png)
            if len(picture) > LARGEST:
                sys.exit(f"{name} has {len(picture):,} bytes; pictures stay below {LARGEST:,}")
            (PICTURES / f"{name}.webp").write_bytes(picture)
            print(f"docs/pictures/{name}.webp  {len(picture):,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
