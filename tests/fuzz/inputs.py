"""Malformed input of every kind: does anything but Meihua's own errors come out?

    python -m tests.fuzz.inputs --count 100000

Text must be accepted or refused with a XiangqiError that quotes it, an object of a wrong type
with a TypeError (or what Python says where it is used), quickly and with a short message. What
is accepted must work: each board is put through its methods. Before that, boards are made, played
on, ruled, copied and pickled many times over while the memory of the process must not grow. The
exit code is 1 if anything was found.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, fields
from importlib import import_module
from random import Random
from typing import Any

from tests.fuzz.run import limited, make_parser, report
from xiangqi import (
    SQUARES,
    STARTING_FEN,
    Board,
    IllegalMoveError,
    Move,
    PositionError,
    Referee,
    RuleSet,
    Setup,
    XiangqiError,
    parse_fen,
)
from xiangqi.casebook.cases import load_cases
from xiangqi.casebook.random_cycles import random_playout, random_sparse
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.games.formats import read_games
from xiangqi.games.record import parse_position
from xiangqi.ground.errors import quote
from xiangqi.referee.outcome import find_outcome
from xiangqi.referee.rules import find_rule_set

_SLOW = 1.0  # seconds of CPU time for one call
_LONG = 5000  # characters of a message; all problems of a position take up to 4,000
_GROWTH = 2048  # kilobytes that a process may grow by when it only repeats itself
_MAX_MOVES = 119  # of any position with legal material

Call = Callable[..., object]

# What a text is made of when it is to look right.
_LETTERS = "KABENHRCPkabenhrcp123456789/ wbr-0"
_STRANGE = "\0\n\t\x7fé車將٣²½Ⅷ\u2010\u2212\u202e\ud800\U0001f600_+.,;'\"\\%{}"
_WRONG_TYPES: tuple[Any, ...] = (
    None, True, 0, -1, 3.5, 10**30, b"4k4", bytearray(90), [], ["h2e2"], {}, (), object(), str, 1j,
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One call to try."""

    name: str
    call: Call
    args: tuple[Any, ...]
    quoted: str | None = None
    """The text that an error must quote; None where the arguments are of a wrong type."""
    also: tuple[type[Exception], ...] = ()
    """Errors that this call may raise besides."""

    def __str__(self) -> str:
        text = f"{self.name}{self.args!r}"
        return text if len(text) < 2000 else f"{text[:1000]} ... {text[-1000:]}"


# Texts


def random_text(rng: Random) -> str:
    """Noise: any bytes, letters that look right, letters that do not."""
    size = rng.choice((0, 1, 2, 4, 5, 8, 20, 60, 90, 300))
    if rng.random() < 0.002:
        size = 300_000
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(size).decode("latin-1")
    if kind == 1:
        return rng.randbytes(size).decode("utf-8", "replace")
    return "".join(rng.choices(_LETTERS if kind == 2 else _LETTERS + _STRANGE, k=size))


def mutated(text: str, rng: Random) -> str:
    """The text with some places cut, doubled, replaced or exchanged."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 2, 9)))
        change = rng.randrange(6)
        middle = text[start:end]
        if change == 0:
            middle = ""
        elif change == 1:
            middle = middle * rng.choice((2, 3, 50))
        elif change == 2:
            middle = rng.choice(_LETTERS)
        elif change == 3:
            middle = rng.choice(_STRANGE)
        elif change == 4:
            middle = middle.swapcase()
        else:
            end = len(text)  # cut off
            middle = ""
        text = text[:start] + middle + text[end:]
    return text


def random_fen(rng: Random) -> str:
    """A FEN of any quality."""
    kind = rng.randrange(6)
    if kind == 0:
        return random_text(rng)
    if kind == 1:
        return " ".join((random_placement(rng), rng.choice("wbrx"), "-", "-", "0", "1"))
    if kind == 2:
        return (random_playout(rng) if rng.random() < 0.3 else random_sparse(rng)).fen()
    return mutated(random_sparse(rng).fen() if kind < 5 else STARTING_FEN, rng)


def random_placement(rng: Random) -> str:
    """Ten ranks of nine files each, hardly ever a possible position."""
    letters = rng.choice(("KAk" + "1" * 60, _LETTERS[:18] + "1" * 30, "RrPp", "Kk1111111"))
    return "/".join("".join(rng.choices(letters, k=9)) for _ in range(10))


def random_move_text(rng: Random) -> str:
    """Coordinates of any quality."""
    kind = rng.randrange(4)
    if kind == 0:
        return random_text(rng)
    text = "".join(rng.choice("abcdefghiABCDEFGHI") + rng.choice("0123456789") for _ in range(2))
    if kind == 1:
        text = f"{text[:2]}{rng.choice('-‐–−')}{text[2:]}"
    return mutated(text, rng) if kind == 2 else text


def random_setup_board(rng: Random) -> bytes:
    """Piece codes for a setup, most of them no possible position and some no setup at all."""
    codes = bytes(range(1, 8)) + bytes(range(9, 16))
    if rng.random() < 0.1:
        return rng.randbytes(rng.choice((0, 1, 89, 90, 91, 1000)))
    pieces = rng.randrange(91)
    board = bytearray(rng.choices(codes, k=pieces) + [0] * (90 - pieces))
    rng.shuffle(board)
    return bytes(board)


# Cases


def random_cases(seed: int) -> Iterator[Case]:
    """Calls without end, the same ones for the same seed."""
    rng = Random(seed)
    makers = (
        fen_case, fen_case, fen_case, setup_case, move_text_case, move_text_case, move_case,
        referee_case, rule_set_case, position_line_case, wrong_type_case,
    )  # fmt: skip
    while True:
        yield rng.choice(makers)(rng)


def fen_case(rng: Random) -> Case:
    """A board from text."""
    fen = random_fen(rng)
    return Case("use_board", use_board, (fen,), fen)


def setup_case(rng: Random) -> Case:
    """A board from data. A setup's own form is a matter between programmers: ValueError."""
    counters = rng.choice((0, 1, 5, 99_999, 100_000, -1, 10**30)), rng.choice((0, 1, 99_999, -7))
    args = (random_setup_board(rng), rng.random() < 0.5, *counters)
    return Case("use_setup", use_setup, args, None, (ValueError,))


def move_text_case(rng: Random) -> Case:
    """Coordinates, by themselves and on a board."""
    text = random_move_text(rng)
    if rng.random() < 0.3:
        return Case("Move.from_iccs", Move.from_iccs, (text,), text)
    board = random_playout(rng) if rng.random() < 0.1 else random_sparse(rng)
    name = rng.choice(("push_iccs", "parse_iccs"))
    return Case(f"{board!r}.{name}", getattr(board, name), (text,), text)


def move_case(rng: Random) -> Case:
    """Any two squares on a board, and squares that are none."""
    if rng.random() < 0.3:
        numbers = rng.choices((-1, 0, 5, 89, 90, 127, 128, 2**31, -(2**31), 2**64), k=2)
        return Case("Move", Move, tuple(numbers), None, (ValueError,))
    board = random_sparse(rng)
    move = Move(*rng.sample(SQUARES, 2))
    name = rng.choice(("push", "gives_check", "see_ge", "require_legal"))
    return Case(f"{board!r}.{name}", getattr(board, name), (move,), move.iccs())


def referee_case(rng: Random) -> Case:
    """A game with one thing wrong, or none."""
    case = rng.choice(_RULE_BOOK)
    game = case.record(rounds=2)
    fen, moves = game.fen, list(game.moves)
    if rng.random() < 0.5:
        fen = quoted = mutated(fen, rng)
    else:
        place = rng.randrange(len(moves)) if moves else 0
        quoted = random_move_text(rng)
        moves[place : place + 1] = [quoted]
    return Case("Referee().judge_moves", Referee().judge_moves, (fen, moves), quoted)


def rule_set_case(rng: Random) -> Case:
    """Names of rule sets, and values of their fields."""
    name = mutated(rng.choice(("wxf", "checks-only", "all-draws")), rng)
    if rng.random() < 0.5:
        return Case("find_rule_set", find_rule_set, (name,), name)
    field = rng.choice([field.name for field in fields(RuleSet)][1:])
    value = rng.choice((name, -1, 0, 2, 10**30, 2.0, True, None, "pair", "victim"))
    if rng.random() < 0.2:
        field = value = name
    quoted = quote(value) if field != name else name
    return Case("RuleSet('x').replace", RuleSet("x").replace, ({field: value},), quoted)


def position_line_case(rng: Random) -> Case:
    """A line of a protocol, read and played."""
    line = f"position fen {random_fen(rng)} moves {random_move_text(rng)}"
    line = mutated(line, rng) if rng.random() < 0.5 else line
    return Case("play_line", play_line, (line,), line)


def find_any_outcome(rules: Any) -> object:
    """The outcome at the start by rules that are none."""
    return find_outcome(Board(), rules)


def wrong_type_case(rng: Random) -> Case:
    """Something that is no text where text is expected, and the like."""
    calls: tuple[tuple[str, Call], ...] = (
        ("Board", Board), ("Setup", Setup), ("parse_fen", parse_fen), ("Move", Move),
        ("Move.from_iccs", Move.from_iccs), ("Board().push", Board().push),
        ("Board().push_iccs", Board().push_iccs), ("Board().parse_iccs", Board().parse_iccs),
        ("Board().is_legal", Board().is_legal), ("Board().judge", Board().judge),
        ("Board().parse_move", Board().parse_move), ("Board().parse_san", Board().parse_san),
        ("Board().parse_wxf", Board().parse_wxf), ("Board().parse_chinese", Board().parse_chinese),
        ("read_games", lambda file: list(read_games(file))), ("find_outcome", find_any_outcome),
        ("Referee().judge", Referee().judge), ("find_rule_set", find_rule_set),
    )  # fmt: skip
    name, call = rng.choice(calls)
    size = 2 if name == "Move" else 1
    allowed = _ALSO_OF_WRONG_TYPES.get(name, ())
    return Case(name, call, tuple(rng.choices(_WRONG_TYPES, k=size)), None, allowed)


_RULE_BOOK = load_cases()

# Numbers that are no squares, counters or codes.
_ALSO_OF_WRONG_TYPES: dict[str, tuple[type[Exception], ...]] = {
    "Move": (ValueError,),
    "Setup": (ValueError,),
}


# Trying them


def use_board(fen: str | Setup) -> None:
    """Make a board and go through its methods."""
    board = Board(fen)
    assert board.is_consistent(), "inconsistent"
    assert parse_fen(board.fen()) == board.setup(), "the FEN does not read back"
    moves = list(board.legal_moves)
    assert len(moves) == len(board.legal_moves) == board.perft(1) <= _MAX_MOVES, "move counts"
    assert sum(board.divide(2).values()) == board.perft(2), "perft"
    assert board.mirror().perft(1) == board.flip_colors().perft(1) == len(moves), "symmetry"
    assert pickle.loads(pickle.dumps(board)) == board == deepcopy(board), "copies"
    before = board.raw()
    for move in moves:
        board.push(move)
        assert board.is_consistent(), f"inconsistent after {move}"
        board.pop()
        assert board.raw() == before, f"{move} is not taken back"
    board.judge()
    board.outcome()
    board.pinned(board.turn)
    for text in (str(board), repr(board), board._repr_svg_()):
        assert text, "an empty picture"


def use_setup(board: bytes, turn: bool, clock: int, number: int) -> None:
    """Make a setup, and a board of it."""
    use_board(Setup(board, turn, clock, number))


def play_line(line: str) -> None:
    """Read a position of a protocol and play its moves."""
    parse_position(line).play().judge()


def attempt(case: Case) -> tuple[str, str | None]:
    """Try a case: its outcome in a word, and what is wrong about it, if anything."""
    began = time.thread_time()
    outcome, problem = "accepted", None
    try:
        case.call(*case.args)
    except Exception as error:  # any kind: which kinds may come is what this is about
        outcome, problem = type(error).__name__, problem_with(error, case)
    took = time.thread_time() - began
    return outcome, f"took {took:.1f} s" if took > _SLOW else problem


def problem_with(error: Exception, case: Case) -> str | None:
    """Fault of a case that ends in this error, or None."""
    if isinstance(error, AssertionError):
        return f"is accepted, but: {error}"
    if isinstance(error, XiangqiError):
        return complaint_about(error, case)
    if isinstance(error, case.also) or (isinstance(error, TypeError) and case.quoted is None):
        return None
    return f"raised {error!r}"


def complaint_about(error: XiangqiError, case: Case) -> str | None:
    """Fault of an error's message, or None."""
    text = str(error)
    if len(text) > _LONG:
        return f"raised a message of {len(text)} characters"
    if isinstance(error, PositionError):  # it names the position in its normal form
        wanted = error.fen
    elif isinstance(error, IllegalMoveError):
        wanted = error.move
    elif case.quoted is None or case.name in ("play_line", "RuleSet('x').replace"):
        return None if text else "raised an empty message"  # quotes the part that is wrong
    else:
        wanted = case.quoted
    return None if quote(wanted) in text else f"raised {text!r}, which does not quote its input"


def peak_memory() -> int:
    """The most memory that the process has held so far, in kilobytes (Linux counts so); 0 where
    nobody counts it."""
    try:
        resource: Any = import_module("resource")
    except ImportError:
        return 0
    peak: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak


def find_leak(rounds: int) -> str | None:
    """Do the same over and over; how much the process has grown since the first tenth of it."""
    game = _RULE_BOOK[0].record(rounds=8)
    base = 0
    for number in range(rounds):
        if number == rounds // 10:
            base = peak_memory()
        board = game.play()
        ruling_to_dict(board.judge())
        list(board.copy().legal_moves)
        assert pickle.loads(pickle.dumps(board)).flip_colors().mirror().perft(2) > 0
        for wrong in ("a0a0", "a0i9", "x"):
            try:
                board.push_iccs(wrong)
            except XiangqiError as error:
                str(error)
        try:
            Board("9/" * 9 + "9 w")
        except PositionError as error:
            str(error)
    growth = peak_memory() - base if base else 0
    report(f"{rounds} rounds of the same: {growth} kB more")
    return f"the process grew by {growth} kB" if growth > _GROWTH else None


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=20_000)
    parser.add_argument("--show", type=int, default=20, help="findings to print")
    parser.add_argument("--rounds", type=int, default=3000, help="of the watch on memory")
    options = parser.parse_args()
    outcomes: Counter[str] = Counter()
    leak = find_leak(options.rounds)  # first, for the peak of all the rest would hide it
    findings = 0 if leak is None else 1
    for case in limited(random_cases(options.seed), options):
        outcome, problem = attempt(case)
        outcomes[outcome if problem is None else f"{outcome}, a finding"] += 1
        if problem is not None:
            findings += 1
            if findings <= options.show:
                print(f"{case}\n  {problem}", flush=True)
    if leak is not None:
        print(leak)
    for what, number in outcomes.most_common():
        print(f"{number:9} {what}")
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
