"""Analysis of games by an engine: evaluations, move marks, and demands of the repetition rules.

``values`` defines evaluations, losses and marks; ``engines`` runs Meihua or another engine;
``knowledge`` probes tables and books and consults the referee. ``game`` analyses a game move by
move; ``annotation`` summarises each player's moves and writes the result into the game or as JSON;
``puzzles`` finds puzzles. ``archive`` analyses many games with workers and a journal. Names are
imported on first use::

    settings = AnalysisSettings(effort=Effort(nodes=100_000))
    for game in read_games("games.pgn"):
        analysis = analyse_moves(game.fen, game.moves(), OurAnalyst(), settings)
        annotate(game, analysis, settings)
        print(game.headers["RedAccuracy"])
"""

from typing import TYPE_CHECKING

from xiangqi.ground.installed import lazy_names

if TYPE_CHECKING:
    from xiangqi.analysis.annotation import SideSummary, annotate, sum_up
    from xiangqi.analysis.archive import AnalysisJob, analyse_archive
    from xiangqi.analysis.engines import Effort, EngineAnalyst, OurAnalyst
    from xiangqi.analysis.game import AnalysisSettings, GameAnalysis, PlyAnalysis, analyse_moves
    from xiangqi.analysis.puzzles import Puzzle, find_puzzles
    from xiangqi.analysis.values import MoveMark, Value

__all__ = [
    "AnalysisJob",
    "AnalysisSettings",
    "Effort",
    "EngineAnalyst",
    "GameAnalysis",
    "MoveMark",
    "OurAnalyst",
    "PlyAnalysis",
    "Puzzle",
    "SideSummary",
    "Value",
    "analyse_archive",
    "analyse_moves",
    "annotate",
    "find_puzzles",
    "sum_up",
]

__getattr__ = lazy_names(
    __name__,
    {
        "annotation": "SideSummary annotate sum_up",
        "archive": "AnalysisJob analyse_archive",
        "engines": "Effort EngineAnalyst OurAnalyst",
        "game": "GameAnalysis PlyAnalysis AnalysisSettings analyse_moves",
        "puzzles": "Puzzle find_puzzles",
        "values": "MoveMark Value",
    },
)
