"""Self-play that makes samples to train a network with: quiet positions, scored by the search.

Each game begins with random legal moves, is played with a fixed number of nodes for each move
under full repetition rules, and ends early where the scores leave no doubt. A game depends on the
settings and its number alone: with any number of workers the same games come, in the same order.

A position becomes a sample if the side to move is not in check, the move found neither captures
nor checks, no forced win is in sight, and the position has not occurred before in the game. What
hangs in the air is the search's matter, not the evaluation's.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.core.searcher import SearchLimits, SearchResult
from xiangqi.engine import is_decided, is_mate_score
from xiangqi.engine.network import DEFAULT, HAND_MADE, choose_network
from xiangqi.engine.parameters import PARAMETERS
from xiangqi.engine.searching import make_searcher
from xiangqi.games.results import POINTS, Result
from xiangqi.match.adjudication import Adjudicator, DrawRule, ResignRule
from xiangqi.match.openings import START, Opening
from xiangqi.referee.outcome import win_for
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.selfplay.samples import Sample
from xiangqi.version import __version__
from xiangqi.workers import Workers, run_in_order

__all__ = ["GenerationSettings", "SelfPlay", "generate_games", "new_adjudicator", "play_game"]

HASH_MB: Final = 1
"""Enough for a few thousand nodes, and quickly wiped."""

MOST_TRIES: Final = 1_000
"""So many random openings are tried before a lopsided one is taken."""

MOST_MOVES: Final = 200
"""Of each side; then the game is drawn."""

RESIGN: Final = ResignRule(movecount=3, score=1_500, twosided=True)
DRAW: Final = DrawRule(movecount=10, score=10, movenumber=50)


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """What the games depend on."""

    nodes: int = 2_048
    """Of the search for each move."""
    seed: int = 1
    random_plies: int = 8
    """So many random moves, or one more, begin a game; Red and Black so take turns."""
    imbalance: int = 250
    """An opening is refused if the search then finds a side ahead by more centipawns."""
    rules: RuleSet = WXF
    openings: tuple[Opening, ...] = (START,)
    """The random moves follow one of these, drawn at random."""
    network: str = DEFAULT
    """The evaluation, as :func:`xiangqi.engine.network.choose_network` takes it."""

    def facts(self) -> dict[str, Any]:
        """The settings as plain data, for the header of a file; the network by its hash.

        The engine's version and the numbers of its search are told, too: with others the games
        are others.
        """
        facts = asdict(self)
        facts["rules"]["verdicts"] = list(self.rules.verdicts)  # as JSON gives it back
        facts["version"] = __version__
        facts["search"] = {parameter.name: parameter.default for parameter in PARAMETERS}
        facts["openings"] = [[opening.fen, *opening.moves] for opening in self.openings]
        network = choose_network(self.network)
        facts["network"] = HAND_MADE if network is None else network.sha256
        return facts


def new_adjudicator() -> Adjudicator:
    """Ends a game early where the scores leave no doubt."""
    return Adjudicator(DRAW, RESIGN, MOST_MOVES)


class SelfPlay:
    """The engine's games with itself under the same settings, one after the other."""

    def __init__(
        self, settings: GenerationSettings, changes: Mapping[str, int] | None = None
    ) -> None:
        """``changes`` are numbers of the search that are not to have their defaults."""
        self.settings = settings
        self._limits = SearchLimits(
            nodes=settings.nodes, no_capture_limit=settings.rules.no_capture_limit or 0
        )
        self._searcher = make_searcher(
            choose_network(settings.network), changes=changes, hash_mb=HASH_MB
        )

    def play(self, number: int) -> list[Sample]:
        """Play a game; its samples."""
        board = self.begin(number)
        adjudicator = new_adjudicator()
        samples: list[Sample] = []
        result = None
        while result is None:
            found = self.search(board)
            if _is_quiet(board, found):
                samples.append(Sample(board.setup(), 0, found.score, board.ply(), number))
            result = self.play_on(board, found, adjudicator)
        points = POINTS[result]
        return [sample._replace(result=round(2 * points)) for sample in samples]

    def search(self, board: Board) -> SearchResult:
        """What the engine thinks of a position."""
        return self._searcher.search(board, self._limits, self.settings.rules.switches)

    def begin(self, number: int) -> Board:
        """The board on which a game begins, after random legal moves, with chances for both."""
        self._searcher.clear()
        settings = self.settings
        rng = random.Random(f"{settings.seed}:{number}")
        for _ in range(MOST_TRIES):
            board = rng.choice(settings.openings).board()
            for _ in range(settings.random_plies + rng.randrange(2)):
                if not board.is_game_over(settings.rules):
                    board.push(rng.choice(board.list_moves()))
            goes_on = not board.is_game_over(settings.rules)
            if goes_on and abs(self.search(board).score) <= settings.imbalance:
                return board
        return rng.choice(settings.openings).board()

    def play_on(self, board: Board, found: SearchResult, adjudicator: Adjudicator) -> Result | None:
        """Play the move that was found; the result if that ends the game."""
        if is_mate_score(found.score):
            return win_for(board.turn if found.score > 0 else not board.turn)
        assert found.best is not None  # the game goes on, so that there are legal moves
        board.push_unchecked(found.best)
        outcome = board.outcome(self.settings.rules)
        if outcome is not None:
            return outcome.result()
        decision = adjudicator.add_move(board, found.score)
        return None if decision is None else decision.result


def _is_quiet(board: Board, found: SearchResult) -> bool:
    """Is the position one that the evaluation should understand without a search?"""
    move = found.best
    return (
        move is not None
        and not board.is_check()
        and not board.is_capture(move)
        and not board.gives_check(move)
        and not is_decided(found.score)
        and board.repetitions() == 1
    )


def play_game(settings: GenerationSettings, number: int) -> list[Sample]:
    """Play one game; its samples, in order."""
    return SelfPlay(settings).play(number)


def generate_games(
    settings: GenerationSettings, workers: Workers, *, first: int = 0
) -> Generator[list[Sample], None, None]:
    """The samples of game after game, without end, in the order of their numbers.

    Any executor of :mod:`concurrent.futures` plays them, see :mod:`xiangqi.workers`. A
    game that ends its worker time and again has no samples. Raises WorkersError.
    """
    numbers = ((number,) for number in count(first))
    yield from run_in_order(partial(_play_batch, settings), numbers, workers, lambda number: [])


def _play_batch(settings: GenerationSettings, numbers: tuple[int, ...]) -> list[Sample]:
    return [sample for number in numbers for sample in play_game(settings, number)]
