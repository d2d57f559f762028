"""What benchmarks keep from run to run: a folder that ``TABIYA_BENCH`` names, and programs that are built into it."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from measure import ROOT

_FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-fno-strict-overflow", "-Wno-unused-function"]


@cache
def cache_folder() -> Path:
    """The folder of ``TABIYA_BENCH``, else one below the system's folder for such things; never in the repository."""
    if named := os.environ.get("TABIYA_BENCH"):
        folder = Path(named)
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches" / "tabiya-bench"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "tabiya-bench"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tabiya-bench"
    folder = folder.resolve()
    if folder.is_relative_to(ROOT.resolve()):
        raise SystemExit(f"TABIYA_BENCH is {folder}, which lies in the repository; name a folder outside of it")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def build_kernel(name: str) -> None:
    """Compile a kernel of this folder into the cache, if it has changed, and make it importable."""
    from Cython.Build import cythonize  # noqa: PLC0415 - slow, and only for those who need it
    from setuptools import Distribution, Extension  # type: ignore[import-untyped]  # noqa: PLC0415

    source, folder = ROOT / "bench" / f"{name}.pyx", cache_folder() / "kernels"
    built = [path for path in folder.glob(f"{name}.*") if path.stat().st_mtime > source.stat().st_mtime]
    if not built:
        directives = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}
        extensions = cythonize(  # type: ignore[no-untyped-call]
            [Extension(name, [str(source)], extra_compile_args=_FLAGS)],
            include_path=[str(ROOT / "src")],
            build_dir=str(folder / "c"),
            compiler_directives=directives | {"initializedcheck": False, "infer_types": True},
            force=True,
            quiet=True,
        )
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(folder), str(folder / "objects")
        command.ensure_finalized()
        command.run()
    if sys.path[0] != str(folder):
        sys.path.insert(0, str(folder))  # before the uncompiled one beside this file
