"""``tabiya completion``: scripts for shells."""

from __future__ import annotations

from typing import Annotated, Literal

import typer


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> None:
    """Print a script that completes commands, options and formats in a shell.

    Bash: add the first line of the example to ~/.bashrc. Zsh: the second line to ~/.zshrc, after compinit. Fish: the
    third line once.

    Example:
        eval "$(tabiya completion bash)"
        eval "$(tabiya completion zsh)"
        tabiya completion fish > ~/.config/fish/completions/tabiya.fish
    """
    # The descriptions of all commands load all commands.
    from tabiya.cli.completion import SHELLS  # noqa: PLC0415
    from tabiya.cli.reference import commands  # noqa: PLC0415

    print(SHELLS[shell](commands()), end="")
