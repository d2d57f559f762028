"""What can be asked over HTTP: a module per subject, whose functions take the site and a call and give an answer."""

from __future__ import annotations
