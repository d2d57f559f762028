"""The moves of a quoted game: in ChessBase's encoding, after an optional start position, and as text.

Only quotations use this encoding: two bytes per move, obfuscated by a table, one line without variations, and a final
null move. The start position has the 28 bytes of a game's; see ``cbg_setup_kernel`` of ChessBase's databases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tabiya.chess import Move, Position
from tabiya.errors import FormatError
from tabiya.game.annotations.payload import square_of

START_SIZE: Final = 28

_DECODE: Final = bytes.fromhex(
    """
    816bc397730b7eb8995605d472453e63c8ec49018d47dab587e69450f557c0ebfa425da28eb94a7a1d176de5c2854312
    6c1455d160bc5f0ea01648a64ce7d9e3cfa120ea041bbd23dfff8c22688fbedb2cdc33a75e77f1b0f7abfeee89d0c980
    e41e74a4b2ac4e02d83b4609c1d632a3c4ad58d513c5afb6f659293a7935242e212786d2f061342b5be9657106f3a918
    b7ed9de10dca7507302a1078cb0cb45491e21a8bfd39f24dc73df4a5bf3f9f0092844bfbe840fc0fde53ba7f9a9003d3
    cc44524f3c38938a88955c835a2fb17bf876676ab3c6cd2641256470bbef82086e2de037dd157c1c2866ae7d6f1faa31
    9c19ce6936510a62969b989ed711a8f9
    """
)
"""The number for a byte, before the number of the move is subtracted; ``move_tables`` has that of other games."""
ENCODE: Final = bytes(_DECODE.index(number) for number in range(256))
"""The byte for a number."""
_BRANCHES: Final = 0x8000
_ENDS: Final = 0x4000
_PROMOTIONS: Final = "qrbn"
_PIECES: Final = "?KQNBRP??kqnbrp?"
"""By the four bits after the one that marks a piece."""
_RIGHTS: Final = "QKqk"
_NAMES: Final = [square_of(number).text for number in range(64)]
_NUMBERS: Final = {name: number for number, name in enumerate(_NAMES)}
"""Squares by ChessBase's number, and the inverse."""
_EMPTY: Final = re.compile(r"1+")
_NUMBER: Final = re.compile(r"(?<![0-9])[0-9]+\.+")


def decode_moves(code: bytes, start: str | None) -> tuple[Move, ...]:
    """Return the decoded moves; FormatError if they are illegal or not one line that ends with the code."""
    position = _position(start)
    moves = []
    for place in range(0, len(code), 2):
        word = int.from_bytes(_DECODE[(byte - place // 2) & 255] for byte in code[place : place + 2])
        if word & _BRANCHES or (place + 2 >= len(code)) != bool(word & _ENDS):
            raise FormatError("the moves of a quotation are not one line that ends where they end")
        if word == _ENDS:
            break
        move = position.parse_uci(_uci(word, position))
        position = position.play(move)
        moves.append(move)
    return tuple(moves)


def _uci(word: int, position: Position) -> str:
    if word & 0xFFF == 0:
        return "0000"
    source, target = _NAMES[word & 63], _NAMES[word >> 6 & 63]
    promotes = target[1] in "18" and position.piece_at(square_of(word & 63)) in ("P", "p")
    return f"{source}{target}{_PROMOTIONS[word >> 12 & 3] if promotes else ''}"


def encode_moves(moves: Sequence[Move], start: str | None) -> bytes:
    """Return the encoded moves; FormatError if one of them is illegal."""
    return _encoded(tuple(moves), start)


@lru_cache(maxsize=8)  # a quotation is encoded for writing, and again to verify it
def _encoded(moves: tuple[Move, ...], start: str | None) -> bytes:
    position = _position(start)
    words = []
    for move in moves:
        uci = position.uci(move)  # castling is the king's two steps here, as in the code
        position = position.play(move)
        word = 0
        if not move.is_null:
            word = _NUMBERS[uci[:2]] | _NUMBERS[uci[2:4]] << 6
            word |= _PROMOTIONS.index(uci[4:] or "q") << 12
        words.append(word)
    numbered = enumerate([*words, _ENDS])
    return bytes((ENCODE[byte] + number) & 255 for number, word in numbered for byte in word.to_bytes(2))


def _position(start: str | None) -> Position:
    return Position() if start is None else Position.from_fen(start)


# The start position.


def decode_start(data: bytes) -> str:
    """Return the FEN of a start position; FormatError if the bytes are invalid."""
    bits = "".join(f"{byte:08b}" for byte in data[4:])
    squares = ["1"] * 64
    place = 0
    for number in range(64):
        if bits[place : place + 1] == "1":
            squares[square_of(number)] = _PIECES[int(bits[place + 1 : place + 5] or "0", 2)]
            place += 4
        place += 1
    if data[0] != 1 or place > len(bits):
        raise FormatError("the start position of a quotation cannot be read")
    ranks = "/".join("".join(squares[rank : rank + 8]) for rank in range(56, -1, -8))
    turn, file = data[1] >> 4 & 1, data[1] & 15
    rights = "".join(right for number, right in enumerate(_RIGHTS) if data[2] >> number & 1)
    passed = f"{'abcdefgh'[file - 1]}{3 if turn else 6}" if 1 <= file <= 8 else "-"
    board = _EMPTY.sub(lambda found: str(len(found.group())), ranks)
    return Position.from_fen(f"{board} {'wb'[turn]} {rights or '-'} {passed} 0 {data[3] or 1}").fen()


def encode_start(fen: str) -> bytes:
    """Return the 28 bytes of a start position; FormatError if it cannot be represented."""
    position = Position.from_fen(fen)
    _, _, rights, passed, _, number = position.fen().split()
    bits = ""
    for place in range(64):
        piece = position.piece_at(square_of(place))
        bits += "0" if piece is None else f"1{_PIECES.index(piece):04b}"
    file = 0 if passed == "-" else "abcdefgh".index(passed[0]) + 1
    granted = sum(1 << place for place, right in enumerate(_RIGHTS) if right in rights)
    head = bytes([1, position.turn << 4 | file, granted, min(int(number), 255)])
    data = head + int(bits.ljust(8 * (START_SIZE - 4), "0")[: 8 * (START_SIZE - 4)], 2).to_bytes(START_SIZE - 4)
    if decode_start(data) != position.fen():
        raise FormatError(f"a quotation has no place for all of the start position {fen}")
    return data


# Moves as text.


def format_moves(moves: Sequence[Move]) -> str:
    """Return ``1.e4 e5 2.Nf3``, from the usual start position; FormatError if a move is illegal."""
    position = Position()
    words = []
    for number, move in enumerate(moves):
        words.append(position.san(move) if number % 2 else f"{number // 2 + 1}.{position.san(move)}")
        position = position.play(move)
    return " ".join(words)


def parse_moves(text: str) -> tuple[Move, ...]:
    """Return the moves of ``1.e4 e5 2.Nf3`` from the usual start position; FormatError if one is illegal."""
    position = Position()
    moves = []
    for word in _NUMBER.sub(" ", text).split():
        move = position.parse_san(word)
        position = position.play(move)
        moves.append(move)
    return tuple(moves)
