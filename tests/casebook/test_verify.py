"""Batch verification: it can fail, and its output is readable at any width."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from xiangqi import WXF, Conduct, Referee, Verdict
from xiangqi.casebook.cases import Case, find_case, find_case_folder, load_cases
from xiangqi.casebook.verify import CaseResult, RuledAs, verify_case, verify_cases
from xiangqi.cli.main import main
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.referee.ruling import Mark

CASES = load_cases()
D2A = find_case("D2a", CASES)
REFEREE = Referee()


def test_a_right_case_passes() -> None:
    result = verify_case(D2A, REFEREE)
    assert result.passed
    assert result.ruled == RuledAs(Verdict.BLACK_WINS, Conduct.CHECK, Conduct.IDLE)
    assert result.rulings == 4 * 2 * 3


@pytest.mark.parametrize(
    "wrong",
    [
        replace(D2A, verdict=Verdict.RED_WINS),
        replace(D2A, verdict=Verdict.DRAW),
        replace(D2A, red=Conduct.CHASE),
        replace(D2A, black=Conduct.CHASE),
    ],
    ids=["winner", "draw", "red", "black"],
)
def test_a_wrong_case_differs_in_every_variant(wrong: Case) -> None:
    result = verify_case(wrong, REFEREE)
    assert not result.passed
    assert len(result.differences) == result.rulings
    variants = {way.variant.name() for way in result.differences}
    assert "entered at ply 2, one more round, mirrored" in variants
    assert len(variants) == result.rulings


def test_exchanged_colours_expect_the_exchanged_ruling() -> None:
    ruled = RuledAs(Verdict.BLACK_WINS, Conduct.CHECK, Conduct.IDLE)
    assert ruled.with_colors_exchanged() == RuledAs(Verdict.RED_WINS, Conduct.IDLE, Conduct.CHECK)
    draw = RuledAs(Verdict.DRAW, Conduct.CHECK, Conduct.CHECK)
    assert draw.with_colors_exchanged() == draw


def test_a_case_that_cannot_be_played_is_an_error_not_an_end() -> None:
    broken = replace(D2A, fen="9/9/9/9/9/9/9/9/9/9 w")
    illegal = replace(D2A, cycle=("f0e0", "e8f8", "e0f0", "f8f7"))
    results = list(verify_cases([broken, illegal, D2A]))
    assert [result.passed for result in results] == [False, False, True]
    assert "red has no general" in results[0].error
    assert results[0].ruled is None
    assert results[0].to_dict()["error"] == results[0].error


def test_a_window_that_opens_too_late_would_be_found_out() -> None:
    """D80a gets another ruling if only the moves since the second occurrence are judged."""
    result = verify_case(find_case("D80a", CASES), Referee(WXF.replace({"occurrences": 2})))
    assert not result.passed


# Marks

MARKED = replace(D2A, marks=(Mark.IDLE, Mark.CHECK, Mark.IDLE, Mark.CHECK))
"""The cycle begins with the general's move."""


def test_marks_are_compared_in_every_way_of_playing_the_case() -> None:
    result = verify_case(MARKED, REFEREE)
    assert result.passed
    assert result.marks == MARKED.marks
    assert (result.marks_found, result.marks_compared) == (96, 4 * 24)
    assert verify_case(D2A, REFEREE).marks_compared == 0


def test_allowed_moves_of_any_kind_are_one_and_strikes_are_not() -> None:
    kind = replace(MARKED, marks=(Mark.BLOCK, Mark.CHECK, Mark.FOLLOW, Mark.CHECK))
    assert verify_case(kind, REFEREE).marks_found == 96
    wrong = replace(MARKED, marks=(Mark.CHASE, Mark.KILL, Mark.IDLE, Mark.CHECK))
    result = verify_case(wrong, REFEREE)
    assert result.passed, "the verdict is that of the case all the same"
    assert (result.marks_found, result.marks_compared) == (48, 96)
    assert result.other_marks == (
        (D2A.cycle[0], Mark.CHASE, Mark.IDLE),
        (D2A.cycle[1], Mark.KILL, Mark.CHECK),
    )
    assert result.to_dict()["marks"]["found"] == 48


def test_conduct_left_out_of_a_case_is_not_compared() -> None:
    assert verify_case(replace(D2A, red=None, black=None), REFEREE).passed
    assert not verify_case(replace(D2A, red=None, verdict=Verdict.DRAW), REFEREE).passed


def test_other_marks_are_printed(tmp_path: Path) -> None:
    text = (find_case_folder("cxa2020") / "08_figures.toml").read_text(encoding="utf-8")
    (tmp_path / "one.toml").write_text(text[: text.index("[[case]]", text.index("c8-02"))])
    printed = CliRunner().invoke(main, ["verify", str(tmp_path)], env={"COLUMNS": "120"}).output
    assert "cxa2020-c8-02" in printed
    assert re.search(r"[a-i]\d[a-i]\d: idle; expected: chase", printed)
    assert re.search(r"\d+ of 96 marks as expected", printed)


# The command

CHECKS = str(find_case_folder() / "01_perpetual_check.toml")
LIST = [sys.executable, "-m", "xiangqi", "verify", "--list", CHECKS]
NO_COLUMNS = {name: value for name, value in os.environ.items() if name != "COLUMNS"}


def run(*arguments: str, width: int = 80) -> Result:
    return CliRunner().invoke(
        main, ["verify", *arguments], env={"COLUMNS": str(width)}, catch_exceptions=False
    )


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    """File of a chapter whose first case expects a wrong verdict."""
    path = tmp_path / "wrong.toml"
    text = Path(CHECKS).read_text(encoding="utf-8")
    path.write_text(text.replace('red = "check"', 'red = "idle"', 1), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def results() -> list[CaseResult]:
    return list(verify_cases(CASES))


@pytest.fixture
def verified(results: list[CaseResult], monkeypatch: pytest.MonkeyPatch) -> None:
    """The command has the results of the whole book, which take a second, for every layout."""
    monkeypatch.setattr("xiangqi.cli.verify.verify_cases", lambda cases, rules: iter(results))


@pytest.mark.usefixtures("verified")
@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_book_fits_a_screen(width: int, language: Language) -> None:
    result = run("--lang", language, width=width)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert len(lines) < 24
    assert max(map(cell_len, lines)) <= width
    first = {
        "en": "perpetual check (articles 6-8)",
        "zh": "长将（第6至8条）",
        "vi": "chiếu mãi (điều 6-8)",
    }
    assert lines[1] == f"13/13  {first[language]}"
    assert sum(bool(re.match(r"\d+/\d+ ", line)) for line in lines) == 20
    assert any(line.startswith("192") for line in lines)


@pytest.mark.usefixtures("verified")
@pytest.mark.parametrize(("width", "most"), [(60, 4), (80, 3), (120, 2)])
def test_every_case_on_a_few_lines(width: int, most: int) -> None:
    """Nothing is cut off; lines use the full width, and titles are continued below."""
    output = run("--list", width=width).output
    assert max(map(len, output.splitlines())) <= width
    assert not re.search(r" $|…", output, re.MULTILINE)
    whole = " ".join(output.split())
    for case in load_cases():
        assert f"{case.id} " in whole
        assert " ".join(case.title.split()) in whole
    cases = re.split(r"^(?=[DXV]\d+[a-z]? )", output, flags=re.MULTILINE)[1:]
    lengths = sorted(len(re.findall(r"^(?:[DXV]|       )", case, re.MULTILINE)) for case in cases)
    assert len(lengths) == 192
    assert lengths[-1] == most
    assert lengths[192 * 9 // 10] <= max(most - 1, 2)


def longest_line(output: str) -> int:
    return max(map(len, output.splitlines()))


@pytest.mark.parametrize("columns", [60, 100])
def test_lines_are_as_long_as_the_terminal(columns: int) -> None:
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    done = subprocess.run(
        LIST, env=NO_COLUMNS, stdin=inside, capture_output=True, text=True, check=True
    )
    os.close(terminal)
    os.close(inside)
    assert columns - 12 < longest_line(done.stdout) <= columns


def test_without_any_terminal_lines_are_of_80_characters() -> None:
    done = subprocess.run(
        LIST, env=NO_COLUMNS, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert 68 < longest_line(done.stdout) <= 80


def test_json_of_the_whole_book() -> None:
    data = json.loads(run("--json").output)
    assert (data["cases"], data["passed"]) == (192, 192)
    assert data["rulings"] > 6000
    assert data["results"][0]["ruled"] == data["results"][0]["expected"]


def test_wrong_cases_are_listed_first(wrong: str) -> None:
    result = run(wrong)
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "Ruled differently than expected:",
        "D1a    Black wins (check, chase) in 24 of 24 ways; expected: Black wins (idle,",
        "       chase)",
        "",
        "Cases ruled as expected, by chapter:",
        "12/13  perpetual check (articles 6-8)",
        "13 cases, 432 rulings: 12 cases as expected, 1 different.",
        "Every case: xiangqi verify --list",
    ]


def test_the_list_names_the_ways_that_differ(wrong: str) -> None:
    lines = run("--list", wrong).output.splitlines()
    assert "       as written, mirrored: Black wins (check, chase)" in lines
    assert "       entered at ply 2, colours exchanged: Red wins (chase, check)" in lines
    assert lines[1].startswith("D1a    Black wins (check, chase) in 24 of 24 ways; expected:")
    assert sum(line.startswith("D1a ") for line in lines) == 2


def test_a_case_that_differs_in_some_ways_tells_how_many() -> None:
    """D80a gets another ruling if the cycle is entered between its two halves."""
    output = run("--list", "--occurrences", "2").output
    line = "D80a   Black wins (chase, idle) in 12 of 48 ways; expected: draw (idle, idle)"
    assert line in output.splitlines()
    ways = output[output.index(line) :].split("X1b")[0]
    assert ways.count("wins") == 1 + 12


def test_a_case_that_cannot_be_played_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    text = Path(CHECKS).read_text(encoding="utf-8")
    path.write_text(text.replace('"h9h8"', '"h9h9"'), encoding="utf-8")
    result = run(str(path), width=120)
    assert result.exit_code == 1
    assert "expected two different squares" in result.output.splitlines()[1]


def test_in_chinese(wrong: str) -> None:
    """Everything but ids, and squares and files in titles, is in Chinese."""
    output = run("--lang", "zh", "--list", wrong, width=300).output
    for case in sorted(load_cases(), key=lambda case: -len(case.titles["zh"])):
        output = output.replace(case.titles["zh"], "").replace(f"{case.id} ", "")
    assert "24种走法中24种判黑胜（将军，捉）；应判黑胜（闲着，捉）" in output
    assert "自循环第2着后起，多走一轮，红黑互换：红胜（捉，将军）" in output
    assert not re.search("[A-Za-z]", output)


def test_other_rules_differ() -> None:
    path = str(find_case_folder() / "04_cannon_chases_chariot.toml")
    assert run(path, "--rules", "checks-only").exit_code == 1


def test_no_such_file() -> None:
    result = run("no/such/file.toml")
    assert result.exit_code == 2
    assert "no/such/file.toml" in result.output
