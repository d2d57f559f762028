"""The ``.pyi`` of a kernel says what the compiled module offers to Python; a kernel that offers nothing has none."""

from __future__ import annotations

import ast
import importlib
import inspect
from inspect import Parameter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scripts.kernel_stubs import updated

SOURCE = Path(__file__).parent.parent / "src"
KERNELS = sorted(".".join(path.with_suffix("").relative_to(SOURCE).parts) for path in SOURCE.rglob("*.pyx"))

FUNCTIONS = {"function", "cython_function_or_method"}
ATTRIBUTES = {"property", "getset_descriptor", "member_descriptor"}
WRAPPERS = {"staticmethod", "classmethod"}

DECLARATIONS = (ast.FunctionDef, ast.ClassDef, ast.AnnAssign)

Taken = tuple[str, int, bool]
"""A parameter: its name, its kind (as in :mod:`inspect`), whether it has a default."""


def promised_parameters(function: ast.FunctionDef) -> list[Taken]:
    """What a function takes by its stub."""
    given = function.args
    positional: list[tuple[ast.arg, int]] = [(argument, Parameter.POSITIONAL_ONLY) for argument in given.posonlyargs]
    positional += [(argument, Parameter.POSITIONAL_OR_KEYWORD) for argument in given.args]
    required = len(positional) - len(given.defaults)
    found: list[Taken] = [
        (argument.arg, kind, number >= required) for number, (argument, kind) in enumerate(positional)
    ]
    if given.vararg:
        found.append((given.vararg.arg, Parameter.VAR_POSITIONAL, False))
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append((argument.arg, Parameter.KEYWORD_ONLY, default is not None))
    if given.kwarg:
        found.append((given.kwarg.arg, Parameter.VAR_KEYWORD, False))
    return found


def real_parameters(function: Any) -> list[Taken]:
    """What a compiled function takes."""
    parameters = inspect.signature(function).parameters.values()
    return [(given.name, given.kind, given.default is not Parameter.empty) for given in parameters]


def promised_sort(statement: ast.FunctionDef) -> str:
    """``property``, ``staticmethod``, ``classmethod`` or ``function``, by the decorators in the stub."""
    names = {ast.unparse(decorator) for decorator in statement.decorator_list}
    return next((name for name in ("property", *WRAPPERS) if name in names), "function")


def real_sort(value: object) -> str:
    """The same of a value in a compiled module or class; its type for anything else."""
    name = type(value).__name__
    return "function" if name in FUNCTIONS else "property" if name in ATTRIBUTES else name


def function_differences(value: Any, statement: ast.FunctionDef, where: str) -> list[str]:
    """How a function or property deviates from its stub."""
    if statement.name.startswith("__"):
        return []  # a slot of the type: it is there, and its signature is Python's
    sort = promised_sort(statement)
    if real_sort(value) != sort:
        return [f"{where} is a {real_sort(value)}, not a {sort}"]
    if sort == "property":
        return []
    real = real_parameters(value.__func__ if sort in WRAPPERS else value)
    promised = promised_parameters(statement)
    return [] if real == promised else [f"{where} takes {real}, not {promised}"]


def differences(owner: Any, stub: list[ast.stmt], where: str) -> list[str]:
    """How a module or class deviates from the body of its stub."""
    found = []
    promised = set()
    for statement in stub:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                promised.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                promised.add(name)
            case _:
                continue
        if not hasattr(owner, name):
            found.append(f"{where}.{name} is in the stub only")
        elif isinstance(statement, ast.ClassDef):
            found += differences(getattr(owner, name), statement.body, f"{where}.{name}")
        elif isinstance(statement, ast.FunctionDef):
            found += function_differences(inspect.getattr_static(owner, name), statement, f"{where}.{name}")
    return found + [f"{where}.{name} is not in the stub" for name in offered(owner) if name not in promised]


def offered(owner: Any) -> list[str]:
    """Public functions, classes and properties of a module or class; its constants may stay its own affair."""
    return [
        name
        for name, value in vars(owner).items()
        if not name.startswith("_")
        and (isinstance(value, type) or real_sort(value) in {"function", "property", *WRAPPERS})
        and not (isinstance(owner, ModuleType) and value.__module__ != owner.__name__)
    ]


@pytest.mark.parametrize("name", KERNELS)
def test_stub_matches_compiled_module(name: str) -> None:
    stub = (SOURCE / name.replace(".", "/")).with_suffix(".pyi")
    module = importlib.import_module(name)
    assert Path(inspect.getfile(module)).suffix in {".so", ".pyd"}, "the kernel is not compiled: run make build"
    body = ast.parse(stub.read_text("utf-8")).body if stub.exists() else []
    assert differences(module, body, name) == []
    assert stub.exists() == any(isinstance(statement, DECLARATIONS) for statement in body)


@pytest.mark.parametrize("stub", sorted(SOURCE.rglob("*_kernel.pyi")), ids=lambda path: path.stem)
def test_stub_is_up_to_date(stub: Path) -> None:
    """``python -m scripts.kernel_stubs`` updates it."""
    text = stub.read_text("utf-8")
    made = updated(text, stub.with_suffix(".pyx").read_text("utf-8"))
    assert ast.unparse(ast.parse(made)) == ast.unparse(ast.parse(text))


def test_a_stub_takes_types_from_its_source() -> None:
    source = """
def take(const uint8_t[::1] text not None, int64_t[:, ::1] out, bint plain, bytes name not None, table,
         Py_ssize_t most=3) -> tuple:
    pass

cdef class Lines:
    def __init__(self, BatchView batch not None, list rows):
        pass

    def size(self) -> int:
        return 0
"""
    stub = """
from typing import Any
def take() -> tuple[int, bytes]: ...
class Lines:
    def __init__(self, rows: list[int]) -> None: ...
    def size(self) -> str: ...
"""
    assert updated(stub, source) == (
        "from typing import Any\nimport numpy as np\nfrom numpy.typing import NDArray\n"
        "from typing_extensions import Buffer\n\n"
        "def take(text: NDArray[np.uint8] | Buffer, out: NDArray[np.int64] | None, plain: bool, name: bytes, "
        "table: Any, most: int=3) -> tuple[int, bytes]:\n    ...\n\n"
        "class Lines:\n\n    def __init__(self, batch: BatchView, rows: list[int]) -> None:\n        ...\n\n"
        "    def size(self) -> int:\n        ..."
    )


EXAMPLE = """
LIMIT = 3
def take(a, /, b=1, *rest, c=None, **more): ...
class Reader:
    def __len__(self): return 0
    def read(self, size): ...
    @staticmethod
    def load(path): ...
    @property
    def size(self): return 0
"""


@pytest.mark.parametrize(
    ("stub", "count"),
    [
        (EXAMPLE, 0),
        (EXAMPLE.replace("LIMIT = 3", "LIMIT: int"), 0),
        (EXAMPLE.replace("LIMIT = 3", ""), 0),
        (EXAMPLE.replace("LIMIT", "BOUND"), 1),
        (EXAMPLE.replace("b=1", "b"), 1),
        (EXAMPLE.replace("*rest", "*"), 1),
        (EXAMPLE.replace("/, ", ""), 1),
        (EXAMPLE.replace("size)", "length)"), 1),
        (EXAMPLE.replace("def take", "def give"), 2),
        (EXAMPLE.replace("def read", "def fetch"), 2),
        (EXAMPLE.replace("def size", "def length"), 2),
        (EXAMPLE.replace("@property", ""), 1),
        (EXAMPLE.replace("@staticmethod", "@classmethod"), 1),
        ("", 2),
    ],
)
def test_the_check_sees_differences(stub: str, count: int) -> None:
    module = ModuleType("example")
    exec(EXAMPLE, vars(module))
    assert len(differences(module, ast.parse(stub).body, "example")) == count
