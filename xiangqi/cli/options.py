"""The options that commands share, and what is made of them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import click
from click.shell_completion import CompletionItem

from xiangqi.cli.base import Command, refusing
from xiangqi.errors import RuleSetError
from xiangqi.fen import STARTING_FEN
from xiangqi.notation import is_like_a_move
from xiangqi.referee.rules import (
    RULE_FIELDS,
    RULE_FILE,
    RULE_SETS,
    RuleSet,
    choose_rule_set,
    parse_rule,
)
from xiangqi.words import LANGUAGES
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = [
    "ArchiveOptions",
    "archive_options",
    "book_options",
    "choose_books",
    "choose_rules",
    "is_fen",
    "language_option",
    "position_options",
    "rule_options",
    "voice_options",
    "worker_options",
]


ALL_BOOKS: Final = "all"
"""What stands for every rule set where several may be named."""
_A_FILE: Final = f"NAME{RULE_FILE}"


class RuleNames(click.ParamType):  # type: ignore[type-arg]  # no generic class in older click
    """The name of a rule set, or several with commas between, or ``all`` of them."""

    name = "rules"

    def __init__(self, *, several: bool) -> None:
        self.several = several

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The names; a usage error where there is no such rule set."""
        if isinstance(value, tuple):
            return value
        if self.several and value.lower() == ALL_BOOKS:
            return tuple(RULE_SETS)
        names = value.split(",") if self.several else [value]
        for name in names:
            if name.lower() not in RULE_SETS and not name.endswith(RULE_FILE):
                known = ", ".join(map(repr, RULE_SETS))
                self.fail(f"{name!r} is not one of {known}, nor a file {_A_FILE}.", param, ctx)
        return tuple(dict.fromkeys(names))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin like the last one that is being typed."""
        before, comma, last = incomplete.rpartition(",") if self.several else ("", "", incomplete)
        names = [*RULE_SETS, ALL_BOOKS] if self.several and not comma else [*RULE_SETS]
        return [
            CompletionItem(before + comma + name) for name in names if name.startswith(last.lower())
        ]


def rule_options(command: Command) -> Command:
    """The options that choose a rule set; :func:`choose_rules` makes it of them."""
    return _rule_options(command, f"Rule set: {', '.join(RULE_SETS)}; or {_A_FILE}.", several=False)


def book_options(command: Command) -> Command:
    """The same for commands that take several; :func:`choose_books` makes them of the options."""
    names = f"{', '.join(RULE_SETS)}; or {_A_FILE}"
    text = f"Rule sets: {names}; several with commas between, or {ALL_BOOKS}."
    return _rule_options(command, text, several=True)


def _rule_options(command: Command, text: str, *, several: bool) -> Command:
    names = RuleNames(several=several)
    decorators = [
        click.option(
            "--rules",
            default="wxf",
            show_default=True,
            type=names,
            metavar="NAME,..." if several else "NAME",
            help=text,
        ),
        click.option(
            "--occurrences",
            type=int,
            metavar="N",
            help="How often a position must occur before it is ruled on.",
        ),
        click.option(
            "--set",
            "changes",
            multiple=True,
            metavar="RULE=VALUE",
            help=f"Change one rule of the set: {', '.join(RULE_FIELDS)}.",
        ),
    ]
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


_FEN: Final = re.compile(r"[0-9a-z]+(/[0-9a-z]+){9}(\s|$)", re.IGNORECASE | re.ASCII)
_EXAMPLES: Final = {"chinese": "炮二平五", "wxf": "C2.5", "iccs": "h2e2"}


language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of the words.",
)


def voice_options(usual: Voice) -> Callable[[Command], Command]:
    """The options for the language and the notation; the command gets them as ``voice``."""
    notation = click.option(
        "--notation",
        type=click.Choice(MOVE_NOTATIONS),
        help="How moves are named: 炮二平五, C2.5 or h2e2; if left out, 炮二平五 in Chinese and "
        f"{_EXAMPLES[usual.english]} in English. Pieces are named by file; beside h2e2, by square.",
    )

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def voiced(*args: Any, lang: Any, notation: Any, **kwargs: Any) -> Any:
            voice = replace(usual, language=lang, chosen=notation)
            return command(*args, voice=voice, **kwargs)

        return cast(Command, language_option(notation(voiced)))

    return decorate


def is_fen(words: Sequence[str]) -> bool:
    """Do arguments begin like a FEN, with ten ranks?"""
    return _FEN.match(" ".join(words)) is not None


def position_options(command: Command) -> Command:
    """A position, given as an argument or with ``--fen``; the command gets it as ``fen``.

    Without either it is the usual beginning. The words of a FEN need no quotes. A game as people
    paste it stands for its last position.
    """

    @functools.wraps(command)
    def placed(*args: Any, position: tuple[str, ...], fen: str | None, **kwargs: Any) -> Any:
        if position and fen is not None:
            raise click.UsageError("Give the position once: as FEN, or with --fen.")
        if fen is None:
            fen = _last_position(position) or STARTING_FEN
        return command(*args, fen=fen, **kwargs)

    option = click.option("--fen", metavar="FEN", help="The same, for scripts.")
    argument = click.argument("position", nargs=-1, metavar="[FEN | GAME]")
    return cast(Command, argument(option(refusing(placed))))


def _last_position(words: Sequence[str]) -> str:
    """The FEN that words give, or that of the last position of a game; an empty one of none."""
    from xiangqi.games.formats.loose import PLACEMENT
    from xiangqi.games.pasting import read_moves

    text = " ".join(words)
    found = PLACEMENT.match(text)
    if found is None and "/" in text.split(" ")[0]:
        return text
    moves = text if found is None else text[found.end() :]
    return read_moves(text).play().fen() if is_like_a_move(moves) else text


def choose_rules(names: Sequence[str], occurrences: int | None, changes: Sequence[str]) -> RuleSet:
    """The rule set that the options ask for; RuleSetError where they make no sense."""
    (rules,) = choose_books(names, occurrences, changes)
    return rules


def choose_books(
    names: Sequence[str], occurrences: int | None, changes: Sequence[str]
) -> tuple[RuleSet, ...]:
    """The rule sets that the options ask for, each changed alike; RuleSetError."""
    wanted: dict[str, object] = {}
    for change in changes:
        rule, equals, value = change.partition("=")
        if not equals:
            raise RuleSetError("option --set", change, "RULE=VALUE")
        wanted[rule] = parse_rule(rule, value)
    if occurrences is not None:
        wanted["occurrences"] = occurrences
    return tuple(choose_rule_set(name).replace(wanted) for name in names)


def worker_options(usual: str) -> Callable[[Command], Command]:
    """The options ``workers`` and ``scheduler``; ``usual`` tells what holds without them."""

    def decorate(command: Command) -> Command:
        for decorator in (
            click.option(
                "--scheduler",
                metavar="ADDRESS",
                help="Work on a Dask cluster instead: tcp://HOST:PORT.",
            ),
            click.option(
                "--workers",
                type=click.IntRange(1, 512),
                metavar="N",
                help=f"Processes that work; if left out, {usual}.",
            ),
        ):
            command = decorator(command)
        return command

    return decorate


class ArchiveOptions(NamedTuple):
    """What was said of many files."""

    output: Path | None
    """The file for the rulings; None to print them."""
    workers: int | None
    scheduler: str | None
    resume: bool


def archive_options(command: Command) -> Command:
    """The options for many files; the command gets them as ``how``."""
    decorators = [
        click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="OUT",
            help="Write the rulings to a file, OUT.jsonl or OUT.parquet.",
        ),
        worker_options(usual="one for each core where there is much to do"),
        click.option("--resume", is_flag=True, help="Go on with OUT where a run was stopped."),
    ]

    @functools.wraps(command)
    def collected(*args: Any, **kwargs: Any) -> Any:
        how = ArchiveOptions(*(kwargs.pop(name) for name in ArchiveOptions._fields))
        return command(*args, how=how, **kwargs)

    wrapped: Any = collected
    for decorator in reversed(decorators):
        wrapped = decorator(wrapped)
    return cast(Command, wrapped)
