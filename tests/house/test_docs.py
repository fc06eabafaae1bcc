"""Examples in docstrings of compiled modules and on pages never lie, because they are run; and what
pages point to is there."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import pytest
from setuptools.command.egg_info import FileList

from xiangqi.core import move, position_board

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = sorted(
    page
    for folder in (
        ".",
        "docs",
        "bench",
        "examples",
        "packages/meihua",
        "packages/meihua-engine",
        "train",
        "wxf_cases",
    )
    for page in (ROOT / folder).glob("*.md")
)


@pytest.mark.parametrize("module", [move, position_board], ids=lambda module: module.__name__)
def test_docstrings_of_compiled_modules(module: ModuleType) -> None:
    tests = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    assert tests
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    assert not runner.summarize(verbose=False).failed


@pytest.mark.parametrize(
    "page",
    [
        README,
        *(
            ROOT / "docs" / f"{name}.md"
            for name in ("adding", "from_cchess", "from_pyffish", "levels", "python")
        ),
    ],
    ids=lambda page: page.name,
)
def test_a_page_with_examples(page: Path) -> None:
    done = doctest.testfile(str(page), module_relative=False)
    assert done.attempted > 5
    assert not done.failed


def headings_of(page: Path) -> list[str]:
    """Headings of a page as links name them after the ``#``: small letters, joined by hyphens."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found]


@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if p.parent in (ROOT, ROOT / "docs") and p.name != "CHANGELOG.md"],
    ids=lambda page: page.name,
)
def test_no_two_headings_of_a_page_are_alike(page: Path) -> None:
    headings = headings_of(page)
    assert sorted(headings) == sorted(set(headings))


def prose_of(page: Path) -> str:
    """A page without its blocks of code."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_link_targets_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", prose_of(page)):
        if not target.startswith("https://"):
            path, _, heading = target.partition("#")
            file = page.parent / path if path else page
            assert file.exists(), target
            assert not heading or heading in headings_of(file), target


def paths_named(text: str) -> Iterator[str]:
    """The files and folders of the checkout that a text names in type of its own.

    ``meihua/...`` may also be a module of the npm package, or the folder of tables.
    """
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"meihua"}
    tops = "|".join(sorted(folders))
    yield from re.findall(rf"`((?:{tops})/[\w./-]*)`", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_are_named_are_there(page: Path) -> None:
    for name in paths_named(prose_of(page)):
        assert name.startswith("build/") or (ROOT / name).exists(), name


@lru_cache(maxsize=1)
def file_names() -> frozenset[str]:
    """Names, without folders, of the files of the checkout."""
    tops = "xiangqi ext train bench tools tests packages packaging".split()
    found = (path for top in tops for path in (ROOT / top).rglob("*") if path.is_file())
    return frozenset([path.name for path in found] + [path.name for path in ROOT.iterdir()])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_modules_that_are_named_are_there(page: Path) -> None:
    """A file that is named without its folder exists somewhere in the checkout."""
    names = re.findall(r"`([\w-]+\.(?:pyx|pxd|pyi|py|js|html|h|css))`", prose_of(page))
    for name in names:
        assert name.startswith("X.") or name in file_names(), name


SOURCES = sorted(
    path
    for folder in ("xiangqi", "ext", "train", "bench", "tools")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".pyi", ".pyx", ".pxd")
)
PATH = re.compile(
    r"(?<![\w./])((?:xiangqi|ext|train|bench|tools|tests|docs)/[\w./-]+\.[a-z]{2,4})\b(?!`* of )"
)
"""A file of the checkout; ``docs/format.md`` of another project is none."""
IN_A_WHEEL = "xiangqi/wxf_cases/README.md"


def test_files_that_sources_name_are_there() -> None:
    sources = [*SOURCES, ROOT / "setup.py", ROOT / "dev.py"]
    named = {
        (path.name, name)
        for path in sources
        for name in PATH.findall(path.read_text(encoding="utf-8"))
    }
    assert ("fit_wdl.py", "xiangqi/ground/chances.py") in named
    assert not [one for one in named if one[1] != IN_A_WHEEL and not (ROOT / one[1]).exists()]


def test_readme_links_every_page_of_the_docs() -> None:
    linked = set(re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")))
    pages = {str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md")}
    assert {"CONTRIBUTING.md", *pages} <= linked


def test_the_options_page_names_every_rule() -> None:
    from xiangqi.referee.rules import RULE_FIELDS

    text = (ROOT / "docs/questions.md").read_text(encoding="utf-8")
    for rule in RULE_FIELDS:
        if rule != "offences":
            assert f"| `{rule}` |" in text


def test_the_page_on_the_rules_has_every_book() -> None:
    """With how sure it is, and none that is not there."""
    from xiangqi.referee.rules import RULE_SETS, find_rule_book

    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w.-]+)` \|.*\| ([\w-]+) \|$", text, re.MULTILINE))
    assert rows == {name: find_rule_book(name).certainty for name in RULE_SETS}


def test_pages_and_tools_are_in_the_source_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    files = FileList()
    for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines():
        files.process_template_line(line)
    tools = [path for path in (ROOT / "tools").iterdir() if path.is_file()]
    left_out = {str(path.relative_to(ROOT)) for path in (*PAGES, *tools)} - set(files.files)
    assert left_out <= {"README.md"}  # which pyproject.toml names
