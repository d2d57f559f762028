"""Shows griffe, which makes docs/api.md, the public names of packages: they stand in stubs, not in the code."""

from __future__ import annotations

import re
from typing import Any

import griffe

_PUBLIC = re.compile(r"^from \S+ import \w+ as (\w+)|^(\w+):", re.MULTILINE)


class PublicNames(griffe.Extension):
    """Every name of an ``__init__.pyi`` is exported, as ``tabiya.lazy.public_names`` does when the program runs."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Look at the package and all packages in it."""
        modules = [pkg]
        for module in modules:
            modules += [each for each in module.modules.values() if not each.is_alias]
            stub = module.filepath.with_suffix(".pyi") if not isinstance(module.filepath, list) else None
            if stub is not None and stub.name == "__init__.pyi" and stub.exists():
                module.exports = [alias or name for alias, name in _PUBLIC.findall(stub.read_text("utf-8"))]
