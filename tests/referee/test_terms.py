"""The glossary: each term has a move that shows it, and explanations name the terms they use."""

from __future__ import annotations

import re

import pytest

from tools.make_glossary import DIAGRAMS, PAGE, draw_term, read_terms, show_term, write_page
from xiangqi import Board
from xiangqi.casebook.cases import find_case, load_all_cases, load_cases
from xiangqi.referee.evidence import explain_move
from xiangqi.referee.explanation import explain, format_ruling
from xiangqi.referee.judging import Referee
from xiangqi.referee.marks import Mark
from xiangqi.referee.terms import TERMS, Term, describe_term, terms_of
from xiangqi.words.voice import Voice

CASES = (*load_cases(), *load_all_cases())


@pytest.mark.parametrize("term", TERMS)
def test_the_move_of_a_term_shows_it(term: Term) -> None:
    assert term in set(terms_of(explain_move(*show_term(term))))


@pytest.mark.parametrize("term", TERMS)
def test_the_diagram_of_a_term_is_the_one_in_the_docs(term: Term) -> None:
    assert (DIAGRAMS / f"{term.value}.svg").read_text(encoding="utf-8") == draw_term(term)


def test_the_page_is_made_from_the_table() -> None:
    assert [*read_terms()] == [term.value for term in TERMS]
    assert PAGE.read_text(encoding="utf-8") == write_page()
    assert {path.stem for path in DIAGRAMS.iterdir()} == {term.value for term in TERMS}


def test_a_term_has_the_same_name_in_chinese_and_an_anchor_on_the_page() -> None:
    headings = re.findall("^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [heading.replace(" ", "-") for heading in headings] == [term.value for term in TERMS]
    for term in TERMS:
        if term.value not in [mark.value for mark in Mark]:
            assert describe_term(term).say(Voice("zh")) == read_terms()[term.value]["zh"]


@pytest.mark.parametrize(
    ("name", "rules", "terms"),
    [
        ("D84a", "wxf", "chase idle root false-root"),
        ("D71", "wxf", "chase idle uncovered-attack"),
        ("D1a", "wxf", "check chase uncovered-attack"),
        ("cxa2020-c8-11", "cxa2020", "chase false-root joint-chase single-chase"),
        ("cxa2020-c8-27", "cxa2020", "chase too-few-roots single-chase"),
    ],
)
def test_an_explanation_names_its_terms(name: str, rules: str, terms: str) -> None:
    ruling = Referee(rules).judge(find_case(name, CASES).play_until(3))
    assert [term.value for term in explain(ruling).terms] == terms.split()
    last = format_ruling(ruling).splitlines()[-1]
    assert re.findall(r"\(#([\w-]+)\)", last) == terms.split()


def test_an_undecided_position_has_no_terms() -> None:
    assert "glossary" not in format_ruling(Referee().judge(Board()))
