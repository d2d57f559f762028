"""Training questions: a question, hints, and the moves that count as answers, in several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from tabiya.chess import Square
from tabiya.errors import FormatError
from tabiya.game.annotations.dialects import Dialect
from tabiya.game.annotations.escapes import format_command, quote, unescape
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter, square_number, square_of
from tabiya.game.annotations.value import Value

_CODES: Final = ("En", "De", "Fr", "Es", "It", "Nl", "Pt")
"""The codes of languages in ChessBase's export, in the order of their numbers."""
_HEADER: Final = 3


@dataclass(frozen=True, slots=True)
class TrainingText:
    """A text in a language: 0 English, 1 German, 2 French, 3 Spanish, 4 Italian, 5 Dutch, 6 Portuguese."""

    lang: int
    text: str


_Texts = tuple[TrainingText, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """A move that counts as an answer, its points, and a comment on it."""

    source: Square
    target: Square
    promotion: int = 0
    points: int = 0
    texts: _Texts = ()


@dataclass(frozen=True, slots=True)
class Training(Value):
    """A training question. Its payload counts squares from 0, unlike those of other kinds."""

    kind: ClassVar[int] = 0x09
    plural: ClassVar[str] = "training questions"
    command: ClassVar[str] = "train"
    other_commands: ClassVar = {"tqu": "parse_tqu"}

    seconds: int
    points: int
    questions: _Texts = ()
    hints: tuple[_Texts, _Texts, _Texts] = ((), (), ())
    solutions: tuple[Solution, ...] = ()

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        if reader.take(_HEADER) != b"\x01\x00\x01":
            raise FormatError("a training question of an unknown version")
        reader.expect("<H", reader.size - _HEADER, "the length")
        seconds, points = reader.number("<I"), reader.number("<H")
        questions, first, second, third = (_read_texts(reader) for _ in range(4))
        solutions = tuple(_read_solution(reader) for _ in range(reader.number("B")))
        return cls(seconds, points, questions, (first, second, third), solutions)

    def _write(self, writer: PayloadWriter) -> None:
        body = PayloadWriter(writer.encoding)
        body.number("<I", self.seconds)
        body.number("<H", self.points)
        for texts in (self.questions, *self.hints):
            _write_texts(body, texts)
        body.number("B", len(self.solutions))
        for solution in self.solutions:
            _write_solution(body, solution)
        writer.put(b"\x01\x00\x01")
        writer.number("<H", 2 + len(body.data))
        writer.put(bytes(body.data))

    @classmethod
    def parse_tqu(cls, arguments: str) -> Self:
        """ChessBase's ``"En","question","hint","hint","f6h7","comment",6,"De",…``; it lacks the time."""
        questions: list[TrainingText] = []
        hints: tuple[list[TrainingText], list[TrainingText]] = ([], [])
        answers: dict[tuple[str, int], list[TrainingText]] = {}
        for lang, texts, moves in _languages(list(_members(arguments))):
            for found, text in zip((questions, *hints), texts, strict=True):
                if text:
                    found.append(TrainingText(lang, text))
            for move, comment, points in moves:
                comments = answers.setdefault((move, points), [])
                if comment:
                    comments.append(TrainingText(lang, comment))
        solutions = tuple(
            Solution(Square.parse(move[:2]), Square.parse(move[2:4]), 0, points, tuple(comments))
            for (move, points), comments in answers.items()
        )
        most = max((solution.points for solution in solutions), default=0)
        return cls(0, most, tuple(questions), (tuple(hints[0]), tuple(hints[1]), ()), solutions)

    def format_plain(self, dialect: Dialect) -> list[str]:
        """``[%tqu …]``, for ChessBase: it lacks the third hint, promotions and the time."""
        if dialect is not Dialect.CHESSBASE:
            return []
        lists = [self.questions, *self.hints[:2], *(solution.texts for solution in self.solutions)]
        languages = sorted({text.lang for texts in lists for text in texts}) or [0]
        groups = [self._tqu_group(lang) for lang in languages if lang < len(_CODES)]
        return [format_command("tqu", ",".join(groups))] if groups else []

    def _tqu_group(self, lang: int) -> str:
        texts = [quote(_in_language(found, lang)) for found in (self.questions, *self.hints[:2])]
        moves = [
            f'"{s.source.text}{s.target.text}",{quote(_in_language(s.texts, lang))},{s.points}' for s in self.solutions
        ]
        answers = moves[0] if len(moves) == 1 else "".join(f"({move})" for move in moves)
        return ",".join([quote(_CODES[lang]), *texts, *([answers] if answers else [])])


def _read_texts(reader: PayloadReader) -> _Texts:
    count = reader.number("<H")
    return tuple(
        TrainingText(reader.number("<H"), reader.encoding.decode_name(reader.take(reader.number("<H"))))
        for _ in range(count)
    )


def _write_texts(writer: PayloadWriter, texts: _Texts) -> None:
    writer.number("<H", len(texts))
    for text in texts:
        data = writer.encoding.encode_name(text.text)
        writer.number("<H", text.lang)
        writer.number("<H", len(data))
        writer.put(data)


def _read_solution(reader: PayloadReader) -> Solution:
    squares = [reader.number("B"), reader.number("B")]
    if max(squares) > 63:
        raise FormatError(f"{max(squares)} is not the number of a square")
    source, target = map(square_of, squares)
    return Solution(source, target, reader.number("B"), reader.number("B"), _read_texts(reader))


def _write_solution(writer: PayloadWriter, solution: Solution) -> None:
    writer.number("B", square_number(solution.source))
    writer.number("B", square_number(solution.target))
    writer.number("B", solution.promotion)
    writer.number("B", solution.points)
    _write_texts(writer, solution.texts)


def _in_language(texts: _Texts, lang: int) -> str:
    return next((text.text for text in texts if text.lang == lang), "")


_MEMBER: Final = re.compile(r'[\s,()]*(?:"((?:[^"\\]|\\.)*)"|([0-9]{1,5}))[\s,()]*', re.DOTALL)


def _members(arguments: str) -> Iterator[str | int]:
    """Yield the strings and numbers of a ``%tqu``; parentheses only repeat the grouping by order."""
    place = 0
    while place < len(arguments):
        found = _MEMBER.match(arguments, place)
        if found is None:
            raise FormatError("a training question is a list of texts and numbers")
        yield unescape(found[1]) if found[2] is None else int(found[2])
        place = found.end()


_Group = tuple[int, list[str], list[tuple[str, str, int]]]


def _languages(members: list[str | int]) -> Iterator[_Group]:
    """Yield a group per language: code, three texts, and then a move, a comment and points for each solution."""
    place = 0
    if not members:
        raise FormatError("an empty training question")
    while place < len(members):
        code, *texts = members[place : place + 4]
        place += 4
        if code not in _CODES or len(texts) != 3 or not all(isinstance(text, str) for text in texts):
            raise FormatError("a training question begins with a language, a question and two hints")
        moves = []
        while place < len(members) and members[place] not in _CODES:
            match members[place : place + 3]:
                case [str(move), str(comment), int(points)] if re.fullmatch(r"[a-h][1-8][a-h][1-8]", move):
                    moves.append((move, comment, points))
                case _:
                    raise FormatError("a solution is a move, a comment and points")
            place += 3
        yield _CODES.index(str(code)), [str(text) for text in texts], moves
