"""The catalogue of texts: the same keys and placeholders in every language, and none unused."""

from __future__ import annotations

import ast
import json
import re
import string
import subprocess
import sys
import unicodedata
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from xiangqi import RED
from xiangqi.drawing.svg import Lettering
from xiangqi.ground.errors import Fact
from xiangqi.ground.texts import LANGUAGES, Language, fill, list_texts, say, text_of
from xiangqi.pieces import KNIGHT, Piece
from xiangqi.words.voice import MOVE_NOTATIONS

ROOT = Path(__file__).parents[2]
PYTHON = sorted((ROOT / "xiangqi").rglob("*.py"))
TEMPLATES = sorted((ROOT / "xiangqi").rglob("templates/*.html"))
KEYS = list(list_texts("en"))
OPTIONAL = {"fen", "piece", "side"}
"""Placeholders that a language may leave out where its sentence says the same without them."""
SAMPLES: dict[str, object] = {
    "kind": Piece(KNIGHT, RED),
    ";": (Fact("fen.empty"),) * 2,
    "or": ("ucci", "uci"),
    ".1f": 2.5,
}
"""Values by format specification."""


def sections(language: Language) -> dict[str, dict[str, str]]:
    path = ROOT / f"xiangqi/ground/texts/{language}.json"
    found: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def holes(text: str) -> dict[str, str]:
    """Format specification of each placeholder of a text."""
    parts = string.Formatter().parse(text)
    return {name: spec or "" for _, name, spec, _ in parts if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_have_the_same_sections_and_keys(language: Language) -> None:
    own = sections(language)
    missing = {
        f"{name}: {key}": text
        for name, texts in sections("en").items()
        for key, text in texts.items()
        if key not in own.get(name, {})
    }
    assert not missing, json.dumps(missing, ensure_ascii=False, indent=1)
    assert [*own] == [*sections("en")]
    for name, texts in sections("en").items():
        assert [*own[name]] == [*texts]
    assert sum(map(len, own.values())) == len(KEYS), "a key stands in two sections"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_name_a_notation_a_lettering_and_numerals(language: Language) -> None:
    facts = sections(language)["The language"]
    assert facts["language.notation"] in MOVE_NOTATIONS
    assert facts["language.page_notation"] in MOVE_NOTATIONS
    assert facts["language.lettering"] in get_args(Lettering)
    assert facts["language.rules"] in ("name", "title")
    for side in ("red", "black"):
        numerals = facts[f"language.numerals_{side}"]
        assert [unicodedata.numeric(sign) for sign in numerals] == [*range(1, 10)]


def test_languages_have_different_names() -> None:
    assert len({text_of(language, "language.name") for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_meanings_of_keys_begin_with_capitals(language: Language) -> None:
    meanings = [text_of(language, key) for key in KEYS if key.startswith("page.key_")]
    assert len(meanings) > 10
    assert [one for one in meanings if one[0] != one[0].upper()] == []


def test_files_are_written_in_one_way() -> None:
    for language in LANGUAGES:
        written = json.dumps(sections(language), ensure_ascii=False, indent=1) + "\n"
        file = ROOT / f"xiangqi/ground/texts/{language}.json"
        assert file.read_text(encoding="utf-8") == written


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_the_same_and_can_be_filled(language: Language) -> None:
    for key in KEYS:
        text, english = text_of(language, key), text_of("en", key)
        own = holes(text)
        assert own.keys() ^ holes(english).keys() <= OPTIONAL, key
        values = {name: SAMPLES.get(spec, 2) for name, spec in own.items()}
        assert text
        assert fill(language, text, values)


@cache
def patterns_in_use() -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """Texts that stand in the source, and patterns of those with inserted values."""
    constants: set[str] = set()
    patterns: set[str] = set()
    for source in PYTHON:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                    for part in node.values
                ]
                if len("".join(parts).replace(".+", "")) > 3:
                    patterns.add("".join(parts))
    for template in TEMPLATES:
        text = template.read_text(encoding="utf-8")
        constants |= set(re.findall(r"[\"']([\w.]+)[\"']", text))
        patterns |= {re.escape(name) + ".+" for name in re.findall(r"\"([\w.]{4,})\" ~", text)}
    for source in (ROOT / "ext").rglob("*.pyx"):
        constants |= set(re.findall(r'"([\w.]+)"', source.read_text(encoding="utf-8")))
    return frozenset(constants), tuple(map(re.compile, sorted(patterns)))


def test_every_text_is_used() -> None:
    constants, patterns = patterns_in_use()
    unused = [
        key
        for key in KEYS
        if key not in constants and not any(pattern.fullmatch(key) for pattern in patterns)
    ]
    assert unused == []


def test_every_key_in_the_source_has_a_text() -> None:
    """In calls of ``say`` and ``Fact``, and in templates."""
    found = set()
    for source in PYTHON:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                place = {"say": 1, "voice.say": 0, "self.say": 0, "Fact": 0}.get(name)
                if place is not None and len(node.args) > place:
                    key = node.args[place]
                    if isinstance(key, ast.Constant) and key.value not in LANGUAGES:
                        found.add(str(key.value))
    for template in TEMPLATES:
        found |= set(
            re.findall(r"say\(lang, [\"']([\w.]+)[\"'] *[,)]", template.read_text("utf-8"))
        )
    assert len(found) > 300
    assert found - set(KEYS) == set()


def test_a_language_is_read_at_first_use() -> None:
    code = (
        "import xiangqi, xiangqi.ground.texts as texts\n"
        "assert texts.list_texts.cache_info().currsize == 0\n"
        "xiangqi.format_reason(xiangqi.Board().judge())\n"
        "assert texts.list_texts.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_values_are_said_in_the_language() -> None:
    values = {"horse": Piece(KNIGHT, RED), "sides": (RED, not RED), "why": Fact("fen.empty")}
    form = "{horse}, {horse:kind}, {sides:or}, {why}"
    assert fill("en", form, values) == f"red horse, horse, red or black, {Fact('fen.empty')}"
    chinese = Fact("fen.empty").say("zh")
    assert fill("zh", form, values) == f"红马, 马, 红方或黑方, {chinese}"


def test_numbers_are_counted_in_english() -> None:
    assert say("en", "page_games_counts", games=1, different=0).startswith("1 game, ")
    assert say("en", "page_games_counts", games=2, different=0).startswith("2 games, ")
