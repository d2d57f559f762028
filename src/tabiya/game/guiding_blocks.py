"""A guiding text as blocks of plain values that are safe to display: no markup remains that could run or load anything.

Paragraphs, headings, lists, tables, diagrams and pictures, each with spans of text that are bold, italic or links. Of
unknown elements only the text remains. The time is linear in the length of the text, whatever its markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tabiya.game.exchange.display_json import SAFE_LINKS
from tabiya.game.guiding_view import guiding_page
from tabiya.game.markup import Tag, scan_visible

if TYPE_CHECKING:
    from tabiya.game.record import GuidingText

_BLANKS: Final = re.compile(r"[ \t\r\n\f\v]+")
_FEN: Final = re.compile(r"\s*fen:([^;]*)", re.IGNORECASE)
_COLOR: Final = re.compile(r"#[0-9a-f]{6}")
_REFERENCE: Final = re.compile(r"javascript:CBLink\(tag_(text|game|player),(.*)\)", re.IGNORECASE | re.DOTALL)
"""A link to another record or to a player, as ChessBase writes it."""
_AFTER_TITLE: Final = 3
"""Number of arguments after the title of a text, which may contain commas."""
_MARKS: Final = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em", "cite"), "italic"),
    "u": "underline",
    **dict.fromkeys(("code", "tt", "kbd"), "code"),
}
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_PLAIN_BLOCKS: Final = frozenset({"p", "div", "center", "body", "html", "dt", "dd", "dl"})
_LISTS: Final = frozenset({"ul", "ol"})
_MEDIA: Final = {"img": "picture", "audio": "audio", "video": "video", "embed": "video", "source": "audio"}
_ALIGNMENTS: Final = frozenset({"left", "center", "right", "justify"})
_MOST_BLOCKS: Final = 20_000
_DEEPEST_LIST: Final = 16


def text_blocks(text: GuidingText) -> list[dict[str, Any]]:
    """Return one language of a guiding text."""
    return blocks_of(guiding_page(text))


def blocks_of(markup: str) -> list[dict[str, Any]]:
    """Return the blocks of a page."""
    page = _Page()
    for each in scan_visible(markup):
        if isinstance(each, str):
            page.text(each)
        else:
            page.tag(each)
        if len(page.blocks) >= _MOST_BLOCKS:
            break
    page.end()
    return page.blocks


class _Page:
    """Collects the blocks of a page."""

    def __init__(self) -> None:
        self.blocks: list[dict[str, Any]] = []
        self._spans: list[dict[str, Any]] = []
        self._kind: dict[str, Any] = {"type": "paragraph"}
        self._align = ""
        self._marks: dict[str, int] = {}
        self._link = ""
        self._reference: dict[str, Any] | None = None
        self._colors: list[str] = []
        self._lists: list[bool] = []
        self._pre = False
        self._rows: list[list[list[dict[str, Any]]]] | None = None

    def text(self, text: str) -> None:
        if not self._pre:
            text = _BLANKS.sub(" ", text)
            if not self._spans or "break" in self._spans[-1]:
                text = text.lstrip(" ")
        if not text:
            return
        span: dict[str, Any] = {"text": text}
        span |= {mark: True for mark, depth in self._marks.items() if depth > 0}
        if self._link:
            span["link"] = self._link
        if self._reference is not None:
            span["to"] = self._reference
        if self._colors and self._colors[-1]:
            span["color"] = self._colors[-1]
        last = self._spans[-1] if self._spans else None
        if last is not None and "text" in last and {**last, "text": ""} == {**span, "text": ""}:
            last["text"] += text
        else:
            self._spans.append(span)

    def tag(self, tag: Tag) -> None:
        closes, name = tag.name.startswith("/"), tag.name.removeprefix("/")
        if name in _MARKS:
            depth = self._marks.get(_MARKS[name], 0) + (-1 if closes else 1)
            self._marks[_MARKS[name]] = max(0, depth)
        elif name == "a":
            address = "" if closes else tag.attributes.get("href", "").strip()
            self._link = address if address.lower().startswith(SAFE_LINKS) else ""
            self._reference = _reference(address)
        elif name == "font":
            self._font(tag, closes=closes)
        elif name == "br":
            self._spans.append({"break": True})
        elif name in _MEDIA:
            if not closes:
                self._medium(name, tag.attributes)
        elif name in {"table", "tr", "td", "th"}:
            self._table(name, closes=closes)
        else:
            self._block(name, tag, closes=closes)

    def _font(self, tag: Tag, *, closes: bool) -> None:
        if closes:
            del self._colors[-1:]  # in place: there may be as many as there are blocks
        elif len(self._colors) < _MOST_BLOCKS:
            color = tag.attributes.get("color", "").lower()
            self._colors.append(color if _COLOR.fullmatch(color) else "")

    def _block(self, name: str, tag: Tag, *, closes: bool) -> None:
        if name in _LISTS:
            self._finish()
            self._lists = self._lists[:-1] if closes else [*self._lists, name == "ol"][:_DEEPEST_LIST]
            return
        if name == "hr":
            self._finish()
            self.blocks.append({"type": "rule"})
            return
        kinds: dict[str, dict[str, Any]] = {
            **{plain: {"type": "paragraph"} for plain in _PLAIN_BLOCKS},
            **{heading: {"type": "heading", "level": level} for heading, level in _HEADINGS.items()},
            "li": {"type": "item", "ordered": bool(self._lists and self._lists[-1]), "depth": max(1, len(self._lists))},
            "blockquote": {"type": "quote"},
            "pre": {"type": "code"},
        }
        if name in kinds:
            self._finish()
            self._pre = name == "pre" and not closes
            self._kind = {"type": "paragraph"} if closes else kinds[name]
            alignment = "center" if name == "center" else tag.attributes.get("align", "").lower()
            self._align = "" if closes or alignment not in _ALIGNMENTS else alignment

    def _table(self, name: str, *, closes: bool) -> None:
        if name == "table":
            self._finish()
            if self._rows:  # a nested table ends the outer one
                self.blocks.append({"type": "table", "rows": [row for row in self._rows if row]})
            self._rows = None if closes else []
        elif self._rows is not None and not closes:
            self._finish()
            if name == "tr" or not self._rows:
                self._rows.append([])
            if name != "tr":
                self._rows[-1].append([])
        elif self._rows is not None:
            self._finish()

    def _medium(self, name: str, attributes: dict[str, str]) -> None:
        words, source = attributes.get("alt", ""), attributes.get("src", "")
        position = _FEN.match(words)
        if position is None and not source:
            return
        kind, align, self._kind = self._kind, self._align, {"type": "paragraph"}
        self._finish()
        if position is not None:
            self.blocks.append({"type": "diagram", "fen": position[1].strip()})
        else:
            self.blocks.append({"type": _MEDIA[name], "file": source.replace("\\", "/"), "text": words})
        self._kind, self._align = kind, align

    def _finish(self) -> None:
        """Add the collected spans to a table cell, or as a block."""
        spans, self._spans = self._spans, []
        while spans and ("break" in spans[-1] or not spans[-1]["text"].strip(" \n")):
            spans.pop()
        if not any(span.get("text", "").strip() for span in spans):
            return
        if self._rows is not None and self._rows and self._rows[-1]:
            cell = self._rows[-1][-1]
            cell.extend([{"break": True}, *spans] if cell else spans)
            return
        self.blocks.append({**self._kind, **({"align": self._align} if self._align else {}), "spans": spans})
        if self._kind["type"] == "item":
            self._kind = {"type": "paragraph"}

    def end(self) -> None:
        """Add the remaining spans as blocks."""
        self._table("table", closes=True)
        self._finish()


def _reference(address: str) -> dict[str, Any] | None:
    """Return where a link of ChessBase leads: a text by its title, a player, or a game by its players and event."""
    found = _REFERENCE.fullmatch(address)
    if found is None:
        return None
    kind, arguments = found[1].lower(), found[2]
    if kind == "text":
        names = [arguments.rsplit(",", _AFTER_TITLE)[0].strip()]
    else:
        parts = [part.strip() for part in [*arguments.split(","), *[""] * 5][:5]]
        players = [", ".join(filter(None, parts[place : place + 2])) for place in (0, 2)]
        names = players[:1] if kind == "player" else [*players, parts[4]]
    return {"kind": kind, "names": names} if any(names) else None
