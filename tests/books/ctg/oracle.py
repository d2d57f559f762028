"""CTG once more, slowly and independently: positions with python-chess, files byte by byte, the lookup of 2007."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import chess

HASH = tuple(
    bytes.fromhex(
        "3100d2bf3118e3de34ab13722807a8471633f5662143b35926d564883b9e6f59377556563089ca7b18e92d850cd0e9d8"
        "1a9e3b543eaa902f0d9bfaae2f32b45b31ed61023d3c8398146660e30f8d4b7602c77a5f146c87991c47f51f249f8f36"
        "247720431fbc1e4d1e86b3fa37df36a616ed30e402c3148e216e59290636b34e317f9f5615f09d70131026fb38c784b1"
        "29ac33052b485dc53c049ddc35a9fbcd31d5373b2b2467990a2923d308a96e9d30031a9f08f525b533611c062409db98"
        "0ca4feb21000b71e30566e3239447d31194e375208233a950f38fe3629c7cd570f7b3a39328e8a161e7d13880fba78f5"
        "274c7e7c1e8be65c2fa0b0bb1eb6c371"
    )[4 * index : 4 * index + 4]
    for index in range(64)
)

BITS = {"P": "110", "N": "10010", "B": "10100", "R": "10110", "Q": "100010", "K": "100000"}


def normalised(board: chess.Board) -> chess.Board:
    """White to move, and mirrored if nobody can castle and White's king is on the left."""
    turned = board.mirror() if board.turn == chess.BLACK else board.copy(stack=False)
    king = turned.king(chess.WHITE)
    assert king is not None
    if not turned.clean_castling_rights() and chess.square_file(king) < 4:
        turned.apply_transform(chess.flip_horizontal)
    return turned


def pack(board: chess.Board, *, pseudo: bool = False) -> bytes:
    """The signature of a position."""
    place = normalised(board)
    bits = ""
    for file in range(8):
        for rank in range(8):
            piece = place.piece_at(chess.square(file, rank))
            text = BITS[piece.symbol().upper()] if piece else "0"
            bits += text[:-1] + "1" if piece and piece.color == chess.BLACK else text
    tail, head = "", 0
    if place.has_pseudo_legal_en_passant() if pseudo else place.has_legal_en_passant():
        assert place.ep_square is not None
        tail, head = f"{chess.square_file(place.ep_square):03b}", 0x20
    rights = place.clean_castling_rights()
    if rights:
        corners = (chess.BB_H8, chess.BB_A8, chess.BB_H1, chess.BB_A1)
        tail, head = tail + "".join("01"[bool(rights & corner)] for corner in corners), head | 0x40
    if not tail:
        bits += "0"
    bits += "0" * (-(len(bits) + len(tail)) % 8) + tail
    data = int(bits, 2).to_bytes(len(bits) // 8)
    return bytes([head | (len(data) + 1)]) + data


def hash_of(signature: bytes) -> int:
    index = value = 0
    for byte in signature:
        for nibble in (byte & 15, byte >> 4):
            index += 61 - 4 * nibble
            value += int.from_bytes(HASH[index & 63])
    return value & 0xFFFFFFFF


class Files(NamedTuple):
    """The three files of a book."""

    ctg: bytes
    ctb: bytes
    cto: bytes

    @classmethod
    def of(cls, path: Path) -> Files:
        return cls(*(path.with_suffix(suffix).read_bytes() for suffix in (".ctg", ".ctb", ".cto")))

    @property
    def page_count(self) -> int:
        return len(self.ctg) // 4096 - 1

    def page(self, number: int) -> bytes:
        return self.ctg[4096 * (number + 1) : 4096 * (number + 2)]

    def records(self, number: int) -> Iterator[bytes]:
        """The records of a page."""
        page = self.page(number)
        count, used = struct.unpack(">HH", page[:4])
        place = 4
        for _ in range(count):
            length = page[place] & 31
            size = length + page[place + length] + 33
            yield page[place : place + size]
            place += size
        assert place == used

    def all_records(self) -> Iterator[tuple[int, bytes]]:
        for number in range(self.page_count):
            for record in self.records(number):
                yield number, record

    @property
    def slots(self) -> tuple[int, ...]:
        (count,) = struct.unpack(">I", self.cto[4:8])
        return struct.unpack(f">{count}i", self.cto[16 : 16 + 4 * count])

    def is_split(self, node: int) -> bool:
        bitmap = self.ctb[12:]
        return node >> 3 < len(bitmap) and bool(bitmap[node >> 3] >> (node & 7) & 1)

    def exact_page(self, signature: bytes) -> int:
        """Follows the tree to the one page."""
        value, mask = hash_of(signature), 0
        while self.is_split((value & mask) + mask):
            mask = 2 * mask + 1
        slots, node = self.slots, (value & mask) + mask
        return slots[node] if node < len(slots) else -1

    def page_of_2007(self, signature: bytes, first_mask: int = 0) -> int | None:
        """The loop over bounds of the text of 2007: tries every node between the bounds until a page has the position.

        ``first_mask`` 1 is how programs of that family do it, which find nothing in a book of one page.
        """
        low, high = struct.unpack(">II", self.ctb[4:12])
        slots, value, mask = self.slots, hash_of(signature), first_mask
        while mask < 0x7FFFFFFF:
            node = (value & mask) + mask
            mask = 2 * mask + 1
            if node < low:
                continue
            if node < len(slots) and slots[node] >= 0 and self.has(slots[node], signature):
                return slots[node]
            if node >= high:
                return None
        return None

    def has(self, page: int, signature: bytes) -> bool:
        return any(record.startswith(signature) for record in self.records(page))

    def leaves(self) -> Iterator[tuple[int, int]]:
        """All leaves of the tree as (mask, bits)."""
        todo = [(0, 0)]
        while todo:
            mask, bits = todo.pop()
            if self.is_split(bits + mask):
                todo += [(2 * mask + 1, bits), (2 * mask + 1, bits | mask + 1)]
            else:
                yield mask, bits
