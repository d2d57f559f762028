"""Counts words that plain technical English rarely needs: ``python scripts/plain_words.py``.

The table has a row per package of the source (comments, docstrings and strings only), and rows for the documentation
(without code). A use in the ordinary meaning, such as ``--men``, counts as well: the table shows where to look.
"""

from __future__ import annotations

import re
from collections import Counter
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
"""The columns of the table, and the spellings that each one counts."""
COLUMN_OF = {spelling: column for column, spellings in WORDS.items() for spelling in spellings}
WORD = re.compile(rf"\b(?:{'|'.join(COLUMN_OF)})\b", re.IGNORECASE)
PROSE_IN_SOURCE = re.compile(
    r'"""(?:\\.|.)*?"""' r"|'''(?:\\.|.)*?'''" r'|"(?:\\.|[^"\\\n])*"' r"|'(?:\\.|[^'\\\n])*'" r"|\#[^\n]*", re.DOTALL
)
CODE_IN_PAGE = re.compile(r"^(?P<fence>```|~~~).*?^(?P=fence)|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def prose(path: Path) -> str:
    """Comments, docstrings and strings of a source file; the text of a page without its code."""
    text = path.read_text("utf-8")
    return CODE_IN_PAGE.sub("", text) if path.suffix == ".md" else "\n".join(PROSE_IN_SOURCE.findall(text))


def count(text: str) -> Counter[str]:
    """Uses of the words by column."""
    return Counter(COLUMN_OF[word.lower()] for word in WORD.findall(text))


def parts() -> dict[str, list[Path]]:
    """The files of each row of the table."""
    rows: dict[str, list[Path]] = {}
    package = ROOT / "src" / "tabiya"
    for path in sorted(package.rglob("*")):
        if path.suffix in {".py", ".pyi", ".pyx", ".pxd"}:
            inner = path.relative_to(package).parts
            rows.setdefault(f"src/tabiya/{inner[0]}" if len(inner) > 1 else "src/tabiya", []).append(path)
    for path in sorted((ROOT / "docs").rglob("*.md")):
        rows.setdefault(path.parent.relative_to(ROOT).as_posix(), []).append(path)
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "fuzz/README.md", "web/README.md"):
        rows[name] = [ROOT / name]
    return rows


def table() -> str:
    """Counts by part and column, with totals."""
    counts = {name: sum((count(prose(path)) for path in paths), Counter()) for name, paths in parts().items()}
    counts["total"] = sum(counts.values(), Counter())
    width = max(map(len, counts))
    lines = [f"{'':{width}}" + "".join(f"{column:>10}" for column in (*WORDS, "total"))]
    for name, row in counts.items():
        lines.append(f"{name:{width}}" + "".join(f"{number:10}" for number in (*(row[c] for c in WORDS), row.total())))
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
