"""The engine under rule sets that bar moves: it never plays or expects one, and always answers."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.engine.test_cecp import converse
from tests.engines.fake_searcher import Conversation
from tests.support.played_boards import played
from xiangqi import RULE_SETS, WXF, Board, Move, RuleSet
from xiangqi.engine import MATE, Engine, Limits, SearchInfo, SearchResult
from xiangqi.engine.searcher import make_searcher

SUPERKO = [RULE_SETS["superko-positional"], RULE_SETS["superko-situational"]]
SITUATIONAL = SUPERKO[1]
LOCKED = "3k5/9/4P4/9/9/9/9/9/4R4/4K4 w - - 0 1"
"""The black king can move only to d8 and back."""
STUCK = "e1e2 d9d8 e2e1"
MIN_FOUND = MATE - 10
QUIET = (
    "3ak4/4a4/9/9/9/9/9/4B4/4A4/3AK1R2 w - - 0 1",
    "2bak4/4a4/4b4/9/9/9/4r4/4B4/4A4/2BAK4 b - - 0 1",
    "4k4/4a4/4ba3/9/6b2/9/4C4/4B3N/4A4/2BAK4 w - - 0 1",
    "2b1ka3/4a4/4b4/p7p/9/2n3N2/P7P/4B4/4A4/2BAK4 w - - 0 1",
)
"""Endgames without progress."""
CHARIOTS = "3k5/9/9/9/9/r8/9/9/R8/5K3 w - - 0 1"
CHECKER = "9/4k4/9/9/P8/9/9/9/2p6/3K1RBc1 w - - 0 1"
CHECKS = "f0e0 e8f8 e0f0 f8e8 " * 2


class Ruled(Engine):
    """An engine that plays by a given rule set, named or not."""

    chosen: RuleSet = SITUATIONAL

    @property
    def rules(self) -> RuleSet:
        return self.chosen


@pytest.fixture
def engine() -> Ruled:
    return Ruled()


def is_allowed_line(board: Board, line: tuple[Move, ...], rules: RuleSet) -> bool:
    """Is each move of a line allowed?"""
    work = board.copy()
    for move in line:
        if not work.is_allowed(move, rules):
            return False
        work.push(move)
    return True


def search(engine: Ruled, board: Board, limits: Limits) -> tuple[SearchResult, list[SearchInfo]]:
    infos: list[SearchInfo] = []
    return engine.play(board, limits, infos.append), infos


@pytest.mark.parametrize("rules", SUPERKO, ids=lambda rules: rules.name)
def test_whole_games(engine: Ruled, rules: RuleSet) -> None:
    """No best move, ponder move or move of a line is barred."""
    engine.chosen = rules
    rng, bars = Random(4), 0
    for fen in QUIET * 3:  # at different depths
        board = Board(fen)
        while not board.is_game_over(rules) and board.ply() < 110:
            result, infos = search(engine, board, Limits(depth=rng.randrange(1, 5)))
            bars += len(board.barred_moves(rules))
            assert result.best is not None
            line = (result.best,) if result.ponder is None else (result.best, result.ponder)
            for moves in (line, *(info.pv for info in infos)):
                assert is_allowed_line(board, moves, rules), (board.move_stack, moves)
            board.push(result.best)
    assert bars > 20  # otherwise nothing was tested


def forced(board: Board, rules: RuleSet, plies: int) -> int | None:
    """Plies in which the side to move can force a position without an allowed move."""
    for target in range(1, plies + 1, 2):
        if wins(board, rules, target):
            return target
    return None


def wins(board: Board, rules: RuleSet, plies: int) -> bool:
    for move in board.allowed_moves(rules):
        board.push(move)
        replies = board.allowed_moves(rules)
        won = not replies or (plies > 2 and all(loses(board, one, rules, plies) for one in replies))
        board.pop()
        if won:
            return True
    return False


def loses(board: Board, reply: Move, rules: RuleSet, plies: int) -> bool:
    board.push(reply)
    won = wins(board, rules, plies - 2)
    board.pop()
    return won


def locked_positions() -> list[Board]:
    """A king confined to its file by the other, and an elephant with waiting moves: sometimes a
    prohibition leaves the king no square."""
    rng = Random(2)
    boards: list[Board] = []
    while len(boards) < 30:
        board = Board("3k4P/9/9/9/9/9/9/4B4/9/4K4 w - - 0 1")
        for _ in range(2 * rng.randrange(4)):
            board.push(rng.choice(board.allowed_moves(SUPERKO[0])))
        boards.append(board)
    return boards


@pytest.mark.parametrize("rules", SUPERKO, ids=lambda rules: rules.name)
def test_a_prohibition_mates(engine: Ruled, rules: RuleSet) -> None:
    """A side with only barred moves is mated. The search finds such mates exactly where an
    exhaustive search does, though not always the shortest."""
    engine.chosen = rules
    by_bar = 0
    for board in locked_positions():
        plies = forced(board, rules, 3)
        engine.new_game()
        result, infos = search(engine, board, Limits(mate=2, depth=14))
        if plies is None:
            assert result.score < MATE - 3
        else:
            assert MIN_FOUND <= result.score <= MATE - plies, (board.move_stack, plies)
            by_bar += forced(board, WXF, 3) is None
        assert is_allowed_line(board, infos[-1].pv, rules)
    assert by_bar > 3


def to_and_fro(board: Board, move: Move) -> Board:
    """The position repeated, after a move, a reply, and both moves back."""
    back = Move(move.to_square, move.from_square)
    for reply in after(board, move).legal_moves:
        work = after(board, move)
        line = (reply, back, Move(reply.to_square, reply.from_square))
        if is_allowed_line(work, line, WXF):
            for one in line:
                work.push(one)
            if work.key == board.key:
                return work
    raise AssertionError(f"no way back from {move}")


def after(board: Board, move: Move) -> Board:
    work = board.copy()
    work.push(move)
    return work


@pytest.mark.parametrize("depth", [1, 4])
def test_the_move_in_the_hash_table_is_barred(engine: Ruled, depth: int) -> None:
    """It was stored where it was allowed, and is not played where it is barred."""
    board = Board(QUIET[0])
    best = search(engine, board, Limits(depth=7))[0].best
    assert best is not None
    again = to_and_fro(board, best)
    entry = engine.probe(again)
    assert entry is not None
    assert entry.move == best
    assert best in again.barred_moves(SITUATIONAL)
    found, infos = search(engine, again, Limits(depth=depth))
    assert found.best != best
    assert all(info.pv[0] != best for info in infos)


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_barred_move_is_not_played_at_any_depth(engine: Ruled, depth: int) -> None:
    """One of the king's two moves is barred; without the rule set the engine plays it."""
    board = played(STUCK, "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1")
    barred = board.barred_moves(SITUATIONAL)
    assert [move.iccs() for move in barred] == ["d8d9"]
    result, _ = search(engine, board, Limits(depth=depth))
    assert result.best is not None
    assert result.best not in barred


def test_only_barred_moves_are_left(engine: Ruled) -> None:
    messages: list[str] = []
    engine.on_message = messages.append
    result, _ = search(engine, played(STUCK, LOCKED), Limits(depth=5))
    assert (result.best, result.score) == (None, -MATE)
    assert messages == ["ruling Red wins: every legal move is barred"]


@pytest.mark.parametrize("asked", ["banned", "moves"])
def test_a_request_does_not_lift_a_bar(engine: Ruled, asked: str) -> None:
    """All moves except the barred one are banned, or only the barred one is requested."""
    engine.on_message = lambda text: None
    board = played(STUCK, "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1")
    home = Move.from_iccs("d8d9")
    rest = tuple(move for move in board.legal_moves if move != home)
    limits = Limits(depth=2, banned=rest) if asked == "banned" else Limits(depth=2, moves=(home,))
    result, _ = search(engine, board, limits)
    assert result.best in rest


def test_an_offender_has_to_change(engine: Ruled) -> None:
    engine.chosen = RuleSet("barred", penalty="barred")
    board = played(CHECKS, CHECKER)
    assert [move.iccs() for move in board.barred_moves(engine.chosen)] == ["f0e0"]
    result, infos = search(engine, board, Limits(depth=6))
    assert result.best is not None
    assert result.best.iccs() != "f0e0"
    assert is_allowed_line(board, infos[-1].pv, engine.chosen)


# The protocols


def real(*lines: str) -> Conversation:
    searcher: Any = make_searcher()
    talk = Conversation(searcher)
    talk.send(*lines)
    talk.expect(f"{lines[0]}ok")
    return talk


def test_ucci() -> None:
    with real("ucci", "setoption repetition superko-situational") as talk:
        talk.send(f"position fen {LOCKED} moves {STUCK}", "go depth 5")
        assert talk.until("nobestmove")[-2:] == [
            "info message ruling Red wins: every legal move is barred",
            "nobestmove",
        ]
        talk.send(
            f"position fen {CHARIOTS} moves a1a2 d9d8 a2a1", "banmoves a4a3 a4a5", "go depth 3"
        )
        best = talk.until("bestmove")[-1].split()[1]
        assert best not in ("d8d9", "a4a3", "a4a5")


def test_uci() -> None:
    with real("uci", "setoption name Repetition Rule value superko-positional") as talk:
        talk.send(f"position fen {LOCKED} moves {STUCK}", "go depth 5")
        assert talk.until("bestmove")[-1] == "bestmove (none)"
        talk.send(f"position fen {CHARIOTS} moves a1a2 d9d8 a2a1", "go depth 3 searchmoves d8d9")
        assert talk.until("bestmove")[-1].split()[1] != "d8d9"


def test_xboard() -> None:
    talk = converse(make_searcher())
    with talk:
        check_xboard(talk)


def check_xboard(talk: Conversation) -> None:
    talk.send("option Repetition Rule=superko-situational", "force")
    talk.send("setboard 3k5/9/9/9/9/9/9/9/4R4/4K4 w", *(f"usermove {m}" for m in STUCK.split()))
    assert talk.ask("usermove d8d9") == []  # force mode accepts any legal move
    talk.send("undo", "playother")
    assert talk.ask("usermove d8d9") == [
        "Illegal move (superko-situational bars it: Black brings back the board as it stood in the "
        "first position): d8d9"
    ]
    talk.send("force", f"setboard {LOCKED}", *(f"usermove {m}" for m in STUCK.split()))
    assert talk.ask("go") == ["1-0 {Black has only moves that superko-situational bars}"]
    talk.send("computer")
    assert talk.ask("go") == ["1-0 {Black has only moves that superko-situational bars}"]
