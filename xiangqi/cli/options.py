"""Options that several commands share, and the parsing of their values."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import click
from click.shell_completion import CompletionItem

from xiangqi.cli.base import Command, handle_errors
from xiangqi.ground.errors import Fact, FenError, PositionError, RuleSetError
from xiangqi.ground.exits import EXIT_DIFFERENT
from xiangqi.ground.files import STANDARD, name_input, open_input
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.pieces.fen import STARTING_FEN, begins_fen
from xiangqi.referee.rules import (
    RULE_FILE,
    RULE_SETS,
    WXF,
    RuleSet,
    choose_rule_set,
    parse_rule,
)
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = [
    "ArchiveOptions",
    "RuleOptions",
    "Style",
    "WorkerOptions",
    "archive_options",
    "force_option",
    "gathered",
    "is_fen",
    "language_option",
    "position_options",
    "resume_option",
    "rule_options",
    "voice_options",
    "worker_options",
]

ALL_RULES: Final = "all"
"""Name for all rule sets, if several may be given."""
_FILE_FORM: Final = f"NAME{RULE_FILE}"


class RuleNames(click.ParamType):  # type: ignore[type-arg]  # no generic class in older click
    """Parameter type for a rule set, or for several: names separated by commas, or ``all``."""

    name = "rules"

    def __init__(self, *, several: bool) -> None:
        self.several = several

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split into names; a usage error for an unknown rule set."""
        if isinstance(value, tuple):
            return value
        if self.several and value.lower() == ALL_RULES:
            return tuple(RULE_SETS)
        names = value.split(",") if self.several else [value]
        for name in names:
            if name.lower() not in RULE_SETS and not name.endswith(RULE_FILE):
                known = ", ".join(map(repr, RULE_SETS))
                self.fail(f"{name!r} is not one of {known}, nor a file {_FILE_FORM}.", param, ctx)
        return tuple(dict.fromkeys(names))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Completions of the last name."""
        before, comma, last = incomplete.rpartition(",") if self.several else ("", "", incomplete)
        names = [*RULE_SETS, ALL_RULES] if self.several and not comma else [*RULE_SETS]
        return [
            CompletionItem(before + comma + name) for name in names if name.startswith(last.lower())
        ]


def gathered(name: str, kind: Callable[..., Any], *options: Any) -> Callable[[Command], Command]:
    """Pass the values of options to a command as one object, its argument ``name``.

    ``kind`` makes it from the values, which have the names of its parameters. The options may be
    given here.
    """
    fields = inspect.signature(kind).parameters

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def collected(*args: Any, **kwargs: Any) -> Any:
            found = kind(**{field: kwargs.pop(field) for field in fields})
            return command(*args, **{name: found}, **kwargs)

        decorated: Any = collected
        for option in reversed(options):
            decorated = option(decorated)
        return cast(Command, decorated)

    return decorate


class RuleOptions(NamedTuple):
    """Values of :func:`rule_options`."""

    rules: Sequence[str] = (WXF.name,)
    """Names of the rule sets."""
    occurrences: int | None = None
    changes: Sequence[str] = ()

    def choose(self) -> RuleSet:
        """The only rule set; raises RuleSetError if the options are invalid."""
        (rules,) = self.choose_all()
        return rules

    def choose_all(self) -> tuple[RuleSet, ...]:
        """Rule sets, all with the same changes; raises RuleSetError if the options are invalid."""
        answers: dict[str, object] = {}
        for change in self.changes:
            rule, equals, value = change.partition("=")
            if not equals:
                raise RuleSetError(Fact("rule.option", option="--set"), change, Fact("rule.change"))
            answers[rule] = parse_rule(rule, value)
        if self.occurrences is not None:
            answers["occurrences"] = self.occurrences
        return tuple(choose_rule_set(name).replace(answers) for name in self.rules)


def rule_options(*, several: bool = False) -> Callable[[Command], Command]:
    """Options for one rule set or ``several``; the command gets them as ``rules``."""
    if several:
        text = f"Rule sets or {_FILE_FORM}, separated by commas, or {ALL_RULES}"
    else:
        text = f"Rule set, or {_FILE_FORM}"
    return gathered(
        "rules",
        RuleOptions,
        click.option(
            "--rules",
            default="wxf",
            show_default=True,
            type=RuleNames(several=several),
            metavar="NAME,..." if several else "NAME",
            help=f"{text}; 'xiangqi rules' lists all.",
        ),
        click.option(
            "--occurrences",
            type=int,
            metavar="N",
            help="Judge at the Nth occurrence of a position.",
        ),
        click.option(
            "--set",
            "changes",
            multiple=True,
            metavar="QUESTION=VALUE",
            help="Change one answer of the rule set; 'xiangqi rules' lists questions and values.",
        ),
    )


language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of the output.",
)


def voice_options(default: Voice) -> Callable[[Command], Command]:
    """Options for the language and the notation; the command gets them as ``voice``."""
    notation = click.option(
        "--notation",
        type=click.Choice(MOVE_NOTATIONS),
        help="Notation of moves: 炮二平五, C2.5, P2-5 or h2e2; default: that of the language.",
    )

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def voiced(*args: Any, lang: Any, notation: Any, **kwargs: Any) -> Any:
            voice = replace(default, language=lang, chosen=notation)
            return command(*args, voice=voice, **kwargs)

        return cast(Command, language_option(notation(voiced)))

    return decorate


def is_fen(words: Sequence[str]) -> bool:
    """Do the arguments begin like a FEN?"""
    return begins_fen(" ".join(words))


def position_options(command: Command) -> Command:
    """Position as an argument or with ``--fen``; the command gets it as ``fen``.

    The default is the starting position. A FEN needs no quotes. A pasted game gives its last
    position. A file gives the last position of each of its games: the command is called for each,
    after a line with its place in the file, except with ``--json``.
    """

    @functools.wraps(command)
    def placed(*args: Any, position: tuple[str, ...], fen: str | None, **kwargs: Any) -> Any:
        if position and fen is not None:
            raise click.UsageError("Give the position once: as FEN, or with --fen.")
        is_file = len(position) == 1 and (position[0] == STANDARD or os.path.isfile(position[0]))
        if fen is None and is_file:
            _call_for_each(position[0], functools.partial(command, *args, **kwargs), **kwargs)
            return None
        if fen is None:
            from xiangqi.games.pasting import last_position

            fen = last_position(" ".join(position)) or STARTING_FEN
        return command(*args, fen=fen, **kwargs)

    option = click.option("--fen", metavar="FEN", help="The position, in place of an argument.")
    argument = click.argument("position", nargs=-1, metavar="[FEN | GAME | FILE]")
    return cast(Command, argument(option(handle_errors(placed))))


def _call_for_each(
    name: str, command: Callable[..., Any], *, as_json: bool = False, **options: Any
) -> None:
    """Call a command for the last position of each game of a file, and print the games' errors.

    Exits with EXIT_DIFFERENT if a game has errors.
    """
    from xiangqi.games.formats import read_games

    has_errors = False
    voice = options.get("voice")
    language: Language = voice.language if isinstance(voice, Voice) else "en"
    with open_input(name) as data:
        for number, game in enumerate(read_games(data, source=name_input(name)), start=1):
            if not as_json:
                title = game.headers.get("Title", "")
                click.echo(f"{name_input(name)}:{number}: {title}".rstrip(": "))
            for error in game.errors:
                click.echo(f"xiangqi: {error.say(language)}", err=True)
            has_errors = has_errors or bool(game.errors)
            is_empty = game.fen == STARTING_FEN and not game.root.variations
            with suppress(FenError, PositionError):  # which are among game.errors
                if not (game.errors and is_empty):
                    command(fen=game.board().fen())
    if has_errors:
        sys.exit(EXIT_DIFFERENT)


class Style(NamedTuple):
    """Form in which a command prints rulings."""

    explain: bool
    """With the classification of each move of the cycle."""
    as_json: bool
    """Is the form JSON, with all evidence?"""
    voice: Voice


class WorkerOptions(NamedTuple):
    """Values of :func:`worker_options`."""

    workers: int | None = None
    """Number of processes; None for the default."""
    scheduler: str | None = None
    """Address of a cluster, in place of processes."""


def worker_options(default: str) -> Callable[[Command], Command]:
    """Options ``--workers`` and ``--scheduler``; the command gets them as ``workers``.

    ``default`` describes the number of workers.
    """
    return gathered(
        "workers",
        WorkerOptions,
        click.option(
            "--workers",
            type=click.IntRange(1, 512),
            metavar="N",
            help=f"Number of worker processes; default: {default}.",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Run on the Dask cluster with this scheduler, tcp://HOST:PORT.",
        ),
    )


resume_option = click.option("--resume", is_flag=True, help="Continue an interrupted run.")
force_option = click.option("--force", is_flag=True, help="Overwrite the output file.")


class ArchiveOptions(NamedTuple):
    """Values of :func:`archive_options`."""

    output: Path | None = None
    """File for the rulings; None to print them."""
    workers: WorkerOptions = WorkerOptions()
    resume: bool = False
    force: bool = False


def archive_options(command: Command) -> Command:
    """Options for judging many files; the command gets them as ``archive``."""
    output = click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="OUT",
        help="Write the rulings to OUT.jsonl or OUT.parquet.",
    )
    workers = worker_options(default="all cores for large files, otherwise one")
    options = (output, workers, resume_option, force_option)
    return gathered("archive", ArchiveOptions, *options)(command)
