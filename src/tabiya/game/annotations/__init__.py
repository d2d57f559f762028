"""Annotations: texts, NAGs and everything else that hangs on a move. A module per family of kinds.

The values of the kinds, and the text form, are imported when they are first used: most programs need neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.game.annotations.annotation import (
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    Annotation,
    Reason,
    Side,
)
from tabiya.game.annotations.nags import GLYPHS, NagList, decode_nags, encode_nags, format_nag
from tabiya.game.annotations.text import decode_text, encode_text
from tabiya.lazy import loader

if TYPE_CHECKING:
    from tabiya.game.annotations.comments import Comment, Formatted, format_comment, movetext_nags, parse_comment
    from tabiya.game.annotations.dialects import Dialect, Profile
    from tabiya.game.annotations.encoding import CP1251, CP1252, UTF8, TextEncoding, detect_encoding
    from tabiya.game.annotations.evaluations import Evaluation, EvaluationProfile, ProfileEntry
    from tabiya.game.annotations.graphics import Arrow, Arrows, ColoredSquare, Squares
    from tabiya.game.annotations.guiding import format_guiding_text, parse_guiding_text
    from tabiya.game.annotations.marks import (
        MEDALS,
        CriticalPosition,
        Medals,
        NagSequence,
        PawnStructure,
        PiecePath,
        Symbols,
        VariationColor,
    )
    from tabiya.game.annotations.media import CorrespondenceHeader, CorrespondenceMove, Picture, Sound, Video, WebLink
    from tabiya.game.annotations.prose import TextAfter, TextBefore, Unreadable
    from tabiya.game.annotations.quotation import Quotation
    from tabiya.game.annotations.registry import (
        COMMANDS,
        KINDS,
        VALUES,
        decode_payload,
        encode_payload,
        name_of_kind,
        typed,
    )
    from tabiya.game.annotations.times import BlackClock, Period, TimeControl, TimeSpent, VideoStreamTime, WhiteClock
    from tabiya.game.annotations.training import Solution, Training, TrainingText
    from tabiya.game.annotations.value import Raw, Value

__all__ = [
    "COMMANDS",
    "CP1251",
    "CP1252",
    "GLYPHS",
    "KINDS",
    "MEDALS",
    "NAGS",
    "SYMBOLS",
    "TEXT_AFTER",
    "TEXT_BEFORE",
    "UNREADABLE",
    "UTF8",
    "VALUES",
    "Annotation",
    "Arrow",
    "Arrows",
    "BlackClock",
    "ColoredSquare",
    "Comment",
    "CorrespondenceHeader",
    "CorrespondenceMove",
    "CriticalPosition",
    "Dialect",
    "Evaluation",
    "EvaluationProfile",
    "Formatted",
    "Medals",
    "NagList",
    "NagSequence",
    "PawnStructure",
    "Period",
    "Picture",
    "PiecePath",
    "Profile",
    "ProfileEntry",
    "Quotation",
    "Raw",
    "Reason",
    "Side",
    "Solution",
    "Sound",
    "Squares",
    "Symbols",
    "TextAfter",
    "TextBefore",
    "TextEncoding",
    "TimeControl",
    "TimeSpent",
    "Training",
    "TrainingText",
    "Unreadable",
    "Value",
    "VariationColor",
    "Video",
    "VideoStreamTime",
    "WebLink",
    "WhiteClock",
    "decode_nags",
    "decode_payload",
    "decode_text",
    "detect_encoding",
    "encode_nags",
    "encode_payload",
    "encode_text",
    "format_comment",
    "format_guiding_text",
    "format_nag",
    "movetext_nags",
    "name_of_kind",
    "parse_comment",
    "parse_guiding_text",
    "typed",
]

_HOMES = {
    "COMMANDS": "registry",
    "CP1251": "encoding",
    "CP1252": "encoding",
    "KINDS": "registry",
    "MEDALS": "marks",
    "UTF8": "encoding",
    "VALUES": "registry",
    "Arrow": "graphics",
    "Arrows": "graphics",
    "BlackClock": "times",
    "ColoredSquare": "graphics",
    "Comment": "comments",
    "CorrespondenceHeader": "media",
    "CorrespondenceMove": "media",
    "CriticalPosition": "marks",
    "Dialect": "dialects",
    "Evaluation": "evaluations",
    "EvaluationProfile": "evaluations",
    "Formatted": "comments",
    "Medals": "marks",
    "NagSequence": "marks",
    "PawnStructure": "marks",
    "Period": "times",
    "Picture": "media",
    "PiecePath": "marks",
    "Profile": "dialects",
    "ProfileEntry": "evaluations",
    "Quotation": "quotation",
    "Raw": "value",
    "Solution": "training",
    "Sound": "media",
    "Squares": "graphics",
    "Symbols": "marks",
    "TextAfter": "prose",
    "TextBefore": "prose",
    "TextEncoding": "encoding",
    "TimeControl": "times",
    "TimeSpent": "times",
    "Training": "training",
    "TrainingText": "training",
    "Unreadable": "prose",
    "Value": "value",
    "VariationColor": "marks",
    "Video": "media",
    "VideoStreamTime": "times",
    "WebLink": "media",
    "WhiteClock": "times",
    "decode_payload": "registry",
    "detect_encoding": "encoding",
    "encode_payload": "registry",
    "format_comment": "comments",
    "format_guiding_text": "guiding",
    "movetext_nags": "comments",
    "name_of_kind": "registry",
    "parse_comment": "comments",
    "parse_guiding_text": "guiding",
    "typed": "registry",
}


if not TYPE_CHECKING:  # type checkers see the imports above, and no name that is not there
    __getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
