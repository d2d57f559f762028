"""The fuzz targets keep their contract on their own seeds, so that they do not fall behind the code they call.

The fuzzer itself is not needed here: a module with its two functions stands in for it.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import types
from contextlib import nullcontext
from pathlib import Path

import pytest

FUZZ = Path(__file__).parent.parent / "fuzz"
TARGETS = sorted(path.stem for path in FUZZ.glob("fuzz_*.py"))


@pytest.fixture
def fuzzer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    atheris = types.ModuleType("atheris")
    atheris.instrument_imports = lambda **_: nullcontext()  # type: ignore[attr-defined]
    atheris.Setup = atheris.Fuzz = lambda *_: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "atheris", atheris)
    monkeypatch.syspath_prepend(str(FUZZ))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.mark.parametrize("thorough", [True, False], ids=["thorough", "kernels"])
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.usefixtures("fuzzer")
def test_targets_accept_their_seeds(name: str, thorough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location(name, FUZZ / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    target = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(target)
    monkeypatch.setattr("direct.thoroughly", lambda *_: thorough)
    target.main()
    seeds = sorted((FUZZ / "seeds" / name).iterdir())
    assert seeds, "a target needs something to start from"
    for seed in seeds:
        target.fuzz(seed.read_bytes())
    target.fuzz(b"")
