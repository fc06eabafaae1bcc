"""The command ``xiangqi``: its commands, each imported when called."""

from __future__ import annotations

import click

from xiangqi.cli.base import Commands, LazyCommand
from xiangqi.ground.installed import __version__

__all__ = ["main"]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="Meihua")
def main() -> None:
    """Meihua: a Xiangqi (Chinese chess) board, engine and referee of repetitions.

    Exit codes: 0 success, 1 failure of at least a part, 2 invalid usage or input, 130 Ctrl-C.
    """


for name, target, summary in (
    (
        "analyse",
        "analyse:analyse",
        "Annotate games with an engine's evaluations, as PGN or JSON lines.",
    ),
    ("api", "api:api", "Run the HTTP service: rulings, moves, analysis, tables, conversion."),
    ("bench", "bench:bench", "Search fixed positions; the node count is the engine's signature."),
    (
        "benchmark",
        "compliance:benchmark",
        "Test ENGINE, a program or a command in quotes, on the cases of the rule books.",
    ),
    ("book", "book:book", "Make, show, merge and check opening books."),
    ("compliance", "compliance:compliance", "Check whether an engine conforms to its protocol."),
    ("convert", "convert:convert", "Convert game files into another format."),
    ("cycles", "cycles:cycles", "Find the smallest cycles on which two rule sets disagree."),
    ("elo", "match:elo", "Rate all players of the games in PGN files."),
    ("engine", "engine:engine", "Run the engine: UCCI, UCI or XBoard on standard input."),
    ("eval", "bench:evaluate", "Print the static evaluation of a position."),
    ("judge", "judge:judge", "Judge a game by the repetition rules: who must deviate, and why."),
    ("match", "match:match", "Play engines against each other under the rules of Xiangqi."),
    ("mcp", "api:mcp", "Run the MCP server: tools for AI agents, on standard input and output."),
    (
        "perft",
        "bench:perft",
        "Count the leaf nodes of the legal move tree at DEPTH, and measure the speed.",
    ),
    ("report", "report:report", "Write an HTML page for each game, readable offline."),
    (
        "rules",
        "rules:rules",
        "List the rule sets, and the questions they answer with the possible values.",
    ),
    ("serve", "serve:serve", "Open a board in the browser: play, paste, judge and explain games."),
    ("site", "serve:site", "Write the board and the referee as a static web site."),
    ("show", "show:show", "Print a position with the attacks on every piece."),
    ("tables", "tables:tables", "Make, probe and verify endgame tables that follow the rules."),
    (
        "verify",
        "verify:verify",
        "Judge the cases of a rule book, and compare the rulings with the book's.",
    ),
):
    main.add_command(LazyCommand(name, f"xiangqi.cli.{target}", summary))
