"""What ``xiangqi judge`` does with files of games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import click

from xiangqi.arbiter import GameRuling, format_game, rule_games
from xiangqi.errors import XiangqiError
from xiangqi.formats import read_games
from xiangqi.rules import RuleSet
from xiangqi.words import Language

__all__ = ["judge_files"]


def judge_files(
    names: Sequence[str], rules: RuleSet, language: Language, *, explain: bool, as_json: bool
) -> int:
    """Rule on every game of the files and print it; the number of things that were not read.

    A file that cannot be read is told, and the next one comes.
    """
    seen: Counter[str] = Counter()
    for name in names:
        try:
            for ruled in rule_games(read_games(name, source=name), name, rules):
                _count(ruled, seen)
                click.echo(_format(ruled, language, explain=explain, as_json=as_json))
        except (XiangqiError, OSError) as error:
            seen["unread"] += 1
            click.echo(f"xiangqi: {error}", err=True)
    click.echo(_summary(seen), err=True)
    return seen["unread"]


def _format(ruled: GameRuling, language: Language, *, explain: bool, as_json: bool) -> str:
    if as_json:
        return json.dumps(ruled.to_dict(), ensure_ascii=False)
    return format_game(ruled, language, explain=explain)


def _count(ruled: GameRuling, seen: Counter[str]) -> None:
    seen["games"] += 1
    seen["repetitions"] += ruled.ruling is not None
    seen["other results"] += ruled.agrees is False
    seen["unread"] += len(ruled.errors)


def _summary(seen: Counter[str]) -> str:
    return ", ".join(
        f"{what}: {seen[what]}" for what in ("games", "repetitions", "other results", "unread")
    )
