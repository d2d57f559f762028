"""Fills the recipes in ``packaging/`` in for a release; see packaging/README.md."""

from __future__ import annotations

import argparse
import hashlib
import re
from pathlib import Path

TEMPLATES = Path(__file__).parent.parent / "packaging"
PLACE = re.compile(r"@([A-Z0-9_]+)@")


def filled(values: dict[str, str]) -> dict[Path, str]:
    """The recipes by their paths below ``packaging``; a place without a value is a KeyError."""
    paths = [path for path in sorted(TEMPLATES.rglob("*")) if path.is_file() and path.name != "README.md"]
    return {
        path.relative_to(TEMPLATES): PLACE.sub(lambda match: values[match[1]], path.read_text("utf-8"))
        for path in paths
    }


def checksum(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    """Write the recipes of a release."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write the recipes")
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True, help="of the release, such as 2027-01-31")
    parser.add_argument("--homepage", required=True)
    parser.add_argument("--source", nargs=2, metavar=("ADDRESS", "FILE"), required=True, help="the sdist")
    parser.add_argument("--program", nargs=2, metavar=("ADDRESS", "FILE"), required=True, help="archive of make app")
    given = parser.parse_args()
    values = {"VERSION": given.version, "DATE": given.date, "HOMEPAGE": given.homepage}
    for name, (address, file) in {"SOURCE": given.source, "PROGRAM": given.program}.items():
        values |= {name: address, f"{name}_SHA256": checksum(Path(file))}
    for path, text in filled(values).items():
        target = given.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
