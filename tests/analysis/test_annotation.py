"""Annotations of a game: comments, marks, variations, headers; in both languages."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn
import pytest

from tests.support.books import write_book
from xiangqi import Board, Move
from xiangqi.analysis.annotation import annotate
from xiangqi.analysis.engines import Effort, borrow_analyst
from xiangqi.analysis.game import AnalysisSettings, analyse_moves
from xiangqi.games.additions import seal, seal_line
from xiangqi.games.comments import Eval, read_eval
from xiangqi.games.formats import find_format, read_games
from xiangqi.games.tree import Game, GameCursor
from xiangqi.ground.texts import Language
from xiangqi.referee.rules import RULE_SETS
from xiangqi.tables import probe
from xiangqi.words.voice import PLAIN_VOICE, Voice

MISSED = "4k4/R8/9/9/9/9/9/1Rr6/9/3K5 w"
CHECK = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = "f0e0 e8f8 e0f0 f8e8".split()
QUICK = AnalysisSettings(effort=Effort(nodes=1000))


def make_game(moves: str, fen: str = "") -> Game:
    game = Game(fen or Board().fen(), {"Result": "*"})
    game.add_line(map(Move.from_iccs, moves.split()))
    return game


def annotated(game: Game, settings: AnalysisSettings = QUICK, voice: Voice = PLAIN_VOICE) -> Game:
    analyst = borrow_analyst(rules=settings.rules)
    analysis = analyse_moves(game.fen, game.moves(), analyst, settings)
    annotate(game, analysis, settings, voice)
    return game


def comments(game: Game) -> list[str]:
    return [node.comment for node in game.mainline()]


def test_every_move_has_an_evaluation_that_others_read() -> None:
    game = annotated(make_game("h2e2 h9g7 e2e6 g7e6"))
    for node in (game.root, *game.mainline()):
        value = read_eval(node.comment)
        assert value is not None
        theirs = chess.pgn.Game()
        theirs.comment = node.comment
        score = theirs.eval()
        assert score is not None
        assert score.white().score() == value.cp


def test_a_missed_mate_has_its_line() -> None:
    game = annotated(make_game("d0d1 c2b2", MISSED))
    first, second = game.root.variations
    assert first.move == Move.from_iccs("d0d1")
    assert first.nags == [4]
    assert "Missed mate in 2: b2b9." in first.comment
    assert second.move == Move.from_iccs("b2b9")
    assert read_eval(second.comment) == Eval(mate=2)
    cursor = GameCursor(game)
    node = second
    while node.variations:
        node = node.variations[0]
    cursor.go_to(node)  # raises for a move that is not legal
    assert cursor.board.is_checkmate()


def test_comments_are_in_the_reader_s_language() -> None:
    (comment, _) = comments(annotated(make_game("d0d1 c2b2", MISSED), voice=Voice("zh")))
    assert "此处有2步杀：车八进七" in comment
    assert "C2.5" not in comment
    game = annotated(make_game("d0d1 c2b2", MISSED), voice=Voice("en", "wxf"))
    assert "Missed mate in 2: R8+7." in comments(game)[0]


def test_the_record_keeps_its_own() -> None:
    game = make_game("d0d1 c2b2", MISSED)
    first = game.root.variations[0]
    first.comment, first.nags = "[%eval 9.00] [%clk 0:01:00] a slip", [5]
    other = game.root.add(Move.from_iccs("b2b9"), "shorter")
    game.root.comment = "two chariots"
    game.headers["Annotator"] = "A"
    annotated(game)
    assert first.nags == [5]
    assert first.comment.endswith("[%clk 0:01:00] a slip")
    assert first.comment.count("[%eval") == 1
    assert game.root.variations == [first, other]  # the better line stands there already
    assert other.comment == "shorter"
    assert game.root.comment.endswith("two chariots")
    assert game.headers["Annotator"].startswith("A; Meihua")


def test_annotating_again_adds_no_variation() -> None:
    game = annotated(annotated(make_game("d0d1 c2b2", MISSED)))
    assert len(game.root.variations) == 2
    assert game.headers["Annotator"].count("Meihua") == 1


def test_written_annotations_are_read_back_equal() -> None:
    games = [annotated(make_game("d0d1 c2b2", MISSED), voice=Voice("zh"))]
    games.append(annotated(make_game("h2e2 h9g7 e2e6 g7e6")))
    for name in ("pgn", "jsonl", "dhtmlxq"):
        out = io.BytesIO()
        find_format(name).write(games, out)
        assert list(read_games(io.BytesIO(out.getvalue()))) == games


def test_must_change_is_reported_at_each_repetition() -> None:
    game = annotated(make_game(" ".join(CYCLE * 2), CHECK))
    texts = comments(game)
    demand = "Red repeats, though only Red has to change"
    assert [demand in comment for comment in texts] == [ply in (4, 6) for ply in range(8)]
    assert "The game ends here by rule: Black wins" in texts[-1]
    assert read_eval(texts[-1]) is None
    assert "3 faults" not in game.root.comment
    assert "2 faults by the rules of repetition" in game.root.comment
    milder = AnalysisSettings(effort=Effort(nodes=1000), rules=RULE_SETS["all-draws"])
    texts = comments(annotated(make_game(" ".join(CYCLE * 2), CHECK), milder))
    assert not any(demand in comment for comment in texts)


def test_lost_table_win_is_marked(chariot_horse_tables: Path) -> None:
    fen = "4k4/9/9/9/9/9/9/3K5/9/2R4n1 w"
    settings = AnalysisSettings(effort=Effort(nodes=300), tables=chariot_horse_tables)

    def value(board: Board) -> int | None:
        found = probe(board, settings.rules, chariot_horse_tables)
        return None if found is None else found.value

    board = Board(fen)
    assert value(board) == 1
    thrown = next(move for move in board.list_moves() if value(_after(board, move)) == 0)
    game = annotated(make_game(thrown.iccs(), fen), settings)
    (comment,) = comments(game)
    assert "The tables: Red wins in 5 plies before this move, drawn after it;" in comment
    assert game.end().nags == [4]
    _, better = game.root.variations
    assert better.move is not None
    assert value(_after(board, better.move)) == -1
    assert better.move.iccs() in comment
    won = next(move for move in board.list_moves() if value(_after(board, move)) == -1)
    for game in (make_game(won.iccs(), fen), make_game(thrown.iccs(), fen)):
        with_tables = settings if game.moves() == (won,) else QUICK
        assert "The tables" not in comments(annotated(game, with_tables))[0]


def _after(board: Board, *moves: Move) -> Board:
    after = board.copy()
    for move in moves:
        after.push(move)
    return after


def test_a_book_and_the_name_of_the_opening(tmp_path: Path) -> None:
    lines = [make_game("h2e2 h9g7 h0g2"), make_game("h2e2 h9g7 b0c2"), make_game("h2e2 b9c7")]
    for line in lines:
        line.headers.update(Result="1-0", ECCO="C44", Opening="Central cannon")
    book = write_book(tmp_path / "book.obk", lines)
    settings = AnalysisSettings(effort=Effort(nodes=300), book=str(book))
    game = annotated(make_game("h2e2 h9g7 h0g2 i9h9 a0a1"), settings)
    texts = comments(game)
    assert "Book: h2e2 3 games." in texts[0]
    assert "Book: h9g7 2 games." in texts[1]
    assert "Book: h0g2 1 game." in texts[2]
    assert not any("ook" in comment for comment in texts[3:])
    assert game.headers["ECCO"] == "C44"
    assert game.headers["Opening"] == "Central cannon"
    left = annotated(make_game("h2e2 a9a8"), settings)
    assert "Leaves the book, which has h9g7 2 games, b9c7 1 game." in comments(left)[1]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Red: average loss", "1000 nodes", "accuracy")),
        ("zh", ("红方", "1000节点", "准确率")),
        ("vi", ("Đỏ: mất trung bình", "1000 nút", "độ chính xác")),
    ],
)
def test_the_head_tells_the_numbers(language: Language, words: tuple[str, ...]) -> None:
    game = annotated(make_game("h2e2 h9g7 e2e6 g7e6"), voice=Voice(language))
    head = game.root.comment
    for word in words:
        assert word in head
    assert float(game.headers["RedLoss"]) > 50
    assert 0 <= float(game.headers["RedAccuracy"]) <= 100
    assert "1000 nodes a move, wxf" in game.headers["Annotator"]


# Annotated again


def commented() -> Game:
    """People have said something of either move, and of a third one beside."""
    game = make_game("d0d1 c2b2", MISSED)
    first, second = game.mainline()
    game.root.comment, first.comment = "two chariots", "[%clk 0:01:00] a slip"
    second.nags = [5]
    game.root.add(Move.from_iccs("a8a9"), "a check, at least", [2]).add(Move.from_iccs("e9e8"))
    return game


def test_an_earlier_analysis_is_replaced_and_people_are_not() -> None:
    """The older analysis may be by any engine, and repeated."""
    fresh = annotated(commented())
    again = commented()
    for effort in (Effort(nodes=300), Effort(nodes=500, depth=2), QUICK.effort):
        again = annotated(again, AnalysisSettings(effort=effort), Voice("zh"))
    (again,) = read_games(io.BytesIO(again.pgn().encode()))
    again = annotated(again)
    assert again == fresh
    comment = again.root.variations[0].comment
    assert comment.endswith("Missed mate in 2: b2b9.\n[%clk 0:01:00] a slip")
    assert again.root.variations[0].nags == [4]
    assert again.headers["Annotator"].count("nodes") == 1


def test_a_mark_and_a_line_that_do_not_hold_any_more_are_taken_back() -> None:
    """Shown by the seals of an analysis that thought otherwise."""
    game = make_game("h2e2 h9g7")
    first, second = game.mainline()
    first.nags, first.comment = [2], f"[%eval -9.00] {seal('Better: b2e2 (+9.00).', 2)}"
    second.nags, second.comment = [4], seal("", 4)
    line = game.root.add(Move.from_iccs("b2e2"), "[%eval 9.00]")
    line.add_line(map(Move.from_iccs, ("b9c7", "b0c2")))
    seal_line(line)
    game.headers.update(Annotator="A; Meihua 0.1, 5 s a move, wxf", BlackAccuracy="3.0")
    annotated(game)
    assert game == annotated(make_game_of("A"))


def make_game_of(annotator: str) -> Game:
    game = make_game("h2e2 h9g7")
    game.headers["Annotator"] = annotator
    return game


def test_edited_annotations_are_kept() -> None:
    """Words, marks and lines of an earlier analysis."""
    game = annotated(make_game("d0d1 c2b2", MISSED))
    first, better = game.root.variations
    words = first.comment
    first.comment = words.replace("Missed mate in 2", "Missed mate in 2, Liu says")
    first.nags = [6]
    better.end().comment = "mate"
    annotated(game)
    assert first.nags == [6]
    assert "Missed mate in 2, Liu says: b2b9." in first.comment
    assert first.comment.count("Missed mate in 2: b2b9.") == 1
    assert game.root.variations == [first, better]
    first.comment = "[%csl Ga0] " + first.comment.replace("Liu", "Wang")
    annotated(game)
    assert first.comment.count("Wang says") == 1
    assert first.comment.count("Missed mate in 2: b2b9.") == 1
    assert first.comment.count("[%meihua") == 1
