"""Counts words that plain technical English rarely needs: ``python scripts/plain_words.py``.

Two tables have a row per package of the source. The first counts prose: comments, docstrings and strings, and in
further rows the documentation without code. The second counts identifiers, whose words are separated by underscores or
capitals. A use in the ordinary meaning, such as ``--men`` or ``stream.tell()``, counts as well: the tables show where
to look.
"""

from __future__ import annotations

import re
import tokenize
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORDS: dict[str, tuple[str, ...]] = {
    "tell": ("tell", "tells", "told"),
    "ask": ("ask", "asks", "asked"),
    "stand": ("stand", "stands"),
    "behind": ("behind",),
    "room": ("room", "rooms"),
    "others": ("others",),
    "man": ("man", "men"),
    "whoever": ("whoever",),
    "nobody": ("nobody",),
    "something": ("something",),
}
"""The columns of the first table, and the spellings that each one counts."""
WORDS_OF_IDENTIFIERS: dict[str, tuple[str, ...]] = {
    **{column: spellings for column, spellings in WORDS.items() if column != "whoever"},
    "say": ("say", "says", "said"),
    "want": ("want", "wanted", "unwanted"),
    "show": ("shown",),
    "obey": ("obey", "obeyed"),
}
"""The same for the second table."""
CODE = {".py", ".pyi", ".pyx", ".pxd"}
PROSE_IN_SOURCE = re.compile(
    r'"""(?:\\.|.)*?"""' r"|'''(?:\\.|.)*?'''" r'|"(?:\\.|[^"\\\n])*"' r"|'(?:\\.|[^'\\\n])*'" r"|\#[^\n]*", re.DOTALL
)
CODE_IN_PAGE = re.compile(r"^(?P<fence>```|~~~).*?^(?P=fence)|`[^`\n]+`", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def prose(path: Path) -> str:
    """Comments, docstrings and strings of a source file; the text of a page without its code."""
    text = path.read_text("utf-8")
    return CODE_IN_PAGE.sub("", text) if path.suffix == ".md" else "\n".join(PROSE_IN_SOURCE.findall(text))


def identifiers(path: Path) -> str:
    """All identifiers of a source file as words; those within f-strings are left out."""
    with path.open("rb") as stream:
        names = [token.string for token in tokenize.tokenize(stream.readline) if token.type == tokenize.NAME]
    return " ".join(word for name in names for word in WORD.findall(name))


def count(text: str, words: Mapping[str, tuple[str, ...]]) -> Counter[str]:
    """Uses of the words by column."""
    column_of = {spelling: column for column, spellings in words.items() for spelling in spellings}
    found = re.findall(rf"\b(?:{'|'.join(column_of)})\b", text, re.IGNORECASE)
    return Counter(column_of[word.lower()] for word in found)


def packages() -> dict[str, list[Path]]:
    """The source files of each package."""
    rows: dict[str, list[Path]] = {}
    package = ROOT / "src" / "tabiya"
    for path in sorted(package.rglob("*")):
        if path.suffix in CODE:
            inner = path.relative_to(package).parts
            rows.setdefault(f"src/tabiya/{inner[0]}" if len(inner) > 1 else "src/tabiya", []).append(path)
    return rows


def pages() -> dict[str, list[Path]]:
    """The pages of each folder of the documentation."""
    rows: dict[str, list[Path]] = {}
    for path in sorted((ROOT / "docs").rglob("*.md")):
        rows.setdefault(path.parent.relative_to(ROOT).as_posix(), []).append(path)
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "fuzz/README.md", "web/README.md"):
        rows[name] = [ROOT / name]
    return rows


def table(rows: Mapping[str, list[Path]], words: Mapping[str, tuple[str, ...]], text_of: Callable[[Path], str]) -> str:
    """Counts by row and column, with totals."""
    counts = {name: sum((count(text_of(path), words) for path in paths), Counter()) for name, paths in rows.items()}
    counts["total"] = sum(counts.values(), Counter())
    width = max(map(len, counts))
    lines = [f"{'':{width}}" + "".join(f"{column:>10}" for column in (*words, "total"))]
    for name, row in counts.items():
        lines.append(f"{name:{width}}" + "".join(f"{number:10}" for number in (*(row[c] for c in words), row.total())))
    return "\n".join(lines)


if __name__ == "__main__":
    print("Prose", table(packages() | pages(), WORDS, prose), sep="\n")
    print("\nIdentifiers", table(packages(), WORDS_OF_IDENTIFIERS, identifiers), sep="\n")
