"""Strength of the engine's levels: games among them and against other engines.

    python -m bench.levels --games 200 --journal levels.jsonl

plays each level against the next two, and the installed peers against levels of similar strength,
under WXF rules; each opening is played twice, with the colours exchanged. Ratings are fitted by the
Bradley-Terry model; ``--write`` puts them into the table that the engine reads and into
docs/levels.md. The number of the opening seeds the random choices of a level, so that games among
levels are reproducible. Games in the journal are not played again.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Final, Protocol

from chess.engine import Limit
from rich.console import Console
from rich.table import Table

from bench.peers import FAIRY_STOCKFISH, HOIXIANGQI, find_program
from bench.strength import even_openings
from xiangqi import Board, Move
from xiangqi.client import SimpleEngine
from xiangqi.engine import Engine, Limits
from xiangqi.engine.levels import LEVELS, Level
from xiangqi.games.record import POINTS, GameRecord
from xiangqi.match.elo import Results, rate
from xiangqi.match.stats import GameCounts, Stats
from xiangqi.pieces import RED

TABLE: Final = Path(__file__).parents[1] / "xiangqi" / "engine" / "levels.txt"
PAGE: Final = Path(__file__).parents[1] / "docs" / "levels.md"
OPENINGS_SEED: Final = 1
MAX_DISTANCE: Final = 2
"""Maximum difference of levels that play each other."""
MAX_GAME_PLIES: Final = 400
"""Number of plies after which a game is drawn."""
ANCHOR: Final = ("level 1", 1000.0)
"""Player with a fixed rating, and the rating."""


@dataclass(frozen=True)
class Peer:
    """Another engine, with its settings."""

    name: str
    program: str
    dialect: str
    limit: Limit
    options: Mapping[str, str | int | bool]
    levels: tuple[int, ...]
    """Levels that it plays against."""


PEERS: Final = (
    *(
        Peer(f"HoiXiangqi, {name}", HOIXIANGQI, "xboard", limit, {}, levels)
        for name, limit, levels in (
            ("depth 1", Limit(depth=1), (1,)),
            ("depth 2", Limit(depth=2), (1, 2)),
            ("depth 4", Limit(depth=4), (1, 4, 6)),
            ("0.1 s a move", Limit(time=0.1), (1,)),
        )
    ),
    *(
        Peer(
            f"Fairy-Stockfish, Skill Level {skill}, 10,000 nodes",
            FAIRY_STOCKFISH,
            "uci",
            Limit(nodes=10_000),
            {"Hash": 16, "Skill Level": skill},
            levels,
        )
        for skill, levels in ((-10, (1, 2)), (0, (2, 4)), (10, (5, 7)), (20, (8, 10)))
    ),
)


# Players


class Player(Protocol):
    """Interface of players."""

    def move(self, board: Board, number: int) -> Move | None:
        """Choose a move, or None, in a game from the opening of this number."""


class LevelPlayer:
    """A level of Meihua."""

    def __init__(self, level: Level) -> None:
        self._limits = Limits(level=level.number)
        self._engine = Engine()

    def move(self, board: Board, number: int) -> Move | None:
        """Choose a move; the opening seeds the random choice."""
        self._engine.set_option("skill_seed", number + 1)
        return self._engine.play(board, self._limits).best


class PeerPlayer:
    """Another engine, in its own process."""

    def __init__(self, peer: Peer, path: str) -> None:
        self._limit = peer.limit
        self._engine = SimpleEngine.popen(path, dialect=peer.dialect, timeout=60.0)
        self._engine.configure(dict(peer.options))

    def move(self, board: Board, number: int) -> Move | None:
        """Choose a move; the opening and the colour identify the game."""
        return self._engine.play(board, self._limit, game=(number, board.turn)).move

    def close(self) -> None:
        """End the process."""
        self._engine.close()


# Games


@dataclass(frozen=True)
class Game:
    """A finished game, as in the journal."""

    red: str
    black: str
    opening: int
    result: str
    plies: int
    why: str


def level_name(number: int) -> str:
    """Name of a level.

    >>> level_name(3)
    'level 3'
    """
    return f"level {number}"


def plan_games(pairs: Mapping[tuple[str, str], int]) -> Iterator[tuple[str, str, int]]:
    """Red, Black and opening of each game; all pairs play an opening before the next one.

    ``pairs`` has the number of openings of each pair.

    >>> list(plan_games({("a", "b"): 2, ("b", "c"): 1}))
    [('a', 'b', 0), ('b', 'a', 0), ('b', 'c', 0), ('c', 'b', 0), ('a', 'b', 1), ('b', 'a', 1)]
    """
    for number in range(max(pairs.values())):
        for (first, second), openings in pairs.items():
            if number < openings:
                yield first, second, number
                yield second, first, number


def play_game(red: Player, black: Player, opening: str, number: int) -> tuple[str, int, str]:
    """Play a game from an opening; return its result, number of plies and reason for the end."""
    board = GameRecord(moves=tuple(opening.split())).play()
    while board.ply() < MAX_GAME_PLIES:
        outcome = board.outcome()
        if outcome is not None:
            return outcome.result(), board.ply(), outcome.termination.name.lower()
        move = (red if board.turn == RED else black).move(board, number)
        if move is None or move not in board.legal_moves:
            return "0-1" if board.turn == RED else "1-0", board.ply(), f"played {move}"
        board.push(move)
    return "1/2-1/2", board.ply(), "too long"


class Journal:
    """File of finished games as JSON lines."""

    def __init__(self, path: Path) -> None:
        self.games: dict[tuple[str, str, int], Game] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._keep(Game(**json.loads(line)))
        self._file = path.open("a", encoding="utf-8")

    def _keep(self, game: Game) -> None:
        self.games[game.red, game.black, game.opening] = game

    def add(self, game: Game) -> None:
        """Write a game and flush the file."""
        self._keep(game)
        print(json.dumps(asdict(game)), file=self._file, flush=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def play_all(
    players: Mapping[str, Player], pairs: Mapping[tuple[str, str], int], journal: Journal
) -> Iterator[Game]:
    """Play the games that are not in the journal; write and yield each."""
    rows = even_openings(max(pairs.values()), OPENINGS_SEED)
    for red, black, number in plan_games(pairs):
        if (red, black, number) not in journal.games:
            played = play_game(players[red], players[black], rows[number], number)
            game = Game(red, black, number, *played)
            journal.add(game)
            yield game


# Ratings


@dataclass(frozen=True)
class Measured:
    """Games and the ratings of their players."""

    games: Sequence[Game]
    elo: Mapping[str, float]
    """Ratings by name, relative to :data:`ANCHOR`."""
    error: Mapping[str, float]
    """Half of the 95 % interval of the difference from the mean of all players."""

    @classmethod
    def of(cls, games: Sequence[Game]) -> Measured:
        """Fit the ratings to the games."""
        results = Results()
        for game in games:
            results.add(game.red, game.black, GameCounts().plus(POINTS[game.result]))
        players = rate(results).players
        name, elo = ANCHOR
        shift = elo - next(player.elo for player in players if player.name == name)
        return cls(
            games,
            {player.name: player.elo + shift for player in players},
            {player.name: player.error for player in players},
        )

    def between(self, first: str, second: str) -> Stats:
        """Results of two players by pairs of games, from the first one's side."""
        points: dict[int, list[float]] = {}
        for game in self.games:
            if {game.red, game.black} == {first, second}:
                red = POINTS[game.result]
                points.setdefault(game.opening, []).append(red if game.red == first else 1 - red)
        stats = Stats()
        for pair in points.values():
            if len(pair) == 2:
                stats.add_pair(*pair)
        return stats


def print_results(measured: Measured, console: Console) -> None:
    """Print all ratings, and each level's results against the level before."""
    table = Table(title="Levels and peers", header_style="bold")
    for heading in ("player", "Elo", "error", "games", "against the level before", "difference"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for name, elo in sorted(measured.elo.items(), key=lambda item: item[1]):
        games = sum(name in (game.red, game.black) for game in measured.games)
        table.add_row(
            name, f"{elo:.0f}", f"{measured.error[name]:.0f}", str(games), *_step(measured, name)
        )
    console.print(table)
    endings = Counter(game.why for game in measured.games).most_common()
    console.print("Ends: " + ", ".join(f"{why} {count}" for why, count in endings))


def _step(measured: Measured, name: str) -> tuple[str, str]:
    number = next((one.number for one in LEVELS if level_name(one.number) == name), 1)
    stats = measured.between(name, level_name(number - 1))
    if not stats.games.total:
        return "", ""
    counts = stats.games
    return (
        f"+{counts.wins} ={counts.draws} -{counts.losses}",
        f"{stats.elo:+.0f} ± {stats.elo_error:.0f}",
    )


def write_table(path: Path, measured: Measured) -> None:
    """Write the levels' ratings and errors into the engine's table."""
    lines = []
    for line in path.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            number, _, _, *handicap = line.split()
            name = level_name(int(number))
            found = (f"{measured.elo[name]:.0f}", f"{measured.error[name]:.0f}")
            line = " ".join((number, *found, *handicap))
        lines.append(line)
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def write_page(path: Path, measured: Measured) -> None:
    """Replace the rows of the tables on the page."""
    text = path.read_text(encoding="utf-8")
    peers = sorted((elo, name) for name, elo in measured.elo.items() if not _is_level(name))
    text = _replace_rows(text, "| level |", [_row_of_level(measured, level) for level in LEVELS])
    text = _replace_rows(text, "| opponent |", [_row_of_peer(measured, name) for _, name in peers])
    path.write_text(text, encoding="utf-8")


def _replace_rows(text: str, heading: str, rows: Sequence[str]) -> str:
    table = re.compile(rf"^({re.escape(heading)}.*\n\|[-|]+\n)(?:\|.*\n)*", re.MULTILINE)
    return table.sub(lambda match: match[1] + "".join(f"{row}\n" for row in rows), text)


def _is_level(name: str) -> bool:
    return name.startswith("level ")


def _row_of_level(measured: Measured, level: Level) -> str:
    name, handicap = level_name(level.number), level.handicap
    limit = f"{handicap.depth} plies" if handicap.depth else f"{handicap.nodes:,} positions"
    cells = (
        str(level.number),
        _elo_of(measured, name),
        limit.replace("1 plies", "1 ply"),
        str(handicap.lines),
        str(handicap.temperature),
        *_step(measured, name),
    )
    return f"| {' | '.join(cells)} |"


def _row_of_peer(measured: Measured, name: str) -> str:
    results = []
    for level in LEVELS:
        counts = measured.between(level_name(level.number), name).games
        if counts.total:
            results.append(f"{level.number}: +{counts.wins} ={counts.draws} -{counts.losses}")
    return f"| {name} | {_elo_of(measured, name)} | {'; '.join(results)} |"


def _elo_of(measured: Measured, name: str) -> str:
    return f"{measured.elo[name]:.0f} ± {measured.error[name]:.0f}"


# The program


def plan_pairs(peers: Sequence[Peer], openings: int, others: int) -> dict[tuple[str, str], int]:
    """Number of openings of each pair: ``openings`` for adjacent levels, ``others`` otherwise."""
    pairs = {
        (level_name(one.number), level_name(other.number)): (
            openings if other.number == one.number + 1 else others
        )
        for one, other in combinations(LEVELS, 2)
        if other.number - one.number <= MAX_DISTANCE
    }
    with_peers = {(level_name(n), peer.name): others for peer in peers for n in peer.levels}
    return {pair: count for pair, count in (pairs | with_peers).items() if count}


def main() -> int:
    """Play and print the results; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.levels", description="Measure the engine's levels."
    )
    parser.add_argument(
        "--games", type=int, default=200, help="games of adjacent levels (default: 200)"
    )
    parser.add_argument("--others", type=int, default=60, help="games of other pairs (default: 60)")
    parser.add_argument(
        "--journal", type=Path, default=Path("levels.jsonl"), help="file (default: levels.jsonl)"
    )
    parser.add_argument("--no-peers", action="store_true", help="no games against other engines")
    parser.add_argument(
        "--write", action="store_true", help=f"write the ratings to {TABLE.name} and {PAGE.name}"
    )
    options = parser.parse_args()
    if options.games < 2 or options.others < 0 or (options.games | options.others) % 2:
        parser.error("expected even numbers of games")
    console = Console()
    with ExitStack() as stack:
        players: dict[str, Player] = {level_name(one.number): LevelPlayer(one) for one in LEVELS}
        present = []
        for peer in () if options.no_peers else PEERS:
            path = find_program(peer.program)
            if path is None:
                console.print(f"{peer.name}: not installed")
                continue
            player = PeerPlayer(peer, path)
            stack.callback(player.close)
            players[peer.name] = player
            present.append(peer)
        journal = Journal(options.journal)
        stack.callback(journal.close)
        pairs = plan_pairs(present, options.games // 2, options.others // 2)
        planned = 2 * sum(pairs.values())
        try:
            for _ in play_all(players, pairs, journal):
                done = len(journal.games)
                if done % 100 == 0:
                    console.print(f"{done} of {planned} games")
        except KeyboardInterrupt:
            console.print("interrupted: finished games are in the journal")
        measured = Measured.of(list(journal.games.values()))
    print_results(measured, console)
    if options.write:
        write_table(TABLE, measured)
        write_page(PAGE, measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
