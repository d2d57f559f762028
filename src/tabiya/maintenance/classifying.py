"""Facts computed from the moves and from other games of the event: opening, length, time control, first day."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.evaluations import MoveValues, side_sums
from tabiya.formats.open_and_create import opened
from tabiya.game import GameBatch
from tabiya.game.record import RecordKind
from tabiya.game.time_controls import TimeClass, time_class
from tabiya.maintenance.event_dates import EventDates
from tabiya.maintenance.game_openings import OPENINGS, openings_of
from tabiya.maintenance.rewriting import Changed, ChangeReport, retagged, rewrite
from tabiya.maintenance.tag_columns import tag_texts
from tabiya.positions.game_facts import main_lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.maintenance.rewriting import ChangeOptions
    from tabiya.positions.game_facts import MainLines

TAG_OF_FACT: Final = {
    "eco": ("ECO",),
    "opening": ("Opening",),
    "plies": ("PlyCount",),
    "time": ("TimeClass",),
    "event-date": ("EventDate",),
    "accuracy": ("WhiteAccuracy", "BlackAccuracy"),
    "centipawn-loss": ("WhiteCentipawnLoss", "BlackCentipawnLoss"),
}
"""By name of the fact: the tags that it is written to."""
_UNKNOWN: Final = pa.array(["", "?", "-", "????.??.??"])
_CODES: Final = pa.array([opening.eco for opening in OPENINGS] + [None], pa.string())
_NAMES: Final = pa.array([opening.name for opening in OPENINGS] + [None], pa.string())
_CODE_LETTERS: Final = 3
_MOST_DISAGREEMENTS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How the codes in games compare with those of their positions."""

    compared: int
    """Games that have a code and a position with a name."""
    same: int
    """The code is the same."""
    chapter: int
    """Only the last digit differs: ``B90`` and ``B92``."""
    volume: int
    """Only the letter is the same."""
    other: int
    """The letter differs."""
    uncoded: int
    """Games without a valid code."""
    unnamed: int
    """Games in which no position has a name."""
    frequent: tuple[tuple[str, str, int], ...]
    """The most frequent disagreements: code in the game, code of the position, number of games."""

    @property
    def share(self) -> float | None:
        """Share of the compared games that have the same code."""
        return self.same / self.compared if self.compared else None

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison for JSON."""
        counts = {name: getattr(self, name) for name in Agreement.__slots__ if name != "frequent"}
        frequent = [{"tag": tag, "position": code, "games": games} for tag, code, games in self.frequent]
        return {**counts, "share": None if self.share is None else round(self.share, 4), "frequent": frequent}


@dataclass(frozen=True, slots=True)
class ClassifyReport:
    """The facts written, and how far the games agreed with them before."""

    changes: ChangeReport
    """``what`` has a count for each tag."""
    agreement: Agreement

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {**self.changes.as_dict(), "agreement": self.agreement.as_dict()}


def classify(
    source: Locations | Database,
    target: Location | None = None,
    *,
    facts: Iterable[str] = ("eco", "opening"),
    only_missing: bool = False,
    **how: Unpack[ChangeOptions],
) -> ClassifyReport:
    """Compute the openings of games and other facts, and write them into tags.

    The opening of a game is that of its last position that has a name, by any order of moves. Without ``target`` and
    ``in_place`` nothing is written: the report states what would change, and how it compares with the codes in the
    games.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        target: a new database with all records.
        facts: the facts to compute: ``eco`` (the tag ``ECO``), ``opening`` (``Opening``, its name), ``plies``
            (``PlyCount``), ``time`` (``TimeClass``: bullet, blitz, rapid, classical or correspondence, from
            ``TimeControl``), ``event-date`` (``EventDate``, the first day of the event by the dates of its games),
            ``accuracy`` and ``centipawn-loss`` of both sides, from the evaluations in the game (``WhiteAccuracy``,
            ``BlackAccuracy``, ``WhiteCentipawnLoss``, ``BlackCentipawnLoss``).
        only_missing: keep the values that games already have.
        how: ``numbers`` (the records that may change, ascending), ``in_place`` (replace the records where they are, if
            the format supports it), ``dry_run`` (write nothing), ``overwrite``, ``strict``, ``threads``, ``progress``,
            and ``options`` for ``tabiya.convert``.

    Raises:
        UsageError: A fact is unknown, or the format cannot replace records.
    """
    names = tuple(dict.fromkeys(facts))
    for fact in names:
        if fact not in TAG_OF_FACT:
            raise UsageError(f"{fact!r} is an unknown fact; known: {', '.join(TAG_OF_FACT)}")
    with opened(source) as database:
        events = EventDates.of(database, threads=how.get("threads", 1)) if "event-date" in names else None
        classifier = _Classifier(names, events, only_missing=only_missing)
        report = rewrite(database, classifier, target, **how)
    return ClassifyReport(report, _agreement(report.noted))


class _Classifier:
    """The change; it also counts pairs of codes: that of the game, and the correct one."""

    def __init__(self, facts: tuple[str, ...], events: EventDates | None, *, only_missing: bool) -> None:
        self._facts = facts
        self._events = events
        self._only_missing = only_missing

    def __call__(self, batch: GameBatch, chosen: NDArray[np.bool_]) -> Changed:
        records = batch.record_batch
        chosen = chosen & (records["kind"].to_numpy() == RecordKind.GAME)
        lines = main_lines_of(batch)
        places = pa.array(openings_of(records, lines))
        texts = self._texts(batch, lines, places)
        new = [(tag, texts[tag]) for fact in self._facts for tag in TAG_OF_FACT[fact]]
        changed = retagged(batch, ((tag, texts, chosen & self._differs(records, tag, texts)) for tag, texts in new))
        return replace(changed, noted=_pairs(records, _CODES.take(places), chosen))

    def _differs(self, records: pa.RecordBatch, tag: str, texts: pa.Array) -> NDArray[np.bool_]:
        """Return in which records the computed value differs from the tag."""
        old = tag_texts(records, tag)
        other = pc.and_(pc.is_valid(texts), pc.fill_null(pc.not_equal(old, texts), True))
        if self._only_missing:
            other = pc.and_(other, pc.or_(pc.is_null(old), pc.is_in(old, _UNKNOWN)))
        mask: NDArray[np.bool_] = other.to_numpy(zero_copy_only=False)
        return mask

    def _texts(self, batch: GameBatch, lines: MainLines, places: pa.Array) -> dict[str, pa.Array]:
        """Return the computed value of each record, by tag; null where there is none."""
        records = batch.record_batch
        texts = {"ECO": _CODES.take(places), "Opening": _NAMES.take(places)}
        texts["PlyCount"] = pa.array(np.diff(lines.ends)).cast(pa.string())
        texts["TimeClass"] = _time_classes(tag_texts(records, "TimeControl"))
        if self._events is not None:
            texts["EventDate"] = self._events.texts(records)
        if not {"accuracy", "centipawn-loss"}.isdisjoint(self._facts):
            texts |= _performances(batch)
        return texts


def _pairs(
    records: pa.RecordBatch, codes: pa.Array, chosen: NDArray[np.bool_]
) -> Counter[tuple[str | None, str | None]]:
    """Return the number of games for each pair of code in the game and correct code."""
    had = pc.utf8_slice_codeunits(records["eco"].dictionary_decode(), 0, _CODE_LETTERS)
    pairs = pa.table({"had": had.filter(pa.array(chosen)), "is": codes.filter(pa.array(chosen))})
    counts = pairs.group_by(["had", "is"], use_threads=False).aggregate([([], "count_all")]).to_pylist()
    return Counter({(row["had"], row["is"]): row["count_all"] for row in counts})


def _agreement(pairs: Counter[tuple[str | None, str | None]]) -> Agreement:
    """Return how codes compare."""
    counts: Counter[str] = Counter()
    differences: Counter[tuple[str, str]] = Counter()
    for (had, code), games in pairs.items():
        if had is None or not _is_code(had):
            counts["uncoded"] += games
        if code is None:
            counts["unnamed"] += games
        elif had is not None and _is_code(had):
            counts[_likeness(had, code)] += games
            if had != code:
                differences[had, code] += games
    compared = sum(counts[name] for name in ("same", "chapter", "volume", "other"))
    frequent = sorted(differences.items(), key=lambda each: (-each[1], each[0]))[:_MOST_DISAGREEMENTS]
    return Agreement(
        compared=compared,
        **{name: counts[name] for name in ("same", "chapter", "volume", "other", "uncoded", "unnamed")},
        frequent=tuple((*pair, games) for pair, games in frequent),
    )


def _is_code(text: str) -> bool:
    return len(text) == _CODE_LETTERS and text[0] in "ABCDE" and text[1:].isdigit() and text.isascii()


def _likeness(had: str, code: str) -> str:
    if had == code:
        return "same"
    return "chapter" if had[:2] == code[:2] else "volume" if had[0] == code[0] else "other"


def _performances(batch: GameBatch) -> dict[str, pa.Array]:
    """Return the accuracy and the average centipawn loss of both sides, with one decimal place."""
    values = MoveValues(batch)
    losses = side_sums(values).mean_loss[:, :, 0]
    found = {}
    for name, numbers in (("Accuracy", values.game_accuracies), ("CentipawnLoss", losses)):
        for side, color in enumerate(("White", "Black")):
            texts = [None if math.isnan(number) else f"{number:.1f}" for number in numbers[:, side].tolist()]
            found[f"{color}{name}"] = pa.array(texts, pa.string())
    return found


def _time_classes(controls: pa.Array) -> pa.Array:
    values = controls.dictionary_encode()
    classes = [time_class(text) for text in values.dictionary.to_pylist()]
    names = pa.array([None if each is TimeClass.UNKNOWN else each.name.lower() for each in classes], pa.string())
    return names.take(values.indices)
