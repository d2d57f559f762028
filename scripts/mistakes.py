"""Small mistakes that can be made in a module: the raw material of ``scripts/mutants.py``.

A mistake replaces one piece of the text and leaves the rest as it is, comments included. Type hints, decorators,
docstrings and imports for type checkers are left alone: nothing could notice a mistake there when the program runs.
Python is changed by its syntax tree; kernels, for whose Cython there is no such tree, by their words.
"""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

__all__ = ["Mistake", "kernel_mistakes", "mistakes"]

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
_WORDS = dict(
    [*_COMPARISONS.values(), *_ARITHMETIC.values(), *_CONNECTIVES.values(), ("True", "False"), ("False", "True")]
)
"""What a word of a kernel may be replaced by."""
_DECLARING = ("cdef", "ctypedef", "cimport", "from", "import", "def", "class", "@")
"""How statements begin that declare something, which a compiler would check, not a test."""
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


def kernel_mistakes(text: str) -> list[Mistake]:
    """All mistakes that can be made in the text of a kernel, in its order."""
    starts = [0, *accumulate(map(len, text.splitlines(keepends=True)))]
    found: list[Mistake] = []
    for statement in _statements(text):
        first = statement[0].string
        if first in _DECLARING or statement[0].type == tokenize.STRING or _is_declaration(statement):
            continue
        in_cast = False
        for before, token in pairwise(statement):
            start, end = (starts[line - 1] + column for line, column in (token.start, token.end))
            if token.type == tokenize.NUMBER and token.string.isdecimal():
                found.append(Mistake(token.start[0], start, end, str(int(token.string) + 1)))
            elif token.string == "<" and not _ends_operand(before):
                in_cast = True
            elif in_cast:
                in_cast = token.string != ">"
            elif token.string in _WORDS and (
                token.type == tokenize.NAME or _ends_operand(before)
            ):  # no sign or address
                found.append(Mistake(token.start[0], start, end, _WORDS[token.string]))
        if first in {"continue", "break"} or any(token.string in {"+=", "-=", "|=", "&="} for token in statement):
            start, end = (starts[line - 1] + column for line, column in (statement[0].start, statement[-1].end))
            found.append(Mistake(statement[0].start[0], start, end, "pass"))
    return sorted(found, key=lambda mistake: (mistake.start, mistake.end, mistake.replacement))


def _statements(text: str) -> Iterator[list[tokenize.TokenInfo]]:
    """The words of each statement, without comments."""
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE and statement:
            yield statement
            statement = []
        elif token.type in {tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING}:
            statement.append(token)


def _ends_operand(token: tokenize.TokenInfo) -> bool:
    if token.type == tokenize.NAME:
        return not keyword.iskeyword(token.string) or token.string in {"True", "False", "None"}
    return token.type in {tokenize.NUMBER, tokenize.STRING} or token.string in {")", "]"}


def _is_declaration(statement: list[tokenize.TokenInfo]) -> bool:
    """Whether this is a member of a structure, ``uint8_t flags[4]``."""
    kinds = [token.type for token in statement[:2]]
    return kinds == [tokenize.NAME, tokenize.NAME] and not keyword.iskeyword(statement[0].string)


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
