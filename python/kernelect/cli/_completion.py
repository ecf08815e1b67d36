"""Scripts that let a shell complete commands, options and their choices."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

# What is usually given to options that take other values too. Written out, because shells ask for
# a script whenever they start, and to load the library takes a second.
_CRITERIA = "sm sm_hinge kta ekta ckta fsm kcsm ncut mmd stability pep er_ratio er ep loo cv gcv"
_CRITERIA += " evidence br bif ks"
_FAMILIES = "rbf laplacian matern polynomial rational_quadratic linear"
USUAL: dict[str, list[str]] = {
    "criterion": f"auto {_CRITERIA}".split(),
    "criteria": f"all {_CRITERIA}".split(),
    "kernel": f"best auto refined committee {_FAMILIES}".split(),
    "lam": ["auto"],
    "landmarks": ["auto", "none"],
    "sample": ["auto"],
}


@dataclass(frozen=True)
class _Option:
    """An option or an argument of a command, as shells need to know it."""

    names: tuple[str, ...]
    words: str
    choices: tuple[str, ...]
    takes_value: bool


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """Write the script for a shell, from the arguments as they are parsed."""
    commands = _commands(parser)
    helps = {name: words for name, words, _ in commands}
    options = {name: found for name, _, found in commands}
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](helps, options)


def _commands(parser: argparse.ArgumentParser) -> list[tuple[str, str, list[_Option]]]:
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {action.dest: action.help or "" for action in commands._choices_actions}
    return [(name, helps[name], _options(found)) for name, found in commands.choices.items()]


def _options(parser: argparse.ArgumentParser) -> list[_Option]:
    return [
        _Option(
            tuple(name for name in action.option_strings if name.startswith("--")),
            (action.help or "").split(";")[0],
            tuple(str(choice) for choice in action.choices or USUAL.get(action.dest) or ()),
            action.nargs != 0,
        )
        for action in parser._actions
    ]


def _bash(helps: dict[str, str], options: dict[str, list[_Option]]) -> str:
    cases, values = [], []
    for command, found in options.items():
        flags = " ".join(name for option in found for name in option.names)
        places = " ".join(
            choice for option in found if not option.names for choice in option.choices
        )
        cases.append(f'    {command}) words="{f"{flags} {places}".strip()}" ;;')
        values += [
            f'    {command}:{name}) words="{" ".join(option.choices)}"; values=1 ;;'
            for option in found
            for name in option.names
            if option.takes_value
        ]
    return f"""\
_kernelect() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="${{COMP_WORDS[1]}}" words="" values=0
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "{" ".join(helps)} --help --version" -- "$word")
    return
  fi
  case "$command:$before" in
{chr(10).join(values)}
  esac
  if [ "$values" -eq 0 ]; then
    case "$command" in
{chr(10).join("  " + case for case in cases)}
    esac
  fi
  if [[ "$word" != -* && "$values" -eq 0 && "$command" != completion ]]; then words=""; fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -o filenames -F _kernelect kernelect
"""


def _zsh(helps: dict[str, str], options: dict[str, list[_Option]]) -> str:
    def entry(option: _Option) -> list[str]:
        words = _zsh_plain(option.words)
        value = f"({' '.join(option.choices)})" if option.choices else "_files"
        if not option.names:
            return [f"':{words}:{value}'"]
        tail = f":value:{value}" if option.takes_value else ""
        return [f"'{name}[{words}]{tail}'" for name in option.names]

    listed = "\n".join(f"    '{name}:{_zsh_plain(words)}'" for name, words in helps.items())
    cases = "\n".join(
        f"    {command})\n      _arguments \\\n        "
        + " \\\n        ".join(line for option in found for line in entry(option))
        + " ;;"
        for command, found in options.items()
    )
    return f"""\
#compdef kernelect
_kernelect() {{
  local -a commands
  commands=(
{listed}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _describe -o option '(--help --version)'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}
  esac
}}
_kernelect "$@"
"""


def _fish(helps: dict[str, str], options: dict[str, list[_Option]]) -> str:
    lines = [
        f"complete -c kernelect -n __fish_use_subcommand -f{flag}"
        for flag in ("", " -l help", " -l version")
    ]
    for name, words in helps.items():
        lines.append(
            f"complete -c kernelect -n __fish_use_subcommand -a {name} -d {_fish_quoted(words)}"
        )
    for command, found in options.items():
        seen = f"complete -c kernelect -n '__fish_seen_subcommand_from {command}'"
        for option in found:
            choices = f" -a '{' '.join(option.choices)}'"
            if not option.names and option.choices:
                lines.append(f"{seen} -f{choices}")
            value = " -x" if option.choices else " -r" if option.takes_value else ""
            for name in option.names:
                if option.choices:  # by themselves, or all would have the words of the option
                    lines.append(f"{seen} -l {name[2:]} -x{choices}")
                lines.append(f"{seen} -l {name[2:]}{value} -d {_fish_quoted(option.words)}")
    return "\n".join(lines) + "\n"


def _fish_quoted(words: str) -> str:
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _zsh_plain(words: str) -> str:
    """Return a description in which zsh takes nothing for its own, for a text between quotes."""
    plain = words.replace("'", "\u2019").replace("\\", "")
    return "".join(f"\\{c}" if c in "[]:" else c for c in plain)
