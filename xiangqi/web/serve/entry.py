"""The page on which a game is entered, stepped through, ruled and played on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader

from xiangqi.fen import STARTING_FEN
from xiangqi.referee.rules import RULE_SETS, RuleSet, find_rule_book
from xiangqi.web.pages.render import LETTERINGS, environment, static_files
from xiangqi.web.pages.sprite import board_sprite
from xiangqi.web.serve.labels import label
from xiangqi.words import Language
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = ["asset_files", "render_entry", "render_error"]

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""As for all pages, but this one asks the server."""
_SCRIPT_WORDS: Final = ("thinking", "more_games", "too_large", "offline", "not_kept")
"""Labels that the script of the page puts where they belong."""


@lru_cache(maxsize=1)
def _templates() -> Environment:
    shared = environment()
    own = PackageLoader("xiangqi.web.serve")
    loader = own if shared.loader is None else ChoiceLoader([own, shared.loader])
    return shared.overlay(loader=loader)


def render_entry(voice: Voice, rules: RuleSet, **facts: Any) -> str:
    """The page, in a language, with a notation and a rule set to begin with.

    ``facts`` are ``least_seconds``, ``most_seconds`` and ``most_upload``, the limits of the server,
    ``files``, the numbers and names of the files that are open, and whether there is a ``book``.
    """
    lang = voice.language
    return (
        _templates()
        .get_template("play.html")
        .render(
            lang=lang,
            other="zh" if lang == "en" else "en",
            label=label,
            policy=_POLICY,
            sprite=board_sprite(LETTERINGS[lang]),
            start=STARTING_FEN,
            rules=rules.name,
            rule_sets=_name_rule_sets(rules, lang),
            notation=voice.notation,
            notations=MOVE_NOTATIONS,
            script_words=_SCRIPT_WORDS,
            **facts,
        )
    )


def render_error(lang: Language, why: str) -> str:
    """The page that stands where there is none: what is wrong, and the way back to the board."""
    template = _templates().get_template("error.html")
    return template.render(lang=lang, label=label, policy=_POLICY, why=why)


def _name_rule_sets(rules: RuleSet, lang: Language) -> dict[str, str]:
    """The rule sets to choose from, in words; the server's own one may have been changed."""
    names = {name: find_rule_book(name).titles[lang] for name in RULE_SETS}
    if rules != RULE_SETS.get(rules.name):
        names[rules.name] = label(lang, "changed", rules=names.get(rules.name, rules.name))
    return names


def asset_files() -> Iterator[tuple[str, bytes]]:
    """The scripts and styles of the page: name and content."""
    yield from static_files()
    for file in resources.files("xiangqi.web.serve").joinpath("static").iterdir():
        if file.name.endswith((".css", ".js")):
            yield file.name, file.read_bytes()
