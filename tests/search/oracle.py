"""What conditions mean, said a second time: slowly, with python-chess, by looking at every position by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import chess

from tabiya.search import (
    Captured,
    Castled,
    Check,
    Condition,
    Count,
    DoubledPawns,
    ExactPosition,
    GivesCheck,
    Imbalance,
    IsolatedPawns,
    IsolatedQueenPawn,
    Lasting,
    LastPosition,
    Mate,
    Material,
    Moved,
    MovePlayed,
    Never,
    OppositeBishops,
    PassedPawns,
    Pattern,
    PawnFiles,
    Plies,
    Promotion,
    ResultIs,
    Sacrifice,
    Sequence,
    SoFar,
    Stalemate,
    ToMove,
)
from tabiya.search.conditions import ANYTHING, AllOf, AnyOf, Not, Turned
from tests.search.seen import Played, Seen, seen_at, turned

if TYPE_CHECKING:
    from collections.abc import Callable


WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 100}


def holds(condition: Condition, line: list[Seen]) -> list[bool]:
    """At which plies a condition holds."""
    plies = range(len(line))
    match condition:
        case AllOf(parts):
            values = [holds(part, line) for part in parts]
            return [all(value[ply] for value in values) for ply in plies]
        case AnyOf(parts):
            values = [holds(part, line) for part in parts]
            return [any(value[ply] for value in values) for ply in plies]
        case Not(part):
            return [not value for value in holds(part, line)]
        case Turned(part):
            return holds(part, [turned(seen, condition) for seen in line])
        case Lasting(part, count):
            value = holds(part, line)
            return [ply + 1 >= count and all(value[ply + 1 - count : ply + 1]) for ply in plies]
        case SoFar(part):
            value = holds(part, line)
            return [any(value[: ply + 1]) for ply in plies]
        case Never(part):
            value = holds(part, line)
            return [ply == len(line) - 1 and not any(value) for ply in plies]
        case Sequence():
            return _sequence(steps_of(condition, None), line)
        case Castled(color, side):
            moves = [MovePlayed(each, color) for each in ([side] if side else ["O-O", "O-O-O"])]
            value = [any(each) for each in zip(*(holds(move, line) for move in moves), strict=True)]
            return [any(value[:ply]) for ply in plies]
        case LastPosition():
            return [seen.move is None for seen in line]
    if condition == ANYTHING:
        return [True] * len(line)
    return [LEAVES[type(condition)](condition, seen) for seen in line]


def steps_of(
    sequence: Sequence, limit: int | None, turn: tuple[bool, bool] = (False, False)
) -> list[tuple[int | None, Condition]]:
    """The steps, each with its limit; those of sequences inside are among them."""
    found: list[tuple[int | None, Condition]] = []
    for place, step in enumerate(sequence.steps):
        before = limit if place == 0 else sequence.within
        colors, files = turn
        while isinstance(step, Turned):
            colors, files = colors ^ step.colors, files ^ step.files
            step = step.condition
        if isinstance(step, Sequence):
            found += steps_of(step, before, (colors, files))
        else:
            found.append((before, Turned(step, colors=colors, files=files)))
    return found


def _sequence(steps: list[tuple[int | None, Condition]], line: list[Seen]) -> list[bool]:
    """Whether steps can be found at plies that ascend, none too far behind the one before, for each last ply."""
    ends: list[int] = []
    for place, (within, step) in enumerate(steps):
        value = holds(step, line)
        ends = [
            ply
            for ply in range(len(line))
            if value[ply]
            and (place == 0 or any(0 < ply - end <= (len(line) if within is None else within) for end in ends))
        ]
    return [ply in ends for ply in range(len(line))]


def is_white(color: object) -> bool:
    return str(color).lower() in {"white", "w", "0"}


def _exact(condition: ExactPosition, seen: Seen) -> bool:
    text = condition.position
    if "/" not in text:
        board = chess.Board()
        for word in re.sub(r"\d+\.+", " ", text).split():
            board.push_san(word)
        text = board.fen(en_passant="fen")
    fields = text.split()
    requested = chess.Board(" ".join([*fields, *["w", "-", "-", "0", "1"][len(fields) - 1 :]]))
    there = seen_at(requested, None, 0, "*")
    return (
        there.pieces == seen.pieces
        and (len(fields) < 2 or there.white == seen.white)
        and (len(fields) < 3 or not condition.castling or there.rights == seen.rights)
        and (len(fields) < 4 or there.ep == seen.ep)
    )


def _allowed(text: str, piece: str) -> bool:
    """Whether one square of a pattern allows a man, an empty text for none."""
    if text.startswith("[^"):
        return piece != "" and not any(_allowed(letter, piece) for letter in text[2:-1])
    if text.startswith("["):
        return any(_allowed(letter, piece) for letter in text[1:-1])
    if text in "Aa?_":
        return {"A": piece.isupper(), "a": piece.islower(), "?": piece != "", "_": piece == ""}[text]
    return piece == text


def _pattern(condition: Pattern, seen: Seen) -> bool:
    if "/" not in condition.text:
        words = re.findall(r"(\[[^\]]*\]|.)([a-h][1-8])", condition.text)
        return all(_allowed(pieces, seen.pieces.get(square, "")) for pieces, square in words)
    for rank, row in zip("87654321", condition.text.split("/"), strict=True):
        file = 0
        for part in re.findall(r"\[[^\]]*\]|.", row):
            if part.isdigit():
                file += int(part)
            else:
                if not _allowed(part, seen.pieces.get(f"{'abcdefgh'[file]}{rank}", "")):
                    return False
                file += 1
    return True


def _on(squares: str, square: str) -> bool:
    return not squares or any(name in (square, square[0], square[1]) for name in squares.replace(",", " ").split())


def _count(condition: Count, seen: Seen) -> bool:
    found = [
        square
        for square, piece in seen.pieces.items()
        if any(_allowed(letter, piece) for letter in condition.pieces) and _on(condition.on, square)
    ]
    return condition.least <= len(found) <= condition.most


def _letters(seen: Seen) -> str:
    pieces = sorted(seen.pieces.values(), key=lambda piece: "KQRBNP".index(piece.upper()))
    return (
        "".join(piece for piece in pieces if piece.isupper())
        + "".join(piece for piece in pieces if piece.islower()).upper()
    )


def _material(condition: Material, seen: Seen) -> bool:
    """By a regular expression: that is what the signs come from."""
    sides = re.fullmatch(r"(K[^K]*)(K[^K]*)", condition.text.replace("v", "").replace(" ", ""))
    assert sides is not None
    pattern = "".join(
        "".join(sorted(re.findall(r"[A-Z](?:[+*?]|\{[^}]*\})?", side), key=lambda part: "KQRBNP".index(part[0])))
        for side in sides.groups()
    )
    return re.fullmatch(pattern, _letters(seen)) is not None


def _imbalance(condition: Imbalance, seen: Seen) -> bool:
    ours, theirs = condition.text.split("v")
    pieces = "".join(seen.pieces.values())
    return all(pieces.count(p) - pieces.count(p.lower()) == ours.count(p) - theirs.count(p) for p in "QRBNP")


def _opposite(condition: OppositeBishops, seen: Seen) -> bool:
    def shade(piece: str) -> list[int]:
        return [(ord(square[0]) + int(square[1])) % 2 for square, found in seen.pieces.items() if found == piece]

    ours, theirs = shade("B"), shade("b")
    if condition.only and any(piece in "QRNqrn" for piece in seen.pieces.values()):
        return False
    return len(ours) == len(theirs) == 1 and ours != theirs


def _pawns(condition: PassedPawns | IsolatedPawns | DoubledPawns, seen: Seen) -> bool:
    white = is_white(condition.color)
    own = [square for square, piece in seen.pieces.items() if piece == ("P" if white else "p")]
    enemy = [square for square, piece in seen.pieces.items() if piece == ("p" if white else "P")]

    def near(one: str, other: str, distance: int) -> bool:
        return abs(ord(one[0]) - ord(other[0])) <= distance

    def ahead(one: str, other: str) -> bool:
        return other[1] > one[1] if white else other[1] < one[1]

    def is_such(pawn: str) -> bool:
        if isinstance(condition, PassedPawns):
            return not any(near(pawn, other, 1) and ahead(pawn, other) for other in enemy)
        if isinstance(condition, IsolatedPawns):
            return not any(near(pawn, other, 1) and pawn[0] != other[0] for other in own)
        return any(pawn[0] == other[0] and pawn != other for other in own)

    files = condition.files
    if "-" in files:
        files = "abcdefgh"["abcdefgh".index(files[0]) : "abcdefgh".index(files[2]) + 1]
    found = [pawn for pawn in own if is_such(pawn) and (not files or pawn[0] in files)]
    return condition.least <= len(found) <= condition.most


def _queen_pawn(condition: IsolatedQueenPawn, seen: Seen) -> bool:
    pawn = "P" if is_white(condition.color) else "p"
    files = [square[0] for square, piece in seen.pieces.items() if piece == pawn]
    return files.count("d") == 1 and "c" not in files and "e" not in files


def _pawn_files(condition: PawnFiles, seen: Seen) -> bool:
    pawn = "P" if is_white(condition.color) else "p"
    return {square[0] for square, piece in seen.pieces.items() if piece == pawn} == set(condition.files)


def _by(color: object, move: Played | None) -> bool:
    return move is not None and move.piece != "None" and (color is None or move.piece.isupper() == is_white(color))


def _move(condition: MovePlayed, seen: Seen) -> bool:
    move, text = seen.move, condition.move
    if move is None or not _by(condition.color, move):
        return False
    if ("+" in text and not move.check) or ("#" in text and not move.mate):
        return False
    text = text.rstrip("+#!?")
    if text.startswith("O"):
        return move.castling == text
    if found := re.fullmatch(r"([a-h][1-8])([a-h][1-8])([qrbn]?)", text):
        return (move.source, move.target) == found.groups()[:2] and found[3].upper() in ("", move.promotion)
    found = re.fullmatch(r"([KQRBN]?)([a-h]?)([1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?", text)
    assert found is not None
    piece, file, rank, takes, target, promotion = found.groups()
    return (
        not move.castling
        and move.piece.upper() == (piece or "P")
        and move.source.startswith(file)
        and move.source.endswith(rank)
        and (not takes or move.captured != "")
        and move.target == target
        and (promotion is None or move.promotion == promotion)
    )


def _moved(condition: Moved, seen: Seen) -> bool:
    return (
        _by(condition.color, seen.move)
        and seen.move is not None
        and seen.move.piece.upper() in condition.pieces.upper()
    )


def _captured(condition: Captured, seen: Seen) -> bool:
    if seen.move is None or not _by(condition.color, seen.move):
        return False
    if not condition.pieces:
        return not seen.move.captured or seen.move.castling != ""
    return seen.move.castling == "" and seen.move.captured.upper() in list(condition.pieces.upper())


def _promotion(condition: Promotion, seen: Seen) -> bool:
    if seen.move is None or not _by(condition.color, seen.move) or not seen.move.promotion:
        return False
    return not condition.pieces or seen.move.promotion in condition.pieces.upper()


def _sacrifice(condition: Sacrifice, seen: Seen) -> bool:
    move = seen.move
    if move is None or not move.captured or move.castling or move.piece.upper() == "K" or not move.recapture:
        return False
    return WORTH[move.piece.upper()] - WORTH[move.captured.upper()] >= condition.pawns


LEAVES: dict[type[Condition], Callable[..., bool]] = {
    ExactPosition: _exact,
    Pattern: _pattern,
    Count: _count,
    Material: _material,
    Imbalance: _imbalance,
    OppositeBishops: _opposite,
    PassedPawns: _pawns,
    IsolatedPawns: _pawns,
    DoubledPawns: _pawns,
    IsolatedQueenPawn: _queen_pawn,
    PawnFiles: _pawn_files,
    MovePlayed: _move,
    Moved: _moved,
    Captured: _captured,
    Promotion: _promotion,
    Sacrifice: _sacrifice,
    GivesCheck: lambda c, seen: seen.move is not None and (seen.move.mate if c.mate else seen.move.check),
    Check: lambda _, seen: seen.check,
    Mate: lambda _, seen: seen.mate,
    Stalemate: lambda _, seen: seen.stalemate,
    ToMove: lambda c, seen: seen.white == is_white(c.color),
    ResultIs: lambda c, seen: seen.result in c.results,
    Plies: lambda c, seen: c.first <= seen.ply <= c.last,
}
