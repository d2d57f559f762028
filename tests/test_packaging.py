"""Recipes, workflows and the container are well-formed, complete, and agree with pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from scripts.recipes import filled

ROOT = Path(__file__).parent.parent
VALUES = {
    "VERSION": "1.2.3",
    "DATE": "2027-01-31",
    "HOMEPAGE": "https://example.org/tabiya",
    "SOURCE": "https://example.org/tabiya-1.2.3.tar.gz",
    "SOURCE_SHA256": "0" * 64,
    "PROGRAM": "https://example.org/tabiya-1.2.3.zip",
    "PROGRAM_SHA256": "1" * 64,
}
RECIPES = {path.as_posix(): text for path, text in filled(VALUES).items()}
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
HOSTED = sorted((ROOT / ".github").rglob("*.yml"))


def test_every_recipe_is_filled_in() -> None:
    assert len(RECIPES) == 8
    assert [name for name, text in RECIPES.items() if re.search(r"@[A-Z]", text)] == []
    assert all(
        any(value in text for value in VALUES.values()) or name.endswith(".desktop") for name, text in RECIPES.items()
    )


@pytest.mark.parametrize("name", [name for name in RECIPES if name.endswith((".yaml", ".yml"))])
def test_a_recipe_is_yaml(name: str) -> None:
    assert isinstance(yaml.safe_load(RECIPES[name]), dict)


def test_the_recipe_of_conda_needs_what_the_package_needs() -> None:
    recipe = yaml.safe_load(RECIPES["conda-forge/recipe.yaml"])
    needed = {re.sub(r"(?<=\w)(?=[<>=])", " ", each, count=1) for each in PROJECT["project"]["dependencies"]}
    given = {each.replace("pyarrow-core", "pyarrow") for each in recipe["requirements"]["run"]} - {"python"}
    assert given == needed
    built = {each.lower() for each in PROJECT["build-system"]["requires"]}
    assert built <= {each.replace(" ", "") for each in recipe["requirements"]["host"]}


def test_the_manifests_of_winget_have_what_their_schema_requires() -> None:
    installer, version, locale = (
        yaml.safe_load(RECIPES[f"winget/tabiya{kind}.yaml"]) for kind in (".installer", "", ".locale.en-US")
    )
    for manifest in (installer, version, locale):
        assert {"PackageIdentifier", "PackageVersion", "ManifestType", "ManifestVersion"} <= manifest.keys()
    assert {"Architecture", "InstallerUrl", "InstallerSha256"} <= installer["Installers"][0].keys()
    assert {"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"} <= locale.keys()
    assert version["DefaultLocale"] == locale["PackageLocale"]


def test_the_files_of_flatpak_agree() -> None:
    names = {name.rpartition("/")[2].rpartition(".")[0] for name in RECIPES if name.startswith("flatpak/")}
    manifest = yaml.safe_load(RECIPES["flatpak/io.github.tabiya.tabiya.yml"])
    about = ET.fromstring(RECIPES["flatpak/io.github.tabiya.tabiya.metainfo.xml"])
    assert names == {manifest["id"], f"{manifest['id']}.metainfo"}
    assert about.findtext("id") == manifest["id"]
    assert about.findtext("launchable") == f"{manifest['id']}.desktop"


@pytest.mark.parametrize("path", HOSTED, ids=lambda path: path.name)
def test_a_hosted_file_is_yaml(path: Path) -> None:
    assert isinstance(yaml.safe_load(path.read_text("utf-8")), dict)


def test_workflows_run_on_the_versions_that_the_package_supports() -> None:
    matrix = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"]["systems"]["strategy"][
        "matrix"
    ]
    assert PROJECT["project"]["requires-python"] == f">={matrix['python'][0]}"
    built = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert built == [f"cp{version.replace('.', '')}-*" for version in matrix["python"]]


def test_no_job_may_write_but_the_one_that_publishes() -> None:
    for path in (ROOT / ".github" / "workflows").iterdir():
        workflow = yaml.safe_load(path.read_text("utf-8"))
        assert workflow["permissions"] == {"contents": "read"}, path.name
        writers = {name for name, job in workflow["jobs"].items() if "write" in job.get("permissions", {}).values()}
        assert writers <= {"publish"}
        assert all("timeout-minutes" in job for job in workflow["jobs"].values())


def test_the_container_runs_as_a_user_without_rights() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    last = lines[max(number for number, line in enumerate(lines) if line.startswith("FROM")) :]
    assert next(line for line in last if line.startswith("USER")) == "USER 10001"
    assert "VOLUME /data" in last
    assert any(line.startswith("ENTRYPOINT") and "serve" in line for line in last)
