"""Conditions on the content of a record: number of moves, annotations, time control."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE
from tabiya.game.lists import members, owners
from tabiya.game.record import RecordKind
from tabiya.game.tape import BEGIN, END
from tabiya.game.time_controls import TimeClass, time_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    Mask: TypeAlias = NDArray[np.bool_]

_COMMENTS: Final = (TEXT_AFTER, TEXT_BEFORE)
_TIME_CONTROL: Final = "TimeControl"
TIME_CLASSES: Final = tuple(each.name.lower() for each in TimeClass)


def ply_counts(records: pa.RecordBatch) -> NDArray[np.int64]:
    """Return the number of half-moves in the main lines of records."""
    tokens, offsets = _tape(records)
    depth = np.concatenate(([0], np.cumsum((tokens == BEGIN).astype(np.int8) - (tokens == END), dtype=np.int64)))
    main = (tokens < BEGIN) & (depth[1:] == np.repeat(depth[offsets[:-1]], np.diff(offsets)))
    totals = np.concatenate(([0], np.cumsum(main)))
    counts: NDArray[np.int64] = totals[offsets[1:]] - totals[offsets[:-1]]
    return counts


def plies_within(least: int, most: int, records: pa.RecordBatch) -> Mask:
    """Return which games have a number of half-moves in this range in their main line."""
    plies = ply_counts(records)
    mask: Mask = (plies >= least) & (plies <= most) & (records["kind"].to_numpy() == RecordKind.GAME)
    return mask


def comments_match(matcher: Callable[[pa.Array], pa.BooleanArray], records: pa.RecordBatch) -> Mask:
    """Return which records have a comment accepted by the matcher."""
    annotations, offsets = members(records["annotations"])
    is_comment = np.isin(annotations.field("kind").to_numpy(), _COMMENTS)
    texts = _decoded(annotations.field("data").filter(pa.array(is_comment)))
    found = pc.fill_null(matcher(texts), False).to_numpy(zero_copy_only=False)
    return _any_of(len(records), owners(offsets)[is_comment][found])


def _decoded(texts: pa.Array) -> pa.Array:
    try:
        return texts.cast(pa.string())
    except pa.ArrowInvalid:  # a text is damaged
        return pa.array([text.decode("utf-8", "replace") for text in texts.to_pylist()], pa.string())


def time_class_in(selected: frozenset[TimeClass], records: pa.RecordBatch) -> Mask:
    """Return which records have one of these classes of time control; without the tag it is unknown."""
    tags, offsets = members(records["tags"])
    is_control = pc.equal(tags.field("name"), _TIME_CONTROL).to_numpy(zero_copy_only=False)
    controls = tags.field("value").filter(pa.array(is_control)).dictionary_encode()
    classes = np.array([time_class(text) for text in controls.dictionary.to_pylist()], np.uint8)
    found = np.full(len(records), TimeClass.UNKNOWN, np.uint8)
    rows = owners(offsets)[is_control]
    # The first of several tags counts, as in ``Tags.get``.
    found[rows[::-1]] = classes[controls.indices.to_numpy()[::-1]] if len(classes) else TimeClass.UNKNOWN
    return np.isin(found, [*selected])


def features(names: Iterable[str]) -> list[Callable[[pa.RecordBatch], Mask]]:
    """Return the conditions for names of features.

    Raises:
        UsageError: One of them does not exist.
    """
    for name in names:
        if name not in FEATURES:
            raise UsageError(f"{name!r} is not a feature of records; known: {', '.join(FEATURES)}")
    return [FEATURES[name] for name in names]


def _tape(records: pa.RecordBatch) -> tuple[Any, NDArray[np.int64]]:
    tokens, offsets = members(records["moves"])
    return tokens.to_numpy(zero_copy_only=False), offsets


def _any_of(count: int, rows: NDArray[np.int64]) -> Mask:
    mask: Mask = np.zeros(count, np.bool_)
    mask[rows] = True
    return mask


def _has_token(token: int, records: pa.RecordBatch) -> Mask:
    tokens, offsets = _tape(records)
    return _any_of(len(records), owners(offsets)[tokens == token])


def _has_moves(records: pa.RecordBatch) -> Mask:
    return np.diff(_tape(records)[1]) > 0


def _has_kind(kinds: tuple[int, ...], records: pa.RecordBatch) -> Mask:
    """Return which records have annotations of these kinds; of any kind if there are none."""
    annotations, offsets = members(records["annotations"])
    rows = owners(offsets)
    if kinds:
        rows = rows[np.isin(annotations.field("kind").to_numpy(), kinds)]
    return _any_of(len(records), rows)


def _are_of(kind: RecordKind, records: pa.RecordBatch) -> Mask:
    mask: Mask = records["kind"].to_numpy() == kind
    return mask


def _has_value(names: tuple[str, ...], records: pa.RecordBatch) -> Mask:
    """Return which records have annotations of the kinds with these Python names."""
    from tabiya.game.annotations.registry import KINDS  # noqa: PLC0415 - takes time

    found = {cls.__name__: kind for kind, cls in KINDS.items()}
    return _has_kind(tuple(found[name] for name in names), records)


FEATURES: Final[dict[str, Callable[[pa.RecordBatch], Mask]]] = {
    "moves": _has_moves,
    "variations": partial(_has_token, BEGIN),
    "annotations": partial(_has_kind, ()),
    "comments": partial(_has_kind, _COMMENTS),
    "symbols": partial(_has_kind, (SYMBOLS, NAGS)),
    "medals": partial(_has_value, ("Medals",)),
    "evaluations": partial(_has_value, ("Evaluation", "EvaluationProfile")),
    "clocks": partial(_has_value, ("WhiteClock", "BlackClock", "TimeSpent")),
    "drawings": partial(_has_value, ("Squares", "Arrows")),
    "training": partial(_has_value, ("Training",)),
    "quotations": partial(_has_value, ("Quotation",)),
    "media": partial(_has_value, ("Sound", "Picture", "Video")),
    "setup": lambda records: records["start"].is_valid().to_numpy(zero_copy_only=False),
    "text": partial(_are_of, RecordKind.TEXT),
    "deleted": lambda records: records["deleted"].to_numpy(zero_copy_only=False),
    "problems": lambda records: np.diff(members(records["problems"])[1]) > 0,
}
"""The condition for each feature of a record, by name."""
