"""The handlers of the HTTP API: a module per subject, with functions of the site and a call."""

from __future__ import annotations
