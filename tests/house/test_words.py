"""Plain words: docstrings state what they name, and comments and pages use the field's terms.

One pass over docstrings, comments, help, errors and pages of Python, Cython, C, JavaScript and
Markdown.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]

OPENING: Final = re.compile(
    r"\s*(What(ever)?|Who(ever|m|se)?|Of|As|How|Where|Which|Why|So|For(?! each| every))\b"
)
"""First words of a docstring that has no subject, or asks a question; "Is ...?" may be asked."""
PRIVATE: Final = re.compile(
    r"\b(told|tells?(?! apart)|telling|asks|asked|stands? for|stood for|men|doors?|rooms?|houses?"
    r"|clothes|shel(f|ves)|desks?|crews?|seats?|wings?|whoever|whomever|reckon\w*)\b",
    re.IGNORECASE,
)
"""Words in a sense of our own: told for reported, asked for requested, stands for is, men for
pieces, and pictures of houses for packages, modules and interfaces."""
EXCEPTIONS: Final = re.compile(r"\bno room\b|\btold apart\b|tests/house|--men\b", re.IGNORECASE)
"""Phrases in which these words have their usual sense, a path, and an option."""
LIMITS: Final = re.compile(
    r"\b_?(MOST|LEAST|LONGEST|DEEPEST|SHORTEST|LARGEST|SMALLEST|FEWEST|WIDEST)_[A-Z]"
)
"""Names of limits; the field writes MAX_ and MIN_."""
QUOTED: Final = re.compile(r"``.*?``|`[^`]*`|\"[^\"\n]*\"", re.DOTALL)
SKIPPED: Final = ("wxf_cases/", "xiangqi/casebook/disputes/", "packages/test/")


class Prose(NamedTuple):
    """A piece of text for readers."""

    place: str
    kind: str
    text: str


def files() -> list[Path]:
    """Files of the checkout with prose."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    suffixes = (".py", ".pyi", ".pyx", ".pxd", ".h", ".js", ".mjs", ".md")
    return [
        ROOT / name
        for name in listed
        if name.endswith(suffixes) and not name.startswith(SKIPPED) and (ROOT / name).exists()
    ]


def text_in(node: ast.AST) -> str:
    """All literal text in a part of a program."""
    found = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return " ".join(value for value in found if isinstance(value, str))


def prose_of_python(source: str) -> Iterator[tuple[int, str, str]]:
    """Docstrings, comments, help and errors."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, "docstring", str(node.value.value)
        elif isinstance(node, ast.keyword) and node.arg == "help":
            yield node.value.lineno, "help", text_in(node.value)
        elif isinstance(node, ast.Raise):
            yield node.lineno, "error", text_in(node)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], "comment", token.string.lstrip("# ")


def prose_of_others(source: str, suffix: str) -> Iterator[tuple[int, str, str]]:
    """Docstrings and comments of Cython, C and JavaScript; pages without their blocks of code."""
    if suffix == ".md":
        blanked = re.sub(r"```.*?```", lambda m: "\n" * m[0].count("\n"), source, flags=re.DOTALL)
        for number, line in enumerate(blanked.split("\n"), 1):
            if not line.startswith("    "):
                yield number, "page", line
        return
    pattern = r'"""(?P<doc>.*?)"""|#+ (?P<comment>[^\n]*)'
    if suffix not in (".pyx", ".pxd"):
        pattern = r"/\*\*?(?P<doc>.*?)\*/|(?<![:\"'/])//(?P<comment>[^\n]*)"
    for found in re.finditer(pattern, source, re.DOTALL):
        kind = "docstring" if found["doc"] is not None else "comment"
        text = re.sub(r"\n\s*\*", " ", found["doc"] or found["comment"] or "")
        yield source.count("\n", 0, found.start()) + 1, kind, text


@lru_cache(maxsize=1)
def all_prose() -> tuple[Prose, ...]:
    """The prose of the whole checkout, read once."""
    found = []
    for path in files():
        source = path.read_text(encoding="utf-8")
        if path.suffix in (".py", ".pyi"):
            parts = prose_of_python(source)
        else:
            parts = prose_of_others(source, path.suffix)
        name = path.relative_to(ROOT)
        found += [Prose(f"{name}:{line}", kind, text) for line, kind, text in parts]
    return tuple(found)


def private_words(text: str) -> list[str]:
    """Words of a text in a sense of our own; quoted words and code do not count."""
    plain = EXCEPTIONS.sub("", QUOTED.sub("", text))
    return [found[0] for found in PRIVATE.finditer(plain)]


def test_the_check_finds_what_it_is_for() -> None:
    assert OPENING.match("What the last move is.")
    assert OPENING.match("For another position.")
    assert not OPENING.match("Is the move legal?")
    assert not OPENING.match("For each ply, its mark.")
    assert private_words("It is told to whoever asked") == ["told", "whoever", "asked"]
    assert private_words("pieces are told apart; ``told``") == []
    assert LIMITS.search("_MOST_MOVES")
    assert not LIMITS.search("MAX_MOVES")
    assert len(all_prose()) > 10_000


def test_docstrings_begin_with_what_they_name() -> None:
    wrong = [
        f"{prose.place}: {prose.text.strip()[:60]}"
        for prose in all_prose()
        if prose.kind == "docstring" and OPENING.match(prose.text)
    ]
    assert not wrong, "\n".join(wrong)


def test_limits_are_named_max_and_min() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in files()
        if path != Path(__file__) and path.name != "CHANGELOG.md"
        for found in LIMITS.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


def test_words_have_their_usual_sense() -> None:
    found = [
        f"{prose.place}: {', '.join(words)}"
        for prose in all_prose()
        if not prose.place.startswith("tests/house/test_words.py")
        if (words := private_words(prose.text))
    ]
    assert not found, "\n".join(found)
