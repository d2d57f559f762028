"""A plain decoder of ChessBase bases, written from the description of the format; it shares no code with tabiya.

It goes record by record and complains with ``AssertionError`` about everything that is not as it should be. Moves are
decoded in modes 0 and 10, the ones that tabiya writes, on a board that knows nothing of legality.
"""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The tables that turn bytes of a blob back into opcodes.
DECODE_0 = bytes.fromhex(
    "a29543f5c13d4a6c5383cc7cffae68add1928b8d35815e74268eabcafd9af3a0a515fcb11eed30ea22eba7cd4e6f2e243294418c6e588250bb028ad8fa60de52"
    "ba46ac299dd7df08210166a3f11927b591d5420eb44cd9185fbc25a69604566aaa331c2b73f0dda437d3c510bf5a2334755bb855d26b093a5712b37748859b0f"
    "9ec7c8a17f7ac0bd316df63ec31171ce7ddaa85490971f444016c9e32ccb84ec9f3f5ce6760b3c20b73600dce7f94ff7af0607e01a0aa94b0cd66387891d131b"
    "e4700547677b2feee2e8980defcfc4f4fbb0179964f2d42a034d78c6fe65868879453be5498f2db9be629314e9d0389cb2c2595db67251f8287e6139e1db6980"
)
DECODE_10 = bytes.fromhex(
    "385064cc9f566f734d4166a2c6b99647eecfb16d484f442015be82093499eb1a337cab59002224b0b4fa85dd57f3d9d28a8d70b56e43a70b2708eab3941c631b"
    "2bc50cd43f37e8dea623ef06fd3ec14032df2dc8d00ff1e27a95ec3cca4911e025d830fe2ebadcaa534cd15e678b0d9ea9bf057835c4b6a44bd60452a8762cbd"
    "ae39b2e30381179a3d68c06592c9f77716fff5e11e36bb868ef99dd56bf474802f7b149729e54a02935ccba15879f85f26288f7ea5edd389c7889b548760daf0"
    "453ac2849021f6f25a2a55186101fbe68c6a12b862839810715be4addb420acd46d77207ce19b73b319c51c369a391e90e1ffc756c1d7de7af5da0bc137fac4e"
)
USUAL_BACK_RANK = "RNBQKBNR"
PIECES = "?KQNBRP"
KING = (1, 9, 8, 7, -1, -9, -8, -7)
KNIGHT = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
FLAG_OF_KIND = {
    0x02: 2,
    0x82: 2,
    0x03: 3,
    0x04: 4,
    0x05: 5,
    0x07: 7,
    0x08: 8,
    0x09: 9,
    0x10: 16,
    0x11: 17,
    0x20: 18,
    0x13: 19,
    0x14: 20,
    0x15: 21,
    0x16: 22,
    0x17: 23,
    0x18: 24,
    0x61: 25,
    0x1A: 26,
    0x1C: 28,
}
SIZES = {".cbp": 58, ".cbt": 90, ".cbc": 53, ".cbs": 59, ".cbe": 63, ".cbl": 1608}


def u(data: bytes) -> int:
    return int.from_bytes(data, "big")


@dataclass
class Annotation:
    position: int
    kind: int
    payload: bytes


@dataclass
class Record:
    number: int
    is_text: bool
    deleted: bool
    header: bytes
    extended: bytes
    blob: bytes
    annotations: list[Annotation]
    moves: list[tuple[int, int, int]] | None
    """All moves in the order of the stream."""
    main: int
    """How many of them are the main line."""
    ids: dict[str, int]


def read(main: Path) -> tuple[list[Record], dict[str, list[bytes | None]]]:
    """The records and the entities (by suffix and id, None for deleted ones) of a base that is sound in every way."""
    files = {path.suffix: path.read_bytes() for path in main.parent.glob(f"{main.stem}.*")}
    assert set(files) >= {*SIZES, ".cbh", ".cbg", ".cba", ".cbj", ".cbtt", ".cbm", ".ini"}
    assert not set(files) & {".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbgi"}
    games = files[".cbh"]
    count = len(games) // 46 - 1
    head = struct.unpack(">BHHBI2x3I16xI2x", games[:46])
    assert head[0] == 0
    assert head[1] in (0x24, 0x2C)
    assert head[2] == 46
    assert head[4] == count + 1
    assert head[8] == (count + 1 if head[1] == 0x2C else 0)
    assert len(games) == 46 * (count + 1)
    version, size, records = struct.unpack("<III", files[".cbj"][:12])
    assert (version, size, records) == (11, 120, count)
    assert len(files[".cbj"]) == 32 + 120 * count
    found = []
    used: dict[str, list[tuple[int, int]]] = {".cbg": [], ".cba": []}
    for number in range(1, count + 1):
        extended = files[".cbj"][32 + 120 * (number - 1) : 32 + 120 * number]
        found.append(_record(number, games[46 * number : 46 * (number + 1)], extended, files, used))
    for suffix, places in used.items():
        check_container(files[suffix], places)
    entities = {suffix: read_entities(suffix, files[suffix]) for suffix in SIZES}
    check_references(found, files, entities)
    return found, entities


def check_container(data: bytes, places: list[tuple[int, int]]) -> None:
    """The prolog is right, and blobs lie one behind the other."""
    prolog = u(data[:2])
    assert prolog in (10, 26)
    assert u(data[2:6]) == len(data)
    wasted = u(data[6:10])
    if prolog == 26:
        assert u(data[10:18]) == len(data)
        assert u(data[18:26]) == wasted
    end = prolog
    for begin, size in sorted(places):
        assert begin >= end, "blobs overlap"
        wasted -= begin - end
        end = begin + size
    assert end <= len(data)


def _record(
    number: int, header: bytes, extended: bytes, files: dict[str, bytes], used: dict[str, list[tuple[int, int]]]
) -> Record:
    is_text = bool(header[0] & 2)
    assert header[0] & 1
    offset = u(header[1:5])
    size = u(files[".cbg"][offset + 1 : offset + 4])
    blob = files[".cbg"][offset : offset + size]
    assert len(blob) == size >= 4
    used[".cbg"].append((offset, size))
    assert u(extended[30:38]) == offset
    words = struct.unpack(">10H", extended[8:28])
    assert u(extended[28:30]) == sum(words) & 0xFFFF
    assert u(extended[20:24]) >= u(extended[24:28])
    ids = {"white_team": 0, "black_team": 4, "tag": 116}
    ids = {name: struct.unpack(">i", extended[place : place + 4])[0] for name, place in ids.items()}
    if is_text:
        ids |= {"tournament": u(header[7:10]), "source": u(header[10:13]), "annotator": u(header[13:16])}
        assert blob[0] == 0x80
        return Record(number, True, bool(header[0] & 0x80), header, extended, blob, [], None, 0, ids)
    places = {"white": 9, "black": 12, "tournament": 15, "annotator": 18, "source": 21}
    ids |= {name: u(header[place : place + 3]) for name, place in places.items()}
    place = u(header[5:9])
    assert u(extended[12:20]) == place
    annotations = _annotations(number, files[".cba"], place, used) if place else []
    moves, main, black_starts = decode_moves(blob)
    record = Record(number, False, bool(header[0] & 0x80), header, extended, blob, annotations, moves, main, ids)
    if moves is not None:
        _check_header(record, black_starts=black_starts)
    return record


def _check_header(record: Record, *, black_starts: bool) -> None:
    header, moves = record.header, record.moves or []
    assert all(-1 <= each.position < len(moves) for each in record.annotations)
    positions = [each.position for each in record.annotations]
    assert positions == sorted(positions)
    assert header[45] == min(255, (record.main + black_starts + 1) // 2)
    flags = u(header[39:43])
    wanted = 0
    for each in record.annotations:
        wanted |= 1 << FLAG_OF_KIND[each.kind] if each.kind in FLAG_OF_KIND else 0
    wanted |= 1 if record.blob[0] & 0x40 else 0
    wanted |= 2 if len(moves) > record.main else 0
    wanted |= 1 << 27 if record.blob[0] & 0x3F == 10 else 0
    assert flags & 0x1FFF_FFFF == wanted, f"game {record.number}: flags {flags:#x}, not {wanted:#x}"
    magnitudes = u(header[43:45])
    variations = len(moves) - record.main
    assert magnitudes & 3 == (variations > 50) + (variations > 300) + (variations > 1000)
    texts = sum(len(each.payload) - 2 for each in record.annotations if each.kind in (0x02, 0x82))
    assert bool(magnitudes & 4) == (texts > 200)
    symbols = sum(each.kind == 0x03 for each in record.annotations)
    assert bool(magnitudes & 8) == (symbols >= 10)


def _annotations(number: int, data: bytes, place: int, used: dict[str, list[tuple[int, int]]]) -> list[Annotation]:
    size = u(data[place + 10 : place + 14])
    blob = data[place : place + size]
    used[".cba"].append((place, size))
    assert u(blob[:3]) == number
    assert blob[3:7] == bytes.fromhex("01000e0e")
    found = []
    at = 14
    while at < len(blob):
        length = u(blob[at + 4 : at + 6])
        position = int.from_bytes(blob[at : at + 3], "big", signed=True)
        found.append(Annotation(position, blob[at + 3], blob[at + 6 : at + length]))
        assert length >= 6
        at += length
    assert at == len(blob)
    assert u(blob[7:10]) == len(found) + 1
    return found


# Entities.


def text(data: bytes) -> bytes:
    return data.partition(b"\0")[0] + b"\0"


def signed(data: bytes) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in text(data)]


def key(suffix: str, data: bytes) -> Any:
    if suffix == ".cbp":
        return text(data[:30]), text(data[30:50])
    if suffix == ".cbt":
        day = int.from_bytes(data[70:74], "little")
        return -(day >> 9), signed(data[:40]), signed(data[40:70]), -(day >> 5 & 15), -(day & 31)
    if suffix == ".cbc":
        return signed(data[:45])
    if suffix == ".cbs":
        return signed(data[:25])
    if suffix == ".cbe":
        number, season, year, nation = struct.unpack("<IBIB", data[45:55])
        return text(data[:45]), number, -(season & 1), year, nation
    return [text(data[place : place + 200]) for place in range(0, 1600, 200)]


def read_entities(suffix: str, data: bytes) -> list[bytes | None]:
    """The records of an entity file, whose tree must be balanced, in order and complete."""
    capacity, root, magic, size, deleted, live, extra = struct.unpack("<7i", data[:28])
    assert magic == 1234567890
    assert size == SIZES[suffix]
    assert extra in (0, 4)
    begin = 28 + extra
    assert len(data) == begin + capacity * (size + 9)
    records = [data[begin + i * (size + 9) : begin + (i + 1) * (size + 9)] for i in range(capacity)]
    nodes = [struct.unpack("<iib", record[:9]) for record in records]
    gone = set()
    while deleted != -1:
        assert deleted not in gone
        assert nodes[deleted][0] == -999
        gone.add(deleted)
        deleted = nodes[deleted][1]
    assert live == capacity - len(gone)
    order: list[int] = []

    def height(number: int) -> int:
        if number == -1:
            return 0
        left = height(nodes[number][0])
        order.append(number)
        right = height(nodes[number][1])
        assert nodes[number][2] == right - left
        assert abs(right - left) <= 1
        return 1 + max(left, right)

    if live:
        height(root)
    assert sorted(order) == [number for number in range(capacity) if number not in gone]
    keys = [key(suffix, records[number][9:]) for number in order]
    assert all(a <= b for a, b in itertools.pairwise(keys)), f"the tree of {suffix} is not in order"
    return [None if number in gone else record[9:] for number, record in enumerate(records)]


def check_references(records: list[Record], files: dict[str, bytes], entities: dict[str, list[bytes | None]]) -> None:
    """Everything that is referred to exists, and knows how often and where first."""
    kinds = {
        "white": ".cbp",
        "black": ".cbp",
        "tournament": ".cbt",
        "annotator": ".cbc",
        "source": ".cbs",
        "white_team": ".cbe",
        "black_team": ".cbe",
        "tag": ".cbl",
    }
    counts: dict[tuple[str, int], list[int]] = {}
    for record in records:
        for name, number in record.ids.items():
            if number == -1:
                assert name in ("white_team", "black_team", "tag")
                continue
            assert entities[kinds[name]][number] is not None
            counts.setdefault((kinds[name], number), []).append(record.number)
    for suffix, found in entities.items():
        for number, data in enumerate(found):
            if data is not None:
                games = counts.get((suffix, number), [])
                count, first = struct.unpack("<ii", data[-8:])
                assert (count, first) == (len(games), min(games, default=0)), (suffix, number)
    version, size, highest = struct.unpack("<III", files[".cbtt"][:12])
    assert size == {2: 61, 3: 65, 4: 223, 5: 405}[version]
    stored, rest = divmod(len(files[".cbtt"]) - 32, size)
    assert rest == 0
    assert highest == max(stored - 1, 0)


# Moves.


@dataclass
class Board:
    squares: dict[int, tuple[int, str]]
    slots: dict[tuple[int, str], list[int | None]]
    turn: int

    def copy(self) -> Board:
        return Board(dict(self.squares), {piece: list(slots) for piece, slots in self.slots.items()}, self.turn)

    @classmethod
    def of(cls, squares: dict[int, tuple[int, str]], turn: int) -> Board:
        slots: dict[tuple[int, str], list[int | None]] = {}
        for colour in (0, 1):
            for piece in "KQRBNP":
                slots[colour, piece] = []
        for square in range(64):
            if square in squares:
                colour, piece = squares[square]
                if len(slots[colour, piece]) < (8 if piece == "P" else 3):
                    slots[colour, piece].append(square)
        return cls(squares, slots, turn)

    def take(self, square: int) -> None:
        colour, piece = self.squares.pop(square)
        slots = self.slots[colour, piece]
        if square in slots:
            if piece == "P":
                slots[slots.index(square)] = None  # numbers of pawns never change
            else:
                slots.remove(square)

    def put(self, square: int, colour: int, piece: str) -> None:
        self.squares[square] = (colour, piece)
        slots = self.slots[colour, piece]
        if len(slots) < 3:
            slots.append(square)

    def slide(self, source: int, target: int) -> None:
        if source == target:
            return
        colour, piece = self.squares.pop(source)
        self.squares[target] = (colour, piece)
        slots = self.slots[colour, piece]
        if source in slots:
            slots[slots.index(source)] = target

    def move(self, source: int, target: int, promotion: str = "Q") -> None:
        colour, piece = self.squares[source]
        assert colour == self.turn
        if target in self.squares:
            self.take(target)
        elif piece == "P" and source // 8 != target // 8:
            self.take(target // 8 * 8 + source % 8)
        if piece == "P" and target % 8 in (0, 7):
            self.take(source)
            self.put(target, colour, promotion)
        else:
            self.slide(source, target)
        self.turn = 1 - self.turn


def usual_board() -> Board:
    squares: dict[int, tuple[int, str]] = {}
    for file, piece in enumerate(USUAL_BACK_RANK):
        squares |= {file * 8: (0, piece), file * 8 + 7: (1, piece), file * 8 + 1: (0, "P"), file * 8 + 6: (1, "P")}
    return Board.of(squares, 0)


def set_up(data: bytes) -> Board:
    assert data[0] == 1
    bits = "".join(f"{byte:08b}" for byte in data[4:28])
    squares: dict[int, tuple[int, str]] = {}
    at = 0
    for square in range(64):
        if bits[at] == "1":
            squares[square] = (int(bits[at + 1]), PIECES[int(bits[at + 2 : at + 5], 2)])
            at += 5
        else:
            at += 1
    assert "1" not in bits[at:]
    return Board.of(squares, data[1] >> 4 & 1)


def decode_moves(blob: bytes) -> tuple[list[tuple[int, int, int]] | None, int, bool]:
    """All moves in the order of the stream, how many are the main line, and whether Black begins."""
    mode = blob[0] & 0x3F
    if mode not in (0, 10):
        return None, 0, False
    at = 4
    board = usual_board()
    rooks: bytes = b""
    if blob[0] & 0x40:
        board = set_up(blob[4:32])
        at = 32
        if mode == 10:
            rooks, at = blob[32:38], 40
    black_starts = board.turn == 1
    moves: list[tuple[int, int, int]] = []
    stack: list[Board] = []
    main: int | None = None

    def opcode() -> int:
        nonlocal at
        byte = blob[at]
        at += 1
        n = len(moves)
        return DECODE_0[(byte - n) & 255] if mode == 0 else (DECODE_10[byte] - n) & 255

    while True:
        code = opcode()
        if code == 254:
            stack.append(board.copy())
        elif code == 255:
            main = len(moves) if main is None else main
            if not stack:
                break
            board = stack.pop()
        elif code != 236:
            moves.append(_play(board, code, opcode, rooks))
    assert at == len(blob)
    return moves, main, black_starts


def _play(board: Board, code: int, opcode: Any, rooks: bytes) -> tuple[int, int, int]:
    side = board.turn
    if code == 0:
        board.turn = 1 - side
        return 0, 0, 0
    if code in (9, 10):
        king, rook = (32 + 7 * side, (56 if code == 9 else 0) + 7 * side)
        return _castle(board, king, rook, short=code == 9)
    if code == 235:
        word = opcode() << 8 | opcode()
        source, target, promotion = word & 63, word >> 6 & 63, word >> 12 & 3
        if source == target:
            assert rooks
            short = target // 8 == 6
            return _castle(board, board.slots[side, "K"][0] or 0, rooks[2 + 2 * side + (not short)], short=short)
        board.move(source, target, "QRBN"[promotion])
        return source, target, promotion
    source, target = _target(board, code)
    board.move(source, target)
    return source, target, 0


def _castle(board: Board, king: int, rook: int, *, short: bool) -> tuple[int, int, int]:
    side = board.turn
    home = 7 * side
    pieces = [(square, board.squares.pop(square)) for square in (king, rook)]
    for (square, (colour, piece)), file in zip(pieces, (6, 5) if short else (2, 3), strict=True):
        board.squares[file * 8 + home] = (colour, piece)
        slots = board.slots[colour, piece]
        if square in slots:
            slots[slots.index(square)] = file * 8 + home
    board.turn = 1 - side
    return king, rook, 0


def _target(board: Board, code: int) -> tuple[int, int]:
    side = board.turn
    if code <= 8:
        source = board.slots[side, "K"][0]
        assert source is not None
        return source, source + KING[code - 1]
    for begin, piece, slot, count in (
        *((11, "Q", 0, 28), (39, "R", 0, 14), (53, "R", 1, 14), (67, "B", 0, 14), (81, "B", 1, 14)),
        *((95, "N", 0, 8), (103, "N", 1, 8), (111, "P", 0, 32), (143, "Q", 1, 28), (171, "Q", 2, 28)),
        *((199, "R", 2, 14), (213, "B", 2, 14), (227, "N", 2, 8)),
    ):
        if begin <= code < begin + count:
            step = code - begin
            number = step // 4 if piece == "P" else slot
            source = board.slots[side, piece][number]
            assert source is not None
            return source, _destination(piece, source, step, side)
    raise AssertionError(f"opcode {code} means nothing")


def _destination(piece: str, source: int, step: int, side: int) -> int:
    file, rank = divmod(source, 8)
    if piece == "P":
        forward = -1 if side else 1
        return source + (1, 2, 9, -7)[step % 4] * forward
    if piece == "N":
        return (file + KNIGHT[step][0]) * 8 + rank + KNIGHT[step][1]
    if piece == "B":
        step += 14
    direction, k = divmod(step, 7)
    k += 1
    over = ((0, k), (k, 0), (k, k), (k, -k))[direction]
    return (file + over[0]) % 8 * 8 + (rank + over[1]) % 8
