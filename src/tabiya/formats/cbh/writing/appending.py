"""Append to an existing base: its records, bodies and entities become the beginning of the one being built."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.errors import CorruptError, UnsupportedError
from tabiya.formats.cbh.bodies.blobs import read_prolog
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.entities import cbtt
from tabiya.formats.cbh.files import cbj, cbm, flags
from tabiya.formats.cbh.files.base_files import MAIN
from tabiya.formats.cbh.files.cbh import HEADER, RECORD_SIZE
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.reading.header_window import Window
from tabiya.formats.cbh.writing.base_builder import BaseBuilder
from tabiya.formats.cbh.writing.entity_ids import TABLES, EntityAssigner
from tabiya.formats.cbh.writing.entity_tables import EntityTable

if TYPE_CHECKING:
    from tabiya.binary import Records
    from tabiya.formats.cbh.writing.base_transaction import BaseTransaction


def continued(transaction: BaseTransaction, main: Path) -> BaseBuilder:
    """Return the base as a builder that continues after its last record; all files are copies.

    Raises:
        CorruptError: A file that is needed is missing or damaged.
        UnsupportedError: The base was written by a version of ChessBase whose format is unknown.
    """
    with CbhDatabase(main) as base:
        builder = BaseBuilder(transaction, base.name_encoding, base.title, text_encoding=base.text_encoding)
        builder.kept = frozenset({".ini"}) & base.base_files.paths.keys()
        builder.has_flags = flags.is_known(base.base_files.data(".flags"))
        builder.header = base.header
        builder.count = len(base)
        builder.stream(MAIN).writelines(base.base_files.chunks(MAIN, HEADER.size, RECORD_SIZE * (1 + len(base))))
        builder.stream(".cbj").write(extended_records_of(base).tobytes())
        builder.manifests = bytearray(base.base_files.data(".cbm")[cbm.HEADER.size :])
        builder.manifests += bytes(-len(builder.manifests) % cbm.RECORD_SIZE)
        builder.top_games = [flags.top_games(base.base_files.data(".flags"), 1, len(base))]
        builder.entities = EntityAssigner(entity_tables_of(base), cbtt_size_of(base))
        for suffix in (".cbg", ".cba"):
            _copy_container(builder, base, suffix)
    return builder


def _copy_container(builder: BaseBuilder, base: CbhDatabase, suffix: str) -> None:
    files = base.base_files
    path = files.paths.get(suffix)
    if path is None:
        raise CorruptError(f"the base has no {suffix} file, so nothing can be added to it", path=base.path)
    prolog = read_prolog(files.data(suffix))
    if prolog is None or not prolog.prolog_size <= prolog.file_size <= len(files.data(suffix)):
        raise CorruptError("the prolog is invalid; convert the base into a new one first", path=path, offset=0)
    stream = builder.stream(suffix)
    stream.seek(0)
    stream.writelines(files.chunks(suffix, 0, prolog.file_size))  # data after the declared end is ignored
    stream.truncate()
    builder.sizes[suffix] = prolog.file_size
    builder.prolog_sizes[suffix] = prolog.prolog_size
    builder.wasted[suffix] = prolog.wasted


def extended_records_of(base: CbhDatabase) -> Records:
    """Return a record of .cbj for every game, of the current version."""
    layout, found = cbj.records_of(base.base_files.data(".cbj"))
    if layout.size > CBJ.size:
        raise UnsupportedError("the .cbj file has an unknown version", path=base.path)
    count = len(base)
    window = Window(base.source, 0, count)
    extended = CBJ.new(count)
    stored = min(len(found), count)
    for field in layout.fields:
        if field.name in CBJ:
            CBJ.put(extended[:stored], field.name, layout.column(found[:stored], field.name))
    if layout.size < CBJ.size or stored < count:
        CBJ.put(extended, "cbg_offset", window.offsets(".cbg"))
        CBJ.put(extended, "cba_offset", window.offsets(".cba"))
        for side in ("white", "black"):
            start = stored if f"{side}_rating_type" in layout else 0
            usual = cbj.usual_rating_types(window.field(f"{side}_elo"))
            CBJ.put(extended[start:], f"{side}_rating_type", usual[start:])
        CBJ.put(extended, "checksum", cbj.checksums(extended))
    return extended


def cbtt_size_of(base: CbhDatabase) -> int:
    """Return the size of the records of .cbtt, which never decreases."""
    layout, _ = cbtt.records_of(base.base_files.data(".cbtt"))
    return max(cbtt.RECORD.size, layout.size)


def entity_tables_of(base: CbhDatabase) -> dict[str, EntityTable]:
    """Return the entities by suffix, with references counted again: the counts in old files are often wrong."""
    layout, records = cbtt.records_of(base.base_files.data(".cbtt"))
    usual = layout.new(1).tobytes()
    cbtts = {i: data for i, record in enumerate(records) if (data := record.tobytes()) != usual}
    tables = {
        suffix: EntityTable.of_file(file, cbtts if suffix == ".cbt" else {}, base.base_files.main.parent)
        for suffix, file in base.entity_files.items()
    }
    window = Window(base.source, 0, len(base))
    numbers = np.arange(1, len(base) + 1)
    for reference, suffix in TABLES.items():
        table: Any = tables[suffix]
        ids = window.ids(reference)
        known = np.append(table.live, False)
        inside = (ids >= 0) & (ids < len(table))
        table.count(np.where(inside & known[np.where(inside, ids, -1)], ids, -1), numbers)
    return tables


def games_of(base: CbhDatabase) -> Records:
    """Return the records of .cbh for modification."""
    return base.source.games[:].copy()
