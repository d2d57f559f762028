"""The sentences that the page translates are those that the server says."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

LIST = ROOT / "web" / "src" / "api" / "sentences.ts"
SENTENCES = re.findall(r'sentence\("((?:[^"\\]|\\.)*)"\)', LIST.read_text("utf-8"))
JOINT = re.compile(r"\{\w+\}|[;:()]|^(?:white|black)\b|\bcannot\b|\bhere\b")
"""Where the server puts values in, or joins parts."""
LEAST_WORDS = 3
BROKEN = re.compile(r'"\s*\n\s*f?"')
"""Where a long literal is broken into lines."""


@pytest.fixture(scope="module")
def source() -> str:
    """All modules of the package, without the ends of lines in their literals, in lower case."""
    texts = (path.read_text("utf-8") for path in sorted((ROOT / "src" / "tabiya").rglob("*.py")))
    return "\n".join(BROKEN.sub("", text) for text in texts).lower()


def test_the_list_is_found() -> None:
    assert len(SENTENCES) >= 20


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_server_says_what_the_page_translates(sentence: str, source: str) -> None:
    parts = [part.strip() for part in JOINT.split(sentence.removesuffix(".").lower())]
    telling = [part for part in parts if len(part.split()) >= LEAST_WORDS]
    assert telling
    assert [part for part in telling if part not in source] == []
