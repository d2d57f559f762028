"""Arguments of commands in comments: escapes, quoted strings, base64, languages."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from tabiya.errors import FormatError
from tabiya.game.nations import nation_code, nation_number

_ESCAPE: Final = re.compile(r'\\(?:([\]\\"])|([nrt])|u([0-9A-Fa-f]{4}))')
_BREAKS: Final = {"n": "\n", "r": "\r", "t": "\t"}
_NAMES: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\", "]": r"\]"}
# Lines may break at single blanks, and blanks at either end may be lost: other blanks are escaped.
_SPECIAL: Final = re.compile(r"[\x00-\x1f\x7f}\\\]]|^ | $|(?<= ) ")
_SPECIAL_QUOTED: Final = re.compile(r'[\x00-\x1f\x7f}\\\]"]|(?<= ) ')
_WORD: Final = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))', re.DOTALL)
_BLANKS: Final = re.compile(r"\s+")

_Part = TypeVar("_Part")


def unescape(text: str) -> str:
    r"""Return an argument without its escapes; a backslash before an unknown letter is a backslash."""
    return _ESCAPE.sub(_letter, text) if "\\" in text else text


def _letter(found: re.Match[str]) -> str:
    plain, name, code = found.groups()
    if plain:
        return str(plain)
    if name:
        return _BREAKS[name]
    letter = int(code, 16)
    # A surrogate has no UTF-8 form; it stays as it is.
    return found.group() if 0xD800 <= letter <= 0xDFFF else chr(letter)


def escape(text: str) -> str:
    """Return a text with escapes for the argument of a command."""
    return _SPECIAL.sub(_name, text)


def quote(text: str) -> str:
    """Return a text with escapes in quotes."""
    return f'"{_SPECIAL_QUOTED.sub(_name, text)}"'


def _name(found: re.Match[str]) -> str:
    letter = found.group()
    return _NAMES.get(letter) or (r"\"" if letter == '"' else f"\\u{ord(letter):04X}")


def words(arguments: str) -> Iterator[tuple[str, bool]]:
    """Yield the words of an argument, and whether each was quoted; FormatError if a quote is not closed."""
    place = 0
    end = len(arguments.rstrip())
    while place < end:
        found = _WORD.match(arguments, place)
        if found is None:
            raise FormatError(f"a quote is not closed: {arguments[place : place + 40]}")
        quoted, bare = found.groups()
        yield (unescape(quoted), True) if bare is None else (bare, False)
        place = found.end()


def compact(arguments: str) -> str:
    """Return a number, a time or a list without blanks from line breaks."""
    return _BLANKS.sub("", arguments)


def sift(members: Iterable[str], parse: Callable[[str], _Part]) -> tuple[list[_Part], str]:
    """Parse the members of a list, and return the unreadable ones as a text; FormatError if all are unreadable."""
    found: list[_Part] = []
    unread: list[str] = []
    reason = FormatError("an empty list")
    for member in members:
        try:
            found.append(parse(member))
        except FormatError as error:
            unread.append(member)
            reason = error
    if not found:
        raise reason
    return found, ",".join(filter(None, unread))


def parse_base64(text: str) -> bytes:
    """Return the bytes of base64; blanks are ignored."""
    try:
        return base64.b64decode(compact(text), validate=True)
    except (binascii.Error, ValueError) as error:
        raise FormatError("this is not base64") from error


def format_base64(data: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(data).decode("ascii")


def parse_language(code: str) -> int:
    """Return the number of a language; FormatError if it is unknown. No code means all languages."""
    number = nation_number(code) if code else 0
    if number is None:
        raise FormatError(f"{code} is not a language")
    return number


def format_command(name: str, arguments: str, lang: int = 0) -> str:
    """``[%name:LANG arguments]``."""
    language = f":{nation_code(lang)}" if lang else ""
    return f"[%{name}{language} {arguments}]" if arguments else f"[%{name}{language}]"
