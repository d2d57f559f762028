"""Scripts that complete the commands and options of tabiya in a shell, made from the descriptions of all commands.

The scripts contain everything, so that a press of Tab starts no program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tabiya.cli.reference import Command, Parameter

_ALWAYS: Final = ("--help", "-h")
_FIRST: Final = ("--help", "-h", "--version", "--verbose")
"""Options of the program without a command."""


def _groups(commands: Iterable[Command]) -> dict[str, list[str]]:
    """Return the second words of commands by their first words; none for a command of one word."""
    found: dict[str, list[str]] = {}
    for command in commands:
        first, _, second = command.name.partition(" ")
        found.setdefault(first, []).extend([second] if second else [])
    return found


def _options(command: Command) -> list[Parameter]:
    return [each for each in command.parameters if each.is_option]


def _values(parameter: Parameter) -> str | None:
    """Return the values of an option, separated by blanks; None for files, an empty text for unknown ones."""
    if parameter.choices:
        return " ".join(parameter.choices)
    return None if parameter.takes_files else ""


def _choices_of_arguments(command: Command) -> str:
    return " ".join(word for each in command.parameters if not each.is_option for word in each.choices)


def bash(commands: Sequence[Command]) -> str:
    """Return the script for bash."""
    groups = _groups(commands)
    lines = [
        '# Completion of tabiya for bash: eval "$(tabiya completion bash)"',
        "_tabiya() {",
        '    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
        '    local command="${COMP_WORDS[1]}" words= values= option=',
        "    COMPREPLY=()",
        *_bash_words("    ", 1, groups, _FIRST),
        '    case "$command" in',
    ]
    for first, members in groups.items():
        if members:
            lines += [
                f"        {first})",
                *_bash_words(" " * 12, 2, members, _ALWAYS),
                '            command="$command ${COMP_WORDS[2]}"',
                "            ;;",
            ]
    lines += ["    esac", '    case "$command" in']
    for command in commands:
        names = [name for each in _options(command) for name in each.names]
        lines.append(f'        "{command.name}") words="{" ".join([*names, *_ALWAYS])}"')
        lines += [
            f'            case "$previous" in {"|".join(names)}) option=1 values="{values}" ;; esac'
            for values, names in _options_by_value(command).items()
            if values is not None
        ]
        if arguments := _choices_of_arguments(command):
            lines.append(f'            [[ $current != -* && -z $option ]] && option=1 values="{arguments}"')
        lines.append("            ;;")
    lines += [
        "    esac",
        "    if [[ -n $option ]]; then",
        '        COMPREPLY=($(compgen -W "$values" -- "$current"))',
        "    elif [[ $current == -* ]]; then",
        '        COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "    else",
        "        local IFS=$'\\n'",
        "        compopt -o filenames 2>/dev/null",
        '        COMPREPLY=($(compgen -f -- "$current"))',
        "    fi",
        "}",
        "complete -F _tabiya tabiya",
    ]
    return "\n".join(lines) + "\n"


def _bash_words(indent: str, place: int, words: Iterable[str], options: Iterable[str]) -> list[str]:
    """Return the lines that complete a word of a command."""
    lines = [
        f"if ((COMP_CWORD == {place})); then",
        f'    words="{" ".join(words)}"',
        f'    [[ $current == -* ]] && words="{" ".join(options)}"',
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "    return",
        "fi",
    ]
    return [f"{indent}{line}" for line in lines]


def _options_by_value(command: Command) -> dict[str | None, list[str]]:
    found: dict[str | None, list[str]] = {}
    for each in _options(command):
        if each.metavar is not None:
            found.setdefault(_values(each), []).extend(each.names)
    return found


def zsh(commands: Sequence[Command]) -> str:
    """Return the script for zsh."""
    groups = _groups(commands)
    summaries = {command.name: command.summary for command in commands}
    lines = [
        "#compdef tabiya",
        '# Completion of tabiya for zsh: eval "$(tabiya completion zsh)", or a file _tabiya in $fpath.',
        "_tabiya() {",
        '    local command="${words[2]}"',
        "    if ((CURRENT == 2)); then",
        *_zsh_words("        ", {name: summaries.get(name, _about(name)) for name in groups}),
        "    fi",
        '    case "$command" in',
    ]
    for first, members in groups.items():
        if members:
            lines += [
                f"        {first})",
                "            if ((CURRENT == 3)); then",
                *_zsh_words(" " * 16, {each: summaries[f"{first} {each}"] for each in members}),
                "            fi",
                '            command="$command ${words[3]}"',
                "            ;;",
            ]
    lines += ["    esac", '    case "$command" in']
    for command in commands:
        lines.append(f'        "{command.name}") _arguments -s \\')
        lines += [f"            {_zsh(text)} \\" for each in _options(command) for text in _zsh_options(each)]
        choices = _choices_of_arguments(command)
        lines += [f"            {_zsh(f'*: :({choices})' if choices else '*:file:_files')}", "            ;;"]
    lines += ["    esac", "}", 'if [[ $funcstack[1] == _tabiya ]]; then _tabiya "$@"; else compdef _tabiya tabiya; fi']
    return "\n".join(lines) + "\n"


def _zsh_words(indent: str, words: dict[str, str]) -> list[str]:
    described = [f"    {_zsh(f'{word}:{text}')}" for word, text in words.items()]
    return [f"{indent}{line}" for line in ("local -a names=(", *described, ")", "_describe command names", "return")]


def _about(group: str) -> str:
    return f"commands for a {group}"


def _colon(text: str) -> str:
    return text.replace(":", "\\:")


def _zsh(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh_options(option: Parameter) -> list[str]:
    text = option.help
    for sign in "\\[]:":
        text = text.replace(sign, f"\\{sign}")
    values = _values(option)
    action = "_files" if values is None else f"({values})" if values else " "
    value = "" if option.metavar is None else f":{_colon(option.metavar)}:{action}"
    return [f"*{name}[{text}]{value}" for name in option.names]


def fish(commands: Sequence[Command]) -> str:
    """Return the script for fish."""
    groups = _groups(commands)
    summaries = {command.name: command.summary for command in commands}
    lines = ["# Completion of tabiya for fish: tabiya completion fish | source", "complete -c tabiya -e"]
    for first, members in groups.items():
        summary = _fish(summaries.get(first, _about(first)))
        lines.append(f"complete -c tabiya -n __fish_use_subcommand -f -a {first} -d {summary}")
        undecided = f"__fish_seen_subcommand_from {first}; and not __fish_seen_subcommand_from {' '.join(members)}"
        lines += [
            f"complete -c tabiya -n {_fish(undecided)} -f -a {each} -d {_fish(summaries[first + ' ' + each])}"
            for each in members
        ]
    for command in commands:
        here = _fish(_condition(command.name, groups))
        for option in _options(command):
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            values = _values(option)
            action = "" if option.metavar is None else " -r -F" if values is None else f" -x -a {_fish(values)}"
            lines.append(f"complete -c tabiya -n {here} {names}{action} -d {_fish(option.help)}")
        if choices := _choices_of_arguments(command):
            lines.append(f"complete -c tabiya -n {here} -f -a {_fish(choices)}")
    return "\n".join(lines) + "\n"


def _condition(command: str, groups: dict[str, list[str]]) -> str:
    """Return when the options of a command complete: ``convert`` is not the one of ``book convert``."""
    words = command.split()
    others = [] if len(words) > 1 else [name for name, members in groups.items() if command in members]
    tests = [f"__fish_seen_subcommand_from {word}" for word in words]
    tests += [f"not __fish_seen_subcommand_from {name}" for name in others]
    return "; and ".join(tests)


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: Final[dict[str, Callable[[Sequence[Command]], str]]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""By the name of the shell."""
