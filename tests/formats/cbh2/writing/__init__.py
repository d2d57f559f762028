"""A writer of 2CBH databases for tests: an independent proof of the reader.

It is made from the page of published facts about the format alone, by someone who has not seen the reader, and writes
nothing that the page does not describe. ``write_2cbh`` converts records of tabiya; ``Base`` takes fields, entities
and words directly. ``damage`` spoils bases on purpose, ``repeat`` makes large ones for benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tabiya.game import Game, RecordKind
from tabiya.game.annotations import TextEncoding
from tests.formats.cbh2.writing.base import SUFFIXES, Base, Spare
from tests.formats.cbh2.writing.entities import EntityFile
from tests.formats.cbh2.writing.games import TabiyaRecord
from tests.formats.cbh2.writing.headers import ANALYSIS
from tests.formats.cbh2.writing.stream import CannotBeStoredError

__all__ = ["SUFFIXES", "Base", "CannotBeStoredError", "Written", "write_2cbh"]


@dataclass
class Written:
    """What ``write_2cbh`` wrote."""

    path: Path
    """The path of the headers."""
    base: Base
    numbers: list[int] = field(default_factory=list)
    """For each record its place in the source, counted from 0."""
    analyses: set[int] = field(default_factory=set)
    """The places of the games that were written as analyses."""
    left_out: list[tuple[int, str]] = field(default_factory=list)
    """Records and annotations that have no known form in a 2CBH: the place of the record, and why."""


def write_2cbh(
    source: Iterable[Game],
    stem: Path,
    *,
    version: int = 5,
    encoding: str = "utf-8",
    header_size: int = 184,
    unused_container: int = 1024,
    spare: Spare = lambda _number: None,
    is_analysis: Callable[[Game], bool] = lambda _game: False,
    more: Callable[[Game], Mapping[str, int | bytes]] = lambda _game: {},
    title: str = "",
) -> Written:
    """Write all files of a base.

    Args:
        source: Games and guiding texts; others are left out.
        stem: The path of the base without a suffix; its name may contain dots.
        version: 5, or 3 as in older bases.
        encoding: The encoding of names and of the texts of annotations: ``utf-8``, ``cp1252`` or ``cp1251``. Texts that
            a code page lacks are in UTF-8, as in real bases.
        header_size: The size of the header of ``.2lid``: 184, 216, 228 or 236.
        unused_container: The size of the containers of the unused type of entities: 1024, or 0 as in newer bases.
        spare: The number of spare bytes after the bodies of a record, by its number from 0.
        is_analysis: Whether a game is stored as an analysis, which has fewer fields.
        more: Further fields of the header of a game, by the names in ``headers.FIELDS``; they replace derived ones.
        title: The title of the base.
    """
    page = TextEncoding(encoding)
    containers = (1024, 1120, 220, unused_container, 314, 532)
    base = Base(version, EntityFile(header_size, containers, page.encode_name), spare, title)
    written = Written(stem, base)
    for place, game in enumerate(source):
        reasons: list[str] = []
        try:
            _add(base, TabiyaRecord(game, page, more(game)), reasons, is_analysis=is_analysis(game))
            written.numbers.append(place)
            written.analyses |= {place} if is_analysis(game) else set()
        except CannotBeStoredError as error:
            reasons = [str(error)]
        written.left_out += [(place, reason) for reason in reasons]
    written.path = base.write(stem)
    return written


def _add(base: Base, record: TabiyaRecord, reasons: list[str], *, is_analysis: bool) -> None:
    game, references = record.game, record.references()
    if game.kind is RecordKind.TEXT:
        used = {name: references[name] for name in ("tournament", "source", "annotator", "tag")}
        base.add_text(used, record.text_values(), record.text_content(), deleted=game.deleted)
        return
    if game.kind is not RecordKind.GAME:
        raise CannotBeStoredError("a record that is neither a game nor a text")
    tag, words = record.words()
    annotations = record.annotations(reasons.append)
    if is_analysis:
        used = {name: references[name] for name in ("tag", "source", "annotator")}
        base.add_game(used, record.more, tag, words, annotations, kind=ANALYSIS, deleted=game.deleted)
    else:
        base.add_game(references, record.values(tag, words), tag, words, annotations, deleted=game.deleted)
