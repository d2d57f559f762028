"""A small ChessBase base put together byte by byte, from the documented layout and not from tabiya's tables.

``python -m tests.formats.cbh.handmade`` writes it to ``tests/data/cbh``.
"""

from __future__ import annotations

import struct
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "data" / "cbh"
STEM = "handmade"

# The bytes of 1.e4 in mode 0 are not needed here: games have no moves, which is one encoded mark of the end.
EMPTY_GAME = bytes.fromhex("00000005 0c")
"""Flags 0, size 5, and the byte that decodes to 255."""
SETUP_GAME = bytes.fromhex(
    "40000021"  # a start position follows; 33 bytes
    "0100003c 0001 2000 f00b 785a cd08 8f01 9780 0000 0000 0000 0000 0000".replace(" ", "")
    + "0c"
)
SETUP_FEN = "1Q6/8/4p2p/3pPqp1/7k/5P2/5P2/6K1 w - - 0 60"

TITLE, BODY = b"My text", b"<html>Hello</html>"


def u24(number: int) -> bytes:
    return number.to_bytes(3, "big")


def date(year: int, month: int = 0, day: int = 0) -> int:
    return year << 9 | month << 5 | day


def guiding_text() -> bytes:
    body = struct.pack("<HH", 3, 1) + struct.pack("<HH", 0, len(TITLE)) + TITLE + b"\1"
    body += struct.pack("<H", 1) + struct.pack("<HI", 0, len(BODY)) + BODY + struct.pack("<I", 0)
    return b"\x80" + u24(4 + len(body)) + body


def game(
    offset: int,
    *,
    marks: int = 1,
    white: int = 0,
    black: int = 1,
    tournament: int = 0,
    annotator: int = 0,
    source: int = 0,
    day: int = 0,
    result: int = 1,
    evaluation: int = 0,
    rounds: tuple[int, int] = (0, 0),
    elos: tuple[int, int] = (0, 0),
    eco: int = 0,
    medals: int = 0,
    flags: int = 0,
    moves: int = 0,
) -> bytes:
    ids = b"".join(map(u24, (white, black, tournament, annotator, source, day)))
    tail = struct.pack(">BBBBHHHHIHB", result, evaluation, *rounds, *elos, eco, medals, flags, 0, moves)
    return struct.pack(">BII", marks, offset, 0) + ids + tail


def text_record(offset: int, *, tournament: int, source: int, annotator: int, rounds: tuple[int, int]) -> bytes:
    head = struct.pack(">BIH", 3, offset, 0) + u24(tournament) + u24(source) + u24(annotator)
    return (head + bytes(rounds) + bytes(4)).ljust(46, b"\0")


def entity_file(size: int, records: list[bytes], *, deleted: tuple[int, ...] = (), old: bool = False) -> bytes:
    """Records in a chain to the right: a valid search tree as far as reading goes."""
    chain = [*deleted, -1]
    live = len(records) - len(deleted)
    header = struct.pack("<7i", len(records), 0, 1234567890, size, chain[0], live, 0 if old else 4)
    body = b""
    for number, record in enumerate(records):
        assert len(record) == size
        if number in deleted:
            body += struct.pack("<iib", -999, chain[chain.index(number) + 1], 0)
        else:
            body += struct.pack("<iib", -1, number + 1 if number + 1 < len(records) else -1, 0)
        body += record
    return header + (b"" if old else bytes(4)) + body


def used(count: int, first: int) -> bytes:
    return struct.pack("<ii", count, first)


def player(last: bytes, first: bytes) -> bytes:
    return last.ljust(30, b"\0") + first.ljust(20, b"\0") + used(1, 1)


def tournament(title: bytes, place: bytes, day: int = 0, *rest: int) -> bytes:
    return (
        title.ljust(40, b"\0")
        + place.ljust(30, b"\0")
        + struct.pack("<I", day)
        + bytes(rest).ljust(8, b"\0")
        + used(1, 1)
    )


def annotator(name: bytes) -> bytes:
    return name.ljust(45, b"\0") + used(1, 1)


def source(
    title: bytes, publisher: bytes, published: int = 0, day: int = 0, version: int = 0, quality: int = 0
) -> bytes:
    return (
        title.ljust(25, b"\0")
        + publisher.ljust(16, b"\0")
        + struct.pack("<IIBB", published, day, version, quality)
        + used(1, 1)
    )


def team(title: bytes, number: int, season: int, year: int, nation: int) -> bytes:
    return title.ljust(45, b"\0") + struct.pack("<IBIB", number, season, year, nation) + used(1, 1)


def tag(*titles: bytes) -> bytes:
    return b"".join(title.ljust(200, b"\0") for title in titles).ljust(1600, b"\0") + used(1, 1)


FIDE = bytes.fromhex("000100010046494445").ljust(16, b"\0")
NO_TYPE = bytes(16)


def cbj_record(
    *,
    teams: tuple[int, int] = (-1, -1),
    media: int = -1,
    materials: tuple[int, int] = (0, 0),
    types: tuple[bytes, bytes] = (NO_TYPE, NO_TYPE),
    version: int = 1,
    created: int = 0,
    saved: int = 0,
    tag: int = -1,
) -> bytes:
    record = struct.pack(">iiiQII", *teams, media, 0, *materials) + struct.pack(">HQ", 0, 0) + types[0] + types[1]
    record += bytes(8) + struct.pack(">HQ", version, created) + bytes(20) + struct.pack(">Qi", saved, tag)
    words = struct.unpack(">10H", record[8:28])
    return record[:28] + struct.pack(">H", sum(words) & 0xFFFF) + record[30:]


def container(blobs: bytes) -> bytes:
    size = 26 + len(blobs)
    return struct.pack(">HIIQQ", 26, size, 7, size, 7) + blobs


def base() -> dict[str, bytes]:
    """The files of the base by suffix."""
    text = guiding_text()
    offsets = [26, 31, 31 + len(SETUP_GAME), 31 + len(SETUP_GAME) + len(text)]
    records = [
        game(
            offsets[0],
            white=0,
            black=1,
            tournament=1,
            annotator=1,
            source=1,
            day=date(2016, 5, 9),
            result=3,
            evaluation=44,
            rounds=(1, 2),
            elos=(2150, 2000),
            eco=(1 << 7) | 5,
            medals=0x200,
        ),
        game(offsets[1], marks=0x81, white=2, black=3, result=6, rounds=(0, 4), day=date(1999, 0, 0), flags=1, moves=0),
        text_record(offsets[2], tournament=1, source=1, annotator=1, rounds=(3, 0)),
        # Nothing here is as it should be.
        game(
            offsets[3],
            white=2,
            black=9999,
            tournament=2,
            annotator=77,
            result=9,
            day=date(2020, 13, 1),
            eco=503 << 7,
            flags=1 << 30,
        ),
    ]
    count = len(records)
    header = struct.pack(">BHHBI", 0, 0x2C, 46, 1, count + 1).ljust(40, b"\0") + struct.pack(">IH", count + 1, 0)
    manifest = b"FilesUsed\n1\npicture.jpg\n"
    media = struct.pack("<IIIi", 1, 1024, 1, -1).ljust(32, b"\0")
    media += (struct.pack("<iI", -1, 1) + manifest).ljust(1024, b"\0")
    extended = [
        cbj_record(
            teams=(0, 1),
            types=(FIDE, bytes.fromhex("0002019086")[:5].ljust(16, b"\0")),
            version=29,
            created=240363607580,
            saved=136822851254587810,
            tag=0,
            materials=(33426, 4096),
        ),
        cbj_record(),
        cbj_record(media=40, tag=1),
    ]  # one fewer than there are records
    details = struct.pack(">dd", 59.32893, 18.06491) + bytes(10) + b"\7" + bytes(10) + b"\7" + bytes(10) + b"\7\0"
    details += bytes([11, 201]).ljust(10, b"\1") + b"\2" + struct.pack(">I", date(2016, 5, 20))
    plain = bytes(16) + (bytes(10) + b"\7") * 3 + b"\0" + b"\1" * 10 + b"\0" + bytes(4)
    return {
        ".cbh": header + b"".join(records),
        ".cbg": container(EMPTY_GAME + SETUP_GAME + text + EMPTY_GAME),
        ".cba": container(b""),
        ".cbp": entity_file(
            58,
            [
                player("Mårdell".encode("cp1252"), b"Jimmy\0trash"),
                player(b"Doe", b"John"),
                player(b"Comma, in", b"Last"),
                player(b"Alone", b""),
            ],
        ),
        ".cbt": entity_file(
            90,
            [
                tournament(b"", b""),
                tournament(b"Swedish Ch", b"Stockholm", date(2016, 5, 9), 6 | 0x40, 1, 134, 0, 20, 12, 4, 0),
                tournament(b"Gone", b"Nowhere", 0, 0x60 | 9),
            ],
            deleted=(2,),
        ),
        ".cbc": entity_file(53, [annotator(b""), annotator(b"Jimmy")], old=True),
        ".cbs": entity_file(
            59, [source(b"", b""), source(b"Test source", b"Test publisher", date(2016, 5, 6), date(2016, 5, 9), 3, 2)]
        ),
        ".cbe": entity_file(63, [team("SK Rockaden Umeå".encode(), 2, 1, 2016, 134), team(b"Test Team", 0, 0, 0, 0)]),
        ".cbl": entity_file(1608, [tag(b"English tag", b"German tag"), tag()]),
        ".cbj": struct.pack("<III", 11, 120, len(extended)).ljust(32, b"\xaa") + b"".join(extended),
        ".cbtt": struct.pack("<III", 3, 65, 1).ljust(32, b"\xbb") + plain + details,
        ".cbm": media,
        ".flags": struct.pack(">III", 0x0F010B09, 16, 2) + bytes([0b00111000]).ljust(64, b"\0"),
        ".ini": b"[DescrCBG]\r\nType=0\r\nTitle=By hand\r\n",
        ".cbgi": struct.pack("<I4I", 4, *offsets),
    }


def write(folder: Path, stem: str = STEM) -> Path:
    """Put the base into a folder; the path of its .cbh."""
    for suffix, data in base().items():
        (folder / f"{stem}{suffix}").write_bytes(data)
    return folder / f"{stem}.cbh"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    write(FOLDER)
