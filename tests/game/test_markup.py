from __future__ import annotations

import html
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.game.markup import Tag, html_to_text, references, scan


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("", ""),
        ("plain", "plain"),
        ("a &amp; b &lt;c&gt; &eacute; &#9812; &#x2654;", "a & b <c> é ♔ ♔"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<div><div><p>deep</p></div></div><p>end</p>", "deep\n\nend"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("one<br><br><br>two", "one\n\ntwo"),
        ("  many \r\n  blanks\t here&nbsp;&nbsp;too ", "many blanks here too"),
        ("<b>bold</b><i>both</i> <u>line</u>", "boldboth line"),
        ("<ul><li>one<li>two</ul>end", "- one\n- two\n\nend"),
        ("<table><tr><td>a<td>b</tr><tr><td>c</td><td>d</td></tr></table>", "a b\nc d"),
        ("a<hr>b", "a\n--------------------b"),
        ("<pre>a\n  b\n\tc</pre>d", "a\n  b\n\tc\n\nd"),
        ("<html><head><title>no</title><style>p {}</style></head><body>yes</body></html>", "yes"),
        ("<head>no<body>yes", "yes"),
        ("a<script>if (a < b) { '</b>' }</script>b", "ab"),
        ("a<!-- <p> -->b<!-- --x> -->c", "abc"),
        ("<!DOCTYPE html><?xml?>a", "a"),
        ('<a href="https://example.org/?a=1&amp;b=2">site</a>.', "site <https://example.org/?a=1&b=2>."),
        ("<a href='mailto:me@example.org'>me</a>", "me <me@example.org>"),
        ('<a href="javascript:CBLink(tag_game,A,B)">A - B</a>', "A - B"),
        ('<img src="x.html\\picture.jpg">', "[picture picture.jpg]"),
        ('<img alt="a knight" src="k.jpg">', "[picture a knight]"),
        ('<IMG ALT="fen:8/4k3/8/4PK2/8/8/8/8 w - - 0 1;" SRC=x.jpg>', "[diagram 8/4k3/8/4PK2/8/8/8/8 w - - 0 1]"),
        ('<p title="a > b">c', "c"),
        ("1 < 2 and 3 > 2 <3", "1 < 2 and 3 > 2 <3"),
        ("broken <p", "broken"),
        ("<p class='open>text", "text"),
        ("&#" + "9" * 5000 + ";", "&#" + "9" * 5000 + ";"),
    ],
)
def test_pages(markup: str, text: str) -> None:
    assert html_to_text(markup) == text


def test_attributes() -> None:
    (tag,) = scan("<img SRC = 'a b' alt=x&amp;y src=\"second\" width=3 / >")
    assert isinstance(tag, Tag)
    assert tag.attributes == {"src": "a b", "alt": "x&y", "width": "3"}


def test_references() -> None:
    page = '<img src="b\\a.jpg"><IMG SRC=c.png><img><video src="v.mp4"></video><img src="b\\a.jpg"><a href="no.html">'
    assert references(page) == ["b\\a.jpg", "c.png", "v.mp4"]


@pytest.mark.parametrize(
    "piece",
    ["<a", "<!--", "<a '", "<!", "</", "<a b=", "&", "&#", "<script>", "x ", '<a x="', "<img ", "<p>", "<pre>\n"],
)
def test_hostile_pages_end(piece: str) -> None:
    # Not a matter of time but of ending at all: a quadratic scanner needs hours for this.
    html_to_text(piece * 60_000)
    html_to_text(f"<img {piece * 60_000}>")


class Oracle(HTMLParser):
    """The standard library's idea of a page, for small ones."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"</{tag}>")


@given(
    st.lists(
        st.one_of(
            st.text("abc \n.ä", max_size=5),
            st.sampled_from(["<p>", "</p>", "<br>", "<b class='x'>", '<a href="a>b">', "</a>", "<!-- c -->", "&amp;"]),
        ),
        max_size=12,
    )
)
def test_scanning_is_that_of_the_standard_library(pieces: list[str]) -> None:
    markup = "".join(pieces)
    oracle = Oracle()
    oracle.feed(markup)
    oracle.close()
    ours = "".join(each if isinstance(each, str) else f"<{each.name}>" for each in scan(markup))
    assert ours == "".join(oracle.found)


@given(st.text("<>/!-&#;'\"= apimgbr\n", max_size=60))
def test_anything_is_text(markup: str) -> None:
    html_to_text(markup)
    references(markup)
    assert html_to_text(html.escape(markup)).split() == markup.split()
