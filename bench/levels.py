"""Strength of the engine's levels: games among them and against other engines.

    python -m bench.levels --games 200 --journal levels.jsonl

plays each level against the next and the one after that, and the peers that are installed against
levels of about their strength, in this process and under the rule book; each opening twice, with
the colours exchanged. Then Bradley and Terry's model gives everybody an Elo; ``--write`` puts it
into the table that the engine reads, and into docs/levels.md. Levels draw their lots by the number
of the opening, so that the same table comes to the same games among levels anywhere. What has been
played is in the journal, and is not played again.
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
FARTHEST: Final = 2
"""Levels meet that are so many numbers apart."""
MAX_GAME_PLIES: Final = 400
"""A game of so many plies is drawn."""
ANCHOR: Final = ("level 1", 1000.0)
"""Origin of the rating scale."""


@dataclass(frozen=True)
class Peer:
    """Another engine, as it plays here."""

    name: str
    program: str
    dialect: str
    limit: Limit
    options: Mapping[str, str | int | bool]
    levels: tuple[int, ...]
    """The numbers of the levels that it meets."""


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
    """Somebody who is given a position, with the number of the opening, and moves."""

    def move(self, board: Board, number: int) -> Move | None:
        """A move, or None where there is none."""


class LevelPlayer:
    """One of our levels."""

    def __init__(self, level: Level) -> None:
        self._limits = Limits(level=level.number)
        self._engine = Engine()

    def move(self, board: Board, number: int) -> Move | None:
        """Its move; the opening seeds its lots."""
        self._engine.set_option("skill_seed", number + 1)
        return self._engine.play(board, self._limits).best


class PeerPlayer:
    """A peer, in a process of its own."""

    def __init__(self, peer: Peer, path: str) -> None:
        self._limit = peer.limit
        self._engine = SimpleEngine.popen(path, dialect=peer.dialect, timeout=60.0)
        self._engine.configure(dict(peer.options))

    def move(self, board: Board, number: int) -> Move | None:
        """Its move; the opening and its colour identify the game."""
        return self._engine.play(board, self._limit, game=(number, board.turn)).move

    def close(self) -> None:
        """End the process."""
        self._engine.close()


# Games


@dataclass(frozen=True)
class Game:
    """A game that was played, as the journal keeps it."""

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
    """Red, Black and the number of the opening; all pairs of one opening before the next one.

    ``pairs`` has the number of openings of each.

    >>> list(plan_games({("a", "b"): 2, ("b", "c"): 1}))
    [('a', 'b', 0), ('b', 'a', 0), ('b', 'c', 0), ('c', 'b', 0), ('a', 'b', 1), ('b', 'a', 1)]
    """
    for number in range(max(pairs.values())):
        for (first, second), openings in pairs.items():
            if number < openings:
                yield first, second, number
                yield second, first, number


def play_game(red: Player, black: Player, opening: str, number: int) -> tuple[str, int, str]:
    """Play a game from the moves of an opening: its result, its plies, and why it ended."""
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
    """The games that have been played, in a file of JSON lines."""

    def __init__(self, path: Path) -> None:
        self.games: dict[tuple[str, str, int], Game] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._keep(Game(**json.loads(line)))
        self._file = path.open("a", encoding="utf-8")

    def _keep(self, game: Game) -> None:
        self.games[game.red, game.black, game.opening] = game

    def add(self, game: Game) -> None:
        """Write a game at once."""
        self._keep(game)
        print(json.dumps(asdict(game)), file=self._file, flush=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def play_all(
    players: Mapping[str, Player], pairs: Mapping[tuple[str, str], int], journal: Journal
) -> Iterator[Game]:
    """Play what is not in the journal yet, and print each game when it is over."""
    rows = even_openings(max(pairs.values()), OPENINGS_SEED)
    for red, black, number in plan_games(pairs):
        if (red, black, number) not in journal.games:
            played = play_game(players[red], players[black], rows[number], number)
            game = Game(red, black, number, *played)
            journal.add(game)
            yield game


# What they come to


@dataclass(frozen=True)
class Measured:
    """The games of a journal, and everybody's Elo."""

    games: Sequence[Game]
    elo: Mapping[str, float]
    """By name, on the scale of which :data:`ANCHOR` is one point."""
    error: Mapping[str, float]
    """Half of the 95 % interval of the difference from the mean of all."""

    @classmethod
    def of(cls, games: Sequence[Game]) -> Measured:
        """Fit the model to the games."""
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
        """The games of two players, from the first one's side, two of an opening together."""
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
    """Everybody's Elo, and what each level scored against the one before."""
    table = Table(title="Levels and peers", header_style="bold")
    for heading in ("player", "Elo", "error", "games", "against the level before", "Elo more"):
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
    """Put the levels' Elo and errors into the table."""
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
    """Put what was measured into the tables of the page, which have been written before."""
    text = path.read_text(encoding="utf-8")
    peers = sorted((elo, name) for name, elo in measured.elo.items() if not _is_level(name))
    text = _fill(text, "| level |", [_row_of_level(measured, level) for level in LEVELS])
    text = _fill(text, "| opponent |", [_row_of_peer(measured, name) for _, name in peers])
    path.write_text(text, encoding="utf-8")


def _fill(text: str, heading: str, rows: Sequence[str]) -> str:
    """A page whose table of this heading has these rows."""
    table = re.compile(rf"^({re.escape(heading)}.*\n\|[-|]+\n)(?:\|.*\n)*", re.MULTILINE)
    return table.sub(lambda match: match[1] + "".join(f"{row}\n" for row in rows), text)


def _is_level(name: str) -> bool:
    return name.startswith("level ")


def _row_of_level(measured: Measured, level: Level) -> str:
    name, handicap = level_name(level.number), level.handicap
    sees = f"{handicap.depth} plies" if handicap.depth else f"{handicap.nodes:,} positions"
    cells = (
        str(level.number),
        _elo_of(measured, name),
        sees.replace("1 plies", "1 ply"),
        str(handicap.lines),
        str(handicap.temperature),
        *_step(measured, name),
    )
    return f"| {' | '.join(cells)} |"


def _row_of_peer(measured: Measured, name: str) -> str:
    met = []
    for level in LEVELS:
        counts = measured.between(level_name(level.number), name).games
        if counts.total:
            met.append(f"{level.number}: +{counts.wins} ={counts.draws} -{counts.losses}")
    return f"| {name} | {_elo_of(measured, name)} | {'; '.join(met)} |"


def _elo_of(measured: Measured, name: str) -> str:
    return f"{measured.elo[name]:.0f} ± {measured.error[name]:.0f}"


# The program


def plan_pairs(peers: Sequence[Peer], openings: int, others: int) -> dict[tuple[str, str], int]:
    """Pairs of players, and the number of openings of each: neighbours, and all others."""
    pairs = {
        (level_name(one.number), level_name(other.number)): (
            openings if other.number == one.number + 1 else others
        )
        for one, other in combinations(LEVELS, 2)
        if other.number - one.number <= FARTHEST
    }
    met = {(level_name(number), peer.name): others for peer in peers for number in peer.levels}
    return {pair: count for pair, count in (pairs | met).items() if count}


def main() -> int:
    """Play, and print the result; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.levels", description="Measure the engine's levels."
    )
    parser.add_argument("--games", type=int, default=200, help="of neighbours (default: 200)")
    parser.add_argument("--others", type=int, default=60, help="of other pairs (default: 60)")
    parser.add_argument(
        "--journal", type=Path, default=Path("levels.jsonl"), help="(default: levels.jsonl)"
    )
    parser.add_argument("--no-peers", action="store_true", help="play among the levels alone")
    parser.add_argument(
        "--write", action="store_true", help=f"put it into {TABLE.name} and {PAGE.name}"
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
            console.print("interrupted: what has been played is in the journal")
        measured = Measured.of(list(journal.games.values()))
    print_results(measured, console)
    if options.write:
        write_table(TABLE, measured)
        write_page(PAGE, measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
