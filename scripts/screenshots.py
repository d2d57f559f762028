"""Takes the pictures that the documentation shows, from the real programs: ``make screenshots``.

Pictures of the page, of a report, of a terminal and of a notebook. Needs chromium, the built page, Stockfish for the
analysed games, and JupyterLab (``pip install jupyterlab``), which is not a part of ``make tools``, for the notebook.
The pictures are WebP, encoded by the browser itself, 100 kB each at most. ``make screenshots ARGS=analyse`` takes only
those whose names begin so.
"""

from __future__ import annotations

import base64
import html
import os
import random
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from threading import Thread
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
CLUB = ("Moreau, Claire", "Lindqvist, Erik", "Okafor, Ada", "Petrenko, Ivan", "Rossi, Marco", "Tanaka, Yui")
"""Players of invented games, for pages that need many."""
OPENINGS = (
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
    "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O",
    "1. d4 d5 2. c4 c6 3. Nf3 Nf6 4. Nc3 e6",
    "1. e4 e6 2. d4 d5 3. Nc3 Nf6 4. Bg5 Be7",
    "1. c4 e5 2. Nc3 Nf6 3. Nf3 Nc6 4. g3 d5",
    "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Bf5",
)
GALLERY = ROOT / "docs" / "examples" / "gallery.ipynb"
LARGEST = 100_000
QUALITY = 0.82
SETTLING_MS = 1_500
PATIENCE_MS = 600_000
"""An engine may have to analyse a game."""

TO_WEBP = """async ([png, quality]) => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


SEARCH_PATH = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games"
"""Debian has Stockfish in the second folder."""


@dataclass(frozen=True)
class Shot:
    """A picture of the page: where in it, what is clicked and pressed there, and on which screen."""

    name: str
    place: str
    clicks: tuple[str, ...] = ()
    """Selectors; each is clicked as soon as it is there."""
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (1440, 900)
    scheme: Literal["light", "dark"] = "light"
    locale: str = "en"
    notation: Literal["auto", "table", "book"] = "auto"


SHOTS = (
    Shot("page", "games/s1/3/19"),
    Shot("page-engine", "games/s1/2/38", clicks=(".engine-game", ".report-better"), keys=("l",)),
    Shot("page-home", "home"),
    Shot("page-player", "players/s4?name=Okafor, Ada"),
    Shot("page-annotate", "games/s1/1/35", keys=("x",), scheme="dark"),
    Shot("page-table", "games/s3/1/7", size=(1280, 800), notation="table"),
    Shot("page-setup", "setup/s1?position=8/8/1KP5/3r4/8/8/8/k7_w_-_-_0_1", size=(1280, 800)),
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


def club_games() -> str:
    """Return the invented games of a club in fifteen years, as PGN; always the same."""
    chance = random.Random(1)
    ratings = {name: 2000 + 70 * place for place, name in enumerate(CLUB)}
    games = []
    for year, (white, black) in product(range(2010, 2025), permutations(CLUB, 2)):
        expected = 1 / (1 + 10 ** ((ratings[black] - ratings[white] - 35) / 400))
        roll = chance.random()
        points = 1.0 if roll < expected - 0.15 else 0.5 if roll < expected + 0.2 else 0.0
        tags = {
            "Event": f"Club championship {year}",
            "Date": f"{year}.{chance.randint(1, 12):02}.{chance.randint(1, 28):02}",
            "White": white,
            "Black": black,
            "WhiteElo": ratings[white],
            "BlackElo": ratings[black],
            "Result": {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[points],
        }
        favourites = (CLUB.index(white) // 2, CLUB.index(black), chance.randrange(len(OPENINGS)))
        moves = OPENINGS[chance.choice(favourites)]
        games.append("".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{moves} {tags['Result']}\n")
        ratings[white] += round(12 * (points - expected))
        ratings[black] -= round(12 * (points - expected))
    return "\n".join(games)


@contextmanager
def server(sources: Sequence[Path]) -> Iterator[str]:
    """Run ``tabiya serve`` and give its address, token included."""
    engine = shutil.which("stockfish", path=SEARCH_PATH)
    if engine is None:
        sys.exit("make screenshots needs stockfish")
    names = (path.relative_to(ROOT) if path.is_relative_to(ROOT) else path for path in sources)  # the page shows them
    command = [sys.executable, "-m", "tabiya", "serve", *map(str, names), "--write", "--engine", engine]
    command += ["--port", "0", "--no-browser", "--no-recent"]
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
        page.add_init_script(f"localStorage.setItem('tabiya.notation', '\"{shot.notation}\"')")
        page.goto(address)
        page.wait_for_selector(".header")
        page.goto(f"{address.partition('?')[0]}#/{shot.place}")
        page.wait_for_selector(".moves .move, .setup, .home-card, .cards .plot, .cards .line-tree")
        for selector in shot.clicks:
            page.click(selector, timeout=PATIENCE_MS)
        for key in shot.keys:
            page.keyboard.press(key)
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
    words = [sys.executable, "-m", "tabiya", *shlex.split(command)[1:]]
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PATH": SEARCH_PATH, "XDG_CACHE_HOME": str(folder)},
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


@contextmanager
def jupyter(folder: Path) -> Iterator[str]:
    """Run JupyterLab in a folder, with its settings there, and give its address, token included."""
    program = shutil.which("jupyter-lab")
    if program is None:
        sys.exit("the picture of a notebook needs JupyterLab: pip install jupyterlab")
    token = secrets.token_hex()
    options = [
        "--no-browser",
        "--allow-root",
        "--port=0",
        f"--IdentityProvider.token={token}",
        f"--notebook-dir={folder}",
    ]
    environment = {**os.environ, "HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([program, *options], stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            found = next((at for line in process.stderr if (at := re.search(r"http://127[.0-9]+:(\d+)/", line))), None)
            if found is None:
                sys.exit("JupyterLab did not start")
            Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop it
            yield f"{found[0]}doc/tree/{GALLERY.name}?token={token}"
        finally:
            process.terminate()


def notebook_shot(browser: Browser, folder: Path) -> bytes:
    """Return a picture of the gallery in JupyterLab: a game in the middle of its moves, and a search."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copy(GALLERY, folder)
    with jupyter(folder) as address, browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=PATIENCE_MS)
        page.add_style_tag(content=".Toastify { display: none }")
        page.get_by_text("| Idle").wait_for(timeout=PATIENCE_MS)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.locator(".tabiya-viewer .graph").wait_for(timeout=PATIENCE_MS)
        page.wait_for_timeout(SETTLING_MS)
        game = page.locator(".tabiya-viewer").last
        game.evaluate("each => each.scrollIntoView({block: 'center'})")
        game.get_by_role("button", name="Qb3", exact=True).click()
        page.mouse.move(0, 0)
        page.wait_for_timeout(SETTLING_MS)
        return page.screenshot()


def packed(browser: Browser, png: bytes) -> bytes:
    """Return a picture as WebP."""
    with browser.new_context() as context:
        page = context.new_page()
        return base64.b64decode(page.evaluate(TO_WEBP, [base64.b64encode(png).decode(), QUALITY]))


def pictures(browser: Browser, wanted: str) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures whose names begin so, as PNG."""
    with tempfile.TemporaryDirectory() as folder:
        club = Path(folder) / "club.pgn"
        club.write_text(club_games(), "utf-8")
        shots = [shot for shot in SHOTS if shot.name.startswith(wanted)]
        yield from page_shots(browser, [*SOURCES, club], shots)
        if "analyse".startswith(wanted):
            yield from analysis_shots(browser, Path(folder))
        if "notebook".startswith(wanted):
            (notebooks := Path(folder) / "notebooks").mkdir()
            yield "notebook", notebook_shot(browser, notebooks)


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
