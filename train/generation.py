"""Self-play games with the scores of their searches, for training networks.

Each game begins with random legal moves, is played with a node limit for each move under the full
repetition rules, and is adjudicated by its scores. A game depends only on the settings and its
number, so that any number of workers generates the same games in the same order.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import random
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import count
from typing import Any, Final, cast

from train.game_files import SelfplayGame
from train.sample_files import is_quiet
from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits, SearchResult
from xiangqi.engine import is_mate_score
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searcher import PARAMETERS, make_searcher
from xiangqi.games.record import POINTS, Result
from xiangqi.ground.installed import __version__
from xiangqi.ground.workers import Workers, run_in_order
from xiangqi.match.adjudication import Adjudicator, DrawRule, ResignRule
from xiangqi.match.openings import START, Opening
from xiangqi.referee.outcome import win_for
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set

HASH_MB: Final = 1
"""Hash size: enough for a few thousand nodes, and fast to clear."""

MAX_TRIES: Final = 1_000
"""Number of random openings to try before giving up on a balanced one."""

MAX_MOVES: Final = 200
"""Maximum number of moves of each side, after which the game is drawn."""

RESIGN: Final = ResignRule(movecount=3, score=1_500, twosided=True)
DRAW: Final = DrawRule(movecount=10, score=10, movenumber=50)


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """Settings that determine the games."""

    nodes: int = 2_048
    """Node limit of each move."""
    soft_nodes: int = 0
    """If not 0, a search also ends after the iteration that exceeds this number of nodes."""
    seed: int = 1
    random_plies: int = 8
    """Minimum number of random plies at the start of a game; half of the games have one more."""
    imbalance: int = 250
    """Maximum absolute score of an opening, in centipawns."""
    rules: RuleSet = WXF
    openings: tuple[Opening, ...] = (START,)
    """Openings; each game begins with a random one, followed by random moves."""
    network: str = DEFAULT
    """Evaluation, as an argument of :func:`xiangqi.engine.network.choose_network`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", find_rule_set(self.rules))  # frozen, but may be a name

    def facts(self) -> dict[str, Any]:
        """Settings as JSON data, for the header of a file.

        The network and the openings are identified by hashes. The engine's version and search
        parameters are included, since the games depend on them.
        """
        facts = asdict(self)
        facts["version"] = __version__
        facts["search"] = {parameter.name: parameter.default for parameter in PARAMETERS}
        openings = json.dumps([[opening.fen, *opening.moves] for opening in self.openings])
        facts["openings"] = {
            "count": len(self.openings),
            "sha256": hashlib.sha256(openings.encode()).hexdigest(),
        }
        facts["network"] = choose_network(self.network).sha256
        del facts["rules"]["file"]
        return cast("dict[str, Any]", json.loads(json.dumps(facts)))


def new_adjudicator() -> Adjudicator:
    """Make an adjudicator of decided and drawn games."""
    return Adjudicator(DRAW, RESIGN, MAX_MOVES)


class SelfPlay:
    """Plays self-play games with the same settings."""

    def __init__(
        self,
        settings: GenerationSettings,
        changes: Mapping[str, int] | None = None,
        hash_mb: int = HASH_MB,
    ) -> None:
        """``changes`` are search parameters that replace the defaults."""
        self.settings = settings
        self._limits = SearchLimits(
            nodes=settings.nodes,
            soft_nodes=settings.soft_nodes,
            no_capture_limit=settings.rules.no_capture_limit or 0,
        )
        self._searcher = make_searcher(
            choose_network(settings.network), changes=changes, hash_mb=hash_mb
        )

    def play(self, number: int) -> SelfplayGame:
        """Play the game with this number."""
        board = self.begin(number)
        adjudicator = new_adjudicator()
        opening_plies = board.ply()
        scores: list[int] = []
        quiet = 0
        result = None
        while result is None:
            found = self.search(board)
            scores.append(found.score)
            quiet += found.best is not None and is_quiet(board, found.best, found.score)
            result = self.play_on(board, found, adjudicator)
        moves = board.move_stack
        return SelfplayGame(
            number,
            board.root_setup(),
            moves,
            scores[: len(moves) - opening_plies],
            round(2 * POINTS[result]),
            quiet,
        )

    def search(self, board: Board) -> SearchResult:
        """Search a position with the settings' limits."""
        return self._searcher.search(board, self._limits, self.settings.rules.switches)

    def clear(self) -> None:
        """Clear the search's state of earlier games."""
        self._searcher.clear()

    def begin(self, number: int) -> Board:
        """Board of a balanced opening: random legal moves from one of the openings.

        An opening without random moves if none of :data:`MAX_TRIES` is balanced.
        """
        self.clear()
        settings = self.settings
        rng = random.Random(f"{settings.seed}:{number}")
        for _ in range(MAX_TRIES):
            board = rng.choice(settings.openings).board()
            for _ in range(settings.random_plies + rng.randrange(2)):
                if not board.is_game_over(settings.rules):
                    board.push(rng.choice(board.list_moves()))
            if board.is_game_over(settings.rules):
                continue
            if abs(self.search(board).score) <= settings.imbalance:
                return board
        return rng.choice(settings.openings).board()

    def play_on(self, board: Board, found: SearchResult, adjudicator: Adjudicator) -> Result | None:
        """Play the best move; return the result of the game if it is over."""
        if is_mate_score(found.score):
            return win_for(board.turn if found.score > 0 else not board.turn)
        assert found.best is not None  # the game is not over, so there are legal moves
        board.push_unchecked(found.best)
        outcome = board.outcome(self.settings.rules)
        if outcome is not None:
            return outcome.result()
        decision = adjudicator.add_move(board, found.score)
        return None if decision is None else decision.result


def play_game(settings: GenerationSettings, number: int) -> SelfplayGame:
    """Play one game."""
    return SelfPlay(settings).play(number)


def generate_games(
    settings: GenerationSettings, workers: Workers, *, first: int = 0
) -> Generator[SelfplayGame, None, None]:
    """Generate games without end, in the order of their numbers, from ``first`` on.

    Workers can be any executor of :mod:`concurrent.futures`, see :mod:`xiangqi.ground.workers`. A
    game that crashes its workers repeatedly becomes a draw without moves. Raises WorkersError.
    """
    numbers = ((number,) for number in count(first))
    play = partial(_play_batch, pickle.dumps(settings))
    yield from run_in_order(play, numbers, workers, _not_played)


def _play_batch(packed: bytes, numbers: tuple[int, ...]) -> SelfplayGame:
    (number,) = numbers
    return play_game(_unpack(packed), number)


@lru_cache(maxsize=1)
def _unpack(packed: bytes) -> GenerationSettings:
    """Unpickle settings, which may have tens of thousands of openings, once in each worker."""
    return cast("GenerationSettings", pickle.loads(packed))


def _not_played(number: int) -> SelfplayGame:
    return SelfplayGame(number, Board().setup(), (), (), 1, 0)
