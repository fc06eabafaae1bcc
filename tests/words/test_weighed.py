"""Rulings of books that weigh forbidden moves, in words; such rulings are made up here."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.support.languages import stray
from xiangqi import BLACK, RED, WXF, Board, Conduct, Move, Piece, Ruling, Verdict, parse_square
from xiangqi.casebook.cases import find_case, load_all_cases, load_cases
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.ground.texts import LANGUAGES
from xiangqi.referee.evidence import describe_proof
from xiangqi.referee.explanation import format_ruling, format_sentence
from xiangqi.referee.judging import Referee
from xiangqi.referee.rule_parts import GainChase
from xiangqi.referee.ruling import Mark, Proof, Victim
from xiangqi.words.voice import MOVE_NOTATIONS, MoveNotation, Voice

START = "3k5/9/9/3p5/9/4c4/9/5R3/9/3K5 w"
"""A chariot follows a cannon that is not protected."""
MOVES = "f2e2 e4f4 e2f2 f4e4".split() * 2
RULES = replace(
    WXF,
    name="weighing",
    offences="check_kill_and_chase",
    chase=GainChase(),
    common_victim="any",
    mixing="any",
    verdicts=("heavy>idle", "light>idle", "heavy>light"),
    penalty="must_change",
)
CONDUCTS = (Conduct.IDLE, Conduct.LIGHT, Conduct.HEAVY, Conduct.CHECK)


def ruling(red: Conduct, black: Conduct, verdict: Verdict, **changes: object) -> Ruling:
    """The cycle with these conducts, each move of a side being marked in a way that fits."""
    board = Board(START)
    for move in MOVES:
        board.push_iccs(move)
    ruled = board.judge(WXF)
    cannon = Piece.from_symbol("c")
    proof = Proof(Mark.CHASE, (Move.from_iccs("e2e4"),), (Victim(cannon, parse_square("e4")),))
    marks = {
        Conduct.IDLE: (Mark.CHASE, Mark.BLOCK),
        Conduct.LIGHT: (Mark.CHASE, Mark.KILL),
        Conduct.HEAVY: (Mark.CHASE, Mark.CHECK),
        Conduct.CHECK: (Mark.CHECK, Mark.CHECK),
    }
    plies = []
    for report in ruled.plies:
        conduct = red if report.color == RED else black
        mark = marks[conduct][report.ply // 2 % 2]
        proofs = (proof,) if mark is Mark.CHASE and report.move.iccs() == "f2e2" else ()
        plies.append(replace(report, mark=mark, proofs=proofs, threats=()))
    made = replace(
        ruled,
        rules=RULES,
        verdict=verdict,
        conduct={RED: red, BLACK: black},
        victims={RED: (), BLACK: ()},
        plies=tuple(plies),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def piece_on(board: Board, name: str) -> tuple[Piece, int]:
    piece = board.piece_at(parse_square(name))
    assert piece is not None
    return piece, parse_square(name)


def verdicts_of(red: Conduct, black: Conduct) -> Verdict:
    if f"{red.value}>{black.value}" in RULES.verdicts or red is Conduct.CHECK is not black:
        return Verdict.BLACK_WINS
    if f"{black.value}>{red.value}" in RULES.verdicts or black is Conduct.CHECK is not red:
        return Verdict.RED_WINS
    return Verdict.DRAW


@pytest.mark.parametrize("black", CONDUCTS)
@pytest.mark.parametrize("red", CONDUCTS)
def test_every_pair_of_conducts_is_reported(red: Conduct, black: Conduct) -> None:
    made = ruling(red, black, verdicts_of(red, black))
    for language in LANGUAGES:
        text = format_ruling(made, Voice(language))
        assert "{" not in text
        if language != "en":
            assert not stray(
                language, re.sub(r"\w+=\S+|docs/glossary\.md|#[\w-]+", "", text), "weighing"
            )


def test_weighed_ruling_names_the_offender() -> None:
    text = format_ruling(ruling(Conduct.HEAVY, Conduct.LIGHT, Verdict.BLACK_WINS))
    assert text.startswith(
        "Ruling: Red must change, or loses: Red made only forbidden moves, one check, one chase "
        "by turns (jointly by several pieces), and had to change"
    )
    assert "Red had to stop; all of its moves are forbidden:" in text
    assert "f2e2 (rounds 1 and 3): chase" in text
    assert "One light move in the cycle would have been enough for Red" in text
    assert "one of its forbidden moves is light, and all of the other side's are heavy" in text


def test_an_allowed_move_clears() -> None:
    text = format_ruling(ruling(Conduct.IDLE, Conduct.LIGHT, Verdict.RED_WINS))
    assert "Red did not have to change: its move e2f2 (rounds 2 and 4) is allowed (block)" in text
    assert "One allowed move in the cycle would have been enough for Black" in text


def test_a_draw_of_unlike_conducts() -> None:
    made = ruling(Conduct.LIGHT, Conduct.HEAVY, Verdict.DRAW)
    assert format_sentence(made).startswith(
        "draw: neither weighs more: Red: one threat of mate, one chase by turns"
    )
    assert "both made nothing but forbidden moves" in format_ruling(made)


@pytest.mark.parametrize("notation", MOVE_NOTATIONS)
def test_a_mark_is_proved_by_a_line(notation: MoveNotation) -> None:
    """In the notation of the reader; the chariot has come, and the other side passes."""
    line = {"iccs": "e2e4", "wxf": "R5+2", "vietnamese": "X5.2", "chinese": "车五进二"}[notation]
    cannon = "black cannon on e4" if notation == "iccs" else "black cannon on file 5"
    board = Board(START)
    board.push_iccs("f2e2")
    proof = Proof(Mark.CHASE, (Move.from_iccs("e2e4"),), (Victim(*piece_on(board, "e4")),))
    words = describe_proof(proof, RED, board.cells()).say(Voice("en", notation))
    assert words == f"wins the {cannon} by {line}"
    text = format_ruling(ruling(Conduct.HEAVY, Conduct.IDLE, Verdict.BLACK_WINS))
    assert "        wins the black cannon on e4 by e2e4" in text


def test_a_line_that_mates_is_marked() -> None:
    """The answer of the general is played, and the second chariot mates."""
    cells = Board("4k4/9/9/9/9/9/R8/1R7/9/3K5 b").cells()
    checks = tuple(Move.from_iccs(move) for move in ("b2b8", "e9f9", "a3a9"))
    assert str(describe_proof(Proof(Mark.KILL, checks[:1]), RED, cells)) == "threatens mate: b2b8"
    proof = Proof(Mark.KILL, checks)
    assert describe_proof(proof, RED, cells).say(Voice("zh")) == "杀：车八进六，将５平６，车九进六#"


def test_open_questions_are_reported() -> None:
    made = ruling(Conduct.IDLE, Conduct.LIGHT, Verdict.RED_WINS, questions=("even_chase",))
    text = format_ruling(made)
    assert "The ruling depends on an open question. By weighing" in text
    assert "even if as much would be lost elsewhere as is won" in text
    assert ruling_to_dict(made)["questions"] == ["even_chase"]


SENTENCES = {
    ("D12", "wxf"): (
        "draw: neither weighs more: Red: one check, one chase by turns; Black: idle moves",
        "和棋：红方一将一捉，黑方闲，不变作和",
    ),
    ("D26", "wxf"): (
        "draw: neither weighs more: Red: chases of different pieces; Black: idle moves",
        "和棋：红方分捉数子，黑方闲，不变作和",
    ),
    ("D48", "wxf"): ("draw: both sides alike: perpetual chase", "和棋：双方均长捉，不变作和"),
    ("cxa2020-c8-08", "cxa2020"): (
        "Red must change, or loses: Red made only forbidden moves, one check, one chase by turns, "
        "and had to change; Black: one chase, one idle move by turns",
        "红方变着，不变作负：红方一将一捉，黑方一捉一闲，红方不变判负",
    ),
    ("cxa2020-c8-11", "cxa2020"): (
        "Black must change, or loses: Black made only forbidden moves, perpetual chase (of an "
        "unprotected piece), and had to change; Red: perpetual chase (jointly by several pieces)",
        "黑方变着，不变作负：黑方长捉（捉无根子），红方长捉（联合捉子），黑方不变判负",
    ),
    ("cxa2020-c8-29", "cxa2020"): (
        "Black must change, or loses: Black made only forbidden moves, perpetual threat of mate, "
        "and had to change; Red: perpetual offer to exchange",
        "黑方变着，不变作负：黑方长杀，红方长兑，黑方不变判负",
    ),
}


@pytest.mark.parametrize(("name", "rules"), SENTENCES)
def test_strikes_are_counted(name: str, rules: str) -> None:
    """Each kind of move of a side is counted over one turn of the cycle."""
    ruling = Referee(rules).judge(find_case(name, (*load_cases(), *load_all_cases())).play_until(3))
    sentences = format_sentence(ruling), format_sentence(ruling, Voice("zh"))
    assert sentences == SENTENCES[name, rules]


def test_no_cycle_is_named_where_none_was_repeated() -> None:
    """Nine rounds of forbidden moves are ruled on without a repetition."""
    made = ruling(
        Conduct.HEAVY, Conduct.IDLE, Verdict.BLACK_WINS, nine_round_offenders=(RED,), occurrences=1
    )
    assert "循环" not in format_ruling(made, Voice("zh"))
    assert "cycle" not in format_ruling(made)
