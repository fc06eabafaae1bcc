"""Reading case files; errors name file, case and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.languages import stray
from xiangqi import Move
from xiangqi.casebook.cases import find_case, find_case_folder, load_all_cases, load_cases
from xiangqi.ground.errors import CaseError
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.referee.ruling import Mark

GOOD = """chapter = "one"
[[case]]
id = "A1"
title = "a title"
fen = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
lead_in = []
cycle = ["f0e0", "e8f8", "e0f0", "f8e8"]
verdict = "black_wins"
red = "check"
black = "idle"
source = "here"
confidence = "high"
"""


_WITH_MATES = f'source = "here"\nmarks = {["mate"] * 4}'


def write(folder: Path, text: str, name: str = "one.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file(tmp_path: Path) -> None:
    (case,) = load_cases([write(tmp_path, GOOD)])
    assert (case.id, case.chapter, case.diagram, case.note) == ("A1", "one", None, "")
    assert case.record(rounds=2, phase=1).moves == tuple(
        "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8 f0e0".split()
    )
    assert load_cases([tmp_path]) == [case]


def test_the_cases_of_all_books() -> None:
    """The WXF book's cases are first, and ids are unique."""
    cases = load_all_cases()
    assert cases[: len(load_cases())] == load_cases()
    folder = find_case_folder()
    assert len(cases) == len(load_cases(sorted(folder.rglob("*.toml"))))
    assert find_case("CXA2020-c8-10", cases).marks
    assert find_case("D2", cases).id == "D2a"


@pytest.mark.parametrize(
    ("old", "new", "field", "why"),
    [
        ('"black_wins"', '"win"', "verdict", "found 'win', expected one of 'undecided'"),
        ('red = "check"', 'red = "chess"', "red", "found 'chess', expected one of 'idle'"),
        ('red = "check"\n', "", "red", "found None"),
        ('title = "a title"', "title = 3", "title", "found 3, expected text"),
        ('title = "a title"', 'title = ""', "title", "found '', expected text"),
        ("lead_in = []", "lead_in = [1]", "lead_in", "expected a list of moves"),
        ("lead_in = []", 'lead_in = "h2e2"', "lead_in", "expected a list of moves"),
        ('"high"', '"sure"', "confidence", "found 'sure'"),
        ("lead_in", "leadin", "leadin", "unknown key"),
        ('source = "here"', 'source = "here"\ndiagram = "1"', "diagram", "expected a number"),
        (
            'source = "here"',
            'source = "here"\nmarks = ["check"]',
            "marks",
            "one for each move of the cycle",
        ),
        (
            'source = "here"',
            'source = "here"\nmarks = "check"',
            "marks",
            "found 'check', expected one for each",
        ),
        ('source = "here"', _WITH_MATES, "marks", "found 'mate', expected one of"),
    ],
)
def test_a_wrong_key_is_named(tmp_path: Path, old: str, new: str, field: str, why: str) -> None:
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(CaseError) as caught:
        load_cases([path])
    assert (caught.value.case, caught.value.field) == ("A1", field)
    assert why in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "chapter = ",
        "chapter = 1",
        "chapter = 'a'\nchapter_zh = 1",
        "case = 3\nchapter = 'a'",
        "x = 1",
        "\0",
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(CaseError, match=path.name):
        load_cases([path])


def test_a_chapter_has_a_name_in_chinese_where_the_file_has_one(tmp_path: Path) -> None:
    (case,) = load_cases([write(tmp_path, GOOD)])
    assert case.chapters["zh"] == case.chapters["en"] == "one"
    (case,) = load_cases([write(tmp_path, 'chapter_zh = "一"\n' + GOOD)])
    assert (case.chapters["zh"], case.chapters["en"]) == ("一", "one")


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_chapter_of_the_books_has_a_name_in_the_language(language: Language) -> None:
    names = {case.chapter: case.chapters[language] for case in load_all_cases()}
    assert len(set(names.values())) == len(names) >= 20
    for name in names.values():
        assert not stray(language, name, "Fairy-Stockfish", "chessdb"), name


def test_other_bytes_than_utf8(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_bytes(b'chapter = "\xff"')
    with pytest.raises(CaseError, match="utf-8"):
        load_cases([path])


def test_missing_and_empty(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="No such file"):
        load_cases([tmp_path / "none.toml"])
    with pytest.raises(CaseError, match=r"holds no \.toml file"):
        load_cases([tmp_path])


def test_a_folder_stands_for_its_own_files_or_for_its_folders(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write(other, GOOD)
    assert len(load_cases([tmp_path])) == 1
    write(tmp_path, GOOD.replace('"A1"', '"B1"'))
    assert [case.id for case in load_cases([tmp_path])] == ["B1"]


def test_a_book_need_not_tell_what_a_side_does(tmp_path: Path) -> None:
    marks = f"marks = {['check', 'offer', 'kill', 'idle']}\n"
    text = GOOD.replace('red = "check"\nblack = "idle"\n', marks)
    (case,) = load_cases([write(tmp_path, text)])
    assert (case.red, case.black) == (None, None)
    assert case.marks == (Mark.CHECK, Mark.OFFER, Mark.KILL, Mark.IDLE)


@pytest.mark.parametrize(("rules", "number"), [("wxf", 192), ("computer", 20), ("cxa2020", 107)])
def test_the_books_cases_are_cycles_without_captures(rules: str, number: int) -> None:
    cases = load_cases([find_case_folder(rules)])
    assert len(cases) == number
    for case in cases:
        if case.cycle:
            board = case.record(rounds=0).play()
            key = board.key
            for move in case.cycle:
                assert not board.is_capture(Move.from_iccs(move)), case.id
                board.push_iccs(move)
            assert board.key == key, case.id


def test_a_rule_set_without_cases_takes_those_of_the_wxf_book() -> None:
    assert find_case_folder("checks-only") == find_case_folder()
    assert find_case_folder("cxa2020").parent == find_case_folder()


def test_an_id_stands_once(tmp_path: Path) -> None:
    write(tmp_path, GOOD, "two.toml")
    write(tmp_path, GOOD)
    with pytest.raises(CaseError, match=r"A1: id: also in .*one\.toml"):
        load_cases([tmp_path])


def test_find_case(tmp_path: Path) -> None:
    cases = load_cases([write(tmp_path, GOOD)])
    assert find_case("a1", cases) is cases[0]
    assert find_case("D84", load_cases()).id == "D84a"
    with pytest.raises(CaseError, match="case B2: there is no such case"):
        find_case("B2", cases)


def test_a_case_is_played_until_the_required_occurrence() -> None:
    for case in load_cases():
        if case.cycle:
            board = case.play_until(3)
            assert board.repetitions() == 3
            assert board.ply() <= len(case.record(rounds=2).moves)
            assert board.judge().verdict is case.verdict


def test_the_folder_is_the_checkout_s() -> None:
    assert (find_case_folder() / "README.md").exists()


def test_untranslated_chapters_are_in_english(tmp_path: Path) -> None:
    path = tmp_path / "cases.toml"
    path.write_text(GOOD, encoding="utf-8")
    (case,) = load_cases([path])
    assert case.chapters == dict.fromkeys(LANGUAGES, "one")
    assert case.titles["zh"] == case.title
    chinese = GOOD.replace('chapter = "one"', 'chapter = "one"\nchapter_zh = "一"')
    path.write_text(chinese.replace("\ntitle", '\ntitle_zh = "题"\ntitle'), encoding="utf-8")
    (case,) = load_cases([path])
    assert (case.chapters["zh"], case.titles["zh"]) == ("一", "题")


def test_chinese_that_is_no_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "cases.toml"
    path.write_text(f"chapter_zh = 1\n{GOOD}", encoding="utf-8")
    with pytest.raises(CaseError, match="chapter_zh: found 1, expected text"):
        load_cases([path])
