"""Says what is missing before a version can be released; changes nothing. Run by ``make release-check``.

    python -m scripts.release_check            what is missing; exit code 1 if anything is
    python -m scripts.release_check --notes    the notes of the version: its section of the changelog

The steps of a release are in docs/stability.md. ``make dist-check`` and ``make wheels`` check wheels and sdist.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import tabiya
from scripts import json_schemas
from scripts.interface import interface, recorded_file
from scripts.release_files import CONTENT, FILES, FOLDER

ROOT = Path(__file__).parent.parent
SECTION = re.compile(
    r"^## \[(?P<version>[^\]]+)\](?: - (?P<day>\d{4}-\d\d-\d\d))?\n(?P<text>.*?)(?=^## \[|\Z)", re.M | re.S
)


def sections(changelog: str) -> dict[str, tuple[str | None, str]]:
    """The day and the text of every version in a changelog, and of ``Unreleased``."""
    return {found["version"]: (found["day"], found["text"].strip()) for found in SECTION.finditer(changelog)}


def missing_in_changelog(changelog: str, version: str, today: str) -> Iterator[str]:
    """What a changelog lacks for the release of a version on a day."""
    entries = sections(changelog)
    if entries.get("Unreleased", (None, ""))[1]:
        yield f'CHANGELOG.md: entries under "Unreleased" belong under "## [{version}] - {today}"'
    if version not in entries:
        yield f"CHANGELOG.md: no section for {version}"
        return
    day, text = entries[version]
    if day != today:
        yield f"CHANGELOG.md: the day of {version} is {day or 'not given'}, not {today}"
    if not text:
        yield f"CHANGELOG.md: the section of {version} is empty"


def missing_in_repository(version: str) -> Iterator[str]:
    """What git says against a release: changes that are not committed, a tag that exists."""
    if changed := output_of("git", "status", "--porcelain"):
        yield f"not committed: {', '.join(line[3:] for line in changed.splitlines()[:5])}"
    if output_of("git", "tag", "--list", f"v{version}"):
        yield f"the tag v{version} exists: raise the version in pyproject.toml"


def missing_records(version: str) -> Iterator[str]:
    """Records of the interface and files of the version; tests/test_interface.py holds later versions against them."""
    recorded = recorded_file(version)
    if not recorded.exists() or recorded.read_text("utf-8").splitlines() != interface():
        yield f"{recorded.relative_to(ROOT)} is not what this version offers: python -m scripts.interface"
    folder = FOLDER / ".".join(version.split(".")[:2])
    if lacking := [name for name in (*FILES, CONTENT) if not (folder / name).exists()]:
        yield f"{folder.relative_to(ROOT)} has no {', '.join(lacking)}: python -m scripts.release_files"
    for path, text in json_schemas.files().items():
        if not path.exists() or path.read_text("utf-8") != text:
            yield f"{path.relative_to(ROOT)} is out of date: python -m scripts.json_schemas"


def output_of(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip("\n")


def missing(version: str, today: str) -> list[str]:
    """All that is missing for a release."""
    found = [*missing_in_changelog((ROOT / "CHANGELOG.md").read_text("utf-8"), version, today)]
    if tabiya.__version__ != version:
        found.append(f"the installed package is {tabiya.__version__}, pyproject.toml says {version}: make build")
    return [*found, *missing_in_repository(version), *missing_records(version)]


def main() -> None:
    """Print what is missing, or the notes."""
    parser = argparse.ArgumentParser(description="What is missing before this version can be released?")
    parser.add_argument("--notes", action="store_true", help="print the section of the changelog instead")
    given = parser.parse_args()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if given.notes:
        print(sections((ROOT / "CHANGELOG.md").read_text("utf-8")).get(version, (None, ""))[1])
        return
    found = missing(version, date.today().isoformat())
    print("\n".join(found) or f"{version} can be tagged: git tag -s v{version}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
