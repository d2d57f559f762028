"""The description of the API: as OpenAPI for programs, and as a page without scripts for people."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from itertools import groupby
from typing import Any, Final

import tabiya
from tabiya.web.answers.server import Error
from tabiya.web.request import CODES
from tabiya.web.route import Route
from tabiya.web.routes import ROUTES
from tabiya.web.schemas import components, schema_of

_PLACE: Final = re.compile(r"\{(\w+)(?::\w+)?\}")
_UPLOAD: Final = {
    "summary": "Send one file of an upload.",
    "requestBody": {"required": True, "content": {"application/octet-stream": {}}},
}
_ERRORS: Final = {
    "default": {
        "description": "The request failed; one sentence explains why.",
        "content": {"application/json": {"schema": schema_of(Error)}},
    }
}
_NOTHING: Final = {"204": {"description": "It was done; the answer is empty."}, **_ERRORS}
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The API of tabiya</title><link rel="stylesheet" href="/api/docs.css"></head><body>
<h1>The API of tabiya {version}</h1>
<p>JSON over HTTP. Scripts send the token that <code>tabiya serve</code> printed,
<code>Authorization: Bearer TOKEN</code>. Errors are objects with one sentence,
<code>{{"error": {{"status": 404, "code": "not_found", "sentence": "…"}}}}</code>; the codes are {codes}.
Every answer about a source has its <code>generation</code>, which changes with the file.
The same as <a href="/api/openapi.json">OpenAPI</a>.</p>
{sections}
</body></html>
"""
STYLE: Final = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
:root { color-scheme: light dark; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
dt { margin-top: 1rem; } dd { margin-left: 1.5rem; } li { margin: 0.2rem 0; } .method { font-weight: bold; }
"""


@cache
def openapi() -> dict[str, Any]:
    """Return the description for programs."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(_PLACE.sub(r"{\1}", route.path), {})[route.method.lower()] = _operation(route)
    paths["/api/uploads/{upload}/{name}"] = {
        "put": {**_UPLOAD, "parameters": [_in_path("upload"), _in_path("name")], "responses": _NOTHING}
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "tabiya", "version": tabiya.__version__, "license": {"name": "MIT"}},
        "paths": paths,
        "security": [{"token": []}],
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": components(),
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    places = [_in_path(name) for name in _PLACE.findall(route.path)]
    parameters = [
        {"name": each.name, "in": "query", "description": each.help, "schema": {"type": each.kind}}
        for each in route.parameters
    ]
    operation: dict[str, Any] = {
        "summary": route.summary,
        "tags": [route.subject],
        "parameters": [*places, *parameters],
        "responses": _responses(route),
    }
    if route.body:
        schema = {"type": "object", "description": route.body}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return operation


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _responses(route: Route) -> dict[str, Any]:
    if route.status == 204:
        return _NOTHING
    schema = {} if route.answer is None else {"schema": schema_of(route.answer)}
    found = {str(route.status): {"description": "The answer.", "content": {route.media_type: schema}}}
    if route.unfinished is not None:
        content = {route.media_type: {"schema": schema_of(route.unfinished)}}
        found["202"] = {"description": "The answer is not complete yet; repeat the request.", "content": content}
    return found | _ERRORS


@cache
def docs_page() -> str:
    """Return the description for people."""
    sections = [
        f"<h2>{escape(subject.capitalize())}</h2><dl>{''.join(map(_entry, routes))}</dl>"
        for subject, routes in groupby(ROUTES, lambda route: route.subject)
    ]
    codes = ", ".join(f"<code>{code}</code> ({status})" for status, code in CODES.items())
    return _PAGE.format(version=escape(tabiya.__version__), codes=codes, sections="\n".join(sections))


def _entry(route: Route) -> str:
    answer = f"<dd>{escape(route.summary)}</dd>"
    if route.parameters:
        items = (f"<li><code>{escape(each.name)}</code> {escape(each.help)}</li>" for each in route.parameters)
        answer += f"<dd><ul>{''.join(items)}</ul></dd>"
    if route.body:
        answer += f"<dd>JSON object: {escape(route.body)}.</dd>"
    if route.answer is not None:
        answer += f"<dd>Answer: <code>{escape(route.answer.__name__)}</code> in the OpenAPI description.</dd>"
    path = escape(_PLACE.sub(r"{\1}", route.path))
    return f'<dt><code><span class="method">{route.method}</span> {path}</code></dt>{answer}'
