"""Rulings: time to rule on a repetition, with and without evidence."""

from __future__ import annotations

from types import ModuleType

from bench.games import random_games
from bench.measure import (
    Curve,
    Result,
    Row,
    Run,
    compare,
    microseconds_each,
    repeated,
    require_equal,
)
from bench.peers import (
    MISSING,
    PYFFISH,
    VARIANT,
    fixed_cost_note,
    load_module,
    peer_moves,
    pyffish_verdict,
)
from xiangqi import WXF, Board, Ruling, Verdict
from xiangqi.casebook.cases import load_cases
from xiangqi.games.record import GameRecord
from xiangqi.pieces import FILE_NAMES

WINDOW = 8  # plies: two rounds of four
WINDOW_ROUNDS = 5
GAMES = 20
GAME_PLIES = 100
GAME_ROUNDS = 3
LENGTHS = (16, 32, 64)  # plies
LENGTH_ROUNDS = 20


def measure(runs: int) -> Result:
    """Measure microseconds for a ruling: on short cycles of the rule book, and at the end of games.

    The peer plays all moves from the FEN at each call, which is more work than ruling on a board at
    hand; the rows "from text" compare the same work.
    """
    result = Result("Ruling on repetitions")
    pyffish = load_module(PYFFISH)
    if pyffish is None:
        result.notes.append(f"{PYFFISH}: {MISSING[PYFFISH]}")
    else:
        result.notes.append(fixed_cost_note(pyffish))
    result.rows.extend(measure_windows(runs, pyffish, result.notes))
    result.curves.append(measure_lengths(runs, pyffish))
    result.rows.extend(measure_games(runs, pyffish, result.notes))
    return result


def measure_windows(runs: int, pyffish: ModuleType | None, notes: list[str]) -> list[Row]:
    """Measure rulings on the rule book's cases with a cycle of eight plies."""
    records = rule_book_records()
    boards = [record.play() for record in records]
    theirs: Run | None = None
    if pyffish is not None:
        notes.append(compare_verdicts(f"{len(records)} cases of the rule book", records, pyffish))
        games = [(record.fen, peer_moves(record)) for record in records]
        theirs = repeated(
            WINDOW_ROUNDS, lambda game: pyffish.is_optional_game_end(VARIANT, *game), games
        )
    ours: dict[str, Run] = {
        "board at hand, verdict": repeated(
            WINDOW_ROUNDS, lambda board: board.judge_cycle(WXF.switches), boards
        ),
        "board at hand, verdict and evidence": repeated(
            WINDOW_ROUNDS, lambda board: board.judge(), boards
        ),
        "from text, verdict": repeated(WINDOW_ROUNDS, play_and_rule, records),
        "from text, verdict and evidence": repeated(WINDOW_ROUNDS, play_and_explain, records),
    }
    scale = microseconds_each(WINDOW_ROUNDS * len(records))
    return [
        compare(f"window of {WINDOW} plies: {what}", scale, runs, run, theirs, PYFFISH)
        for what, run in ours.items()
    ]


def rule_book_records() -> list[GameRecord]:
    """Cases with a cycle of eight plies, after checking all verdicts."""
    records = []
    for case in load_cases():
        record = case.record(rounds=WXF.occurrences - 1)
        ruling = record.play().judge()
        require_equal(f"the verdict on {case.id}", ruling.verdict, case.verdict)
        if ruling.window is not None and len(ruling.plies) == WINDOW:
            records.append(record)
    return records


def measure_lengths(runs: int, pyffish: ModuleType | None) -> Curve:
    """Measure rulings from text by the length of the cycle."""
    rows = {}
    for length, record in {length: tour(length) for length in LENGTHS}.items():
        require_equal("the length of a window", len(record.play().judge().plies), length)
        theirs: Run | None = None
        if pyffish is not None:
            verdict = record.play().judge().verdict
            require_equal("the verdict on a tour", verdict, pyffish_verdict(pyffish, record))
            game = (record.fen, peer_moves(record))
            theirs = repeated(
                LENGTH_ROUNDS, lambda g: pyffish.is_optional_game_end(VARIANT, *g), [game]
            )
        ours = repeated(LENGTH_ROUNDS, play_and_rule, [record])
        scale = microseconds_each(LENGTH_ROUNDS)
        rows[length] = compare(f"{length} plies", scale, runs, ours, theirs, PYFFISH)
    return Curve.of_rows("ruling, from text", "plies of the window", rows)


def tour(window: int) -> GameRecord:
    """Game in which a chariot goes around a rectangle twice while an advisor moves to and fro."""
    side = window // 8  # squares of a long side; two rounds, and a reply to each move
    rank = [f"{file}1" for file in FILE_NAMES[:side]]
    ring = [*rank, *(square.replace("1", "2") for square in reversed(rank))]
    steps = [a + b for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
    replies = ["e8f9", "f9e8"] * side
    moves = [move for pair in zip(steps, replies, strict=True) for move in pair]
    return GameRecord("3k5/4a4/9/3p5/9/9/9/9/R8/4K4 w - - 0 1", tuple(moves * 2))


def measure_games(runs: int, pyffish: ModuleType | None, notes: list[str]) -> list[Row]:
    """Measure playing a game of a hundred plies from text and ruling at its end."""
    boards = random_games(GAMES, GAME_PLIES)
    records = [
        GameRecord(board.root_fen(), tuple(move.iccs() for move in board.move_stack))
        for board in boards
    ]
    theirs: Run | None = None
    if pyffish is not None:
        games = [(record.fen, peer_moves(record)) for record in records]
        for board, game in zip(boards, games, strict=True):
            ours, peer = board.fen().split()[:2], pyffish.get_fen(VARIANT, *game).split()[:2]
            require_equal("the position at the end of a game", ours, peer)
        notes.append(compare_verdicts(f"{GAMES} random games", records, pyffish))

        def play_theirs(game: tuple[str, list[str]]) -> None:
            pyffish.get_fen(VARIANT, *game)
            pyffish.is_optional_game_end(VARIANT, *game)

        theirs = repeated(GAME_ROUNDS, play_theirs, games)
    scale = microseconds_each(GAME_ROUNDS * GAMES)
    rulings: dict[str, Run] = {
        "verdict": repeated(GAME_ROUNDS, play_and_rule, records),
        "verdict and evidence": repeated(GAME_ROUNDS, play_and_explain, records),
    }
    return [
        compare(f"game of {GAME_PLIES} plies: from text, {what}", scale, runs, run, theirs, PYFFISH)
        for what, run in rulings.items()
    ]


def play(record: GameRecord) -> Board:
    """The board after a game."""
    board = Board(record.fen)
    for move in record.moves:
        board.push_iccs(move)
    return board


def play_and_rule(record: GameRecord) -> tuple[int, int | None, int | None]:
    """Rule without evidence: the verdict and both sides' conduct, in the core's numbers."""
    return play(record).judge_cycle(WXF.switches)


def play_and_explain(record: GameRecord) -> Ruling:
    """Rule with the evidence of every ply."""
    return play(record).judge()


def compare_verdicts(what: str, records: list[GameRecord], pyffish: ModuleType) -> str:
    """Count the games with equal verdicts; raise WrongResultError if the peer misses a repetition.

    Verdicts may differ: pyffish implements the rules of the Asian federation.
    """
    alike = 0
    for record in records:
        verdict = pyffish_verdict(pyffish, record)
        require_equal(f"{record} repeats", True, verdict is not Verdict.UNDECIDED)
        alike += verdict is record.play().judge().verdict
    return f"{what}: {PYFFISH} detects every repetition and rules on {alike} of them like Meihua."
