"""The command ``xiangqi``: the list of its commands, each imported when called."""

from __future__ import annotations

import click

from xiangqi.cli.base import Commands, LazyCommand
from xiangqi.installed import __version__

__all__ = ["main"]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="Meihua")
def main() -> None:
    """Meihua: a Xiangqi (Chinese chess) board, engine and referee of repetitions.

    Exit codes: 0 success, 1 work that failed at least in part, 2 wrong use or input, 130 Ctrl-C.
    """


for name, where, summary in (
    (
        "analyse",
        "xiangqi.cli.analyse:analyse",
        "Annotate games with an engine's evaluations, as PGN or JSON lines.",
    ),
    (
        "api",
        "xiangqi.cli.api:api",
        "Run the HTTP service: rulings, moves, analysis, tables, conversion.",
    ),
    (
        "bench",
        "xiangqi.cli.bench:bench",
        "Search fixed positions; the node count is the engine's signature.",
    ),
    (
        "benchmark",
        "xiangqi.cli.compliance:benchmark",
        "Test ENGINE, a program or a command in quotes, on the cases of the rule books.",
    ),
    (
        "book",
        "xiangqi.cli.book:book",
        "Make, show, merge and check opening books.",
    ),
    (
        "compliance",
        "xiangqi.cli.compliance:compliance",
        "Check whether an engine keeps to its protocol.",
    ),
    (
        "convert",
        "xiangqi.cli.convert:convert",
        "Convert game files into another format.",
    ),
    (
        "cycles",
        "xiangqi.cli.cycles:cycles",
        "Find the smallest cycles on which two rule sets disagree.",
    ),
    (
        "datagen",
        "xiangqi.cli.datagen:datagen",
        "Generate self-play games to train a network.",
    ),
    (
        "elo",
        "xiangqi.cli.match:elo",
        "Rate all players of the games in PGN files.",
    ),
    (
        "engine",
        "xiangqi.cli.engine:engine",
        "Run the engine: UCCI, UCI or XBoard on standard input.",
    ),
    (
        "eval",
        "xiangqi.cli.bench:evaluate",
        "Print the static evaluation of a position.",
    ),
    (
        "judge",
        "xiangqi.cli.judge:judge",
        "Judge a game by the repetition rules: who must deviate, and why.",
    ),
    (
        "match",
        "xiangqi.cli.match:match",
        "Play engines against each other under the rules of Xiangqi.",
    ),
    (
        "mcp",
        "xiangqi.cli.api:mcp",
        "Serve tools for agents on standard input and output (MCP).",
    ),
    (
        "perft",
        "xiangqi.cli.bench:perft",
        "Count the positions after DEPTH legal moves, and measure the speed.",
    ),
    (
        "report",
        "xiangqi.cli.report:report",
        "Write an HTML page for every game, readable without a network.",
    ),
    (
        "rules",
        "xiangqi.cli.rules:rules",
        "List the rule sets, and the open questions with their values.",
    ),
    (
        "serve",
        "xiangqi.cli.serve:serve",
        "Open a board in the browser: play, paste, judge and explain games.",
    ),
    (
        "site",
        "xiangqi.cli.serve:site",
        "Write the board and the referee as files for any web server.",
    ),
    (
        "show",
        "xiangqi.cli.show:show",
        "Print a position with the attacks on every piece.",
    ),
    (
        "tables",
        "xiangqi.cli.tables:tables",
        "Make, probe and verify endgame tables that follow the rules.",
    ),
    (
        "verify",
        "xiangqi.cli.verify:verify",
        "Judge the cases of the rule book and compare.",
    ),
):
    main.add_command(LazyCommand(name, where, summary))
