"""Cases with verdicts of several books, and of books that count rounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.make_disputes import PICTURES, draw_dispute
from xiangqi import RULE_SETS, Reason, Referee, Verdict, parse_square
from xiangqi.casebook.cases import DISPUTES, Case, find_case, find_case_folder, load_cases
from xiangqi.casebook.verify import verify_case, verify_cases
from xiangqi.cli.main import main
from xiangqi.ground.errors import CaseError

TIANTIAN = load_cases([find_case_folder("tiantian")])
QUESTIONS = load_cases([find_case_folder(DISPUTES)])
BOOKS = sorted({name for case in QUESTIONS for name, _ in case.verdicts})


def test_the_reported_rulings_of_tiantian() -> None:
    results = list(verify_cases(TIANTIAN, RULE_SETS["tiantian"]))
    assert [result.case.id for result in results if not result.passed] == []
    assert {result.rulings for result in results} == {3}  # as it is, mirrored, colours exchanged


def test_a_wrong_ruling_is_found() -> None:
    case = find_case("tiantian-03", TIANTIAN)
    wrong = replace(case, verdict=Verdict.RED_WINS)
    assert not verify_case(wrong, Referee(RULE_SETS["tiantian"])).passed
    rules = RULE_SETS["tiantian"].replace({"both_full": "first"})
    assert not verify_case(find_case("tiantian-01", TIANTIAN), Referee(rules)).passed


@pytest.mark.parametrize("name", ["wxf", *BOOKS])
def test_the_disputes_by_each_book(name: str) -> None:
    cases = [case for one in QUESTIONS if (case := one.by_book(name)) is not None]
    assert len(cases) >= len(QUESTIONS) - 2
    results = list(verify_cases(cases, RULE_SETS[name]))
    assert [result.case.id for result in results if not result.passed] == []


def test_books_differ_on_disputes() -> None:
    for name in BOOKS:
        if name.startswith("vietnam"):  # equal to the WXF book as far as known
            continue
        cases = [(one, one.by_book(name)) for one in QUESTIONS]
        assert any(other is None or other.verdict is not one.verdict for one, other in cases), name


@pytest.mark.parametrize(
    ("case", "attack", "rules", "reason"),
    [
        ("fairy-938-1", "f9e9", "wxf", Reason.PROTECTED),
        ("fairy-938-1", "g9e9", "wxf", Reason.PROFIT),
        ("fairy-938-1", "g9e9", "tiantian", Reason.PROFIT),
        ("fairy-938-2", "f0e2", "wxf", Reason.PINNED),
        ("fairy-938-2", "f0e2", "tiantian", Reason.PINNED),
        ("fairy-938-3", "a1a9", "wxf", Reason.PROFIT),
    ],
)
def test_attacks_outside_a_cycle_have_reasons(
    case: str, attack: str, rules: str, reason: Reason
) -> None:
    board = find_case(case, QUESTIONS).record(rounds=0).play()
    found = Referee(RULE_SETS[rules]).find_threats(board, not board.turn)
    squares = parse_square(attack[:2]), parse_square(attack[2:])
    assert [one.reason for one in found if (one.attacker, one.victim) == squares] == [reason]


def test_a_case_by_another_book() -> None:
    case = find_case("chessdb-7-1", QUESTIONS)
    assert case.by_book("wxf") is case
    other = case.by_book("tiantian")
    assert other is not None
    assert (other.verdict, other.red, other.black) == (Verdict.BLACK_WINS, None, None)
    assert case.by_book("superko-positional") is None
    own = TIANTIAN[0]
    assert own.by_book("wxf") is own


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ('"draw"', "expected a table of rule sets"),
        ('{ wfx = "draw" }', "'wfx', expected names of rule sets"),
        ('{ computer = "lost" }', "'lost', expected one of 'undecided', 'draw'"),
    ],
)
def test_a_wrong_table_of_verdicts_is_reported(tmp_path: Path, table: str, why: str) -> None:
    text = (find_case_folder(DISPUTES) / "02_chessdb.toml").read_text(encoding="utf-8")
    head, _, _ = text.partition("verdicts = {")
    path = tmp_path / "wrong.toml"
    path.write_text(f"{head}verdicts = {table}\n", encoding="utf-8")
    with pytest.raises(CaseError, match=why):
        load_cases([path])


def test_the_command_takes_the_disputes() -> None:
    done = CliRunner().invoke(main, ["verify", "--disputes", "--rules", "tiantian", "--list"])
    assert done.exit_code == 0, done.output
    assert "chessdb-7-1" in done.output
    assert "chessdb-15" not in done.output  # it has no verdict by this book


def paragraph(text: str, case: Case) -> str:
    """Text of a page on a case, from its heading to the next."""
    _, _, rest = text.partition(f"\n### {case.id}\n")
    return rest.partition("\n### ")[0].partition("\n## ")[0]


def test_the_page_answers_every_dispute_as_it_is_ruled() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "disputes.md").read_text(encoding="utf-8")
    for case in QUESTIONS:
        text = paragraph(page, case)
        assert case.fen.removesuffix(" - - 0 1") in text, case.id
        assert f"![{case.title}](pictures/disputes/{case.id}.svg)" in text
        picture = (PICTURES / f"{case.id}.svg").read_text(encoding="utf-8")
        assert picture == draw_dispute(case), "python -m tools.make_disputes"
        if case.cycle or case.verdict is not Verdict.UNDECIDED:
            for name, verdict in (("wxf", case.verdict), *case.verdicts):
                words = {"black_wins": "Red", "red_wins": "Black", "draw": "nobody"}
                assert f"| `{name}` | {words[verdict.value]} |" in text, (case.id, name)
