"""Small mistakes that can be made in a module: the raw material of ``scripts/mutants.py``.

A mistake replaces one piece of the text and leaves the rest as it is, comments included, so that kernels (Cython in
pure-Python mode) take it like any other module. Type hints, decorators, docstrings and imports for type checkers are
left alone: nothing could notice a mistake there when the program runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

__all__ = ["Mistake", "mistakes"]

_COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
_CONNECTIVES: dict[type[ast.boolop], tuple[str, str]] = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
_REMOVABLE = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One piece of a text, and what stands there instead."""

    line: int
    start: int
    end: int
    replacement: str

    def made(self, text: str) -> str:
        """The text with the mistake in it."""
        return text[: self.start] + self.replacement + text[self.end :]


def mistakes(text: str) -> list[Mistake]:
    """All mistakes that can be made in the text of a module, in its order."""
    source = _Source(text)
    found = (mistake for node in _running_code(ast.parse(text)) for mistake in source.mistakes_at(node))
    return sorted(found, key=lambda mistake: (mistake.start, mistake.end, mistake.replacement))


class _Source:
    """A text, and where the nodes of its syntax tree stand in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        lines = text.splitlines(keepends=True)
        self._lines = [line.encode() for line in lines]
        self._starts = [0, *accumulate(map(len, lines))]

    def mistakes_at(self, node: ast.AST) -> Iterator[Mistake]:
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _COMPARISONS:
                yield from self._swapped(left, right, _COMPARISONS[type(operator)])
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _ARITHMETIC:
                yield from self._swapped(left, right, _ARITHMETIC[type(operator)])
            case ast.BoolOp(op=connective, values=[left, right, *_]):
                yield from self._swapped(left, right, _CONNECTIVES[type(connective)])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self._replaced(node, f"({self._text[slice(*self._place(operand))]})")
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield self._replaced(test, f"(not ({self._text[slice(*self._place(test))]}))")
            case ast.Constant(value=bool(value)):
                yield self._replaced(node, str(not value))
            case ast.Constant(value=int(value)):
                yield self._replaced(node, str(value + 1))
            case ast.Expr(value=ast.Call()) | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield self._replaced(node, "pass")
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield self._replaced(value, "None")
            case _ if isinstance(node, _REMOVABLE):
                yield self._replaced(node, "pass")

    def _place(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends, in characters; the syntax tree counts bytes of a line."""
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1][:column].decode())

    def _replaced(self, node: ast.AST, replacement: str) -> Mistake:
        start, end = self._place(node)
        return Mistake(self._text.count("\n", 0, start) + 1, start, end, replacement)

    def _swapped(self, left: ast.AST, right: ast.AST, words: tuple[str, str]) -> Iterator[Mistake]:
        """Another operator between two operands; brackets and comments may stand there as well."""
        word, other = words
        start, end = self._place(left)[1], self._place(right)[0]
        between = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), self._text[start:end])
        found = re.search(re.sub(r"\\? ", r"\\s+", re.escape(word)), between)
        if found:
            at = start + found.start()
            yield Mistake(self._text.count("\n", 0, at) + 1, at, start + found.end(), other)


def _running_code(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes that do something when the program runs."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Assign(targets=[ast.Name(id="__all__")]):
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                waiting += [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]
            case ast.ClassDef():
                waiting += node.body
            case ast.AnnAssign(value=value):
                waiting += [] if value is None else [value]
            case _:
                waiting += ast.iter_child_nodes(node)
        yield node
