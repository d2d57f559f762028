"""The annotations of a move besides texts, symbols and drawings, as plain values for display only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import TabiyaError
from tabiya.game.annotations import (
    Arrows,
    BlackClock,
    CriticalPosition,
    Evaluation,
    Medals,
    Picture,
    Quotation,
    Raw,
    Solution,
    Sound,
    Squares,
    TimeSpent,
    Training,
    TrainingText,
    Unreadable,
    VariationColor,
    Video,
    WebLink,
    WhiteClock,
    name_of_kind,
)
from tabiya.game.annotations.marks import PHASES
from tabiya.game.nations import nation_code

if TYPE_CHECKING:
    from tabiya.game.annotation_properties import Annotated
    from tabiya.game.annotations import Value

_LANGUAGES: Final = ("ENG", "GER", "FRA", "ESP", "ITA", "NED", "POR")
"""Languages of training questions, by number."""
SAFE_LINKS: Final = ("http://", "https://", "mailto:")
"""Allowed prefixes of addresses that are shown as links."""
_EDITED_ELSEWHERE: Final = (Squares, Arrows, TimeSpent, Evaluation)


def display_values(node: Annotated) -> dict[str, Any]:
    """Return the values by name, without texts, NAGs and other editable values."""
    found: dict[str, Any] = {}
    for value in node.values:
        if isinstance(value, Raw):
            found.setdefault("others", []).append(name_of_kind(value.kind) or f"annotation of kind {value.kind}")
        elif isinstance(value, (WhiteClock, BlackClock)):
            if value.color is not node.color:
                found["other_clock"] = value.seconds
        elif (known := _KINDS.get(type(value))) is not None:
            name, many, show = known
            if many:
                found.setdefault(name, []).extend(show(value))
            else:
                found[name] = show(value)
        elif not isinstance(value, _EDITED_ELSEWHERE):
            found.setdefault("others", []).append(value.plural)
    return found


def _texts(texts: tuple[TrainingText, ...]) -> list[dict[str, str]]:
    return [{"language": _language(each.lang), "text": each.text} for each in texts]


def _language(lang: int) -> str:
    return _LANGUAGES[lang] if lang < len(_LANGUAGES) else str(lang)


def _training(value: Any) -> list[dict[str, Any]]:
    return [
        {
            "seconds": value.seconds,
            "points": value.points,
            "questions": _texts(value.questions),
            "hints": [_texts(hint) for hint in value.hints if hint],
            "solutions": [_solution(each) for each in value.solutions],
        }
    ]


def _solution(value: Solution) -> dict[str, Any]:
    promotion = ("", "", "n", "b", "r", "q")[value.promotion] if 0 <= value.promotion < 6 else ""
    uci = f"{value.source.text}{value.target.text}{promotion}"
    return {"uci": uci, "points": value.points, "texts": _texts(value.texts)}


def _quotation(value: Any) -> list[dict[str, str]]:
    try:
        return [{"text": value.format()}]
    except TabiyaError:
        return [{"text": " – ".join(name for name in (value.white, value.black) if name)}]


def _link(value: Any) -> list[dict[str, str]]:
    """Return a clickable link, or only its text: an address may be a script."""
    if not value.url.lower().startswith(SAFE_LINKS):
        return [{"text": value.text or value.url}]
    return [{"url": value.url, "text": value.text}]


def _picture(value: Any) -> list[dict[str, Any]]:
    return [] if value.number is None else [{"kind": "picture", "file": f"{value.number}.bmp"}]


def _sound(value: Any) -> list[dict[str, Any]]:
    return [{"kind": "sound", "file": f"{int(value.data)}.wav"}] if value.data.isdigit() else []


_KINDS: Final[dict[type[Value], tuple[str, bool, Callable[[Any], Any]]]] = {
    Medals: ("medals", True, lambda value: [*value.names]),
    CriticalPosition: ("critical", False, lambda value: PHASES.get(value.phase, "")),
    Training: ("training", True, _training),
    WebLink: ("links", True, _link),
    Picture: ("media", True, _picture),
    Sound: ("media", True, _sound),
    Video: (
        "media",
        True,
        lambda value: [{"kind": "video", "text": value.caption, "language": nation_code(value.lang)}],
    ),
    Quotation: ("quotes", True, _quotation),
    VariationColor: (
        "variation_color",
        False,
        lambda value: f"#{value.red:02x}{value.green:02x}{value.blue:02x}",
    ),
    Unreadable: ("unreadable", False, lambda value: value.text),
}
"""By class: the name of its values, whether there may be several, and their plain form."""
