"""Parameters of the Lichess explorer as conditions on games; unsupported ones are rejected, never ignored."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from tabiya.web.request import ApiError

if TYPE_CHECKING:
    from tabiya.web.request import Call

LICHESS_WORDS: Final = frozenset({"variant", "speeds", "ratings", "modes", "history"})
"""Parameters of Lichess that are not conditions of tabiya."""
_GROUPS: Final = (0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500)
"""Where the rating groups of Lichess begin; each ends where the next begins."""
_SPEEDS: Final = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")
MODES: Final = ("casual", "rated")
_SOURCE: Final = re.compile("s[0-9]{1,9}")
_CHESS960: Final = frozenset({"chess960", "fromPosition"})


def lichess_conditions(call: Call, *, unknown: str | None = None) -> dict[str, Any]:
    """Return the conditions that the parameters of Lichess describe; ``unknown`` is the speed of games without one.

    All groups of a kind together are no condition, so that games without a rating or a time control count then.

    Raises:
        ApiError: A parameter has an unknown value, or one that games contain no data for.
    """
    if (variant := call.text("variant", "standard")) not in _CHESS960 | {"standard"}:
        raise ApiError(422, f"“variant” can be standard, chess960 or fromPosition, not “{str(variant)[:40]}”.")
    if call.flag("history"):
        raise ApiError(422, "“history” cannot be answered here; leave it out.")
    chess960 = {"chess960": True} if variant in _CHESS960 else {}
    return {**chess960, **_speed_conditions(call, unknown), **_rating_conditions(call), **_mode_conditions(call)}


def source_number(call: Call) -> str | None:
    """Return the id of the database; other words are labels that front ends of Lichess send for its statistics."""
    name = call.text("source")
    return name if name is not None and _SOURCE.fullmatch(name) else None


def _mode_conditions(call: Call) -> dict[str, Any]:
    modes = _listed(call, "modes", MODES)
    return {"rated": modes == ["rated"]} if len(modes) == 1 else {}


def _speed_conditions(call: Call, unknown: str | None) -> dict[str, Any]:
    speeds = _listed(call, "speeds", _SPEEDS)
    if len(speeds) in {0, len(_SPEEDS)}:
        return {}
    if "ultraBullet" in speeds and "bullet" not in speeds:
        raise ApiError(422, "“speeds” cannot have ultraBullet without bullet: both are the time control bullet here.")
    _refuse_twice(call, "speeds", "time_controls")
    others = ["unknown"] if unknown in speeds else []
    return {"time_controls": [*(speed for speed in speeds if speed != "ultraBullet"), *others]}


def _rating_conditions(call: Call) -> dict[str, Any]:
    names = [str(group) for group in _GROUPS]
    groups = [names.index(text) for text in _listed(call, "ratings", names)]
    if len(groups) in {0, len(_GROUPS)}:
        return {}
    if any(after != before + 1 for before, after in pairwise(groups)):
        raise ApiError(422, "“ratings” can only have groups that follow each other, such as 1600,1800,2000.")
    _refuse_twice(call, "ratings", "min_elo", "max_elo", "elo_of")
    most = {"max_elo": _GROUPS[groups[-1] + 1] - 1} if groups[-1] + 1 < len(_GROUPS) else {}
    return {"elo_of": "mean", "min_elo": _GROUPS[groups[0]], **most}


def _listed(call: Call, name: str, allowed: tuple[str, ...] | list[str]) -> list[str]:
    """Return the values of a parameter, separated by commas or repeated, in the order of the known values."""
    given = {text.strip() for value in call.texts(name) for text in value.split(",") if text.strip()}
    if unknown := given.difference(allowed):
        raise ApiError(422, f"“{name}” can have {', '.join(allowed)}, not “{min(unknown)[:40]}”.")
    return [text for text in allowed if text in given]


def _refuse_twice(call: Call, name: str, *others: str) -> None:
    for other in others:
        if other in call.query or other.replace("_", "-") in call.query:
            raise ApiError(422, f"“{name}” and “{other}” mean the same; give one of them.")
