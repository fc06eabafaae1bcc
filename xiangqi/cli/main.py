"""The command ``xiangqi``: the list of its commands, each imported when it is called."""

from __future__ import annotations

import click

from xiangqi.cli.base import Commands, LazyCommand
from xiangqi.version import __version__

__all__ = ["main"]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="Meihua")
def main() -> None:
    """Meihua: a Xiangqi (Chinese chess) board and referee that knows the repetition rules."""


for name, where, summary in (
    (
        "analyse",
        "xiangqi.cli.analyse:analyse",
        "Write the games of the FILEs with an engine's word on every move, as PGN or JSON lines.",
    ),
    (
        "bench",
        "xiangqi.cli.bench:bench",
        "Search fixed positions to DEPTH; the node count is the engine's signature.",
    ),
    (
        "book",
        "xiangqi.cli.book:book",
        "Make opening books from games, look into them, merge and check them.",
    ),
    (
        "compliance",
        "xiangqi.cli.compliance:compliance",
        "Check whether ENGINE, a program or a command in quotes, keeps to its protocol.",
    ),
    (
        "convert",
        "xiangqi.cli.convert:convert",
        "Convert the games of the file IN, or of all files of a folder, into another format.",
    ),
    (
        "cycles",
        "xiangqi.cli.cycles:cycles",
        "Find cycles on which two rule sets differ, the smallest first, and tell why.",
    ),
    (
        "datagen",
        "xiangqi.cli.datagen:datagen",
        "Let the engine play itself and write the games with all scores to OUT.",
    ),
    (
        "elo",
        "xiangqi.cli.elo:elo",
        "Rate all players of the games in PGN FILEs.",
    ),
    (
        "engine",
        "xiangqi.cli.engine:engine",
        "Speak UCCI, UCI or the XBoard protocol with a program; its first line decides.",
    ),
    (
        "eval",
        "xiangqi.cli.evaluate:evaluate",
        "Print the static evaluation of the position FEN: term by term, and the network's.",
    ),
    (
        "judge",
        "xiangqi.cli.judge:judge",
        "Rule on the last position of a game: who may not go on, and why.",
    ),
    (
        "match",
        "xiangqi.cli.match:match",
        "Play engines against each other under the rules of Xiangqi.",
    ),
    (
        "perft",
        "xiangqi.cli.perft:perft",
        "Count the sequences of DEPTH legal moves from the position FEN, and tell how fast.",
    ),
    (
        "report",
        "xiangqi.cli.report:report",
        "Write a page for every game of the FILEs, to be read in a browser without a network.",
    ),
    (
        "serve",
        "xiangqi.cli.serve:serve",
        "Play, paste, rule and explain games in the browser.",
    ),
    (
        "site",
        "xiangqi.cli.site:site",
        "Write the board and the referee as files for any web server.",
    ),
    (
        "show",
        "xiangqi.cli.show:show",
        "Print a position, each piece marked as attacked, pinned or protected.",
    ),
    (
        "tables",
        "xiangqi.cli.tables:tables",
        "Make end-game tables that are right under the rules of repetition, ask and check them.",
    ),
    (
        "verify",
        "xiangqi.cli.verify:verify",
        "Rule on the cases of the rule book and compare.",
    ),
):
    main.add_command(LazyCommand(name, where, summary))
