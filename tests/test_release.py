"""What a release needs: changelog, records, schemas. That all of it is there is only true on the day of a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.release_check import ROOT, missing_in_changelog, missing_records, sections

CHANGES = """# Changelog

Text before.

## [Unreleased]
{}
## [1.2.0] - 2027-01-31

### Added

- A thing.

## [1.1.0] - 2026-12-01

- Another.
"""


@pytest.mark.parametrize(
    ("unreleased", "version", "today", "complaints"),
    [
        ("", "1.2.0", "2027-01-31", []),
        ("", "1.2.0", "2027-02-01", ["CHANGELOG.md: the day of 1.2.0 is 2027-01-31, not 2027-02-01"]),
        ("", "1.3.0", "2027-02-01", ["CHANGELOG.md: no section for 1.3.0"]),
        (
            "\n- New.\n",
            "1.2.0",
            "2027-01-31",
            ['CHANGELOG.md: entries under "Unreleased" belong under "## [1.2.0] - 2027-01-31"'],
        ),
    ],
)
def test_the_changelog_of_a_release(unreleased: str, version: str, today: str, complaints: list[str]) -> None:
    assert [*missing_in_changelog(CHANGES.format(unreleased), version, today)] == complaints


def test_a_section_without_day_and_text() -> None:
    assert [*missing_in_changelog("## [1.0.0]\n\n## [0.9.0] - 2026-01-01\n", "1.0.0", "2027-01-31")] == [
        "CHANGELOG.md: the day of 1.0.0 is not given, not 2027-01-31",
        "CHANGELOG.md: the section of 1.0.0 is empty",
    ]


def test_notes_are_the_section_of_a_version() -> None:
    assert sections(CHANGES.format(""))["1.2.0"] == ("2027-01-31", "### Added\n\n- A thing.")
    assert sections((ROOT / "CHANGELOG.md").read_text("utf-8"))


def test_a_version_without_records() -> None:
    complaints = [*missing_records("99.1.0")]
    assert [Path(line.split()[0]).name for line in complaints] == ["interface-99.1.txt", "99.1"]
