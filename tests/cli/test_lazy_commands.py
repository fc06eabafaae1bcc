"""The commands are listed without their modules, each of which is imported when it is called."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys

import click
import pytest

import xiangqi.cli
from xiangqi.cli.base import LazyCommand
from xiangqi.cli.main import main

SHELL = {"xiangqi.cli", "xiangqi.cli.base", "xiangqi.cli.main"}
"""Modules that every command needs."""
PROGRAM = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from xiangqi.__main__ import main
main()
"""


def run(*arguments: str, said: str = "", **environment: str) -> tuple[str, set[str]]:
    """Call the command in a process of its own: what it says, and the modules it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        input=said,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, set(done.stderr.split())


def of_the_commands(modules: set[str]) -> set[str]:
    return {name for name in modules if name.startswith("xiangqi.cli")}


@pytest.mark.parametrize("name", main.commands)
def test_the_list_says_what_the_command_says(name: str) -> None:
    listed = main.commands[name]
    assert isinstance(listed, LazyCommand)
    command = listed.load()
    assert command.name == listed.name == name
    for length in range(20, 200, 5):
        assert listed.get_short_help_str(length) == command.get_short_help_str(length)


def test_every_command_is_listed() -> None:
    modules = [
        importlib.import_module(f"xiangqi.cli.{module.name}")
        for module in pkgutil.iter_modules(xiangqi.cli.__path__)
    ]
    found = [
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, click.Command)
    ]
    inner = [
        command
        for group in found
        if isinstance(group, click.Group) and group is not main
        for command in group.commands.values()
    ]
    assert {one.name for one in found if one not in (main, *inner)} == set(main.commands)


def test_the_help_lists_all_commands_and_imports_none() -> None:
    said, modules = run("--help")
    for name in main.commands:
        assert f"\n  {name} " in said
    assert of_the_commands(modules) == SHELL
    assert "xiangqi.board" not in modules


def test_the_engine_goes_without_the_others() -> None:
    said, modules = run("engine", said="uci\nquit\n")
    assert said.endswith("uciok\n")
    assert of_the_commands(modules) == {*SHELL, "xiangqi.cli.engine"}
    assert not modules & {"rich", "jinja2", "chess"}


def test_a_ruling_loads_what_it_takes_to_rule() -> None:
    said, modules = run("judge", "--case", "D1a")
    assert "perpetual chase" in said
    assert of_the_commands(modules) == {*SHELL, "xiangqi.cli.judge", "xiangqi.cli.options"}
    assert not modules & {"rich", "jinja2", "chess", "multiprocessing", "xiangqi.games.formats"}
    assert not modules & {f"xiangqi.{wing}" for wing in ("engine", "client", "match", "web")}


@pytest.mark.parametrize(
    ("begun", "offered"), [("ju", ["judge"]), ("e", ["elo", "engine", "eval"])]
)
def test_a_shell_completes_names_without_their_modules(begun: str, offered: list[str]) -> None:
    said, modules = run(
        _XIANGQI_COMPLETE="bash_complete", COMP_WORDS=f"xiangqi {begun}", COMP_CWORD="1"
    )
    assert said.splitlines() == [f"plain,{name}" for name in offered]
    assert of_the_commands(modules) == SHELL


def test_a_shell_completes_the_options_of_a_command() -> None:
    said, _ = run(
        _XIANGQI_COMPLETE="bash_complete", COMP_WORDS="xiangqi judge --ca", COMP_CWORD="2"
    )
    assert said == "plain,--case\n"
