"""The board page: game entry, play, analysis and rulings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from typing import Final, get_args

from jinja2 import ChoiceLoader, Environment, PackageLoader

from xiangqi.analysis.puzzles import PUZZLE_THEMES
from xiangqi.drawing.svg import Lettering
from xiangqi.engine.levels import LEVELS
from xiangqi.ground.texts import LANGUAGES, Language, say, text_of
from xiangqi.pieces import Piece
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.rule_names import title_rules
from xiangqi.referee.rules import RULE_SETS, RuleSet
from xiangqi.web.pages.render import (
    board_module,
    board_sprite,
    environment,
    lettering_of,
    static_files,
)
from xiangqi.web.pages.sheet import style_hash
from xiangqi.web.serve.openings import EXAMPLES, HANDICAPS
from xiangqi.web.serve.thinking import MAX_THOUGHT_S, MIN_THOUGHT_S
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = ["asset_files", "asset_folder", "page_name", "render_entry", "render_error"]

_POLICY: Final = (
    f"default-src 'none'; style-src 'self' {style_hash()}; script-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""Content security policy of the board page, whose scripts connect to the server and paint
pictures, and of the ruling sheet that it opens, with a style of its own."""
_SCRIPT_WORDS: Final = (
    "your_move",
    "your_move_in_check",
    "red_changes",
    "black_changes",
    "nobody_changes",
    "other_attacks",
    "rule_win",
    "thinking",
    "more_games",
    "too_large",
    "offline",
    "not_kept",
    "editor_playable",
    "red",
    "black",
    "level",
    "match_you",
    "match_declined",
    "match_red_won",
    "match_black_won",
    "match_drawn",
    "match_ended",
    "match_time",
    "match_resigned",
    "match_agreed",
    "match_lost",
    "match_here",
    "games_live",
    "taken",
    "games_plies",
    "games_remove",
    "loading",
    "close",
    "red",
    "black",
    "mark",
    "draw_from",
    "best",
    "threat",
    "depth",
    "copied",
    "bad_link",
    "long_link",
)
"""Labels used by the page's scripts."""
_MODES: Final = ("play", "analyse", "referee")
_KINDS: Final = ("engine", "people", "engines")
_CLOCKS: Final = (
    ("none", 0, 0, 0, 0),
    ("increment", 3, 2, 0, 0),
    ("increment", 5, 3, 0, 0),
    ("increment", 10, 5, 0, 0),
    ("increment", 30, 20, 0, 0),
    ("step", 5, 0, 30, 15),
    ("step", 10, 0, 60, 30),
    ("last", 20, 0, 0, 30),
)
"""Presets of clocks: form, minutes, seconds added a move, most seconds for a move, seconds a move
when the time is used up."""
_KEYS: Final = (
    ("← →", "key_step"),
    ("Home End", "key_ends"),
    ("↑ ↓", "key_variation"),
    ("f", "key_flip"),
    ("Space", "key_best"),
    ("z Z", "key_undo"),
    ("1 2 3", "key_modes"),
    ("a", "key_analyse"),
    ("t", "key_threats"),
    ("p", "autoplay"),
    ("d", "key_draw"),
    ("c", "key_comment"),
    ("Tab ← ↑ → ↓ Enter", "key_board"),
    ("?", "key_help"),
)
"""Keyboard shortcuts of the help dialog, with their label keys."""

_LEARN_WORDS: Final = (
    "state",
    "days",
    "task_mate",
    "task_win",
    "task_save",
    "task_own",
    "task_who",
    "task_find",
    "task_opening",
    "rated",
    "case",
    "right",
    "wrong",
    "solved",
    "also",
    "holds",
    "off",
    "again",
    "was",
    "answer_right",
    "answer_wrong",
    "none",
    "hinted",
    "bad_file",
)
"""Labels used by scripts, without their prefix; some have placeholders."""
_REVIEW_WORDS: Final = ("game", "stop", "better", "no_notes", "train", "empty")


@lru_cache(maxsize=1)
def _templates() -> Environment:
    shared = environment()
    own = PackageLoader("xiangqi.web.serve")
    loader = own if shared.loader is None else ChoiceLoader([own, shared.loader])
    return shared.overlay(loader=loader)


@lru_cache(maxsize=8)  # a page has 130 KB, and few settings are in use
def render_entry(
    voice: Voice,
    rules: RuleSet,
    *,
    files: Sequence[tuple[int, str]] = (),
    max_upload: int,
    has_book: bool = False,
    has_server: bool = True,
) -> str:
    """Render the board page; ``voice`` and ``rules`` are its initial settings.

    ``files`` are the numbers and names of the open files, ``max_upload`` is the maximum size of a
    file in bytes. Without a server (``has_server``) the page is a file of the static site, and the
    browser handles the requests.
    """
    lang = voice.language
    lettering = lettering_of(lang)
    return (
        _templates()
        .get_template("play.html")
        .render(
            lang=lang,
            language_pages=[
                (one, text_of(one, "language.name"), page_name(one, has_server=has_server))
                for one in LANGUAGES
            ],
            has_server=has_server,
            assets=asset_folder() if has_server else "",
            words={} if has_server else {"offline": "not_loaded"},
            policy=_POLICY if has_server else f"{_POLICY}; frame-src 'self'; manifest-src 'self'",
            sprite=board_sprite(lettering, get_args(Lettering), numbered=True),
            letterings=get_args(Lettering),
            lettering=lettering,
            modes=_MODES,
            modules=_module_names(),
            kinds=[(kind, say(lang, f"page.match_{kind}")) for kind in _KINDS],
            level_names=[*_name_levels(lang)],
            clock_names=[*_name_clocks(lang)],
            handicap_names=[
                (fen, say(lang, f"page.odds_{name}")) for name, fen in HANDICAPS.items()
            ],
            examples=EXAMPLES,
            name_letter=lambda letter: Piece.from_symbol(letter).say(lang),
            start=STARTING_FEN,
            rules=rules.name,
            rule_sets=_name_rule_sets(rules, lang),
            notation=voice.notation,
            notation_names=[(name, say(lang, f"page.{name}")) for name in MOVE_NOTATIONS],
            script_words=_SCRIPT_WORDS,
            learn_words={key: text_of(lang, f"page.learn_{key}") for key in _LEARN_WORDS},
            result_words={key: text_of(lang, f"page.{key}") for key in ("results", "next_level")},
            puzzle_themes=PUZZLE_THEMES,
            review_words={key: text_of(lang, f"page.review_{key}") for key in _REVIEW_WORDS},
            keys=_KEYS,
            files=files,
            book=has_book,
            least_seconds=MIN_THOUGHT_S,
            most_seconds=MAX_THOUGHT_S,
            max_upload=max_upload,
        )
    )


def _name_levels(lang: Language) -> Iterator[tuple[int, str]]:
    """Yield the engine's levels with their names and Elo, full strength last."""
    for level in LEVELS:
        name = say(lang, f"page.level_{level.number}")
        yield level.number, f"{level.number} {name} ({level.elo})"
    yield 0, say(lang, "page.full_strength")


def _name_clocks(lang: Language) -> Iterator[tuple[str, str]]:
    """Yield the presets of clocks as numbers of the fields, with their names."""
    for form, minutes, seconds, step, last in _CLOCKS:
        values = {"minutes": minutes, "seconds": seconds, "step": step, "last": last}
        yield f"{minutes} {seconds} {step} {last}", say(lang, f"page.clock_{form}", **values)
    yield "other", say(lang, "page.clock_other")


def page_name(language: Language, *, has_server: bool = False) -> str:
    """Address of the board page in a language: a query, or a file of the static site."""
    if has_server:
        return f"?lang={language}"
    return "index.html" if language == LANGUAGES[0] else f"{language}.html"


def render_error(lang: Language, why: str, *, exists: bool) -> str:
    """Render an error page; ``exists`` is False for status 404."""
    template = _templates().get_template("error.html")
    return template.render(lang=lang, policy=_POLICY, assets=asset_folder(), why=why, exists=exists)


def _name_rule_sets(rules: RuleSet, lang: Language) -> dict[str, str]:
    """Titles of the rule sets by name, including the server's own if its options are changed."""
    titles = {name: title_rules(name, Voice(lang)) for name in RULE_SETS}
    names = {
        name: f"{title} ({beside})" if beside else title for name, (title, beside) in titles.items()
    }
    if rules != RULE_SETS.get(rules.name):
        names[rules.name] = say(lang, "page.changed", rules=names.get(rules.name, rules.name))
    return names


@lru_cache(maxsize=1)
def _module_names() -> list[str]:
    """File names of the page's script modules, for preloading in parallel."""
    folder = resources.files("xiangqi.web.serve").joinpath("static")
    return sorted(file.name for file in folder.iterdir() if file.name.endswith(".js"))


@lru_cache(maxsize=1)
def asset_folder() -> str:
    """Folder of the scripts and styles in addresses, named after their contents.

    Browsers keep its files: those of another version are in another folder.
    """
    digest = sha256()
    for name, content in sorted(asset_files()):
        digest.update(name.encode() + content)
    return f"assets-{digest.hexdigest()[:12]}/"


def asset_files() -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each script and style sheet."""
    yield from static_files()
    yield board_module()
    for file in resources.files("xiangqi.web.serve").joinpath("static").iterdir():
        if file.name.endswith((".css", ".js")):
            yield file.name, file.read_bytes()
