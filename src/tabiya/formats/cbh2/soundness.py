"""Problems of the files of a database that can be found without reading bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.formats.cbh2 import messages
from tabiya.formats.cbh2.base_files import ANNOTATIONS, ENTITIES, MAIN, MOVES, BaseFiles
from tabiya.formats.cbh2.container import HEADER as CONTAINER
from tabiya.formats.cbh2.headers import KNOWN_VERSIONS, RECORD_SIZE
from tabiya.formats.cbh2.lid_file import read_header
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.binary import Record


def inspect(files: BaseFiles, header: Record, count: int) -> Iterator[Problem]:
    """Yield the problems of the database as a whole, which has this many records."""
    yield from (Problem(messages.MISSING_FILE, None, name) for name in files.missing())
    declared = int(header["next_game"]) - 1
    stored = len(files.data(MAIN)) // RECORD_SIZE - 1
    if count < declared:
        text = f"{MAIN} has {count} of {declared} records"
        yield Problem(messages.SHORT_FILE, RECORD_SIZE * (1 + count), text)
    elif declared < stored:
        text = f"{MAIN} has {stored} records, its header counts {declared}; {count} were read"
        yield Problem(messages.DAMAGED_FILE, 16, text)
    version = header["generation"], header["version"]
    if version not in KNOWN_VERSIONS:
        yield Problem(messages.UNKNOWN_VERSION, 8, f"{MAIN}: version {version[1]} ({version[0]})")
    for suffix in (MOVES, ANNOTATIONS):
        if suffix in files:
            yield from _container(files, suffix)
    if ENTITIES in files:
        yield from _entities(files)


def _container(files: BaseFiles, suffix: str) -> Iterator[Problem]:
    data = files.data(suffix)
    if len(data) < CONTAINER.size:
        yield Problem(messages.SHORT_FILE, len(data), f"{suffix} is shorter than its header")
        return
    header = CONTAINER.read(data)
    if header["header_size"] != CONTAINER.size:
        yield Problem(messages.DAMAGED_FILE, 8, f"{suffix}: its header is invalid")
    elif header["file_size"] > len(data):
        yield Problem(messages.SHORT_FILE, len(data), f"{suffix} has {len(data)} of {header['file_size']} bytes")


def _entities(files: BaseFiles) -> Iterator[Problem]:
    data = files.data(ENTITIES)
    header = read_header(data)
    if header is None:
        yield Problem(messages.DAMAGED_FILE, 0, f"{ENTITIES}: its header is invalid")
        return
    if not header.block:
        return
    blocks = -(-(len(data) - header.size) // header.block)
    for number, each in enumerate(header.types):
        if each.entities > blocks and each.container:
            text = f"{ENTITIES} has at most {blocks} of {each.entities} entities of type {number}"
            yield Problem(messages.SHORT_FILE, len(data), text)
