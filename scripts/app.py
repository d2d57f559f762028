"""Builds the program for computers without Python: a folder, an archive of it, and SHA256SUMS, in ``dist/app``.

    python -m scripts.app

PyInstaller collects Python, tabiya and the packages that the command line and the page need. Packages that only other
programs or rare commands use stay out (``WITHOUT``), and so do parts of pyarrow that nothing loads (``UNUSED``). The
finished program is started: it must convert a file and know its version. Run by ``make app``.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tabiya

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "dist" / "app"
CONTENTS = "lib"
WITHOUT = (
    "Cython", "IPython", "PIL", "anywidget", "chess", "duckdb", "hypothesis", "matplotlib", "mypy", "pandas",
    "playwright", "polars", "pymysql", "py4j", "pyspark", "pytest", "scipy", "setuptools", "tkinter", "pyarrow.flight",
    "pyarrow.substrait", "pyarrow.tests", "pyarrow._flight", "pyarrow._substrait", "pyarrow._s3fs",
    "pyarrow._gcsfs", "pyarrow._azurefs", "pyarrow._hdfs", "numpy.f2py", "numpy.distutils",
)  # fmt: skip
"""Modules that neither a command nor the page needs.

SQL, Spark, MySQL, notebooks and python-chess are extras of the package.
"""
UNUSED = (
    "pyarrow/include", "pyarrow/src", "pyarrow/tests", "pyarrow/includes", "pyarrow/*.pxd", "pyarrow/*.pxi",
    "pyarrow/*.pyx", "pyarrow/libarrow_flight*", "pyarrow/libarrow_python_flight*", "pyarrow/libarrow_s3*",
    "libarrow_flight*", "libarrow_python_flight*", "libarrow_s3*", "numpy/**/tests", "numpy/_core/include",
    "numpy/_core/lib", "numpy/**/*.pyi", "tabiya/**/*.pyx", "tabiya/**/*.pxd", "tabiya/**/*.c",
)  # fmt: skip
"""Files below the folder of the contents: what else the hooks of PyInstaller collect."""
WITH_SYMBOLS = ("zstandard/*.so",) if sys.platform == "linux" else ()
"""Files whose symbols take most of their size. Others stay as they are: those that auditwheel changed would break."""
COPIED_METADATA = ("tabiya", "numpy", "pyarrow", "rich", "starlette", "typer", "uvicorn", "zstandard")
"""Packages that ``tabiya --version --verbose`` lists."""


def run(*command: str | Path) -> str:
    """Run a command; the end of the script if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    output = done.stdout.decode(errors="replace")
    if done.returncode:
        sys.exit(f"{output}\n{' '.join(map(str, command))} failed")
    return output


def collect(place: Path) -> Path:
    """The folder that PyInstaller makes."""
    options = ["--onedir", "--console", "--noupx", "--noconfirm", "--log-level", "ERROR", "--name", "tabiya"]
    options += ["--contents-directory", CONTENTS, "--paths", str(ROOT / "src")]
    options += ["--distpath", str(TARGET), "--workpath", str(place / "work"), "--specpath", str(place)]
    options += ["--collect-submodules", "tabiya", "--collect-data", "tabiya"]
    options += [part for name in WITHOUT for part in ("--exclude-module", name)]
    options += [part for name in COPIED_METADATA for part in ("--copy-metadata", name)]
    run(sys.executable, "-m", "PyInstaller", *options, ROOT / "scripts" / "app_launcher.py")
    return TARGET / "tabiya"


def remove_unused(contents: Path) -> None:
    """Remove files that nothing loads, and symbols for debuggers."""
    for pattern in UNUSED:
        for path in list(contents.glob(pattern)):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    for path in (found for pattern in WITH_SYMBOLS for found in contents.glob(pattern)):
        run("strip", "--strip-unneeded", path)


def add_licences(folder: Path) -> None:
    """The licence of tabiya, and those of the packages in the folder as their distributions have them."""
    shutil.copy2(ROOT / "LICENSE", folder / "LICENSE")


def try_out(folder: Path, place: Path) -> None:
    """The program converts a file into a library and finds all games in it, away from all sources."""
    program = folder / ("tabiya.exe" if sys.platform == "win32" else "tabiya")
    if (said := run(program, "--version").split()) != ["tabiya", tabiya.__version__]:
        sys.exit(f"the program is {' '.join(said)}, the sources are {tabiya.__version__}")
    library = place / "games.tabiya"
    run(program, "convert", ROOT / "examples" / "classics.pgn", library)
    if "no differences" not in (compared := run(program, "diff", ROOT / "examples" / "classics.pgn", library)):
        sys.exit(compared)


def archive(folder: Path) -> Path:
    """The folder as one file, named after the version, the system and the processor; a ZIP archive on Windows."""
    system = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())
    name = f"tabiya-{tabiya.__version__}-{system}-{platform.machine().lower()}"
    kind = "zip" if sys.platform == "win32" else "gztar"
    return Path(shutil.make_archive(str(TARGET / name), kind, folder.parent, folder.name))


def size(folder: Path) -> float:
    """Megabytes of all files."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()) / 1e6


def main() -> None:
    """Collect, remove, try, pack."""
    shutil.rmtree(TARGET, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = collect(Path(temporary))
        remove_unused(folder / CONTENTS)
        add_licences(folder)
        try_out(folder, Path(temporary))
    packed = archive(folder)
    with packed.open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    (TARGET / "SHA256SUMS").write_text(f"{checksum}  {packed.name}\n", "utf-8")
    print(f"{folder}: {size(folder):.0f} MB, {packed.name}: {packed.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
