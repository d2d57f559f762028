"""Makes small mistakes in a package, one at a time, and reports those that no test notices.

    make mutants PACKAGE=formats/pgn                 20 mistakes, chosen at random, anywhere in the package
    make mutants PACKAGE=game/filters.py MISTAKES=60 more mistakes in one module
    make mutants PACKAGE=chess SEED=7                another choice
    make mutants PACKAGE=chess NEAR=1                only the tests of the package, which are quick and should suffice

Each mistake is made in a copy of the tree, never in the tree itself. Only the kernel with the mistake is compiled
again, because other kernels use only its declarations, which do not change. Tests run nearest first: those named after
the module, those of its package, then the whole suite. A run ends at the first failure, or after far too long a time.
A mistake that survives either shows a gap in the tests or changes nothing (a cache, a shortcut): read it and decide.

Two libraries for this, cosmic-ray and mutmut, do not fit: neither compiles what it changed; the first never leaves out
a statement and spends most of its mistakes on type hints, the second replaces functions at run time, which kernels do
not allow.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from scripts.mistakes import Mistake, kernel_mistakes, mistakes

ROOT = Path(__file__).parent.parent
SOURCES = Path("src/tabiya")
COPIED = ("src", "tests", "scripts", "docs", "examples", "demo", "fuzz", "bench", "build/cython", "build/temp*")
LIBRARY = sysconfig.get_config_var("EXT_SUFFIX")
"""How the names of compiled modules end."""
SECONDS = 1200
"""The whole suite takes a few minutes: what is not done by then hangs, and a test that hangs is noticed."""

CAUGHT, SURVIVED, BROKEN = "caught", "SURVIVED", "does not compile"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with a mistake."""

    path: Path
    mistake: Mistake

    def __str__(self) -> str:
        return f"{self.path}:{self.mistake.line}"

    def difference(self) -> str:
        """The lines that changed."""
        text = (ROOT / self.path).read_text("utf-8")
        lines = difflib.ndiff(text.splitlines(), self.mistake.made(text).splitlines())
        return "\n".join(f"    {line}" for line in lines if line[0] in "-+")


class Tree:
    """A copy of the sources, with compiled kernels, to make mistakes in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for pattern in COPIED:
            for source in ROOT.glob(pattern):
                shutil.copytree(source, folder / source.relative_to(ROOT), ignore=shutil.ignore_patterns("__pycache__"))
        for source in (path for path in ROOT.iterdir() if path.is_file()):
            shutil.copy2(source, folder)

    def __str__(self) -> str:
        return str(self._folder)

    def passes(self, paths: Iterable[Path], *, near: bool) -> bool:
        """Whether the tests that judge these modules pass as long as nobody makes a mistake."""
        last = {tests for path in paths for tests in list(stages(path, near=near))[-1]}
        return not self._fails(["-n", "auto", *sorted(last)])

    def judge(self, mutant: Mutant, *, near: bool) -> str:
        """Make the mistake, run the tests, take it back."""
        place = self._folder / mutant.path
        text = place.read_text("utf-8")
        library = place.with_name(f"{place.stem}{LIBRARY}")
        compiled = library.read_bytes() if library.exists() else None
        try:
            place.write_text(mutant.mistake.made(text), "utf-8")
            if not self._compiled(place):
                return BROKEN
            return CAUGHT if any(self._fails(tests) for tests in stages(mutant.path, near=near)) else SURVIVED
        finally:
            place.write_text(text, "utf-8")
            if compiled is not None:
                library.write_bytes(compiled)

    def _compiled(self, place: Path) -> bool:
        if place.suffix != ".pyx":
            return True
        kernel = str(place.relative_to(self._folder))
        variables = {"TABIYA_KERNEL": kernel, "TABIYA_UNOPTIMISED": "1", "CYTHON_FORCE_REGEN": "1"}
        return self._run("setup.py", "--quiet", "build_ext", "--inplace", **variables) == 0

    def _fails(self, tests: Sequence[str]) -> bool:
        return self._run("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests) != 0

    def _run(self, *arguments: str, **variables: str) -> int | None:
        """The exit code of Python; None if it took too long."""
        samples = os.environ.get("TABIYA_SAMPLES") or str(ROOT.parent / "shared" / "samples")
        environment = {
            **os.environ,
            **variables,
            "PYTHONPATH": str(self._folder / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",  # two mistakes within a second must not share a .pyc
            "TABIYA_SAMPLES": samples,
        }
        command = [sys.executable, *arguments]
        nowhere = subprocess.DEVNULL
        try:
            done = subprocess.run(
                command,
                cwd=self._folder,
                env=environment,
                timeout=SECONDS,
                check=False,
                stdin=nowhere,
                stdout=nowhere,
                stderr=nowhere,
            )
        except subprocess.TimeoutExpired:
            return None
        return done.returncode


def stages(path: Path, *, near: bool) -> Iterator[list[str]]:
    """The tests to run for a module, nearest first; with ``near`` not those of other packages."""
    stem = path.stem.removesuffix("_kernel")
    named = sorted(str(test.relative_to(ROOT)) for test in (ROOT / "tests").rglob(f"test_{stem}*.py"))
    if named:
        yield named
    package = Path("tests") / path.relative_to(SOURCES).parent
    while not (ROOT / package).is_dir():
        package = package.parent
    yield [str(package)]
    if not near and package != Path("tests"):
        yield ["tests"]


def choose(package: Path, number: int, seed: int) -> list[Mutant]:
    """Some of the mistakes that can be made in a package, the same for the same seed."""
    modules = [package] if package.is_file() else sorted([*package.rglob("*.py"), *package.rglob("*.pyx")])
    mutants = [
        Mutant(module.relative_to(ROOT), mistake)
        for module in modules
        for mistake in (kernel_mistakes if module.suffix == ".pyx" else mistakes)(module.read_text("utf-8"))
    ]
    return random.Random(seed).sample(mutants, min(number, len(mutants)))


def main() -> None:
    """Make mistakes, judge them, and print the result."""
    parser = argparse.ArgumentParser(description="Make small mistakes and report those that no test notices.")
    parser.add_argument("package", help="a folder or module below src/tabiya, such as formats/pgn")
    parser.add_argument("--mistakes", type=int, default=20, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at the same time")
    parser.add_argument("--near", action="store_true", help="run the tests of the package only")
    arguments = parser.parse_args()
    package = ROOT / SOURCES / arguments.package
    if not package.exists():
        sys.exit(f"there is no package {arguments.package} below {SOURCES}")
    mutants = choose(package, arguments.mistakes, arguments.seed)
    trees = [Tree(ROOT / "build" / "mutants" / str(job)) for job in range(arguments.jobs)]
    if not trees[0].passes({mutant.path for mutant in mutants}, near=arguments.near):
        sys.exit(f"the tests fail before any mistake is made: run them in {trees[0]}")
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def judged(mutant: Mutant) -> str:
        tree = free.get()
        try:
            return tree.judge(mutant, near=arguments.near)
        finally:
            free.put(tree)

    survivors = counted = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for mutant, verdict in zip(mutants, pool.map(judged, mutants), strict=True):
            print(f"{verdict:<9} {mutant}", flush=True)
            survivors += verdict == SURVIVED
            counted += verdict != BROKEN
            if verdict == SURVIVED:
                print(mutant.difference(), flush=True)
    caught = counted - survivors
    print(f"{arguments.package}: {caught} of {counted} mistakes were caught", flush=True)


if __name__ == "__main__":
    main()
