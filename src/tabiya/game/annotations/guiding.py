"""Guiding texts, the records of a base that contain prose, as commands: ``[%text GER "title" base64]``."""

from __future__ import annotations

from typing import Final

from tabiya.errors import FormatError
from tabiya.game.annotations.escapes import format_base64, format_command, parse_base64, quote, words
from tabiya.game.record import GuidingText

_LANGUAGES: Final = ("ENG", "GER", "FRA", "ESP", "ITA", "NED", "POR")
"""By number; these differ from the numbers of nations."""
_USUAL_FORMAT: Final = 3


def parse_guiding_text(arguments: str) -> GuidingText:
    """Read a language, a title in quotes, the body; then the format, if not 3, and the formatting, if any."""
    match list(words(arguments)):
        case [(code, False), (title, True), (body, False), *rest] if len(rest) <= 2:
            pass
        case [(code, False), (title, True)]:
            body, rest = "", []
        case _:
            raise FormatError('a guiding text is a language, a title in quotes and base64: ENG "Title" PGI+')
    number = _LANGUAGES.index(code) if code in _LANGUAGES else _number(code)
    version = _number(rest[0][0]) if rest else _USUAL_FORMAT
    formatting = parse_base64(rest[1][0].removeprefix("=")) if len(rest) > 1 else None
    return GuidingText(number, title, version, parse_base64(body.removeprefix("=")), formatting)


def format_guiding_text(text: GuidingText) -> str:
    """Return the whole command. An empty body is written as ``=`` if fields follow."""
    parts = [guiding_language(text.lang), quote(text.title), format_base64(text.body)]
    if text.format != _USUAL_FORMAT or text.formatting is not None:
        parts[2] = parts[2] or "="
        parts.append(str(text.format))
    if text.formatting is not None:
        parts.append(format_base64(text.formatting) or "=")
    return format_command("text", " ".join(parts).rstrip())


def guiding_language(number: int) -> str:
    """Return the code of a language of guiding texts, or its number."""
    return _LANGUAGES[number] if number < len(_LANGUAGES) else str(number)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) < 1 << 16):
        raise FormatError(f"{text!r} is not a number from 0 to 65535")
    return int(text)
