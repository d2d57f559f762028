from __future__ import annotations

import dataclasses

import pytest

from tabiya.game import Extra, GuidingText, Problem


def test_values_do_not_change() -> None:
    for value in (Extra("cbh.x", b""), GuidingText(0, "", 1, b""), Problem(1, None, "")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, 1)


def test_extras_know_their_format() -> None:
    assert Extra("cbh.header.x", b"").format == "cbh"
    assert Extra("odd", b"").format == "odd"
