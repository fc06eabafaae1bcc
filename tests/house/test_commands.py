"""Every command of the README and of the pages for developers works as it is written, and makes or
prints what it should.

They are run in a folder that has what a checkout has, so that their outputs leave nothing behind;
those of ``xiangqi`` without a shell's signs whose output a page does not show, in this process,
which has loaded what they need. Only where :data:`INSTEAD` says why is something else run in place
of a command.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from xiangqi.cli.main import main

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

PROGRAMS = (".venv/bin/", "make ", "sudo ", "valgrind ", "$ ")
OPPONENT = "fairy-stockfish"

INSTEAD = {
    # It changes the machine; that its packages are enough is what `dev.py missing` checks.
    r"sudo apt install (.*)": r"echo \1",
    # It changes the environment that the tests run in, which has these packages.
    r".*/python -m pip install '\.\[(\w+)\]'": r".venv/bin/python dev.py needs \1",
    # What it builds is built: it is what these tests run on.
    r"python dev\.py verify": "MEIHUA_AS_BUILT=1 .venv/bin/python dev.py verify",
    r"python dev\.py test": ".venv/bin/python dev.py needs test",
    r"make verify": "MEIHUA_AS_BUILT=1 make verify",
    # It is what runs this test.
    r"make (test|test-fast)": r"make --dry-run \1",
    # They wait for somebody, or take a quarter of an hour and more.
    r"make (serve|bench|debug|soak|wheels|bundle|site|npm|docs)": r"make --dry-run \1",
    r"(.*/python -m bench(?:\.levels|\.rulings)?) .*": r"\1 --help",
    # What it builds is built, and would be built again.
    r".*/python setup\.py build_ext .*": "test -f setup.py",
    # They run when their turn comes.
    r".*/python -m pytest (.*)": r"test -f \1",
    # It makes everything fifty times slower, and is not everywhere.
    r"valgrind \S+ \S+ (.*)": r"\1",
    r"python -m (\S+)(?: NAME=VALUE .*)?": r".venv/bin/python -m \1 --help",
    # There is no older engine, and it takes a day.
    r"(.* match .*)old/(.*)-each tc=10\+0\.1 -rounds 5000(.*)": r"\1\2-each depth=1 -rounds 1\3",
    # It takes an hour; two games of one ply a move go the same way.
    r"(.* match .*)-each tc=10\+0\.1 -rounds 50(.*)": r"\1-each depth=1 -rounds 1\2",
    # It takes half a minute; classes of three pieces go the same way.
    r"(?:\.venv/bin/)?xiangqi tables make --men 4 --attackers 1(.*)": (
        r".venv/bin/xiangqi tables make --men 3\1"
    ),
    # It takes eight seconds; tests/web/test_report.py makes these pages and looks at each.
    r"xiangqi report --cases .*": ".venv/bin/xiangqi report --help",
    # A thousand cycles take eight seconds.
    r"(.*xiangqi cycles .*--count) \d+": r"\1 20",
    # Making puzzles takes hours.
    r"(.*/python tools/make_puzzles\.py \w+).*": r"\1 --help",
    # It waits for somebody; its options are looked at all the same.
    r"(xiangqi (?:serve|mcp) .*)": r".venv/bin/\1 --help",
    r"(\.venv/bin/xiangqi api)(?: .*)?": r"\1 --help",
    # A command is meant with any game or files.
    r"(xiangqi judge) (?:--json|--explain)": r".venv/bin/\1 --help",
    # A command is meant, whatever it is given.
    r"(xiangqi (?:(?:book|tables) )?\w+)(?: (?:-tb )?[A-Z]+)?": r".venv/bin/\1 --help",
    r"(xiangqi .*)": r".venv/bin/\1",
}
"""Substitutes of commands, by pattern."""


class Shown(NamedTuple):
    """A command of a page, and what it prints, where the page shows it."""

    command: str
    output: str = ""


def indented_commands(page: Path) -> list[Shown]:
    """The commands of the indented blocks; other lines there are the output of the last one."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\\\n *", "", text)
    found: list[Shown] = []
    for line in re.findall(r"^    (\S.*)$", text, flags=re.MULTILINE):
        if line.startswith(PROGRAMS):
            found.append(Shown(line.removeprefix("$ ")))
        else:
            found[-1] = Shown(found[-1].command, found[-1].output + line + "\n")
    return found


def inline_commands(page: Path) -> list[Shown]:
    """The commands that are named in sentences."""
    return [
        Shown(" ".join(command.split()))
        for command in re.findall(
            r"`((?:xiangqi|make|python -m|python dev\.py)\s[^`]*)`",
            page.read_text(encoding="utf-8"),
        )
    ]


def all_commands() -> list[Shown]:
    """The commands of all pages, each where it comes first, the program with its folder or not."""
    found: dict[str, Shown] = {}
    for page in PAGES:
        for one in indented_commands(page) + inline_commands(page):
            found.setdefault(one.command.removeprefix(".venv/bin/"), one)
    return list(found.values())


COMMANDS = all_commands()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the commands find what they name."""
    folder = tmp_path_factory.mktemp("checkout")
    linked = "bench examples ext tests tools train Makefile dev.py setup.py pyproject.toml"
    for name in linked.split():
        (folder / name).symlink_to(ROOT / name)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def what_to_run(command: str) -> str:
    for pattern, instead in INSTEAD.items():
        if re.fullmatch(pattern, command):
            command = re.sub(pattern, instead, command)
            break
    if shutil.which(OPPONENT) is None:
        command = command.replace(f"cmd={OPPONENT}", "cmd=.venv/bin/meihua name=other")
    return command


def in_this_process(command: str) -> list[str] | None:
    """The arguments of ``xiangqi``, if the command is this without anything of a shell's."""
    program, *arguments = shlex.split(command, comments=True)
    if program != ".venv/bin/xiangqi" or re.search(r"[|*<>;]", command):
        return None
    return arguments


def test_readme_and_commands_page_have_commands() -> None:
    """The README names each of the two set-up commands once, the page of commands most others."""
    readme = [shown.command for shown in indented_commands(ROOT / "README.md")]
    assert readme.count("make verify") == readme.count("make test") == 1
    page = [shown.command for shown in indented_commands(ROOT / "docs/commands.md")]
    assert sum(command.startswith(".venv/bin/xiangqi ") for command in page) > 12


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/cython.md", "docs/rules.md"])
def test_the_pages_have_commands(name: str) -> None:
    assert indented_commands(ROOT / name)


@pytest.mark.parametrize("shown", COMMANDS, ids=lambda shown: shown.command[:50])
def test_a_command_works(shown: Shown, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = what_to_run(shown.command)
    arguments = None if shown.output else in_this_process(command)
    if arguments is None:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=checkout,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        if shown.output:
            assert done.stdout == shown.output
    else:
        monkeypatch.chdir(checkout)
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    for name in re.findall(r"(?:-o |-pgnout file=|convert \S+ )(\S+)", command):
        made = checkout / name
        assert (made / "index.html" if made.is_dir() else made).stat().st_size > 500


def test_no_file_is_named_that_is_not_there(checkout: Path) -> None:
    """A pattern is one that finds something; the shell would hand it on as it is."""
    for command in (shown.command for shown in COMMANDS):
        for word in re.findall(r"(?:examples|wxf_cases|bench)/\S+", command):
            assert list(checkout.glob(word)), command
