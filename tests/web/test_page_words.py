"""The words of the server that the page shows have titles, in all languages of the page."""

from __future__ import annotations

import re

from tests.conftest import ROOT
from tests.web.conftest import Client

FORM = ROOT / "web" / "src" / "search" / "form.ts"
ENDINGS = ROOT / "web" / "src" / "search" / "endings.ts"
OPTIONS = ROOT / "web" / "src" / "convert" / "Options.tsx"


def titled(source: str, table: str) -> set[str]:
    """The names in a table of the page, such as ``"min-elo": t("Rating from")``."""
    found = re.search(rf"const {table}: [^=]*= \{{(.*?)\}};", source, re.DOTALL)
    assert found is not None, table
    return {name.strip('"') for name in re.findall(r'(?:^|\{|,)\s*("?[\w-]+"?): t\(', found[1])}


def test_conditions_and_their_choices_have_titles(client: Client) -> None:
    words = client.ask("GET", "/api/vocabulary")
    conditions = [*words["headers"], *words["position"]]
    form = FORM.read_text("utf-8")
    names = {condition["name"].replace("_", "-") for condition in conditions}
    assert names - titled(form, "TITLES") == set()
    choices = {choice for condition in conditions for choice in condition.get("choices") or []}
    results = {"1-0", "1/2-1/2", "0-1", "*"}
    assert choices - results - titled(form, "CHOICES") == set()


def test_options_of_formats_have_titles(client: Client) -> None:
    formats = client.ask("GET", "/api/formats")["formats"]
    source = OPTIONS.read_text("utf-8")
    options = {option["name"] for entry in formats for option in entry.get("options") or []}
    assert options - titled(source, "TITLES") == set()
    profiles = {profile["name"] for entry in formats for profile in entry.get("profiles") or []}
    assert profiles - set(re.findall(r"(\w+): t\(", re.findall(r"const PROFILES.*", source)[0])) == set()


def test_material_of_endings_can_be_searched_for(client: Client) -> None:
    patterns = re.findall(r'"(K[KQRBNP+*]+)"', ENDINGS.read_text("utf-8"))
    assert len(patterns) > 15
    for pattern in patterns:
        assert client.listed("s1", position={"material": [pattern]})["error"] is None
