"""Make the package's puzzles from games of the engine's levels.

``play`` plays games between weakened levels, in which real mistakes happen, and finds the puzzles
in them. ``prove`` searches every puzzle again, longer, in the mirrored position and with an empty
hash table; it marks those without a unique solution and rates the others. ``cycles`` plays games in
which every repetition is a draw, and keeps those that end by one. ``pack`` writes the package's
files. Outputs are JSON lines, appended to existing files. ``rate`` rates the packed puzzles again,
after a new measurement of the levels::

    python tools/make_puzzles.py play build/puzzles/found.jsonl --games 10000
    python tools/make_puzzles.py prove build/puzzles/found.jsonl build/puzzles/proved.jsonl
    python tools/make_puzzles.py cycles build/puzzles/cycles.jsonl --games 2000
    python tools/make_puzzles.py pack build/puzzles/proved.jsonl build/puzzles/cycles.jsonl
    python tools/make_puzzles.py rate

A game depends only on the seed and its number, so several processes may share the work (``--every 2
--first 0``, ``--every 2 --first 1``).
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rich.progress import track

from xiangqi.analysis.engines import Effort, OurAnalyst
from xiangqi.analysis.puzzles import (
    Goal,
    Puzzle,
    PuzzleMaker,
    fails,
    goal_of,
    load_puzzles,
    position_of,
)
from xiangqi.analysis.values import Value
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.core.solver import MAX_CHECKS, find_check_mate
from xiangqi.engine import Engine, Limits, is_decided
from xiangqi.engine.levels import LEVELS, Handicap
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK
from xiangqi.referee.outcome import Termination
from xiangqi.referee.rules import ALL_DRAWS, WXF
from xiangqi.referee.ruling import Conduct

FOLDER: Final = Path(__file__).parents[1] / "xiangqi" / "analysis"
"""Folder of the puzzles in the package."""
NAMES: Final = {
    KING: "general",
    ADVISOR: "advisor",
    BISHOP: "elephant",
    KNIGHT: "horse",
    ROOK: "chariot",
    CANNON: "cannon",
    PAWN: "soldier",
}
DEEP_NODES: Final = {16_000: LEVELS[-1].elo + 150, 64_000: LEVELS[-1].elo + 300}
"""Searches stronger than the levels, and their assumed Elo: 150 more for four times the nodes."""
TOO_EASY: Final = 0.97
"""Share of the levels from which on a gain or defence is left out."""
HOLDING_EFFORT: Final = Effort(nodes=50_000)
RANDOM_PLIES: Final = 6
"""Random plies at the beginning; the levels' random choices add variety."""
SLIP: Final = 0.03
"""Probability of a random legal move."""
CYCLE_RANDOM_PLIES: Final = 12
"""Random plies before games with cycles, for unequal positions: the weaker side repeats."""
CYCLE_NODES: Final = (1_000, 2_000, 4_000)
MAX_PLIES: Final = 200
FIRST_PLY: Final = 12
MIN_DISTANCE: Final = 6
"""Minimum number of plies between two puzzles of a game."""
SLIPS: Final = 4
"""Random moves tried in addition to that of the game: they often allow a mate."""
GLANCE: Final = Effort(nodes=1_500)
"""Effort of the first look at a position, before a puzzle is searched with EFFORT."""
EFFORT: Final = Effort(nodes=5_000)
PROOF: Final = Effort(nodes=250_000)
PROOF_CHECKS: Final = 2_000_000
GLANCE_CHECKS: Final = 2_000
"""Node limit of the first search for a mate by checks."""


def play_game(seed: int, number: int, engine: Engine, analyst: OurAnalyst) -> list[dict[str, Any]]:
    """Play a game and return its puzzles."""
    rng = random.Random(f"{seed}:{number}")
    levels = [rng.randint(4, 10) for _ in "rb"]
    engine.new_game()
    engine.set_option("skill_seed", rng.randint(1, 1 << 30))
    analyst.new_game()
    board, finder, last = Board(), Finder(analyst, random.Random(f"slips:{seed}:{number}")), None
    while board.ply() < MAX_PLIES and board.outcome() is None:
        if board.ply() >= FIRST_PLY:
            finder.search(board, last)
        moves = list(board.legal_moves)
        if board.ply() < RANDOM_PLIES or rng.random() < SLIP:
            move = rng.choice(moves)
        else:
            best = engine.play(board, Limits(level=levels[board.ply() % 2])).best
            move = best or rng.choice(moves)
        last = move if board.is_capture(move) else None
        board.push(move)
    return [puzzle.to_dict() | {"game": number, "levels": levels} for puzzle in finder.found]


class Finder:
    """Searches the positions of a game for puzzles, in their order."""

    def __init__(self, analyst: OurAnalyst, rng: random.Random) -> None:
        self.found: list[Puzzle] = []
        self._analyst, self._rng = analyst, rng
        self._mated = [False, False]  # could the side mate at its last turn?
        self._won = [False, False]  # had it another winning move then?

    def search(self, board: Board, last: Move | None) -> None:
        """Keep the puzzle of a position, if any; ``last`` is the last move if it was a capture."""
        side = board.turn
        line, _, _ = find_check_mate(board, MAX_CHECKS, GLANCE_CHECKS)
        had_mate, self._mated[side] = self._mated[side], line is not None
        if line is not None:
            if not had_mate and len(line) > 1 and self._is_apart(board):
                self._keep(PuzzleMaker(board, self._analyst, EFFORT, WXF).make_mate())
            return
        is_found = self._search_without_mate(board, last)
        if not (is_found or self._won[side]) and self._is_apart(board):
            self._search_after_slips(board)

    def _is_apart(self, board: Board) -> bool:
        """Is the game's last puzzle at least MIN_DISTANCE plies ago?"""
        return not self.found or board.ply() - self.found[-1].ply >= MIN_DISTANCE

    def _search_after_slips(self, board: Board) -> None:
        """Keep a mate that a random move allows."""
        moves = list(board.legal_moves)
        for move in self._rng.sample(moves, min(SLIPS, len(moves))):
            after = board.copy()
            after.push(move)
            line, _, _ = find_check_mate(after, MAX_CHECKS, GLANCE_CHECKS)
            if line is None or len(line) == 1 or after.is_check():
                continue
            if self._keep(PuzzleMaker(after, self._analyst, EFFORT, WXF).make_mate()):
                return

    def _search_without_mate(self, board: Board, last: Move | None) -> bool:
        """Keep a gain or a defence, if any; was one kept?"""
        side = board.turn
        found = self._analyst.search(board, GLANCE)
        goal = None if found is None else goal_of(found.value, side)
        had_win, self._won[side] = self._won[side], goal is Goal.WIN
        if found is None or goal is None or (goal is Goal.WIN and had_win):
            return False
        if board.is_capture(found.moves[0]) and found.settled < 2:
            return False  # captures a hanging piece
        if last is not None and found.moves[0].to_square == last.to_square:
            return False
        if not self._is_apart(board):
            return False
        other = self._analyst.search(board, GLANCE, found.moves[:1])
        if other is None or not fails(goal, other.value, side):
            return False
        return self._keep(PuzzleMaker(board, self._analyst, EFFORT, WXF).make())

    def _keep(self, puzzle: Puzzle | None) -> bool:
        """Add a puzzle, if any; was it added?"""
        if puzzle is not None:
            self.found.append(puzzle)
        self._analyst.new_game()
        return puzzle is not None


def play(args: argparse.Namespace) -> None:
    """Play games and append a line for each: its number and puzzles."""
    args.found.parent.mkdir(parents=True, exist_ok=True)
    done = {row["game"] for row in read_rows(args.found)}
    engine, analyst = Engine(), OurAnalyst()
    with args.found.open("a", encoding="ascii") as out:
        for number in range(args.first, args.games, args.every):
            if number not in done:
                puzzles = play_game(args.seed, number, engine, analyst)
                print(json.dumps({"game": number, "puzzles": puzzles}), file=out, flush=True)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Complete rows of a file that another process may be writing."""
    if path.exists():
        with path.open(encoding="ascii") as file:
            yield from (json.loads(line) for line in file if line.endswith("\n"))


# Proving


def prove(args: argparse.Namespace) -> None:
    """Search every puzzle again, and append it with the result and its rating."""
    done = {(row["game"], row["ply"]) for row in read_rows(args.proved)}
    analyst, engine = OurAnalyst(), Engine()
    with args.proved.open("a", encoding="ascii") as out:
        for game in read_rows(args.found):
            for row in game["puzzles"]:
                if (row["game"], row["ply"]) not in done:
                    answer: dict[str, Any] = {"proved": is_proved(row, analyst)}
                    if answer["proved"]:
                        answer["rating"], answer["solved"] = rate(row, engine)
                    print(json.dumps(row | answer), file=out, flush=True)


def is_proved(row: dict[str, Any], analyst: OurAnalyst) -> bool:
    """Is each of the solver's moves the only solution, by longer searches of the mirror image?"""
    board = Board(row["fen"]).mirror()
    goal, mate = Goal(row["goal"]), row["mate"]
    for number, move in enumerate(mirror(Move.from_iccs(text)) for text in row["moves"]):
        if number % 2 == 0:
            left = mate - number // 2 if goal is Goal.MATE else 0
            if not (is_only_mate(board, move, left, analyst) if left else
                    is_only(board, move, goal, analyst)):  # fmt: skip
                return False
        board.push(move)
    return True


def is_only(board: Board, move: Move, goal: Goal, analyst: OurAnalyst) -> bool:
    """Does this move, and no other, reach the goal?"""
    side = board.turn
    analyst.new_game()
    line = analyst.search(board, PROOF)
    if line is None or line.moves[0] != move or goal_of(line.value, side) is not goal:
        return False
    other = analyst.search(board, PROOF, [move])
    return other is None or fails(goal, other.value, side)


def is_only_mate(board: Board, move: Move, moves: int, analyst: OurAnalyst) -> bool:
    """Does this move, and no other, mate in ``moves`` moves? The last move may be any mate."""
    line, is_shortest, _ = find_check_mate(board, MAX_CHECKS, PROOF_CHECKS)
    if line is None or not is_shortest or len(line) != 2 * moves - 1:
        return False
    if moves == 1:
        after = board.copy()
        after.push(move)
        return after.is_checkmate()
    other, is_refuted, _ = find_check_mate(board, MAX_CHECKS, PROOF_CHECKS, banned=[move])
    if line[0] != move or other is not None or not is_refuted:
        return False
    analyst.new_game()
    found = analyst.search(board, PROOF, [move])
    sooner = None if found is None else found.value.mates(board.turn)
    return sooner is None or sooner > moves


def mirror(move: Move) -> Move:
    """The same move on a board mirrored left to right."""
    square, target = (9 * (one // 9) + 8 - one % 9 for one in (move.from_square, move.to_square))
    return Move(square, target)


# Cycles


def cycles(args: argparse.Namespace) -> None:
    """Play games in which a repetition is a draw, and append them with their cycles."""
    args.cycles.parent.mkdir(parents=True, exist_ok=True)
    done = {row["game"] for row in read_rows(args.cycles)}
    engine, analyst = Engine(), OurAnalyst()
    with args.cycles.open("a", encoding="ascii") as out:
        for number in range(args.first, args.games, args.every):
            if number not in done:
                row = {"game": number, **play_to_repetition(args.seed, number, engine)}
                if "moves" in row:
                    row["lines"] = list(write_cycles(row, analyst))
                print(json.dumps(row), file=out, flush=True)


def play_to_repetition(seed: int, number: int, engine: Engine) -> dict[str, Any]:
    """Play a game; if it ends by a repetition, return the moves since the last capture."""
    rng = random.Random(f"cycles:{seed}:{number}")
    nodes = [rng.choice(CYCLE_NODES) for _ in "rb"]
    engine.new_game()
    board, root, start, outcome = Board(), Board(), 0, None
    while board.ply() < MAX_PLIES:
        outcome = board.outcome(ALL_DRAWS)
        if outcome is not None:
            break
        moves = list(board.legal_moves)
        if board.ply() < CYCLE_RANDOM_PLIES:
            move = rng.choice(moves)
        else:
            limits = Limits(nodes=nodes[board.ply() % 2])
            move = engine.play(board, limits, rules=ALL_DRAWS).best or rng.choice(moves)
        is_capture = board.is_capture(move)
        board.push(move)
        if is_capture:
            root, start = Board(board.fen()), board.ply()
    if outcome is None or outcome.termination is not Termination.REPETITION:
        return {"nodes": nodes}
    played = [move.iccs() for move in board.move_stack[start:]]
    return {"nodes": nodes, "fen": root.fen(), "moves": played}


# Packing


def pack(args: argparse.Namespace) -> None:
    """Write the package's files from proved puzzles and cycles."""
    lines, seen = [], set[str]()
    rows = [row for row in read_rows(args.proved) if row["proved"]]
    for row in rows:
        board = Board(row["fen"])
        names = {position_of(one.fen()) for one in (board, board.mirror(), board.flip_colors(),
                                                    board.mirror().flip_colors())}  # fmt: skip
        is_easy = row["goal"] != "mate" and row["solved"] >= TOO_EASY
        if seen.isdisjoint(names) and not is_easy:
            lines.append(write_puzzle(row))
        seen |= names
    write_puzzles(lines)
    games = [row for row in read_rows(args.cycles) if "moves" in row]
    found = [line for row in games for line in row["lines"]]
    write_file("cycles.txt.gz", sorted(set(found)))
    print(f"{len(rows)} proved, {len(lines)} packed; {len(games)} cycles, {len(set(found))} packed")


def rate_packed(args: argparse.Namespace) -> None:
    """Rate the package's puzzles again, by the present levels."""
    engine, lines = Engine(), []
    for one in track(list(load_puzzles()), "Rating"):
        row = {"fen": one.fen, "moves": one.moves, "goal": one.goal.value, "mate": one.mate}
        rating, _ = rate(row, engine)
        lines.append(write_puzzle(row | {"rating": rating}))
    write_puzzles(lines)


def write_puzzles(lines: Sequence[str]) -> None:
    """Write the puzzles, the easiest first."""
    write_file("puzzles.txt.gz", sorted(lines, key=lambda line: int(line.split()[5])))


def write_file(name: str, lines: Sequence[str]) -> None:
    """Write lines, compressed reproducibly."""
    text = "".join(f"{line}\n" for line in lines).encode("ascii")
    (FOLDER / name).write_bytes(gzip.compress(text, 9, mtime=0))


def write_puzzle(row: dict[str, Any]) -> str:
    """Line of a puzzle in the format of ``load_puzzles``."""
    words = [row["fen"].split()[0], row["fen"].split()[1], ",".join(row["moves"])]
    themes = list(name_themes(Board(row["fen"]), row["moves"]))
    return " ".join([*words, row["goal"], str(row["mate"] or 0), str(row["rating"]), *themes])


# Rating: the Elo of an opponent against whom the levels would score as against the puzzle


def rate(row: dict[str, Any], engine: Engine) -> tuple[int, float]:
    """Elo on the scale of the levels, and the mean probability that a level solves the puzzle."""
    shares = {level.number: 1.0 for level in LEVELS}
    deep = dict.fromkeys(DEEP_NODES, 1.0)
    board = Board(row["fen"])
    for number, text in enumerate(row["moves"]):
        move = Move.from_iccs(text)
        is_last = number == len(row["moves"]) - 1
        if number % 2 == 0:
            right = mating_moves(board) if is_last and row["goal"] == "mate" else []
            right = right or [move]
            for level in LEVELS:
                shares[level.number] *= share_of(board, right, level.handicap, engine)
            engine.set_option("multipv", 1)
            for nodes in deep:
                engine.new_game()
                best = engine.play(board, Limits(nodes=nodes)).best
                deep[nodes] *= best in right
        board.push(move)
    results = [(level.elo, shares[level.number]) for level in LEVELS]
    results += [(DEEP_NODES[nodes], share) for nodes, share in deep.items()]
    return round(fit_elo(results)), sum(shares.values()) / len(shares)


def mating_moves(board: Board) -> list[Move]:
    """All moves that mate."""
    found = []
    for move in board.list_moves():
        board.push_unchecked(move)
        if board.is_checkmate():
            found.append(move)
        board.pop()
    return found


def share_of(board: Board, right: Sequence[Move], handicap: Handicap, engine: Engine) -> float:
    """Probability that a level plays one of the right moves, by its lines and temperature."""
    engine.set_option("multipv", min(handicap.lines, board.legal_moves.count()))
    engine.new_game()
    lines = engine.analyse(board, Limits(depth=handicap.depth, nodes=handicap.nodes))
    first = max(lines, key=lambda line: line.score)
    best = first.score
    if best > 0 and is_decided(best):
        return float(first.pv[0] in right)
    weights = [math.exp((line.score - best) / handicap.temperature) for line in lines]
    chosen = sum(weight for line, weight in zip(lines, weights, strict=True) if line.pv[0] in right)
    return chosen / sum(weights)


def fit_elo(results: Sequence[tuple[int, float]]) -> float:
    """Elo of a puzzle, given pairs of a solver's Elo and its probability of success.

    A draw of weight one half against either end of the scale keeps it finite.
    """
    rows = [(elo, share, 1.0) for elo, share in results] + [(700, 0.5, 0.5), (3000, 0.5, 0.5)]
    low, high = 0.0, 4000.0
    for _ in range(40):
        middle = (low + high) / 2
        surplus = sum(
            weight * (share - 1 / (1 + 10 ** ((middle - elo) / 400))) for elo, share, weight in rows
        )
        low, high = (low, middle) if surplus > 0 else (middle, high)
    return (low + high) / 2


# Themes


def name_themes(board: Board, moves: Sequence[str]) -> Iterator[str]:
    """Themes of a puzzle: phase of the game, first move, mating pieces."""
    first = Move.from_iccs(moves[0])
    pieces = board.piece_map()
    count = len(pieces)
    yield "opening" if count >= 28 else "endgame" if count <= 14 else "middlegame"
    piece = pieces[first.from_square]
    yield NAMES[piece.piece_type]
    after = Board(board.fen())
    after.push(first)
    if board.is_capture(first):
        yield "capture"
    if after.is_check():
        checkers = set(after.checkers())
        yield (
            "double-check"
            if len(checkers) > 1
            else ("check" if first.to_square in checkers else "discovered-check")
        )
    else:
        yield "quiet"
    if len(moves) > 1 and Move.from_iccs(moves[1]).to_square == first.to_square:
        yield "sacrifice"
    for text in moves[1:]:
        after.push(Move.from_iccs(text))
    if after.is_checkmate():
        kinds = sorted(NAMES[after.piece_map()[square].piece_type] for square in after.checkers())
        yield "-".join(("mate", *kinds))


# Cycles of games


def write_cycles(row: dict[str, Any], analyst: OurAnalyst) -> Iterator[str]:
    """Lines of a cycle with an offence by the WXF rules: the cycle to rule on and, if a move avoids
    the loss, the position before it with the moves that do."""
    board = Board(row["fen"])
    for text in row["moves"]:
        board.push_iccs(text)
    ruling = board.judge(WXF)
    if all(conduct is Conduct.IDLE for conduct in ruling.conduct.values()):
        return
    yield " ".join([*row["fen"].split()[:2], ",".join(row["moves"])])
    loser = ruling.verdict.loser
    if loser is None:
        return
    while board.turn != loser or board.repetitions() != WXF.occurrences - 1:
        if not board.ply():
            return
        board.pop()
    holding = find_holding(board, analyst)
    moves = ",".join(move.iccs() for move in board.move_stack)
    if holding:
        yield " ".join([*row["fen"].split()[:2], moves, *(move.iccs() for move in holding)])


def loses_by_rule(board: Board) -> bool:
    """Is there a move that loses at once by the rules?"""
    side, is_lost = board.turn, False
    for move in board.list_moves():
        board.push_unchecked(move)
        outcome = board.outcome(WXF)
        is_lost |= outcome is not None and outcome.winner == (not side)
        board.pop()
    return is_lost


def find_holding(board: Board, analyst: OurAnalyst) -> list[Move]:
    """Moves that hold in a position where a repetition loses, the best first; empty if more than
    half of the moves hold, or if even the best one does not."""
    side = board.turn
    if not loses_by_rule(board):
        return []
    values = {}
    for move in board.list_moves():
        board.push_unchecked(move)
        outcome = board.outcome(WXF)
        analyst.new_game()
        line = None if outcome is not None else analyst.search(board, HOLDING_EFFORT)
        value = Value.of_winner(outcome.winner) if outcome is not None else line and line.value
        values[move] = 0.0 if value is None else value.points(side)
        board.pop()
    best = max(values.values())
    holding = [move for move, points in values.items() if points >= best - 0.05]
    is_task = best >= 0.4 and 2 * len(holding) <= len(values)
    return sorted(holding, key=values.__getitem__, reverse=True) if is_task else []


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(required=True)
    for name, run, games in (("play", play, 10_000), ("cycles", cycles, 2_000)):
        step = steps.add_parser(name, help=(run.__doc__ or "").splitlines()[0])
        step.add_argument("found" if run is play else "cycles", type=Path, help="file to add to")
        step.add_argument("--seed", type=int, default=1, help="of the games")
        step.add_argument("--games", type=int, default=games, help="how many there are")
        step.add_argument("--first", type=int, default=0, help="number of the first game")
        step.add_argument("--every", type=int, default=1, help="step between processes")
        step.set_defaults(run=run)
    step = steps.add_parser("prove", help=(prove.__doc__ or "").splitlines()[0])
    step.add_argument("found", type=Path, help="file made by 'play'")
    step.add_argument("proved", type=Path, help="file to add to")
    step.set_defaults(run=prove)
    step = steps.add_parser("pack", help=(pack.__doc__ or "").splitlines()[0])
    step.add_argument("proved", type=Path, help="file made by 'prove'")
    step.add_argument("cycles", type=Path, help="file made by 'cycles'")
    step.set_defaults(run=pack)
    step = steps.add_parser("rate", help=(rate_packed.__doc__ or "").splitlines()[0])
    step.set_defaults(run=rate_packed)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
