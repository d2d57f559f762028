"""Builds the compiled core; everything else about the package is in pyproject.toml.

Every ``*_kernel.pyx`` under ``src/`` is compiled by Cython. The environment variable
``TABIYA_SANITIZE=1`` builds the kernels for coverage-guided fuzzing (clang and its sanitizers);
``TABIYA_UNOPTIMISED=1`` builds them quickly and slow, for checks of the packaging; ``TABIYA_KERNEL=src/…_kernel.pyx``
builds only this one, and ``TABIYA_KERNEL=none`` none, where all are built already.
"""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path("src")
SANITIZE = os.environ.get("TABIYA_SANITIZE") == "1"
UNOPTIMISED = os.environ.get("TABIYA_UNOPTIMISED") == "1"
ONLY = os.environ.get("TABIYA_KERNEL")
SHARED = "tabiya._cython_helpers"
"""Cython's own helper functions, compiled once for all kernels: that takes a third of the time of a copy in each."""
TRANSLATIONS = "build/cython"
CORES = os.cpu_count() or 1

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,  # kernels check every bound themselves, on raw buffers
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "infer_types": True,  # loop variables of kernels are C integers without a word about it
    "embedsignature": True,
    "freethreading_compatible": True,
    "emit_code_comments": False,  # with them, the C of a kernel would change with every line of a .pxd
}


def compiler_flags() -> tuple[list[str], list[str]]:
    """Compile and link arguments for this platform."""
    if sys.platform == "win32":
        return ["/O2"], []
    if SANITIZE:
        # Functions of Cython are called through pointers of other types; overflow wraps, as in every build.
        sanitizers = ["-fsanitize=address,undefined,fuzzer-no-link", "-fno-sanitize=function"]
        return ["-O1", "-g", "-fno-omit-frame-pointer", "-fwrapv", *sanitizers], sanitizers
    if UNOPTIMISED:
        return ["-O0", "-g0", "-Wno-unused-function"], []
    # Most builds of Python ask for debugging symbols, which take as long to make as a part of the code.
    return ["-O3", "-g0", "-fno-strict-overflow", "-Wno-unused-function"], []


def kernels() -> list[Extension]:
    """One extension per kernel, named after its place in the package, and the one with their helper functions."""
    compile_args, link_args = compiler_flags()
    paths = [Path(ONLY)] if ONLY else sorted(SOURCE.rglob("*_kernel.pyx"))
    modules = {".".join(path.with_suffix("").relative_to(SOURCE).parts): [path.as_posix()] for path in paths}
    return [
        Extension(name, sources, extra_compile_args=compile_args, extra_link_args=link_args)
        for name, sources in ({SHARED: []} | modules).items()
    ]


class BuildKernels(build_ext):
    """Translates kernels to C when they are built; other commands of setup.py, such as sdist, do not need that."""

    former: dict[str, tuple[float, bytes]]
    """The C of kernels before they are translated, with its time."""

    def run(self) -> None:
        """Translate what changed, then compile it."""
        self.former = {
            path.as_posix(): (path.stat().st_mtime, path.read_bytes()) for path in Path(TRANSLATIONS).rglob("*.c")
        }
        translated = cythonize(
            self.extensions,
            include_path=[SOURCE.as_posix()],
            build_dir=TRANSLATIONS,
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
            nthreads=CORES if sys.platform == "linux" else 0,  # elsewhere every process would run this file again
        )
        sources = {
            extension.name: [Path(source).as_posix() for source in extension.sources] for extension in translated
        }
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        super().run()

    def build_extension(self, ext: Extension) -> None:
        """Compile a kernel, but not the same C again: a change in a ``.pxd`` concerns few of those that cimport it."""
        library = Path(self.get_ext_fullpath(ext.name))
        (source,) = ext.sources
        time, text = self.former.get(source, (math.inf, b""))
        if library.exists() and library.stat().st_mtime >= time and Path(source).read_bytes() == text:
            library.touch()
        super().build_extension(ext)


setup(
    ext_modules=[] if ONLY == "none" else kernels(),
    cmdclass={"build_ext": BuildKernels},
    options={"build_ext": {"parallel": CORES}},
)
