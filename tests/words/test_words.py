"""Rulings in words: rounds instead of plies, any notation, and one language throughout."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.support.languages import stray
from tests.support.soak import SOAK
from tests.support.web_server import ask, get, serving
from xiangqi import RED, Board, Move
from xiangqi.casebook.cases import Case, find_case_folder, load_cases
from xiangqi.cli.main import main
from xiangqi.games.arbiter import format_game, rule_game
from xiangqi.games.formats import read_games
from xiangqi.games.pasting import read_moves
from xiangqi.games.tree import Game
from xiangqi.ground import texts
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.pieces import BLACK, Piece, parse_square
from xiangqi.referee.explanation import explain, format_ruling
from xiangqi.referee.ruling import Ruling
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.server import WebServer
from xiangqi.words.phrases import Rounds
from xiangqi.words.voice import MOVE_NOTATIONS, MoveNotation, Voice

CASES = load_cases()
CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1"
CYCLE = "f0e0 e8f8 e0f0 f8e8"
IN_CHINESE = "1. 车四平五 将5平6 2. 车五平四 将6平5 3. 车四平五 将5平6 4. 车五平四 将6平5"
IN_WXF = "1. R4.5 K5.6 2. R5.4 K6.5 3. R4.5 K5.6 4. R5.4 K6.5"


def rule(case: Case) -> Ruling:
    return case.play_until(3).judge()


@lru_cache(maxsize=1)
def rulings() -> list[Ruling]:
    """Rulings on all cases."""
    return [rule(case) for case in CASES]


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(word) for word in arguments], catch_exceptions=False)
    assert result.exit_code in (0, 1), result.output
    return result.output


# Rounds


@pytest.mark.parametrize(
    ("turn", "number", "moves", "moment"),
    [
        ("w", 1, f"{CYCLE} {CYCLE}", "after round 4, Black"),
        ("w", 20, f"{CYCLE} {CYCLE}", "after round 23, Black"),
        ("b", 1, f"i9h9 {CYCLE} {CYCLE}", "after round 5, Black"),
        ("b", 20, f"i9h9 {CYCLE} {CYCLE}", "after round 24, Black"),
        ("w", 0, f"{CYCLE} {CYCLE}", "after round 4, Black"),
    ],
)
def test_rounds_are_counted_from_the_records_beginning(
    turn: str, number: int, moves: str, moment: str
) -> None:
    board = "8r/4k4/9/9/9/9/9/9/2p6/3K1RBc1" if turn == "b" else CHECKS
    game = Game(f"{board} {turn} - - 0 {number}")
    game.add_line(map(Move.from_iccs, moves.split()))
    ruled = rule_game(game)
    assert f"{moment}: Black wins" in format_game(ruled)
    assert ruled.to_dict()["ply"] == len(moves.split()), "data counts plies"


def test_a_round_that_black_begins_has_one_move() -> None:
    rounds = Rounds(20, BLACK)
    assert [rounds.number(ply) for ply in range(4)] == [20, 21, 21, 22]
    assert [rounds.side(ply) for ply in range(3)] == [BLACK, RED, BLACK]


def test_no_plies_are_reported() -> None:
    for ruling in rulings():
        for language in LANGUAGES:
            text = format_ruling(ruling, Voice(language))
            assert not re.search(r"\bpl(y|ies)\b|moves? \d|第\d+着", text)


# Notation


@pytest.mark.parametrize("notation", MOVE_NOTATIONS)
def test_printed_sheets_are_read_back(notation: MoveNotation) -> None:
    for case, ruling in zip(CASES, rulings(), strict=True):
        text = explain(ruling).sheet.moves().say(Voice("en", notation))
        moves = read_moves(text, ruling.fen).moves
        assert moves == tuple(move.iccs() for move in ruling.moves), case.id


@pytest.mark.parametrize(
    "voice", [Voice("zh"), Voice("en", "wxf"), Voice("zh", "iccs"), Voice("vi")]
)
def test_the_name_of_a_piece_tells_it_from_all_others(voice: Voice) -> None:
    for ruling in rulings():
        board = Board(ruling.fen)
        pieces = board.piece_map()
        cells = board.cells()
        assert len({voice.piece(pieces[at], at, cells) for at in pieces}) == len(pieces)


def test_pieces_on_a_file_are_distinguished() -> None:
    board = Board("3k5/P8/P8/P8/P8/P8/9/C8/C8/4K4 w")
    cells = board.cells()

    def name(place: str, voice: Voice) -> str:
        square = parse_square(place)
        piece = board.piece_at(square)
        assert isinstance(piece, Piece)
        return voice.piece(piece, square, cells)

    chinese, english = Voice("zh"), Voice("en", "wxf")
    assert [name(f"a{rank}", chinese)[4:] for rank in (8, 7, 4)] == ["一兵", "二兵", "五兵"]
    assert name("a2", chinese) == "红方九路前炮"
    assert name("a1", english) == "rear red cannon on file 9"
    assert name("d9", chinese) == "黑方将"


@pytest.mark.parametrize("notation", ["chinese", "wxf"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_squares_are_reported_beside_another_notation(
    language: Language, notation: MoveNotation
) -> None:
    for ruling in rulings():
        text = format_ruling(ruling, Voice(language, notation))
        lines = [line for line in text.splitlines() if ruling.fen not in line]
        assert not re.search(r"\b[a-i]\d\b|[a-i]\d[a-i]\d", "\n".join(lines))


@pytest.mark.parametrize(
    "moves",
    [
        f"{CYCLE} {CYCLE}",
        IN_CHINESE,
        IN_WXF,
        IN_CHINESE.replace(". ", "."),
        "1.R4.5,K5.6,2.R5.4,K6.5; 22. f0e0 {and so on} 将5平6 e0f0 K6.5 *",
    ],
)
def test_moves_are_read_in_any_notation(moves: str) -> None:
    output = run("judge", "--fen", f"{CHECKS} w", "--moves", moves)
    assert output.startswith("Black wins: Red checked perpetually")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (
            "1. 炮二平五 马8进9 2. 炮五进五",
            "move 3: '炮五进五': the red cannon on e2 cannot reach e7",
        ),
        (
            "炮二平五 xyz",
            "move 2: 'xyz': expected coordinates, WXF, Vietnamese or Chinese notation",
        ),
        ("h2e2 {so", "the comment is not closed"),
    ],
)
def test_invalid_moves_are_reported(moves: str, message: str) -> None:
    result = CliRunner().invoke(main, ["judge", "--moves", moves])
    assert result.exit_code == 2
    assert message in result.output


def test_the_notation_of_the_commands(tmp_path: Path) -> None:
    game = tmp_path / "game.pgn"
    game.write_text(f'[FEN "{CHECKS} w - - 0 1"]\n\n{IN_WXF} *\n', encoding="utf-8")
    for source in (
        ["--fen", f"{CHECKS} w", "--moves", f"{CYCLE} {CYCLE}"],
        ["--case", "D2a"],
        [game],
    ):
        for notation, word in (("iccs", "f0e0"), ("wxf", "R4.5"), ("chinese", "车四平五")):
            output = run("judge", *source, "--explain", "--notation", notation)
            assert word in output
        assert "车四平五" in run("judge", *source, "--explain", "--lang", "zh")
    run("report", game, "-o", tmp_path / "out", "--notation", "wxf")
    page = (tmp_path / "out/000001.html").read_text(encoding="utf-8")
    assert '<b class="move">R4.5</b>' in page
    assert "R4.5 (rounds 1 and 3)" in page


# One way to give a position


@pytest.mark.parametrize(
    "command", [["show"], ["eval"], ["perft", "2"], ["judge"], ["judge", "--moves", "f0e0"]]
)
def test_a_position_is_given_alike_everywhere(command: list[str]) -> None:
    def output(*position: str) -> str:
        return re.sub(r"[\d.,]+ (s|nodes/s)\b", "", run(*command, *position))

    fen = f"{CHECKS} w - - 0 1"
    assert output("--fen", fen) == output(fen) == output(*fen.split())


@pytest.mark.parametrize("command", [["show"], ["eval"], ["perft", "2"], ["judge"]])
def test_a_position_is_given_once(command: list[str]) -> None:
    result = CliRunner().invoke(main, [*command, f"{CHECKS} w", "--fen", f"{CHECKS} w"])
    assert result.exit_code == 2


# Other languages than English

OTHERS = LANGUAGES[1:]
NATIVE_NAMES = [texts.text_of(language, "language.name") for language in LANGUAGES]


def text_of(page: str) -> str:
    """Text that a page shows, and text for screen readers."""
    page = re.sub(r"(?s)<(script|svg|style)\b.*?</\1>", "", page)
    shown = [re.sub(r"<[^>]+>", " ", page)]
    shown += re.findall(r'(?:title|aria-label|placeholder)="([^"]*)"', page)
    shown += re.findall(r'data-(?:thinking|more-games|too-large|offline)="([^"]*)"', page)
    return html.unescape(" ".join(shown))


def test_stray_finds_words_of_other_languages() -> None:
    assert stray("zh", f"{CHECKS} w 红方 Red D12", "Red") == []
    assert stray("zh", "红方: check") == ["check"]
    assert stray("vi", f"{CHECKS} w Đỏ chiếu mãi, Xe đỏ ở lộ 5: Red 红", "Red", "红") == []
    assert stray("vi", "Red checks; Đen: 长将") == ["Red", "checks", "长将"]
    labels = [text for key, text in texts.list_texts("en").items() if key.startswith("page.")]
    words = [re.sub(r"\{[^}]*\}", " ", text) for text in labels]
    unseen = [text for text in words if re.search("[a-z]", text) and not stray("vi", text)]
    assert sorted(unseen) == ["End", "Enter", "Meihua", "Position (FEN)"]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("rules", ["wxf", "checks-only", "cxa2020", "tiantian"])
def test_every_case_is_explained_in_the_language(rules: str, language: Language) -> None:
    for case in ("D1a", "D4a", "D12", "D18a", "D84a", "X1a", "V1", "V14a"):
        for how in ([], ["--explain"], ["--explain", "--notation", "iccs"]):
            output = run("judge", "--case", case, "--rules", rules, *how, "--lang", language)
            assert not stray(language, output), (case, how)


@pytest.mark.parametrize("language", OTHERS)
def test_titles_of_the_book_are_in_the_language(language: Language) -> None:
    for case in CASES:
        for found in (case.titles, case.chapters):
            assert found[language] != found["en"], case.id
            assert not stray(language, found[language]), case.id
        squares = re.findall(r"\b[a-i]\d\b", case.title)
        assert sorted(re.findall(r"[a-i]\d", case.titles[language])) == sorted(squares), case.id


def test_notes_of_the_book_are_in_chinese() -> None:
    for case in CASES:
        assert bool(case.notes["zh"]) == bool(case.note)
        assert not stray("zh", case.notes["zh"]), case.id
        assert not case.note or case.notes["zh"] != case.note, case.id


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("rules", ["wxf", "checks-only"])
def test_the_book_is_verified_in_the_language(rules: str, language: Language) -> None:
    path = find_case_folder() / "04_cannon_chases_chariot.toml"
    for how in ([], ["--list"]):
        output = run("verify", path, "--rules", rules, *how, "--lang", language)
        assert not stray(language, output, f"xiangqi verify --list --lang {language}")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    headers = '[Event "E"]\n[Site "S"]\n[Date "?"]\n[Round "1"]\n[Red "A"]\n[Black "B"]\n'
    path.write_text(
        f'{headers}[Result "1-0"]\n[FEN "{CHECKS} w - - 0 1"]\n\n{IN_WXF} 1-0\n\n'
        '[Red "C"]\n\n1. C2.5 H8+7 *\n\n'
        '[FEN "3k5/9/9/9/9/9/9/9/4R4/4K4 w"]\n\n1. R5.6 *\n',
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("language", OTHERS)
def test_files_are_ruled_on_in_the_language(games: Path, language: Language) -> None:
    for how in ([], ["--explain"]):
        assert not stray(language, run("judge", games, *how, "--lang", language), str(games))


@pytest.mark.parametrize("language", OTHERS)
def test_a_position_is_shown_in_the_language(language: Language) -> None:
    output = run("show", "3kr4/9/9/9/9/9/r1N1R4/9/9/4K4", "w", "--lang", language)
    board, words = output.split(texts.text_of(language, "side_red"), 1)
    assert "a   b" in board
    assert not stray(language, words)


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
def test_pages_of_games_are_in_the_language(
    games: Path, tmp_path: Path, language: Language
) -> None:
    write_and_check(tmp_path / "out", language, games, names=(games.name,))


@pytest.mark.long
def test_pages_of_cases_are_in_chinese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fifth case of the rule book; MEIHUA_SOAK=1 looks at all."""
    cases = CASES[:: 1 if SOAK else 5]
    monkeypatch.setattr("xiangqi.cli.report.load_cases", lambda _: cases)
    arguments = ("--cases", "--set", "occurrences=4")
    write_and_check(tmp_path / "out", "zh", *arguments, names=("occurrences=4",))


def write_and_check(
    out: Path, language: Language, *arguments: object, names: tuple[str, ...]
) -> None:
    output = run("report", *arguments, "-o", out, "--lang", language)
    assert not stray(language, output, str(out), "index.html")
    for page in out.glob("*.html"):
        shown = text_of(page.read_text(encoding="utf-8"))
        assert not stray(language, shown, *names), page


@pytest.mark.parametrize("language", OTHERS)
def test_server_answers_in_the_language(games: Path, language: Language) -> None:
    with serving(Application(voice=Voice(language), files=[str(games)])) as server:
        for path in ("/", f"/games/0/{language}/index.html", f"/games/0/{language}/000001.html"):
            shown = text_of(get(server, path).text)
            assert not stray(language, shown, games.name, str(games), *NATIVE_NAMES), path
        for moves in ([], CYCLE.split(), CYCLE.split() * 2):
            position: dict[str, Any] = ask(server, "/api/position", fen=CHECKS, moves=moves).data
            ruling = ask(server, "/api/ruling", fen=CHECKS, moves=moves).data
            output = [position["status"], position["warning"] or "", *position["pieces"].values()]
            explanation = ruling["explanation"] or {"text": ""}
            said = " ".join([*output, ruling["verdict"], explanation["text"]])
            assert not stray(language, said)


def explained(server: WebServer, **question: Any) -> str:
    return str(ask(server, "/api/ruling", **question).data["explanation"]["text"])


def test_the_server_takes_the_notation_of_the_page(games: Path) -> None:
    voice = Voice("zh", "wxf")
    with serving(Application(voice=voice, files=[str(games)])) as server:
        assert '<option value="wxf" selected>' in get(server, "/?lang=en").text
        assert '<b class="move">R4.5</b>' in get(server, "/games/0/en/000001.html").text
        question = {"fen": CHECKS, "moves": CYCLE.split() * 2, "lang": "en"}
        assert "R4.5 (rounds 1 and 3)" in explained(server, **question)
        found = explained(server, **question, notation="chinese")
        assert "车四平五 (rounds 1 and 3)" in found
        wrong = ask(server, "/api/ruling", **question, notation="san")
        assert wrong.status == 400
        assert (
            "'san': expected one of chinese, wxf, vietnamese, iccs"
            in wrong.data["error"]["message"]
        )


def test_a_pgn_reader_and_the_option_read_the_same(games: Path) -> None:
    first = next(read_games(str(games)))
    assert read_moves(IN_CHINESE, f"{CHECKS} w") == first.record()
