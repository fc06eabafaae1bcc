"""The command ``match``: play engines against each other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from xiangqi.cli.base import Examples
from xiangqi.errors import XiangqiError
from xiangqi.exits import EXIT_WRONG_INPUT
from xiangqi.match.vocabulary import help_rows

__all__ = ["match"]


class _WithWords(Examples):
    """A command whose help lists the options of a match."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of a match before click's own."""
        with formatter.section("Match options, with their default in brackets"):
            formatter.write_dl(help_rows(), col_max=34)
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
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FILE.toml] OPTION...")
@click.pass_context
def match(context: click.Context, words: Sequence[str]) -> None:
    """Play engines against each other under the rules of Xiangqi.

    The options are those of fastchess and cutechess-cli. FILE.toml holds the same options without
    the dash; options on the command line add to it or replace it. Every finished game is written to
    a journal at once, from which a stopped match is resumed, and to a PGN file if one is given.

    Exit codes: 0 match complete, or H1 accepted; 3 H0 accepted; 1 an engine or a file failed; 2
    wrong use; 130 Ctrl-C.
    """
    from xiangqi.match.player import StartError
    from xiangqi.match.runner import EXIT_FAILED

    if not words or words[0] in ("-h", "-help"):
        click.echo(context.get_help())
        return
    try:
        code = _run(words)
    except (XiangqiError, StartError, OSError) as error:
        click.echo(f"xiangqi: {error}", err=True)
        code = EXIT_WRONG_INPUT if isinstance(error, XiangqiError) else EXIT_FAILED
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
