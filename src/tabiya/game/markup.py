"""HTML as plain text, for terminals: paragraphs, lists, links and pictures, and nothing that runs or loads.

The scanner of the standard library takes minutes for a hundred kilobytes of hostile markup. This one is linear: a
search that failed once is not repeated.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_TAG_NAME: Final = re.compile(r"/?[A-Za-z][A-Za-z0-9]*")
_TAG_STOP: Final = re.compile("[>\"']")
_ATTRIBUTE: Final = re.compile(r"""([A-Za-z][A-Za-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_MOST_OF_A_TAG: Final = 8192
"""Attributes beyond that are ignored."""
_SPACES: Final = re.compile(r"[ \t\r\n\f\v]+")
_FEN: Final = re.compile(r"\s*fen:([^;]*)", re.IGNORECASE)
_SAFE_LINKS: Final = ("http://", "https://", "mailto:")

_INVISIBLE: Final = frozenset({"head", "script", "style", "title"})
_BLOCKS: Final = frozenset(
    {"p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "pre", "center", "body"}
)
"""Elements with an empty line around them."""
_LINES: Final = frozenset({"br", "tr", "li", "hr", "dt", "dd"})
"""Elements that begin a line."""
_LEADS: Final = {"li": "- ", "hr": "-" * 20}


@dataclass(frozen=True, slots=True)
class Tag:
    """``<a href="x">`` or, as ``/a``, ``</a>``."""

    name: str
    text: str

    @property
    def attributes(self) -> dict[str, str]:
        """Names in lower case, unescaped values; the first of a name counts."""
        found: dict[str, str] = {}
        for match in _ATTRIBUTE.finditer(self.text, 0, _MOST_OF_A_TAG):
            value = next((group for group in match.groups()[1:] if group is not None), "")
            found.setdefault(match[1].lower(), unescape(value))
        return found


def unescape(text: str) -> str:
    """Return text with ``&amp;`` and the like as letters."""
    try:
        return html.unescape(text)
    except ValueError:  # a reference with more digits than Python converts
        return text


def scan(markup: str) -> Iterator[str | Tag]:
    """Yield texts and tags, in order; comments are left out. Linear, whatever the markup."""
    finder = _Finder(markup)
    place = 0
    while place < len(markup):
        begin = finder.find("<", place)
        if begin > place:
            yield unescape(markup[place:begin])
        place = begin
        if place == len(markup):
            return
        if markup.startswith("<!--", place):
            place = finder.find("-->", place + 4) + 3
        elif markup.startswith(("<!", "<?"), place):
            place = finder.find(">", place) + 1
        elif name := _TAG_NAME.match(markup, place + 1):
            end = finder.tag_end(name.end())
            yield Tag(name[0].lower(), markup[name.end() : end])
            place = end + 1
        else:
            yield "<"
            place += 1


class _Finder:
    """``str.find`` that remembers which texts do not occur any more; it then returns the end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._absent: set[str] = set()

    def find(self, text: str, place: int) -> int:
        if text in self._absent:
            return len(self._text)
        found = self._text.find(text, place)
        if found < 0:
            self._absent.add(text)
            return len(self._text)
        return found

    def tag_end(self, place: int) -> int:
        """Return the ``>`` that ends a tag, ignoring those in quotes, unless the quote is not closed."""
        while stop := _TAG_STOP.search(self._text, place):
            if stop[0] == ">":
                return stop.start()
            close = self.find(stop[0], stop.end())
            place = close + 1 if close < len(self._text) else stop.end()
        return len(self._text)


def scan_visible(markup: str) -> Iterator[str | Tag]:
    """Yield what ``scan`` yields, without elements that a browser does not show."""
    hidden = ""
    for each in scan(markup):
        if hidden:
            if isinstance(each, Tag) and each.name in {f"/{hidden}", "body"}:
                hidden = ""
        elif isinstance(each, Tag) and each.name in _INVISIBLE:
            hidden = each.name
        else:
            yield each


def references(markup: str) -> list[str]:
    """Return the files that a page shows or plays, as they are written there, each once."""
    tags = [each for each in scan(markup) if isinstance(each, Tag)]
    found = (tag.attributes.get("src", "") for tag in tags if tag.name in {"img", "audio", "video", "source", "embed"})
    return list(dict.fromkeys(source for source in found if source))


def html_to_text(markup: str) -> str:
    """Return a page for a terminal: lines of any length, paragraphs separated by an empty line."""
    page = _Page()
    for each in scan_visible(markup):
        if isinstance(each, str):
            page.add_text(each)
        else:
            page.add_tag(each)
    return page.finish()


@dataclass(slots=True)
class _Page:
    """Collects lines of text."""

    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    pre: bool = False
    link: str = ""

    def add_text(self, text: str) -> None:
        if self.pre:
            first, *lines = text.splitlines() or [""]
            self.line.append(first)
            for other in lines:
                self.end_line()
                self.line.append(other)
        else:
            self.line.append(_SPACES.sub(" ", text))

    def add_tag(self, tag: Tag) -> None:
        name = tag.name.removeprefix("/")
        if name in _BLOCKS:
            self.end_line()
            if self.lines and self.lines[-1]:
                self.lines.append("")
            self.pre = tag.name == "pre" or (self.pre and name != "pre")
        elif name in _LINES and (name == tag.name or name != "br"):
            self.end_line(even_empty=name == "br")
            self.line += [_LEADS[tag.name]] if tag.name in _LEADS else []
        elif tag.name in {"td", "th"} and any(self.line):
            self.line.append("  ")
        elif tag.name == "img":
            self.line.append(_picture(tag.attributes))
        elif tag.name == "a":
            self.link = tag.attributes.get("href", "")
        elif tag.name == "/a":
            if self.link.lower().startswith(_SAFE_LINKS):
                self.line.append(f" <{self.link.removeprefix('mailto:')}>")
            self.link = ""

    def end_line(self, *, even_empty: bool = False) -> None:
        text = "".join(self.line)
        text = text.rstrip() if self.pre else _SPACES.sub(" ", text.replace("\xa0", " ")).strip()
        self.line.clear()
        if text or (even_empty and self.lines and self.lines[-1]):
            self.lines.append(text)

    def finish(self) -> str:
        self.end_line()
        return "\n".join(self.lines).strip("\n")


def _picture(attributes: dict[str, str]) -> str:
    """Return a description of a picture. ChessBase draws diagrams as pictures, with the position as their text."""
    words = attributes.get("alt", "")
    if position := _FEN.match(words):
        return f"[diagram {position[1].strip()}]"
    name = re.split(r"[\\/]", attributes.get("src", ""))[-1]
    return f"[picture {words or name}]"
