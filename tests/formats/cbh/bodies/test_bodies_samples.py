"""All bodies of all sample bases: legal moves, known counts, the same bytes again, and what headers say of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tabiya.chessbase.body_columns import Bodies
from tabiya.files.file_bytes import FileBytes
from tabiya.formats.cbh.bodies.blobs import annotation_sizes, move_sizes
from tabiya.formats.cbh.bodies.columns import read_bodies, write_bodies
from tabiya.game import GameBatch
from tabiya.game.annotations import TextEncoding, decode_payload
from tabiya.game.replay import failures
from tests.formats.cbh.bodies.test_cbg_random import NULL, POP, hide
from tests.formats.cbh.plain_coder import decode_blob, encode_annotations, tape_of
from tests.formats.cbh.stored import Base, batch_of, blob

Samples = Callable[[str], Path]

BASES = {
    "World-ch/World-ch": ("cp1252", 1025, 44534),
    "hedgehog/Hedgehog": ("cp1251", 204, 15889),
    "twic1134/twic1134": ("utf-8", 6117, 0),
    "cbmplayertest/cbmplayertest": ("utf-8", 8, 33),
    "cbhlib_test/cbhlib_test": ("utf-8", 18, 29),
    "veryold/Mate2": ("utf-8", 7, 15),
    "test-annotations/test-annotations": ("utf-8", 6, 11),
    "text/text": ("utf-8", 1, 0),
    "cb12/cb12": ("utf-8", 1, 0),
    "small/small": ("utf-8", 0, 0),
    "cbh_test/cbh_test": ("utf-8", 4, 0),
    "cbh_cbj_test/cbh_cbj_test": ("utf-8", 4, 0),
    "shorter_cbj_test/shorter_cbj_test": ("utf-8", 4, 0),
}
"""Code page, games and annotations."""
KEPT = {
    ("cbhlib_test/cbhlib_test", "cbh.blob"): 2,  # set-up positions with the move number 0
    ("veryold/Mate2", "cbh.blob"): 1,  # padding
    ("test-annotations/test-annotations", "cbh.annotations"): 6,  # the number of the game is not set
    ("World-ch/World-ch", "cbh.annotations"): 624,  # without moves, annotations cannot be attached
}
WITHOUT_MOVES = "World-ch/World-ch"

every_base = pytest.mark.parametrize("name", BASES)


def base_of(name: str, samples: Samples) -> Base:
    return Base(samples(f"cbh/{name}.cbh"), TextEncoding(BASES[name][0]))


@every_base
def test_every_body_is_read(name: str, samples: Samples) -> None:
    base = base_of(name, samples)
    bodies = base.read()
    _, games, annotations = BASES[name]
    assert int(base.is_game.sum()) == games
    assert len(bodies.annotations.values) == annotations
    codes = {problem["code"] for found in bodies.problems.to_pylist() for problem in found}
    kinds = Counter(bodies.kind.to_pylist())
    if name == WITHOUT_MOVES:
        assert (kinds[0], kinds[2], codes) == (0, games, {100})
    else:
        assert (kinds[0], kinds[2], codes) == (games, 0, set())
    keys = Counter(extra["key"] for found in bodies.extras.to_pylist() for extra in found)
    assert keys == {key: count for (owner, key), count in KEPT.items() if owner == name}
    batch = batch_of(bodies)
    batch.record_batch.validate(full=True)
    assert (failures(batch) == -1).all()


@every_base
def test_every_body_is_written_again(name: str, samples: Samples) -> None:
    base = base_of(name, samples)
    batch = batch_of(base.read())
    written = write_bodies(batch, encoding=base.encoding)
    assert not written.losses
    for suffix, sizes_of, offsets, found, ends in (
        (".cbg", move_sizes, base.move_offsets, written.moves, written.move_ends),
        (".cba", annotation_sizes, base.annotation_offsets, written.annotations, written.annotation_ends),
    ):
        file = base.file(suffix)
        if file is None:
            continue
        sizes = sizes_of(file, offsets)
        for record in np.flatnonzero(base.is_game):
            size, offset = int(sizes[record]), int(offsets[record])
            assert found[ends[record] : ends[record + 1]] == file[offset : offset + size], (suffix, record + 1)


@every_base
def test_bytes_are_kept_only_where_needed(name: str, samples: Samples) -> None:
    """The reader decides this by what it has seen; here it is decided by writing without what was kept."""
    base = base_of(name, samples)
    if name == WITHOUT_MOVES:
        return
    bodies = base.read()
    without = batch_of(bodies).record_batch
    place = without.schema.get_field_index("extras")
    without = without.set_column(place, without.schema.field(place), pa.array([[]] * len(without), without[place].type))
    kept, bare = (
        write_bodies(batch_of(bodies), encoding=base.encoding),
        write_bodies(GameBatch(without), encoding=base.encoding),
    )
    for record, extras in enumerate(bodies.extras.to_pylist()):
        keys = {extra["key"] for extra in extras}
        moves = [part.moves[part.move_ends[record] : part.move_ends[record + 1]] for part in (kept, bare)]
        comments = [
            part.annotations[part.annotation_ends[record] : part.annotation_ends[record + 1]] for part in (kept, bare)
        ]
        assert (moves[0] != moves[1]) == ("cbh.blob" in keys)
        assert (comments[0] != comments[1]) == ("cbh.annotations" in keys)


@every_base
def test_headers_agree(name: str, samples: Samples) -> None:
    """Flags, magnitudes, medals and the count of moves, as ChessBase has them."""
    base = base_of(name, samples)
    if name == WITHOUT_MOVES:
        return
    found = write_bodies(batch_of(base.read()), encoding=base.encoding).statistics[base.is_game == 1]
    flags, magnitudes, medals, moves = (
        base.field(*place)[base.is_game == 1] for place in ((39, 4), (43, 2), (37, 2), (45, 1))
    )
    assert (found["flags"] == flags).all()
    assert (found["medals"] == medals).all()
    assert (np.minimum(255, (found["plies"] + found["black_starts"] + 1) // 2) == moves).all()
    variations = np.digitize(found["variation_plies"], [51, 301, 1001])
    for flag, bits, expected in (
        (2, 3, variations),
        (4, 4, (found["text_bytes"] > 200) * 4),
        (8, 8, (found["symbols"] >= 10) * 8),
        (16, 16, (found["squares"] >= 10) * 16),
        (32, 32, (found["arrows"] >= 6) * 32),
    ):
        stored = flags & flag != 0
        assert (magnitudes[stored] & bits == expected[stored]).all(), flag


def test_material_at_the_end(samples: Samples) -> None:
    """Both sides, the larger one first; 14 games are parts of longer ones, whose material is stored."""
    base = base_of("hedgehog/Hedgehog", samples)
    extended = samples("cbh/hedgehog/Hedgehog.cbj").read_bytes()
    size = int.from_bytes(extended[4:8], "little")
    found = write_bodies(batch_of(base.read()), encoding=base.encoding).statistics
    different = compared = 0
    for record in np.flatnonzero(base.is_game):
        entry = extended[32 + size * record :][:size]
        stored = [int.from_bytes(entry[place : place + 4], "big") for place in (20, 24)]
        if any(stored):
            sides = sorted((int(found[record]["white_material"]), int(found[record]["black_material"])), reverse=True)
            compared += 1
            different += sides != stored
    assert compared > 150
    assert different <= 14


def test_every_kind_is_written_again(samples: Samples) -> None:
    """The annotations of World-ch have no moves. On a game of null moves they have, and all kinds are there."""
    base = base_of(WITHOUT_MOVES, samples)
    file = base.file(".cba")
    assert file is not None
    sizes = annotation_sizes(file, base.annotation_offsets)
    kinds: Counter[int] = Counter()
    moves = bytes(26) + hide([*[NULL] * 3000, POP])
    places = np.array([26], np.int64)
    for record in np.flatnonzero(sizes > 0).tolist():
        offset = int(base.annotation_offsets[record])
        stored = file[offset : offset + int(sizes[record])]
        bodies = read_bodies(
            moves,
            bytes(26) + stored,
            places,
            places,
            np.ones(1, np.uint8),
            encoding=base.encoding,
            first_number=record + 1,
        )
        assert bodies.extras[0].as_py() == []
        assert bodies.problems[0].as_py() == []
        written = write_bodies(
            batch_of(bodies, first_number=record + 1), first_number=record + 1, encoding=base.encoding
        )
        assert written.annotations == stored
        assert not written.losses
        kinds.update(annotation["kind"] for annotation in bodies.annotations[0].as_py())
    assert kinds.total() == BASES[WITHOUT_MOVES][2]
    assert set(kinds) >= {2, 3, 4, 5, 7, 9, 0x13, 0x14, 0x15, 0x18, 0x22, 0x23, 0x24, 0x25, 0x26, 0x82}


@pytest.mark.parametrize("name", ["World-ch/World-ch", "hedgehog/Hedgehog", "cbhlib_test/cbhlib_test"])
def test_texts_are_those_of_the_library(name: str, samples: Samples) -> None:
    """Kernel and ``decode_payload`` agree on every text and every list of symbols."""
    base = base_of(name, samples)
    file = base.file(".cba")
    assert file is not None
    compared = 0
    sizes = annotation_sizes(file, base.annotation_offsets)
    bodies = base.read().annotations
    for record in np.flatnonzero(sizes > 0):
        place, end = int(base.annotation_offsets[record]) + 14, int(base.annotation_offsets[record] + sizes[record])
        stored = []
        while place < end:
            size = int.from_bytes(file[place + 4 : place + 6], "big")
            stored.append(decode_payload(file[place + 3], file[place + 6 : place + size], base.encoding))
            place += size
        found = bodies[int(record)].as_py()
        expected = Counter((a.kind, a.data, a.lang, a.raw, int(a.side)) for a in stored if a.kind in (2, 3, 0x82))
        assert expected == Counter(
            (a["kind"], a["data"], a["lang"], a["raw"], a["side"]) for a in found if a["kind"] in (2, 3, 0x82)
        )
        compared += expected.total()
    assert compared > 5


def test_moves_are_those_of_the_plain_decoder(samples: Samples) -> None:
    base = base_of("twic1134/twic1134", samples)
    file = base.file(".cbg")
    assert file is not None
    bodies = base.read()
    sizes = move_sizes(file, base.move_offsets)
    for record in range(0, len(sizes), 200):
        offset = int(base.move_offsets[record])
        board, root = decode_blob(file[offset : offset + int(sizes[record])])
        assert bodies.moves[record].as_py() == tape_of(root, board)[0]


def test_annotation_vectors(samples: Samples) -> None:
    texts = {}
    for name in ("simpleannotations", "commentsinvariations"):
        moves, comments = (
            samples(f"cbh/vectors/annotations/{name}.{part}.bin").read_bytes() for part in ("moves", "annotations")
        )
        bodies = blob(moves, comments)
        assert bodies.problems[0].as_py() == []
        texts[name] = " ".join(str(batch_of(bodies)[0]).split())
        written = write_bodies(batch_of(bodies))
        assert (bytes(written.moves), bytes(written.annotations)) == (moves, comments)
    assert "1.e4 {After first move comment}" in texts["commentsinvariations"]
    assert "{Pre-variant comment} 3.Bc4" in texts["commentsinvariations"]
    assert "Nf6 {bla bla} 5.Ng5!" in texts["commentsinvariations"]
    assert "7.d3 {Game is over}" in texts["commentsinvariations"]
    assert "Capture" in texts["simpleannotations"]
    assert "Fianchetto" in texts["simpleannotations"]


def test_graphics_vector(samples: Samples) -> None:
    comments = samples("cbh/vectors/annotations/graphicalannotations.annotations.bin").read_bytes()
    bodies = blob(hide([*[NULL] * 100, POP]), comments)
    game = batch_of(bodies)[0]
    found = {(a.kind, a.data) for node in game.walk() for a in node.annotations}
    assert sum(1 for kind, _ in found if kind == 4) >= 1
    assert sum(1 for kind, _ in found if kind == 5) >= 1
    squares = {(data[i], data[i + 1] - 1) for kind, data in found if kind == 4 for i in range(0, len(data), 2)}
    names = {(color, "abcdefgh"[square // 8] + str(square % 8 + 1)) for color, square in squares}
    assert names == {(2, "g5"), (2, "h5"), (3, "b3"), (3, "c3"), (3, "e5"), (4, "e7"), (4, "f7")}
    assert write_bodies(batch_of(bodies)).annotations == comments


def test_quotation_file(samples: Samples) -> None:
    """A whole ``.cba`` file: its blobs begin behind a header of 26 bytes."""
    file = samples("cbh/vectors/annotations/gamequotation.cba").read_bytes()
    head = int.from_bytes(file[:2], "big")
    size = annotation_sizes(file, np.array([head], np.int64))
    bodies = blob(hide([*[NULL] * 500, POP]), file[head : head + int(size[0])])
    assert 0x13 in {annotation["kind"] for annotation in bodies.annotations[0].as_py()}
    assert encode_annotations(0, [])[3:7] == b"\x01\x00\x0e\x0e"


def test_files_and_threads(samples: Samples) -> None:
    """The way a database reads: files open, parts in threads, each by itself."""
    base = base_of("hedgehog/Hedgehog", samples)
    moves, annotations = (FileBytes(base.path.with_suffix(suffix)) for suffix in (".cbg", ".cba"))
    whole = base.read()

    def part(start: int) -> Bodies:
        rows = slice(start, start + 50)
        return read_bodies(
            moves,
            annotations,
            base.move_offsets[rows],
            base.annotation_offsets[rows],
            base.is_game[rows],
            encoding=base.encoding,
            first_number=start + 1,
        )

    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(part, range(0, len(base.headers), 50)))
    for field in fields(Bodies):
        found = pa.concat_arrays([getattr(each, field.name) for each in parts])
        assert found.equals(getattr(whole, field.name)), field.name
