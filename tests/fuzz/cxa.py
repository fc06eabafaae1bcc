"""The Chinese rules on random repetitions: do the judge and the oracle mark and rule alike?

    python -m tests.fuzz.cxa --count 1000 --pieces 12
    python -m tests.fuzz.cxa --rules cxa1999
    python -m tests.fuzz.cxa --lot
    python -m tests.fuzz.cxa --book

Half of the games are random, half are diagrams of the book with pieces added, taken away or moved.
Marks, weights and verdict are compared under each rule set named, both editions by default, as the
oracle answers most of a game's questions for both at once. The judge's are compared again on one of
the game's pictures, drawn by lot: mirrored, with the colours exchanged, and from the cycle's second
move on. Each difference is listed, and the exit code says whether there was one. With ``--lot`` the
answers to the questions that the oracle knows are drawn anew for each game. With ``--book`` the
games are the diagrams as they are.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import NamedTuple

from tests.fuzz.cycles import position_line
from tests.fuzz.run import limited, make_parser, report
from tests.oracle import cxa, cxa_kill, cxa_marks, cxa_threats, cxa_weights, gains, tactics
from tests.support.cxa import STRIKES, book_cases
from xiangqi import Board, Ruling
from xiangqi.casebook.random_cycles import alter_game, random_games, record_of_board
from xiangqi.games.record import GameRecord
from xiangqi.referee.rules import RuleSet, find_rule_set

Pair = tuple[RuleSet, cxa.Edition]
EDITIONS = {"cxa2020": cxa.CXA2020, "cxa1999": cxa.CXA1999}
_MODULES = (cxa, cxa_kill, cxa_marks, cxa_threats, cxa_weights, gains, tactics)
_FORGET_EVERY = 20  # games, after which what was remembered is dropped


@dataclass(frozen=True)
class Findings:
    """A verdict, and what each ply of the window is marked as, with its weight."""

    verdict: str
    marks: tuple[str, ...]


def pair_of(rules: str) -> Pair:
    """A rule set and the oracle's edition."""
    return find_rule_set(rules), EDITIONS[rules]


def draw_pair(rng: Random) -> Pair:
    """A rule set with answers drawn by lot, and the same edition."""
    edition = cxa.Edition(
        both_forbidden=rng.choice(("weight", "draw")),
        roots=rng.choice(("weighed", "always")),
        soldiers=rng.choice(("idle", "mutual")),
        king_reply=rng.choice(("idle", "counts")),
        risen=rng.choice(("new", "stood")),
        kills=rng.choice(("any", "king_steps", "new")),
    )
    base = find_rule_set("cxa2020" if edition.both_forbidden == "weight" else "cxa1999")
    answers = {
        "root_attack": "weighed" if edition.roots == "weighed" else "chase",
        "soldier_strikes": "idle" if edition.soldiers == "idle" else "chase",
        "king_reply": edition.king_reply,
        "risen_threat": edition.risen,
        "mate_threat": edition.kills,
    }
    return base.replace(answers), edition


def oracle_findings(game: GameRecord, rules: str = "cxa2020") -> Findings:
    """The ruling of the slow twin."""
    return findings_by(game, EDITIONS[rules])


def findings_by(game: GameRecord, edition: cxa.Edition) -> Findings:
    """The ruling of the slow twin by an edition."""
    judgment = cxa.judge(game.fen, game.moves, edition)
    return Findings(
        judgment.verdict, tuple(phrase(mark.mark, mark.heavy) for mark in judgment.marks)
    )


def judge_findings(game: GameRecord, rules: RuleSet) -> Findings:
    """The ruling of the package; what is allowed is idle."""
    return findings_of(game.play().judge(rules))


def findings_of(ruling: Ruling) -> Findings:
    """Findings that the oracle has as well."""
    marks = (phrase(report.mark.value, bool(report.is_heavy)) for report in ruling.plies)
    return Findings(ruling.verdict.value, tuple(marks))


def phrase(mark: str, is_heavy: bool) -> str:
    """A mark with its weight, where it is a strike."""
    if mark not in STRIKES:
        return "idle"
    return mark if is_heavy else f"{mark} (light)"


def pictures(game: GameRecord) -> Iterator[GameRecord]:
    """The game, its mirror, and both with the colours exchanged."""
    board = game.play()
    for one in (board, board.flip_colors()):
        yield record_of_board(one)
        yield record_of_board(one.mirror())


def book_games() -> Iterator[GameRecord]:
    """The book's diagrams in all pictures and from two phases."""
    for case in book_cases():
        for phase in (0, 1):
            yield from pictures(case.record(rounds=2, phase=phase))


def sparse_games(seed: int, most: int) -> Iterator[GameRecord]:
    """Random repetitions with so many pieces at most; the oracle takes long over more."""
    for game in mixed_games(seed):
        if sum(letter.isalpha() for letter in game.fen.split()[0]) <= most:
            yield game


def mixed_games(seed: int) -> Iterator[GameRecord]:
    """By turns a random game, and a diagram with changes."""
    rng = Random(seed)
    diagrams = [case.record(rounds=2) for case in book_cases()]
    for game in random_games(seed):
        yield game
        diagram = alter_game(rng.choice(diagrams), rng)
        if diagram is not None:
            yield diagram


def forget() -> None:
    """Drop what the oracle remembers, but for lines of a board, of which there are few."""
    for module in _MODULES:
        for name, thing in vars(module).items():
            clear = getattr(thing, "cache_clear", None)
            if clear is not None and name not in tactics.OF_LINES:
                clear()


class Picture(NamedTuple):
    """A game seen otherwise: mirrored, with the colours exchanged, from the second move on."""

    game: GameRecord
    has_colours_exchanged: bool
    starts_later: bool

    def expect(self, findings: Findings) -> Findings:
        """The findings on the picture, by those on the game."""
        verdict, marks = findings.verdict, findings.marks
        if self.has_colours_exchanged:
            verdict = EXCHANGED.get(verdict, verdict)
        return Findings(verdict, (*marks[1:], marks[0]) if self.starts_later else marks)


def draw_picture(game: GameRecord, rng: Random) -> Picture:
    """A picture of a game; it starts later only if the game is one cycle twice, all of it ruled."""
    mirrors, exchanges = rng.choice(((True, False), (False, True), (True, True)))
    later = begin_later(game) if rng.random() < 0.5 else None
    board = (later or game).play()
    board = board.mirror() if mirrors else board
    seen = record_of_board(board.flip_colors() if exchanges else board)
    return Picture(seen, exchanges, later is not None)


def begin_later(game: GameRecord) -> GameRecord | None:
    """The game from its second move on; None unless both games are judged from their first move."""
    half = len(game.moves) // 2
    board = Board(game.fen)
    board.push_move(game.moves[0])
    later = GameRecord(board.fen(), (*game.moves[1:], game.moves[0]))
    is_one_cycle = game.moves[:half] == game.moves[half:]
    if is_one_cycle and game.play().repetitions() == later.play().repetitions() == 3:
        return later
    return None


EXCHANGED = {"red_wins": "black_wins", "black_wins": "red_wins"}


def compare(games: Iterable[GameRecord], show: int, pairs: Iterable[Sequence[Pair]]) -> int:
    """Compare each game's findings, by the next rule sets and editions; the exit code."""
    seen: Counter[str] = Counter()
    rng = Random(0)
    for number, (game, books) in enumerate(zip(games, pairs, strict=False)):
        if number % _FORGET_EVERY == 0:
            forget()
        seen["games"] += 1
        picture = draw_picture(game, rng)
        for book, edition in books:
            show -= compare_by(game, picture, (book, edition), seen, show > 0)
    for what, times in sorted(seen.items()):
        print(f"{times:9} {what}")
    return int(any("differ" in what for what in seen))


def compare_by(
    game: GameRecord, picture: Picture, pair: Pair, seen: Counter[str], show: bool
) -> bool:
    """Compare findings by one rule set and edition, and count; whether they differ."""
    book, edition = pair
    ruling = game.play().judge(book)
    if ruling.unsettled:
        seen[f"{book.name}: games beyond the judge's limit"] += 1
        return False
    ours, slow = findings_of(ruling), findings_by(game, edition)
    marks = list(zip(ours.marks, slow.marks, strict=True))
    seen[f"{book.name}: moves"] += len(marks)
    seen.update(f"moves: judge {one}, oracle {two}" for one, two in marks if one != two)
    seen.update(f"{book.name}: moves: {one}" for one, two in marks if one == two)
    seen[f"{book.name}: verdicts: {ours.verdict}"] += 1
    other = judge_findings(picture.game, book)
    if ours != slow:
        seen["games differ"] += 1
        seen["verdicts differ"] += ours.verdict != slow.verdict
        if show:
            print(position_line(game), book.describe())
            print(f"  judge  {ours.verdict}: {', '.join(ours.marks)}")
            print(f"  oracle {slow.verdict}: {', '.join(slow.marks)}", flush=True)
    if other != picture.expect(ours):
        seen["pictures differ"] += 1
        print(f"{position_line(game)} {book.name}")
        print(f"  otherwise: {position_line(picture.game)}", flush=True)
    return ours != slow


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=200)
    parser.add_argument("--book", action="store_true", help="the book's diagrams")
    parser.add_argument("--pieces", type=int, default=12, help="most pieces of a random position")
    parser.add_argument("--show", type=int, default=10, help="differences to print")
    parser.add_argument(
        "--rules", choices=EDITIONS, nargs="+", default=list(EDITIONS), help="the editions"
    )
    parser.add_argument("--lot", action="store_true", help="answers drawn by lot for each game")
    options = parser.parse_args()
    games = book_games() if options.book else sparse_games(options.seed, options.pieces)
    if options.book:
        report("the book's diagrams")
    rng = Random(options.seed)
    named = [pair_of(rules) for rules in options.rules]
    pairs = ([draw_pair(rng)] if options.lot else named for _ in count())
    return compare(limited(games, options), options.show, pairs)


if __name__ == "__main__":
    sys.exit(main())
