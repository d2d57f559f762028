from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.game import GuidingText
from tabiya.game.guiding_blocks import blocks_of, text_blocks


def texts_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in texts_in(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts_in(each)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize(
    ("markup", "blocks"),
    [
        ("plain", [{"type": "paragraph", "spans": [{"text": "plain"}]}]),
        (
            "<p>one <b>two</b></p><p align=center>three</p>",
            [
                {"type": "paragraph", "spans": [{"text": "one "}, {"text": "two", "bold": True}]},
                {"type": "paragraph", "align": "center", "spans": [{"text": "three"}]},
            ],
        ),
        ("<h2>Head</h2>", [{"type": "heading", "level": 2, "spans": [{"text": "Head"}]}]),
        (
            "<ol><li>one<li>two</ol>",
            [
                {"type": "item", "ordered": True, "depth": 1, "spans": [{"text": "one"}]},
                {"type": "item", "ordered": True, "depth": 1, "spans": [{"text": "two"}]},
            ],
        ),
        ("a<hr>b", [{"type": "paragraph", "spans": [{"text": "a"}]}, {"type": "rule"}, *blocks_of("b")]),
        ("a<br>b", [{"type": "paragraph", "spans": [{"text": "a"}, {"break": True}, {"text": "b"}]}]),
        ("<pre>a\n b</pre>", [{"type": "code", "spans": [{"text": "a\n b"}]}]),
        ('<img alt="fen:8/8/8/8/8/8/8/8 w;x" src="x.png">', [{"type": "diagram", "fen": "8/8/8/8/8/8/8/8 w"}]),
        ('<img src="a\\b.png" alt="words">', [{"type": "picture", "file": "a/b.png", "text": "words"}]),
        (
            "<table><tr><td>a<td>b<tr><td>c</table>",
            [{"type": "table", "rows": [[[{"text": "a"}], [{"text": "b"}]], [[{"text": "c"}]]]}],
        ),
        (
            '<a href="https://example.org">there</a>',
            [{"type": "paragraph", "spans": [{"text": "there", "link": "https://example.org"}]}],
        ),
        (
            '<a href="javascript:CBLink(tag_text,One, two,,,0)">there</a>',
            [{"type": "paragraph", "spans": [{"text": "there", "to": {"kind": "text", "names": ["One, two"]}}]}],
        ),
        (
            '<a href="javascript:CBLink(tag_game,A,Ann,B,,,, 0 0   0,0,0,0)">it</a>',
            [{"type": "paragraph", "spans": [{"text": "it", "to": {"kind": "game", "names": ["A, Ann", "B", ""]}}]}],
        ),
        (
            '<a href="javascript:CBLink(tag_player,Magnus,Carlsen)">he</a>',
            [{"type": "paragraph", "spans": [{"text": "he", "to": {"kind": "player", "names": ["Magnus, Carlsen"]}}]}],
        ),
        ('<a href="javascript:CBLink(tag_text,,,,0)">x</a>', [{"type": "paragraph", "spans": [{"text": "x"}]}]),
        ('<a href="javascript:alert(1)">x</a>', [{"type": "paragraph", "spans": [{"text": "x"}]}]),
        ('<font color="#FF0000">red</font>', [{"type": "paragraph", "spans": [{"text": "red", "color": "#ff0000"}]}]),
        ("<script>alert(1)</script><style>p {}</style><title>t</title>", []),
        ('<p onclick="alert(1)" style="x">a</p>', [{"type": "paragraph", "spans": [{"text": "a"}]}]),
    ],
)
def test_blocks(markup: str, blocks: list[dict[str, Any]]) -> None:
    assert blocks_of(markup) == blocks


@given(
    st.lists(st.sampled_from(["<p>", "</p>", "<b>", "</b>", "<li>", "<ul>", "</ul>", "<table>", "</table>", "<td>"]))
)
def test_any_nesting_keeps_the_text(tags: list[str]) -> None:
    markup = "".join(f"{tag}x{place} " for place, tag in enumerate(tags))
    words = " ".join(texts_in([block.get("spans", block.get("rows")) for block in blocks_of(markup)])).split()
    assert sorted(words) == sorted(f"x{place}" for place in range(len(tags)))


@given(st.text(alphabet="<>/abi \"'=&;p!-", max_size=60))
def test_any_markup(markup: str) -> None:
    for block in blocks_of(markup):
        assert block["type"] in {"paragraph", "heading", "item", "quote", "code", "rule", "picture", "diagram", "table"}


def test_older_texts_are_blocks_as_well() -> None:
    text = GuidingText(0, "Title", 1, b"one\rtwo <b>")
    assert [block["spans"][0]["text"] for block in text_blocks(text)] == ["one", "two <b>"]


def test_links_and_diagrams_of_old_samples(samples: Callable[[str], Path]) -> None:
    """Every link leads to a record that exists, every diagram is a position with both kings."""
    with tabiya.open(samples("cbh/hedgehog/Hedgehog.cbh")) as database:
        records = list(database)
    blocks = [block for record in records if record.texts for block in text_blocks(record.texts[0])]
    diagrams = [block["fen"] for block in blocks if block["type"] == "diagram"]
    assert len(diagrams) == 204
    assert all((fen.count("K"), fen.count("k")) == (1, 1) for fen in (fen.split()[0] for fen in diagrams))
    assert diagrams[2] == "rn1q1rk1/1b2bppp/pp1ppn2/8/2PNP3/2N1BP2/PP2B1PP/R2Q1RK1 w - - 0 1"
    links = [span["to"] for block in blocks for span in block.get("spans", ()) if "to" in span]
    assert Counter(link["kind"] for link in links) == {"game": 204, "text": 76}
    titles = {text.title.strip() for record in records for text in record.texts}
    players = {(record.tags.get("White", ""), record.tags.get("Black", "")) for record in records}
    for link in links:
        names = link["names"]
        assert names[0] in titles if link["kind"] == "text" else (names[0], names[1]) in players, names
