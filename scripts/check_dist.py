"""Builds an sdist, a wheel from that sdist, looks into both, and installs the wheel in an empty environment.

What ``pip install`` of the sdist does is just that: it builds a wheel and installs it. Compiling all kernels a second
time would prove nothing more.

Run by ``make dist-check``. Needs the ``build`` package and a package index; works in a temporary directory only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = {"tabiya/py.typed", "tabiya/openings/openings.tsv", "tabiya/notebook/viewer.js", "tabiya/notebook/viewer.css"}
PAGE = ROOT / "src" / "tabiya" / "web" / "page"
"""The built web page; it may be missing where npm packages cannot be had (``make web`` says so), else it is shipped."""

WITH_EXTRAS = ("tabiya.web.", "tabiya.mcp", "tabiya.notebook.widget")
"""Modules that need an extra."""

IMPORT_ALL = """
import importlib, pathlib, pkgutil, sys, tabiya
names = [module.name for module in pkgutil.walk_packages(tabiya.__path__, "tabiya.")]
names = [name for name in names if not name.endswith("__main__") and not name.startswith(tuple(sys.argv[1:]))]
modules = [importlib.import_module(name) for name in names]
kernels = [module for module in modules if module.__name__.endswith("_kernel")]
assert kernels and all(pathlib.Path(kernel.__file__).suffix in {".so", ".pyd"} for kernel in kernels), kernels
"""
"""Imports all modules but those whose names begin with the arguments."""


def run(*command: str | Path, cwd: Path) -> None:
    """Run a command; its output is shown if it fails, which ends the script. Kernels are compiled, not optimised."""
    quickly = {**os.environ, "TABIYA_UNOPTIMISED": "1"}
    done = subprocess.run(command, cwd=cwd, env=quickly, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout.decode()}\n{command} failed")


def report(name: str, missing: set[str], unexpected: set[str]) -> None:
    """End the script if an archive is not what it should be."""
    if missing or unexpected:
        sys.exit(f"{name}: missing {sorted(missing)}, unwanted {sorted(unexpected)}")


def page() -> set[str]:
    """Return the files of the web page as they are called in the package."""
    return {path.relative_to(ROOT / "src").as_posix() for path in PAGE.rglob("*") if path.is_file()}


def check_sdist(path: Path) -> None:
    """Every source of the package and of its tests is there, nothing that a build generates."""
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    expected = {
        source.relative_to(ROOT).as_posix()
        for folder, suffixes in (("src", {".py", ".pyi", ".pyx", ".pxd", ".typed"}), ("tests", {".py"}))
        for source in (ROOT / folder).rglob("*")
        if source.suffix in suffixes
    } | {
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "pyproject.toml",
        "setup.py",
        "web/package-lock.json",
        "web/index.html",
    }
    expected |= {f"src/{name}" for name in page()}
    report(path.name, expected - names, {name for name in names if Path(name).suffix in {".c", ".so", ".pyd", ".pyc"}})


def check_wheel(path: Path) -> None:
    """Every kernel is there compiled, every stub, the source of public names, and all data; nothing else.

    Declarations of kernels (``.pxd``) and generated C stay out: no other package relies on inner functions of tabiya.
    """
    names = set(zipfile.ZipFile(path).namelist())
    compiled = {name.partition(".")[0] for name in names if Path(name).suffix in {".so", ".pyd"}}
    source = ROOT / "src"
    kernels = {path.relative_to(source).with_suffix("").as_posix() for path in source.rglob("*_kernel.pyx")}
    modules, stubs = (
        {path.relative_to(source).as_posix() for path in source.rglob(pattern)} for pattern in ("*.py", "*.pyi")
    )
    report(
        path.name,
        (kernels - compiled) | ((modules | stubs | DATA | page()) - names),
        {
            name
            for name in names
            if Path(name).suffix in {".c", ".pyx", ".pxd"}
            or not name.startswith("tabiya")
            or (name.endswith(".py") and name not in modules)
        },
    )


def main() -> None:
    """Build, look, install, import."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        run(sys.executable, "-m", "build", "--outdir", place, ROOT, cwd=place)
        (sdist,) = place.glob("*.tar.gz")
        (wheel,) = place.glob("*.whl")
        check_sdist(sdist)
        check_wheel(wheel)
        venv.create(place / "empty", with_pip=True)
        python = place / "empty" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        install = (python, "-m", "pip", "-qq", "--disable-pip-version-check", "install")
        run(*install, wheel, cwd=place)
        run(python, "-c", IMPORT_ALL, *WITH_EXTRAS, cwd=place)
        run(*install, f"{wheel}[mcp,notebook,web]", cwd=place)
        run(python, "-c", IMPORT_ALL, cwd=place)
    print(f"{sdist.name} and {wheel.name} are fine: built one from the other, complete, installed, imported")


if __name__ == "__main__":
    main()
