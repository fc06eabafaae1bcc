"""Common behaviour of all commands: wrong use, outputs that exist, and the help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from xiangqi.cli.base import LazyCommand
from xiangqi.cli.main import main
from xiangqi.ground.texts import LANGUAGES, Language, text_of
from xiangqi.referee.rules import RULE_FIELDS, RULE_SETS, WXF


def run(line: str, columns: int = 80) -> Result:
    return CliRunner().invoke(main, line.split(), terminal_width=columns)


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command by the words that call it, those in groups too."""
    for name, listed in main.commands.items():
        assert isinstance(listed, LazyCommand)
        command = listed.load()
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", one) for inner, one in command.commands.items())
        else:
            yield name, command


COMMANDS = dict(commands())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.pgn").write_text('[Red "A"]\n\n1. C2.5 H8+7 2. H2+3 *\n')
    assert run("book make one.pgn --min 1 -o opening.obk").exit_code == 0
    return tmp_path


# Wrong use


@pytest.mark.parametrize("name", COMMANDS)
def test_an_unknown_option_has_exit_code_2(name: str) -> None:
    words = "-nosuch" if name == "match" else "--nosuch"
    result = run(f"{name} {words}")
    assert result.exit_code == 2
    assert "nosuch" in result.output


@pytest.mark.parametrize(
    "line",
    [
        "nosuch",
        "match",
        "book nosuch",
        "match nowhere.toml",
        "match -engine cmd=a",
        "match -engine cmd=a -engine cmd=b -each st=1 -openings file=nowhere",
        "match -config file=nowhere",
        "bench x",
        "bench 1 --eval-file nowhere",
    ],
)
def test_wrong_input_has_exit_code_2(line: str, folder: Path) -> None:
    assert run(line).exit_code == 2


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("judge --case D1a --case D2a", "--case"),
        ("judge --moves h2e2 --moves h9g7", "--moves"),
        ("perft 1 --fen x --fen y", "--fen"),
        ("convert one.pgn --to xqf --to pgn out", "--to"),
        ("book merge opening.obk -o a.obk --output b.obk", "--output"),
    ],
)
def test_an_option_given_twice_is_refused(line: str, option: str, folder: Path) -> None:
    """click alone keeps the last value in silence."""
    result = run(line)
    assert result.exit_code == 2
    assert f"Option {option}: given 2 times, expected once." in result.output


def test_a_shell_completes_after_a_repeated_option() -> None:
    words = {"_XIANGQI_COMPLETE": "bash_complete", "COMP_CWORD": "6"}
    line = {"COMP_WORDS": "xiangqi judge --case D1a --case D2a --not"}
    result = CliRunner().invoke(main, prog_name="xiangqi", env={**words, **line})
    assert result.output == "plain,--notation\n"


def test_options_that_may_be_repeated_are_not_refused() -> None:
    result = run("judge --case V3 --set answered=victim --set new_threat=victim")
    assert result.exit_code == 0


# Outputs that exist

REPLACED = "file exists; use --force to replace it"
RESUMED = "file exists; use --resume to continue it or --force to replace it"


@pytest.mark.parametrize(
    ("line", "out", "message"),
    [
        ("convert one.pgn out.jsonl", "out.jsonl", REPLACED),
        ("book make one.pgn --min 1 -o out.obk", "out.obk", REPLACED),
        ("book merge opening.obk -o out.obk", "out.obk", REPLACED),
        ("cycles --rules wxf,checks-only --count 50 -o out.jsonl", "out.jsonl", REPLACED),
        ("analyse one.pgn --nodes 1 --workers 1 -o out.pgn", "out.pgn", REPLACED),
        ("analyse one.pgn --nodes 1 --workers 1 -o out.pgn", "out.pgn.part", RESUMED),
        ("judge one.pgn -o out.jsonl", "out.jsonl", RESUMED),
    ],
)
def test_an_output_that_exists(line: str, out: str, message: str, folder: Path) -> None:
    kept = b"a file of mine\n" * 1000
    (folder / out).write_bytes(kept)
    result = run(line)
    assert result.exit_code == 2
    assert f"{out}: {message}" in result.output
    assert (folder / out).read_bytes() == kept
    result = run(f"{line} --force")
    assert result.exit_code == 0, result.output
    written = folder / out.removesuffix(".part")
    assert written.stat().st_size > 0
    assert b"a file of mine" not in written.read_bytes()


def test_a_table_is_replaced_as_a_whole(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    assert run("judge one.pgn -o out.parquet").exit_code == 0
    again = run("judge one.pgn -o out.parquet --resume")
    assert (again.exit_code, REPLACED in again.output) == (2, True)
    assert run("judge one.pgn -o out.parquet --force").exit_code == 0


def test_convert_names_the_suffix_that_was_typed(folder: Path) -> None:
    result = run("convert one.pgn out.cbl")
    assert result.exit_code == 2
    assert "'out.cbl': .cbl files can be read, but not written; expected one of" in result.output
    assert "cbr" not in result.output


# The help


@pytest.mark.parametrize("columns", [50, 80, 120])
@pytest.mark.parametrize("name", ["", "book", "tables"])
def test_summaries_are_shown_whole(name: str, columns: int) -> None:
    result = run(f"{name} --help", columns)
    listed = " ".join(result.output.partition("Commands:")[2].split())
    assert "..." not in listed
    for called, command in COMMANDS.items():
        group, _, inner = called.rpartition(" ")
        if group == name:
            assert f"{inner} {command.get_short_help_str(1000)}" in listed


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_fits_the_terminal(name: str) -> None:
    """All but the examples, which are copied as they are."""
    described, _, _ = run(f"{name} --help").output.partition("Examples:")
    assert max(map(len, described.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_lists_no_questions_and_names_the_command_that_does(name: str) -> None:
    text = " ".join(run(f"{name} --help").output.split())
    assert "check_escape" not in text
    assert ("--set " in text) == ("'xiangqi rules' lists questions and values" in text)


# rules


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_lists_sets_questions_and_values(lang: Language) -> None:
    result = run(f"rules --lang {lang}")
    assert result.exit_code == 0
    for name in RULE_SETS:
        assert re.search(rf"^  {re.escape(name)} +\S", result.output, re.MULTILINE)
    for field in RULE_FIELDS:
        assert f"\n  {field}\n" in result.output
    assert result.output.count("\n    *  ") == len(WXF.answers)
    assert re.search(r"^    \*  pair +\S.*\n       victim +\S", result.output, re.MULTILINE)
    said = [one for one in LANGUAGES if f"{text_of(one, 'values_number')}\n" in result.output]
    assert said == [lang]


def test_rules_marks_the_answers_of_a_rule_set(folder: Path) -> None:
    assert re.search(r"^    \*  gain +\S", run("rules cxa2020").output, re.MULTILINE)
    (folder / "club.toml").write_text(
        'title = "Club"\ntitle_zh = "会"\ncertainty = "first-hand"\nsources = ["a"]\n'
        'based_on = "wxf"\n[rules]\noccurrences = 5\n',
        encoding="utf-8",
    )
    assert re.search(r"^    \*  5 +a position", run("rules club.toml").output, re.MULTILINE)
    result = run("rules nosuch")
    assert result.exit_code == 2
    assert "invalid rule set 'nosuch': expected one of 'wxf'" in result.output
