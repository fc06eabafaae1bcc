"""The options that several commands share, and their values."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import click
from click.shell_completion import CompletionItem

from xiangqi.cli.base import Command, refusing
from xiangqi.errors import Fact, FenError, PositionError, RuleSetError
from xiangqi.exits import EXIT_DIFFERENT
from xiangqi.files import STANDARD, name_input, open_input
from xiangqi.notation import is_like_a_move
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.rules import (
    RULE_FILE,
    RULE_SETS,
    RuleSet,
    choose_rule_set,
    parse_rule,
)
from xiangqi.words import LANGUAGES, Language
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = [
    "ArchiveOptions",
    "archive_options",
    "book_options",
    "choose_books",
    "choose_rules",
    "force_option",
    "is_fen",
    "language_option",
    "position_options",
    "resume_option",
    "rule_options",
    "voice_options",
    "worker_options",
]


ALL_BOOKS: Final = "all"
"""The name for all rule sets, where several may be given."""
_A_FILE: Final = f"NAME{RULE_FILE}"


class RuleNames(click.ParamType):  # type: ignore[type-arg]  # no generic class in older click
    """Parameter type for the name of a rule set, several separated by commas, or ``all``."""

    name = "rules"

    def __init__(self, *, several: bool) -> None:
        self.several = several

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Convert to names; a usage error for an unknown rule set."""
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
        """The completions of the last name."""
        before, comma, last = incomplete.rpartition(",") if self.several else ("", "", incomplete)
        names = [*RULE_SETS, ALL_BOOKS] if self.several and not comma else [*RULE_SETS]
        return [
            CompletionItem(before + comma + name) for name in names if name.startswith(last.lower())
        ]


def rule_options(command: Command) -> Command:
    """The options that choose a rule set; :func:`choose_rules` reads them."""
    text = f"Rule set, or {_A_FILE}; 'xiangqi rules' lists all."
    return _rule_options(command, text, several=False)


def book_options(command: Command) -> Command:
    """The same for commands that take several; :func:`choose_books` reads them."""
    text = (
        f"Rule sets, or {_A_FILE}, separated by commas, or {ALL_BOOKS}; 'xiangqi rules' lists all."
    )
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
            help="Occurrences of a position after which it is judged.",
        ),
        click.option(
            "--set",
            "changes",
            multiple=True,
            metavar="QUESTION=VALUE",
            help="Change one answer of the rule set; 'xiangqi rules' lists questions and values.",
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
    help="Language of the output.",
)


def voice_options(usual: Voice) -> Callable[[Command], Command]:
    """The options for the language and the notation; the command gets them as ``voice``."""
    notation = click.option(
        "--notation",
        type=click.Choice(MOVE_NOTATIONS),
        help="Notation of moves: 炮二平五, C2.5 or h2e2; by default 炮二平五 in Chinese and "
        f"{_EXAMPLES[usual.english]} in English.",
    )

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def voiced(*args: Any, lang: Any, notation: Any, **kwargs: Any) -> Any:
            voice = replace(usual, language=lang, chosen=notation)
            return command(*args, voice=voice, **kwargs)

        return cast(Command, language_option(notation(voiced)))

    return decorate


def is_fen(words: Sequence[str]) -> bool:
    """Do the arguments begin with the ten ranks of a FEN?"""
    return _FEN.match(" ".join(words)) is not None


def position_options(command: Command) -> Command:
    """A position as an argument or with ``--fen``; the command gets it as ``fen``.

    The default is the starting position. A FEN needs no quotes. A pasted game means its last
    position. A file means the last position of each of its games: the command is called for each,
    and prints the place in the file on a line before it, except for JSON.
    """

    @functools.wraps(command)
    def placed(*args: Any, position: tuple[str, ...], fen: str | None, **kwargs: Any) -> Any:
        if position and fen is not None:
            raise click.UsageError("Give the position once: as FEN, or with --fen.")
        if fen is None and len(position) == 1 and _is_file(position[0]):
            _call_for_each(position[0], functools.partial(command, *args, **kwargs), **kwargs)
            return None
        if fen is None:
            fen = _last_position(position) or STARTING_FEN
        return command(*args, fen=fen, **kwargs)

    option = click.option("--fen", metavar="FEN", help="The position, as an option.")
    argument = click.argument("position", nargs=-1, metavar="[FEN | GAME | FILE]")
    return cast(Command, argument(option(refusing(placed))))


def _is_file(name: str) -> bool:
    return name == STANDARD or os.path.isfile(name)


def _call_for_each(
    name: str, command: Callable[..., Any], *, as_json: bool = False, **options: Any
) -> None:
    """Call a command for the last position of every game of a file; faults are reported.

    Exits with 1 where a game has an error.
    """
    from xiangqi.games.formats import read_games

    is_sound = True
    voice = options.get("voice")
    language: Language = voice.language if isinstance(voice, Voice) else "en"
    with open_input(name) as data:
        for number, game in enumerate(read_games(data, source=name_input(name)), start=1):
            if not as_json:
                title = game.headers.get("Title", "")
                click.echo(f"{name_input(name)}:{number}: {title}".rstrip(": "))
            for error in game.errors:
                click.echo(f"xiangqi: {error.say(language)}", err=True)
            is_sound = is_sound and not game.errors
            is_empty = game.fen == STARTING_FEN and not game.root.variations
            with suppress(FenError, PositionError):  # which are among the errors
                if not (game.errors and is_empty):
                    command(fen=game.board().fen())
    if not is_sound:
        sys.exit(EXIT_DIFFERENT)


def _last_position(words: Sequence[str]) -> str:
    """FEN of the words, or of the last position of a game; an empty text for no words."""
    from xiangqi.games.formats.loose import PLACEMENT
    from xiangqi.games.pasting import read_moves

    text = " ".join(words)
    found = PLACEMENT.match(text)
    if found is None and "/" in text.split(" ")[0]:
        return text
    moves = text if found is None else text[found.end() :]
    return read_moves(text).play().fen() if is_like_a_move(moves) else text


def choose_rules(names: Sequence[str], occurrences: int | None, changes: Sequence[str]) -> RuleSet:
    """The rule set of the options; RuleSetError if they are wrong."""
    (rules,) = choose_books(names, occurrences, changes)
    return rules


def choose_books(
    names: Sequence[str], occurrences: int | None, changes: Sequence[str]
) -> tuple[RuleSet, ...]:
    """The rule sets of the options, all with the same changes; RuleSetError."""
    wanted: dict[str, object] = {}
    for change in changes:
        rule, equals, value = change.partition("=")
        if not equals:
            raise RuleSetError(Fact("rule.option", option="--set"), change, Fact("rule.change"))
        wanted[rule] = parse_rule(rule, value)
    if occurrences is not None:
        wanted["occurrences"] = occurrences
    return tuple(choose_rule_set(name).replace(wanted) for name in names)


def worker_options(usual: str) -> Callable[[Command], Command]:
    """The options ``workers`` and ``scheduler``; ``usual`` describes the default."""

    def decorate(command: Command) -> Command:
        for decorator in (
            click.option(
                "--scheduler",
                metavar="ADDRESS",
                help="Address of a Dask cluster to work on: tcp://HOST:PORT.",
            ),
            click.option(
                "--workers",
                type=click.IntRange(1, 512),
                metavar="N",
                help=f"Number of worker processes; default: {usual}.",
            ),
        ):
            command = decorator(command)
        return command

    return decorate


resume_option = click.option(
    "--resume", is_flag=True, help="Continue OUT where an earlier run stopped."
)
force_option = click.option("--force", is_flag=True, help="Overwrite OUT if it exists.")


class ArchiveOptions(NamedTuple):
    """The options for many files."""

    output: Path | None
    """The file for the rulings; None to print them."""
    workers: int | None
    scheduler: str | None
    resume: bool
    force: bool


def archive_options(command: Command) -> Command:
    """The options for many files; the command gets them as ``how``."""
    decorators = [
        click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="OUT",
            help="Write the rulings to OUT.jsonl or OUT.parquet.",
        ),
        worker_options(usual="all cores for large files, otherwise one"),
        resume_option,
        force_option,
    ]

    @functools.wraps(command)
    def collected(*args: Any, **kwargs: Any) -> Any:
        how = ArchiveOptions(*(kwargs.pop(name) for name in ArchiveOptions._fields))
        return command(*args, how=how, **kwargs)

    wrapped: Any = collected
    for decorator in reversed(decorators):
        wrapped = decorator(wrapped)
    return cast(Command, wrapped)
