"""The words of the API: conditions for forms, columns to sort by, signs and languages."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from tabiya.formats.pgn.spellings import LANGUAGES
from tabiya.game.annotations import GLYPHS
from tabiya.game.annotations.graphics import COLOR_WORDS
from tabiya.game.annotations.nags import SLOTS
from tabiya.game.condition_words import CONDITION_WORDS
from tabiya.game.nations import nations
from tabiya.search.keywords import FLAGS, KEYWORDS, MODIFIERS, SIDE
from tabiya.search.list_order import SORTABLE

if TYPE_CHECKING:
    from tabiya.web.answers import server
    from tabiya.web.request import Call
    from tabiya.web.site import Site

_ENGLISH_LETTERS: Final = "KQRBNP"
_SLOTS: Final[tuple[server.Slot, ...]] = ("move", "position", "prefix")


def show_vocabulary(_site: Site, _call: Call) -> server.Vocabulary:
    """Return all words, with what they mean."""
    return _vocabulary()


@cache
def _vocabulary() -> server.Vocabulary:
    headers: list[server.Condition] = [
        {"name": name, "kind": word.kind, "help": word.help, "metavar": word.metavar, "choices": [*word.choices]}
        for name, word in CONDITION_WORDS.items()
    ]
    position: list[server.Condition] = [
        {"name": name, "kind": "texts", "help": word.help, "metavar": word.metavar} for name, word in KEYWORDS.items()
    ]
    position += [{"name": name, "kind": "flag", "help": text} for name, text in FLAGS.items()]
    position += [
        {"name": name, "kind": "number" if name == "lasting" else "flag", "help": text, "modifies": True}
        for name, text in (MODIFIERS | {"in-variations": "Search variations as well."}).items()
    ]
    position += [
        {"name": name, "kind": "text", "help": word.help, "metavar": word.metavar, "modifies": True}
        for name, word in SIDE.items()
    ]
    return {
        "headers": headers,
        "position": position,
        "sort": [*SORTABLE],
        "nags": [{"nag": nag, "glyph": glyph, "slot": _slot(nag)} for nag, glyph in GLYPHS.items()],
        "languages": [{"code": code, "name": name} for code, name in nations().values()],
        "piece_letters": [
            {"language": name, "letters": [*(letters or _ENGLISH_LETTERS)]} for name, letters in LANGUAGES.items()
        ],
        "colors": [*COLOR_WORDS.values()],
    }


def _slot(nag: int) -> server.Slot:
    return next((name for name, members in zip(_SLOTS, SLOTS, strict=True) if nag in members), "other")
