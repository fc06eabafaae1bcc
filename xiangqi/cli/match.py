"""The command ``match``: engine against engine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from xiangqi.cli.base import Examples
from xiangqi.errors import XiangqiError
from xiangqi.match.vocabulary import help_lines

__all__ = ["match"]


class _WithWords(Examples):
    """A command whose help lists the words of a match."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the words before click's own options."""
        with formatter.section("Words"):
            for line in help_lines():
                formatter.write(f"  {line}\n")
        super().format_options(ctx, formatter)


@click.command(
    cls=_WithWords,
    # With -h as an option click would find it in the word -each.
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    epilog="""
    xiangqi match -engine cmd=meihua name=new -engine cmd=./old -each tc=10+0.1 -rounds 100
    xiangqi match -engine cmd=meihua proto=ucci -engine cmd=fairy-stockfish proto=uci -each st=0.2
    xiangqi match -engine cmd=./new -engine cmd=./old -each tc=10+0.1 option.hashsize=64 \\
        -openings file=openings.epd order=random -repeat -rounds 5000 -concurrency 4 \\
        -draw movenumber=40 movecount=8 score=20 -resign movecount=3 score=800 \\
        -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -pgnout file=games.pgn
    xiangqi match match.toml -concurrency 2
    xiangqi match -config file=match.jsonl
    """,
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FILE.toml] WORD...")
@click.pass_context
def match(context: click.Context, words: Sequence[str]) -> None:
    """Play engines against each other under the rules of Xiangqi.

    The words are those of fastchess and cutechess-cli. FILE.toml has the same words without the
    dash; words on the command line are added to it or replace it. Each finished game is written
    at once to a journal, from which an interrupted match is resumed, and to a PGN file if one is
    named. The exit code is 0 at the end or when H1 is accepted, 2 when H0 is, 130 after Ctrl-C
    and 1 after an error.
    """
    from xiangqi.match.player import StartError
    from xiangqi.match.runner import EXIT_ERROR

    if not words or words[0] in ("-h", "-help"):
        click.echo(context.get_help())
        return
    try:
        code = _run(words)
    except (XiangqiError, StartError, OSError) as error:
        click.echo(f"xiangqi: {error}", err=True)
        code = EXIT_ERROR
    sys.exit(code)


def _run(words: Sequence[str]) -> int:
    from xiangqi.match.arguments import (
        build_config,
        find_value,
        read_toml,
        resume_words,
        split_words,
    )
    from xiangqi.match.journal import Journal
    from xiangqi.match.runner import run_match

    has_file = bool(words) and not words[0].startswith("-")
    said = [*(read_toml(Path(words[0])) if has_file else ()), *split_words(words[has_file:])]
    path = find_value(said, "-config", "file")
    if path is None:
        return run_match(build_config(said), said)
    changes = resume_words(said)
    with closing(Journal.resume(Path(path))) as journal:
        said = [*journal.said, *changes]
        return run_match(build_config(said), said, journal)
