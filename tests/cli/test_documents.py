"""The JSON that commands print has the published shape, without a member that the schemas do not know."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from scripts.json_schemas import FOLDER, files, schemas
from tabiya.cli.app import app
from tabiya.cli.documents import DOCUMENTS
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"
EVALUATED = ROOT / "tests" / "data" / "web" / "annotated.pgn"
CALLS: dict[str, list[list[str]]] = {
    "convert": [["classics.pgn", "out.cbh"], ["classics.pgn", "damaged.pgn", "-o", "all.bcgn"]],
    "diff": [["classics.pgn", "damaged.pgn"], ["classics.pgn", "classics.pgn"]],
    "explore": [["classics.pgn", "e4", "e5"], ["classics.pgn", "a4", "h5"]],
    "formats": [[]],
    "info": [["classics.pgn"], ["damaged.pgn", "suite.epd"]],
    "list": [["classics.pgn"], ["classics.pgn", "damaged.pgn"]],
    "report": [["annotated.pgn"]],
    "search": [["classics.pgn", "--moves", "1. e4 e5"], ["classics.pgn", "damaged.pgn", "--material", "KRPKR"]],
    "show": [["classics.pgn", "4"], ["damaged.pgn", "3"], ["suite.epd", "1"], ["annotated.pgn", "1"]],
    "verify": [["damaged.pgn"], ["classics.pgn", "annotated.pgn"]],
}
"""Arguments of each command, beside the examples."""


def closed(schema: Any) -> Any:
    """The same schema, but members that it does not list are errors: they would be published without a description."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(value) for name, value in schema.items()}
    return inner | {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else inner


def differences(name: str, value: object) -> list[str]:
    """How a document differs from its schema."""
    validator = Draft202012Validator(closed(schemas()[name]))
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


@pytest.fixture
def beside_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (*EXAMPLES.iterdir(), EVALUATED):
        shutil.copy2(path, tmp_path)
    monkeypatch.chdir(tmp_path)


def test_every_document_has_its_call() -> None:
    assert CALLS.keys() | {"stderr"} == DOCUMENTS.keys()


@pytest.mark.parametrize(
    ("command", "arguments"), [(command, each) for command, calls in CALLS.items() for each in calls], ids=str
)
@pytest.mark.usefixtures("beside_examples")
def test_a_command_prints_what_its_schema_describes(command: str, arguments: list[str]) -> None:
    result = CliRunner().invoke(app, [command, *arguments, "--json"])
    assert result.exit_code in {0, 1}, result.output
    assert differences(command, json.loads(result.stdout)) == []
    for line in result.stderr.splitlines():
        assert differences("stderr", json.loads(line)) == []


@pytest.mark.usefixtures("beside_examples")
@pytest.mark.parametrize("arguments", [["list", "nope.pgn"], ["list", "--count"], ["list", "--nonsense"]], ids=str)
def test_an_error_is_what_its_schema_describes(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code in {2, 3}
    errors = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    assert [line["error"]["exit_code"] for line in errors] == [result.exit_code]
    assert [difference for line in errors for difference in differences("stderr", line)] == []


def test_the_comparison_sees_what_is_missing_and_what_is_new() -> None:
    difference: dict[str, Any] = {"a": 1, "b": None, "title": "", "differences": []}
    assert differences("diff", [difference]) == []
    assert differences("diff", [difference | {"c": 1}])
    assert differences("diff", [{"a": 1}])
    assert differences("diff", [difference | {"a": "1"}])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schemas()[name])


def test_the_published_schemas_are_up_to_date() -> None:
    written = {path: path.read_text("utf-8") for path in FOLDER.iterdir()}
    assert written == files(), "run: python -m scripts.json_schemas"
