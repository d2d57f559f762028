"""Updates the type stubs of kernels from their sources: ``python -m scripts.kernel_stubs``.

Functions, methods and parameters, with their types, come from the ``.pyx``. The ``.pyi`` keeps what a ``.pyx`` does not
specify: the members of tuples, lists and dictionaries, properties, constants and the types of untyped parameters.
``tests/test_stubs.py`` compares.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parent.parent / "src"
_DEFINITION = re.compile(
    r"^( *)(cdef class|def) (\w+)(?:\((.*?)\))?(?: -> ([^\n]+?))?:(?: *#.*)?\n", re.DOTALL | re.MULTILINE
)
_PARAMETER = re.compile(r"(?P<type>.*?)\s*\b(?P<name>\w+)(?P<given> not None)?(?:\s*=\s*(?P<default>.+))?", re.DOTALL)
_ARRAY = re.compile(r"(const )?(u?int\d+)_t\[[:1, ]+\]")
_PLAIN = {"bint": "bool", "bytes": "bytes", "double": "float", "int": "int", "long long": "int", "Py_ssize_t": "int"}
_VAGUE = {"", "dict", "list", "np.ndarray", "object", "tuple"}
"""Types that the ``.pyi`` specifies more exactly."""
_IMPORTED = {
    "Any": "from typing import Any",
    "np": "import numpy as np",
    "NDArray": "from numpy.typing import NDArray",
    "Buffer": "from typing_extensions import Buffer",
}
"""Imports of common names, in order."""


class Function(NamedTuple):
    """A function as its source declares it."""

    owner: str
    """Its class, or nothing."""
    name: str
    parameters: list[tuple[str, str, str | None]]
    """Name, type (or nothing) and default."""
    returns: str


def functions_of(source: str) -> Iterator[Function]:
    """Yield the functions and methods that Python can call."""
    owner = ""
    for found in _DEFINITION.finditer(source):
        indent, keyword, name, parameters, returns = found.groups()
        if keyword == "cdef class":
            owner = name
        else:
            parts = [part for part in re.split(r",\s*(?![^\[]*\])", (parameters or "").strip()) if part]
            yield Function(owner if indent else "", name, [_parameter(part) for part in parts], returns or "")


def _parameter(text: str) -> tuple[str, str, str | None]:
    found = _PARAMETER.fullmatch(text.strip())
    assert found is not None, text
    kind = " ".join(found["type"].split())
    stub = type_of(kind)
    optional = stub not in {"", "bool", "float", "int"} and not found["given"]
    return found["name"], f"{stub} | None" if optional else stub, found["default"]


def type_of(kind: str) -> str:
    """Return a type of Cython as one of Python, or nothing if a stub has to specify it."""
    if kind in _VAGUE or kind.endswith("*"):
        return ""
    if array := _ARRAY.fullmatch(kind):
        constant, number = array.groups()
        items = f"NDArray[np.{number}]"
        return f"{items} | Buffer" if constant else items
    return _PLAIN.get(kind) or ("int" if re.fullmatch(r"u?int\d+_t|unsigned .*", kind) else kind)


def updated(stub: str, source: str) -> str:
    """Return a stub that fits the source, in the layout of ``ast.unparse``."""
    tree = ast.parse(stub)
    classes = {statement.name: statement for statement in tree.body if isinstance(statement, ast.ClassDef)}
    for function in functions_of(source):
        body = classes[function.owner].body if function.owner in classes else [] if function.owner else tree.body
        known = next((each for each in body if isinstance(each, ast.FunctionDef) and each.name == function.name), None)
        if known is None and not function.owner and not function.name.startswith("_"):
            known = ast.parse(f"def {function.name}() -> object: ...").body[0]  # type: ignore[assignment]
            body.append(known)  # type: ignore[arg-type]
        if known is not None and not known.decorator_list:
            _update(known, function)
    return ast.unparse(_with_imports(tree))


def _update(known: ast.FunctionDef, function: Function) -> None:
    old = {each.arg: each.annotation for each in [*known.args.posonlyargs, *known.args.args]}
    parameters = []
    for name, kind, default in function.parameters:
        if name == "self":
            parameters.append(name)
            continue
        stated = old.get(name)
        kind = kind or (ast.unparse(stated) if stated is not None else "Any")
        parameters.append(f"{name}: {kind}" + ("" if default is None else f" = {default}"))
    known.args = ast.parse(f"def f({', '.join(parameters)}): ...").body[0].args  # type: ignore[attr-defined]
    if function.returns not in _VAGUE:
        known.returns = ast.parse(function.returns, mode="eval").body


def _with_imports(tree: ast.Module) -> ast.Module:
    """Replace the imports of common names by those that are used."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used -= {statement.name for statement in tree.body if isinstance(statement, ast.ClassDef)}
    kept = [statement for statement in tree.body if not _imports(statement) & _IMPORTED.keys()]
    imports = [line for name, line in _IMPORTED.items() if name in used]
    tree.body = [*ast.parse("\n".join(imports)).body, *kept]
    return tree


def _imports(statement: ast.stmt) -> set[str]:
    aliases = statement.names if isinstance(statement, (ast.Import, ast.ImportFrom)) else []
    return {each.asname or each.name for each in aliases}


def main() -> None:
    """Update all stubs, and format them as ``make format`` does."""
    stubs = sorted(SOURCE.rglob("*_kernel.pyi"))
    for stub in stubs:
        stub.write_text(updated(stub.read_text("utf-8"), stub.with_suffix(".pyx").read_text("utf-8")), "utf-8")
    for command in (["check", "--fix-only"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet", *stubs], check=True)


if __name__ == "__main__":
    main()
