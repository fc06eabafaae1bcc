"""Phrases: texts before a language and a notation are chosen."""

from __future__ import annotations

import pickle

import pytest

from xiangqi.casebook.cases import find_case, load_cases
from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.texts import LANGUAGES
from xiangqi.pieces import BLACK, RED, Piece
from xiangqi.referee.explanation import Explanation, explain
from xiangqi.referee.judging import Referee
from xiangqi.words.phrases import LineOfPlay, Listing, NumberWord, PieceOn, Text, list_pieces
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

CELLS = CoreBoard().cells()
CANNONS = [(25, Piece.from_symbol("C")), (19, Piece.from_symbol("C"))]


def explained(name: str) -> Explanation:
    return explain(Referee().judge(find_case(name, load_cases()).play_until(3)))


def test_one_phrase_gives_the_text_of_every_voice() -> None:
    phrase = Text("must_change", side=BLACK)
    assert [phrase.say(Voice(language)) for language in LANGUAGES] == [
        "Black must change, or loses",
        "黑方变着，不变作负",
        "Đen phải đổi nước, nếu không sẽ thua",
    ]
    assert str(phrase) == f"{phrase}" == phrase.say(Voice())


def test_equal_phrases_have_the_same_key_and_values() -> None:
    assert Text("must_change", side=RED) == Text("must_change", side=RED)
    assert len({Text("must_change", side=RED), Text("must_change", side=RED)}) == 1
    assert Text("must_change", side=RED) != Text("must_change", side=BLACK)
    assert Text("must_change", side=RED) != "Red must change, or loses"
    assert PieceOn(CANNONS[0][1], 25, CELLS) == PieceOn(CANNONS[0][1], 25, bytes(90))


def test_values_of_a_phrase_are_named_in_its_voice() -> None:
    pieces = list_pieces(CANNONS, CELLS)
    assert str(pieces) == "the red cannon on h2 and the red cannon on b2"
    assert pieces.say(Voice("zh")) == "红方二路炮、红方八路炮"
    assert Listing(("1", "3"), "semicolon").say(Voice("zh")) == "1；3"
    assert [str(NumberWord(number)) for number in (1, 10, 11)] == ["one", "ten", "11"]


def test_a_line_of_play_is_named_move_by_move() -> None:
    moves = tuple(Move.from_iccs(move) for move in ("h2e2", "h9g7"))
    line = LineOfPlay(moves, RED, CELLS)
    assert line.say(Voice("zh")) == "炮二平五，马８进７"
    assert str(LineOfPlay(moves, RED, CELLS, skip=1)) == "h9g7"


def test_an_unknown_key_is_refused_when_it_is_said() -> None:
    with pytest.raises(KeyError, match="no_such_text"):
        Text("no_such_text").say(Voice())


@pytest.mark.parametrize("name", ["D1", "D18a", "V14a"])
def test_an_explanation_is_made_before_its_language(name: str) -> None:
    """All parts are read first; the texts of all voices come from them."""
    found = explained(name)
    parts = [found.reason, *found.doubts, *(one.text for one in found.remedies)]
    parts += [one.text for move in found.cycle for one in move.evidence.sentences]
    for language in LANGUAGES:
        for notation in MOVE_NOTATIONS:
            voice = Voice(language, notation)
            text = found.say(voice)
            assert all(part.say(voice) in text for part in parts)


def test_arrows_of_a_sentence_are_those_of_its_attack() -> None:
    for move in explained("D18a").moves:
        arrows = {arrow for one in move.sentences for arrow in one.arrows}
        for found in move.threats:
            ends = {(arrow.tail, arrow.head) for arrow in arrows}
            assert (found.threat.attacker, found.threat.victim) in ends


def test_an_explanation_can_be_pickled() -> None:
    found = explained("D1")
    assert str(pickle.loads(pickle.dumps(found))) == str(found)
