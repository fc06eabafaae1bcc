"""Ratings of many players, from all their games at once.

Strengths of the model of :mod:`xiangqi.match.bradley_terry` are converted to Elo as in BayesElo:
for small differences the expected score is that of Elo, so that a unit is 400/ln 10 * 2/(2 + nu)
points. Errors are 95 % intervals of the difference from the mean of all players or the anchor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from xiangqi.games.record import POINTS
from xiangqi.games.results import parse_result
from xiangqi.ground.errors import Fact, RatingError, quote
from xiangqi.ground.installed import how_to_install
from xiangqi.match.stats import Z_95, GameCounts

__all__ = ["PRIOR", "LeftOut", "Rating", "Ratings", "Results", "rate"]

PRIOR: Final = 1.0
"""Virtual games of each player; the effect of one is far below the error of any match."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game that is not rated."""

    source: str
    """The file and the number of the game in it."""
    red: str
    black: str
    result: str
    why: str

    def to_dict(self) -> dict[str, str]:
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.source}: {quote(self.red)} - {quote(self.black)}: {self.why}"


@dataclass
class Results:
    """Games to be rated, and the games left out."""

    games: dict[tuple[str, str], GameCounts] = field(default_factory=dict)
    """Counts from Red's side, by the names of Red and Black."""
    left_out: list[LeftOut] = field(default_factory=list)

    def add(self, red: str, black: str, counts: GameCounts) -> None:
        """Count games of two players, from Red's side."""
        self.games[red, black] = self.games.get((red, black), GameCounts()) + counts

    def add_headers(self, headers: Mapping[str, str], source: str) -> None:
        """Count a game by its PGN headers; ``source`` names it in :attr:`left_out`.

        >>> results = Results()
        >>> results.add_headers({"White": "A", "Black": "B", "Result": "*"}, "a.pgn: game 1")
        >>> print(results.left_out[0])
        a.pgn: game 1: 'A' - 'B': no result: found '*', expected 1-0, 0-1 or 1/2-1/2
        """
        red = headers.get("Red") or headers.get("White", "")
        black, written = headers.get("Black", ""), headers.get("Result", "*")
        result = parse_result(written, letters=True) or written
        if result not in POINTS:
            why = f"no result: found {quote(written)}, expected 1-0, 0-1 or 1/2-1/2"
        elif not red or not black:
            why = "a player has no name"
        elif red == black:
            why = "the player is its own opponent"
        else:
            self.add(red, black, GameCounts().plus(POINTS[result]))
            return
        self.left_out.append(LeftOut(source, red, black, result, why))

    @property
    def players(self) -> list[str]:
        return sorted({name for pair in self.games for name in pair})

    def of(self, player: str) -> GameCounts:
        """Games of a player, from its side."""
        counts = GameCounts()
        for (red, black), games in self.games.items():
            if player == red:
                counts += games
            elif player == black:
                counts += games.swapped()
        return counts

    def groups(self) -> list[list[str]]:
        """Players grouped by connection through games; one group if all are connected."""
        group_of = {player: {player} for player in self.players}
        for red, black in self.games:
            if group_of[red] is not group_of[black]:
                group_of[red] |= group_of[black]
                for player in group_of[black]:
                    group_of[player] = group_of[red]
        return sorted({id(group): sorted(group) for group in group_of.values()}.values())


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating with its error and results."""

    name: str
    elo: float
    error: float
    """Half of the 95 % interval; 0 for the anchor."""
    games: int
    score: float
    """Mean score of a game, 0 to 1."""
    draws: float
    """Share of drawn games, 0 to 1."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of all players, the strongest first, with the fitted red advantage and draw rate."""

    players: tuple[Rating, ...]
    games: int
    red_advantage: float
    """Advantage of moving first, in Elo."""
    red_advantage_error: float
    draw_rate: float
    """Probability of a draw between equals, 0 to 1."""

    def to_dict(self) -> dict[str, Any]:
        ranked = enumerate(self.players, start=1)
        return {
            **asdict(self),
            "players": [{"rank": rank, **player.to_dict()} for rank, player in ranked],
        }


def rate(
    results: Results, anchor: tuple[str, float] | None = None, *, prior: float = PRIOR
) -> Ratings:
    """Compute the ratings that maximise the likelihood of the results.

    Their mean is 0, unless ``anchor`` gives the name and rating of a player. ``prior`` is a number
    of virtual games above 0.

    Raises RatingError if there are no games, if the anchor is not among the players, or if games do
    not connect all players; the message names the groups. Raises ImportError if SciPy is missing.
    """
    try:
        from xiangqi.match.bradley_terry import fit_strengths
    except ImportError as error:
        raise ImportError(f"ratings need SciPy: {how_to_install('elo')} ({error})") from error
    _check(results, anchor)
    players = results.players
    number_of = {player: number for number, player in enumerate(players)}
    games = [
        (number_of[red], number_of[black], counts) for (red, black), counts in results.games.items()
    ]
    fit = fit_strengths(len(players), games, prior)
    unit = 400 / math.log(10) * 2 / (2 + fit.nu)
    zero = [1 / len(players)] * len(players)
    if anchor is not None:
        zero = [float(player == anchor[0]) for player in players]
    rated = []
    for player in players:
        weights = [(other == player) - share for other, share in zip(players, zero, strict=True)]
        strength, deviation = fit.difference(weights)
        counts = results.of(player)
        rated.append(
            Rating(
                name=player,
                elo=unit * strength + (0.0 if anchor is None else anchor[1]),
                error=Z_95 * unit * deviation,
                games=counts.total,
                score=(counts.wins + counts.draws / 2) / counts.total,
                draws=counts.draws / counts.total,
            )
        )
    return Ratings(
        players=tuple(sorted(rated, key=lambda rating: (-rating.elo, rating.name))),
        games=sum(counts.total for counts in results.games.values()),
        red_advantage=unit * fit.advantage,
        red_advantage_error=Z_95 * unit * fit.advantage_deviation,
        draw_rate=fit.nu / (2 + fit.nu),
    )


def _check(results: Results, anchor: tuple[str, float] | None) -> None:
    players, groups = results.players, results.groups()
    if not players:
        raise RatingError(Fact("rating.no_result"))
    if len(groups) > 1:
        named = "; ".join(", ".join(map(quote, group)) for group in groups)
        raise RatingError(Fact("rating.groups", groups=named))
    if anchor is not None and anchor[0] not in players:
        names = tuple(map(quote, players))
        raise RatingError(Fact("rating.anchor", anchor=anchor[0], players=names))
