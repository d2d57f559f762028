"""Takes the pictures of the web page that the documentation shows, from the real page: ``make screenshots``.

Needs chromium and the built page. The pictures are WebP, encoded by the browser itself, 100 kB each at most.
"""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
SOURCES = (
    ROOT / "examples" / "classics.pgn",
    ROOT / "tests" / "data" / "ctg" / "small.ctg",
    ROOT / "tests" / "data" / "web" / "annotated.pgn",
)
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
    """A picture: where in the page, what is pressed there, and on which screen."""

    name: str
    place: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (1440, 900)
    scheme: Literal["light", "dark"] = "light"
    notation: Literal["auto", "table", "book"] = "auto"


SHOTS = (
    Shot("page", "games/s1/3/19"),
    Shot("page-annotate", "games/s1/1/35", keys=("x",), scheme="dark"),
    Shot("page-table", "games/s3/1/7", size=(1280, 800), notation="table"),
    Shot("page-setup", "setup/s1?position=8/8/1KP5/3r4/8/8/8/k7_w_-_-_0_1", size=(1280, 800)),
    Shot("page-search", "search/s1/5/30"),
    Shot("page-phone", "board/s1/3/19", size=(390, 844)),
)


@contextmanager
def server() -> Iterator[str]:
    """Run ``tabiya serve`` and give its address, token included."""
    command = [sys.executable, "-m", "tabiya", "serve", *map(str, SOURCES), "--write", "--port", "0", "--no-browser"]
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
    with browser.new_context(viewport=viewport, color_scheme=shot.scheme) as context:
        page = context.new_page()
        page.add_init_script(f"localStorage.setItem('tabiya.notation', '\"{shot.notation}\"')")
        page.goto(address)
        page.wait_for_selector(".header")
        page.goto(f"{address.partition('?')[0]}#/{shot.place}")
        page.wait_for_selector(".moves .move, .setup")
        for key in shot.keys:
            page.keyboard.press(key)
        page.wait_for_timeout(SETTLING_MS)
        return page.screenshot()


def packed(browser: Browser, png: bytes) -> bytes:
    """Return a picture as WebP."""
    with browser.new_context() as context:
        page = context.new_page()
        return base64.b64decode(page.evaluate(TO_WEBP, [base64.b64encode(png).decode(), QUALITY]))


def main() -> None:
    """Take all pictures; one that is too large ends the script."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("make screenshots needs chromium")
    PICTURES.mkdir(exist_ok=True)
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for shot in SHOTS:
            picture = packed(browser, take(browser, address, shot))
            if len(picture) > LARGEST:
                sys.exit(f"{shot.name} has {len(picture):,} bytes; pictures stay below {LARGEST:,}")
            (PICTURES / f"{shot.name}.webp").write_bytes(picture)
            print(f"docs/pictures/{shot.name}.webp  {len(picture):,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
