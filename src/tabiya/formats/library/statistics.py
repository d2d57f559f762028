"""Statistics of a library without reading its games: the facts of all records, and a few counts.

The manifest stores the counts that do not follow from the facts. Every change adds the counts of the records it writes
and subtracts those of the records it replaces, so that they always describe the visible records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.errors import CorruptError
from tabiya.game.record import RecordKind
from tabiya.positions.game_facts import NO_RATING, Flag
from tabiya.positions.name_table import NO_NAME

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.formats.library.contents import Library
    from tabiya.formats.library.manifest import Manifest
    from tabiya.formats.operations.summary import Summary

_ANNOTATION: Final = "annotation "
_FIRST_DATE: Final = 10_000
"""Facts with a smaller date have no year."""


def statistics_of(records: pa.RecordBatch) -> Counter[str]:
    """Return the counts of some records that the manifest stores, by name."""
    problems = records["problems"]
    counts = Counter(
        {
            "texts": int(np.count_nonzero(records["kind"].to_numpy() == RecordKind.TEXT)),
            "problems": len(problems.flatten()),
            "with problems": int(np.count_nonzero(np.diff(problems.offsets.to_numpy()))),
        }
    )
    kinds = records["annotations"].flatten().field("kind").value_counts().to_pylist()
    counts.update({f"{_ANNOTATION}{each['values']}": each["counts"] for each in kinds})
    return counts


def statistics_after(manifest: Manifest, change: Mapping[str, int], *, whole: bool = False) -> dict[str, int] | None:
    """Return the statistics of a library after a change, or None if the previous ones are unknown.

    Args:
        manifest: the manifest before the change.
        change: the increase of each count.
        whole: whether the change wrote all records, so that previous counts do not matter.
    """
    if manifest.statistics is None and manifest.segments and not whole:
        return None
    counts = Counter({} if whole else manifest.statistics or {})
    counts.update(change)
    return {name: count for name, count in sorted(counts.items()) if count}


def add_facts(summary: Summary, library: Library) -> bool:
    """Complete a summary without reading games; return False if the library has no statistics."""
    manifest = library.manifest
    known = manifest.statistics if manifest.segments else {}
    if known is None:
        return False
    stored = sum(file.bytes for segment in manifest.segments for file in segment.files.values())
    summary.bytes = stored + len(manifest.to_bytes())
    summary.records = manifest.records
    players, events = _Names(library), _Names(library)
    for segment in library.segments:
        facts = segment.facts if segment.hidden is None else segment.facts[~segment.hidden]
        flags = facts["flags"]
        summary.games += int(np.count_nonzero(flags & Flag.GAME))
        summary.deleted += int(np.count_nonzero(flags & Flag.DELETED))
        summary.annotated += int(np.count_nonzero(flags & Flag.ANNOTATIONS))
        summary.with_variations += int(np.count_nonzero(flags & Flag.VARIATIONS))
        players.add(facts["white"])
        players.add(facts["black"])
        events.add(facts["event"])
        summary.count_results(dict(enumerate(np.bincount(facts["result"]).tolist())))
        summary.count_dates(facts["date"][facts["date"] >= _FIRST_DATE])
        for column in ("white_elo", "black_elo"):
            summary.count_ratings(facts[column][facts[column] != NO_RATING])
    summary.players, summary.events = len(players), len(events)
    summary.texts = known.get("texts", 0)
    summary.opaque = summary.records - summary.games - summary.texts
    summary.problems, summary.with_problems = known.get("problems", 0), known.get("with problems", 0)
    summary.count_annotations(
        {int(name.removeprefix(_ANNOTATION)): count for name, count in known.items() if name.startswith(_ANNOTATION)}
    )
    return True


class _Names:
    """Counts distinct names by their numbers."""

    def __init__(self, library: Library) -> None:
        self._path = library.path
        self._seen = np.zeros(library.manifest.names + 1, np.bool_)
        """By number; the last one for no name."""

    def add(self, numbers: NDArray[Any]) -> None:
        if len(numbers) and not NO_NAME <= int(numbers.min()) <= int(numbers.max()) < len(self._seen) - 1:
            what = "the filter of the library is damaged: it has numbers of names that do not exist"
            raise CorruptError(f"{what}; tabiya check gives details", path=self._path)
        self._seen[numbers] = True

    def __len__(self) -> int:
        return int(np.count_nonzero(self._seen[:-1]))
