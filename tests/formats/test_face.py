"""The public face: everything is there, and nothing is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tabiya
import tabiya.formats


@pytest.mark.parametrize("module", [tabiya, tabiya.formats])
def test_all_names_exist(module: object) -> None:
    for name in module.__all__:  # type: ignore[attr-defined]
        assert getattr(module, name) is not None


@pytest.mark.parametrize("module", [tabiya, tabiya.formats])
def test_other_names_do_not(module: object) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'checkmate'"):
        module.checkmate  # type: ignore[attr-defined]  # noqa: B018


def test_dir_shows_everything() -> None:
    assert set(vars(tabiya)["__all__"]) <= set(dir(tabiya))


def test_the_functions_are_not_hidden_by_modules() -> None:
    for name in ("open", "create", "convert"):
        assert callable(getattr(tabiya.formats, name))
        assert getattr(tabiya, name) is getattr(tabiya.formats, name)


@pytest.mark.parametrize("statement", ["import tabiya", "import tabiya.formats; tabiya.formats.FORMATS"])
def test_importing_is_cheap(statement: str) -> None:
    program = f"{statement}\nimport sys\nprint(*({{'pyarrow', 'numpy', 'chess'}} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
