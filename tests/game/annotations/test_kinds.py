"""What kernels know of annotations by heart is what the classes say."""

from __future__ import annotations

import re
from pathlib import Path

from tabiya.game.annotations import VALUES, NagSequence
from tabiya.game.annotations import registry as registry_module
from tabiya.game.annotations.rare_commands import What
from tabiya.game.annotations.vocabulary import Form, Meaning

KINDS_OF_KERNELS = Path(registry_module.__file__).with_name("kinds.pxd")
ROOM = KINDS_OF_KERNELS.parent
OTHER_NAMES = {NagSequence: "NAGS"}  # as the constant in annotation.py


def test_kernels_know_every_kind_by_its_number() -> None:
    found = re.findall(r"^    KIND_(\w+) = (\w+)$", KINDS_OF_KERNELS.read_text("utf-8"), re.MULTILINE)
    names = {cls: re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).upper() for cls in VALUES} | OTHER_NAMES
    assert {name: int(number, 0) for name, number in found} == {names[cls]: cls.kind for cls in VALUES}


def test_no_kernel_has_numbers_of_its_own() -> None:
    source = KINDS_OF_KERNELS.parents[2]
    files = [*source.rglob("*.pxd"), *source.rglob("*.pyx")]
    own = {
        (path.name, name)
        for path in files
        if path != KINDS_OF_KERNELS
        for name in re.findall(r"^ *(KIND_\w+) *= *(?:cython\.declare|\d)", path.read_text("utf-8"), re.MULTILINE)
    }
    # What Python has composed for kernels.
    assert own == {("composing.pxd", "KIND_WORDS")}


def test_kernels_know_forms_and_meanings_by_their_numbers() -> None:
    forms = re.findall(r"^    FORM_(\w+) = (\d+)", (ROOM / "forms_kernel.pxd").read_text("utf-8"), re.MULTILINE)
    assert {name: int(number) for name, number in forms} == {form.name: form.value for form in Form if form}
    meanings = re.findall(r"^    COMMAND_(\w+) = (\d+)", (ROOM / "commands.pxd").read_text("utf-8"), re.MULTILINE)
    assert {name: int(number) for name, number in meanings}.items() >= {m.name: m.value for m in Meaning}.items()


def test_answers_of_the_classes_have_the_numbers_of_the_kernel() -> None:
    found = re.findall(
        r"^    (?:COMMAND|ANSWER)_(\w+) = (\d+)", (ROOM / "commands.pxd").read_text("utf-8"), re.MULTILINE
    )
    found += re.findall(
        r"^    ANSWER_(\w+) = (\d+)", (ROOM / "read_comments_kernel.pyx").read_text("utf-8"), re.MULTILINE
    )
    numbers = {name: int(number) for name, number in found}
    assert {what.name: what.value for what in What}.items() <= numbers.items()
